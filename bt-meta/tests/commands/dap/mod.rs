//! `dap`: an editor debugs an agent of a running game.

mod editor;

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::live::{Game, tree};
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
        editor.ask("evaluate", eval("name = {\"a\": [1]}"))["result"],
        "{\"a\":[1]}"
    );
    assert_eq!(
        editor.refused("evaluate", eval("nobody")),
        "there is no key `nobody`"
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
}

#[test]
fn conditions_functions_data_and_pause_stop_too() {
    let game = Game::new();
    let text = tree();
    let file = game.file("wait.json", &text);
    let mut editor = Editor::attach(&game);
    let line = line(&text, 3);
    let at = |more: Value| {
        let mut one = json!({ "line": line });
        one.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        json!({ "source": { "path": file }, "breakpoints": [one] })
    };
    let go = |editor: &mut Editor| {
        ring(&game);
        let reason = editor.event("stopped")["reason"].clone();
        let rung = editor.variable(1, "rung").unwrap();
        editor.ask(
            "setBreakpoints",
            json!({ "source": { "path": file }, "breakpoints": [] }),
        );
        editor.ask("setFunctionBreakpoints", json!({ "breakpoints": [] }));
        editor.ask("setDataBreakpoints", json!({ "breakpoints": [] }));
        editor.ask("continue", json!({ "threadId": 1 }));
        (reason.as_str().unwrap().to_owned(), rung)
    };
    editor.ask("setBreakpoints", at(json!({ "condition": "rung >= 2" })));
    assert_eq!(go(&mut editor), ("breakpoint".to_owned(), json!("2")));
    game.live(&["set", "0v1", "rung=0"]).done();
    editor.ask("setBreakpoints", at(json!({ "hitCondition": "3" })));
    assert_eq!(go(&mut editor), ("breakpoint".to_owned(), json!("2")));
    let function = json!({ "breakpoints": [{ "name": "number_add" }] });
    editor.ask("setFunctionBreakpoints", function);
    assert_eq!(go(&mut editor).0, "breakpoint");
    let info = editor.ask(
        "dataBreakpointInfo",
        json!({ "variablesReference": 1, "name": "rung" }),
    );
    let data = json!({ "breakpoints": [{ "dataId": info["dataId"] }] });
    editor.ask("setDataBreakpoints", data);
    assert_eq!(go(&mut editor).0, "data breakpoint");
    editor.ask(
        "setBreakpoints",
        at(json!({ "logMessage": "rung {rung} times" })),
    );
    let said = loop {
        game.live(&["fire", "0v1", "bell"]).done();
        if let Some(at) = editor
            .events
            .iter()
            .position(|event| event["event"] == "output")
        {
            break editor.events.remove(at);
        }
        editor.ask("threads", json!({}));
    };
    let said = said["body"]["output"].as_str().unwrap().to_owned();
    let times = said.strip_prefix("rung ").unwrap();
    let times = times.strip_suffix(" times\n").unwrap();
    assert!(times.parse::<u64>().unwrap() > 2, "{said}");
    editor.ask("pause", json!({ "threadId": 1 }));
    game.live(&["fire", "0v1", "bell"]).done();
    assert_eq!(editor.event("stopped")["reason"], "pause");
    drop(editor);
    // The game goes on without the editor.
    while !game.json(&["show", "0v1"])["stop"].is_null() {}
}

#[test]
fn breakpoint_in_a_file_that_the_game_does_not_run_is_not_verified() {
    let game = Game::new();
    let file = game.file("wait.json", &(tree() + "\n"));
    let other = game.file("other.json", "{}");
    let mut editor = Editor::attach(&game);
    let cases = [
        (
            file,
            "the game runs another text of this tree: save and reload it",
        ),
        (other, "the game runs no tree of this file"),
    ];
    for (file, why) in cases {
        let set = json!({ "source": { "path": file }, "breakpoints": [{ "line": 9 }] });
        let set = editor.ask("setBreakpoints", set);
        let breakpoint = &set["breakpoints"][0];
        assert_eq!(
            (&breakpoint["verified"], &breakpoint["message"]),
            (&json!(false), &json!(why))
        );
    }
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
fn breakpoint_that_the_game_refuses_says_why_and_the_others_hold() {
    let game = Game::new();
    let text = tree();
    let file = game.file("wait.json", &text);
    let mut editor = Editor::attach(&game);
    let line = line(&text, 3);
    let set = json!({ "source": { "path": file }, "breakpoints": [
        { "line": line, "condition": "rung is odd" },
        { "line": line, "hitCondition": "sometimes" },
        { "line": line },
    ]});
    let set = editor.ask("setBreakpoints", set);
    let verified = |at: usize| set["breakpoints"][at]["verified"].as_bool().unwrap();
    assert_eq!([0, 1, 2].map(verified), [false, false, true]);
    let why = set["breakpoints"][1]["message"].as_str().unwrap();
    assert_eq!(
        why,
        "hits are `>= 3`, from the third on, or `% 10`, every tenth"
    );
    ring(&game);
    let stopped = editor.event("stopped");
    assert_eq!(
        stopped["hitBreakpointIds"],
        json!([set["breakpoints"][2]["id"]])
    );
}

#[test]
fn breakpoints_move_with_a_reload() {
    let game = Game::new();
    let text = tree();
    let file = game.file("wait.json", &text);
    let mut editor = Editor::attach(&game);
    // The same tree, ten lines further down.
    let moved = format!("{}{text}", "\n".repeat(10));
    game.file("wait.json", &moved);
    let line = line(&moved, 3);
    let set = json!({ "source": { "path": file }, "breakpoints": [{ "line": line }] });
    let set = editor.ask("setBreakpoints", set);
    assert_eq!(set["breakpoints"][0]["verified"], false);
    game.live(&["reload", file.to_str().unwrap()]).done();
    let changed = editor.event("breakpoint");
    assert_eq!(changed["reason"], "changed");
    let (before, after) = (&set["breakpoints"][0], &changed["breakpoint"]);
    assert_eq!(after["id"], before["id"]);
    assert_eq!(
        (&after["verified"], &after["line"]),
        (&json!(true), &json!(line))
    );
    ring(&game);
    editor.event("stopped");
    assert_eq!(editor.top()["line"], line);
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
    write!(editor.input, "Content-Length: 2\r\n\r\n{{]").unwrap();
    let why = refused(&mut editor);
    assert!(why.starts_with("the message is not JSON: "), "{why}");
    write!(editor.input, "Content-Length: 2\r\n\r\n{{}}").unwrap();
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

/// A game that is started: its port is that of a game that runs, which it shows after a while.
#[cfg(unix)]
#[test]
fn game_is_launched_and_ends_with_the_session() {
    let game = Game::new();
    let folder = game.folder.path();
    let ports = folder.join("bt-live");
    std::fs::create_dir(&ports).unwrap();
    // One that runs already is not meant.
    std::fs::copy(folder.join("token.json"), ports.join("a.json")).unwrap();
    let start = |program: Value| json!({ "program": "sh", "args": ["-c", program], "cwd": folder, "agent": "0v2" });
    let mut command = Command::new(env!("CARGO_BIN_EXE_bt-meta"));
    let mut editor = Editor::of(command.env("XDG_RUNTIME_DIR", folder));
    editor.ask("initialize", json!({}));
    let why = editor.refused("launch", json!({}));
    assert_eq!(
        why,
        "`launch` needs a `program`: the command that starts the game"
    );
    let why = editor.refused("launch", json!({ "program": "/no/such/game" }));
    assert!(why.starts_with("cannot run `/no/such/game`: "), "{why}");
    let why = editor.refused("launch", start(json!("echo Oh. >&2; exit 3")));
    assert!(
        why.starts_with("the game has ended before its port was open (exit status: 3)"),
        "{why}"
    );
    let script = "echo $$ > pid; echo Here I am.; cp token.json bt-live/b.json; exec sleep 600";
    let why = editor.refused("launch", start(json!(script)));
    assert!(why.contains("there is no agent `0v2`"), "{why}");
    std::fs::remove_file(ports.join("b.json")).unwrap();
    let mut launch = start(json!(script));
    launch["agent"] = json!("1v1");
    editor.ask("launch", launch);
    editor.event("initialized");
    assert_eq!(
        editor.ask("threads", json!({}))["threads"][0]["name"],
        "1v1"
    );
    let output = editor.events.iter();
    let mut output = output.filter(|event| event["event"] == "output");
    assert!(output.any(|event| event["body"]["output"] == "Here I am.\n"));
    let pid = std::fs::read_to_string(folder.join("pid")).unwrap();
    let is_there = || {
        let mut kill = Command::new("kill");
        kill.args(["-0", pid.trim()]).stderr(Stdio::null());
        kill.status().unwrap().success()
    };
    assert!(is_there());
    drop(editor);
    assert!(!is_there());
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
