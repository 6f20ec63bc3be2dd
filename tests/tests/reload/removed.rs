//! Tests of removed nodes: they are aborted, and the walk continues with what stands there.

use bt_core::tree::asset::spec::{
    NodeSpec, call, composite, negative, parallel, reactive_sequence, select, sequence, sub_tree,
};
use bt_tests::probe::*;

use super::harness::*;

#[test]
fn a_sequence_takes_the_next_child_in_the_place_of_one_that_is_gone() {
    let mut play = play(n(
        1,
        sequence([n(2, now("a")), n(3, starts("b")), n(4, now("c"))]),
    ));
    play.poll(0.0);
    play.brief();
    change(&mut play, n(1, sequence([n(2, now("a")), n(4, now("c"))])));
    assert_eq!(play.poll(1.0), S);
    assert_eq!(play.brief(), "b:A +c c:S");
    assert_eq!(numbers(report(&play).entered()), [4]);
}

#[test]
fn a_sequence_without_another_succeeds_and_a_select_fails() {
    for (kind, result) in [
        ("sequence", S),
        ("select", F),
        ("memory_sequence", S),
        ("memory_select", F),
        ("reactive_sequence", S),
        ("reactive_select", F),
        ("always_seq", S),
    ] {
        let first = || {
            if result == S {
                now("a")
            } else {
                negative(now("a"))
            }
        };
        let mut play = play(n(1, of(kind, [n(2, first()), n(3, starts("b"))])));
        play.poll(0.0);
        play.brief();
        change(&mut play, n(1, of(kind, [n(2, first())])));
        assert_eq!(play.poll(1.0), result, "{kind}");
        assert_eq!(play.brief(), "b:A", "{kind}");
    }
}

#[test]
fn what_stands_there_is_right_of_the_nearest_left_sibling_that_is_left() {
    let mut play = play(n(
        1,
        sequence([n(2, now("a")), n(3, now("b")), n(4, starts("c"))]),
    ));
    play.poll(0.0);
    play.brief();
    change(
        &mut play,
        n(
            1,
            sequence([n(2, now("a")), n(9, starts("x")), n(8, now("y"))]),
        ),
    );
    play.poll(1.0);
    assert_eq!(play.brief(), "c:A +x");
}

#[test]
fn a_node_of_another_kind_is_another_node() {
    let mut play = play(n(
        1,
        sequence([n(2, select([n(3, starts("a"))])), n(4, now("z"))]),
    ));
    play.poll(0.0);
    play.brief();
    change(
        &mut play,
        n(
            1,
            sequence([n(2, sequence([n(3, starts("a"))])), n(4, now("z"))]),
        ),
    );
    play.poll(1.0);
    assert_eq!(play.brief(), "", "what runs below it runs on");
    assert_eq!(numbers(report(&play).aborted()), [2]);
    assert_eq!(numbers(report(&play).adopted()), [2]);
}

#[test]
fn a_decorator_enters_its_new_child() {
    for kind in ["repeat", "frames"] {
        let mut play = play(n(1, times(kind, 5, n(2, starts("a")))));
        play.poll(0.0);
        play.brief();
        change(&mut play, n(1, times(kind, 5, n(3, starts("b")))));
        play.poll(1.0);
        assert_eq!(play.brief(), "a:A +b", "{kind}");
    }
}

#[test]
fn a_composite_is_asked_what_comes_next() {
    let top = |children: Vec<NodeSpec>| {
        let steers = composite("steers", children);
        n(1, steers.arg("s").arg(2).arg(9))
    };
    let [a, b, c] = ["a", "b", "c"].map(starts);
    let mut play = play(top(vec![n(2, a), n(3, b.clone()), n(4, c.clone())]));
    play.poll(0.0);
    assert_eq!(play.brief(), "+a");
    // Child 0 counts as failed: the other one of two follows, which is child 1 now.
    change(&mut play, top(vec![n(3, b), n(4, c)]));
    play.poll(1.0);
    assert_eq!(play.brief(), "a:A +c");
}

#[test]
fn an_if_else_enters_the_branch_that_stands_there() {
    let top = |branch| {
        n(
            1,
            of("if_else", [n(2, now("c")), branch, n(4, now("else"))]),
        )
    };
    let mut play = play(top(n(3, starts("a"))));
    play.poll(0.0);
    assert_eq!(play.brief(), "+c c:S +a");
    change(&mut play, top(n(5, starts("b"))));
    play.poll(1.0);
    assert_eq!(play.brief(), "a:A +b");
    play.end("b", true);
    assert_eq!(play.poll(2.0), S);
}

#[test]
fn a_parallel_forgets_one_that_is_gone_and_enters_those_that_are_added() {
    let mut play = play(n(1, parallel(2, 2, [n(2, starts("a")), n(3, starts("b"))])));
    play.poll(0.0);
    play.brief();
    let others = [n(3, starts("b")), n(4, starts("c")), n(5, starts("d"))];
    change(&mut play, n(1, parallel(2, 2, others)));
    play.poll(1.0);
    assert_eq!(play.brief(), "a:A +c +d");
    play.end("b", true);
    play.poll(2.0);
    play.end("d", true);
    assert_eq!(play.poll(3.0), S);
    assert_eq!(play.brief(), "b:S d:S c:A");
}

/// A parallel of all these children.
fn all(children: Vec<NodeSpec>) -> NodeSpec {
    parallel(children.len() as u32, 1, children)
}

#[test]
fn a_parallel_whose_last_running_child_is_gone_decides() {
    let with = |children| n(1, sequence([n(2, all(children)), n(5, starts("after"))]));
    let mut play = play(with(vec![n(3, now("a")), n(4, starts("b"))]));
    play.poll(0.0);
    play.brief();
    change(&mut play, with(vec![n(3, now("a"))]));
    play.poll(1.0);
    assert_eq!(play.brief(), "b:A +after");
}

#[test]
fn a_parallel_decides_below_a_new_parent_when_its_last_running_child_is_gone() {
    let with = |children| n(4, paired("n", all(children)));
    let before = with(vec![n(5, now("a")), n(6, starts("b"))]);
    let mut play = play(n(
        1,
        all(vec![n(2, starts("c")), n(3, of("always_true", [before]))]),
    ));
    play.poll(0.0);
    play.brief();
    let after = n(3, negative(with(vec![n(5, now("a"))])));
    change(
        &mut play,
        n(1, all(vec![n(6, starts("b")), n(2, starts("c")), after])),
    );
    assert_eq!(play.poll(1.0), F);
    assert_eq!(play.brief(), "b:A -n c:A");
}

#[test]
fn a_shuffled_order_keeps_what_has_run_and_shuffles_the_rest() {
    let top = |names: &[&str]| {
        let leaves = names
            .iter()
            .zip(2..)
            .map(|(name, idx)| n(idx, starts(name)));
        n(1, of("random_seq", leaves.collect::<Vec<_>>()))
    };
    let mut play = play(top(&["a", "b", "c"]));
    play.poll(0.0);
    let first = play.brief()[1..].to_owned();
    play.end(&first, true);
    play.poll(1.0);
    play.brief();
    change(&mut play, top(&["a", "b", "c", "d", "e"]));
    play.poll(2.0);
    assert_eq!(play.brief(), "", "the second runs on");
    let mut entered = Vec::new();
    for _ in 0..4 {
        for name in ["a", "b", "c", "d", "e"] {
            play.end_if_any(name, true);
        }
        play.again();
        entered.extend(
            play.brief()
                .split(' ')
                .filter(|word| word.starts_with('+'))
                .map(str::to_owned),
        );
    }
    entered.sort();
    assert_eq!(entered.len(), 3, "{entered:?}");
    assert!(entered.contains(&"+d".to_owned()) && entered.contains(&"+e".to_owned()));
}

#[test]
fn a_random_node_whose_running_child_is_gone_goes_on_with_the_rest() {
    let leaves = |idx: &[u32]| {
        let leaves = idx.iter().map(|idx| n(*idx, starts(&format!("l{idx}"))));
        n(1, of("random_seq", leaves.collect::<Vec<_>>()))
    };
    let mut play = play(leaves(&[2, 3, 4]));
    play.poll(0.0);
    let running: u32 = play.brief()[2..].parse().expect("a number");
    let rest: Vec<u32> = [2, 3, 4]
        .into_iter()
        .filter(|idx| *idx != running)
        .collect();
    change(&mut play, leaves(&rest));
    play.poll(1.0);
    let told = play.brief();
    assert!(told.starts_with(&format!("l{running}:A +l")), "{told}");
    for _ in 0..2 {
        for idx in &rest {
            play.end_if_any(&format!("l{idx}"), true);
        }
        play.again();
    }
    assert_eq!(play.runner.result(), Some(true));
}

#[test]
fn a_reactive_sequence_goes_on_with_the_next_and_stays_reactive() {
    let mut play = play(n(
        1,
        reactive_sequence([n(2, holds("ok")), n(3, starts("a")), n(4, starts("b"))]),
    ));
    play.flag("ok", true);
    play.poll(0.0);
    play.brief();
    change(
        &mut play,
        n(1, reactive_sequence([n(2, holds("ok")), n(4, starts("b"))])),
    );
    play.poll(1.0);
    assert_eq!(play.brief(), "a:A +b ?ok");
    assert_eq!(play.poll(2.0), R);
    assert_eq!(play.brief(), "?ok");
    play.flag("ok", false);
    assert_eq!(play.poll(3.0), F);
    assert_eq!(play.brief(), "?ok b:A");
}

#[test]
fn a_place_whose_child_is_gone_is_the_next_one() {
    let top = |idx: &[u32], last: u32| {
        let leaves = idx.iter().map(|idx| n(*idx, now(&format!("l{idx}"))));
        let memory = n(2, of("memory_sequence", leaves.collect::<Vec<_>>()));
        n(
            1,
            sequence([n(20, of("always_true", [memory])), n(last, starts("w"))]),
        )
    };
    let mut play = play(top(&[3, 4, 5], 9)).looping();
    play.reply("l4", [false]);
    play.poll(0.0);
    assert_eq!(play.brief(), "+l3 l3:S +l4 l4:F +w");
    change(&mut play, top(&[3, 6, 5], 9));
    play.poll(1.0);
    play.end("w", true);
    play.poll(2.0);
    assert_eq!(play.brief(), "w:S +l6 l6:S +l5 l5:S +w");
}

#[test]
fn exits_are_innermost_first() {
    let inner = paired("in", sequence([n(4, starts("a"))]));
    let outer = paired("out", sequence([n(3, inner)]));
    let mut play = play(n(1, select([n(2, outer), n(5, now("z"))])));
    play.poll(0.0);
    assert_eq!(play.brief(), "+out +in +a");
    change(&mut play, n(1, select([n(5, now("z"))])));
    assert_eq!(play.poll(1.0), S);
    assert_eq!(play.brief(), "a:A -in -out +z z:S");
}

#[test]
fn a_parallel_forgets_the_result_of_a_child_that_is_removed() {
    for (removed, result) in [(2, F), (3, S)] {
        let leaves = |idx: &[u32]| {
            let leaves = idx.iter().map(|idx| n(*idx, starts(&format!("l{idx}"))));
            let leaves: Vec<_> = leaves.collect();
            n(1, parallel(2, 2, leaves))
        };
        let mut play = play(leaves(&[2, 3, 4, 5]));
        play.poll(0.0);
        play.end("l2", true);
        play.end("l3", false);
        assert_eq!(play.poll(1.0), R);
        let rest: Vec<u32> = [2, 3, 4, 5]
            .into_iter()
            .filter(|idx| *idx != removed)
            .collect();
        change(&mut play, leaves(&rest));
        assert_eq!(play.poll(2.0), R);
        // The other result is still counted: one more of it decides.
        play.end("l4", result == S);
        assert_eq!(play.poll(3.0), result, "{removed} was removed");
    }
}

#[test]
fn a_cooldown_keeps_its_end_when_its_time_changes() {
    let top = |seconds| {
        let cooled = n(2, timed("cooldown", seconds, n(3, now("a"))));
        let cooled = n(4, of("always_true", [cooled]));
        n(1, sequence([cooled, n(5, starts("w"))]))
    };
    let mut play = play(top(10.0)).looping();
    play.poll(0.0);
    assert_eq!(play.brief(), "+a a:S +w");
    change(&mut play, top(2.0));
    play.poll(5.0);
    play.end("w", true);
    play.poll(5.0);
    assert_eq!(play.brief(), "w:S +w", "it cools until 10");
    play.poll(10.0);
    play.end("w", true);
    play.poll(10.0);
    assert_eq!(play.brief(), "w:S +a a:S +w");
}

#[test]
fn what_the_exit_of_a_removed_node_requests_happens_after_the_move() {
    let top = |second| n(1, sequence([n(2, starts("a")), second]));
    let b = || starts("b").effect("exit", call("now").arg("gone"));
    let mut play = play(top(n(3, b())));
    play.on_call("gone", |cx| cx.reset());
    play.reply("a", [Reply::End(true)]);
    play.poll(0.0);
    play.brief();
    change(&mut play, top(n(4, starts("c"))));
    play.poll(1.0);
    assert_eq!(play.brief(), "b:A +gone gone:S");
    play.poll(2.0);
    assert_eq!(play.brief(), "+a", "it was reset, and begins again");
}

#[test]
fn a_while_loop_whose_condition_became_its_body_goes_on_as_soon_as_that_ends() {
    let mut play = play(n(
        1,
        of("while_loop", [n(2, starts("a")), n(3, starts("b"))]),
    ));
    play.poll(0.0);
    play.brief();
    change(
        &mut play,
        n(1, of("while_loop", [n(4, starts("c")), n(2, starts("a"))])),
    );
    play.poll(1.0);
    assert_eq!(play.brief(), "");
    play.end("a", true);
    play.poll(2.0);
    assert_eq!(play.brief(), "a:S +c");
}

#[test]
fn a_parallel_that_runs_its_children_again_does_so_when_its_last_running_child_is_gone() {
    let top = |children: Vec<NodeSpec>| {
        let parallel = parallel(children.len() as u32, 1, children).extra("rerun", true);
        n(1, parallel)
    };
    let again = || n(3, polled("b"));
    let mut play = play(top(vec![n(2, starts("a")), again()]));
    play.reply("b", [true, false]);
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.brief(), "+a +b b:S");
    change(&mut play, top(vec![again()]));
    assert_eq!(play.poll(1.0), F);
    assert_eq!(play.brief(), "a:A +b b:F");
}

#[test]
fn a_random_node_runs_a_child_once_that_goes_on_with_another_leaf() {
    let top = |first: &[u32], others: &[u32]| {
        let leaf = |idx: &u32| n(*idx, now(&format!("l{idx}")));
        let first = first.iter().map(|idx| n(*idx, starts(&format!("l{idx}"))));
        let first = n(2, sequence(first));
        let all = std::iter::once(first).chain(others.iter().map(leaf));
        n(1, of("random_seq", all.collect::<Vec<_>>()))
    };
    let mut play = play(top(&[3, 4], &[]));
    play.poll(0.0);
    assert_eq!(play.brief(), "+l3");
    change(&mut play, top(&[4], &[5, 6, 7, 8]));
    play.poll(1.0);
    assert_eq!(play.brief(), "l3:A +l4");
    play.end("l4", true);
    assert_eq!(play.poll(2.0), S);
    let brief = play.brief();
    let mut ended: Vec<_> = brief
        .split(' ')
        .filter(|word| word.ends_with(":S"))
        .collect();
    ended.sort_unstable();
    assert_eq!(ended, ["l4:S", "l5:S", "l6:S", "l7:S", "l8:S"]);
}

#[test]
fn an_added_lower_guard_takes_over_from_what_stands_in_the_place_of_a_leaf_that_is_gone() {
    let alarm = || guard_key("alarm").set("abort", "lower");
    let added = || n(9, starts("c").guard(alarm()));
    let fails = || n(4, negative(now("z")));
    // Of a child of the select, and of the select itself.
    let below = |children| n(1, select([n(2, sequence([children])), n(3, now("y"))]));
    let below_with = |child| {
        let children = [added(), n(2, sequence([child])), n(3, now("y"))];
        n(1, select(children))
    };
    let own = |child| n(1, select([fails(), child]));
    let own_with = |child| n(1, select([added(), fails(), child]));
    let leaves = || (n(5, starts("a")), n(6, starts("b")));
    let ((a, b), (c, d)) = (leaves(), leaves());
    for (before, after) in [(below(a), below_with(b)), (own(c), own_with(d))] {
        let mut play = play(before);
        play.set("alarm", true);
        play.poll(0.0);
        play.brief();
        change(&mut play, after);
        play.poll(1.0);
        assert_eq!(play.brief(), "a:A +b b:A +c");
    }
}

#[test]
fn a_frames_node_whose_child_is_gone_in_its_last_poll_ends_in_the_turn() {
    let top = |child| n(1, times("frames", 2, child));
    let note = bt_core::tree::asset::spec::call("note").arg("served");
    let mut play = play(top(n(2, starts("a"))));
    play.poll(0.0);
    assert_eq!(play.brief(), "+a");
    change(&mut play, top(n(3, starts("b"))).service(9.0, note));
    assert_eq!(play.poll(1.0), S);
    assert_eq!(play.brief(), "a:A +b served b:A");
}

#[test]
fn a_parallel_forgets_the_result_of_a_child_that_runs_again_with_what_was_moved_below_it() {
    let fails = || negative(now("f"));
    let top = |children: Vec<NodeSpec>| n(1, parallel(2, 2, children));
    let mut play = play(top(vec![
        n(2, sequence([n(3, fails())])),
        n(4, now("b")),
        n(5, starts("a")),
        n(6, starts("c")),
    ]));
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.brief(), "+f f:S +b b:S +a +c");
    // The failure of 2 is forgotten, not the success of 4.
    let below = n(2, sequence([n(3, fails()), n(5, starts("a"))]));
    change(
        &mut play,
        top(vec![below, n(4, now("b")), n(6, starts("c"))]),
    );
    assert_eq!(play.poll(1.0), R);
    play.end("c", false);
    assert_eq!(play.poll(2.0), R);
    play.end("a", true);
    assert_eq!(play.poll(3.0), S);
    assert_eq!(play.brief(), "c:F a:S");
}

#[test]
fn a_child_that_is_to_run_again_is_put_around_what_was_moved_below_it() {
    let top = |children: Vec<NodeSpec>| {
        let parallel = parallel(children.len() as u32, 1, children);
        n(1, parallel.extra("rerun", true))
    };
    let ended = || n(3, now("b"));
    let mut play = play(top(vec![
        n(2, sequence([ended()])),
        n(5, starts("a")),
        n(6, starts("c")),
    ]));
    play.poll(0.0);
    assert_eq!(play.brief(), "+b b:S +a +c");
    let around = n(2, sequence([ended(), n(5, starts("a"))]));
    change(&mut play, top(vec![around, n(6, starts("c"))]));
    play.poll(1.0);
    assert_eq!(play.brief(), "", "its place is what runs");
    assert_eq!(numbers(report(&play).adopted()), [2]);
    play.end("a", true);
    play.poll(2.0);
    assert_eq!(play.brief(), "a:S");
    play.poll(3.0);
    assert_eq!(play.brief(), "+b b:S +a");
}

#[test]
fn a_preview_names_once_what_is_entered_again() {
    let inner = |name: &str| {
        let children = [n(2, starts(name)), n(3, starts("b"))];
        ("inner", n(1, parallel(2, 2, children)))
    };
    let top = || {
        let runs = [n(2, sub_tree("inner")), n(3, sub_tree("inner"))];
        ("main", n(1, parallel(2, 2, runs)))
    };
    let mut play = plays([top(), inner("a")]);
    play.poll(0.0);
    assert_eq!(play.brief(), "+a +b +a +b");
    // Node 2 has ended in the first run of the tree.
    play.end_call("a", 0, true);
    play.poll(1.0);
    assert_eq!(play.brief(), "a:S");
    let [main, (name, other)] = [top(), inner("x")];
    let new = set([tree(main.0, main.1), tree(name, other)]);
    let changes = bt_core::reload::Changes::between(play.runner.trees(), &new);
    let preview = play.runner.preview_reload(&changes);
    assert_eq!(numbers(preview.entered()), [2]);
    play.runner.reload(&changes);
    play.poll(2.0);
    assert_eq!(play.brief(), "a:A +x");
    assert_eq!(numbers(report(&play).entered()), [2]);
}
