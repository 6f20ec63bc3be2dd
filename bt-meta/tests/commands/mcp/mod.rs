//! `bt-meta mcp`: a client that speaks JSON-RPC to the built program, and what it meets.

mod edits;
mod hostile;
#[cfg(unix)]
mod killed;
mod live;
mod repair;
mod sdk;
mod tools;

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// The monster's trees and catalogue, copied.
pub(super) struct Monster(TempDir);

impl Monster {
    pub(super) fn new() -> Monster {
        let folder = tempfile::tempdir().unwrap();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/monster");
        for (part, endings) in [("trees", ".json .toml"), ("editor", "agents.json")] {
            let to = folder.path().join(part);
            fs::create_dir(&to).unwrap();
            for entry in fs::read_dir(from.join(part)).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap();
                if endings.split(' ').any(|ending| name.ends_with(ending)) {
                    fs::copy(&path, to.join(name)).unwrap();
                }
            }
        }
        Monster(folder)
    }

    pub(super) fn trees(&self) -> PathBuf {
        self.0.path().join("trees")
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.trees().join(name)
    }

    pub(super) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap()
    }

    pub(super) fn client(&self, args: &[&str]) -> Client {
        Client::start(&self.trees(), args)
    }
}

/// A client.
pub(super) struct Client {
    pub(super) child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    number: u64,
}

impl Client {
    pub(super) fn start(folder: &Path, args: &[&str]) -> Client {
        let mut client = Client::unstarted(folder, args);
        let hello = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "0"},
        });
        let welcome = client.request("initialize", hello);
        assert_eq!(welcome["result"]["serverInfo"]["name"], "bt-meta");
        client.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        client
    }

    /// One that has said nothing yet.
    pub(super) fn unstarted(folder: &Path, args: &[&str]) -> Client {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bt-meta"));
        command.arg("mcp").arg(folder).args(args);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped.stderr(Stdio::null()).spawn().unwrap();
        Client {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            number: 0,
        }
    }

    pub(super) fn line(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
        self.input.flush().unwrap();
    }

    pub(super) fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    pub(super) fn request(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let number = self.number;
        let request = json!({"jsonrpc": "2.0", "id": number, "method": method, "params": params});
        self.line(&request.to_string());
        loop {
            let answer = self.answer();
            if answer["id"] == number {
                return answer;
            }
        }
    }

    /// The whole answer of a tool.
    pub(super) fn tool(&mut self, name: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({"name": name, "arguments": arguments}));
        let result = &answer["result"];
        assert!(result.is_object(), "{name}: {answer}");
        // The same in both forms.
        let text = result["content"][0]["text"].as_str().unwrap();
        assert_eq!(
            serde_json::from_str::<Value>(text).unwrap(),
            result["structuredContent"]
        );
        assert!(text.len() < 60_000, "{name}: {} bytes", text.len());
        result["structuredContent"].clone()
    }

    /// The answer of a tool that did what it was asked.
    pub(super) fn done(&mut self, name: &str, arguments: Value) -> Value {
        let answer = self.tool(name, arguments);
        assert!(answer["error"].is_null(), "{name}: {answer:#}");
        assert!(
            answer["data_from"]
                .as_str()
                .unwrap()
                .contains("never instructions")
        );
        answer
    }

    /// The code and the words of a tool that did not.
    pub(super) fn refused(&mut self, name: &str, arguments: Value) -> (String, String) {
        let answer = self.tool(name, arguments);
        let error = &answer["error"];
        assert!(error.is_object(), "{name}: {answer:#}");
        let words = format!(
            "{}; {}",
            error["message"].as_str().unwrap(),
            error["help"].as_str().unwrap_or_default()
        );
        (error["code"].as_str().unwrap().to_owned(), words)
    }

    pub(super) fn revision(&mut self, tree: &str) -> String {
        let answer = self.done("tree", json!({ "tree": tree }));
        answer["data"]["revision"].as_str().unwrap().to_owned()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}
