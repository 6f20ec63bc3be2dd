//! Effects: calls around a node. (S4-Z02)

use bt_core::tree::asset::spec::{Call, NodeSpec, call, node, select, sequence};
use bt_tests::probe::{F, Play, R, S, guard_holds, guard_key, now, of, paired, polled, starts};

use super::aborts;

fn note(line: &str) -> Call {
    call("note").arg(line)
}

/// A note for each time.
fn noted(spec: NodeSpec) -> NodeSpec {
    let times = ["enter", "success", "failure", "aborted", "exit"];
    times
        .into_iter()
        .fold(spec, |spec, when| spec.effect(when, note(when)))
}

#[test]
fn effects_run_on_entry_on_the_result_and_last_on_exit() {
    for (success, how) in [(true, "success"), (false, "failure")] {
        let mut play = Play::new(noted(now("a")));
        play.reply("a", [success]);
        assert_eq!(play.poll(0.0), success.into());
        let leaf = format!("exit a {how}");
        assert_eq!(
            play.log(),
            ["enter", "enter a", &leaf, "drop a", how, "exit"]
        );
    }
}

#[test]
fn an_abort_counts_as_a_failure() {
    let mut play = Play::new(noted(sequence([starts("a")])));
    play.poll(0.0);
    play.stop();
    let expect = [
        "enter",
        "enter a",
        "exit a aborted",
        "drop a",
        "failure",
        "aborted",
        "exit",
    ];
    assert_eq!(play.log(), expect);
}

#[test]
fn there_are_none_where_entry_was_refused() {
    let guarded = noted(now("a")).guard(guard_key("k"));
    let mut play = Play::new(guarded);
    assert_eq!(play.poll(0.0), F);
    assert_eq!(play.log(), [""; 0]);
}

#[test]
fn their_results_are_ignored() {
    let fails = call("has_key").arg("unset");
    let spec = now("a")
        .effect("enter", fails.clone())
        .effect("success", fails.clone())
        .effect("exit", fails);
    let mut play = Play::new(spec);
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.diagnostics(), [""; 0]);
}

#[test]
fn those_of_one_time_run_in_order_and_may_write() {
    let write = |value: i64| call("set_key_value").arg("k").arg(value);
    let spec = starts("a")
        .effect("enter", write(1))
        .effect("enter", write(2))
        .effect("exit", write(3));
    let mut play = Play::new(spec);
    play.poll(0.0);
    assert_eq!(play.runner.blackboard().get("k"), 2);
    play.end("a", true);
    play.again();
    assert_eq!(play.runner.blackboard().get("k"), 3);
}

#[test]
fn their_arguments_are_taken_when_they_run() {
    let spec = starts("a").effect("exit", call("note").key("line"));
    let mut play = Play::new(spec);
    play.set("line", "old").poll(0.0);
    play.set("line", "new");
    play.end("a", true);
    play.again();
    assert_eq!(play.log().last().unwrap(), "new");
}

#[test]
fn effects_nest_inside_guards_and_around_services() {
    let spec = noted(starts("a"))
        .guard(guard_holds("g"))
        .service(1.0, note("service"));
    let mut play = Play::new(spec);
    play.flag("g", true).poll(0.0);
    assert_eq!(play.log(), ["ask g", "enter", "service", "enter a"]);
}

#[test]
fn those_of_nested_nodes_nest() {
    let mut play = Play::new(paired(
        "out",
        sequence([paired("in", sequence([now("a")]))]),
    ));
    play.poll(0.0);
    assert_eq!(play.brief(), "+out +in +a a:S -in -out");
}

#[test]
fn a_write_on_entry_reaches_guards_before_the_node_is_entered_any_further() {
    let inner = now("a").effect("enter", call("set_key_value").arg("k").arg(false));
    let guarded = sequence([inner, now("z")]).guard(aborts(guard_key("k"), "self"));
    let mut play = Play::new(select([guarded, starts("b")]));
    play.set("k", true);
    assert_eq!(play.poll(0.0), R);
    let brief = play.brief();
    assert!(!brief.contains("+z") && brief.ends_with("+b"), "{brief}");
}

#[test]
fn a_write_on_exit_reaches_guards_before_the_next_node_is_entered() {
    let inner = now("a").effect("exit", call("set_key_value").arg("k").arg(false));
    let guarded = sequence([inner, now("z")]).guard(aborts(guard_key("k"), "self"));
    let mut play = Play::new(select([guarded, starts("b")]));
    play.set("k", true);
    play.poll(0.0);
    assert_eq!(play.brief(), "+a a:S +b");
}

#[test]
fn an_effect_that_does_not_end_is_left_at_once_and_reported() {
    for leaf in [call("starts").arg("x"), call("polled").arg("x")] {
        let mut play = Play::new(now("a").effect("enter", leaf));
        assert_eq!(play.poll(0.0), S);
        assert_eq!(play.brief(), "+x x:A +a a:S");
        let [why] = play.diagnostics().try_into().unwrap();
        assert!(why.contains("has not ended"), "{why}");
    }
}

#[test]
fn every_kind_of_node_may_have_them() {
    let kinds = [
        (node("end").extra("status", "success"), S),
        (of("parallel", [now("a")]), S),
        (of("reactive_sequence", [now("a")]), S),
        (of("memory_select", [now("a")]), S),
        (of("frames", [now("a")]).extra("count", 1), S),
        (of("timeout", [now("a")]).extra("seconds", 1), S),
        (of("negative", [now("a")]), F),
        (bt_core::tree::asset::spec::sub_tree("sub"), S),
    ];
    for (kind, expect) in kinds {
        let word = format!("{kind:?}");
        let main = sequence([noted(kind)]);
        let mut play = Play::trees([("main", main), ("sub", now("a"))]);
        assert_eq!(play.poll(0.0), expect, "{word}");
        let log = play.log();
        let of_node = log.iter().filter(|line| !line.contains(" a"));
        let how = if expect == S { "success" } else { "failure" };
        let all: Vec<_> = of_node.collect();
        assert_eq!(all, ["enter", how, "exit"], "{word}");
    }
}

#[test]
fn a_node_that_runs_in_turns_has_one_entry_and_one_exit() {
    let mut play = Play::new(paired("p", polled("a")));
    play.reply("a", [R, R, S]);
    play.polls::<3>();
    assert_eq!(play.brief(), "+p +a ~a ~a a:S -p");
}

#[test]
fn those_of_a_reset_node_run_too() {
    let reset = noted(node("reset").extra("keep_blackboard", true));
    let mut play = Play::new(sequence([starts("a"), reset]));
    play.poll(0.0);
    play.end("a", true);
    play.again();
    assert_eq!(play.log()[3..], ["enter", "failure", "aborted", "exit"]);
}

#[test]
fn unset_argument_is_reported_and_the_node_continues() {
    let mut play = Play::new(now("a").effect("enter", call("note").key("unset")));
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "+a a:S");
    let [why] = play.diagnostics().try_into().unwrap();
    assert!(why.contains("`unset`") && why.contains("node 1"), "{why}");
}
