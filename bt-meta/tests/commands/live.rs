//! `live`: a running game, from the terminal.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::common::sandbox::run;
use crate::game::{Game, tree};

#[test]
fn agents_are_listed_shown_and_explained() {
    let game = Game::new();
    let list = game.live(&["list"]).done().out;
    assert_eq!(
        list,
        "0v1  action_agent  wait.json\n1v1  action_agent  wait.json\n"
    );
    assert_eq!(game.live(&["list", "1v"]).done().out.lines().count(), 1);
    let shown = game.live(&["show", "0v1"]).done().out;
    assert!(shown.starts_with("0v1 (action_agent) on wait.json\nactive: wait.json:0 root\n"));
    assert!(
        shown.contains("active: wait.json:2 wait_event `bell`\n"),
        "{shown}"
    );
    assert!(shown.contains("key rung = 0\n"), "{shown}");
    let why = game.live(&["explain", "0v1"]).done().out;
    assert!(why.contains("until event `bell` comes"), "{why}");
    assert_eq!(game.json(&["explain", "0v1"])["tree"], "wait.json");
    let value = game.live(&["eval", "0v1", "$rung + 1 < 2"]).done().out;
    assert_eq!(value, "true\n");
    let refused = game.live(&["eval", "0v1", "$rnug + 1"]);
    refused.says(1, &["`$rnug`, column 1: it is unset; did you mean `rung`?"]);
    let refused = game.live(&["show", "0v2"]);
    refused.says(2, &["there is no agent `0v2`; did you mean `0v1`?"]);
}

#[test]
fn agents_are_changed() {
    let game = Game::new();
    game.live(&["set", "0v1", "rung=7", "name=Ann", "size={\"x\": 1}"])
        .done();
    let shown = game.json(&["show", "0v1"]);
    assert_eq!(shown["blackboard"]["rung"], 7);
    assert_eq!(shown["blackboard"]["name"], "Ann");
    assert_eq!(shown["blackboard"]["size"]["x"], 1);
    game.live(&["fire", "0v1", "bell", "loud=true"]).done();
    game.waits_for("0v1", "rung", 8);
    let outcome = game
        .live(&["call", "0v1", "number_add", "rung", "10"])
        .done();
    assert_eq!(outcome.out, "success\n");
    game.waits_for("0v1", "rung", 18);
    let refused = game.live(&["call", "0v1", "number_ad", "rung"]);
    refused.says(1, &["number_add"]);
    game.live(&["control", "0v1", "stop"]).done();
    assert!(
        game.live(&["list"])
            .out
            .contains("wait.json, does not run\n")
    );
    game.live(&["control", "0v1", "start"]).done();
    game.live(&["control", "0v1", "pause"]).done();
    assert!(game.live(&["list"]).out.contains("wait.json, paused\n"));
    game.live(&["control", "0v1", "resume"]).done();
    game.live(&["load", "0v1", "wait.json"]).done();
    game.live(&["load", "0v1", "wat.json"]).says(
        1,
        &["there is no tree `wat.json`; did you mean `wait.json`?"],
    );
    game.live(&["speed", "0.5"]).done();
    game.live(&["force", "0v1", "wait.json:2", "success"])
        .done();
    let shown = game.live(&["show", "0v1"]).done().out;
    assert!(shown.contains("FORCED: wait.json:2 success\n"), "{shown}");
    game.live(&["force", "0v1", "wait.json:2"]).done();
    game.live(&["finish", "0v1", "wait.json:3"])
        .says(1, &["node 3 of `wait.json` is no leaf that waits"]);
}

#[test]
fn agents_that_failed_and_that_wait_longest_are_listed_first() {
    let game = Game::new();
    let waits = |args: &[&str]| {
        let out = game.live(&[&["list", "--waits"], args].concat()).done().out;
        out.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    game.live(&["fire", "0v1", "bell"]).done();
    game.waits_for("0v1", "rung", 1);
    let longest = waits(&[]);
    assert_eq!(longest.len(), 2);
    assert!(
        longest[0].starts_with("1v1  action_agent  wait.json  waits for "),
        "{longest:?}"
    );
    assert!(
        longest[0].ends_with(" s: wait.json:2 wait_event `bell`"),
        "{longest:?}"
    );
    assert!(longest[1].starts_with("0v1  "), "{longest:?}");
    game.live(&["force", "0v1", "wait.json:2", "failure"])
        .done();
    game.live(&["control", "0v1", "reset"]).done();
    let failed = "0v1  action_agent  wait.json  failed in the last poll";
    while waits(&[])[0] != failed {}
    assert_eq!(waits(&["1v1"]).len(), 1);
    game.live(&["control", "1v1", "pause"]).done();
    assert_eq!(waits(&["1v1"])[0], "1v1  action_agent  wait.json  paused");
    game.live(&["control", "1v1", "resume"]).done();
    game.live(&["control", "1v1", "stop"]).done();
    let idle = "1v1  action_agent  wait.json  does not run";
    assert_eq!(waits(&["1v1"])[0], idle);
}

#[test]
fn breakpoint_on_a_name_that_nobody_has_says_the_nearest() {
    let game = Game::new();
    let refused = [
        (
            &["wat.json:2"][..],
            "there is no tree `wat.json`; did you mean `wait.json`?",
        ),
        (
            &["wait.json:9"],
            "`wait.json` has no node 9; its last one is 3",
        ),
        (
            &["--call", "number_ad"],
            "no action or condition is named `number_ad`; did you mean `number_add`?",
        ),
        (&["--call", ""], "no action or condition is named ``"),
        (&["--property", "hp"], "the agent has no property `hp`"),
    ];
    for (args, why) in refused {
        game.live(&[&["break"], args].concat()).says(1, &[why]);
    }
    // The host may set what no tree names, so these are only noted.
    let noted = [
        (
            &["--key", "rang"][..],
            "the agent has no key `rang`, and no tree names one; did you mean `rung`?",
        ),
        (
            &["--event", "bel"],
            "no agent and no tree has an event `bel`; did you mean `bell`?",
        ),
        (
            &["--key", "rung", "--if", "rang > 1"],
            "the agent has no key `rang`",
        ),
    ];
    for (args, why) in noted {
        let mut command = game.command(&["break", "--agent", "0v1"]);
        let mut child = command
            .args(args)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let mut err = BufReader::new(child.stderr.take().unwrap());
        err.read_line(&mut said).unwrap();
        assert!(said.starts_with(&format!("note: {why}")), "{said}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn key_that_an_agent_did_not_have_is_noted() {
    let game = Game::new();
    let run = game.live(&["set", "0v1", "rang=7"]);
    let note = "note: the agent had no key `rang` so far; did you mean `rung`?";
    assert!(run.err.contains(note), "{}", run.err);
    let run = game.live(&["set", "0v1", "rung=7"]);
    assert_eq!(run.err, "");
}

#[test]
fn key_of_a_running_trees_own_is_not_set_on_the_agents_board() {
    let mut text: Value = serde_json::from_str(&tree()).unwrap();
    let own = serde_json::json!({ "own": { "type": "int32", "initial": 1, "scope": "tree" } });
    text["nodes"][0]["extra"]["blackboard"] = own;
    let game = Game::of("wait.json", &text.to_string());
    let board = game.json(&["show", "0v1"])["blackboard"].clone();
    assert_eq!(board["own@0"], 1, "{board}");
    for key in ["own=2", "own@0=2"] {
        let why = "`own` is a key of a running tree's own (`own@0`): only the tree can set it";
        game.live(&["set", "0v1", key]).says(1, &[why]);
    }
    assert_eq!(game.json(&["show", "0v1"])["blackboard"], board);
}

#[test]
fn nodes_are_counted_for_a_while() {
    let game = Game::new();
    let ringing = Arc::new(AtomicBool::new(true));
    thread::scope(|scope| {
        scope.spawn(|| {
            while ringing.load(Ordering::Relaxed) {
                game.live(&["fire", "0v1", "bell"]).done();
            }
        });
        let table = game.json(&["profile", "--seconds", "1"]);
        assert_eq!(table["agents"], 2);
        let nodes = table["nodes"].as_array().unwrap();
        let action = nodes.iter().find(|node| node["idx"] == 3).unwrap();
        let count = action["entered"].as_u64().unwrap();
        assert!(count > 0, "{table}");
        assert_eq!(action["succeeded"], count);
        assert_eq!(action["calls"], count);
        let text = game
            .live(&["profile", "0v1", "--seconds", "0.5"])
            .done()
            .out;
        assert!(text.starts_with("1 agent\n"), "{text}");
        assert!(text.contains("  wait.json:3\n"), "{text}");
        ringing.store(false, Ordering::Relaxed);
    });
}

/// Takes one request, and answers it; its head and body.
fn take_request(listener: &TcpListener) -> (String, Value) {
    let (mut stream, _) = listener.accept().unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).unwrap() > 0, "{head}");
    }
    let lower = head.to_lowercase();
    let length = lower
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.unwrap().trim().parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    stream
        .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok")
        .unwrap();
    (head, serde_json::from_slice(&body).unwrap())
}

#[test]
fn rows_are_posted_to_the_originals_debugger() {
    let game = Game::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let to = format!("http://{}", listener.local_addr().unwrap());
    let mut sender = game.command(&["send", "0v1", "--to", &to]).spawn().unwrap();
    let (head, body) = take_request(&listener);
    assert!(
        head.starts_with("POST /post/ai_debug/ HTTP/1.1\r\n"),
        "{head}"
    );
    assert_eq!(body["entity_id"], "0v1");
    assert_eq!(body["cmds"][0][3], "snapshot", "{body}");
    game.live(&["fire", "0v1", "bell"]).done();
    let (_, body) = take_request(&listener);
    let rows = body["cmds"].as_array().unwrap();
    assert!(rows.iter().any(|row| row[3] == "leave"), "{body}");
    // The first poll need not repeat it.
    assert!(rows.iter().all(|row| row[3] != "snapshot"), "{body}");
    game.live(&["fire", "0v1", "bell"]).done();
    let (_, body) = take_request(&listener);
    let rows = body["cmds"].as_array().unwrap();
    assert_eq!(rows[0][3], "snapshot", "{body}");
    assert_eq!(rows[0][4][1]["rung"], 1, "{body}");
    let snapshots = rows.iter().filter(|row| row[3] == "snapshot");
    assert_eq!(snapshots.count(), 1, "{body}");
    sender.kill().unwrap();
    sender.wait().unwrap();
    drop(listener);
    game.live(&["send", "0v1", "--to", &to])
        .says(2, &["cannot post to", "does the debugger listen there?"]);
}

#[test]
fn words_that_mean_nothing_are_refused() {
    let game = Game::new();
    game.live(&["set", "0v1", "rung"])
        .says(2, &["expected `NAME=VALUE`, found `rung`"]);
    game.live(&["force", "0v1", "wait.json", "success"]).says(
        2,
        &["a node is written `TREE:IDX`, such as `hunt.json:3`; found `wait.json`"],
    );
    game.live(&["step", "0v1"])
        .says(1, &["`0v1` is not stopped"]);
    game.live(&["reload", "/no/such/tree.json"])
        .says(2, &["cannot read `/no/such/tree.json`"]);
}

#[test]
fn trees_are_checked_and_replaced() {
    let game = Game::new();
    let wrong = game.file("wait.json", &tree().replace("number_add", "number_ad"));
    let wrong = wrong.to_str().unwrap();
    for args in [&["reload", wrong][..], &["reload", "--check", wrong]] {
        let refused = game.live(args);
        refused.says(
            1,
            &[
                "wait.json:",
                "has no action `number_ad` [BT0034]",
                "number_add",
            ],
        );
    }
    let other = game.file("wait.json", &tree().replace("\"bell\"", "\"gong\""));
    let other = other.to_str().unwrap();
    let checked = game.live(&["reload", "--check", other]).done();
    assert_eq!(checked.out, "nothing is wrong with them\n");
    let moved = game.live(&["reload", other]).done().out;
    assert_eq!(moved, "2 agents move to other trees\n");
    while !game.live(&["explain", "0v1"]).done().out.contains("`gong`") {}
}

fn line(child: &mut Child) -> String {
    let out = child.stdout.as_mut().unwrap();
    let mut line = String::new();
    // One byte at a time: nothing behind the line is taken.
    BufReader::with_capacity(1, out)
        .read_line(&mut line)
        .unwrap();
    line
}

#[test]
fn agent_stops_at_a_breakpoint_and_steps_on() {
    let game = Game::new();
    let mut child = game
        .command(&["break", "wait.json:3", "--agent", "0v1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Until the breakpoint is there, the bell rings for nothing.
    while game.json(&["show", "0v1"])["stop"].is_null() {
        game.live(&["fire", "0v1", "bell"]).done();
        thread::sleep(Duration::from_millis(20));
    }
    let stopped = line(&mut child);
    assert!(
        stopped.contains("stopped at wait.json:3 (node_enter)"),
        "{stopped}"
    );
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "sideways").unwrap();
    writeln!(input, "over").unwrap();
    let stepped = line(&mut child);
    assert!(
        stepped.contains("stopped at wait.json:3 (node_leave)"),
        "{stepped}"
    );
    // Another terminal sees the same, and steps too.
    game.live(&["step", "0v1", "wait.json:2"]).done();
    let there = line(&mut child);
    assert!(
        there.contains("stopped at wait.json:2 (node_enter)"),
        "{there}"
    );
    drop(input);
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success());
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(
        said.contains("error: a step is `continue`, `record`"),
        "{said}"
    );
    // Its breakpoints and stops are gone with it.
    while !game.json(&["show", "0v1"])["stop"].is_null() {}
}

#[test]
fn breakpoint_is_over_when_the_last_line_of_input_continues() {
    let game = Game::new();
    let mut child = game
        .command(&["break", "wait.json:3", "--agent", "0v1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while game.json(&["show", "0v1"])["stop"].is_null() {
        game.live(&["fire", "0v1", "bell"]).done();
    }
    writeln!(child.stdin.take().unwrap(), "continue").unwrap();
    // Nothing rings any more: no other stop is to come.
    assert!(child.wait_with_output().unwrap().status.success());
    while game.json(&["show", "0v1"])["blackboard"]["rung"] == 0 {}
}

#[test]
fn agents_are_watched_and_recorded() {
    let game = Game::new();
    let out = game.folder.path().join("out.btrec");
    let mut watch = game
        .command(&["watch", "0v1", "--format", "json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let first: Value = serde_json::from_str(&line(&mut watch)).unwrap();
    assert_eq!(first["cmd"], "snapshot");
    let said = game.record(&out);
    while !line(&mut watch).contains("\"event_consumed\"") {}
    watch.kill().unwrap();
    watch.wait().unwrap();
    let files = std::fs::read_dir(game.folder.path()).unwrap();
    let files = files.map(|file| file.unwrap().file_name());
    let recordings = files.filter(|name| name.to_string_lossy().ends_with(".btrec"));
    assert_eq!(recordings.count(), 1, "the game keeps no second copy");
    let out = out.to_str().unwrap();
    assert!(said.starts_with(&format!("wrote {out} (")), "{said}");
    let open = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bt-meta"));
        run(command.args(["live", "--open", out]).args(args))
    };
    assert_eq!(open(&["list"]).done().out, "0v1  action_agent  wait.json\n");
    let shown = open(&["show", "0v1"]).done().out;
    assert!(shown.contains("key rung = 1\n"), "{shown}");
    assert!(open(&["explain", "0v1"]).done().out.contains("`bell`"));
    assert!(open(&["watch", "0v1"]).done().out.contains("event `bell`"));
    for look in ["show", "explain"] {
        let why = "nothing is recorded of the agent at 0 s: its records are from ";
        open(&[look, "0v1", "--at", "0"]).says(1, &[why]);
    }
    open(&["control", "0v1", "stop"]).says(1, &["this is a recording: it has no `agent.stop`"]);
}

#[test]
fn game_that_does_not_run_is_no_game() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_bt-meta"));
    let command = command
        .args(["live", "list"])
        .env("XDG_RUNTIME_DIR", folder.path());
    run(command).says(2, &["no game with a port runs", "`--attach`"]);
    let game = Game::new();
    let token = game.folder.path().join("token.json");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bt-meta"));
    let kept = folder.path().join("kept.json");
    std::fs::copy(&token, &kept).unwrap();
    drop(game);
    let attach = command.args(["live", "--attach"]).arg(&kept).arg("list");
    run(attach).says(2, &["kept.json`: ", "no connection to the game"]);
    // The first word that people try for it.
    let mut command = Command::new(env!("CARGO_BIN_EXE_bt-meta"));
    let attach = command.args(["live", "--token-file", "none.json", "list"]);
    run(attach).says(2, &["`none.json`: "]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_bt-meta"));
    let open = command.args(["live", "--open", "none.btrec", "list"]);
    run(open).says(2, &["`none.btrec`: the recording cannot be read"]);
}

#[test]
fn recording_replaces_a_recording_and_nothing_else() {
    let game = Game::new();
    let out = game.folder.path().join("out.btrec");
    game.record(&out);
    let record = |out: &str| game.live(&["record", "0v1", "--out", out, "--seconds", "0.1"]);
    record(out.to_str().unwrap()).done();
    let kept = game.file("kept.json", "{}");
    let refused = record(kept.to_str().unwrap());
    refused.says(2, &["it is there already, and is no recording"]);
    assert_eq!(std::fs::read_to_string(kept).unwrap(), "{}");
}

#[test]
fn command_ends_with_whoever_reads_it() {
    let game = Game::new();
    let mut command = game.command(&["watch", "0v1"]);
    let mut watch = command.stdout(Stdio::piped()).spawn().unwrap();
    line(&mut watch);
    drop(watch.stdout.take());
    while watch.try_wait().unwrap().is_none() {
        game.live(&["fire", "0v1", "bell"]).done();
    }
    assert!(watch.wait().unwrap().success());
}

#[test]
fn command_on_a_game_that_ends_says_so() {
    let game = Game::new();
    let mut command = game.command(&["watch", "0v1", "--seconds", "1e19"]);
    let mut watch = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    line(&mut watch);
    drop(game);
    let ended = watch.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(2));
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(
        said,
        "error: the game has ended: it closed the connection\n"
    );
}

#[test]
fn recording_of_a_game_that_ends_is_kept() {
    let game = Game::new();
    let kept = tempfile::tempdir().unwrap();
    let out = kept.path().join("out.btrec");
    let out = out.to_str().unwrap();
    let mut command = game.command(&["record", "0v1", "1v1", "--out", out, "--seconds", "1e19"]);
    let record = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let open = || bt_live::recording::Recording::open(out.as_ref());
    let is_whole = |it: bt_live::recording::Recording| {
        it.agents.len() == 2 && it.agents.keys().all(|id| it.count(*id) > 0)
    };
    while !open().is_ok_and(is_whole) {}
    drop(game);
    let ended = record.wait_with_output().unwrap();
    assert!(ended.status.success(), "{ended:?}");
    let said = String::from_utf8(ended.stderr).unwrap();
    let warning = "warning: the game has ended: it closed the connection; what was recorded until then is kept\n";
    assert_eq!(said, warning);
    let mut command = Command::new(env!("CARGO_BIN_EXE_bt-meta"));
    let shown = run(command.args(["live", "--open", out, "show", "1v1"])).done();
    assert!(shown.out.contains("key rung = 0\n"), "{}", shown.out);
}

#[test]
fn time_of_a_running_game_is_not_looked_back_at() {
    let game = Game::new();
    for look in ["show", "explain"] {
        let why = "`--at` looks back in a recording: name one with `--open`";
        game.live(&[look, "0v1", "--at", "1"]).says(2, &[why]);
    }
}

#[test]
fn files_that_are_no_tree_of_the_game_are_noted() {
    let game = Game::new();
    let file = game.file("wat.json", &tree());
    let run = game.live(&["reload", file.to_str().unwrap()]);
    let note = "note: the game had no tree `wat.json` so far; did you mean `wait.json`?";
    assert!(run.err.contains(note), "{}", run.err);
    std::fs::create_dir(game.folder.path().join("b")).unwrap();
    let other = game.file("b/wat.json", &tree());
    let both = [file.to_str().unwrap(), other.to_str().unwrap()];
    let why = "two of the files are called `wat.json`: a tree has one text";
    game.live(&[&["reload"], &both[..]].concat())
        .says(2, &[why]);
    #[cfg(unix)]
    game.live(&["reload", "/dev/zero"])
        .says(2, &["cannot read `/dev/zero`: it is longer than 256 MiB"]);
}
