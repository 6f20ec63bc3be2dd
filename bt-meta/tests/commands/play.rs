//! `bt-meta play`, with its answers on standard input.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::json;

use crate::common::sandbox::{Run, Sandbox};

/// A catalogue with a guard, and a tree of it.
fn sandbox() -> Sandbox {
    let item = |name: &str| json!({"name": name, "brief": "", "crate": "game", "file": "src/lib.rs", "line": 1});
    let with = |mut one: serde_json::Value, more: serde_json::Value| {
        let more = more.as_object().unwrap().clone();
        one.as_object_mut().unwrap().extend(more);
        one
    };
    let target = json!({"name": "target", "type": "uint64", "schema": {"type": "integer", "format": "uint64", "minimum": 0}});
    let walk = with(
        item("walk_to"),
        json!({"kind": "action", "result": "async", "async": true, "args": [target], "exit": "halt"}),
    );
    let sees = with(
        item("sees_enemy"),
        json!({"kind": "condition", "result": "bool", "args": []}),
    );
    let hp = with(
        item("hp"),
        json!({"type": "uint32", "schema": {"type": "integer", "format": "uint32", "minimum": 0}, "min": 0, "max": 100}),
    );
    let noise = with(item("noise"), json!({"params": []}));
    let guard = with(
        item("guard"),
        json!({"full_name": "guard", "base": "action_agent", "actions": [walk], "conditions": [sees],
            "properties": [hp], "events": [noise]}),
    );
    let base = with(item("action_agent"), json!({"full_name": "action_agent"}));
    let catalogue = json!({"schema_version": 1, "agents": [base, guard]});
    let call =
        |name: &str, args: serde_json::Value| json!({"action_name": name, "action_args": args});
    let literal = json!([{"arg_type": "plain", "arg_value": 7}]);
    let tree = json!({"nodes": [
        {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "guard"}},
        {"idx": 1, "type": "sequence", "children": [2, 3, 4], "extra": {}},
        {"idx": 2, "type": "condition", "children": [], "extra": call("sees_enemy", json!([]))},
        {"idx": 3, "type": "action", "children": [], "extra": call("walk_to", literal)},
        {"idx": 4, "type": "check", "children": [], "extra": {"if": "@hp < 50"}},
    ]});
    let sandbox = Sandbox::new();
    sandbox.file("agents.json", &catalogue.to_string());
    sandbox.file("hunt.json", &tree.to_string());
    sandbox
}

fn play(sandbox: &Sandbox, args: &[&str], input: &str) -> Run {
    let all = ["play", "hunt.json", "--catalogue", "agents.json"];
    let mut command = sandbox.command(".", all.iter().chain(args));
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[test]
fn each_call_is_asked_and_a_picture_shows_what_is_active() {
    let sandbox = sandbox();
    let run = play(&sandbox, &[], "maybe\n?\ns\n2s\n\n30\n").done();
    assert_eq!(
        run.out,
        "  sees_enemy()? maybe
    expected `success` or `failure`, found `maybe`; `?` says why it is called
  sees_enemy()? ?
    condition `sees_enemy`
    it is called by hunt.json: node 2 (condition `sees_enemy`)
      guard #0
      sequence #1
      sees_enemy #2
    answer `success` or `failure`; `always …` keeps it for all its calls; `quit` ends
  sees_enemy()? s
  walk_to(target: 7)? 2s
  hunt.json
▶ ◉ guard #0
▶ └─ → sequence #1
     ├─ ◆ sees_enemy #2
▶    ├─ ▸ walk_to(7) #3
     └─ ? @hp < 50 #4
0s> 
  walk_to exits: success ()
  @hp (uint32, 0 to 100)? 30
2s: success
"
    );
}

#[test]
fn commands_between_polls_fire_set_and_finish() {
    let sandbox = sandbox();
    let input =
        "s\nr\nset @hp=101\nset @hp=90\nkeys\nfire nois\nfinish walk\nfinish walk_to success\n";
    let run = play(&sandbox, &[], input).done();
    for said in [
        "nothing comes by itself",
        "is 101, expected 0 to 100",
        "  @hp = 90\n",
        "did you mean `noise`?",
        "expected an action and `success` or `failure`, found `walk`",
        "  walk_to exits: success ()\n",
        "0s: failure\n",
    ] {
        assert!(run.out.contains(said), "{said}:\n{}", run.out);
    }
    let run = play(&sandbox, &[], "s\nr\nwhy\nkeys now\nwat\n").done();
    assert!(run.out.contains("walk_to"), "{}", run.out);
    assert!(
        run.out.contains("no command `wat`: `help` lists them"),
        "{}",
        run.out
    );
}

#[test]
fn an_answer_that_stays_and_a_fast_time_need_nobody() {
    let sandbox = sandbox();
    let args = [
        "--fast",
        "--loop",
        "--until",
        "5",
        "--set",
        "@hp=10",
        "--record",
        "trace.jsonl",
    ];
    let run = play(&sandbox, &args, "always s\nalways 2s\n").done();
    assert!(run.out.contains("5s: the end\n"), "{}", run.out);
    assert_eq!(
        run.out.matches("walk_to(target: 7)").count(),
        3,
        "{}",
        run.out
    );
    let trace = sandbox.read("trace.jsonl");
    assert!(
        trace.lines().count() > 10 && trace.contains("walk_to"),
        "{trace}"
    );
}

#[test]
fn record_asks_for_no_property_that_no_node_reads() {
    let sandbox = sandbox();
    let run = play(&sandbox, &["--record", "trace.jsonl"], "f\n").done();
    assert!(!run.out.contains("@hp ("), "{}", run.out);
    assert!(sandbox.read("trace.jsonl").contains("sees_enemy"));
}

#[test]
fn the_end_of_the_input_ends_the_play() {
    let sandbox = sandbox();
    for input in ["", "s\n", "s\nr\n", "quit\n", "s\n2s\nquit\n"] {
        let run = play(&sandbox, &[], input).done();
        assert!(!run.out.contains("panic"), "{input:?}: {}", run.out);
        // What nobody answered is no failure of the tree.
        assert!(!run.out.contains("failure"), "{input:?}: {}", run.out);
    }
}

#[test]
fn what_cannot_be_played_is_said() {
    let sandbox = sandbox();
    play(&sandbox, &["--agent", "gaurd"], "").says(1, &["no agent `gaurd`; did you mean `guard`?"]);
    play(&sandbox, &["--set", "hp"], "").says(2, &["expected NAME=JSON"]);
    play(&sandbox, &["--set", "@pp=3"], "").says(2, &["no property `pp`"]);
    play(&sandbox, &["--speed", "-1"], "").says(2, &["expected a factor above 0"]);
    play(&sandbox, &["--record", "no/where"], "").says(2, &["cannot write no/where"]);
    let wrong = sandbox.read("hunt.json").replace("walk_to", "walk_ot");
    sandbox.file("hunt.json", &wrong);
    play(&sandbox, &[], "").says(1, &["did you mean `walk_to`?"]);
    sandbox.file("agents.json", "[1, 2");
    play(&sandbox, &[], "").says(2, &["agents.json"]);
}
