//! A game that the editor starts.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use bt_live::client;
use serde_json::Value;

/// How often one looks whether the game's port is open.
const LOOK: Duration = Duration::from_millis(250);

/// How many lines of its output wait at most; then the game waits.
const LINES: usize = 1_000;

/// The longest line of its output that is shown whole, in bytes.
const LONGEST: u64 = 64 << 10;

/// A game that runs until the session ends.
pub(super) struct Program {
    child: Child,
    output: Receiver<(&'static str, String)>,
    /// The games that ran before it.
    before: BTreeSet<PathBuf>,
    /// Where it leaves its token, if that is said.
    token_file: Option<PathBuf>,
    looked: Instant,
}

impl Program {
    /// Starts `program` with `args` in `cwd`, with the variables `env`.
    pub(super) fn start(asked: &Value) -> Result<Program, String> {
        let program = asked["program"].as_str().filter(|it| !it.is_empty());
        let program =
            program.ok_or("`launch` needs a `program`: the command that starts the game")?;
        let before = client::games().map_err(|error| error.to_string())?;
        let mut command = Command::new(program);
        for arg in asked["args"].as_array().into_iter().flatten() {
            let arg = arg.as_str().ok_or("`args` are texts")?;
            command.arg(arg);
        }
        for (name, value) in asked["env"].as_object().into_iter().flatten() {
            let value = value.as_str().ok_or("the values of `env` are texts")?;
            command.env(name, value);
        }
        if let Some(folder) = asked["cwd"].as_str() {
            command.current_dir(folder);
        }
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn();
        let mut child = child.map_err(|error| format!("cannot run `{program}`: {error}"))?;
        let (sender, output) = mpsc::sync_channel(LINES);
        if let Some(out) = child.stdout.take() {
            forward(out, "stdout", sender.clone());
        }
        if let Some(err) = child.stderr.take() {
            forward(err, "stderr", sender);
        }
        Ok(Program {
            child,
            output,
            before: before.into_iter().collect(),
            token_file: asked["tokenFile"].as_str().map(PathBuf::from),
            looked: Instant::now(),
        })
    }

    /// The token file of its port, once that is open.
    pub(super) fn port(&mut self) -> Option<PathBuf> {
        if self.looked.elapsed() < LOOK {
            return None;
        }
        self.looked = Instant::now();
        if let Some(file) = &self.token_file {
            return client::is_running(file).then(|| file.clone());
        }
        let games = client::games().ok()?;
        games.into_iter().find(|file| !self.before.contains(file))
    }

    /// How it ended, if it has.
    pub(super) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// What it has printed since this was called last: where to, and the line.
    pub(super) fn output(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.output.try_iter().take(LINES)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

fn forward(
    from: impl Read + Send + 'static,
    category: &'static str,
    to: SyncSender<(&'static str, String)>,
) {
    thread::spawn(move || {
        let mut from = BufReader::new(from);
        loop {
            let mut line = Vec::new();
            match from.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            let line = String::from_utf8_lossy(&line).into_owned();
            if to.send((category, line)).is_err() {
                return;
            }
        }
    });
}
