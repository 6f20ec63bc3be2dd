//! Every way in which the wait of a cancelling leaf may end, after every way in which it may have been aborted.

use std::sync::Arc;
use std::time::Duration;

use bt_core::debug::{Breakpoint, Breakpoints, On};
use bt_core::pool::Pool;
use bt_core::reload::{Changes, Gone};
use bt_core::tree::asset::spec::{
    NodeSpec, call, node, parallel, reactive_sequence, select, sequence, sub_tree, wait_event,
};
use bt_core::{Event, LeafState, Runner, Saved, TreeAsset, TreeSet, Trees};
use bt_tests::probe::*;

use super::{aborts, takes};

/// The cause that ends the cancelling of `b`.
#[derive(Debug, Clone, Copy)]
enum End {
    Polls(u32),
    Time,
    Event,
    Completion,
    Host,
}

const ENDS: [End; 8] = [
    End::Polls(0),
    End::Polls(1),
    End::Polls(2),
    End::Polls(4),
    End::Time,
    End::Event,
    End::Completion,
    End::Host,
];

impl End {
    /// The request of the exit method of `b`.
    fn asks(self) -> Reply {
        match self {
            End::Polls(polls) => Reply::Polls(polls, true),
            End::Time => Reply::After(4.0, true),
            End::Event => Reply::Event("clean", true),
            End::Completion | End::Host => Reply::On,
        }
    }

    /// Polls until `b` is gone, and checks that it is gone no sooner: it was aborted at the second `since`.
    fn wait(self, play: &mut Play, since: f64) {
        if let End::Polls(polls) = self {
            for _ in 1..polls.max(1) {
                assert!(cancels(play), "it is cancelling still");
                play.poll(since);
            }
            return;
        }
        play.polls::<3>();
        assert!(cancels(play), "it is cancelling still");
        match self {
            End::Time => {
                play.poll(since + 4.0);
                return;
            }
            End::Event => _ = play.fire("clean"),
            End::Completion => _ = play.end("b", true),
            _ => {
                let mut leaves = play.runner.active_leaves().into_iter();
                let leaf = leaves.find(|leaf| leaf.state == LeafState::Cancelling);
                let leaf = leaf.expect("it is cancelling");
                play.runner.finish(leaf.id, true);
            }
        }
        play.again();
    }
}

fn cancels(play: &Play) -> bool {
    let leaves = play.runner.active_leaves();
    leaves
        .iter()
        .any(|leaf| leaf.state == LeafState::Cancelling)
}

/// A way to abort `b`.
struct Way {
    name: &'static str,
    /// `b` runs, at the second 0.
    play: fn() -> Play,
    /// Aborts it at the second 1.
    abort: fn(&mut Play),
    /// The name of what is called when it is gone; none if its tree was stopped.
    then: Option<&'static str>,
}

fn built(trees: impl IntoIterator<Item = (&'static str, NodeSpec)>) -> Trees<Probe> {
    let mut set = TreeSet::new();
    for (name, top) in trees {
        set.add(TreeAsset::build(name, "probe", top));
    }
    set.build().unwrap_or_else(|error| panic!("{error}"))
}

fn b_or(z: NodeSpec) -> Play {
    Play::new(select([slow("b"), z]))
}

/// `b` beside a sequence that begins with `w`.
fn beside(rest: NodeSpec) -> NodeSpec {
    parallel(2, 1, [slow("b"), sequence([starts("w"), rest])])
}

fn other() -> (&'static str, NodeSpec) {
    ("other", starts("z"))
}

fn unset(play: &mut Play) {
    play.set("k", false).poll(1.0);
}

fn set(play: &mut Play) {
    play.set("k", true).poll(1.0);
}

fn end_w(play: &mut Play) {
    play.end("w", true);
    play.poll(1.0);
}

fn at_1(play: &mut Play) {
    play.poll(1.0);
}

fn stop(play: &mut Play) {
    play.poll(1.0);
    play.stop();
}

fn go(play: &mut Play) {
    play.fire("go").poll(1.0);
}

const WAYS: &[Way] = &[
    Way {
        name: "stop",
        play: || b_or(starts("z")),
        abort: stop,
        then: None,
    },
    Way {
        name: "guard",
        play: || {
            let b = slow("b").guard(aborts(guard_key("k"), "self"));
            let mut play = Play::new(select([b, starts("z")]));
            play.set("k", true);
            play
        },
        abort: unset,
        then: Some("+z"),
    },
    Way {
        name: "guard that is evaluated each poll",
        play: || {
            let b = slow("b").guard(aborts(guard_holds("f"), "self"));
            let mut play = Play::new(select([b, starts("z")]));
            play.flag("f", true);
            play
        },
        abort: |play| {
            play.flag("f", false).poll(1.0);
        },
        then: Some("+z"),
    },
    Way {
        name: "lower guard",
        play: || {
            let z = starts("z").guard(aborts(guard_key("k"), "lower"));
            Play::new(select([z, slow("b")]))
        },
        abort: set,
        then: Some("+z"),
    },
    Way {
        name: "parallel decision",
        play: || {
            let both = parallel(1, 2, [slow("b"), starts("w")]);
            Play::new(sequence([both, starts("z")]))
        },
        abort: end_w,
        then: Some("+z"),
    },
    Way {
        name: "parallel without thresholds",
        play: || {
            let both = of("parallel", [slow("b"), starts("w")]);
            Play::new(sequence([both, starts("z")]))
        },
        abort: end_w,
        then: Some("+z"),
    },
    Way {
        name: "parallel with rerun",
        play: || {
            let both = parallel(1, 2, [starts("w"), slow("b")]).extra("rerun", true);
            Play::new(sequence([both, starts("z")]))
        },
        abort: end_w,
        then: Some("+z"),
    },
    Way {
        name: "timeout",
        play: || Play::new(select([timed("timeout", 1.0, slow("b")), starts("z")])),
        abort: at_1,
        then: Some("+z"),
    },
    Way {
        name: "reactive select",
        play: || {
            let first = of("reactive_select", [key_true("k"), slow("b")]);
            Play::new(sequence([first, starts("z")]))
        },
        abort: set,
        then: Some("+z"),
    },
    Way {
        name: "reactive sequence",
        play: || {
            let first = reactive_sequence([key_true("k"), slow("b")]);
            let mut play = Play::new(select([first, starts("z")]));
            play.set("k", true);
            play
        },
        abort: unset,
        then: Some("+z"),
    },
    Way {
        name: "frames",
        play: || Play::new(sequence([times("frames", 2, slow("b")), starts("z")])),
        abort: at_1,
        then: Some("+z"),
    },
    Way {
        name: "end of its tree",
        play: || {
            let sub = beside(node("end").extra("status", "success"));
            let main = sequence([sub_tree("sub"), starts("z")]);
            Play::trees([("main", main), ("sub", sub)])
        },
        abort: end_w,
        then: Some("+z"),
    },
    Way {
        name: "transfer",
        play: || {
            let main = beside(sub_tree("other").extra("mode", "transfer"));
            Play::trees([("main", main), other()])
        },
        abort: end_w,
        then: Some("+z"),
    },
    Way {
        name: "transfer by an event",
        play: || {
            let main = takes(slow("b"), "go", "other", "transfer");
            Play::trees([("main", main), other()])
        },
        abort: go,
        then: Some("+z"),
    },
    Way {
        name: "load",
        play: || Play::trees([("main", slow("b")), other()]),
        abort: |play| {
            play.runner.load("other").expect("it is there");
            play.poll(1.0);
        },
        then: Some("+z"),
    },
    Way {
        name: "reset",
        play: || Play::new(sequence([now("z"), slow("b")])),
        abort: |play| {
            play.runner.reset();
            play.poll(1.0);
        },
        then: Some("+z"),
    },
    Way {
        name: "reset from within",
        play: || Play::new(sequence([now("z"), beside(node("reset"))])),
        abort: end_w,
        then: Some("+z"),
    },
    Way {
        name: "reload",
        play: || Play::new(sequence([slow("b"), starts("y")])),
        abort: |play| {
            let new = built([("main", sequence([starts("z"), starts("y")]))]);
            let changes = Changes::between(play.runner.trees(), &new);
            play.runner.reload(&changes);
            play.poll(1.0);
        },
        then: Some("+z"),
    },
    Way {
        name: "reload without its tree",
        play: || Play::new(slow("b")),
        abort: |play| {
            let changes = Changes::between(play.runner.trees(), &built([other()]));
            let gone = Gone::Restart("other".to_owned());
            play.runner.reload(&changes.when_gone(gone));
            play.poll(1.0);
        },
        then: Some("+z"),
    },
    Way {
        name: "stop of a suspended tree",
        play: || {
            let main = takes(slow("b"), "go", "other", "return");
            Play::trees([("main", main), other()])
        },
        abort: |play| {
            play.fire("go").poll(1.0);
            play.stop();
        },
        then: None,
    },
    Way {
        name: "timeout in an event's tree",
        play: || {
            let main = takes(starts("x"), "go", "other", "return");
            let other = select([timed("timeout", 1.0, slow("b")), starts("z")]);
            let mut play = Play::trees([("main", main), ("other", other)]);
            play.fire("go");
            play
        },
        abort: at_1,
        then: Some("+z"),
    },
    Way {
        name: "timeout of a called tree",
        play: || {
            let main = select([timed("timeout", 1.0, sub_tree("sub")), starts("z")]);
            Play::trees([("main", main), ("sub", sequence([slow("b")]))])
        },
        abort: at_1,
        then: Some("+z"),
    },
    Way {
        name: "stop where a debugger has stopped it",
        play: || {
            let mut play = Play::new(beside(now("x")));
            let on = On::Call {
                name: "now".to_owned(),
            };
            let all = Breakpoints::new([Breakpoint::new(1, on)]);
            play.runner.set_breakpoints(Some(Arc::new(all)));
            play
        },
        abort: |play| {
            end_w(play);
            assert!(play.runner.stopped().is_some());
            play.stop();
            play.runner.set_breakpoints(None);
        },
        then: None,
    },
];

/// The subject of a failure.
fn about(way: &Way, end: End) -> String {
    format!("aborted by {}, ended by {end:?}", way.name)
}

#[test]
fn cancelling_ends_by_what_it_waits_for_however_it_was_aborted() {
    for way in WAYS {
        for end in ENDS {
            let about = about(way, end);
            let mut play = (way.play)();
            play.cancels("b", end.asks());
            play.poll(0.0);
            play.brief();
            (way.abort)(&mut play);
            let mut log = play.brief();
            assert_eq!(log.matches("b:A").count(), 1, "{about}");
            let is_over = matches!(end, End::Polls(0 | 1));
            assert_eq!(cancels(&play), !is_over, "{about}");
            end.wait(&mut play, 1.0);
            assert!(!cancels(&play), "{about}: it is gone");
            // A tree that starts anew does so in the next poll.
            play.again();
            log += &play.brief();
            match way.then {
                Some(then) => assert!(log.contains(then), "{about}: {log}"),
                None => assert!(!play.runner.is_running(), "{about}: it is stopped"),
            }
        }
    }
}

#[test]
fn cancelling_of_a_despawned_agent_ends_by_what_it_waits_for() {
    let trees = built([("main", slow("b"))]);
    for end in ENDS {
        let mut play = Play::new(slow("b"));
        play.cancels("b", end.asks());
        let probe = std::mem::take(&mut play.probe);
        play.abandon();
        let mut pool = Pool::new();
        let mut runner = Runner::new(&trees, "main").expect("it is there");
        runner.start();
        let id = pool.spawn(probe, runner);
        pool.poll(Duration::ZERO);
        pool.despawn(id);
        let more = match end {
            End::Polls(polls) => polls.max(1) - 1,
            End::Time => {
                pool.poll(Duration::from_secs(5));
                0
            }
            End::Event => {
                pool.fire(id, Event::new("clean"));
                1
            }
            End::Completion | End::Host => continue,
        };
        for _ in 0..more {
            assert!(pool.get(id).is_some(), "{end:?}");
            pool.poll(Duration::from_secs(1));
        }
        assert!(pool.get(id).is_none(), "{end:?}");
    }
}

#[test]
fn cancelling_of_a_restored_agent_ends_by_what_it_waits_for() {
    for way in WAYS
        .iter()
        .filter(|way| ["stop", "guard", "timeout"].contains(&way.name))
    {
        for end in [End::Polls(2), End::Polls(4), End::Time, End::Event] {
            let about = about(way, end);
            let mut play = (way.play)();
            play.probe.plain = true;
            play.cancels("b", end.asks());
            play.poll(0.0);
            (way.abort)(&mut play);
            let saved = Saved::from_json(&play.runner.save().to_json()).expect("it was saved");
            let restored = Runner::restore(play.runner.trees(), &saved).expect("it is sound");
            play.runner = restored.at(Duration::from_secs(1));
            end.wait(&mut play, 1.0);
            assert!(!cancels(&play), "{about}: it is gone");
        }
    }
}

#[test]
fn event_ends_a_cancelling_before_it_is_held_for_a_waiter_behind_it() {
    let b = slow("b").guard(aborts(guard_key("k"), "self"));
    let waits = sequence([wait_event("clean"), now("c")]);
    let mut play = Play::new(parallel(2, 2, [waits, b]));
    play.cancels("b", Reply::Event("clean", true));
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    assert_eq!(play.brief(), "+b b:A");
    play.fire("clean").again();
    assert_eq!(play.brief(), "b:gone");
    play.fire("clean").again();
    assert_eq!(play.brief(), "+c c:S");
}

#[test]
fn event_that_nothing_cancelling_waits_for_is_dropped_while_a_tree_is_stopped() {
    let mut play = Play::new(sequence([slow("b"), wait_event("go")]));
    play.cancels("b", Reply::Event("clean", true));
    play.poll(0.0);
    play.stop();
    play.runner.start();
    play.fire("go").fire("clean").again();
    assert_eq!(play.brief(), "+b b:A b:gone");
    play.again();
    play.end("b", true);
    assert_eq!(play.again(), R, "it waits for another event");
}

#[test]
fn exit_waits_for_an_event_that_an_exit_before_it_fired() {
    let tells = call("now").arg("f");
    let main = parallel(2, 2, [slow("b"), starts("x").effect("exit", tells)]);
    let mut play = Play::new(main);
    play.cancels("b", Reply::Event("clean", true));
    play.on_call("f", |cx| cx.fire(Event::new("clean")));
    play.poll(0.0);
    play.stop();
    assert_eq!(play.brief(), "+b +x x:A +f f:S b:A");
    play.again();
    assert_eq!(play.brief(), "b:gone");
    assert!(!play.runner.is_running());
}
