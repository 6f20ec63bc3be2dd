//! The program itself: its page is printed, and the package's agents are there once it has been built.

use std::fs;
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
            let Message::Text(text) = socket.read().unwrap() else {
                continue;
            };
            let mut answer: Value = serde_json::from_str(&text).unwrap();
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

/// The commands of pages open the studio: it says its address at once.
#[cfg(unix)]
#[test]
fn commands_of_pages_open_the_studio() {
    use std::os::unix::fs::OpenOptionsExt as _;

    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let state = tempfile::tempdir().unwrap();
    // A game that runs: somebody listens at the address in its token file.
    let game = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let said = json!({"url": format!("ws://{}/", game.local_addr().unwrap()), "token": "t"});
    fs::create_dir(state.path().join("bt-live")).unwrap();
    let mut options = fs::OpenOptions::new();
    let file = options.write(true).create_new(true).mode(0o600);
    let file = file.open(state.path().join("bt-live/game.json")).unwrap();
    serde_json::to_writer(file, &said).unwrap();
    for page in [
        "README.md",
        "docs/src/studio.md",
        "docs/src/studio-debugger.md",
    ] {
        let text = fs::read_to_string(format!("{root}/{page}")).unwrap();
        let lines = text
            .lines()
            .filter_map(|line| line.strip_prefix("cargo run -p bt-studio -- "));
        let lines: Vec<_> = lines
            .map(|line| line.split("  #").next().unwrap())
            .collect();
        assert!(!lines.is_empty(), "{page}");
        for line in lines {
            let mut program = Command::new(env!("CARGO_BIN_EXE_bt-studio"))
                .args(line.split_whitespace())
                .arg("--no-open")
                .current_dir(root)
                .env("BT_STUDIO_STATE", state.path())
                .env("XDG_RUNTIME_DIR", state.path())
                // Another test builds a package.
                .env("CARGO", "false")
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let mut url = String::new();
            let mut out = BufReader::new(program.stdout.take().unwrap());
            out.read_line(&mut url).unwrap();
            program.kill().unwrap();
            program.wait().unwrap();
            assert!(
                url.starts_with("http://127.0.0.1:"),
                "{page}: {line}: {url}"
            );
        }
    }
}
