//! Waiting for events, and how deliveries are made. (S1-N11, S1-R28, S1-R29)

use bt_core::Event;
use bt_core::tree::asset::spec::{NodeSpec, action, parallel, select, sequence, wait_event};
use bt_tests::probe::{Play, R, Reply, S, guard_key, now, of, polled, starts, wait};

use super::{aborts, one};

/// A wait, and a leaf that says that it is over.
fn then(wait: NodeSpec, name: &str) -> NodeSpec {
    sequence([wait, now(name)])
}

fn all<const N: usize>(children: [NodeSpec; N]) -> NodeSpec {
    parallel(N as u32, 1, children)
}

fn told(what: i64) -> Event {
    Event::new("told").with("what", what)
}

fn tells(key: &str) -> NodeSpec {
    wait_event("told").extra("params", one("what", key))
}

#[test]
fn a_wait_for_an_event_blocks_until_it_comes() {
    let mut play = Play::new(then(wait_event("go"), "a"));
    assert_eq!(play.polls::<3>(), [R; 3]);
    assert_eq!(play.wake(), None);
    play.fire("other");
    assert_eq!(play.again(), R);
    play.fire("go");
    assert_eq!(play.again(), S);
}

#[test]
fn event_is_taken_by_the_leaf_that_waits_longest() {
    // The second child waits first.
    let first = sequence([starts("s"), wait_event("go"), now("a")]);
    let mut play = Play::new(all([first, then(wait_event("go"), "b")]));
    play.poll(0.0);
    play.end("s", true);
    play.again();
    play.log();
    play.fire("go").again();
    assert_eq!(play.brief(), "+b b:S");
    play.fire("go");
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a a:S");
}

#[test]
fn two_waiters_take_two_events_of_one_poll() {
    let mut play = Play::new(all([
        then(wait_event("go"), "a"),
        then(wait_event("go"), "b"),
    ]));
    play.poll(0.0);
    play.fire("go").fire("go");
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a a:S +b b:S");
}

#[test]
fn a_sequence_of_two_waits_takes_two_events_of_one_poll() {
    let mut play = Play::new(sequence([wait_event("go"), wait_event("go"), now("a")]));
    play.poll(0.0);
    play.fire("go").fire("go");
    assert_eq!(play.again(), S);
}

#[test]
fn node_entered_in_a_delivery_does_not_take_its_event() {
    let mut play = Play::new(sequence([wait_event("go"), wait_event("go")]));
    play.poll(0.0);
    play.fire("go");
    assert_eq!(play.again(), R);
    // Nor with a broadcast.
    let cast = || wait_event("go").extra("broadcast", true);
    let mut play = Play::new(sequence([cast(), cast()]));
    play.poll(0.0);
    play.fire("go");
    assert_eq!(play.again(), R);
    play.fire("go");
    assert_eq!(play.again(), S);
}

#[test]
fn a_broadcast_ends_all_that_wait_for_it_so() {
    let cast = |name: &str| then(wait_event("go").extra("broadcast", true), name);
    let mut play = Play::new(all([cast("a"), cast("b"), cast("c")]));
    play.poll(0.0);
    play.fire("go");
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a a:S +b b:S +c c:S");
}

#[test]
fn wait_event_without_broadcast_consumes_the_event() {
    let cast = |name: &str| then(wait_event("go").extra("broadcast", true), name);
    let plain = then(wait_event("go"), "plain");
    let mut play = Play::new(all([cast("a"), plain, cast("b")]));
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+a a:S +plain plain:S");
    play.fire("go").again();
    assert_eq!(play.brief(), "+b b:S");
}

#[test]
fn broadcast_ends_its_waiters_in_index_order() {
    // The second child waits first.
    let cast = |name: &str| then(wait_event("go").extra("broadcast", true), name);
    let mut play = Play::new(all([sequence([starts("s"), cast("a")]), cast("b")]));
    play.poll(0.0);
    play.end("s", true);
    play.again();
    play.log();
    play.fire("go");
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a a:S +b b:S");
}

#[test]
fn broadcast_reaches_waiters_in_entry_order_until_one_keeps_the_event() {
    let cast = |name: &str| then(wait_event("go").extra("broadcast", true), name);
    let last = sequence([starts("s"), starts("t"), cast("last")]);
    let keeps = sequence([starts("s2"), then(wait_event("go"), "keeps")]);
    let mut play = Play::new(all([last, keeps, cast("first")]));
    play.poll(0.0);
    for leaf in ["s", "s2", "t"] {
        play.end(leaf, true);
        play.again();
    }
    play.log();
    play.fire("go").again();
    assert_eq!(play.brief(), "+keeps keeps:S +first first:S");
    play.fire("go");
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+last last:S");
}

#[test]
fn broadcast_skips_a_waiter_that_it_aborted() {
    let cast = |name: &str| then(wait_event("go").extra("broadcast", true), name);
    let race = parallel(1, 2, [cast("a"), cast("b")]);
    let mut play = Play::new(sequence([race, starts("z")]));
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+a a:S +z");
}

#[test]
fn an_event_that_nobody_takes_is_dropped() {
    let mut play = Play::new(sequence([starts("a"), wait_event("go")]));
    play.poll(0.0);
    play.fire("go").again();
    play.end("a", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.polls::<2>(), [R; 2]);
}

#[test]
fn a_latch_keeps_the_newest_for_who_waits_next() {
    let latch = tells("k").extra("latch", true);
    let mut play = Play::new(sequence([starts("a"), latch.clone(), now("b"), latch]));
    play.poll(0.0);
    play.runner.fire(told(1));
    play.runner.fire(told(2));
    play.again();
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "+a a:S +b b:S");
    assert_eq!(play.runner.blackboard().get("k"), 2);
    // The newest only, and once.
    assert_eq!(play.again(), R);
    play.runner.fire(told(3));
    assert_eq!(play.again(), S);
}

#[test]
fn event_that_was_taken_is_not_latched() {
    let latch = || wait_event("go").extra("latch", true);
    let mut play = Play::new(sequence([latch(), latch()]));
    play.poll(0.0);
    play.fire("go");
    assert_eq!(play.polls::<2>(), [R; 2]);
}

#[test]
fn parameters_are_written_before_the_waiter_finishes() {
    let mut play = Play::new(sequence([tells("k"), action("polled").key("k")]));
    play.poll(0.0);
    play.runner.fire(Event::new("told").with("what", "name"));
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+name");
    assert_eq!(play.runner.blackboard().get("k"), "name");
}

#[test]
fn each_waiter_of_a_broadcast_gets_the_parameters_under_its_own_keys() {
    let cast = |key: &str| tells(key).extra("broadcast", true);
    let mut play = Play::new(all([cast("x"), cast("y")]));
    play.poll(0.0);
    play.runner.fire(told(7));
    assert_eq!(play.again(), S);
    let board = play.runner.blackboard();
    assert_eq!((board.get("x"), board.get("y")), (7.into(), 7.into()));
}

#[test]
fn an_event_that_nobody_takes_writes_no_parameters() {
    let mut play = Play::new(sequence([starts("a"), tells("k")]));
    play.poll(0.0);
    play.runner.fire(told(7));
    play.again();
    assert!(!play.runner.blackboard().has("k"));
}

#[test]
fn guard_on_the_key_of_an_event_parameter_reacts_in_the_turn() {
    let tells_stay = wait_event("told").extra("params", one("what", "stay"));
    let inner = sequence([tells_stay, now("a"), starts("b")]);
    let guarded = inner.guard(aborts(guard_key("stay"), "self"));
    let mut play = Play::new(select([guarded, starts("c")]));
    play.set("stay", true).poll(0.0);
    play.runner.fire(Event::new("told").with("what", false));
    play.again();
    // The delivery is made to its end; then the guard is asked.
    assert_eq!(play.brief(), "+a a:S +b b:A +c");
}

#[test]
fn a_leafs_finish_on_is_a_waiter_among_the_waiters() {
    let mut play = Play::new(all([
        sequence([starts("x"), now("a")]),
        then(wait_event("go"), "b"),
    ]));
    play.reply("x", [Reply::Event("go", true)]);
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+x x:S +a a:S");
    play.fire("go");
    assert_eq!(play.again(), S);
}

#[test]
fn an_event_fired_in_an_action_comes_after_the_pass_and_in_this_poll() {
    let first = sequence([now("f"), now("rest")]);
    let mut play = Play::new(all([then(wait_event("go"), "a"), first]));
    play.on_call("f", |cx| cx.fire(Event::new("go")));
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "+f f:S +rest rest:S +a a:S");
}

#[test]
fn an_event_fired_in_the_turn_of_a_polled_leaf_comes_in_this_poll_too() {
    let mut play = Play::new(all([then(wait_event("go"), "a"), polled("p")]));
    play.poll(0.0);
    play.on_call("p", |cx| cx.fire(Event::new("go")));
    play.reply("p", [S]);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+p ~p p:S +a a:S");
}

#[test]
fn events_and_completions_come_in_the_order_in_which_they_arrived() {
    for event_first in [true, false] {
        let waits = then(wait_event("go"), "a");
        let mut play = Play::new(all([waits, sequence([starts("s"), now("b")])]));
        play.poll(0.0);
        play.log();
        if event_first {
            play.fire("go");
        }
        play.end("s", true);
        if !event_first {
            play.fire("go");
        }
        assert_eq!(play.again(), S);
        let expect = match event_first {
            true => "+a a:S s:S +b b:S",
            false => "s:S +b b:S +a a:S",
        };
        assert_eq!(play.brief(), expect);
    }
}

#[test]
fn due_timers_come_after_what_arrived_and_in_the_order_of_their_times() {
    let mut play = Play::new(all([
        then(wait(2.0), "late"),
        then(wait(1.0), "early"),
        then(wait(1.0), "tie"),
        then(wait_event("go"), "event"),
    ]));
    play.poll(0.0);
    play.fire("go");
    assert_eq!(play.poll(5.0), S);
    assert_eq!(
        play.brief(),
        "+event event:S +early early:S +tie tie:S +late late:S"
    );
}

#[test]
fn each_delivery_is_followed_by_a_pass() {
    // The second event comes when the leaf that the first one made ready has run.
    let mut play = Play::new(sequence([wait_event("one"), now("a"), wait_event("two")]));
    play.poll(0.0);
    play.fire("one").fire("two");
    assert_eq!(play.again(), S);
    let mut play = Play::new(sequence([wait_event("one"), now("a"), wait_event("two")]));
    play.poll(0.0);
    play.fire("two").fire("one");
    assert_eq!(play.again(), R);
}

#[test]
fn a_root_that_is_due_starts_before_the_first_delivery() {
    let mut play = Play::new(then(wait_event("go"), "a"));
    play.fire("go");
    assert_eq!(play.poll(0.0), S);
}

#[test]
fn a_waiter_that_is_polled_by_the_way_is_no_waiter_any_more_once_it_ended() {
    let race = of("parallel", [wait_event("go"), polled("p")]);
    let mut play = Play::new(sequence([race, wait_event("go")]));
    play.reply("p", [R, S]);
    play.poll(0.0);
    play.again();
    play.fire("go");
    assert_eq!(play.again(), S);
}

#[test]
fn misspelt_event_that_an_action_waits_for_is_reported_once() {
    let mut play = Play::new(starts("s"));
    play.always("s", Reply::Event("tolt", true));
    (0..3).for_each(|_| {
        play.again();
        play.runner.reset();
    });
    let told = play.runner.diagnostics().iter();
    let told: Vec<_> = told.map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "main: node 1 (action `starts`): it waits for event `tolt`, which the agent does not \
             register; did you mean `told`?"
        ]
    );
    play.again();
    let why = play.runner.explain().to_string();
    assert!(
        why.contains("  the agent registers no event `tolt`; did you mean `told`?\n"),
        "{why}"
    );
}
