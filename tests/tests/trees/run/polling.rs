//! Tests of a poll's steps, and of their order.

use std::time::Duration;

use bt_core::tree::asset::spec::{node, parallel, reactive_sequence, select, sequence, wait_event};
use bt_core::{Mode, Runner, TreeAsset};
use bt_tests::probe::*;

#[test]
fn events_and_completions_are_delivered_in_the_order_in_which_they_arrived() {
    let event = |name: &str| sequence([wait_event(name), now(name)]);
    let leaf = |name: &str, then: &str| sequence([starts(name), now(then)]);
    let all = [leaf("a", "x"), event("go"), leaf("b", "y"), event("told")];
    let mut play = Play::new(parallel(4, 1, all));
    play.poll(0.0);
    play.brief();
    play.end("b", true);
    play.fire("told");
    play.end("a", true);
    play.fire("go");
    assert_eq!(play.again(), S);
    let order = "b:S +y y:S +told told:S a:S +x x:S +go go:S";
    assert_eq!(play.brief(), order);
}

#[test]
fn timers_come_after_what_arrived_in_the_order_of_their_times() {
    let later = |name: &str, seconds: f64| sequence([wait(seconds), now(name)]);
    let all = [
        later("late", 3.0),
        later("early", 1.0),
        later("tie", 3.0),
        sequence([wait_event("go"), now("event")]),
    ];
    let mut play = Play::new(parallel(4, 1, all));
    play.poll(0.0);
    play.fire("go");
    assert_eq!(play.poll(9.0), S);
    let order = "+event event:S +early early:S +late late:S +tie tie:S";
    assert_eq!(play.brief(), order);
}

#[test]
fn each_delivery_is_followed_by_a_pass() {
    // A chain of waits is finished by as many events in one poll.
    let mut play = Play::new(sequence([wait_event("go"), wait_event("go")]));
    play.poll(0.0);
    play.fire("go").fire("go");
    assert_eq!(play.again(), S);
    // The first is lost to one that is not entered yet, in no case.
    let mut play = Play::new(sequence([
        wait_event("go"),
        wait_event("told"),
        wait_event("go"),
    ]));
    play.poll(0.0);
    play.fire("go").fire("told").fire("go");
    assert_eq!(play.again(), S);
}

#[test]
fn a_root_that_is_due_starts_before_the_first_delivery() {
    let mut play = Play::new(wait_event("go"));
    play.fire("go");
    assert_eq!(play.poll(0.0), S);
}

#[test]
fn a_blocked_leaf_is_not_run_again_until_woken() {
    let mut play = Play::new(starts("a"));
    assert_eq!(play.polls(), [R, R, R]);
    assert_eq!(play.brief(), "+a");
    assert_eq!(play.wake(), None);
    play.end("a", false);
    assert!(play.wake().is_some());
    assert_eq!(play.again(), F);
}

#[test]
fn polled_leaves_run_once_a_poll_after_the_last_delivery() {
    let mut play = Play::new(parallel(
        2,
        1,
        [polled("a"), sequence([wait_event("go"), now("b")])],
    ));
    play.poll(0.0);
    play.fire("go");
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a +b b:S ~a");
    assert_eq!(play.wake(), Some(0.0));
}

#[test]
fn what_the_host_requested_comes_before_polled_leaves() {
    let both = parallel(2, 1, [polled("a"), polled("b")]);
    let mut play = Play::new(both);
    play.poll(0.0);
    play.again();
    play.runner.reset();
    play.again();
    assert_eq!(play.brief(), "+a +b ~a ~b b:A a:A +a +b");
    // And what one of them requests comes before the others.
    play.on_call("a", |cx| cx.stop());
    play.again();
    assert_eq!(play.brief(), "~a b:A a:A");
}

#[test]
fn what_a_delivery_entered_has_had_its_turn() {
    let mut play = Play::new(sequence([wait_event("go"), polled("a")]));
    play.poll(0.0);
    play.fire("go");
    play.again();
    assert_eq!(play.brief(), "+a");
    play.again();
    assert_eq!(play.brief(), "~a");
    // And so has what a turn entered.
    let mut play = Play::new(sequence([polled("a"), polled("b")]));
    play.reply("a", [R, S]);
    assert_eq!(play.polls(), [R, R, R]);
    assert_eq!(play.brief(), "+a ~a a:S +b ~b");
}

#[test]
fn a_time_that_goes_back_counts_as_unchanged() {
    let mut play = Play::new(sequence([wait(1.0), now("a"), wait(1.0)]));
    play.poll(10.0);
    assert_eq!(play.poll(3.0), R);
    assert_eq!(play.wake(), Some(11.0));
    assert_eq!(play.poll(10.5), R);
    assert_eq!(play.poll(11.0), R);
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.wake(), Some(12.0));
    assert_eq!(play.poll(12.0), S);
}

#[test]
fn a_wait_counts_from_the_poll_that_it_was_entered_in() {
    let mut play = Play::new(sequence([wait(1.0), wait(1.0)]));
    play.poll(0.0);
    assert_eq!(play.poll(5.0), R, "late");
    assert_eq!(play.wake(), Some(6.0));
    assert_eq!(play.poll(6.0), S);
}

#[test]
fn short_waits_are_as_short_as_they_say() {
    let mut play = Play::new(wait(0.01));
    play.poll(0.0);
    assert_eq!(play.poll(0.009), R);
    assert_eq!(play.poll(0.01), S);
    let mut play = Play::new(wait(0.0));
    assert_eq!(play.poll(0.0), S, "its timer is due in this poll");
}

#[test]
fn wait_frames_counts_the_poll_that_it_is_entered_in() {
    let mut play = Play::new(frames(100));
    for _ in 1..100 {
        assert_eq!(play.again(), R);
    }
    assert_eq!(play.again(), S);
    for polls in [0, 1] {
        assert_eq!(Play::new(frames(polls)).again(), S);
    }
}

#[test]
fn a_loop_starts_again_in_the_same_poll_only_if_its_run_had_blocked() {
    let mut play = Play::new(starts("a")).looping();
    play.poll(0.0);
    play.end("a", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a a:S +a");
    let mut play = Play::new(now("a")).looping();
    assert_eq!(play.polls(), [S, S]);
    assert_eq!(play.brief(), "+a a:S +a a:S");
    assert_eq!(
        play.wake(),
        Some(0.0),
        "the next run waits for the next poll"
    );
    // The run that begins in the same poll, and ends at once, is the last of it.
    let mut play = Play::new(starts("a")).looping();
    play.reply("a", [R, F]);
    play.poll(0.0);
    play.end("a", true);
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "+a a:S +a a:F");
}

#[test]
fn once_stops_and_keeps_the_result() {
    for result in [true, false] {
        let mut play = Play::new(now("a"));
        play.reply("a", [result]);
        let status = if result { S } else { F };
        assert_eq!(play.polls(), [status, status]);
        assert_eq!(play.brief().matches('+').count(), 1);
        assert_eq!(play.runner.result(), Some(result));
        assert!(!play.runner.is_running());
        assert_eq!(play.wake(), None);
        // It can be started again.
        play.runner.start();
        assert_eq!(play.runner.result(), None);
        assert_eq!(play.again(), S);
    }
}

#[test]
fn a_file_says_its_mode_and_a_runner_overrides_it() {
    let file = |mode: Option<&str>| {
        let mut tree = TreeAsset::build("main", "probe", now("a"));
        if let (Some(mode), Some(root)) = (mode, tree.node_mut(0)) {
            root.extra.insert("mode".into(), mode.into());
        }
        Play::of([tree]).unwrap()
    };
    for (mode, runner_mode, again) in [
        (None, None, true),
        (Some("loop"), None, true),
        (Some("once"), None, false),
        (Some("once"), Some(Mode::Loop), true),
        (None, Some(Mode::Once), false),
    ] {
        let mut play = file(mode);
        let runner = Runner::new(play.runner.trees(), "main").unwrap();
        play.runner = match runner_mode {
            Some(mode) => runner.mode(mode),
            None => runner,
        };
        play.runner.start();
        assert_eq!(play.polls(), [S, S]);
        let runs = play.brief().matches('+').count();
        assert_eq!(runs == 2, again, "{mode:?} {runner_mode:?}");
    }
}

#[test]
fn writes_of_an_action_take_effect_at_once() {
    let mut play = Play::new(sequence([now("a"), key_true("k"), arg_true("k")]));
    play.on_call("a", |cx| {
        cx.set("k", true);
        assert_eq!(cx.get("k"), true);
    });
    assert_eq!(play.poll(0.0), S);
}

#[test]
fn those_who_watch_react_when_the_leaf_has_returned() {
    let watching = starts("b").guard(guard_key("k").set("abort", "self"));
    let mut play = Play::new(parallel(2, 2, [watching, sequence([now("a"), now("c")])]));
    play.set("k", true).on_call("a", |cx| cx.set("k", false));
    assert_eq!(play.poll(0.0), F, "one of each");
    assert_eq!(play.brief(), "+b +a a:S b:A +c c:S");
    // The same from a leaf that waits, and one that is called again.
    for leaf in [starts("a"), polled("a")] {
        let watching = starts("b").guard(guard_key("k").set("abort", "self"));
        let mut play = Play::new(parallel(2, 2, [watching, leaf, now("c")]));
        play.set("k", true).on_call("a", |cx| cx.set("k", false));
        play.poll(0.0);
        assert_eq!(play.brief(), "+b +a b:A +c c:S");
    }
}

#[test]
fn event_fired_by_an_action_is_delivered_in_the_same_poll() {
    let waiter = sequence([wait_event("go"), now("b")]);
    let firing = sequence([now("a"), now("c")]);
    let mut play = Play::new(parallel(2, 1, [waiter, firing]));
    play.on_call("a", |cx| cx.fire(bt_core::Event::new("go")));
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "+a a:S +c c:S +b b:S");
    // A polled leaf has its turn after the deliveries; what it fires is delivered, too.
    let waiter = sequence([wait_event("go"), now("b")]);
    let mut play = Play::new(parallel(2, 1, [waiter, polled("a")]));
    let mut calls = 0;
    play.on_call("a", move |cx| {
        calls += 1;
        if calls == 2 {
            cx.fire(bt_core::Event::new("go"));
        }
    });
    play.poll(0.0);
    play.again();
    assert_eq!(play.brief(), "+a ~a +b b:S");
}

#[test]
fn stop_load_and_reset_act_when_the_leaf_returns_before_anything_is_entered() {
    let make = || {
        let main = sequence([paired("n", sequence([now("a"), now("b")])), now("c")]);
        let mut play = Play::trees([("main", main), ("other", starts("d"))]);
        play.set("k", 1);
        play
    };
    let mut play = make();
    play.on_call("a", |cx| cx.stop());
    play.poll(0.0);
    assert_eq!(play.brief(), "+n +a a:S -n");
    assert!(!play.runner.is_running());

    let mut play = make();
    play.on_call("a", |cx| cx.load("other"));
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.brief(), "+n +a a:S -n +d");
    assert_eq!(play.runner.tree(), "other");

    let mut play = make();
    let mut first = true;
    play.on_call("a", move |cx| {
        if std::mem::take(&mut first) {
            cx.reset();
        }
    });
    assert_eq!(play.poll(0.0), R, "it starts in the next poll");
    assert_eq!(play.brief(), "+n +a a:S -n");
    assert!(!play.runner.blackboard().has("k"));
    assert_eq!(play.poll(0.0), S);
}

#[test]
fn a_panic_is_a_failure_with_a_diagnostic_and_guards_drop() {
    let mut play = Play::new(select([panics("a"), now("b")]));
    assert_eq!(play.poll(0.0), S);
    let log = ["enter a", "exit a failure", "drop a"];
    assert_eq!(play.log()[..3], log);
    let why = play.diagnostics();
    assert!(why[0].contains("node 2 (action `panics`)") && why[0].ends_with("a panics"));
    // One that was called before, too, and what it wrote stays.
    for leaf in [polled("a"), starts("a")] {
        let is_polled = leaf == polled("a");
        let mut play = Play::new(leaf);
        play.on_call("a", |cx| cx.set("k", 1));
        match is_polled {
            true => play.reply("a", [Reply::On, Reply::Panic]),
            false => play.reply("a", [Reply::Panic]),
        };
        while play.again() == R {}
        assert_eq!(play.runner.result(), Some(false));
        assert_eq!(play.runner.blackboard().get("k"), 1);
        assert_eq!(play.diagnostics().len(), 1);
    }
}

#[test]
fn a_late_completion_is_ignored() {
    let mut play = Play::new(parallel(1, 1, [starts("a"), starts("b")])).looping();
    play.poll(0.0);
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "+a +b b:S a:A +a +b");
    // Of the run before.
    assert!(play.end_call("a", 0, true), "nobody answered");
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "");
    let none: [&str; 0] = [];
    assert_eq!(play.diagnostics(), none);
    play.end("a", true);
    play.again();
    assert!(play.brief().starts_with("a:S"));
}

#[test]
fn finish_from_outside_ends_a_leaf_and_a_late_one_is_ignored() {
    let mut play = Play::new(sequence([starts("a"), starts("b")]));
    play.poll(0.0);
    let id = play.runner.active_leaves()[0].id;
    play.runner.finish(id, true);
    play.runner.finish(id, true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a a:S +b");
    let late = id;
    play.runner.finish(late, false);
    assert_eq!(play.again(), R);
    let id = play.runner.active_leaves()[0].id;
    play.runner.finish(id, false);
    assert_eq!(play.again(), F);
}

#[test]
fn a_status_action_is_called_with_the_time_of_each_poll() {
    let mut play = Play::new(polled("a"));
    let (send, receive) = std::sync::mpsc::channel();
    play.on_call("a", move |cx| send.send(cx.now()).unwrap_or_default());
    for seconds in [1.0, 2.5, 2.0] {
        play.poll(seconds);
    }
    let times: Vec<_> = receive.try_iter().collect();
    assert_eq!(times, [1000, 2500, 2500].map(Duration::from_millis));
}

#[test]
fn conditions_are_leaves_that_end_at_once() {
    let mut play = Play::new(reactive_sequence([holds("x"), polled("a")]));
    play.flag("x", true);
    assert_eq!(play.polls(), [R, R]);
    play.flag("x", false);
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "?x +a ?x ~a ?x a:A");
    assert_eq!(Play::new(node("always_running")).again(), R);
}

mod touched {
    use bt_core::prelude::*;
    use bt_core::tree::asset::spec::{
        NodeSpec, action, check, condition, select, sequence, set, wait_event,
    };
    use bt_core::{Mode, Runner, TreeAsset, TreeSet};
    use std::time::Duration;

    #[derive(Agent, Default)]
    struct Hawkmoth {
        #[property]
        lamps: u32,
    }

    #[agent]
    impl Hawkmoth {
        #[event]
        fn dawn();

        #[action]
        fn circle(&mut self) {
            self.lamps += 1;
        }

        #[action(exit = "settle")]
        fn glow(&mut self) -> Option<bool> {
            None
        }

        fn settle(&mut self, _cx: &mut Context, _exit: Exit) {
            self.lamps += 1;
        }

        #[condition]
        fn is_near(&self) -> bool {
            self.lamps > 0
        }
    }

    fn runner(top: NodeSpec) -> Runner<Hawkmoth> {
        let mut trees = TreeSet::new();
        trees.add(TreeAsset::build("fly", "hawkmoth", top));
        let runner = Runner::new(&trees.build().unwrap(), "fly").unwrap();
        let mut runner = runner.mode(Mode::Once);
        runner.start();
        runner
    }

    fn touched(top: NodeSpec) -> bool {
        let poll = runner(top).poll(&mut Hawkmoth::default(), Duration::ZERO);
        poll.touched
    }

    #[test]
    fn poll_says_whether_a_call_may_have_changed_the_agent() {
        assert!(touched(action("circle")));
        assert!(touched(sequence([action("nop"), action("circle")])));
        assert!(touched(set([("@lamps", "2")])));
        assert!(!touched(action("nop")));
        assert!(!touched(select([
            condition("is_near"),
            check("@lamps > 3")
        ])));
    }

    #[test]
    fn poll_without_a_call_touches_nothing_and_an_exit_does() {
        let both = sequence([wait_event("dawn"), action("circle")]);
        let mut runner = runner(both);
        let mut moth = Hawkmoth::default();
        assert!(!runner.poll(&mut moth, Duration::ZERO).touched);
        assert!(
            !runner.poll(&mut moth, Duration::from_secs(1)).touched,
            "it sleeps"
        );
        runner.fire(Hawkmoth::dawn());
        assert!(runner.poll(&mut moth, Duration::from_secs(2)).touched);
        assert!(
            !runner.poll(&mut moth, Duration::from_secs(3)).touched,
            "it has ended"
        );

        let mut runner = self::runner(action("glow"));
        assert!(runner.poll(&mut moth, Duration::from_secs(3)).touched);
        assert!(!runner.poll(&mut moth, Duration::from_secs(4)).touched);
        runner.reset();
        assert!(
            runner.poll(&mut moth, Duration::from_secs(5)).touched,
            "the exit method ran"
        );
        assert_eq!(moth.lamps, 2);
    }
}
