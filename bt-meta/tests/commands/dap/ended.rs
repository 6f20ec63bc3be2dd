//! Games that end while they are debugged: what was recorded is left.
#![cfg(unix)]

use std::thread;
use std::time::Duration;

use bt_live::client::Client;
use bt_live::protocol::types::Fire;
use serde_json::{Value, json};

use super::editor::{Editor, until};
use crate::game::{Game, Process};

const THREAD: &str = "threadId";

/// Rings the bell of the first agent so often.
fn ring(game: &Process, times: u64) {
    let mut client = Client::attach(game.folder.path().join("token.json")).unwrap();
    for _ in 0..times {
        let bell = Fire {
            agent: bt_core::pool::AgentId::from((0, 1)).to_bits().to_string(),
            event: "bell".to_owned(),
            params: Default::default(),
        };
        client.call(bell).unwrap();
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn game_that_was_killed_is_looked_at_in_what_was_recorded() {
    let mut game = Process::new();
    let mut editor = Editor::attach_to(&game);
    ring(&game, 3);
    until("the bell is not heard", || {
        editor.variable(1, "rung") == Some(json!("3"))
    });
    game.child.kill().unwrap();
    let stopped = editor.event("stopped");
    assert_eq!(
        (&stopped["reason"], &stopped["description"]),
        (&json!("exit"), &json!("The game has ended"))
    );
    let said = editor.event("output")["output"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(said.starts_with("the game has ended"), "{said}");
    assert!(
        said.ends_with("; step back through what was recorded, or continue to end the session\n"),
        "{said}"
    );
    assert_eq!(editor.variable(1, "rung"), Some(json!("3")));
    let mut found = Vec::new();
    while found.last() != Some(&json!("0")) {
        editor.ask("stepBack", json!({ THREAD: 1 }));
        editor.event("stopped");
        assert!(editor.top()["name"].is_string());
        found.push(editor.variable(1, "rung").unwrap());
    }
    found.dedup();
    assert_eq!(found, [json!("3"), json!("2"), json!("1"), json!("0")]);
    // What is over cannot be changed, and says so.
    let change = json!({ "variablesReference": 1, "name": "rung", "value": "1" });
    assert_eq!(
        editor.refused("setVariable", change),
        "this is the past: nobody can change it"
    );
    let why = editor.refused("pause", json!({ THREAD: 1 }));
    assert!(why.starts_with("the game has ended"), "{why}");
    editor.ask("next", json!({ THREAD: 1 }));
    editor.event("stopped");
    editor.ask("continue", json!({ THREAD: 1 }));
    editor.event("terminated");
    // And back again, if somebody wants.
    editor.ask("reverseContinue", json!({ THREAD: 1 }));
    editor.event("stopped");
    assert_eq!(editor.variable(1, "rung"), Some(json!("0")));
}

#[test]
fn game_that_ends_as_it_should_ends_the_session() {
    let game = Game::new();
    let mut editor = Editor::attach(&game);
    game.live(&["fire", "0v1", "bell"]).done();
    until("the bell is not heard", || {
        editor.variable(1, "rung") == Some(json!("1"))
    });
    drop(game);
    editor.event("terminated");
    assert_eq!(editor.event("output")["output"], "the game has ended\n");
    let why = editor.refused(
        "evaluate",
        json!({ "expression": "rung = 3", "context": "repl" }),
    );
    assert_eq!(why, "the game has ended");
    editor.ask("stepBack", json!({ THREAD: 1 }));
    editor.event("stopped");
    assert!(editor.top()["name"].is_string());
}

#[test]
fn game_that_ends_before_something_was_recorded_says_both() {
    let mut game = Process::new();
    let mut editor = Editor::attach_to(&game);
    game.child.kill().unwrap();
    editor.event("terminated");
    for step in ["stepBack", "reverseContinue"] {
        let why = editor.refused(step, json!({ THREAD: 1 }));
        assert!(why.starts_with("the game has ended"), "{why}");
        assert!(why.ends_with(", and nothing was recorded"), "{why}");
    }
}

/// Requests that need the game.
fn requests() -> Vec<(&'static str, Value)> {
    let source = json!({ "path": "wait.json" });
    vec![
        (
            "setBreakpoints",
            json!({ "source": source, "breakpoints": [{ "line": 40 }, { "line": 41 }] }),
        ),
        (
            "setFunctionBreakpoints",
            json!({ "breakpoints": [{ "name": "number_add" }] }),
        ),
        (
            "setDataBreakpoints",
            json!({ "breakpoints": [{ "dataId": "key:rung" }] }),
        ),
        ("dataBreakpointInfo", json!({ "name": "rung" })),
        ("stackTrace", json!({ THREAD: 1 })),
        ("scopes", json!({ "frameId": 1 })),
        ("variables", json!({ "variablesReference": 1 })),
        (
            "setVariable",
            json!({ "variablesReference": 1, "name": "rung", "value": "1" }),
        ),
        (
            "setExpression",
            json!({ "expression": "rung", "value": "1" }),
        ),
        ("evaluate", json!({ "expression": "rung" })),
        (
            "evaluate",
            json!({ "expression": "rung = 1", "context": "repl" }),
        ),
        (
            "evaluate",
            json!({ "expression": "number_add(\"rung\", 1)", "context": "repl" }),
        ),
        ("evaluate", json!({ "expression": "?", "context": "repl" })),
        ("pause", json!({ THREAD: 1 })),
        ("continue", json!({ THREAD: 1 })),
        ("stepIn", json!({ THREAD: 1 })),
    ]
}

/// Stops a game in the middle of what it does, and returns once it stands still.
fn freeze(game: &Process) {
    let pid = game.child.id().to_string();
    let mut kill = std::process::Command::new("kill");
    assert!(kill.args(["-STOP", &pid]).status().unwrap().success());
    let is_stopped = || {
        let mut ps = std::process::Command::new("ps");
        let ps = ps.args(["-o", "state=", "-p", &pid]).output().unwrap();
        ps.stdout.starts_with(b"T")
    };
    while !is_stopped() {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn game_that_dies_in_the_middle_of_a_request_is_said_to_have_ended() {
    for (command, arguments) in requests() {
        let mut game = Process::new();
        let mut editor = Editor::attach_to(&game);
        if command.starts_with("step") || command == "continue" {
            editor.ask("pause", json!({ THREAD: 1 }));
            ring(&game, 1);
            editor.event("stopped");
        }
        // It takes the request, and answers no more.
        freeze(&game);
        editor.send(command, arguments.clone());
        thread::sleep(Duration::from_millis(100));
        game.child.kill().unwrap();
        let answer = editor.answered();
        assert_eq!(answer["success"], false, "{command} {arguments}: {answer}");
        let why = answer["message"].as_str().unwrap();
        assert!(
            why.starts_with("the game has ended"),
            "{command} {arguments}: {why}"
        );
        // Everything is answered afterwards, too.
        for (command, arguments) in requests() {
            editor.answer(command, arguments);
        }
    }
}

#[test]
fn editor_that_leaves_a_game_that_does_not_answer_waits_for_a_second_at_most() {
    let game = Process::new();
    let mut editor = Editor::attach_to(&game);
    freeze(&game);
    let began = std::time::Instant::now();
    for _ in 0..3 {
        editor.send("evaluate", json!({ "expression": "rung" }));
    }
    editor.send("disconnect", json!({}));
    assert!(editor.ends().success());
    assert!(
        began.elapsed() < Duration::from_secs(8),
        "{:?}",
        began.elapsed()
    );
    let rest = editor.rest();
    let answers = rest.iter().filter(|message| message["type"] == "response");
    assert_eq!(answers.count(), 4, "{rest:?}");
}
