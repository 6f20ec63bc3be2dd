//! `parallel`: who decides, and when.

use bt_core::Status;
use bt_core::tree::asset::spec::{NodeSpec, node, parallel, sequence, wait_event};
use bt_tests::probe::*;

use super::{above, leaves, names, replies, status};

/// The result of a parallel when its children have ended so, in that order.
fn oracle(children: usize, success: usize, failure: usize, ends: &[Status]) -> Status {
    let (mut won, mut lost) = (0, 0);
    for end in ends {
        won += usize::from(*end == S);
        lost += usize::from(*end == F);
        if won == success {
            return S;
        }
        if lost == failure {
            return F;
        }
    }
    if won + lost == children { F } else { R }
}

fn all(letters: usize) -> Vec<String> {
    (0..letters).fold(vec![String::new()], |shorter, _| {
        let longer = shorter
            .iter()
            .flat_map(|word| ["S", "F", "R"].map(|end| format!("{word}{end}")));
        longer.collect()
    })
}

/// The parallel of a file: thresholds that are not given are left out.
fn thresholds(success: Option<usize>, failure: Option<usize>) -> NodeSpec {
    let mut made = node("parallel");
    if let Some(success) = success {
        made = made.extra("success", success);
    }
    if let Some(failure) = failure {
        made = made.extra("failure", failure);
    }
    made
}

#[test]
fn the_table_of_three_children_and_two_successes() {
    for (letters, result) in [
        ("SSR", S),
        ("SSF", S),
        ("SFF", F),
        ("FFR", F),
        ("SFR", R),
        ("SRR", R),
        ("FRR", R),
    ] {
        let mut play = above(thresholds(Some(2), None), letters);
        assert_eq!(play.poll(0.0), result, "{letters}");
    }
}

#[test]
fn every_combination_ends_as_its_thresholds_say() {
    let some = [None, Some(1), Some(2), Some(3)];
    let both = some.into_iter().flat_map(|m| some.map(|k| (m, k)));
    for (success, failure) in both.filter(|both| *both != (None, None)) {
        let most = success.unwrap_or(3);
        let least = failure.unwrap_or(3 - most + 1);
        for letters in all(3) {
            let ends: Vec<_> = letters.chars().map(status).collect();
            let mut play = above(thresholds(success, failure), &letters);
            let expect = oracle(3, most, least, &ends);
            assert_eq!(play.poll(0.0), expect, "{letters} {success:?} {failure:?}");
            let entered = play.log();
            let entered = entered.iter().filter(|line| line.starts_with("enter"));
            assert_eq!(entered.count(), 3, "all are entered: {letters}");
        }
    }
}

#[test]
fn other_numbers_of_children_end_as_their_thresholds_say() {
    for children in 1..=4 {
        for success in 1..=children {
            for failure in 1..=children {
                for letters in all(children) {
                    let ends: Vec<_> = letters.chars().map(status).collect();
                    let mut play = above(thresholds(Some(success), Some(failure)), &letters);
                    let expect = oracle(children, success, failure, &ends);
                    assert_eq!(play.poll(0.0), expect, "{letters} {success} {failure}");
                }
            }
        }
    }
}

#[test]
fn parallel_decides_in_completion_order() {
    let orders = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    for (success, failure) in [(1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1), (3, 3)] {
        for letters in all(3).iter().filter(|letters| !letters.contains('R')) {
            for order in orders {
                let mut play = above(thresholds(Some(success), Some(failure)), "RRR");
                assert_eq!(play.poll(0.0), R);
                let ends = letters.chars().map(status).collect::<Vec<_>>();
                let in_order = order.map(|child| ends[child]);
                for child in order {
                    let name = ["a", "b", "c"][child];
                    play.end(name, ends[child] == S);
                }
                let expect = oracle(3, success, failure, &in_order);
                assert_eq!(
                    play.again(),
                    expect,
                    "{letters} {order:?} {success} {failure}"
                );
            }
        }
    }
}

#[test]
fn children_that_end_in_the_same_turn_are_ties_by_index() {
    for (letters, result) in [("SF", S), ("FS", F)] {
        let mut play = Play::new(parallel(1, 1, [polled("a"), polled("b")]));
        play.poll(0.0);
        replies(&mut play, letters);
        assert_eq!(play.again(), result);
    }
}

#[test]
fn all_are_entered_in_the_first_poll_even_if_the_first_decides() {
    let mut play = above(thresholds(Some(1), None), "SRR");
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "+a a:S +b +c c:A b:A");
    let mut play = above(thresholds(None, Some(1)), "FSR");
    assert_eq!(play.poll(0.0), F);
    assert_eq!(play.brief(), "+a a:F +b b:S +c c:A");
}

#[test]
fn parallel_decided_while_entering_lets_its_sequence_continue_in_that_poll() {
    let of_three = thresholds(Some(1), None).children(leaves("RSR"));
    let mut play = Play::new(sequence([of_three, now("d")]));
    replies(&mut play, "RSR");
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "+a +b b:S +c c:A a:A +d d:S");
}

#[test]
fn losers_are_aborted_at_once_in_reverse_index_order() {
    let mut play = above(thresholds(Some(1), None), "RRRR");
    play.poll(0.0);
    play.end("b", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a +b +c +d b:S d:A c:A a:A");
}

#[test]
fn finished_children_are_not_run_again() {
    let mut play = above(thresholds(Some(3), Some(2)), "SFR");
    play.poll(0.0);
    assert_eq!(play.polls(), [R, R, R]);
    assert_eq!(play.brief(), "+a a:S +b b:F +c");
    play.end("c", true);
    assert_eq!(play.again(), F, "all ended, and neither was reached");
}

#[test]
fn a_parallel_that_has_decided_calls_no_further_child_after_its_first_poll() {
    let mut play = Play::new(parallel(1, 2, [polled("a"), polled("b")]));
    play.poll(0.0);
    play.reply("a", [S]);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a +b ~a a:S b:A");
}

#[test]
fn with_rerun_finished_children_are_run_again_every_poll() {
    let rerun = thresholds(Some(2), Some(3)).extra("rerun", true);
    let mut play = above(rerun, "SFR");
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.brief(), "+a a:S +b b:F +c");
    // This poll's ends only count.
    replies(&mut play, "SF");
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a a:S +b b:F");
    replies(&mut play, "SS");
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a a:S +b b:S c:A");
}

#[test]
fn with_rerun_a_child_that_ended_in_this_poll_is_not_run_twice_in_it() {
    let rerun = thresholds(Some(2), Some(2)).extra("rerun", true);
    let mut play = above(rerun, "RRR");
    play.poll(0.0);
    play.end("b", true);
    play.reply("b", [S]);
    assert_eq!(play.again(), R, "one child is one success");
    assert_eq!(play.brief(), "+a +b +c b:S");
    play.end("a", true);
    assert_eq!(play.again(), S, "both in one poll");
    assert_eq!(play.brief(), "a:S +b b:S c:A");
}

#[test]
fn rerun_enters_nothing_right_of_the_child_that_decides() {
    let rerun = thresholds(Some(1), Some(3)).extra("rerun", true);
    let mut play = above(rerun, "FFR");
    assert_eq!(play.poll(0.0), R);
    replies(&mut play, "SS");
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a a:F +b b:F +c +a a:S c:A");
}

#[test]
fn with_rerun_children_that_all_end_and_reach_nothing_fail() {
    let rerun = thresholds(Some(3), Some(3)).extra("rerun", true);
    let mut play = above(rerun, "SFR");
    play.poll(0.0);
    play.end("c", true);
    replies(&mut play, "SF");
    assert_eq!(play.again(), F);
}

#[test]
fn with_rerun_all_run_before_an_end_without_a_decision() {
    let rerun = thresholds(Some(3), Some(3)).extra("rerun", true);
    let mut play = above(rerun, "SFR");
    play.poll(0.0);
    play.end("c", true);
    replies(&mut play, "SS");
    assert_eq!(play.again(), S, "all three have succeeded in this poll");
    assert_eq!(play.brief(), "+a a:S +b b:F +c c:S +a a:S +b b:S");
}

#[test]
fn a_child_that_ends_while_a_later_one_is_entered_is_not_run_twice() {
    let watched = starts("a").guard(guard_key("k").set("abort", "self"));
    let mut play = Play::new(parallel(3, 3, [watched, now("b"), starts("c")]));
    play.set("k", true).on_call("b", |cx| cx.set("k", false));
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.brief(), "+a +b b:S a:A +c");
    play.end("c", false);
    assert_eq!(play.again(), F);
}

#[test]
fn any_finish_ends_as_the_highest_child_that_ended_in_the_first_pass() {
    for (letters, result) in [
        ("S", S),
        ("F", F),
        ("SF", F),
        ("FS", S),
        ("SFR", F),
        ("FRS", S),
        ("RSR", S),
        ("RFR", F),
        ("RRR", R),
        ("SSF", F),
    ] {
        let mut play = above(node("parallel"), letters);
        assert_eq!(play.poll(0.0), result, "{letters}");
        let entered = play.log();
        let entered = entered.iter().filter(|line| line.starts_with("enter"));
        assert_eq!(entered.count(), letters.len(), "all are entered: {letters}");
    }
}

#[test]
fn any_finish_ends_with_the_first_completion() {
    for (first, second, result) in [("a", "c", F), ("c", "a", S)] {
        let mut play = above(node("parallel"), "RRR");
        play.poll(0.0);
        play.end(first, first == "c");
        play.end(second, second == "c");
        assert_eq!(play.again(), result, "one delivery is one pass");
    }
}

#[test]
fn any_finish_takes_all_that_one_delivery_ended() {
    // One broadcast ends both.
    let wait = || wait_event("go").extra("broadcast", true);
    let both = [wait(), of("negative", [wait()]), starts("c")];
    let mut play = Play::new(of("parallel", both));
    play.poll(0.0);
    assert_eq!(play.fire("go").again(), F);
    // Deeper children end in the pass, too.
    let chain = |name| sequence([starts("x"), now(name)]);
    let mut play = Play::new(of("parallel", [chain("a"), starts("b")]));
    play.poll(0.0);
    play.end("x", true);
    play.reply("a", [false]);
    assert_eq!(play.again(), F);
}

#[test]
fn either_threshold_alone_is_no_any_finish() {
    // Success is all of them, failure one less than all plus one: the first.
    let mut play = above(thresholds(None, Some(2)), "FSR");
    assert_eq!(play.poll(0.0), R);
    let mut play = above(thresholds(Some(3), None), "SSF");
    assert_eq!(play.poll(0.0), F);
}

#[test]
fn nested_parallels_leave_everything() {
    for depth in 1..5 {
        let mut tree = parallel(1, 1, leaves("RR"));
        for number in 0..depth {
            let name = format!("p{number}");
            tree = paired(&name, parallel(1, 1, [tree, starts(&format!("x{number}"))]));
        }
        let mut play = Play::new(tree);
        assert_eq!(play.poll(0.0), R);
        play.end("a", true);
        assert_eq!(play.again(), S);
        play.check_balance();
    }
    assert_eq!(names("SF").count(), 2);
}

#[test]
fn any_finish_decides_before_its_parent_enters_the_next_child() {
    let inner = of("parallel", [now("x"), slow("a")]);
    let mut play = Play::new(sequence([parallel(1, 2, [inner, now("y")]), now("z")]));
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.brief(), "+x x:S +a a:A +y y:S");
    play.end("a", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "a:gone +z z:S");
}

#[test]
fn any_finish_below_a_parallel_ends_before_the_next_child_is_entered() {
    let inner = |name: &str, children: &str| paired(name, of("parallel", leaves(children)));
    for (first, log) in [
        ("SF", "+p +n +a a:S +b b:F -n +z z:S -p"),
        ("SR", "+p +n +a a:S +b b:A -n +z z:S -p"),
    ] {
        let mut play = Play::new(paired("p", parallel(1, 2, [inner("n", first), now("z")])));
        replies(&mut play, first);
        assert_eq!(play.poll(0.0), S);
        assert_eq!(play.brief(), log);
    }
}

#[test]
fn any_finish_below_another_one_ends_before_it_in_the_same_pass() {
    let inner = paired("n", of("parallel", leaves("SR")));
    let mut play = Play::new(paired("p", of("parallel", [inner, now("z")])));
    play.reply("a", [S]);
    play.reply("z", [F]);
    assert_eq!(play.poll(0.0), F);
    let log = play.log();
    assert!(
        log.contains(&"success n".to_owned()),
        "it was not aborted: {log:?}"
    );
}

#[test]
fn stop_when_decided_enters_no_child_to_the_right_of_the_one_that_decides() {
    let race = |made: NodeSpec| made.children([starts("a"), now("b"), now("c"), starts("d")]);
    let stops = |made: NodeSpec| made.extra("stop_when_decided", true);
    for (made, expected) in [
        (thresholds(Some(1), None), "+a +b b:S +c c:S +d d:A a:A"),
        (stops(thresholds(Some(1), None)), "+a +b b:S a:A"),
        (stops(thresholds(Some(2), None)), "+a +b b:S +c c:S a:A"),
        (stops(node("parallel")), "+a +b b:S a:A"),
    ] {
        let mut play = Play::new(race(made));
        assert_eq!(play.poll(0.0), S);
        assert_eq!(play.brief(), expected);
    }
    // Until one decides all are entered, and a later end decides as ever.
    let mut play = Play::new(race(stops(thresholds(Some(3), None))));
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.brief(), "+a +b b:S +c c:S +d");
    play.end("d", true);
    assert_eq!(play.poll(1.0), S);
    assert_eq!(play.brief(), "d:S a:A");
}

#[test]
fn stop_when_decided_counts_a_child_that_ends_while_others_are_entered() {
    let aborted = starts("a").guard(guard_key("calm").set("abort", "self"));
    let writes = call_set("calm", false);
    let children = [aborted, writes, now("c")];
    let made = thresholds(None, Some(1)).extra("stop_when_decided", true);
    let mut play = Play::new(made.children(children));
    play.set("calm", true);
    assert_eq!(play.poll(0.0), F);
    assert_eq!(play.brief(), "+a a:A");
}

fn call_set(key: &str, value: bool) -> NodeSpec {
    let action = bt_core::tree::asset::spec::action("set_key_value");
    action.arg(key).arg(value)
}
