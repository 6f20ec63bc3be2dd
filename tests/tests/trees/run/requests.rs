//! Requests: a stop, a load, a reset counts, whatever else falls due before it is applied.

use bt_core::Context;
use bt_core::tree::asset::spec::{NodeSpec, call, node, parallel, sequence, sub_tree, wait_event};
use bt_tests::probe::*;
use serde_json::json;

/// A request of the host.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Request {
    Stop,
    Load,
    Reset,
    /// A stop after which nothing the tree asks for counts.
    Despawn,
}

const REQUESTS: [Request; 4] = [
    Request::Stop,
    Request::Load,
    Request::Reset,
    Request::Despawn,
];

impl Request {
    fn ask(self, play: &mut Play) {
        match self {
            Request::Stop => {
                play.stop();
            }
            Request::Load => play.runner.load("new").unwrap(),
            Request::Reset => play.runner.reset(),
            Request::Despawn => {
                // What the tree asks for on its way out.
                play.on_call("left", |cx: &mut Context<'_>| cx.load("third"));
                play.stop();
            }
        }
    }
}

/// A main tree, in which the leaf `a` takes its time to cancel.
fn main_of(top: NodeSpec) -> Play {
    let left = call("now").arg("left");
    let top = sequence([now("begins"), top.effect("exit", left)]);
    let mut play = Play::trees([
        ("main", top),
        ("sub", starts("s")),
        ("new", starts("n")),
        ("third", starts("t")),
    ])
    .looping();
    play.set("k", 1).poll(0.0);
    play
}

fn takes(top: NodeSpec, mode: &str, tree: &str) -> NodeSpec {
    let taken = json!([{"event": "e", "tree": tree, "mode": mode}]);
    top.extra("events", taken)
}

/// Ends the cancelling of `a`, then looks whether the request was applied, and nothing else ran.
fn is_applied(mut play: Play, request: Request, meanwhile: &str) {
    let asked = format!("{request:?}, and {meanwhile}");
    assert!(
        play.active().contains(&"slow_a".to_owned()),
        "{asked}: still cancelling"
    );
    play.brief();
    play.end("a", true);
    play.polls::<3>();
    let log = play.brief();
    let log = log.replace(" +left left:S", "");
    let after = log.strip_prefix("a:gone").map(str::trim);
    match request {
        Request::Stop | Request::Despawn => {
            assert_eq!(after, Some(""), "{asked}: {log}");
            assert!(!play.runner.is_running(), "{asked}");
            assert_eq!(play.runner.result(), None, "{asked}");
        }
        Request::Load => {
            assert_eq!(after, Some("+n"), "{asked}: {log}");
            assert_eq!(play.runner.tree(), "new", "{asked}");
        }
        Request::Reset => {
            let begins = after.is_some_and(|after| after.starts_with("+begins begins:S +a"));
            assert!(begins, "{asked}: {log}");
            // `reset` keeps what is queued: the new run may have taken the event.
            let took = meanwhile.starts_with("an event");
            assert!(took || play.runner.tree() == "main", "{asked}: {log}");
            assert!(!play.runner.blackboard().has("k"), "{asked}");
        }
    }
}

/// For each request: in a main tree this happens before it, and that after it.
fn each(meanwhile: &str, top: &NodeSpec, before: impl Fn(&mut Play), after: impl Fn(&mut Play)) {
    for request in REQUESTS {
        let mut play = main_of(top.clone());
        before(&mut play);
        request.ask(&mut play);
        after(&mut play);
        is_applied(play, request, meanwhile);
    }
}

#[test]
fn a_held_deadline_replaces_no_request() {
    each(
        "a deadline was held",
        &takes(timed("timeout", 0.5, slow("a")), "return", "sub"),
        |play| {
            play.fire("e").poll(0.1);
            play.poll(0.6);
            assert_eq!(play.brief(), "+begins begins:S +a +s");
        },
        |play| {
            play.polls::<2>();
        },
    );
}

#[test]
fn a_deadline_that_falls_due_in_a_suspended_tree_in_the_poll_of_a_request_does_not_replace_it() {
    each(
        "a deadline falls due below",
        &takes(timed("timeout", 0.5, slow("a")), "return", "sub"),
        |play| {
            play.fire("e").poll(0.1);
        },
        |play| {
            play.poll(0.6);
            play.again();
        },
    );
}

#[test]
fn a_held_completion_or_timer_replaces_no_request() {
    let both = parallel(3, 1, [slow("a"), starts("b"), wait(0.5)]);
    each(
        "a completion was held",
        &takes(both, "return", "sub"),
        |play| {
            play.fire("e").poll(0.1);
            play.end("b", false);
            play.poll(0.6);
        },
        |play| {
            play.polls::<2>();
        },
    );
}

#[test]
fn a_timer_replaces_no_request() {
    for top in [
        timed("timeout", 0.5, slow("a")),
        timed("timeout", 0.5, parallel(2, 1, [slow("a"), polled("p")])),
        parallel(2, 1, [slow("a"), sequence([wait(0.5), node("reset")])]),
        parallel(2, 1, [slow("a"), sequence([wait(0.5), end_outside()])]),
        parallel(2, 1, [slow("a"), timed("timeout", 0.5, starts("b"))]),
    ] {
        each(
            "a timer is due",
            &top,
            |_| {},
            |play| {
                play.poll(0.6);
                play.again();
            },
        );
    }
}

#[test]
fn an_event_replaces_no_request() {
    let waits = |then: NodeSpec| parallel(2, 1, [slow("a"), sequence([wait_event("e"), then])]);
    for top in [
        waits(node("reset")),
        waits(end_outside()),
        waits(transfer()),
        takes(
            parallel(2, 1, [slow("a"), starts("b")]),
            "transfer",
            "third",
        ),
        takes(parallel(2, 1, [slow("a"), starts("b")]), "return", "sub"),
    ] {
        each(
            "an event arrives",
            &top,
            |_| {},
            |play| {
                play.fire("e").again();
                play.again();
            },
        );
        each(
            "an event has arrived",
            &top,
            |play| {
                play.fire("e");
            },
            |play| {
                play.again();
                play.again();
            },
        );
    }
}

#[test]
fn a_transfer_an_end_or_a_reset_that_waits_is_replaced_by_a_request() {
    let waits = |then: NodeSpec| parallel(2, 1, [slow("a"), sequence([wait_event("e"), then])]);
    for (what, top) in [
        ("a reset waits", waits(node("reset"))),
        ("an end waits", waits(end_outside())),
        ("a transfer waits", waits(transfer())),
        (
            "an event's transfer waits",
            takes(
                parallel(2, 1, [slow("a"), starts("b")]),
                "transfer",
                "third",
            ),
        ),
        (
            "a deadline waits",
            timed("timeout", 0.5, sequence([slow("a")])),
        ),
    ] {
        each(
            what,
            &top,
            |play| {
                play.fire("e").poll(0.6);
                assert!(play.brief().contains("a:A"), "{what}");
            },
            |play| {
                play.polls::<2>();
            },
        );
    }
}

#[test]
fn a_transfer_an_end_or_a_reset_in_an_events_tree_is_replaced_by_a_request() {
    for (what, then) in [
        ("a reset waits", node("reset")),
        ("an end waits", end_outside()),
        ("a transfer waits", transfer()),
    ] {
        for request in REQUESTS {
            let main = takes(sequence([starts("m")]), "return", "sub");
            let sub = parallel(2, 1, [slow("a"), sequence([wait_event("e"), then.clone()])]);
            let mut play = Play::trees([
                ("main", sequence([now("begins"), main])),
                ("sub", sub),
                ("new", starts("n")),
                ("third", starts("t")),
            ]);
            play.set("k", 1).poll(0.0);
            play.fire("e").again();
            play.fire("e").again();
            assert_eq!(play.brief(), "+begins begins:S +m +a a:A", "{what}");
            request.ask(&mut play);
            play.polls::<2>();
            play.end("a", true);
            play.polls::<3>();
            let log = play.brief();
            let expect = match request {
                Request::Stop | Request::Despawn => "a:gone m:A",
                Request::Load => "a:gone m:A +n",
                Request::Reset => "a:gone m:A +begins begins:S +m",
            };
            assert_eq!(log, expect, "{request:?}, and {what}");
        }
    }
}

#[test]
fn of_the_hosts_requests_the_later_counts() {
    for first in REQUESTS {
        for second in REQUESTS {
            if first == Request::Despawn {
                continue;
            }
            let mut play = main_of(sequence([slow("a")]));
            first.ask(&mut play);
            play.again();
            second.ask(&mut play);
            play.again();
            is_applied(play, second, &format!("{first:?} before it"));
            // Both between two polls.
            let mut play = main_of(sequence([slow("a")]));
            first.ask(&mut play);
            second.ask(&mut play);
            play.again();
            is_applied(play, second, &format!("{first:?} right before it"));
        }
    }
}

#[test]
fn of_two_loads_between_two_polls_only_the_later_begins() {
    let mut play = main_of(sequence([starts("b")]));
    play.brief();
    play.runner.load("third").unwrap();
    play.runner.load("new").unwrap();
    play.polls::<2>();
    assert_eq!(play.brief(), "b:A +left left:S +n");
}

#[test]
fn the_hosts_requests_outrank_the_trees_own() {
    for request in REQUESTS {
        for own in ["stop", "load", "reset"] {
            let ask = move |cx: &mut Context<'_>| match own {
                "stop" => cx.stop(),
                "load" => cx.load("third"),
                _ => cx.reset(),
            };
            // The tree's own is asked for first, and waits for what is cancelling.
            let main = parallel(2, 1, [slow("a"), sequence([wait_event("e"), now("asks")])]);
            let mut play = main_of(main.clone());
            play.on_call("asks", ask);
            play.fire("e").again();
            request.ask(&mut play);
            play.again();
            is_applied(play, request, &format!("the tree's own {own} before it"));
            // The tree's own comes after it, from what is exited.
            let mut play = main_of(main.effect("exit", call("now").arg("asks")));
            play.on_call("asks", ask);
            request.ask(&mut play);
            play.again();
            play.brief();
            play.end("a", true);
            play.polls::<3>();
            let log = play.brief();
            let log = log.replace(" +left left:S", "");
            let begins = match request {
                Request::Stop | Request::Despawn => "",
                Request::Load => "+n",
                Request::Reset => "+begins",
            };
            let after = log.split("asks:S").nth(1).unwrap_or_default().trim();
            assert!(
                after.starts_with(begins) && after.is_empty() == begins.is_empty(),
                "{request:?}, and the tree's own {own} after it: {log}"
            );
        }
    }
}

#[test]
fn of_the_trees_own_requests_the_later_counts() {
    type Ask = fn(&mut Context<'_>);
    let stop: Ask = |cx| cx.stop();
    let load: Ask = |cx| cx.load("new");
    let reset: Ask = |cx| cx.reset();
    let all = [
        ("stop", stop, ""),
        ("load", load, "+n"),
        ("reset", reset, "+a"),
    ];
    for (first, ask, _) in all {
        for (second, then, expect) in all {
            let both = move |cx: &mut Context<'_>| {
                ask(cx);
                then(cx);
            };
            let main = sequence([starts("a"), now("asks")]);
            let mut play = Play::trees([("main", main), ("new", starts("n"))]);
            play.poll(0.0);
            play.on_call("asks", both).end("a", true);
            play.polls::<2>();
            assert_eq!(
                play.brief(),
                format!("+a a:S +asks asks:S {expect}").trim(),
                "{second} after {first}"
            );
        }
    }
}

#[test]
fn stop_then_start_works_whatever_is_held() {
    let main = takes(timed("timeout", 0.5, slow("a")), "return", "sub");
    let mut play = main_of(main);
    play.fire("e").poll(0.1);
    play.poll(0.6);
    play.stop().runner.start();
    play.polls::<2>();
    play.end("a", true);
    play.polls::<2>();
    let log = play.brief();
    assert!(log.ends_with("+begins begins:S +a"), "{log}");
}

#[test]
fn a_load_replaces_a_stop_and_the_start_after_it() {
    let mut play = main_of(slow("a"));
    play.stop().runner.start();
    play.runner.load("new").unwrap();
    play.again();
    play.end("a", true);
    play.again();
    assert_eq!(play.runner.tree(), "new");
    // Of the start before the load nothing is left: this stop is the last word.
    play.brief();
    play.stop();
    play.polls::<3>();
    assert_eq!(play.brief(), "n:A");
    assert!(!play.runner.is_running());
}

fn end_outside() -> NodeSpec {
    node("end")
        .extra("status", "success")
        .extra("outside", true)
}

fn transfer() -> NodeSpec {
    sub_tree("third").extra("mode", "transfer")
}

#[test]
fn a_start_while_a_suspended_tree_is_being_stopped_starts_it_afterwards() {
    let mut play = main_of(takes(sequence([slow("a")]), "return", "sub"));
    play.fire("e").again();
    play.stop();
    // The event's tree has gone; what it suspended is cancelling.
    play.runner.start();
    play.fire("e").again();
    play.brief();
    play.end("a", true);
    play.polls::<2>();
    let log = play.brief();
    assert!(
        log.starts_with("a:gone +left left:S +begins begins:S +a"),
        "{log}"
    );
    assert!(!log.contains("+s"), "{log}");
}

#[test]
fn a_request_of_a_condition_that_is_evaluated_in_the_turn_is_not_lost() {
    #[derive(bt_core::prelude::Agent, Default)]
    struct Asker {
        loaded: bool,
    }
    use bt_core::prelude::*;
    use bt_core::tree::asset::spec::{action, guard, select};
    use bt_core::{Mode, Runner, TreeAsset, TreeSet};
    use std::time::Duration;
    #[agent]
    impl Asker {
        /// Asks for the other tree when its key is set.
        #[condition]
        fn asks(cx: &mut Context) -> bool {
            if cx.get("k") == true {
                cx.load("other");
            }
            true
        }
        /// The same, and never holds.
        #[condition]
        fn asks_in_vain(cx: &mut Context) -> bool {
            Self::asks(cx);
            false
        }
        #[action]
        fn waits(cx: &mut Context) -> Option<bool> {
            cx.finish_on("never", true);
            None
        }
        #[action]
        fn loaded(&mut self) {
            self.loaded = true;
        }
        #[event]
        fn never();
    }
    let own = action("waits").guard(guard("asks").set("abort", "self"));
    let lower = action("waits").guard(guard("asks_in_vain").set("abort", "lower"));
    for main in [own, select([lower, action("waits")])] {
        let mut set = TreeSet::<Asker>::new();
        set.add(TreeAsset::build("main", "asker", main));
        set.add(TreeAsset::build("other", "asker", action("loaded")));
        let mut runner = Runner::new(&set.build().unwrap(), "main").unwrap();
        runner = runner.mode(Mode::Once);
        let mut agent = Asker::default();
        runner.start();
        runner.poll(&mut agent, Duration::ZERO);
        runner.blackboard().set("k", true);
        // As a host polls that looks at when it is wanted.
        for _ in 0..3 {
            if runner.next_wake().is_some() {
                runner.poll(&mut agent, Duration::ZERO);
            }
        }
        assert!(agent.loaded);
    }
}
