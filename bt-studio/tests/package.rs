//! The program itself: its page is printed, and the package's agents are there once it has been built.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::Message;

#[test]
fn a_package_is_built_and_its_agents_are_known() {
    let state = tempfile::tempdir().unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_bt-studio"))
        .args(["examples/door-guard/trees", "--package", "door-guard"])
        .args(["--no-open", "--offline"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .env("BT_STUDIO_STATE", state.path())
        // Where the tests of bt-meta build packages.
        .env(
            "CARGO_TARGET_DIR",
            concat!(env!("CARGO_TARGET_TMPDIR"), "/packages ü 樹"),
        )
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut url = String::new();
    let mut said = BufReader::new(program.stdout.take().unwrap());
    said.read_line(&mut url).unwrap();
    let (address, token) = url.trim().split_once("/#").unwrap();
    let socket = address.replace("http:", "ws:") + "/ws";
    let (mut socket, _) = tungstenite::connect(socket).unwrap();
    let mut ask = |method: &str, params: Value| {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        socket.send(Message::text(request.to_string())).unwrap();
        loop {
            let message = socket.read().unwrap();
            let Ok(text) = message.to_text() else {
                continue;
            };
            let mut answer: Value = serde_json::from_str(text).unwrap();
            if answer.get("id").is_some() {
                return answer["result"].take();
            }
        }
    };
    ask("hello", json!({"token": token, "protocol": 1}));
    let begun = Instant::now();
    let project = loop {
        let project = ask("project.get", json!({}));
        let is_waiting = project.get("building").is_some();
        if !is_waiting || begun.elapsed() > Duration::from_secs(600) {
            break project;
        }
        std::thread::sleep(Duration::from_millis(200));
    };
    program.kill().unwrap();
    program.wait().unwrap();
    assert_eq!(project.get("problem"), None);
    assert_eq!(project["package"], "door-guard");
    assert!(
        project["agents"]
            .as_array()
            .unwrap()
            .contains(&json!("guard")),
        "{}",
        project["agents"]
    );
}
