//! A game with a port, in a thread of the test or as a process of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use bt_core::builtin::ActionAgent;
use bt_core::pool::{AgentId, Pool};
use bt_core::tree::asset::spec::{action, sequence, wait_event};
use bt_core::{Runner, TreeAsset};
use bt_live::client::Client;
use bt_live::port::{Options, PoolGame, Port, Sources};
use bt_live::protocol::types::Fire;
use bt_live::recording::Recording;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::sandbox::{Run, run};

/// A game of two agents that wait for a bell, and count how often it rings.
pub(crate) struct Game {
    pub(crate) folder: TempDir,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

pub(crate) fn tree() -> String {
    let top = sequence([wait_event("bell"), action("number_add").arg("rung").arg(1)]);
    TreeAsset::build("wait.json", "action_agent", top).to_json()
}

impl Game {
    pub(crate) fn new() -> Game {
        Game::of("wait.json", &tree())
    }

    /// With another tree.
    pub(crate) fn of(name: &str, text: &str) -> Game {
        let folder = tempfile::tempdir().unwrap();
        let options = Options::new("bells").token_file(folder.path().join("token.json"));
        let port = Port::open(options.recordings(folder.path())).unwrap();
        let is_over = Arc::new(AtomicBool::new(false));
        let ends = is_over.clone();
        let (name, text) = (name.to_owned(), text.to_owned());
        let run = move || play(port, &name, &text, &ends);
        Game {
            folder,
            is_over,
            thread: Some(thread::spawn(run)),
        }
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bt-meta"));
        let token = self.folder.path().join("token.json");
        command.arg("live").arg("--attach").arg(token).args(args);
        command
    }

    pub(crate) fn live(&self, args: &[&str]) -> Run {
        run(&mut self.command(args))
    }

    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let args = [&["--format", "json"], args].concat();
        let out = self.live(&args).done().out;
        serde_json::from_str(out.lines().next().unwrap()).unwrap()
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Records the first agent from before its bell rings; what the command says.
    pub(crate) fn record(&self, out: &Path) -> String {
        let out = out.to_str().unwrap();
        let child = self
            .command(&["record", "0v1", "--out", out, "--seconds", "2"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let first = AgentId::from((0, 1)).to_bits();
        while !Recording::open(out.as_ref()).is_ok_and(|it| it.count(first) > 0) {
            thread::sleep(Duration::from_millis(1));
        }
        let bell = Fire {
            agent: AgentId::from((0, 1)).to_bits().to_string(),
            event: "bell".to_owned(),
            params: BTreeMap::new(),
        };
        let mut client = Client::attach(self.folder.path().join("token.json")).unwrap();
        client.call(bell).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    }

    /// Waits until a key of an agent is that.
    pub(crate) fn waits_for(&self, agent: &str, key: &str, value: u64) {
        while self.json(&["show", agent])["blackboard"][key] != value {}
    }
}

/// Plays until it is over.
fn play(mut port: Port, name: &str, text: &str, is_over: &AtomicBool) {
    let texts = [(name.to_owned(), text.to_owned())];
    let mut sources = Sources::<ActionAgent>::new(texts.into()).unwrap();
    let mut pool = Pool::new();
    for _ in 0..2 {
        let mut runner = Runner::new(sources.trees(), name).unwrap();
        runner.start();
        runner.blackboard().set("rung", 0);
        pool.spawn(ActionAgent, runner);
    }
    let mut now = Duration::ZERO;
    while !is_over.load(Ordering::Relaxed) {
        now += Duration::from_millis(1);
        pool.poll(now);
        port.poll(&mut PoolGame::new(&mut pool, &mut ()).sources(&mut sources));
        thread::sleep(Duration::from_millis(1));
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
    }
}

/// The variable for the place of the game's token file, if this program is a game.
const IS_GAME: &str = "BT_META_TEST_IS_GAME";

/// The arguments and the environment variable that run this program as a game.
pub(crate) fn alone(token_file: &Path) -> ([&'static str; 3], (&'static str, PathBuf)) {
    let args = ["game::plays_alone", "--exact", "--nocapture"];
    (args, (IS_GAME, token_file.to_owned()))
}

/// The game of other tests, until it is killed.
#[test]
fn plays_alone() {
    if let Some(token_file) = std::env::var_os(IS_GAME) {
        let options = Options::new("bells").token_file(token_file);
        let port = Port::open(options).unwrap();
        play(port, "wait.json", &tree(), &AtomicBool::new(false));
    }
}

/// A game that is a process of its own.
pub(crate) struct Process {
    pub(crate) folder: TempDir,
    pub(crate) child: Child,
}

impl Process {
    pub(crate) fn new() -> Process {
        let folder = tempfile::tempdir().unwrap();
        let (args, (name, value)) = alone(&folder.path().join("token.json"));
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(args).env(name, value).stdout(Stdio::null());
        let game = Process {
            child: command.spawn().unwrap(),
            folder,
        };
        std::fs::write(game.folder.path().join("wait.json"), tree()).unwrap();
        while Client::attach(game.folder.path().join("token.json")).is_err() {
            thread::sleep(Duration::from_millis(5));
        }
        game
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A test may have killed it.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}
