//! `live`: a running game, from the terminal.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use bt_core::builtin::ActionAgent;
use bt_core::pool::{AgentId, Pool};
use bt_core::tree::asset::spec::{action, sequence, wait_event};
use bt_core::{Runner, TreeAsset};
use bt_live::client::Client;
use bt_live::port::{Options, PoolGame, Port, Sources};
use bt_live::protocol::types::{Fire, GetStatistics};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::sandbox::{Run, run};

/// A game of two agents that wait for a bell, and count how often it rings.
pub(crate) struct Game {
    pub(crate) folder: TempDir,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

pub(crate) fn tree() -> String {
    let top = sequence([wait_event("bell"), action("number_add").arg("rung").arg(1)]);
    TreeAsset::build("wait.json", "action_agent", top).to_json()
}

impl Game {
    pub(crate) fn new() -> Game {
        let folder = tempfile::tempdir().unwrap();
        let options = Options::new("bells").token_file(folder.path().join("token.json"));
        let mut port = Port::open(options.recordings(folder.path())).unwrap();
        let texts = [("wait.json".to_owned(), tree())];
        let mut sources = Sources::<ActionAgent>::new(texts.into()).unwrap();
        let mut pool = Pool::new();
        for _ in 0..2 {
            let mut runner = Runner::new(sources.trees(), "wait.json").unwrap();
            runner.start();
            runner.blackboard().set("rung", 0);
            pool.spawn(ActionAgent, runner);
        }
        let is_over = Arc::new(AtomicBool::new(false));
        let ends = is_over.clone();
        let run = move || {
            let mut now = Duration::ZERO;
            while !ends.load(Ordering::Relaxed) {
                now += Duration::from_millis(1);
                pool.poll(now);
                port.poll(&mut PoolGame::new(&mut pool, &mut ()).sources(&mut sources));
                thread::sleep(Duration::from_millis(1));
            }
        };
        Game {
            folder,
            is_over,
            thread: Some(thread::spawn(run)),
        }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bt-meta"));
        let token = self.folder.path().join("token.json");
        command.arg("live").arg("--attach").arg(token).args(args);
        command
    }

    pub(crate) fn live(&self, args: &[&str]) -> Run {
        run(&mut self.command(args))
    }

    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let args = [&["--format", "json"], args].concat();
        let out = self.live(&args).done().out;
        serde_json::from_str(out.lines().next().unwrap()).unwrap()
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Records the first agent from before its bell rings; what the command says.
    pub(crate) fn record(&self, out: &Path) -> String {
        let out = out.to_str().unwrap();
        let child = self
            .command(&["record", "0v1", "--out", out, "--seconds", "2"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let bell = Fire {
            agent: AgentId::from((0, 1)).to_bits().to_string(),
            event: "bell".to_owned(),
            params: BTreeMap::new(),
        };
        let mut client = Client::attach(self.folder.path().join("token.json")).unwrap();
        while client.call(GetStatistics {}).unwrap().followed == 0 {}
        client.call(bell).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    }

    /// Waits until a key of an agent is that.
    pub(crate) fn waits_for(&self, agent: &str, key: &str, value: u64) {
        while self.json(&["show", agent])["blackboard"][key] != value {}
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
    }
}

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
fn key_that_an_agent_did_not_have_is_noted() {
    let game = Game::new();
    let run = game.live(&["set", "0v1", "rang=7"]);
    let note = "note: the agent had no key `rang` so far; did you mean `rung`?";
    assert!(run.err.contains(note), "{}", run.err);
    let run = game.live(&["set", "0v1", "rung=7"]);
    assert_eq!(run.err, "");
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
    assert!(rows.iter().all(|row| row[3] != "snapshot"), "{body}");
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
