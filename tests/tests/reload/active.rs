//! Tests of nodes that are the same and stay active, wherever they are now.

use bt_core::reload::{Changes, Renamed};
use bt_core::tree::asset::spec::{
    NodeSpec, negative, node, parallel, reactive_select, reactive_sequence, select, sequence,
    sub_tree, wait_event,
};
use bt_tests::probe::*;

use super::harness::*;

fn in_sequence() -> Play {
    let mut play = play(n(
        1,
        sequence([n(2, now("a")), n(3, starts("b")), n(4, now("c"))]),
    ));
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.brief(), "+a a:S +b");
    play
}

#[test]
fn what_runs_is_not_called_again_in_the_same_trees() {
    let mut play = in_sequence();
    change(
        &mut play,
        n(
            1,
            sequence([n(2, now("a")), n(3, starts("b")), n(4, now("c"))]),
        ),
    );
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.brief(), "");
    assert!(report(&play).is_quiet());
    play.end("b", true);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "b:S +c c:S");
}

#[test]
fn an_edit_beside_the_active_path_is_seen_when_the_walk_comes_to_it() {
    let mut play = in_sequence();
    change(
        &mut play,
        n(
            1,
            sequence([n(3, starts("b")), n(7, now("x")), n(4, now("d"))]),
        ),
    );
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.brief(), "");
    play.end("b", true);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "b:S +x x:S +d d:S");
}

#[test]
fn a_node_that_is_wrapped_runs_on() {
    let mut play = in_sequence();
    let wrapped = n(9, paired("w", negative(n(8, negative(n(3, starts("b")))))));
    change(
        &mut play,
        n(1, sequence([n(2, now("a")), wrapped, n(4, now("c"))])),
    );
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.brief(), "+w");
    assert_eq!(numbers(report(&play).adopted()), [9, 8]);
    play.end("b", true);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "b:S -w +c c:S");
}

#[test]
fn a_node_that_is_unwrapped_runs_on_and_what_was_around_it_exits_once() {
    let wrapped = n(9, paired("w", negative(n(3, starts("b")))));
    let mut play = play(n(1, sequence([wrapped, n(4, now("c"))])));
    play.poll(0.0);
    assert_eq!(play.brief(), "+w +b");
    change(
        &mut play,
        n(1, sequence([n(3, starts("b")), n(4, now("c"))])),
    );
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.brief(), "-w");
    assert_eq!(numbers(report(&play).aborted()), [9]);
    play.end("b", true);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "b:S +c c:S");
}

#[test]
fn a_node_that_is_moved_among_its_siblings_runs_on() {
    let mut play = in_sequence();
    change(
        &mut play,
        n(
            1,
            sequence([n(3, starts("b")), n(4, now("c")), n(2, now("a"))]),
        ),
    );
    play.poll(1.0);
    play.end("b", true);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "b:S +c c:S +a a:S");
}

#[test]
fn a_node_that_is_moved_to_another_active_parent_below_the_same_one_runs_on() {
    let top = |first, second| n(1, select([n(2, sequence([first])), n(3, second)]));
    let mut play = play(top(n(4, starts("a")), now("z")));
    play.poll(0.0);
    assert_eq!(play.brief(), "+a");
    // Its nearest active ancestor that still exists is the sequence 2, which is not above it any more.
    change(
        &mut play,
        n(
            1,
            select([n(2, sequence([n(5, starts("b"))])), n(4, starts("a"))]),
        ),
    );
    play.poll(1.0);
    assert_eq!(play.brief(), "a:A +b");
    // Where the sequence is gone, the select is, and that is above it.
    let other = n(6, of("memory_sequence", [n(5, starts("b"))]));
    change(&mut play, n(1, select([other, n(4, starts("a"))])));
    play.poll(2.0);
    assert_eq!(play.brief(), "");
    assert_eq!(numbers(report(&play).adopted()), [6]);
}

#[test]
fn of_two_that_run_in_a_parent_that_runs_one_the_leftmost_stays() {
    let mut play = play(n(
        1,
        parallel(
            2,
            1,
            [n(2, starts("a")), n(3, starts("b")), n(4, starts("c"))],
        ),
    ));
    play.poll(0.0);
    assert_eq!(play.brief(), "+a +b +c");
    let both = [n(3, starts("b")), n(2, starts("a")), n(4, starts("c"))];
    change(&mut play, n(7, sequence(both)));
    play.poll(1.0);
    assert_eq!(play.brief(), "c:A a:A");
    play.end("b", true);
    play.poll(2.0);
    assert_eq!(play.brief(), "b:S +a");
}

#[test]
fn an_adopted_parallel_enters_its_other_children() {
    let mut play = play(n(1, sequence([n(2, starts("a")), n(3, now("z"))])));
    play.poll(0.0);
    play.brief();
    let around = parallel(
        2,
        1,
        [n(5, starts("b")), n(2, starts("a")), n(6, starts("c"))],
    );
    change(&mut play, n(1, sequence([n(4, around), n(3, now("z"))])));
    play.poll(1.0);
    assert_eq!(play.brief(), "+b +c");
    play.end("a", true);
    play.poll(2.0);
    assert_eq!(play.brief(), "a:S");
    play.end("c", true);
    assert_eq!(play.poll(3.0), S);
    assert_eq!(play.brief(), "c:S b:A +z z:S");
}

#[test]
fn an_adopted_timeout_counts_from_now() {
    let mut play = play(n(1, sequence([n(2, starts("a"))])));
    play.poll(0.0);
    play.brief();
    change(
        &mut play,
        n(
            1,
            sequence([n(3, timed("timeout", 5.0, n(2, starts("a"))))]),
        ),
    );
    play.poll(10.0);
    assert_eq!(play.wake(), Some(15.0));
    assert_eq!(play.poll(15.0), F);
    assert_eq!(play.brief(), "a:A");
}

#[test]
fn adopted_loops_and_frames_and_reactive_nodes_begin_their_first_run_with_what_runs() {
    let leaf = || n(2, starts("a"));
    let mut play = play(n(1, sequence([leaf()])));
    play.poll(0.0);
    play.brief();
    change(
        &mut play,
        n(1, sequence([n(3, times("repeat", 2, leaf()))])),
    );
    play.poll(1.0);
    play.end("a", true);
    assert_eq!(play.poll(2.0), R);
    assert_eq!(play.brief(), "a:S +a");
    let earlier = n(5, holds("ok"));
    play.flag("ok", true);
    let inner = n(
        4,
        reactive_sequence([earlier, n(3, times("repeat", 2, leaf()))]),
    );
    change(&mut play, n(1, sequence([inner])));
    play.poll(3.0);
    assert_eq!(play.brief(), "", "it was entered in this poll");
    play.flag("ok", false);
    assert_eq!(play.poll(4.0), F);
    assert_eq!(play.brief(), "?ok a:A");
}

#[test]
fn an_adopted_frames_node_counts_polls_from_now() {
    let mut play = play(n(1, sequence([n(2, starts("a"))])));
    play.poll(0.0);
    play.brief();
    change(
        &mut play,
        n(1, sequence([n(3, times("frames", 3, n(2, starts("a"))))])),
    );
    assert_eq!(play.polls(), [R, R, S]);
}

#[test]
fn a_running_tree_that_was_called_stays_as_it_is() {
    let inner = || ("inner", n(1, sequence([n(2, starts("a")), n(3, now("b"))])));
    let mut play = plays([("main", n(1, sequence([n(2, sub_tree("inner"))]))), inner()]);
    play.poll(0.0);
    assert_eq!(play.brief(), "+a");
    let more = n(
        1,
        sequence([n(7, now("x")), n(2, sub_tree("inner")), n(8, now("y"))]),
    );
    changes(
        &mut play,
        [("other", n(1, now("q"))), ("main", more), inner()],
    );
    play.poll(1.0);
    assert_eq!(play.brief(), "");
    play.end("a", true);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "a:S +b b:S +y y:S");
}

#[test]
fn a_tree_equal_but_for_its_numbers_is_matched_by_place() {
    let of = |first: u32| {
        let children = [n(first + 2, starts("a")), n(first + 1, now("b"))];
        n(first, sequence(children))
    };
    let mut play = play(of(1));
    play.poll(0.0);
    play.brief();
    change(&mut play, of(41));
    play.poll(1.0);
    assert_eq!(play.brief(), "");
    assert!(report(&play).is_quiet());
}

#[test]
fn renamed_trees_and_numbers_are_the_same_where_a_map_says_so() {
    let mut play = play(n(1, sequence([n(2, starts("a")), n(3, now("b"))])));
    play.poll(0.0);
    play.brief();
    let new = set([tree(
        "other",
        n(1, sequence([n(20, starts("a")), n(4, now("x"))])),
    )]);
    let mut renamed = Renamed::new();
    renamed.tree("main", "other").node("main", 2, 20);
    let changes = Changes::renamed(play.runner.trees(), &new, renamed);
    play.runner.reload(&changes);
    play.poll(1.0);
    assert_eq!(play.brief(), "");
    assert_eq!(play.runner.tree(), "other");
    play.end("a", true);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "a:S +x x:S");
}

#[test]
fn times_events_and_polls_that_are_waited_for_stay() {
    let leaves = || {
        [
            n(2, wait(5.0)),
            n(3, wait_event("go")),
            n(4, frames(5)),
            n(5, wait(9.0)),
        ]
    };
    let mut play = play(n(1, parallel(4, 1, leaves())));
    play.poll(0.0);
    let mut others = leaves().to_vec();
    others.reverse();
    change(&mut play, n(1, parallel(4, 1, others)));
    play.poll(1.0);
    assert_eq!(play.wake(), Some(1.0), "it counts polls");
    play.fire("go");
    assert_eq!([play.poll(2.0), play.poll(3.0), play.poll(8.9)], [R, R, R]);
    assert_eq!(play.poll(9.0), S);
}

#[test]
fn counters_of_active_and_of_other_nodes_stay() {
    let top = |more| {
        let limited = n(3, times("run_limit", 1, n(4, now("once"))));
        n(
            1,
            times(
                "repeat",
                3,
                n(
                    2,
                    sequence([n(7, of("always_seq", [limited])), n(5, starts("a")), more]),
                ),
            ),
        )
    };
    let mut play = play(top(n(6, now("x"))));
    play.poll(0.0);
    assert_eq!(play.brief(), "+once once:S +a");
    change(&mut play, top(n(8, now("y"))));
    play.poll(1.0);
    for _ in 0..2 {
        play.end("a", true);
        assert_eq!(play.again(), R);
    }
    play.end("a", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "a:S +y y:S +a a:S +y y:S +a a:S +y y:S");
}

#[test]
fn a_reactive_select_keeps_what_it_watches() {
    let top = |first, last| {
        n(
            1,
            reactive_select([n(2, holds(first)), n(3, starts("a")), n(4, now(last))]),
        )
    };
    let mut play = play(top("x", "z"));
    play.poll(0.0);
    assert_eq!(play.brief(), "?x +a");
    change(&mut play, top("y", "z"));
    play.poll(1.0);
    assert_eq!(play.brief(), "?y");
    play.flag("y", true);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "?y a:A");
}

#[test]
fn frames_around_what_runs_count_the_poll_of_the_reload() {
    let mut play = play(n(1, sequence([n(2, polled("a")), n(3, now("z"))])));
    play.poll(0.0);
    play.brief();
    let top = sequence([n(4, times("frames", 1, n(2, polled("a")))), n(3, now("z"))]);
    change(&mut play, n(1, top));
    assert_eq!(play.poll(1.0), S);
    assert_eq!(play.brief(), "~a a:A +z z:S", "the leaf has its turn first");
}

#[test]
fn adopted_nodes_are_entered_in_the_order_in_which_nodes_run() {
    let around = |idx, name: &str, node| n(idx, paired(name, negative(node)));
    let old = n(
        1,
        parallel(2, 2, [n(2, sub_tree("inner")), n(3, starts("b"))]),
    );
    let mut play = plays([("main", old), ("inner", n(1, starts("a")))]);
    play.poll(0.0);
    assert_eq!(play.brief(), "+a +b");
    let first = around(11, "first", n(2, sub_tree("inner")));
    let last = around(12, "last", n(3, starts("b")));
    let inner = around(11, "inner", n(1, starts("a")));
    changes(
        &mut play,
        [
            ("main", n(1, parallel(2, 2, [first, last]))),
            ("inner", inner),
        ],
    );
    play.poll(1.0);
    assert_eq!(play.brief(), "+first +inner +last");
}

/// “Ended ones are entered anew, not those that ended in this poll.”
#[test]
fn a_parallel_that_ends_in_a_reload_does_not_run_again_in_its_turn() {
    let rerun = |children: [NodeSpec; 2]| {
        let outer = node("parallel").extra("success", 1).extra("rerun", true);
        n(2, outer.children(children))
    };
    let inner = |children: Vec<NodeSpec>| {
        let inner = node("parallel").extra("success", 1);
        n(3, inner.children(children))
    };
    let both = vec![n(4, starts("a")), n(5, holds("h"))];
    let mut play = play(rerun([inner(both), n(8, starts("b"))]));
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.brief(), "+a ?h +b");
    let around = n(9, paired("w", negative(n(8, starts("b")))));
    change(&mut play, rerun([inner(vec![n(5, holds("h"))]), around]));
    assert_eq!(play.poll(1.0), R);
    assert_eq!(play.brief(), "a:A +w");
    assert_eq!(play.poll(2.0), R);
    assert_eq!(play.brief(), "?h");
}
