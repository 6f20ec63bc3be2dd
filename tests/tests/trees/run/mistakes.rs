//! Tests of mistakes of other frameworks, or of articles on them.

use bt_core::Mode;
use bt_core::tree::asset::spec::{node, parallel, sequence};
use bt_tests::probe::*;

use super::{above, leaves};

#[test]
fn a_parallel_compares_failures_with_what_makes_success_impossible() {
    // Of five, three are to succeed: two may fail, a third decides.
    for (letters, result) in [("FFRRR", R), ("FFFRR", F), ("SSRRR", R), ("SSSRR", S)] {
        let mut play = above(node("parallel").extra("success", 3), letters);
        assert_eq!(play.poll(0.0), result, "{letters}");
    }
}

#[test]
fn a_sequence_starts_at_its_first_child_each_time() {
    let mut play = Play::new(sequence([now("a"), now("b")])).looping();
    play.polls::<2>();
    assert_eq!(play.brief(), "+a a:S +b b:S +a a:S +b b:S");
}

#[test]
fn timers_are_due_the_earliest_first() {
    let late = sequence([wait(2.0), now("late")]);
    let early = sequence([wait(1.0), now("early")]);
    let mut play = Play::new(parallel(2, 1, [late, early]));
    play.poll(0.0);
    assert_eq!(play.poll(3.0), S);
    assert_eq!(play.brief(), "+early early:S +late late:S");
}

#[test]
fn an_agent_lives_on_after_a_reset_node() {
    let mut play = Play::new(sequence([now("a"), node("reset")]));
    for _ in 0..3 {
        assert_eq!(play.again(), R);
        assert!(play.runner.is_running());
        assert_eq!(play.brief(), "+a a:S");
    }
}

#[test]
fn a_loop_of_what_ends_at_once_does_not_hang() {
    for kind in ["repeat", "retry", "until_success", "until_failure", "loop"] {
        let mut play = Play::new(times(kind, -1, now("a")));
        play.always("a", matches!(kind, "repeat" | "until_failure" | "loop"));
        assert_eq!(play.polls(), [R, R, R], "{kind}");
        assert_eq!(play.brief().matches('+').count(), 3, "{kind}");
    }
    let mut play = Play::new(now("a")).with(|runner| runner.mode(Mode::Loop));
    assert_eq!(play.polls(), [S, S, S]);
}

#[test]
fn children_that_a_parallel_aborts_are_left() {
    let child = |name: &str, leaf: &str| paired(name, sequence([starts(leaf)]));
    let mut play = Play::new(parallel(
        1,
        2,
        [child("m", "a"), child("n", "b"), starts("c")],
    ));
    play.poll(0.0);
    play.end("c", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+m +a +n +b +c c:S b:A -n a:A -m");
}

#[test]
fn random_sequence_that_waits_keeps_its_order() {
    for seed in 0..20 {
        let tree = node("random_seq").children(leaves("RRR"));
        let mut play = Play::new(tree).with(|runner| runner.seed(seed));
        let mut entered = Vec::new();
        for _ in 0..3 {
            play.again();
            let open = play.probe.log.open();
            assert!(open.len() == 1 && !entered.contains(&open), "{open:?}");
            play.end(&open[0], true);
            entered.push(open);
        }
        assert_eq!(play.again(), S);
    }
}

#[test]
fn a_short_wait_is_not_made_longer() {
    let mut play = Play::new(wait(0.1));
    play.poll(0.0);
    assert_eq!(play.wake(), Some(0.1));
    assert_eq!(play.poll(0.1), S);
}
