//! The probe itself: what it logs, and that it notices what does not add up.

use bt_core::tree::asset::spec::{parallel, sequence};
use bt_tests::probe::*;

#[test]
fn harness_logs_entries_ticks_exits_and_drops() {
    let mut play = Play::new(sequence([now("a"), polled("b"), starts("c")]));
    play.reply("b", [R, F]);
    assert_eq!(play.poll(0.0), R);
    let first = ["enter a", "exit a success", "drop a", "enter b"];
    assert_eq!(play.log(), first);
    assert_eq!(play.again(), F);
    assert_eq!(play.log(), ["tick b", "exit b failure", "drop b"]);
}

#[test]
fn harness_cancelling_leaf_exits_on_its_completion() {
    let mut play = Play::new(paired(
        "p",
        parallel(1, 1, [slow("a"), slow("b"), now("c")]),
    ));
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.brief(), "+p +a +b +c c:S b:A a:A");
    assert!(play.end("a", true));
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "a:gone");
    assert!(play.end("b", false));
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "b:gone -p");
}

#[test]
fn harness_waits_for_cancelling_actions_at_the_end_of_a_test() {
    let mut play = Play::new(slow("a"));
    play.poll(0.0);
    play.finish();
}

#[test]
fn a_leaf_panics_and_fails() {
    let mut play = Play::new(panics("a"));
    assert_eq!(play.poll(0.0), F);
    assert_eq!(play.brief(), "+a a:F");
    let why = play.diagnostics();
    assert!(why[0].ends_with("it panicked: a panics"), "{why:?}");
}

#[test]
fn harness_runs_a_function_on_each_call_of_a_leaf() {
    let mut play = Play::new(sequence([now("a"), arg_true("key"), key_true("key")]));
    play.on_call("a", |cx| cx.set("key", true));
    assert_eq!(play.poll(0.0), S);
}
