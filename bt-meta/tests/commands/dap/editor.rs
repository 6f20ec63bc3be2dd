//! An editor as the protocol sees it.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::game::{Game, Process};

/// The time that anything may take: nothing hangs.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The other end of the protocol.
pub(super) struct Editor {
    pub(super) child: Child,
    pub(super) input: Option<ChildStdin>,
    output: Receiver<Value>,
    number: u64,
    /// Events that came before somebody waited for them.
    pub(super) events: Vec<Value>,
    is_over: bool,
}

impl Editor {
    pub(super) fn new() -> Editor {
        Editor::of(&mut Command::new(env!("CARGO_BIN_EXE_bt-meta")))
    }

    pub(super) fn of(command: &mut Command) -> Editor {
        let mut child = command
            .arg("dap")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, output) = mpsc::channel();
        let mut from = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            while let Some(message) = message(&mut from) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Editor {
            input: Some(child.stdin.take().unwrap()),
            output,
            child,
            number: 0,
            events: Vec::new(),
            is_over: false,
        }
    }

    pub(super) fn read(&mut self) -> Value {
        let read = self.output.recv_timeout(TIMEOUT);
        read.unwrap_or_else(|error| panic!("nothing comes: {error}"))
    }

    /// All that still comes, once it has ended.
    pub(super) fn rest(&mut self) -> Vec<Value> {
        self.output.iter().collect()
    }

    /// Writes bytes that are no message.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// Asks for something, and does not wait.
    pub(super) fn send(&mut self, command: &str, arguments: Value) {
        self.number += 1;
        let request = json!({
            "seq": self.number, "type": "request", "command": command, "arguments": arguments,
        });
        let text = request.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    /// The answer to the request that was made last.
    pub(super) fn answered(&mut self) -> Value {
        loop {
            let message = self.read();
            if message["type"] == "response" && message["request_seq"] == self.number {
                return message;
            }
            self.events.push(message);
        }
    }

    /// Waits until it has ended by itself.
    pub(super) fn ends(&mut self) -> ExitStatus {
        self.is_over = true;
        let until = Instant::now() + TIMEOUT;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < until, "it does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Kills it: it has no time to clean up.
    pub(super) fn kill(&mut self) {
        self.is_over = true;
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// The answer to a request, done or not.
    pub(super) fn answer(&mut self, command: &str, arguments: Value) -> Value {
        self.send(command, arguments);
        self.answered()
    }

    pub(super) fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let mut answer = self.answer(command, arguments);
        assert_eq!(answer["success"], true, "{command}: {answer}");
        answer["body"].take()
    }

    pub(super) fn refused(&mut self, command: &str, arguments: Value) -> String {
        let answer = self.answer(command, arguments);
        assert_eq!(answer["success"], false, "{command}: {answer}");
        answer["message"].as_str().unwrap().to_owned()
    }

    pub(super) fn event(&mut self, name: &str) -> Value {
        loop {
            if let Some(at) = self.events.iter().position(|event| event["event"] == name) {
                return self.events.remove(at)["body"].take();
            }
            let message = self.read();
            assert_eq!(message["type"], "event", "{message}");
            self.events.push(message);
        }
    }

    /// With a game: an agent is attached to, and its tree's file is beside the token.
    pub(super) fn attach(game: &Game) -> Editor {
        Editor::attach_in(game.folder.path())
    }

    /// The same of a game that is a process.
    pub(super) fn attach_to(game: &Process) -> Editor {
        Editor::attach_in(game.folder.path())
    }

    fn attach_in(folder: &Path) -> Editor {
        let mut editor = Editor::new();
        let able = editor.ask("initialize", json!({ "adapterID": "bt" }));
        assert_eq!(able["supportsStepBack"], true);
        let token = folder.join("token.json");
        let attach = json!({ "agent": "0v1", "tokenFile": token, "trees": folder });
        editor.ask("attach", attach);
        editor.event("initialized");
        editor
    }

    /// Sets one breakpoint on a line; what is said of it.
    pub(super) fn set(&mut self, path: &Path, line: usize, more: Value) -> Value {
        let mut one = json!({ "line": line });
        let more = more.as_object().unwrap().clone();
        one.as_object_mut().unwrap().extend(more);
        let set = json!({ "source": { "path": path }, "breakpoints": [one] });
        self.ask("setBreakpoints", set)["breakpoints"][0].take()
    }

    pub(super) fn top(&mut self) -> Value {
        let stack = self.ask("stackTrace", json!({ "threadId": 1 }));
        stack["stackFrames"][0].clone()
    }

    /// A variable of a scope: 1 is the blackboard, 2 the properties.
    pub(super) fn variable(&mut self, scope: u64, name: &str) -> Option<Value> {
        let all = self.ask("variables", json!({ "variablesReference": scope }));
        let all = all["variables"].as_array().unwrap();
        let one = all.iter().find(|one| one["name"] == name);
        one.map(|one| one["value"].clone())
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        if self.is_over || thread::panicking() {
            _ = self.child.kill();
            return;
        }
        self.ask("disconnect", json!({}));
        assert!(self.child.wait().unwrap().success());
    }
}

/// The next message; none at the end.
fn message(from: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().strip_prefix("Content-Length: ") {
            Some(text) => length = text.parse().unwrap(),
            None => break,
        }
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).ok()?;
    Some(serde_json::from_slice(&bytes).unwrap())
}

/// Returns true if a process runs.
pub(super) fn is_there(pid: &str) -> bool {
    let mut kill = Command::new("kill");
    kill.args(["-0", pid.trim()]).stderr(Stdio::null());
    kill.status().unwrap().success()
}

/// Waits until something is so.
pub(super) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + TIMEOUT;
    while !is_so() {
        assert!(Instant::now() < until, "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// The line at which a node begins.
pub(super) fn line(text: &str, idx: u32) -> usize {
    let at = text.find(&format!("\"idx\": {idx},")).unwrap();
    let begins = text[..at].rfind("\n    {").unwrap() + 1;
    text[..begins].lines().count() + 1
}

/// Rings until the agent has stopped.
pub(super) fn ring(game: &Game) {
    while game.json(&["show", "0v1"])["stop"].is_null() {
        game.live(&["fire", "0v1", "bell"]).done();
        thread::sleep(Duration::from_millis(20));
    }
}
