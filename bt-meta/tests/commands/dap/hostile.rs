//! Editors that say what nobody expects, and editors that go.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::editor::{Editor, line, ring, until};
use crate::game::{Game, tree};

#[test]
fn input_that_is_no_message_is_answered_with_the_reason() {
    let mut editor = Editor::new();
    let refused = |editor: &mut Editor| {
        let answer = editor.read();
        assert_eq!(
            (&answer["type"], &answer["success"], &answer["request_seq"]),
            (&json!("response"), &json!(false), &json!(0))
        );
        answer["message"].as_str().unwrap().to_owned()
    };
    editor.write(b"Content-Length: 2\r\n\r\n{]");
    let why = refused(&mut editor);
    assert!(why.starts_with("the message is not JSON: "), "{why}");
    editor.write(b"Content-Length: 2\r\n\r\n{}");
    assert_eq!(refused(&mut editor), "the message has no `command`");
    editor.ask("initialize", json!(["no", "object"]));
    for command in ["setBreakpoints", "stackTrace", "variables", "evaluate"] {
        for arguments in [json!(null), json!([1]), json!({ "frameId": -1 })] {
            let why = editor.refused(command, arguments);
            assert_eq!(why, "no game is attached to: `attach` comes first");
        }
    }
    // Nobody knows where the next message begins.
    let mut lost = Command::new(env!("CARGO_BIN_EXE_bt-meta"))
        .arg("dap")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = lost.stdin.take().unwrap();
    write!(input, "Content-Length: 99999999999\r\n\r\n").unwrap();
    let ended = lost.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(2));
    let why = "`Content-Length` is a number up to 16777216, found `99999999999`";
    for said in [ended.stdout, ended.stderr] {
        assert!(String::from_utf8(said).unwrap().contains(why));
    }
}

/// Checks that a session that cannot be continued says why, on the way out and on standard error.
fn is_lost(input: &[u8], why: &str) {
    let mut lost = Command::new(env!("CARGO_BIN_EXE_bt-meta"))
        .arg("dap")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may have ended before all is written.
    _ = lost.stdin.take().unwrap().write_all(input);
    let ended = lost.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(2), "{why}");
    for said in [ended.stdout, ended.stderr] {
        let said = String::from_utf8(said).unwrap();
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn input_that_cannot_be_told_apart_ends_the_session_with_the_reason() {
    let length = |it: &str| format!("`Content-Length` is a number up to 16777216, found `{it}`");
    is_lost(b"Content-Length: -1\r\n\r\n", &length("-1"));
    is_lost(b"Content-Length: many\r\n\r\n", &length("many"));
    is_lost(b"Content-Length:\r\n\r\n{}", &length(""));
    is_lost(b"Content-Length: 16777217\r\n\r\n{}", &length("16777217"));
    is_lost(
        b"Content-Type: x\r\n\r\n{}",
        "a message without its `Content-Length`",
    );
    is_lost(
        b"{\"seq\": 1}\n",
        "the input ends in the middle of a message",
    );
    is_lost(
        b"\xff\xfe: 1\r\n\r\n",
        "a header is a line of text of at most 4096 bytes",
    );
    is_lost(
        &[b'a'; 1 << 20],
        "a header is a line of text of at most 4096 bytes",
    );
    is_lost(&b"A: b\r\n".repeat(99), "a message has at most 32 headers");
    is_lost(
        b"Content-Length: 10\r\n\r\n{}",
        "the input ends in the middle of a message",
    );
}

#[test]
fn requests_in_the_wrong_order_are_refused() {
    let game = Game::new();
    let token = game.folder.path().join("token.json");
    let mut editor = Editor::new();
    for command in [
        "attach",
        "launch",
        "threads",
        "setBreakpoints",
        "fly",
        "configurationDone",
    ] {
        let why = editor.refused(command, json!({ "tokenFile": token, "program": "true" }));
        assert_eq!(why, "`initialize` comes first");
    }
    for (asked, why) in [
        (
            json!({ "linesStartAt1": false }),
            "lines and columns start at 1 here: `linesStartAt1` is true",
        ),
        (
            json!({ "columnsStartAt1": false }),
            "lines and columns start at 1 here: `columnsStartAt1` is true",
        ),
        (
            json!({ "pathFormat": "uri" }),
            "files are named by their paths here: `pathFormat` is `path`",
        ),
    ] {
        assert_eq!(editor.refused("initialize", asked), why);
    }
    editor.ask("initialize", json!({}));
    assert_eq!(
        editor.refused("initialize", json!({})),
        "a session is initialized once"
    );
    editor.ask("attach", json!({ "tokenFile": token }));
    for command in ["attach", "launch"] {
        let why = editor.refused(command, json!({ "tokenFile": token, "program": "true" }));
        assert_eq!(why, "a session debugs one agent of one game");
    }
}

#[test]
fn arguments_of_all_sorts_are_answered() {
    let game = Game::new();
    let mut editor = Editor::attach(&game);
    let commands = [
        "setBreakpoints",
        "setFunctionBreakpoints",
        "setDataBreakpoints",
        "dataBreakpointInfo",
        "threads",
        "stackTrace",
        "scopes",
        "variables",
        "setVariable",
        "setExpression",
        "evaluate",
        "continue",
        "next",
        "stepIn",
        "stepOut",
        "stepBack",
        "reverseContinue",
        "pause",
        "source",
        "loadedSources",
        "setExceptionBreakpoints",
        "configurationDone",
        "fly",
        "",
    ];
    let odd = [
        Value::Null,
        json!([]),
        json!("text"),
        json!({ "source": 1, "breakpoints": 2, "variablesReference": -1, "frameId": "x", "expression": [], "name": {} }),
        json!({ "source": { "path": "/dev/zero" }, "breakpoints": [null, 1, [], {}, { "line": 1.5 }, { "line": -3 }] }),
        json!({ "variablesReference": u64::MAX, "frameId": u64::MAX, "startFrame": u64::MAX, "levels": u64::MAX }),
        json!({ "variablesReference": 1, "name": "", "value": "\u{0}", "expression": "=", "sourceReference": u64::MAX }),
        json!({ "expression": "a(".repeat(10_000), "name": "n".repeat(1_000_000), "variablesReference": 1, "value": "1" }),
    ];
    for command in commands {
        for arguments in &odd {
            let answer = editor.answer(command, arguments.clone());
            let is_clear = answer["success"] == true
                || answer["message"]
                    .as_str()
                    .is_some_and(|why| !why.is_empty());
            assert!(is_clear, "{command}: {answer}");
            assert!(
                answer.to_string().len() < 10_000,
                "{command} echoes what was said"
            );
        }
    }
    assert_eq!(
        editor.ask("threads", json!({}))["threads"][0]["name"],
        "0v1"
    );
}

/// Checks that an editor that goes without a word leaves nothing behind.
fn leaves_nothing(go: impl FnOnce(&mut Editor)) {
    let game = Game::new();
    let text = tree();
    let file = game.file("wait.json", &text);
    let mut editor = Editor::attach(&game);
    editor.set(&file, line(&text, 3), json!({}));
    ring(&game);
    editor.event("stopped");
    go(&mut editor);
    editor.ends();
    until("the agent is still stopped", || {
        game.json(&["show", "0v1"])["stop"].is_null()
    });
    game.live(&["set", "0v1", "rung=0"]).done();
    game.live(&["fire", "0v1", "bell"]).done();
    game.waits_for("0v1", "rung", 1);
}

#[test]
fn editor_that_goes_leaves_nothing_behind() {
    leaves_nothing(|editor| editor.input = None);
    leaves_nothing(|editor| {
        editor.write(b"Content-Length: 100\r\n\r\n{\"seq\": 9");
        editor.input = None;
    });
    leaves_nothing(|editor| {
        editor.send("evaluate", json!({ "expression": "rung" }));
        editor.send("stackTrace", json!({}));
        editor.input = None;
    });
    leaves_nothing(Editor::kill);
}

#[test]
fn editor_that_does_not_read_any_more_ends_the_session() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bt-meta"))
        .arg("dap")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let request = json!({ "seq": 1, "type": "request", "command": "initialize" }).to_string();
    let mut input = child.stdin.take().unwrap();
    write!(input, "Content-Length: {}\r\n\r\n{request}", request.len()).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(2));
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(
        said.starts_with("error: cannot write to the editor: "),
        "{said}"
    );
}
