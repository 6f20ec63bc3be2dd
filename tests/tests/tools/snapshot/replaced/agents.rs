//! Agents that are saved while they do much of what there is to do.

use super::*;

/// An agent in the middle of nearly everything.
pub(crate) fn busy() -> Play {
    let events = json!([{"event": "told", "tree": "other", "mode": "return", "once": true}]);
    let watched = starts("w").guard(guard_key("k").negated().set("abort", "self"));
    let lower = sequence([now("l")]).guard(guard_key("k").set("abort", "lower"));
    let luck = of("random_seq", [starts("r1"), starts("r2"), starts("r3")]);
    let main = sequence([
        of("always_true", [timed("cooldown", 60.0, now("cool"))]),
        of("once", [now("once")]),
        select([
            of("memory_sequence", [now("m"), of("negative", [now("n")])]),
            now("z"),
        ]),
        parallel(
            12,
            12,
            [
                watched,
                luck.service(2.0, call("note").arg("served")),
                times("repeat", 3, sequence([wait(9.5), now("x")])),
                timed("timeout", 30.0, node("wait_event").extra("event", "go")),
                sub_tree("other"),
                of("reactive_select", [polled("p"), starts("q")]),
                timed("delay", 12.5, now("late")),
                select([lower, starts("s")]),
                times("frames", 100, starts("f")),
                times("loop", -1, now("i")),
                parallel(1, 1, [slow("a"), wait(0.5)]),
                parallel(2, 2, [now("y"), starts("v")]).extra("rerun", true),
            ],
        ),
    ]);
    let other = sequence([sub_tree("deep"), wait(3.0)]);
    let deep = sequence([starts("d"), sub_tree("deep")]);
    let trees = [
        ("main", main.extra("events", events)),
        ("other", other),
        ("deep", deep),
    ];
    let mut play = Play::trees(trees).with(|runner| runner.seed(5));
    play.probe.plain = true;
    play.set("k", false);
    play.poll(0.0);
    play.poll(0.5);
    play
}

/// The same, suspended.
pub(crate) fn suspended() -> Play {
    let mut play = busy();
    play.runner.fire(Event::new("told"));
    play.poll(0.5);
    assert_eq!(play.runner.tree(), "other");
    play.runner.fire(Event::new("go"));
    play
}

fn event(name: &str) -> NodeSpec {
    node("wait_event").extra("event", name)
}

/// Waits for events and polls, what is kept beyond ends, and what has arrived.
pub(super) fn waiting() -> Play {
    let cast = |name: &str| sequence([event("go").extra("broadcast", true), now(name)]);
    let any = parallel(1, 1, []).children([cast("any"), starts("z")]);
    let twice = [
        sequence([cast("a"), cast("b"), event("go"), now("c")]),
        sequence([event("told").extra("latch", true), frames(7), starts("d")]),
        any,
        parallel(4, 4, [polled("r"), now("s"), event("go"), frames(3)]).extra("rerun", true),
        times("until_success", -1, of("negative", [wait(0.25)])),
        of("while_loop", [holds("f"), frames(2)]),
        limits("l", 3, wait(1.5)),
        of("memory_select", [now("m"), starts("n")]),
        starts("on_event"),
        starts("on_polls"),
    ];
    let kept = sequence([
        of("always_true", [times("run_limit", 2, now("limited"))]),
        of("always_true", [times("success_until", 5, now("until"))]),
        of("always_true", [timed("cooldown", 9.0, now("cool"))]),
        of("once", [now("once")]),
        of(
            "always_true",
            [of(
                "memory_sequence",
                [now("first"), of("negative", [now("x")])],
            )],
        ),
    ]);
    let events = json!([{"event": "told", "tree": "other", "mode": "return"}]);
    let top = sequence([kept, parallel(10, 10, twice)]).extra("events", events);
    let other = sequence([wait(1.0), now("o")]);
    let mut play = Play::trees([("main", top), ("other", other)]).with(|runner| {
        runner
            .seed(3)
            .mode(Mode::Loop)
            .keep_results(true)
            .budget(300)
    });
    play.probe.plain = true;
    play.flag("f", true);
    play.reply("on_event", [Reply::Event("go", false)]);
    play.reply("on_polls", [Reply::Polls(5, true)]);
    play.set("gold", 12.5).set("names", json!(["a", {"b": 3}]));
    play.poll(0.0);
    play.runner.fire(Event::new("nobody_knows"));
    play.poll(0.25);
    play.runner
        .fire(Event::new("go").with("n", 7).with("list", json!([1, 2])));
    play.fire("told");
    let leaf = play.runner.active_leaves().last().unwrap().id;
    play.runner.finish(leaf, true);
    play
}

/// Its actions had completions and guards.
pub(super) fn pending() -> Play {
    let top = parallel(
        4,
        4,
        [starts("a"), slow("b"), polled("p"), starts("dropped")],
    );
    let mut play = Play::new(sequence([top, now("z")]));
    play.poll(0.0);
    play.end("a", true);
    play
}

/// Races, a guard, a time-out, a reactive node and a transfer whose losers are still cancelling.
pub(crate) fn cancelling() -> Play {
    let taken = sequence([now("l")]).guard(guard_key("k").set("abort", "lower"));
    let top = parallel(
        4,
        4,
        [
            sequence([parallel(1, 1, [slow("a"), wait(0.5)]), now("y")]),
            select([
                timed("timeout", 0.5, sequence([slow("b"), now("x")])),
                starts("v"),
            ]),
            select([taken, slow("c")]).service(2.0, call("note").arg("served")),
            of("reactive_select", [polled("p"), starts("q")]),
        ],
    );
    let mut play = Play::new(top);
    play.probe.plain = true;
    play.poll(0.0);
    play.set("k", true);
    play.poll(0.5);
    play
}

/// Two branches, of which the other one is a tree with a key of its own.
fn with_scoped(top: NodeSpec) -> Play {
    const SCOPED: &str = r#"{"nodes": [
        {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "probe", "blackboard": {
            "own": {"type": "int32", "initial": 1, "scope": "tree"},
            "hp": {"type": "int32", "initial": 100}}}},
        {"idx": 1, "type": "action", "children": [], "extra": {"action_name": "wait_for_seconds",
            "action_args": [{"arg_type": "plain", "arg_value": 1}]}}
    ]}"#;
    let top = parallel(2, 2, [slow("a"), sequence([wait(0.5), top])]);
    let main = TreeAsset::build("main", "probe", top);
    let scoped = TreeAsset::from_json("scoped", SCOPED).unwrap();
    let mut play = Play::of([main, scoped]).unwrap();
    play.probe.plain = true;
    play.poll(0.0);
    play
}

fn calls_scoped() -> NodeSpec {
    let args = json!({"own": {"arg_type": "plain", "arg_value": 7}});
    sub_tree("scoped").extra("args", args)
}

/// A tree that another one called, with keys of its own.
pub(super) fn called() -> Play {
    let mut play = with_scoped(calls_scoped());
    play.poll(0.5);
    play
}

/// A transfer waits for what is cancelling; it hands a value over.
pub(super) fn transferred() -> Play {
    let mut play = with_scoped(calls_scoped().extra("mode", "transfer"));
    play.poll(0.5);
    play
}

/// It was stopped, is still cancelling, and is to start again.
pub(super) fn stopped() -> Play {
    let mut play = with_scoped(now("z"));
    play.stop();
    play.runner.start();
    play
}

/// It is paused, and the host asked for two things.
pub(super) fn paused() -> Play {
    let mut play = with_scoped(now("z"));
    play.runner.pause();
    play.poll(3.0);
    play.runner.load("scoped").unwrap();
    play.runner.reset();
    play
}

pub(super) const SUBJECTS: [fn() -> Play; 9] = [
    busy,
    suspended,
    waiting,
    pending,
    cancelling,
    called,
    transferred,
    stopped,
    paused,
];

/// The time of a poll, on a clock that says something else than the one that was saved on.
pub(super) fn time(poll: u64) -> Duration {
    Duration::from_secs(1_000 + poll)
}

/// Applies an operation to an agent before a poll.
pub(super) fn act(runner: &mut Runner<Probe>, probe: &mut Probe, poll: u64) {
    match poll % 7 {
        0 => runner.fire(Event::new("go").with("n", 1)),
        1 => runner.fire(Event::new("told").with("what", 2)),
        2 => runner.blackboard().set("k", poll.is_multiple_of(2)),
        3 => {
            if let Some(leaf) = runner.active_leaves().get(poll as usize % 3) {
                runner.finish(leaf.id, poll.is_multiple_of(2));
            }
        }
        4 => {
            runner.fire(Event::new(format!("unknown {poll}")));
        }
        5 => {
            runner.picture();
            drop(runner.explain());
            runner.active_nodes();
        }
        _ => {}
    }
    match poll {
        9 => runner.resume(),
        14 => runner.stop(probe, time(poll)),
        16 => runner.start(),
        _ => {}
    }
}
