//! An editor as the protocol sees it.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::live::Game;

/// The other end of the protocol.
pub(super) struct Editor {
    child: Child,
    pub(super) input: ChildStdin,
    output: BufReader<ChildStdout>,
    number: u64,
    /// Events that came before somebody waited for them.
    pub(super) events: Vec<Value>,
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
        Editor {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            number: 0,
            events: Vec::new(),
        }
    }

    pub(super) fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).unwrap() > 0,
                "it has ended"
            );
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(text) => length = text.parse().unwrap(),
                None => break,
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    /// The answer to a request, done or not.
    pub(super) fn answer(&mut self, command: &str, arguments: Value) -> Value {
        self.number += 1;
        let request = json!({
            "seq": self.number, "type": "request", "command": command, "arguments": arguments,
        });
        let text = request.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        loop {
            let message = self.read();
            if message["type"] == "response" {
                assert_eq!(message["request_seq"], self.number);
                return message;
            }
            self.events.push(message);
        }
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
            assert_eq!(message["type"], "event");
            self.events.push(message);
        }
    }

    /// With a game: an agent is attached to, and its tree's file is beside the token.
    pub(super) fn attach(game: &Game) -> Editor {
        let mut editor = Editor::new();
        let able = editor.ask("initialize", json!({ "adapterID": "bt" }));
        assert_eq!(able["supportsStepBack"], true);
        let folder = game.folder.path();
        let token = folder.join("token.json");
        let attach = json!({ "agent": "0v1", "tokenFile": token, "trees": folder });
        editor.ask("attach", attach);
        editor.event("initialized");
        editor
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
        if thread::panicking() {
            _ = self.child.kill();
            return;
        }
        self.ask("disconnect", json!({}));
        assert!(self.child.wait().unwrap().success());
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
