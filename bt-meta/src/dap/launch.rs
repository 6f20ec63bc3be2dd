//! A game that the editor starts.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use bt_live::client;
use serde_json::Value;

use super::supervisor;

/// The number of times that one looks whether the game's port is open.
const LOOK: Duration = Duration::from_millis(250);

/// The number of lines of its output that wait; then the game waits.
const LINES: usize = 1_000;

/// The longest line of its output that is shown whole, in bytes.
const LONGEST: u64 = 64 << 10;

/// The time that the last of its output may take, once it has ended.
const REST: Duration = Duration::from_secs(2);

/// A game that runs until the session ends.
pub(super) struct Program {
    /// The process that runs it, and ends it with the session or with this process.
    supervisor: Child,
    /// The beginning of the message that it cannot be run, and that message.
    cannot_run: String,
    not_run: Option<String>,
    output: Receiver<(&'static str, String)>,
    /// The games that ran before it.
    before: BTreeSet<PathBuf>,
    /// The file for its token, if one is named.
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
        let cannot_run = supervisor::cannot_run(program.as_ref());
        let failed = |error| format!("{cannot_run}{error}");
        let mut command = supervisor::supervised(program.as_ref()).map_err(failed)?;
        for arg in asked["args"].as_array().into_iter().flatten() {
            let arg = arg.as_str().ok_or("`args` are texts")?;
            command.arg(arg);
        }
        for (name, value) in asked["env"].as_object().into_iter().flatten() {
            match value {
                Value::Null => command.env_remove(name),
                Value::String(value) => command.env(name, value),
                _ => return Err("the values of `env` are texts, or null to remove one".to_owned()),
            };
        }
        if let Some(folder) = asked["cwd"].as_str().filter(|it| !it.is_empty()) {
            if !Path::new(folder).is_dir() {
                return Err(format!("{cannot_run}`cwd` is no folder: `{folder}`"));
            }
            command.current_dir(folder);
        }
        let spawned = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut supervisor = spawned.map_err(failed)?;
        let (sender, output) = mpsc::sync_channel(LINES);
        if let Some(out) = supervisor.stdout.take() {
            forward(out, "stdout", sender.clone());
        }
        if let Some(err) = supervisor.stderr.take() {
            forward(err, "stderr", sender);
        }
        Ok(Program {
            supervisor,
            cannot_run,
            not_run: None,
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

    /// The exit status, if it has ended.
    pub(super) fn ended(&mut self) -> Option<ExitStatus> {
        let ended = self.supervisor.try_wait().ok().flatten()?;
        supervisor::end_rest(&self.supervisor);
        Some(ended)
    }

    /// The lines that it has printed since this was called last, each with where to; the rest of them, once
    /// it has ended.
    pub(super) fn output(&mut self, has_ended: bool) -> Vec<(&'static str, String)> {
        let mut lines: Vec<_> = self.output.try_iter().take(LINES).collect();
        if has_ended {
            let until = Instant::now() + REST;
            let left = || until.saturating_duration_since(Instant::now());
            // Both ends are closed, unless something that it has started holds them.
            lines.extend(std::iter::from_fn(|| self.output.recv_timeout(left()).ok()));
        }
        // What the supervisor says comes before all else, if it comes.
        let is_not_run = |(_, line): &(_, String)| line.starts_with(&self.cannot_run);
        if let Some(at) = lines.iter().position(is_not_run) {
            self.not_run = Some(lines[at].1.trim_end().to_owned());
        }
        lines
    }

    /// The reason why it could not be run, if it ended because of that.
    pub(super) fn not_run(&mut self, ended: ExitStatus) -> Option<String> {
        let not_run = self.not_run.take();
        not_run.filter(|_| ended.code() == Some(supervisor::NOT_RUN))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // The supervisor ends the game, and itself, when this end is closed.
        drop(self.supervisor.stdin.take());
        _ = self.supervisor.wait();
        supervisor::end_rest(&self.supervisor);
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
