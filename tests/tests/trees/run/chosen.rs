//! Composites that choose a child by the value of an expression.

use bt_core::Status;
use bt_core::tree::asset::spec::{NodeSpec, switch, utility};
use bt_tests::probe::*;
use serde_json::{Value, json};

use super::leaves;

fn by_mode(cases: Value) -> NodeSpec {
    let cases = cases.as_array().unwrap().clone();
    switch("$mode", cases, leaves("RRR"))
}

fn play(top: NodeSpec, mode: impl Into<Value>) -> Play {
    let mut play = Play::new(top);
    play.set("mode", mode);
    play
}

#[test]
fn switch_enters_the_child_of_the_values_case_or_else_the_default() {
    let entered = |cases: Value, mode: Value| -> (Status, String) {
        let mut play = play(by_mode(cases), mode);
        (play.poll(0.0), play.brief())
    };
    let brief = |cases: Value, mode: Value| entered(cases, mode).1;
    let cases = json!(["x", 1, true]);
    assert_eq!(brief(cases.clone(), json!("x")), "+a");
    assert_eq!(brief(cases.clone(), json!(1.0)), "+b");
    assert_eq!(brief(cases.clone(), json!(true)), "+c");
    assert_eq!(entered(cases.clone(), json!("1")), (F, String::new()));
    assert_eq!(entered(cases, Value::Null), (F, String::new()));
    let with_default = json!(["x", 1]);
    assert_eq!(brief(with_default.clone(), json!("1")), "+c");
    assert_eq!(brief(with_default, Value::Null), "+c");
}

#[test]
fn switch_takes_the_childs_result_whatever_the_value_is_then() {
    let mut play = play(by_mode(json!([1, 2])), 1);
    assert_eq!(play.poll(0.0), R);
    play.set("mode", 2);
    assert_eq!(play.again(), R);
    play.end("a", false);
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "+a a:F");
}

#[test]
fn switch_fails_where_the_value_is_a_mistake_and_says_so_until_it_is_none() {
    let mut play = Play::new(by_mode(json!([1, 2]))).looping();
    assert_eq!(play.polls::<2>(), [F, F]);
    let expected = "main: node 1 (switch `$mode`): `$mode`: it is unset";
    assert_eq!(play.diagnostics(), [expected]);
    play.set("mode", 7);
    assert_eq!(play.again(), R);
    play.end("c", true);
    play.runner.blackboard().remove("mode");
    assert_eq!(play.polls::<2>(), [F, F]);
    assert_eq!(play.brief(), "+c c:S");
    assert_eq!(play.diagnostics(), [expected]);
}

#[test]
fn reactive_switch_aborts_completely_before_it_enters_another_child() {
    let children = [slow("a"), starts("b").guard(guard_holds("f")), starts("c")];
    let top = switch("$mode", [1, 2], children).extra("reactive", true);
    let mut play = play(top, 1);
    play.cancels("a", Reply::Polls(2, true));
    assert_eq!(play.poll(0.0), R);
    play.set("mode", 3);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a a:A");
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "a:gone +c");
    // “Its guards are checked; false is its F.”
    play.set("mode", 2);
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "c:A ?f");
}

#[test]
fn reactive_switch_fails_once_its_value_has_no_child() {
    for value in [json!(3), Value::Null, json!([])] {
        let top = switch("$mode", [1, 2], leaves("RR")).extra("reactive", true);
        let mut play = play(top, 2);
        assert_eq!(play.poll(0.0), R);
        play.set("mode", value);
        assert_eq!(play.again(), F);
        assert_eq!(play.brief(), "+b b:A");
    }
    let top = switch("$mode < 1", [true, false], leaves("RR")).extra("reactive", true);
    let mut play = play(top, 2);
    assert_eq!(play.poll(0.0), R);
    play.set("mode", "none");
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "+b b:A");
    assert_eq!(play.diagnostics().len(), 1);
}

#[test]
fn reactive_switch_says_what_aborts_its_child() {
    let top = switch("$mode", [1, 2], leaves("RR")).extra("reactive", true);
    let mut play = play(top, 2);
    play.poll(0.0);
    let said = play.runner.explain().to_string();
    let expected =
        "aborted when node 1 (switch `$mode`) chooses another child, as it may in every poll";
    assert!(said.contains(expected), "{said}");
    let mut play = play_final();
    play.poll(0.0);
    assert!(
        !play
            .runner
            .explain()
            .to_string()
            .contains("chooses another")
    );
}

fn play_final() -> Play {
    play(by_mode(json!([1, 2])), 1)
}

#[test]
fn disabled_child_of_a_switch_takes_its_case_away() {
    let children = |disabled: usize| {
        let all = leaves("RRR").into_iter().enumerate();
        all.map(move |(at, child)| match at == disabled {
            true => child.extra("disabled", true),
            false => child,
        })
    };
    let brief = |disabled: usize, mode: i64| {
        let mut play = play(switch("$mode", [1, 2], children(disabled)), mode);
        play.poll(0.0);
        play.brief()
    };
    assert_eq!([1, 2, 3].map(|mode| brief(0, mode)), ["+c", "+b", "+c"]);
    assert_eq!([1, 2, 3].map(|mode| brief(2, mode)), ["+a", "+b", ""]);
}

/// Leaves `a`, `b` and `c` with scores.
fn scored(scores: [&str; 3]) -> NodeSpec {
    utility(scores.into_iter().zip(leaves("RRR")))
}

#[test]
fn utility_enters_the_child_with_the_highest_score() {
    let entered = |scores: [&str; 3]| {
        let mut play = play(scored(scores), 2);
        (play.poll(0.0), play.brief(), play.diagnostics().len())
    };
    let enters = |leaf: &str, said: usize| (R, format!("+{leaf}"), said);
    assert_eq!(entered(["1", "$mode", "1.5"]), enters("b", 0));
    // “Ties: the first.” “Null: never.” “Another value: diagnostic, never.”
    assert_eq!(entered(["1", "$mode", "2.0"]), enters("b", 0));
    assert_eq!(entered(["-1", "$none ?? null", "-2"]), enters("a", 0));
    assert_eq!(
        entered(["$mode > 1 ? $text ?? 'x' : 1", "null", "-2"]),
        enters("c", 1)
    );
    let large = "18446744073709551615";
    assert_eq!(
        entered(["18446744073709551614", large, large]),
        enters("b", 0)
    );
    assert_eq!(entered(["null", "null", "null"]), (F, String::new(), 0));
    // A mistake is none of the scores: the node fails.
    assert_eq!(entered(["5", "$unset", "1"]), (F, String::new(), 1));
}

#[test]
fn utility_takes_the_childs_result_whatever_the_scores_are_then() {
    let mut play = play(scored(["1", "$mode", "1.5"]), 2);
    assert_eq!(play.poll(0.0), R);
    play.set("mode", 0);
    assert_eq!(play.again(), R);
    play.end("b", false);
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "+b b:F");
}

#[test]
fn reactive_utility_lets_a_child_take_over_whose_score_exceeds_that_of_the_running_one() {
    let top = scored(["1", "$mode", "$c"])
        .extra("reactive", true)
        .extra("keep", 0.5);
    let mut play = play(top, 0);
    play.set("c", Value::Null);
    assert_eq!(play.poll(0.0), R);
    for (mode, brief) in [(1.25, "+a"), (1.5, ""), (1.75, "a:A +b"), (1.0, "")] {
        play.set("mode", mode);
        assert_eq!(play.again(), R);
        assert_eq!(play.brief(), brief, "{mode}");
    }
    // “Running without a score loses to any.”
    play.set("mode", Value::Null).set("c", -7);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "b:A +a");
    play.runner.blackboard().remove("c");
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "a:A");
}

#[test]
fn keep_of_a_utility_is_an_expression_that_is_read_on_entry() {
    let top = |keep: &str| {
        scored(["1", "$mode", "null"])
            .extra("reactive", true)
            .extra("keep", bt_core::tree::asset::spec::expr(keep))
    };
    let mut play = play(top("$stay / 2"), 0);
    play.set("stay", 1);
    assert_eq!(play.poll(0.0), R);
    play.set("stay", 0).set("mode", 1.5);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a");
    play.set("mode", 1.75);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "a:A +b");
    let mut play = self::play(top("$stay"), 0);
    play.set("stay", -1);
    assert_eq!(play.poll(0.0), F);
    let said = play.runner.take_diagnostics();
    let said: Vec<_> = said.iter().map(ToString::to_string).collect();
    assert!(
        said[0].contains("`keep`: `$stay`: expected 0 at least"),
        "{said:?}"
    );
}

#[test]
fn running_child_without_a_score_stays_where_no_other_has_one() {
    let top = scored(["$mode", "null", "null"]).extra("reactive", true);
    let mut play = play(top, 0);
    assert_eq!(play.poll(0.0), R);
    play.set("mode", Value::Null);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a");
}

#[test]
fn disabled_child_of_a_utility_takes_its_score_away() {
    let mut all = leaves("RRR");
    all[1] = all[1].clone().extra("disabled", true);
    let mut play = play(utility(["1", "$mode", "1.5"].into_iter().zip(all)), 2);
    play.poll(0.0);
    assert_eq!(play.brief(), "+c");
}
