//! The process of the game, seen from outside.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use bt_live::client::Client;
use tempfile::TempDir;
use tungstenite::WebSocket;
use tungstenite::client::IntoClientRequest as _;

use super::game::AS_GAME;

/// The game that is attacked.
pub(crate) struct Victim {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    folder: TempDir,
    peak: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
}

/// The times that the polls of its port took.
pub(crate) struct Report {
    pub(crate) frames: u64,
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
}

impl Victim {
    pub(crate) fn start() -> Victim {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .arg(AS_GAME)
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let peak = Arc::new(AtomicU64::new(0));
        let is_over = Arc::new(AtomicBool::new(false));
        let (most, ends, pid) = (peak.clone(), is_over.clone(), child.id());
        thread::spawn(move || {
            while !ends.load(Ordering::Relaxed) {
                most.fetch_max(resident(pid).unwrap_or(0), Ordering::Relaxed);
                thread::sleep(Duration::from_millis(10));
            }
        });
        let mut victim = Victim {
            child,
            lines,
            folder,
            peak,
            is_over,
        };
        victim.ask("begin");
        // All agents have run once.
        thread::sleep(Duration::from_millis(200));
        victim
    }

    /// Measures from now on.
    pub(crate) fn begin(&mut self) {
        self.ask("begin");
        self.peak.store(0, Ordering::Relaxed);
    }

    pub(crate) fn report(&mut self) -> Report {
        if self.child.try_wait().unwrap().is_some() {
            // It was killed by the attack itself.
            return Report {
                frames: 0,
                p50: 0.0,
                p99: 0.0,
                max: 0.0,
            };
        }
        let answer = self.ask("report");
        let numbers: Vec<f64> = answer.split(' ').map(|it| it.parse().unwrap()).collect();
        Report {
            frames: numbers[0] as u64,
            p50: numbers[1],
            p99: numbers[2],
            max: numbers[3],
        }
    }

    /// The speed at which the game's time passes, and the number of agents that stand still for a debugger.
    pub(crate) fn held(&mut self) -> (f64, u64) {
        let answer = self.ask("held");
        let (speed, held) = answer.split_once(' ').unwrap();
        (speed.parse().unwrap(), held.parse().unwrap())
    }

    /// The number of records that the port has handed out.
    pub(crate) fn recorded(&mut self) -> u64 {
        self.ask("recorded").parse().unwrap()
    }

    fn ask(&mut self, question: &str) -> String {
        let input = self.child.stdin.as_mut().unwrap();
        writeln!(input, "{question}").unwrap();
        self.lines.next().unwrap().unwrap()
    }

    /// Its memory in MiB, where the system says it.
    pub(crate) fn rss(&self) -> Option<u64> {
        resident(self.child.id()).map(|bytes| bytes >> 20)
    }

    pub(crate) fn peak(&self) -> Option<u64> {
        let peak = self.peak.load(Ordering::Relaxed);
        (peak > 0).then_some(peak >> 20)
    }

    /// The number of its threads, where the system says it.
    pub(crate) fn threads(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.ok()?;
        let line = status.lines().find(|line| line.starts_with("Threads:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn token_file(&self) -> PathBuf {
        self.folder.path().join("token.json")
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn client(&self) -> Client {
        Client::attach(self.token_file()).unwrap()
    }

    /// The address of the port.
    pub(crate) fn address(&self) -> (String, String) {
        let text = std::fs::read_to_string(self.token_file()).unwrap();
        let said: serde_json::Value = serde_json::from_str(&text).unwrap();
        let of = |field: &str| said[field].as_str().unwrap().to_owned();
        let host = of("url").replace("ws://", "");
        (host.trim_end_matches('/').to_owned(), of("token"))
    }

    /// A connection that reads only when it is told to.
    pub(crate) fn socket(&self) -> WebSocket<TcpStream> {
        let (host, token) = self.address();
        let mut request = format!("ws://{host}/").into_client_request().unwrap();
        let bearer = format!("Bearer {token}").parse().unwrap();
        request.headers_mut().insert("authorization", bearer);
        let stream = TcpStream::connect(host).unwrap();
        let wait = Some(Duration::from_millis(100));
        stream.set_write_timeout(wait).unwrap();
        tungstenite::client::client(request, stream).unwrap().0
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// The memory of a process in bytes.
fn resident(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib << 10)
}
