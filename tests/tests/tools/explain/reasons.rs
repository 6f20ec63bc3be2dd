//! Reasons for standing still, one each, planted: the runner names the cause and the node whether it is traced
//! or not, and its trace alone says the same in the same words.

use std::any::Any;
use std::time::Duration;

use bt_core::explain::{Explainer, Explanation};
use bt_core::prelude::*;
use bt_core::trace::{JsonLines, read_lines};
use bt_core::tree::asset::spec::{
    NodeSpec, action, condition, guard, node, parallel, reactive_select, select, sequence,
    sub_tree, wait_event,
};
use bt_core::{Mode, Runner, TreeAsset, TreeSet};
use bt_tests::probe::agree;
use serde_json::{Value, json};

#[derive(Agent, Default)]
struct Troll {
    completions: Vec<Completion>,
    angry: bool,
}

#[agent]
impl Troll {
    /// Waits for what it is told to wait for.
    #[action]
    fn rests(&mut self, cx: &mut Context, until: &str) -> Option<bool> {
        match until {
            "time" => cx.finish_after(Duration::from_millis(2_500), true),
            "polls" => cx.finish_after_polls(5, true),
            "completion" => self.completions.push(cx.completion()),
            "dropped completion" => drop(cx.completion()),
            "nothing" => {}
            event => cx.finish_on(event, true),
        }
        None
    }

    /// Is slow to cancel.
    #[action(exit = "tidy")]
    fn digs(&mut self, cx: &mut Context) -> Option<bool> {
        self.completions.push(cx.completion());
        None
    }

    fn tidy(&mut self, _cx: &mut Context, exit: Exit) -> Option<bool> {
        (exit != Exit::Aborted).then_some(true)
    }

    #[action]
    fn chases(&mut self, _prey: u64) -> Status {
        Status::Running
    }

    #[action]
    fn roars(&mut self) {}

    #[action]
    fn shoots(&mut self) -> Result<(), String> {
        Err("no ammo".to_owned())
    }

    #[action]
    fn stumbles(&mut self) {
        panic!("there is a hole");
    }

    #[condition]
    fn angry(&self) -> bool {
        self.angry
    }

    #[condition]
    fn near(range: f64) -> bool {
        range < 9.0
    }

    #[event]
    fn heard();

    #[event]
    fn hit(hard: u32);
}

/// A troll that stands still.
struct Planted {
    troll: Troll,
    runner: Runner<Troll>,
}

impl Planted {
    fn set(&mut self, key: &str, value: impl Into<Value>) -> &mut Planted {
        self.runner.blackboard().set(key, value);
        self
    }

    fn poll(&mut self, seconds: f64) -> &mut Planted {
        let now = Duration::from_secs_f64(seconds);
        self.runner.poll(&mut self.troll, now);
        self
    }

    fn stop(&mut self, seconds: f64) {
        let now = Duration::from_secs_f64(seconds);
        self.runner.stop(&mut self.troll, now);
    }

    /// What the trace alone says; it ends there.
    fn traced_at(&mut self, now: Duration) -> Explanation {
        let tracer: Box<dyn Any> = self.runner.set_tracer(None).expect("it was traced");
        let lines = *tracer.downcast::<JsonLines<Vec<u8>>>().expect("lines");
        let mut explainer = Explainer::new();
        for line in read_lines(&*lines.finish().unwrap()) {
            explainer.apply(&line.unwrap().1).unwrap();
        }
        explainer.explain_at(now).expect("it is explained")
    }
}

/// Lets a troll stand still for a reason that the explanation at a time must name; of several trees the first
/// one runs.
fn trees(
    trees: &[(&str, NodeSpec)],
    plant: impl Fn(&mut Planted),
    seconds: f64,
    expected: &[&str],
) {
    let mut set = TreeSet::<Troll>::new();
    for (name, top) in trees {
        set.add(TreeAsset::build(*name, "troll", top.clone()));
    }
    let set = set.build().unwrap_or_else(|error| panic!("{error}"));
    let now = Duration::from_secs_f64(seconds);
    let names_it = |words: &str, whose: &str| {
        for line in expected {
            assert!(words.contains(line), "{whose}: no `{line}` in\n{words}");
        }
    };
    for is_traced in [false, true] {
        let mut runner = Runner::new(&set, trees[0].0).unwrap();
        if is_traced {
            runner.set_tracer(Some(Box::new(JsonLines::new(Vec::new()))));
        }
        let troll = Troll::default();
        let mut planted = Planted { troll, runner };
        plant(&mut planted);
        let live = planted.runner.explain_at(now);
        names_it(&live.to_string(), "the runner");
        if is_traced {
            let traced = planted.traced_at(now);
            agree(&live, &traced);
            names_it(&traced.to_string(), "the trace");
            assert_eq!(reasons(&traced), reasons(&live));
        }
    }
}

/// The words but for the number of the last poll; a trace also knows what became of events.
fn reasons(explanation: &Explanation) -> String {
    let words = explanation.to_string();
    let lines = words.lines().skip(1);
    let lines: Vec<_> = lines.filter(|line| !line.starts_with("event: ")).collect();
    lines.join("\n")
}

/// The same of one tree, which was started.
fn reason(top: NodeSpec, plant: impl Fn(&mut Planted), seconds: f64, expected: &[&str]) {
    let start = |planted: &mut Planted| {
        planted.runner.start();
        plant(planted);
    };
    trees(&[("main.json", top)], start, seconds, expected);
}

fn rests(until: &str) -> NodeSpec {
    action("rests").arg(until)
}

fn timed(kind: &str, seconds: f64, child: NodeSpec) -> NodeSpec {
    node(kind).extra("seconds", seconds).child(child)
}

// The tree as a whole.

#[test]
fn never_started() {
    let top = [("main.json", rests("time"))];
    let poll = |it: &mut Planted| {
        it.poll(1.0);
    };
    trees(&top, poll, 1.0, &["main.json never ran: call `start()`"]);
}

#[test]
fn never_polled() {
    let says = "main.json begins in the next poll: poll it; it was not polled yet";
    reason(rests("time"), |_| {}, 9.0, &[says]);
}

#[test]
fn nobody_polls_it() {
    let says = [
        "waiting: main.json: node 1 (action `rests`)",
        "overdue: poll it: the last poll was at 1 s, and it wanted to be woken at 3.5 s",
        "  until 3.5 s, 5.5 s ago",
    ];
    reason(
        rests("time"),
        |it| {
            it.poll(1.0);
        },
        9.0,
        &says,
    );
}

#[test]
fn nobody_polls_it_for_its_timeout() {
    let says = "overdue: poll it: the last poll was at 1 s, and it wanted to be woken at 4 s";
    let top = timed("timeout", 3.0, rests("heard"));
    reason(
        top,
        |it| {
            it.poll(1.0);
        },
        9.0,
        &[says],
    );
}

#[test]
fn paused() {
    let plant = |it: &mut Planted| {
        it.poll(1.0).poll(2.0).runner.pause();
        it.poll(9.0);
    };
    let says = [
        "main.json is paused since 2 s: call `resume()`",
        "  until 1.5 s after it is resumed",
    ];
    reason(rests("time"), plant, 9.0, &says);
}

#[test]
fn paused_before_its_first_poll() {
    let plant = |it: &mut Planted| {
        it.runner.pause();
        it.poll(1.0);
    };
    let says = "main.json begins in the first poll after it is resumed";
    reason(rests("time"), plant, 2.0, &[says]);
}

#[test]
fn resumed_and_not_polled_since() {
    let plant = |it: &mut Planted| {
        it.poll(1.0).runner.pause();
        it.poll(9.0).runner.resume();
    };
    // It was paused with 2.5 s left, and the next poll ends the pause.
    let says = ["  until 14.5 s, in 2.5 s", "overdue: poll it"];
    reason(rests("time"), plant, 12.0, &says);
}

#[test]
fn waits_longer_for_a_pause() {
    let plant = |it: &mut Planted| {
        it.poll(1.0).runner.pause();
        it.poll(9.0).runner.resume();
        it.poll(10.0);
    };
    let top = timed("timeout", 8.0, rests("time"));
    let says = [
        "waiting: main.json: node 2 (action `rests`)",
        "  until 12.5 s, in 0.5 s",
        "  aborted by node 1 (timeout) at 18 s, in 6 s",
    ];
    reason(top, plant, 12.0, &says);
}

#[test]
fn stopped() {
    let plant = |it: &mut Planted| it.poll(1.0).stop(2.0);
    let says = "main.json was stopped: call `start()`";
    reason(rests("time"), plant, 2.0, &[says]);
}

#[test]
fn stopped_and_cancelling() {
    let plant = |it: &mut Planted| it.poll(1.0).stop(2.0);
    let says = [
        "main.json was stopped, and is still cancelling",
        "cancelling: main.json: node 1 (action `digs`)",
        "  until its `Completion` is finished, by whoever holds it",
        "  it was aborted, and its clean-up has not ended",
    ];
    reason(action("digs"), plant, 3.0, &says);
}

#[test]
fn ended_with_success() {
    let plant = |it: &mut Planted| {
        it.runner.set_mode(Mode::Once);
        it.poll(1.0);
    };
    let says = "main.json ended with success, and does not begin again: call `start()`";
    reason(action("roars"), plant, 1.0, &[says]);
}

#[test]
fn ended_with_failure() {
    let plant = |it: &mut Planted| {
        it.runner.set_mode(Mode::Once);
        it.poll(1.0);
    };
    let says = [
        "main.json ended with failure, and does not begin again: call `start()`",
        "failed: main.json: node 2 (action `shoots`): no ammo",
        "  in main.json: 0 root > 1 sequence",
    ];
    reason(sequence([action("shoots")]), plant, 1.0, &says);
}

#[test]
fn clock_went_back() {
    let says = "polled at 3 s, after 10 s: the clock went back, so no time passes";
    let plant = |it: &mut Planted| {
        it.poll(10.0).poll(3.0);
    };
    reason(rests("time"), plant, 3.0, &[says]);
}

#[test]
fn budget_exceeded() {
    let plant = |it: &mut Planted| {
        it.runner.set_budget(4);
        it.poll(1.0);
    };
    let busy = sequence([action("roars"), action("roars"), action("roars")]);
    let says = [
        "budget exceeded: the last poll entered as many nodes as its budget allows",
        "waiting: main.json: node 4 (action `roars`)",
    ];
    reason(
        node("repeat").extra("count", -1).child(busy),
        plant,
        1.0,
        &says,
    );
}

// What fails in every poll.

#[test]
fn action_fails_every_poll_with_a_reason() {
    let plant = |it: &mut Planted| {
        for second in 0..100 {
            it.poll(f64::from(second));
        }
        let diagnostics = it.runner.diagnostics();
        assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
        assert!(diagnostics[0].to_string().contains("failed: no ammo"));
    };
    let says = [
        "main.json failed in the last poll, and begins again in the next",
        "failed: main.json: node 3 (action `shoots`): no ammo (100 times of late, last at 99 s, in poll 100)",
        "  in main.json: 0 root > 1 sequence",
    ];
    reason(
        sequence([action("roars"), action("shoots")]),
        plant,
        99.0,
        &says,
    );
}

#[test]
fn condition_fails_every_poll() {
    let says = [
        "main.json failed in the last poll, and begins again in the next",
        "failed: main.json: node 2 (condition `angry`)",
        "  in main.json: 0 root > 1 sequence",
    ];
    let plant = |it: &mut Planted| {
        it.poll(1.0).poll(2.0);
    };
    reason(
        sequence([condition("angry"), rests("time")]),
        plant,
        2.0,
        &says,
    );
}

#[test]
fn guard_refuses_every_poll() {
    let says = [
        "main.json failed in the last poll, and begins again in the next",
        "refused: main.json: node 1 (action `roars`)",
        "  its guard `angry` does not hold, last evaluated at 2 s, in poll 2",
    ];
    let plant = |it: &mut Planted| {
        it.poll(1.0).poll(2.0);
    };
    reason(action("roars").guard(guard("angry")), plant, 2.0, &says);
}

#[test]
fn key_is_missing() {
    let says = [
        "main.json failed in the last poll, and begins again in the next",
        "wrong: main.json: node 2 (action `chases`): `chases`: argument `prey` takes blackboard key `prey`, which \
         is not set (2 times of late",
    ];
    let plant = |it: &mut Planted| {
        it.poll(1.0).poll(2.0);
    };
    reason(sequence([action("chases").key("prey")]), plant, 2.0, &says);
}

#[test]
fn key_has_another_type() {
    let says = [
        "main.json failed in the last poll, and begins again in the next",
        "wrong: main.json: node 1 (action `chases`): ",
        "key `prey`",
    ];
    let plant = |it: &mut Planted| {
        it.set("prey", "the hen").poll(1.0);
    };
    reason(action("chases").key("prey"), plant, 1.0, &says);
}

#[test]
fn action_panics_every_poll() {
    let says = [
        "main.json failed in the last poll, and begins again in the next",
        "wrong: main.json: node 1 (action `stumbles`): it panicked: there is a hole",
    ];
    let plant = |it: &mut Planted| {
        it.poll(1.0).poll(2.0);
    };
    reason(action("stumbles"), plant, 2.0, &says);
}

#[test]
fn completion_is_dropped() {
    let says = [
        "main.json: node 1 (action `rests`): it failed: the last `Completion` of its call was dropped unused",
    ];
    let plant = |it: &mut Planted| {
        it.poll(1.0).poll(2.0);
    };
    reason(rests("dropped completion"), plant, 2.0, &says);
}

#[test]
fn all_weights_are_zero() {
    let says = [
        "main.json failed in the last poll, and begins again in the next",
        "wrong: main.json: node 1 (probility)",
    ];
    let top = node("probility")
        .extra("prob", json!([0]))
        .child(action("roars"));
    reason(
        top,
        |it| {
            it.poll(1.0);
        },
        1.0,
        &says,
    );
}

#[test]
fn called_tree_fails_every_poll() {
    let plant = |it: &mut Planted| {
        it.runner.start();
        it.poll(1.0).poll(2.0);
        let diagnostics = it.runner.diagnostics();
        assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
        assert_eq!(
            diagnostics[0].path(),
            "main.json: 0 root > 1 sub_tree `arm.json` > arm.json: 0 root"
        );
    };
    let says = [
        "main.json failed in the last poll, and begins again in the next",
        "failed: arm.json: node 1 (action `shoots`): no ammo",
    ];
    let all = [
        ("main.json", sub_tree("arm.json")),
        ("arm.json", action("shoots")),
    ];
    trees(&all, plant, 2.0, &says);
}

// What waits.

#[test]
fn waits_for_a_time() {
    let says = [
        "waiting: main.json: node 2 (action `wait_for_seconds`)",
        "  in main.json: 0 root > 1 sequence",
        "  since 1 s, for 2 s",
        "  until 11 s, in 8 s",
    ];
    let top = sequence([action("wait_for_seconds").arg(10.0)]);
    reason(
        top,
        |it| {
            it.poll(1.0);
        },
        3.0,
        &says,
    );
}

#[test]
fn waits_for_polls() {
    let says = [
        "waiting: main.json: node 1 (action `rests`)",
        "  until poll 5",
    ];
    reason(
        rests("polls"),
        |it| {
            it.poll(1.0).poll(2.0);
        },
        2.0,
        &says,
    );
}

#[test]
fn waits_for_an_event() {
    let says = [
        "waiting: main.json: node 1 (wait_event `heard`)",
        "  until event `heard` comes: fire it at its runner",
    ];
    reason(
        wait_event("heard"),
        |it| {
            it.poll(1.0);
        },
        3.0,
        &says,
    );
}

#[test]
fn waits_for_a_misspelt_event() {
    let says = [
        "waiting: main.json: node 1 (wait_event `heart`)",
        "  the agent registers no event `heart`; did you mean `heard`?",
    ];
    reason(
        wait_event("heart"),
        |it| {
            it.poll(1.0);
        },
        3.0,
        &says,
    );
}

#[test]
fn action_waits_for_a_misspelt_event() {
    let says = [
        "waiting: main.json: node 1 (action `rests`)",
        "  the agent registers no event `haerd`; did you mean `heard`?",
        "wrong: main.json: node 1 (action `rests`): it waits for event `haerd`, which the agent does not \
         register; did you mean `heard`?",
    ];
    reason(
        rests("haerd"),
        |it| {
            it.poll(1.0);
        },
        3.0,
        &says,
    );
}

#[test]
fn action_waits_for_an_event_like_no_other() {
    let says = [
        "waiting: main.json: node 1 (action `rests`)",
        "  the agent registers no event `nevr`",
    ];
    reason(
        rests("nevr"),
        |it| {
            it.poll(1.0);
        },
        3.0,
        &says,
    );
}

#[test]
fn event_is_not_delivered_yet() {
    let plant = |it: &mut Planted| {
        it.poll(1.0).runner.fire(Event::new("heard"));
    };
    let says = [
        "queued: `heard`, not delivered yet",
        "overdue: poll it: the last poll was at 1 s, and it wanted another as soon as there is one",
    ];
    reason(wait_event("heard"), plant, 3.0, &says);
}

#[test]
fn event_is_refused() {
    let plant = |it: &mut Planted| {
        it.poll(1.0)
            .runner
            .fire(Event::new("hit").with("hard", "very"));
        it.poll(2.0);
    };
    let says = [
        "waiting: main.json: node 1 (wait_event `hit`)",
        "event `hit` is not delivered: parameter `hard`",
    ];
    reason(wait_event("hit"), plant, 2.0, &says);
}

#[test]
fn another_event_was_fired() {
    let plant = |it: &mut Planted| {
        it.poll(1.0).runner.fire(Event::new("heart"));
        it.poll(2.0);
    };
    let says = [
        "waiting: main.json: node 1 (wait_event `heard`)",
        "event `heart` was fired, which nothing waits for and no agent registers; did you mean `heard`?",
    ];
    reason(wait_event("heard"), plant, 2.0, &says);
}

#[test]
fn nobody_finishes_its_completion() {
    let says = [
        "waiting: main.json: node 1 (action `rests`)",
        "  until its `Completion` is finished, by whoever holds it",
    ];
    reason(
        rests("completion"),
        |it| {
            it.poll(1.0);
        },
        3.0,
        &says,
    );
}

#[test]
fn nothing_can_finish_it() {
    let says = [
        "waiting: main.json: node 1 (action `rests`)",
        "  it returned `None`, and nothing can finish it",
    ];
    reason(
        rests("nothing"),
        |it| {
            it.poll(1.0);
        },
        3.0,
        &says,
    );
}

#[test]
fn is_called_every_poll_and_does_not_end() {
    let says = [
        "waiting: main.json: node 1 (action `chases`)",
        "  with key `prey` = 7",
        "  it is called again in each poll, and has not ended",
    ];
    let plant = |it: &mut Planted| {
        it.set("prey", 7).poll(1.0).poll(2.0);
    };
    reason(action("chases").key("prey"), plant, 2.0, &says);
}

#[test]
fn always_running() {
    let says = [
        "waiting: main.json: node 1 (always_running)",
        "  nothing can end it",
    ];
    reason(
        node("always_running"),
        |it| {
            it.poll(1.0);
        },
        3.0,
        &says,
    );
}

#[test]
fn delay_has_not_passed() {
    let says = ["waiting: main.json: node 1 (delay)", "  until 4 s, in 2 s"];
    reason(
        timed("delay", 3.0, action("roars")),
        |it| {
            it.poll(1.0);
        },
        2.0,
        &says,
    );
}

#[test]
fn frames_have_not_passed() {
    let says = [
        "waiting: main.json: node 2 (action `rests`)",
        "  aborted by node 1 (frames) in poll 9",
    ];
    let top = node("frames").extra("count", 9).child(rests("heard"));
    reason(
        top,
        |it| {
            it.poll(1.0);
        },
        2.0,
        &says,
    );
}

#[test]
fn one_child_of_a_parallel_does_not_end() {
    let says = [
        "waiting: main.json: node 3 (wait_event `heard`)",
        "  in main.json: 0 root > 1 parallel",
    ];
    let top = parallel(2, 2, [action("roars"), wait_event("heard")]);
    reason(
        top,
        |it| {
            it.poll(1.0);
        },
        2.0,
        &says,
    );
}

#[test]
fn called_tree_waits() {
    let plant = |it: &mut Planted| {
        it.runner.start();
        it.poll(1.0);
    };
    let says = [
        "waiting: nap.json: node 1 (wait_event `heard`)",
        "  in main.json: 0 root > 1 sub_tree `nap.json` > nap.json: 0 root",
    ];
    let all = [
        ("main.json", sub_tree("nap.json")),
        ("nap.json", wait_event("heard")),
    ];
    trees(&all, plant, 2.0, &says);
}

#[test]
fn tree_is_suspended_by_an_event() {
    let plant = |it: &mut Planted| {
        it.runner.start();
        it.poll(1.0).runner.fire(Event::new("heard"));
        it.poll(2.0);
    };
    let says = [
        "suspended: main.json at 2 s by event `heard`, which main.json: node 1 (action `rests`) took: it \
         resumes when nap.json has ended",
        "waiting, suspended: main.json: node 1 (action `rests`)",
        "waiting: nap.json: node 1 (action `rests`)",
    ];
    let taken = json!([{"event": "heard", "tree": "nap.json", "mode": "return"}]);
    let all = [
        ("main.json", rests("polls").extra("events", taken)),
        ("nap.json", rests("completion")),
    ];
    trees(&all, plant, 3.0, &says);
}

#[test]
fn aborted_node_is_cancelling() {
    let plant = |it: &mut Planted| {
        it.set("range", 1.0).poll(1.0);
        it.set("range", 20.0).poll(2.0);
    };
    let near = guard("near").key("range").set("abort", "self");
    let top = select([action("digs").guard(near), wait_event("heard")]);
    let says = [
        "cancelling: main.json: node 2 (action `digs`)",
        "  it was aborted, and its clean-up has not ended",
    ];
    reason(top, plant, 3.0, &says);
}

#[test]
fn restored_and_polled_once_since() {
    let plant = |it: &mut Planted| {
        it.poll(1.0).poll(2.0);
        let tracer = it.runner.set_tracer(None);
        let saved = it.runner.save();
        let restored = Runner::restore(it.runner.trees(), &saved).unwrap();
        it.runner = restored.at(Duration::from_secs(50));
        it.runner.set_tracer(tracer.map(|_| {
            let lines: Box<dyn bt_core::trace::Tracer> = Box::new(JsonLines::new(Vec::new()));
            lines
        }));
        it.poll(51.0);
    };
    // 1.5 s were left of it when it was saved at 2 s.
    let says = [
        "waiting: main.json: node 1 (action `wait_for_seconds`)",
        "  until 51.5 s, in 0.5 s",
    ];
    reason(action("wait_for_seconds").arg(2.5), plant, 51.0, &says);
}

// What is not entered.

#[test]
fn guard_does_not_hold_and_would_take_over() {
    let near = guard("near").key("range").set("abort", "lower");
    let says = [
        "waiting: main.json: node 3 (wait_event `heard`)",
        "refused: main.json: node 2 (action `roars`)",
        "  its guard `near`(key `range` = 20.5) does not hold, last evaluated",
        "  as soon as it holds, it takes over from what runs",
    ];
    let top = select([action("roars").guard(near), wait_event("heard")]);
    reason(
        top,
        |it| {
            it.set("range", 20.5).poll(1.0);
        },
        3.0,
        &says,
    );
}

#[test]
fn reactive_node_evaluates_an_earlier_child() {
    let says = [
        "waiting: main.json: node 3 (wait_event `heard`)",
        "  aborted when an earlier child of node 1 (reactive_select) takes over",
    ];
    let top = reactive_select([condition("angry"), wait_event("heard")]);
    reason(
        top,
        |it| {
            it.poll(1.0).poll(2.0);
        },
        2.0,
        &says,
    );
}

#[test]
fn cooldown_has_not_passed() {
    let says = [
        "refused: main.json: node 2 (cooldown)",
        "  it cools down for 7 s more",
    ];
    let top = select([timed("cooldown", 9.0, action("roars")), wait_event("heard")]);
    reason(
        top,
        |it| {
            it.poll(1.0).poll(2.0);
        },
        3.0,
        &says,
    );
}

#[test]
fn cooldown_lasts_longer_for_a_pause() {
    let plant = |it: &mut Planted| {
        it.poll(1.0).poll(2.0).runner.pause();
        it.poll(8.0).runner.resume();
        it.poll(9.0);
    };
    // Of 9 s one had passed when it was paused at 2 s, and the poll at 9 s ends the pause.
    let says = ["  it cools down for 7 s more"];
    let top = select([timed("cooldown", 9.0, action("roars")), wait_event("heard")]);
    reason(top, plant, 10.0, &says);
}

#[test]
fn run_limit_is_reached() {
    let says = [
        "refused: main.json: node 2 (run_limit)",
        "  its child has run as often as it may: 2 times",
    ];
    let limit = node("run_limit").extra("count", 2).child(action("roars"));
    let plant = |it: &mut Planted| {
        it.poll(1.0).poll(2.0).poll(3.0);
    };
    reason(select([limit, wait_event("heard")]), plant, 3.0, &says);
}

#[test]
fn once_failed() {
    let says = [
        "refused: main.json: node 2 (once)",
        "  it failed once, and so it does each time",
    ];
    let once = node("once").child(action("shoots"));
    let plant = |it: &mut Planted| {
        it.poll(1.0);
    };
    reason(select([once, wait_event("heard")]), plant, 2.0, &says);
}

#[test]
fn guard_aborted_its_node() {
    let plant = |it: &mut Planted| {
        it.set("range", 1.0).poll(1.0);
        it.set("range", 20.0).poll(2.0);
    };
    let near = guard("near").key("range").set("abort", "both");
    let says = [
        "waiting: main.json: node 3 (wait_event `heard`)",
        "refused: main.json: node 2 (action `rests`)",
        "  its guard `near`(key `range` = 20.0) does not hold",
    ];
    let top = select([rests("completion").guard(near), wait_event("heard")]);
    reason(top, plant, 3.0, &says);
}

#[test]
fn guard_that_runs_would_abort_it() {
    let near = guard("near").key("range").set("abort", "self");
    let says = [
        "waiting: main.json: node 1 (action `rests`)",
        "  aborted when guard `near`(key `range` = 1.0) of node 1 (action `rests`) no longer holds",
    ];
    let plant = |it: &mut Planted| {
        it.set("range", 1.0).poll(1.0);
    };
    reason(rests("completion").guard(near), plant, 3.0, &says);
}
