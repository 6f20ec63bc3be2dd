//! `keep_place` of `sequence`, `select` and their kinds with memory: an abort does not clear the index.

use bt_core::tree::asset::spec::{NodeSpec, node, parallel, select, sequence, sub_tree};
use bt_tests::probe::*;

use super::{above, replies};

/// The kind, the result after which it enters its next child, and that result's letter.
const BOTH: [(&str, bool, char); 2] = [("sequence", true, 'S'), ("select", false, 'F')];

fn keeps(kind: &str, children: impl IntoIterator<Item = NodeSpec>) -> NodeSpec {
    of(kind, children).keep_place()
}

/// Stops the tree and starts it again.
fn restart(play: &mut Play) {
    play.stop().runner.start();
    play.poll(0.0);
}

#[test]
fn keep_place_continues_at_the_child_that_was_running_after_an_abort() {
    for (kind, on, end) in BOTH {
        let mut play = Play::new(keeps(kind, [now("a"), starts("b"), starts("c")]));
        play.always("a", on);
        play.poll(0.0);
        play.end("b", on);
        play.again();
        assert_eq!(play.brief(), format!("+a a:{end} +b b:{end} +c"));
        restart(&mut play);
        assert_eq!(play.brief(), "c:A +c", "{kind}");
        // As often as it is aborted.
        restart(&mut play);
        assert_eq!(play.brief(), "c:A +c", "{kind}");
        play.end("c", on);
        play.again();
        assert_eq!(play.runner.result(), Some(on));
    }
}

#[test]
fn memory_kinds_with_keep_place_continue_after_an_abort_and_after_their_own_decision() {
    for (kind, on, end) in [
        ("memory_sequence", true, 'S'),
        ("memory_select", false, 'F'),
    ] {
        let top = || [now("a"), starts("b"), starts("c")];
        let mut play = Play::new(keeps(kind, top())).looping();
        play.always("a", on);
        play.poll(0.0);
        assert_eq!(play.brief(), format!("+a a:{end} +b"), "{kind}");
        restart(&mut play);
        assert_eq!(play.brief(), "b:A +b", "{kind}");
        // It decides at its second child, begins there, and there it is aborted.
        play.end("b", !on);
        play.again();
        restart(&mut play);
        let other = if on { 'F' } else { 'S' };
        assert_eq!(play.brief(), format!("b:{other} +b b:A +b"), "{kind}");
        play.end("b", on);
        play.again();
        play.end("c", on);
        play.again();
        // All have run: it begins at the first.
        assert_eq!(
            play.brief(),
            format!("b:{end} +c c:{end} +a a:{end} +b"),
            "{kind}"
        );
        let mut play = Play::new(of(kind, top())).looping();
        play.always("a", on);
        play.poll(0.0);
        restart(&mut play);
        assert_eq!(
            play.brief(),
            format!("+a a:{end} +b b:A +a a:{end} +b"),
            "{kind}"
        );
    }
}

#[test]
fn a_patrol_continues_after_the_fight_that_interrupted_it() {
    let patrol = sequence([starts("a"), starts("b"), starts("c")]).keep_place();
    let fight = starts("fight").guard(guard_key("enemy").set("abort", "lower"));
    let mut play = Play::new(select([fight, patrol])).looping();
    play.poll(0.0);
    play.end("a", true);
    play.again();
    play.set("enemy", true).again();
    assert_eq!(play.brief(), "+a a:S +b b:A +fight");
    play.set("enemy", false).again();
    play.end("fight", true);
    play.again();
    assert_eq!(play.brief(), "fight:S +b");
}

#[test]
fn without_keep_place_an_abort_clears_the_index() {
    for (kind, on, end) in BOTH {
        for top in [node(kind), node(kind).extra("keep_place", false)] {
            let mut play = Play::new(top.children([now("a"), starts("b")]));
            play.always("a", on);
            play.poll(0.0);
            restart(&mut play);
            assert_eq!(play.brief(), format!("+a a:{end} +b b:A +a a:{end} +b"));
        }
    }
}

#[test]
fn keep_place_begins_the_child_that_was_running_afresh() {
    let child = sequence([starts("b"), starts("c")]);
    let mut play = Play::new(sequence([now("a"), child]).keep_place());
    play.poll(0.0);
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "+a a:S +b b:S +c");
    restart(&mut play);
    assert_eq!(play.brief(), "c:A +b");
}

#[test]
fn keep_place_forgets_its_place_when_its_node_ends() {
    for (kind, on, end) in BOTH {
        // All children end so, or the second one ends otherwise.
        for second in [on, !on] {
            let mut play = Play::new(keeps(kind, [now("a"), starts("b")])).looping();
            play.always("a", on);
            play.poll(0.0);
            restart(&mut play);
            assert_eq!(play.brief(), format!("+a a:{end} +b b:A +b"));
            play.end("b", second);
            play.again();
            let ended = if second { 'S' } else { 'F' };
            assert_eq!(play.brief(), format!("b:{ended} +a a:{end} +b"), "{kind}");
        }
    }
}

#[test]
fn keep_place_is_cleared_by_a_reset_and_outlives_a_load() {
    let patrol = || sequence([starts("a"), starts("b")]).keep_place();
    let mut play = Play::trees([("main", patrol()), ("other", starts("o"))]);
    play.poll(0.0);
    play.end("a", true);
    play.again();
    play.runner.load("other").unwrap();
    play.again();
    play.runner.load("main").unwrap();
    play.again();
    assert_eq!(play.brief(), "+a a:S +b b:A +o o:A +b");
    play.runner.reset();
    play.polls::<2>();
    assert_eq!(play.brief(), "b:A +a");
}

#[test]
fn keep_place_belongs_to_one_agent_one_tree_and_one_node() {
    let two = |a, b| sequence([starts(a), starts(b)]).keep_place();
    let both = || parallel(2, 2, [two("a", "b"), two("c", "d"), sub_tree("other")]);
    let make = || Play::trees([("main", both()), ("other", two("e", "f"))]);
    let mut play = make();
    play.poll(0.0);
    play.end("c", true);
    play.again();
    play.brief();
    restart(&mut play);
    assert_eq!(play.brief(), "e:A d:A a:A +a +d +e");
    let mut another = make();
    another.poll(0.0);
    assert_eq!(another.brief(), "+a +c +e");
}

#[test]
fn keep_place_of_two_runs_is_that_of_the_last_one_aborted() {
    for (moved, brief) in [
        (0, "+a +a a:S +b a:A b:A +b +b"),
        (1, "+a +a a:S +b b:A a:A +a +a"),
    ] {
        let both = parallel(2, 2, [sub_tree("other"), sub_tree("other")]);
        let other = sequence([starts("a"), starts("b")]).keep_place();
        let mut play = Play::trees([("main", both), ("other", other)]);
        play.poll(0.0);
        play.end_call("a", moved, true);
        play.again();
        restart(&mut play);
        assert_eq!(play.brief(), brief);
    }
}

#[test]
fn keep_place_in_one_another_keep_each_its_own() {
    let inner = sequence([now("b"), starts("c")]).keep_place();
    let mut play = Play::new(sequence([now("a"), inner, starts("d")]).keep_place());
    play.poll(0.0);
    restart(&mut play);
    assert_eq!(play.brief(), "+a a:S +b b:S +c c:A +c");
    play.end("c", true);
    play.again();
    restart(&mut play);
    assert_eq!(play.brief(), "c:S +d d:A +d");
}

#[test]
fn keep_place_evaluates_no_guard_of_a_child_that_it_skips() {
    for (kind, on, end) in BOTH {
        let guarded = now("a").guard(guard_holds("x"));
        let mut play = Play::new(keeps(kind, [guarded, starts("b")]));
        play.always("a", on).flag("x", true);
        play.poll(0.0);
        assert_eq!(play.brief(), format!("?x +a a:{end} +b"));
        restart(&mut play);
        assert_eq!(play.brief(), "b:A +b", "{kind}");
    }
}

#[test]
fn keep_place_continues_at_a_child_whose_guard_took_over() {
    let lower = |name, key| starts(name).guard(guard_key(key).set("abort", "lower"));
    let tree = [lower("a", "k"), lower("b", "l"), starts("c")];
    let mut play = Play::new(select(tree).keep_place());
    play.poll(0.0);
    play.set("l", true).again();
    assert_eq!(play.brief(), "+c c:A +b");
    restart(&mut play);
    assert_eq!(play.brief(), "b:A +b");
    // One to the left still takes over.
    play.set("k", true).again();
    assert_eq!(play.brief(), "b:A +a");
    restart(&mut play);
    assert_eq!(play.brief(), "a:A +a");
}

#[test]
fn keep_place_keeps_the_child_that_was_cancelling() {
    let patrol = sequence([now("x"), slow("a"), starts("y")]).keep_place();
    let mut play = Play::new(patrol);
    play.poll(0.0);
    play.stop().runner.start();
    play.again();
    assert_eq!(play.brief(), "+x x:S +a a:A");
    play.end("a", true);
    play.polls::<2>();
    assert_eq!(play.brief(), "a:gone +a");
}

#[test]
fn keep_place_decides_as_the_plain_nodes_do() {
    for (letters, of_sequence, of_select) in [
        ("SSS", S, S),
        ("SFS", F, S),
        ("FFF", F, F),
        ("SRS", R, S),
        ("FRS", F, R),
    ] {
        for (kind, status) in [("sequence", of_sequence), ("select", of_select)] {
            let [mut plain, mut keeping] =
                [node(kind), node(kind).keep_place()].map(|kind| above(kind, letters));
            for play in [&mut plain, &mut keeping] {
                assert_eq!(play.poll(0.0), status, "{kind} {letters}");
            }
            assert_eq!(plain.brief(), keeping.brief(), "{kind} {letters}");
        }
    }
    let mut play = above(node("sequence").keep_place(), "SRS");
    play.poll(0.0);
    replies(&mut play, "SSS");
    assert_eq!(play.again(), R, "a running child is resumed alone");
    assert_eq!(play.brief(), "+a a:S +b");
    for (kind, status) in [("sequence", S), ("select", F)] {
        assert_eq!(Play::new(keeps(kind, [])).poll(0.0), status, "{kind}");
    }
}
