//! Parts of a tree in which something cancels: nothing there is entered or called until it has.

use super::*;

#[test]
fn closed_parent_holds_the_timers_of_its_other_children_and_calls_none() {
    let a = slow("a").guard(own(guard_key("k")));
    let c = sequence([wait(1.0), now("c")]);
    let mut play = Play::new(parallel(3, 2, [a, c, polled("p")]));
    play.set("k", true).poll(0.0);
    assert_eq!(play.brief(), "+a +p");
    play.set("k", false).poll(0.5);
    assert_eq!(play.brief(), "a:A");
    play.poll(2.0);
    assert_eq!(play.brief(), "");
    play.end("a", true);
    assert_eq!(play.poll(3.0), R);
    assert_eq!(play.brief(), "a:gone +c c:S ~p");
}

#[test]
fn closed_parent_holds_the_events_and_completions_of_its_other_children() {
    let a = slow("a").guard(own(guard_key("k")));
    let c = sequence([wait_event("go"), now("c")]);
    let d = sequence([starts("d"), now("e")]);
    let mut play = Play::new(parallel(3, 2, [a, c, d]));
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    assert_eq!(play.brief(), "+a +d a:A");
    play.end("d", true);
    play.fire("go").again();
    play.again();
    assert_eq!(play.brief(), "");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:gone d:S +e e:S +c c:S");
}

#[test]
fn closed_parent_is_closed_though_a_deep_child_cancels() {
    let a = sequence([of("always_true", [slow("a")])]).guard(own(guard_key("k")));
    let mut play = Play::new(parallel(2, 2, [a, polled("p")]));
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    play.again();
    assert_eq!(play.brief(), "+a +p a:A");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:gone ~p");
}

#[test]
fn takeover_is_checked_again_when_the_abort_took_longer_and_a_false_guard_fails_the_child() {
    for kind in ["select", "memory_select"] {
        let z = starts("z").guard(lower(guard_key("k")));
        let mut play = Play::new(of(kind, [z, slow("b")]));
        play.poll(0.0);
        play.set("k", true).again();
        play.set("k", false).poll(2.0);
        assert_eq!(play.brief(), "+b b:A");
        play.end("b", true);
        play.again();
        assert_eq!(play.brief(), "b:gone +b", "{kind}");
    }
}

#[test]
fn takeover_evaluates_again_once_when_the_abort_took_longer() {
    let z = starts("z").guard(lower(guard_holds("f")));
    let mut play = Play::new(select([z, slow("b")]));
    play.poll(0.0);
    play.flag("f", true).again();
    assert_eq!(play.brief(), "?f +b ?f b:A");
    play.again();
    assert_eq!(play.brief(), "");
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "b:gone ?f +z");
}

#[test]
fn takeover_is_checked_again_from_the_leftmost() {
    let at = |name: &str, key: &str| starts(name).guard(lower(guard_key(key)));
    for still in [true, false] {
        let mut play = Play::new(select([at("x", "h"), at("z", "k"), slow("b")]));
        play.poll(0.0);
        play.set("k", true).again();
        play.set("h", true).set("k", still).again();
        assert_eq!(play.brief(), "+b b:A");
        play.end("b", true);
        play.again();
        assert_eq!(play.brief(), "b:gone +x", "{still}");
    }
}

#[test]
fn takeover_that_waited_enters_no_child_that_had_failed_without_a_guard() {
    let z = starts("z").guard(lower(guard_key("k")));
    let mut play = Play::new(select([now("u"), z, slow("b")]));
    play.reply("u", [F]);
    play.poll(0.0);
    play.set("k", true).again();
    play.again();
    assert_eq!(play.brief(), "+u u:F +b b:A");
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "b:gone +z");
}

#[test]
fn deadline_while_a_takeover_waits_enters_nothing() {
    let z = starts("z").guard(lower(guard_key("k")));
    let mut play = Play::new(timed("timeout", 1.0, select([z, slow("b")])));
    play.poll(0.0);
    play.set("k", true).poll(0.5);
    assert_eq!(play.poll(1.0), R);
    play.end("b", true);
    assert_eq!(play.poll(1.5), F);
    assert_eq!(play.brief(), "+b b:A b:gone");
}

#[test]
fn winner_of_a_reactive_node_is_not_called_while_the_loser_cancels() {
    let mut play = Play::new(reactive_select([polled("w"), slow("b")]));
    play.reply("w", [F, R, S]);
    play.poll(0.0);
    play.again();
    assert_eq!(play.brief(), "+w w:F +b +w b:A");
    play.again();
    assert_eq!(play.brief(), "");
    play.end("b", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "b:gone ~w w:S");
}

#[test]
fn writes_of_exits_react_when_a_slow_abort_is_complete() {
    let write = call("set_key_value").arg("k").arg(true);
    let g = starts("g").guard(own(guard_key("k").negated()));
    let c = sequence([starts("c")]).effect("exit", write);
    let inner = parallel(1, 3, [slow("b"), c, starts("w")]);
    let main = parallel(
        2,
        1,
        [select([g, starts("y")]), sequence([inner, starts("z")])],
    );
    let mut play = Play::new(main);
    play.poll(0.0);
    play.end("w", true);
    play.again();
    assert_eq!(play.brief(), "+g +b +c +w w:S c:A b:A");
    play.again();
    assert_eq!(play.brief(), "");
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "b:gone g:A +y +z");
}

#[test]
fn guard_of_a_sibling_in_a_closed_parent_aborts_it_at_once() {
    let a = slow("a").guard(own(guard_key("k")));
    let b = starts("b").guard(own(guard_key("h")));
    let mut play = Play::new(parallel(2, 2, [a, sequence([select([b, starts("c")])])]));
    play.set("k", true).set("h", true).poll(0.0);
    play.set("k", false).again();
    play.set("h", false).again();
    assert_eq!(play.brief(), "+a +b a:A");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:gone b:A +c");
}

#[test]
fn closed_parent_calls_its_own_service() {
    let a = slow("a").guard(own(guard_key("k")));
    let b = starts("b").service(1.0, call("note").arg("inner"));
    let main = parallel(2, 2, [a, b]).service(1.0, call("note").arg("outer"));
    let mut play = Play::new(main);
    play.set("k", true).poll(0.0);
    play.set("k", false).poll(0.5);
    assert_eq!(play.brief(), "outer +a inner +b a:A");
    play.poll(1.0);
    assert_eq!(play.brief(), "outer");
    play.end("a", true);
    play.poll(1.5);
    assert_eq!(play.brief(), "a:gone inner");
}

#[test]
fn reactive_node_evaluates_nothing_while_a_child_cancels() {
    let b = slow("b").guard(own(guard_key("k")));
    let mut play = Play::new(reactive_select([holds("f"), b, starts("c")]));
    play.set("k", true).poll(0.0);
    assert_eq!(play.brief(), "?f +b");
    // It takes its turn before the guard below it reacts.
    play.set("k", false).again();
    assert_eq!(play.brief(), "?f b:A");
    play.again();
    assert_eq!(play.brief(), "");
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "b:gone +c ?f");
}

#[test]
fn parallel_with_rerun_enters_nothing_while_a_child_cancels() {
    let a = slow("a").guard(own(guard_key("k")));
    let main = parallel(2, 2, [a, now("b")]).extra("rerun", true);
    let mut play = Play::new(main);
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a +b b:S a:A");
    play.end("a", true);
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "a:gone +b b:S");
}

#[test]
fn exit_effects_after_a_slow_abort_see_the_key_of_their_node() {
    let body = counted(sequence([action("more").arg("n"), slow("b")]));
    let body = body.effect("exit", more());
    let mut play = Play::new(timed("timeout", 1.0, body));
    play.poll(0.0);
    play.poll(1.0);
    assert_eq!(play.brief(), "n 1 +b b:A");
    play.end("b", true);
    assert_eq!(play.poll(2.0), F);
    assert_eq!(play.brief(), "b:gone n 2");
}

#[test]
fn held_event_of_a_closed_parent_is_not_given_to_who_waits_later_elsewhere() {
    let a = slow("a").guard(own(guard_key("k")));
    let c = sequence([wait_event("go"), now("c")]);
    let closed = parallel(2, 2, [a, c]);
    let later = sequence([starts("w"), wait_event("go"), now("d")]);
    let mut play = Play::new(parallel(2, 1, [closed, later]));
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    play.end("w", true);
    play.again();
    assert_eq!(play.brief(), "+a +w a:A w:S");
    play.fire("go").again();
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:gone +c c:S");
}

#[test]
fn takeover_from_a_cancelling_child_by_another_aborts_nothing_twice_and_enters_one() {
    // While `b` cancels for `z`, the guard of `x` turns true, and false again.
    let at = |name: &str, key: &str| starts(name).guard(lower(guard_key(key)));
    let mut play = Play::new(select([at("x", "h"), at("z", "k"), slow("b")]));
    play.poll(0.0);
    play.set("k", true).again();
    play.set("h", true).again();
    play.set("h", false).again();
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "+b b:A b:gone +z");
}

#[test]
fn event_of_a_closed_part_is_not_taken_by_a_node_in_it() {
    let a = slow("a").guard(own(guard_key("k")));
    let b = takes(starts("b"), "go", "other", "transfer");
    let mut play = Play::trees([("main", parallel(2, 2, [a, b])), ("other", starts("o"))]);
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    play.fire("go").again();
    assert_eq!(play.brief(), "+a +b a:A");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:gone b:A +o");
}

#[test]
fn timeout_in_a_closed_part_fails_when_that_is_open() {
    let a = slow("a").guard(own(guard_key("k")));
    let b = timed("timeout", 1.0, polled("b"));
    let mut play = Play::new(parallel(2, 2, [a, select([b, starts("z")])]));
    play.set("k", true).poll(0.0);
    play.set("k", false).poll(0.5);
    play.poll(2.0);
    assert_eq!(play.brief(), "+a +b a:A");
    play.end("a", true);
    play.poll(3.0);
    assert_eq!(play.brief(), "a:gone ~b b:A +z");
}

#[test]
fn takeover_by_poll_guards_waits_for_a_slow_loser_and_is_checked_again() {
    let guard = lower(guard_holds("f")).set("mode", "poll");
    let mut play = Play::new(select([starts("z").guard(guard), slow("b")]));
    play.poll(0.0);
    play.flag("f", true).again();
    play.flag("f", false).again();
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "?f +b ?f b:A b:gone ?f +b");
}

#[test]
fn slow_loser_of_a_takeover_keeps_its_place_in_a_select_that_keeps_it() {
    let z = starts("z").guard(lower(guard_key("k")));
    let kept = sequence([now("y"), slow("b")]).keep_place();
    let mut play = Play::new(select([z, kept]));
    play.poll(0.0);
    play.set("k", true).again();
    play.end("b", true);
    play.again();
    play.end("z", false);
    play.again();
    assert_eq!(play.brief(), "+y y:S +b b:A b:gone +z z:F +b");
}

#[test]
fn stop_from_an_action_while_another_part_cancels_waits_for_it() {
    let inner = sequence([parallel(1, 2, [slow("b"), starts("w")]), starts("z")]);
    let mut play = Play::new(parallel(
        2,
        1,
        [inner, sequence([starts("s"), now("stop")])],
    ));
    play.on_call("stop", |cx| cx.stop());
    play.poll(0.0);
    play.end("w", true);
    play.again();
    play.end("s", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+b +w +s w:S b:A s:S +stop stop:S");
    play.end("b", true);
    play.polls::<2>();
    assert_eq!(play.brief(), "b:gone");
    assert!(!play.runner.is_running());
}
