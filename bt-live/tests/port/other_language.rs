//! A client in another language, where its runtime is installed.

use std::process::Command;

use serde_json::Value;

use crate::game::Game;

#[test]
fn javascript_follows_and_changes_an_agent() {
    let node = |args: &[&str]| {
        let mut node = Command::new("node");
        node.arg("--experimental-websocket").args(args);
        node.output()
    };
    // Some versions have it without the option, older ones not at all.
    let probe = node(&[
        "--eval",
        "process.exit(typeof WebSocket === 'function' ? 0 : 1)",
    ]);
    if !probe.is_ok_and(|probe| probe.status.success()) {
        eprintln!("skipped: there is no Node.js with WebSocket");
        return;
    }
    let game = Game::of(1);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/port/client.mjs");
    let ended = node(&[script, game.token_file.to_str().unwrap()]).unwrap();
    let said = String::from_utf8(ended.stdout).unwrap();
    let wrong = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.success(), "{wrong}");
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["game"], "dogs");
    assert_eq!(said["version"], bt_live::protocol::VERSION);
    assert_eq!(said["first"], "snapshot");
    assert_eq!(said["same"], true);
    assert_eq!(said["refused"], "-32601: there is no ");
}
