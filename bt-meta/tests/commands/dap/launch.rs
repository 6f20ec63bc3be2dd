//! Games that the editor starts: they end with the session, however that ends.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::editor::{Editor, is_there, until};
use crate::game::{Game, alone};

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
    assert!(
        why.starts_with("cannot run `/no/such/game`: No such file"),
        "{why}"
    );
    let why = editor.refused(
        "launch",
        json!({ "program": "sh", "cwd": "/no/such/folder" }),
    );
    assert_eq!(
        why,
        "cannot run `sh`: `cwd` is no folder: `/no/such/folder`"
    );
    for (name, value, what) in [
        ("args", json!([1]), "`args` are texts"),
        (
            "env",
            json!({ "A": 1 }),
            "the values of `env` are texts, or null to remove one",
        ),
    ] {
        let mut launch = json!({ "program": "sh" });
        launch[name] = value;
        assert_eq!(editor.refused("launch", launch), what);
    }
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
    assert!(is_there(&pid));
    drop(editor);
    assert!(!is_there(&pid));
}

/// An editor whose games leave their tokens in a folder.
fn editor(folder: &Path) -> Editor {
    fs::create_dir_all(folder.join("bt-live")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_bt-meta"));
    let mut editor = Editor::of(command.env("XDG_RUNTIME_DIR", folder));
    editor.ask("initialize", json!({}));
    editor
}

/// A real game below a shell, beside another process that the shell starts.
fn launch(folder: &Path) -> Value {
    let token_file = folder.join("token.json");
    let (args, (name, value)) = alone(&token_file);
    let game = std::env::current_exe().unwrap();
    let script =
        "sleep 600 & echo $! > beside; echo $$ > shell; \"$0\" \"$@\" & echo $! > game; wait";
    let args = [&["-c", script, game.to_str().unwrap()][..], &args].concat();
    json!({
        "program": "sh", "args": args, "cwd": folder, "env": { name: value }, "tokenFile": token_file,
    })
}

/// The processes of [`launch`].
fn pids(folder: &Path) -> Vec<String> {
    let read = |file| fs::read_to_string(folder.join(file)).unwrap();
    ["shell", "beside", "game"].map(read).to_vec()
}

fn are_gone(pids: &[String]) {
    until("the game still runs", || {
        !pids.iter().any(|pid| is_there(pid))
    });
}

#[test]
fn launched_game_ends_when_the_adapter_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = editor(folder.path());
    editor.ask("launch", launch(folder.path()));
    let pids = pids(folder.path());
    assert!(pids.iter().all(|pid| is_there(pid)));
    editor.kill();
    are_gone(&pids);
}

#[test]
fn launched_game_that_has_no_port_yet_ends_when_the_adapter_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = editor(folder.path());
    let mut launch = launch(folder.path());
    launch["tokenFile"] = json!(folder.path().join("never.json"));
    editor.send("launch", launch);
    let game = folder.path().join("game");
    until("nothing is started", || {
        fs::read_to_string(&game).is_ok_and(|pid| pid.ends_with('\n'))
    });
    let pids = pids(folder.path());
    editor.kill();
    are_gone(&pids);
}

/// The parent of a process.
#[cfg(target_os = "linux")]
fn parent(pid: &str) -> String {
    let status = fs::read_to_string(format!("/proc/{}/status", pid.trim())).unwrap();
    let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"));
    parent.unwrap().trim().to_owned()
}

/// As `pkill -9 bt-meta` does it.
#[cfg(target_os = "linux")]
#[test]
fn launched_game_ends_when_adapter_and_supervisor_are_killed() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = editor(folder.path());
    let mut launch = launch(folder.path());
    // The game itself, without a shell.
    let args = launch["args"].as_array().unwrap();
    (launch["program"], launch["args"]) = (args[2].clone(), json!(args[3..]));
    editor.ask("launch", launch);
    let call = json!({ "expression": "rung" });
    assert_eq!(editor.ask("evaluate", call)["result"], "0");
    let game = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let pid = entry.unwrap().file_name().into_string().unwrap();
        let words = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let is_game = words.split(|byte| *byte == 0).any(|word| {
            word.starts_with(b"BT_META_TEST_IS_GAME=")
                && word.ends_with(
                    folder
                        .path()
                        .join("token.json")
                        .as_os_str()
                        .as_encoded_bytes(),
                )
        });
        is_game.then_some(pid)
    });
    // The supervisor has the variable, too.
    let all: Vec<String> = game.collect();
    let (game, supervisor) = match all.iter().find(|pid| all.contains(&parent(pid))) {
        Some(game) => (game.clone(), parent(game)),
        None => panic!("{all:?}"),
    };
    assert_eq!(parent(&supervisor), editor.child.id().to_string());
    let mut kill = Command::new("kill");
    let adapter = editor.child.id().to_string();
    assert!(
        kill.args(["-9", &supervisor, &adapter])
            .status()
            .unwrap()
            .success()
    );
    editor.kill();
    are_gone(&[game]);
}

#[test]
fn killed_supervisor_takes_what_it_started_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = editor(folder.path());
    editor.ask("launch", launch(folder.path()));
    let pids = pids(folder.path());
    let mut parent = Command::new("ps");
    let parent = parent
        .args(["-o", "ppid=", "-p", pids[0].trim()])
        .output()
        .unwrap();
    let supervisor = String::from_utf8(parent.stdout).unwrap();
    let mut kill = Command::new("kill");
    assert!(
        kill.args(["-9", supervisor.trim()])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(editor.event("exited")["exitCode"], -1);
    are_gone(&pids);
}

#[test]
fn last_words_of_a_game_that_breaks_down_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = editor(folder.path());
    let script = "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo line $i; done; echo it broke >&2; kill -SEGV $$";
    let why = editor.refused("launch", json!({ "program": "sh", "args": ["-c", script] }));
    assert!(
        why.starts_with("the game has ended before its port was open (exit status: 139)"),
        "{why}"
    );
    let lines = editor
        .events
        .iter()
        .map(|event| event["body"]["output"].as_str().unwrap());
    let lines: Vec<_> = lines.collect();
    assert!(
        lines.contains(&"line 3000\n") && lines.contains(&"it broke\n"),
        "{}",
        lines.len()
    );
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.starts_with("line "))
            .count(),
        3000
    );
}

#[test]
fn variables_of_a_launch_are_set_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = editor(folder.path());
    let launch = json!({
        "program": "sh", "args": ["-c", "echo is $A, $XDG_RUNTIME_DIR.; exit 1"],
        "env": { "A": "b c", "XDG_RUNTIME_DIR": null },
    });
    editor.refused("launch", launch);
    assert_eq!(editor.event("output")["output"], "is b c, .\n");
}

#[test]
fn session_that_ends_while_a_game_starts_answers_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = editor(folder.path());
    let script = "echo $$ > pid; exec sleep 600";
    let launch = json!({ "program": "sh", "args": ["-c", script], "cwd": folder.path() });
    editor.send("launch", launch.clone());
    let pid = folder.path().join("pid");
    until("nothing is started", || {
        fs::read_to_string(&pid).is_ok_and(|pid| pid.ends_with('\n'))
    });
    let pid = fs::read_to_string(pid).unwrap();
    for (command, arguments) in [("launch", launch), ("attach", json!({}))] {
        let why = editor.refused(command, arguments);
        assert_eq!(why, "a session debugs one agent of one game");
    }
    let why = editor.refused("threads", json!({}));
    assert_eq!(why, "no game is attached to: `attach` comes first");
    editor.send("disconnect", json!({}));
    assert!(editor.ends().success());
    let rest = editor.rest();
    let answers = rest.iter().filter(|message| message["type"] == "response");
    let answers: Vec<_> = answers.map(|it| (&it["command"], &it["message"])).collect();
    let why = json!("the session ends before the game's port is open");
    let expected = [
        (&json!("launch"), &why),
        (&json!("disconnect"), &Value::Null),
    ];
    assert_eq!(answers, expected, "{rest:?}");
    are_gone(&[pid]);
}
