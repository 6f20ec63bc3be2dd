//! Rules that meet: guards in parallels, events within events, writes on the way out.

use bt_core::tree::asset::spec::{call, node, parallel, select, sequence, sub_tree, wait_event};
use bt_tests::probe::{
    F, Play, R, S, guard_key, key_true, now, of, paired, polled, slow, starts, times, wait,
};

use super::{aborts, takes};

fn own(key: &str) -> bt_core::tree::asset::spec::Call {
    aborts(guard_key(key), "self")
}

fn lower(key: &str) -> bt_core::tree::asset::spec::Call {
    aborts(guard_key(key), "lower")
}

#[test]
fn a_takeover_while_a_parallel_enters_its_children_leaves_the_rest_unentered() {
    let right = parallel(3, 1, [starts("a"), now("w"), starts("z")]);
    let mut play = Play::new(select([starts("x").guard(lower("k")), right]));
    play.on_call("w", |cx| cx.set("k", true));
    play.poll(0.0);
    assert_eq!(play.brief(), "+a +w w:S a:A +x");
}

#[test]
fn a_child_of_a_parallel_that_its_guard_aborts_has_failed_and_the_others_are_entered() {
    let main = parallel(2, 2, [starts("a").guard(own("k")), now("w"), starts("z")]);
    let mut play = Play::new(main);
    play.set("k", true);
    play.on_call("w", |cx| cx.set("k", false));
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.brief(), "+a +w w:S a:A +z");
    play.end("z", true);
    assert_eq!(play.again(), S);
}

#[test]
fn a_guarded_child_of_a_reactive_node_that_is_aborted_has_failed() {
    let main = of(
        "reactive_select",
        [starts("a").guard(own("k")), starts("b")],
    );
    let mut play = Play::new(main);
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    assert_eq!(play.brief(), "+a a:A +b");
    // Its next evaluation asks the guard on entry.
    play.set("k", true).again();
    assert_eq!(play.brief(), "+a b:A");
}

#[test]
fn a_guarded_child_of_a_repeat_that_is_aborted_ends_it() {
    let main = times("repeat", 3, starts("a").guard(own("k")));
    let mut play = Play::new(main);
    play.set("k", true).poll(0.0);
    play.end("a", true);
    play.again();
    play.set("k", false);
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "+a a:S +a a:A");
}

#[test]
fn a_write_in_an_effect_on_the_way_in_is_noticed_before_anything_below_is_entered() {
    let write = |value: bool| call("set_key_value").arg("k").arg(value);
    let paired = |inner| paired("n", inner);
    for entered in [
        paired(sequence([now("a")])).effect("enter", write(false)),
        paired(sequence([now("a")])).service(1.0, write(false)),
        paired(now("a")).effect("enter", write(false)),
    ] {
        // What comes after the write is not called.
        let late = entered.service(1.0, call("now").arg("late"));
        let mut play = Play::new(select([late.guard(own("k")), starts("b")]));
        play.set("k", true).poll(0.0);
        assert_eq!(play.brief(), "+n -n +b");
    }
}

#[test]
fn a_stop_in_an_effect_on_the_way_in_stops_before_anything_below_is_entered() {
    let inner = paired("n", sequence([starts("a")])).effect("enter", call("now").arg("w"));
    let mut play = Play::new(inner);
    play.on_call("w", |cx| cx.stop());
    play.poll(0.0);
    assert_eq!(play.brief(), "+n +w w:S -n");
    assert!(!play.runner.is_running());
}

#[test]
fn an_effect_on_the_way_in_that_changes_nothing_for_the_node_lets_it_go_on() {
    let write = call("set_key_value").arg("k").arg(1);
    let inner = sequence([now("a").effect("enter", write), starts("b")]);
    let mut play = Play::new(inner.guard(aborts(guard_key("k").negated(), "self")));
    play.poll(0.0);
    assert_eq!(play.brief(), "+a a:S +b");
}

#[test]
fn a_write_while_one_branch_is_aborted_may_abort_another() {
    let write = call("set_key_value").arg("h").arg(false);
    let first = sequence([starts("a")])
        .effect("failure", write)
        .guard(own("k"));
    let second = starts("b").guard(own("h"));
    let each = |spec| of("always_true", [spec]);
    let mut play = Play::new(sequence([
        parallel(2, 1, [each(first), each(second)]),
        now("z"),
    ]));
    play.set("k", true).set("h", true).poll(0.0);
    play.set("k", false);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a +b a:A b:A +z z:S");
}

#[test]
fn a_transfer_within_a_return_may_call_trees() {
    let mut play = Play::trees([
        (
            "main",
            takes(sequence([starts("a"), now("z")]), "one", "middle", "return"),
        ),
        ("middle", takes(starts("m"), "two", "top", "transfer")),
        (
            "top",
            sequence([sub_tree("sub"), sub_tree("sub"), now("t")]),
        ),
        ("sub", sequence([sub_tree("deeper")])),
        ("deeper", starts("d")),
    ]);
    play.poll(0.0);
    play.fire("one").again();
    play.fire("two").again();
    assert_eq!(play.brief(), "+a +m m:A +d");
    play.end("d", true);
    play.again();
    play.end("d", true);
    play.again();
    assert_eq!(play.brief(), "d:S +d d:S +t t:S");
    assert_eq!(play.runner.tree(), "main");
    play.end("a", true);
    assert_eq!(play.again(), S);
}

#[test]
fn a_sub_tree_transfer_within_a_return_comes_back_too() {
    let mut play = Play::trees([
        (
            "main",
            takes(sequence([starts("a"), now("z")]), "one", "middle", "return"),
        ),
        (
            "middle",
            sequence([now("m"), sub_tree("top").extra("mode", "transfer")]),
        ),
        ("top", sequence([sub_tree("sub")])),
        ("sub", starts("s")),
    ]);
    play.poll(0.0);
    play.fire("one").again();
    assert_eq!(play.brief(), "+a +m m:S +s");
    play.end("s", true);
    play.again();
    play.end("a", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "s:S a:S +z z:S");
}

#[test]
fn end_in_an_events_tree_resumes_the_suspended_tree() {
    for outside in [false, true] {
        let end = node("end")
            .extra("status", "failure")
            .extra("outside", outside);
        let mut play = Play::trees([
            ("main", takes(starts("a"), "go", "other", "return")),
            ("other", sequence([sub_tree("inner"), now("o")])),
            ("inner", parallel(2, 1, [starts("x"), end])),
        ]);
        play.poll(0.0);
        play.fire("go").again();
        assert_eq!(play.brief(), "+a +x x:A");
        assert_eq!(play.runner.tree(), "main");
        play.end("a", true);
        assert_eq!(play.again(), S);
    }
}

#[test]
fn loading_a_tree_leaves_the_suspended_ones_too() {
    let trees = [
        ("main", takes(starts("a"), "go", "other", "return")),
        ("other", starts("o")),
        ("new", starts("n")),
    ];
    let mut play = Play::trees(trees.clone());
    play.poll(0.0);
    play.fire("go").again();
    play.runner.load("new").unwrap();
    play.again();
    assert_eq!(play.brief(), "+a +o o:A a:A +n");
    play.end("n", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.runner.tree(), "new");
    // From an action too.
    let [main, _, new] = trees;
    let other = ("other", sequence([now("l"), now("never")]));
    let mut play = Play::trees([main, other, new]);
    play.on_call("l", |cx| cx.load("new"));
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+a +l l:S a:A +n");
}

#[test]
fn loading_waits_for_each_suspended_tree_to_exit() {
    let mut play = Play::trees([
        ("main", takes(slow("a"), "go", "other", "return")),
        ("other", slow("b")),
        ("new", starts("n")),
    ]);
    play.poll(0.0);
    play.fire("go").again();
    play.runner.load("new").unwrap();
    play.again();
    assert_eq!(play.brief(), "+a +b b:A");
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "b:gone a:A");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:gone +n");
}

#[test]
fn a_stop_within_an_events_tree_stops_everything() {
    let mut play = Play::trees([
        ("main", takes(starts("a"), "go", "other", "return")),
        ("other", sequence([now("s"), now("never")])),
    ]);
    play.on_call("s", |cx| cx.stop());
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+a +s s:S a:A");
    assert!(!play.runner.is_running());
    play.runner.start();
    play.again();
    assert_eq!(play.brief(), "+a");
}

#[test]
fn a_recursion_of_events_has_a_limit() {
    let main = takes(starts("a"), "go", "main", "return");
    let mut play = Play::trees([("main", main)]);
    play.poll(0.0);
    for _ in 0..105 {
        play.fire("go");
    }
    play.again();
    let why = play.diagnostics();
    assert!(why[0].contains("too many trees are suspended"), "{why:?}");
    play.stop();
    assert_eq!(play.runner.active_nodes(), []);
}

#[test]
fn a_guard_in_two_runs_of_a_tree_watches_over_both() {
    let sub = select([starts("a").guard(own("k")), starts("b")]);
    let main = parallel(
        2,
        1,
        [sub_tree("sub"), of("always_true", [sub_tree("sub")])],
    );
    let mut play = Play::trees([("main", main), ("sub", sub)]);
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    assert_eq!(play.brief(), "+a +a a:A +b a:A +b");
}

#[test]
fn a_guard_above_what_is_due_next_poll_still_acts() {
    let looping = times("loop", -1, now("a"));
    let mut play = Play::new(select([looping.guard(own("k")), starts("b")]));
    play.set("k", true).poll(0.0);
    play.again();
    play.set("k", false).again();
    assert_eq!(play.brief(), "+a a:S +a a:S +b");
}

#[test]
fn guard_on_a_key_that_is_written_each_poll_is_evaluated_each_poll() {
    let mut play = Play::new(select([
        starts("x").guard(lower("k")),
        sequence([polled("p")]),
    ]));
    let mut calls = 0;
    play.on_call("p", move |cx| {
        calls += 1;
        cx.set("k", calls == 3);
    });
    play.polls::<4>();
    assert_eq!(play.brief(), "+p ~p ~p p:A +x");
}

#[test]
fn a_condition_before_a_guarded_node_and_the_guard_see_the_same_key() {
    let inner = of("reactive_sequence", [key_true("k"), starts("a")]);
    let mut play = Play::new(select([inner.guard(own("k")), starts("b")]));
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    assert_eq!(play.brief(), "+a a:A +b");
}

#[test]
fn a_broadcast_may_switch_trees_by_what_it_wakes() {
    let cast = |rest| sequence([wait_event("go").extra("broadcast", true), rest]);
    let main = parallel(
        2,
        1,
        [
            cast(sub_tree("other").extra("mode", "transfer")),
            cast(now("never")),
        ],
    );
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").again();
    let brief = play.brief();
    assert!(brief.ends_with("+o"), "{brief}");
    play.end("o", true);
    assert_eq!(play.again(), S);
}

#[test]
fn an_event_within_the_deadline_of_the_same_poll_counts_first() {
    let inner = of("timeout", [wait_event("go")]).extra("seconds", 2);
    let mut play = Play::new(parallel(2, 1, [inner, wait(1.0)]));
    play.poll(0.0);
    play.fire("go");
    assert_eq!(play.poll(5.0), S);
}
