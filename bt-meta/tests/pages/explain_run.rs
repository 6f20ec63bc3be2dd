//! Traces explained on the command line.

use std::any::Any;
use std::time::Duration;

use crate::common::sandbox::{Run, Sandbox, run};
use bt_core::explain::{Explanation, TreeState};
use bt_core::prelude::*;
use bt_core::trace::JsonLines;
use bt_core::tree::asset::spec::{action, guard, select, sequence, wait_event};
use bt_core::{Runner, TreeAsset, TreeSet};

#[derive(Agent)]
struct Sentry;

#[agent]
impl Sentry {
    #[condition]
    fn near(range: f64) -> bool {
        range < 3.0
    }

    #[action]
    fn attack(&mut self) {}

    #[action]
    fn walk(&mut self, cx: &mut Context, seconds: f64) -> Option<bool> {
        cx.finish_after(Duration::from_secs_f64(seconds), true);
        None
    }
}

/// The trace of one that walks for two seconds, then waits.
fn trace(agent: Option<&str>) -> String {
    let attack = action("attack").guard(guard("near").key("range"));
    let top = select([
        attack,
        sequence([action("walk").arg(2.0), wait_event("heard")]),
    ]);
    let mut trees = TreeSet::<Sentry>::new();
    trees.add(TreeAsset::build("gate.json", "sentry", top));
    let lines = JsonLines::new(Vec::new());
    let lines = match agent {
        Some(agent) => lines.of(agent),
        None => lines,
    };
    let runner = Runner::new(&trees.build().unwrap(), "gate.json").unwrap();
    let mut runner = runner.tracing(lines);
    runner.blackboard().set("range", 5.5);
    runner.start();
    for millis in [1_000, 2_000, 3_250] {
        runner.poll(&mut Sentry, Duration::from_millis(millis));
    }
    runner.fire(Event::new("smelt"));
    runner.poll(&mut Sentry, Duration::from_secs(4));
    let tracer: Box<dyn Any> = runner.set_tracer(None).unwrap();
    let lines = *tracer.downcast::<JsonLines<Vec<u8>>>().unwrap();
    String::from_utf8(lines.finish().unwrap()).unwrap()
}

/// A trace of three in turn.
fn of_three() -> String {
    let all = ["ogre#7", "ogre#8", "sentry#1"].map(|name| trace(Some(name)));
    let most = all.iter().map(|trace| trace.lines().count()).max().unwrap();
    let line = |at: usize| all.iter().filter_map(move |trace| trace.lines().nth(at));
    let lines: Vec<_> = (0..most).flat_map(line).collect();
    lines.join("\n") + "\n"
}

fn explain(sandbox: &Sandbox, args: &[&str]) -> Run {
    run(&mut sandbox.command(".", ["explain-run"].iter().chain(args)))
}

#[test]
fn the_end_of_a_trace_is_explained() {
    let sandbox = Sandbox::new();
    sandbox.file("run.jsonl", &trace(None));
    let run = explain(&sandbox, &["run.jsonl"]).done();
    assert_eq!(
        run.out,
        "\
gate.json runs; at 4 s, in poll 4
the trace ends at 4 s, in poll 4
waiting: gate.json: node 5 (wait_event `heard`)
  in gate.json: 0 root > 1 select > 3 sequence
  since 3.25 s, for 0.75 s
  until event `heard` comes: fire it at its runner
refused: gate.json: node 2 (action `attack`)
  its guard `near`(key `range` = 5.5) does not hold, last evaluated at 1 s, in poll 1
  it is evaluated on entry only: its `abort` is `none`
wrong: gate.json: event `smelt` was fired, which nothing waits for and no agent registers (at 4 s, in poll 4)
event: `smelt` was fired by the host at 3.25 s, in poll 3
event: `smelt` was taken by nobody at 4 s, in poll 4
"
    );
    assert_eq!(run.err, "");
}

#[test]
fn a_moment_is_a_time_or_a_poll() {
    let sandbox = Sandbox::new();
    sandbox.file("run.jsonl", &trace(None));
    let at = explain(&sandbox, &["run.jsonl", "--at", "2.4"]).done().out;
    let expect = "\
gate.json runs; at 2.4 s, poll 1 was the last, at 1 s
waiting: gate.json: node 4 (action `walk`)
  in gate.json: 0 root > 1 select > 3 sequence
  with 2.0
  since 1 s, for 1.4 s
  until 3 s, in 0.6 s
";
    assert!(at.starts_with(expect), "{at}");
    let late = explain(&sandbox, &["run.jsonl", "--at", "3.1 s"])
        .done()
        .out;
    assert!(
        late.contains("the last poll was at 1 s, and it wanted to be woken at 3 s"),
        "{late}"
    );
    let poll = explain(&sandbox, &["run.jsonl", "--poll", "2"]).done().out;
    assert!(
        poll.starts_with("gate.json runs; at 1 s, in poll 1\n"),
        "{poll}"
    );
    explain(&sandbox, &["run.jsonl", "--poll", "2", "--at", "1"])
        .says(2, &["--poll", "cannot be used with", "--at"]);
    explain(&sandbox, &["run.jsonl", "--at", "noon"])
        .says(2, &["expected seconds from 0 on, such as 12.5"]);
}

#[test]
fn time_after_the_trace_shows_its_last_state() {
    let sandbox = Sandbox::new();
    sandbox.file("run.jsonl", &trace(None));
    let late = explain(&sandbox, &["run.jsonl", "--at", "33.25"]).done();
    let expect = "\
gate.json runs; at 33.25 s, poll 4 was the last, at 4 s
nothing was recorded after 4 s
waiting: gate.json: node 5 (wait_event `heard`)
  in gate.json: 0 root > 1 select > 3 sequence
  since 3.25 s, for 30 s
";
    assert!(late.out.starts_with(expect), "{}", late.out);
    assert_eq!(late.err, "");
    let end = "gate.json runs; at 4 s, in poll 4\nthe trace ends at 4 s, in poll 4\n";
    let late = explain(&sandbox, &["run.jsonl", "--poll", "5"]).done();
    assert!(late.out.starts_with(end), "{}", late.out);
    // A time that was shown is one that can be asked for.
    let last = explain(&sandbox, &["run.jsonl", "--at", "4.0004"]).done();
    assert!(!last.out.contains("recorded"), "{}", last.out);
}

#[test]
fn a_last_line_that_is_cut_off_is_a_warning() {
    let sandbox = Sandbox::new();
    let text = trace(None);
    for cut in [2, 40] {
        sandbox.file("crash.jsonl", &text[..text.len() - cut]);
        let run = explain(&sandbox, &["crash.jsonl"]).done();
        assert!(run.out.contains("wait_event `heard`"), "{}", run.out);
        let last = text.lines().count();
        let warning = format!("warning: crash.jsonl: line {last} is cut off; read up to there\n");
        assert_eq!(run.err, warning);
    }
    // Only the end of it is missing.
    sandbox.file("whole.jsonl", text.trim_end());
    assert_eq!(explain(&sandbox, &["whole.jsonl"]).done().err, "");
    let mut lines: Vec<_> = text.lines().collect();
    lines[3] = &lines[3][..7];
    sandbox.file("middle.jsonl", &(lines.join("\n") + "\n"));
    let middle = explain(&sandbox, &["middle.jsonl"]);
    let middle = middle.says(
        2,
        &["middle.jsonl: line 4: EOF while parsing an object at column 7"],
    );
    assert!(!middle.err.contains("line 1"), "{}", middle.err);
}

#[test]
fn trace_error_quotes_the_invalid_line() {
    let sandbox = Sandbox::new();
    let text = trace(None);
    let mut lines: Vec<_> = text.lines().collect();
    for (bad, says) in [
        (
            "5",
            "line 4: invalid type: integer `5`, expected a record, an object at column 1",
        ),
        (
            r#"{"ns":1,"poll":1,"cmd":"stands"}"#,
            "missing field `current`",
        ),
        (
            r#"{"ns":1,"poll":1,"cmd":"explains","changes":[{"in":[null]}]}"#,
            "line 4: the name of a field or the number of an item",
        ),
        (
            r#"{"ns":1,"poll":1,"at":[0,1],"cmd":"node_leave","result":5}"#,
            "line 4",
        ),
        (
            r#"{"ns":1,"poll":1,"cmd":"snapshot","trees":[],"blackboard":5,"active":[]}"#,
            "line 4",
        ),
    ] {
        lines[3] = bad;
        sandbox.file("bad.jsonl", &(lines.join("\n") + "\n"));
        let run = explain(&sandbox, &["bad.jsonl"]);
        let run = run.says(2, &[says]);
        assert!(
            !run.err.contains("struct") && !run.err.contains("enum"),
            "{}",
            run.err
        );
    }
}

#[test]
fn explain_run_refuses_a_time_before_the_trace_with_its_range() {
    let sandbox = Sandbox::new();
    let later = trace(None).replace("\"ns\":0,", "\"ns\":900000000,");
    sandbox.file("later.jsonl", &later);
    let early = explain(&sandbox, &["later.jsonl", "--at", "0.5"]);
    early.says(
        2,
        &["0.5 s is before its first record; the trace goes from 0.9 s, in poll 0, to 4 s, in poll 4"],
    );
}

#[test]
fn an_agent_is_named_where_there_are_more() {
    let sandbox = Sandbox::new();
    sandbox.file("run.jsonl", &of_three());
    let one = explain(&sandbox, &["run.jsonl", "--agent", "ogre#8", "--poll", "1"]).done();
    assert!(
        one.out.starts_with("ogre#8: gate.json runs; at 1 s"),
        "{}",
        one.out
    );
    let listed = "there are `ogre#7`, `ogre#8` and `sentry#1`";
    explain(&sandbox, &["run.jsonl"]).says(
        2,
        &[
            "run.jsonl: it has 3 agents: say which with `--agent`",
            listed,
        ],
    );
    explain(&sandbox, &["run.jsonl", "--agent", "sentry1"]).says(
        2,
        &["there is no agent `sentry1` in it; did you mean `sentry#1`?"],
    );
    explain(&sandbox, &["run.jsonl", "--agent", "bird"])
        .says(2, &["there is no agent `bird` in it", listed]);
    sandbox.file("nobody.jsonl", &trace(None));
    explain(&sandbox, &["nobody.jsonl", "--agent", "bird"])
        .says(2, &["its lines name no agent: leave `--agent` out"]);
}

#[test]
fn the_explanation_is_there_as_json() {
    let sandbox = Sandbox::new();
    sandbox.file("run.jsonl", &of_three());
    let json = explain(&sandbox, &["run.jsonl", "--agent", "ogre#7", "--json"]).done();
    let read: Explanation = serde_json::from_str(&json.out).unwrap();
    assert_eq!(read.agent.as_deref(), Some("ogre#7"));
    assert_eq!(read.state, TreeState::Running);
    assert_eq!(read.waiting[0].wait.events().collect::<Vec<_>>(), ["heard"]);
}

#[test]
fn explain_run_refuses_other_files_and_says_what_it_expects() {
    let sandbox = Sandbox::new();
    let instead =
        "expected JSON lines, a record each, as a runner's `bt_core::trace::JsonLines` writes";
    explain(&sandbox, &["nowhere.jsonl"]).says(2, &["cannot read nowhere.jsonl"]);
    sandbox.file("empty.jsonl", "\n \n");
    explain(&sandbox, &["empty.jsonl"])
        .says(2, &["empty.jsonl: there is no record in it", instead]);
    let rows =
        "{\n  \"debug_cmds\": [\n    [0, 0, 1, \"enter\", []]\n  ],\n  \"entity_id\": \"a\"\n}\n";
    sandbox.file("debug.json", rows);
    explain(&sandbox, &["debug.json"]).says(
        2,
        &[
            "debug.json: it is the log for the original's debugger",
            instead,
        ],
    );
    sandbox.file("tree.json", "{\n  \"nodes\": []\n}\n");
    explain(&sandbox, &["tree.json"]).says(2, &["tree.json: it is one JSON document", instead]);
    let behaviac =
        "[4/23/2014 12:01:12 PM][tick]Wolf#wolf_7 hunt.json->Sequence[1]:enter [success] [1]\n";
    sandbox.file("wolf.log", behaviac);
    explain(&sandbox, &["wolf.log"]).says(
        2,
        &["wolf.log: it is a log for behaviac's designer", instead],
    );
    sandbox.file(
        "watch.txt",
        "wolf#2     1.500 s  hunt.json: node 3 (action `chase`) is entered\n",
    );
    explain(&sandbox, &["watch.txt"]).says(2, &["watch.txt: it is a trace in words", instead]);
    sandbox.file("array.json", "[1, 2]\n");
    explain(&sandbox, &["array.json"]).says(2, &["array.json: it is one JSON document", instead]);
    let mut lines: Vec<_> = trace(None).lines().map(str::to_owned).collect();
    lines.insert(3, "13:05 the server was started".to_owned());
    sandbox.file("mixed.jsonl", &lines.join("\n"));
    explain(&sandbox, &["mixed.jsonl"]).says(2, &["mixed.jsonl: line 4: ", instead]);
}

#[test]
fn a_trace_without_explanations_is_refused_with_the_reason() {
    let sandbox = Sandbox::new();
    let text = trace(None);
    let lines: Vec<_> = text.lines().collect();
    let of_old = |line: &&str| !line.contains("\"cmd\":\"explains\"");
    let old: Vec<_> = lines.iter().copied().filter(of_old).collect();
    assert!(old.len() < lines.len());
    sandbox.file("old.jsonl", &(old.join("\n") + "\n"));
    explain(&sandbox, &["old.jsonl"]).says(
        2,
        &["old.jsonl: it says what happened, and not why the agent waits: it was recorded before"],
    );
}

#[test]
fn a_trace_that_lacks_a_record_of_its_middle_is_refused() {
    let sandbox = Sandbox::new();
    let text = trace(None);
    let mut lines: Vec<_> = text.lines().collect();
    let first = lines.iter().position(|line| line.contains("\"explains\""));
    lines.remove(first.unwrap());
    sandbox.file("holed.jsonl", &(lines.join("\n") + "\n"));
    explain(&sandbox, &["holed.jsonl"]).says(
        2,
        &["explains: it does not fit the explanation before it: what came before that in the trace"],
    );
}

#[test]
fn a_trace_without_its_beginning_is_refused() {
    let sandbox = Sandbox::new();
    let text = trace(None);
    let lines: Vec<_> = text.lines().collect();
    sandbox.file("cut.jsonl", &lines[1..].join("\n"));
    explain(&sandbox, &["cut.jsonl"]).says(2, &["cut.jsonl: it has no snapshot"]);
    let holed: Vec<_> = lines
        .iter()
        .filter(|line| !line.contains("\"type\":\"select\",\"cmd\":\"node_enter\""))
        .copied()
        .collect();
    let mut holed = holed.join("\n");
    holed += "\n{\"ns\":5000000000,\"poll\":5,\"at\":[0,1],\"tree\":\"gate.json\",\"type\":\"select\",\"cmd\":\"node_leave\",\"result\":\"success\"}\n";
    sandbox.file("holed.jsonl", &holed);
    explain(&sandbox, &["holed.jsonl"]).says(
        2,
        &["poll 5, node_leave: gate.json: node 1 (select) exits, and was not entered"],
    );
}
