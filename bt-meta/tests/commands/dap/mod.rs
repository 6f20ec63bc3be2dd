//! `dap`: an editor debugs an agent of a running game.

mod breakpoints;
mod editor;
mod ended;
mod hostile;
mod launch;
mod values;

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::json;

use super::game::{Game, tree};
use editor::{Editor, line, ring};

#[test]
fn editor_stops_looks_changes_steps_and_goes_back() {
    let game = Game::new();
    let text = tree();
    let file = game.file("wait.json", &text);
    let mut editor = Editor::attach(&game);
    let add = line(&text, 3);
    let set = editor.ask(
        "setBreakpoints",
        json!({ "source": { "path": file }, "breakpoints": [{ "line": add + 2 }] }),
    );
    let breakpoint = &set["breakpoints"][0];
    assert_eq!(
        (&breakpoint["verified"], &breakpoint["line"]),
        (&json!(true), &json!(add))
    );
    let id = breakpoint["id"].clone();
    editor.ask("configurationDone", json!({}));
    assert_eq!(
        editor.ask("threads", json!({}))["threads"][0]["name"],
        "0v1"
    );
    ring(&game);
    let stopped = editor.event("stopped");
    assert_eq!(stopped["reason"], "breakpoint");
    assert_eq!(stopped["hitBreakpointIds"], json!([id]));

    let stack = editor.ask("stackTrace", json!({ "threadId": 1 }));
    let names = stack["stackFrames"].as_array().unwrap().iter();
    let names: Vec<_> = names.map(|frame| frame["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["3 action number_add", "1 sequence", "0 root"]);
    let top = &stack["stackFrames"][0];
    assert_eq!((&top["line"], &top["column"]), (&json!(add), &json!(5)));
    assert_eq!(top["source"]["path"], file.to_str().unwrap());
    let scopes = editor.ask("scopes", json!({ "frameId": top["id"] }));
    let scopes = scopes["scopes"].as_array().unwrap().iter();
    let scopes = scopes.map(|scope| (scope["name"].as_str(), scope["variablesReference"].as_u64()));
    let (names, numbers): (Vec<_>, Vec<_>) = scopes.map(|(a, b)| (a.unwrap(), b.unwrap())).unzip();
    assert_eq!(names, ["Blackboard", "Properties", "Arguments", "Node"]);
    let (args, node) = (numbers[2], numbers[3]);
    let arg = editor.variable(args, "[1]").unwrap();
    assert!(arg.as_str().unwrap().contains('1'), "{arg}");
    assert_eq!(
        editor.variable(node, "action_name"),
        Some(json!("\"number_add\""))
    );

    assert_eq!(editor.variable(1, "rung"), Some(json!("0")));
    let change = json!({ "variablesReference": 1, "name": "rung", "value": "40" });
    editor.ask("setVariable", change);
    assert_eq!(editor.variable(1, "rung"), Some(json!("40")));
    let eval = |text: &str| json!({ "expression": text, "context": "repl" });
    assert_eq!(
        editor.ask("evaluate", eval("number_add(\"rung\", 1)"))["result"],
        "success"
    );
    assert_eq!(editor.ask("evaluate", eval("rung"))["result"], "41");
    assert_eq!(
        editor.ask("evaluate", eval("rung = {\"a\": [1]}"))["result"],
        "{\"a\":[1]}"
    );
    editor.ask(
        "setExpression",
        json!({ "expression": "rung", "value": "41" }),
    );
    assert_eq!(
        editor.refused("evaluate", eval("nobody")),
        "there is no key `nobody`; there is only `rung`"
    );
    let why = editor.ask("evaluate", eval("?"))["result"].clone();
    let why = why.as_str().unwrap();
    assert!(
        why.starts_with("wait.json is stopped by a debugger"),
        "{why}"
    );

    editor.ask("next", json!({ "threadId": 1 }));
    assert_eq!(editor.event("stopped")["reason"], "step");
    assert_eq!(editor.variable(1, "rung"), Some(json!("42")));
    editor.ask("stepBack", json!({ "threadId": 1 }));
    editor.event("stopped");
    let top = editor.top();
    assert_eq!(top["name"], "3 action number_add");
    assert_eq!(
        editor.variable(1, "rung"),
        Some(json!("41")),
        "as it was then"
    );
    let change = json!({ "variablesReference": 1, "name": "rung", "value": "1" });
    let why = editor.refused("setVariable", change);
    assert_eq!(why, "this is the past: nobody can change it");
    let why = editor.refused("evaluate", eval("?"));
    assert_eq!(
        why,
        "why it waits is known of now alone: step forward again"
    );
    editor.ask("next", json!({ "threadId": 1 }));
    editor.event("stopped");
    assert_eq!(editor.variable(1, "rung"), Some(json!("42")));
    let watch = json!({ "expression": "$rung * 2 > max(80, 3)", "context": "watch" });
    assert_eq!(editor.ask("evaluate", watch)["result"], "true");
}

#[test]
fn request_that_cannot_be_answered_says_why() {
    let game = Game::new();
    let token = game.folder.path().join("token.json");
    let mut editor = Editor::new();
    editor.ask("initialize", json!({}));
    let why = editor.refused("threads", json!({}));
    assert_eq!(why, "no game is attached to: `attach` comes first");
    let why = editor.refused("attach", json!({ "tokenFile": "/no/such/file" }));
    assert!(why.starts_with("the token file cannot be used: "), "{why}");
    let why = editor.refused("attach", json!({ "tokenFile": token, "agent": "0v2" }));
    assert_eq!(why, "there is no agent `0v2`; did you mean `0v1`?");
    editor.ask("attach", json!({ "tokenFile": token }));
    let first = editor.ask("threads", json!({}))["threads"][0]["name"].clone();
    assert_eq!(first, "0v1");
    let why = editor.refused("attach", json!({ "tokenFile": token }));
    assert_eq!(why, "a session debugs one agent of one game");
    let why = editor.refused("fly", json!({}));
    assert_eq!(why, "this debugger has no request `fly`");
    let why = editor.refused("next", json!({ "threadId": 1 }));
    assert_eq!(why, "the agent is not stopped");
    let why = editor.refused(
        "setVariable",
        json!({ "variablesReference": 9, "name": "a", "value": "1" }),
    );
    assert_eq!(why, "a part of a value is set by setting the whole");
    let hover = json!({ "expression": "number_add(1)", "context": "hover" });
    let why = editor.refused("evaluate", hover);
    assert_eq!(why, "a hover or a watch changes nothing: use the console");
    let why = editor.refused(
        "evaluate",
        json!({ "expression": "1 + $rnug", "context": "watch" }),
    );
    assert_eq!(why, "`$rnug`, column 5: it is unset; did you mean `rung`?");
    let why = editor.refused("evaluate", json!({ "expression": "number_add(x)" }));
    assert!(why.starts_with("the arguments are not JSON: "), "{why}");
    let unknown = json!({ "variablesReference": 9 });
    let why = editor.refused("variables", unknown);
    assert_eq!(
        why,
        "these values are shown no more: the agent has moved on"
    );
    let why = editor.refused("source", json!({ "sourceReference": 9 }));
    assert_eq!(why, "there is no such source");
    let sources = editor.ask("loadedSources", json!({}));
    let reference = sources["sources"][0]["sourceReference"].clone();
    let source = editor.ask("source", json!({ "sourceReference": reference }));
    assert_eq!(source["content"], tree());
}

#[test]
fn recording_is_debugged_as_a_game_that_is_over() {
    let game = Game::new();
    let out = game.folder.path().join("out.btrec");
    game.record(&out);
    let mut editor = Editor::new();
    editor.ask("initialize", json!({}));
    editor.ask("attach", json!({ "recording": out }));
    editor.event("initialized");
    editor.ask("configurationDone", json!({}));
    assert_eq!(editor.event("stopped")["reason"], "entry");
    let mut names = Vec::new();
    for _ in 0..4 {
        names.push(editor.top()["name"].as_str().unwrap().to_owned());
        editor.ask("stepIn", json!({ "threadId": 1 }));
        editor.event("stopped");
    }
    // The snapshot has what was active; then what waited for the bell exits, and so on.
    assert!(names[0].starts_with("2 "), "{names:?}");
    assert!(
        names.contains(&"3 action number_add".to_owned()),
        "{names:?}"
    );
    editor.ask("continue", json!({ "threadId": 1 }));
    editor.event("stopped");
    assert_eq!(editor.variable(1, "rung"), Some(json!("1")));
    editor.ask("reverseContinue", json!({ "threadId": 1 }));
    editor.event("stopped");
    assert_eq!(editor.variable(1, "rung"), Some(json!("0")));
}

#[test]
fn editor_that_comes_later_finds_the_agent_stopped() {
    let game = Game::new();
    let mut first = Editor::attach(&game);
    first.ask("pause", json!({ "threadId": 1 }));
    ring(&game);
    first.event("stopped");
    let mut second = Editor::attach(&game);
    assert_eq!(second.event("stopped")["reason"], "pause");
    second.ask("continue", json!({ "threadId": 1 }));
    first.event("continued");
}

/// Needs Node.js and `npm ci` in `tests/editor`.
#[test]
fn vs_codes_own_test_client_debugs_an_agent() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/editor");
    let library = format!("{folder}/node_modules/@vscode/debugadapter-testsupport");
    let has_node = Command::new("node").arg("--version").output().is_ok();
    if !has_node || !std::path::Path::new(&library).exists() {
        eprintln!("skipped: there is no Node.js, or `npm ci` was not run in {folder}");
        return;
    }
    let game = Game::new();
    let text = tree();
    let file = game.file("wait.json", &text);
    let mut editor = Command::new("node")
        .arg(format!("{folder}/debug.mjs"))
        .arg(env!("CARGO_BIN_EXE_bt-meta"))
        .args([game.folder.path().join("token.json"), file])
        .arg(line(&text, 3).to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while editor.try_wait().unwrap().is_none() {
        game.live(&["fire", "0v1", "bell"]).done();
        thread::sleep(Duration::from_millis(20));
    }
    let ended = editor.wait_with_output().unwrap();
    let wrong = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.success(), "{wrong}");
    assert_eq!(String::from_utf8(ended.stdout).unwrap(), "done\n");
}
