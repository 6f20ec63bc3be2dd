//! Events of active nodes, and the trees that they suspend.

use bt_core::reload::{Changes, Renamed};
use bt_core::tree::asset::spec::{NodeSpec, sequence, sub_tree, wait_event};
use bt_tests::probe::*;
use serde_json::json;

use super::harness::*;

/// A node that takes `told` for a tree.
fn taking(node: NodeSpec, mode: &str, once: bool) -> NodeSpec {
    node.extra(
        "events",
        json!([{"event": "told", "tree": "other", "mode": mode, "once": once}]),
    )
}

fn suspends(first: NodeSpec, last: &str) -> NodeSpec {
    taking(n(1, sequence([first, n(3, now(last))])), "return", false)
}

#[test]
fn an_event_that_was_taken_once_stays_taken() {
    let main = |last| {
        taking(
            n(1, sequence([n(2, starts("a")), n(3, now(last))])),
            "return",
            true,
        )
    };
    let other = || ("other", n(1, now("o")));
    let mut play = plays([("main", main("y")), other()]);
    play.poll(0.0);
    play.fire("told").poll(1.0);
    assert_eq!(play.brief(), "+a +o o:S");
    changes(&mut play, [("main", main("z")), other()]);
    play.fire("told").poll(2.0);
    assert_eq!(play.brief(), "", "once for each activation of the node");
}

#[test]
fn an_event_that_was_added_to_an_active_node_is_taken() {
    let other = || ("other", n(1, starts("o")));
    let top = || n(1, sequence([n(2, starts("a")), n(3, now("z"))]));
    let mut play = plays([("main", top()), other()]);
    play.poll(0.0);
    changes(
        &mut play,
        [("main", taking(top(), "transfer", false)), other()],
    );
    play.fire("told").poll(1.0);
    assert_eq!(play.brief(), "+a a:A +o");
}

#[test]
fn a_suspended_tree_exits_at_once_and_enters_when_it_is_resumed() {
    let other = || ("other", n(1, starts("o")));
    let mut play = plays([("main", suspends(n(2, starts("a")), "z")), other()]);
    play.poll(0.0);
    play.fire("told").poll(1.0);
    assert_eq!(play.brief(), "+a +o");
    changes(
        &mut play,
        [("main", suspends(n(4, starts("b")), "z")), other()],
    );
    play.poll(2.0);
    assert_eq!(play.brief(), "a:A", "the event's tree runs on");
    assert_eq!(numbers(report(&play).entered()), [4]);
    play.end("o", true);
    play.poll(3.0);
    assert_eq!(play.brief(), "o:S +b");
    play.end("b", true);
    assert_eq!(play.poll(4.0), S);
    assert_eq!(play.brief(), "b:S +z z:S");
}

#[test]
fn what_is_suspended_and_stays_is_not_called_again() {
    let other = |word| {
        (
            "other",
            n(1, sequence([n(2, starts("o")), n(3, now(word))])),
        )
    };
    let mut play = plays([("main", suspends(n(2, starts("a")), "y")), other("p")]);
    play.poll(0.0);
    play.fire("told").poll(1.0);
    changes(
        &mut play,
        [("main", suspends(n(2, starts("a")), "z")), other("q")],
    );
    play.end("o", true);
    play.poll(2.0);
    assert_eq!(play.brief(), "+a +o o:S +q q:S");
    play.end("a", true);
    assert_eq!(play.poll(3.0), S);
    assert_eq!(play.brief(), "a:S +z z:S");
}

#[test]
fn an_empty_place_in_a_suspended_tree_ends_it_when_it_is_resumed() {
    let other = || ("other", n(1, starts("o")));
    let main = |leaves: Vec<NodeSpec>| taking(n(1, sequence(leaves)), "return", false);
    let two = vec![n(2, now("x")), n(3, starts("a"))];
    let mut play = plays([("main", main(two)), other()]);
    play.poll(0.0);
    play.fire("told").poll(1.0);
    assert_eq!(play.brief(), "+x x:S +a +o");
    changes(&mut play, [("main", main(vec![n(2, now("x"))])), other()]);
    play.poll(2.0);
    assert_eq!(play.brief(), "a:A");
    play.end("o", true);
    assert_eq!(
        play.poll(3.0),
        S,
        "a sequence without another child succeeds"
    );
    assert_eq!(play.brief(), "o:S");
}

#[test]
fn renamed_trees_that_call_each_other_run_on() {
    let main = |target| n(1, sequence([n(2, sub_tree(target)), n(3, now("z"))]));
    let inner = |idx| n(1, sequence([n(idx, starts("a")), n(9, now("b"))]));
    let mut play = plays([("main", main("inner")), ("inner", inner(2))]);
    play.poll(0.0);
    assert_eq!(play.brief(), "+a");
    let new = set([tree("top", main("deep")), tree("deep", inner(7))]);
    let mut renamed = Renamed::new();
    renamed
        .tree("main", "top")
        .tree("inner", "deep")
        .node("inner", 2, 7);
    let changes = Changes::renamed(play.runner.trees(), &new, renamed);
    play.runner.reload(&changes);
    play.poll(1.0);
    assert!(report(&play).is_quiet(), "{}", report(&play));
    play.end("a", true);
    assert_eq!(play.poll(2.0), S);
    assert_eq!(play.brief(), "a:S +b b:S +z z:S");
    assert_eq!(play.runner.tree(), "top");
}

#[test]
fn a_suspended_tree_that_is_renamed_continues() {
    let other = || tree("other", n(1, starts("o")));
    let main = || suspends(n(2, starts("a")), "z");
    let mut play = plays([("main", main()), ("other", n(1, starts("o")))]);
    play.poll(0.0);
    play.fire("told").poll(1.0);
    let new = set([tree("top", main()), other()]);
    let mut renamed = Renamed::new();
    renamed.tree("main", "top");
    let changes = Changes::renamed(play.runner.trees(), &new, renamed);
    play.runner.reload(&changes);
    play.poll(2.0);
    play.end("o", true);
    play.poll(3.0);
    assert_eq!(play.brief(), "+a +o o:S");
    assert_eq!(play.runner.tree(), "top");
}

#[test]
fn a_guard_sees_what_was_written_before_a_move_that_aborts_in_a_suspended_tree() {
    let guarded = || starts("o").guard(guard_key("k").set("abort", "self"));
    let other = || ("other", n(1, guarded()));
    let mut play = plays([("main", suspends(n(2, starts("a")), "z")), other()]);
    play.set("k", true);
    play.poll(0.0);
    play.fire("told").poll(1.0);
    assert_eq!(play.brief(), "+a +o");
    play.set("k", false);
    changes(
        &mut play,
        [("main", suspends(n(4, starts("b")), "z")), other()],
    );
    play.poll(2.0);
    assert_eq!(play.brief(), "a:A o:A +b");
}

/// Waits for `a`, then for `go`, which may have come before.
fn goes(latch: bool) -> NodeSpec {
    let go = |idx| n(idx, wait_event("go").extra("latch", latch));
    n(1, sequence([n(2, starts("a")), go(3), go(4)]))
}

#[test]
fn an_event_that_is_kept_for_who_waits_next_stays_kept() {
    let mut play = play(goes(true));
    play.poll(0.0);
    play.fire("go").poll(1.0);
    let go = n(5, wait_event("go").extra("latch", true));
    change(&mut play, n(1, sequence([n(2, starts("a")), go])));
    play.poll(2.0);
    assert!(report(&play).problems().is_empty());
    play.end("a", true);
    assert_eq!(play.poll(3.0), S);
}

#[test]
fn an_event_that_was_kept_is_dropped_if_nobody_may_wait_for_it_any_more() {
    let mut play = play(goes(true));
    play.poll(0.0);
    play.fire("go").poll(1.0);
    change(&mut play, goes(false));
    play.poll(2.0);
    let problems = report(&play).problems();
    assert_eq!(problems.len(), 1);
    assert!(problems[0].contains("`go`"), "{problems:?}");
    change(&mut play, goes(true));
    play.poll(3.0);
    play.end("a", true);
    assert_eq!(play.poll(4.0), R, "it waits for the next");
}
