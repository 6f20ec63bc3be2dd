//! Tests of exits: their order, that each comes once, and what nodes keep. (S1-R24, S1-R25, S3-12, S4-X02)

use bt_core::prelude::*;
use bt_core::tree::asset::spec::{NodeSpec, action, node, parallel, select, sequence, wait_event};
use bt_core::{Event, Mode, Runner, TreeAsset, TreeSet};
use bt_tests::probe::{
    F, Log, Play, R, S, guard_key, now, of, paired, polled, starts, timed, times, wait,
};
use std::time::Duration;

use super::aborts;

#[test]
fn innermost_first_and_siblings_in_reverse_order() {
    let branch = |node: &str, leaf: &str| paired(node, sequence([starts(leaf)]));
    let inner = paired("p", parallel(2, 1, [branch("x", "a"), branch("y", "b")]));
    let main = paired("m", parallel(2, 1, [inner, branch("z", "c")]));
    let mut play = Play::new(main);
    play.poll(0.0);
    play.log();
    play.stop();
    assert_eq!(play.brief(), "c:A -z b:A -y a:A -x -p -m");
}

#[test]
fn abort_exits_only_active_nodes() {
    let main = paired(
        "m",
        sequence([
            paired("done", now("a")),
            paired("active", starts("b")),
            paired("never", now("c")),
        ]),
    );
    let mut play = Play::new(main);
    play.poll(0.0);
    play.stop();
    assert_eq!(
        play.brief(),
        "+m +done +a a:S -done +active +b b:A -active -m"
    );
}

#[test]
fn every_way_to_abort_leaves_each_node_once() {
    let inner = || {
        paired(
            "n",
            parallel(
                3,
                1,
                [starts("a"), polled("b"), sequence([wait_event("e")])],
            ),
        )
    };
    let guarded = |spec: NodeSpec| spec.guard(aborts(guard_key("k"), "self"));
    let right = |spec: NodeSpec| {
        select([
            now("l").guard(aborts(guard_key("k").negated(), "lower")),
            spec,
        ])
    };
    let trees = [
        timed("timeout", 5.0, inner()),
        guarded(inner()),
        right(inner()),
        parallel(1, 2, [inner(), wait(5.0)]),
        of(
            "reactive_select",
            [
                bt_tests::probe::key_true("k").guard(guard_key("on")),
                inner(),
            ],
        ),
        of("frames", [inner()]).extra("count", 2),
    ];
    for main in trees {
        let text = format!("{main:?}");
        let mut play = Play::new(main);
        play.set("k", true).poll(0.0);
        assert_eq!(play.brief(), "+n +a +b", "{text}");
        play.set("k", false).poll(1.0);
        play.set("k", true).set("on", true).poll(6.0);
        let brief = play.brief();
        let left: Vec<_> = brief.split(' ').filter(|w| !w.starts_with('~')).collect();
        assert_eq!(left[..3], ["b:A", "a:A", "-n"], "{text}");
        assert!(!left[3..].iter().any(|w| w.ends_with(":A")), "{text}");
    }
}

#[test]
fn the_exit_method_then_the_guards_then_the_parent() {
    for spec in [now("a"), polled("a")] {
        let mut play = Play::new(paired("p", sequence([spec])));
        play.reply("a", [S]);
        play.poll(0.0);
        let log = play.log();
        let end = ["exit a success", "drop a", "success p", "exit p"];
        assert_eq!(log[log.len() - 4..], end);
    }
    let mut play = Play::new(paired("p", sequence([starts("a")])));
    play.poll(0.0);
    play.stop();
    let log = play.log();
    let end = ["exit a aborted", "drop a", "failure p", "exit p"];
    assert_eq!(log[log.len() - 4..], end);
}

#[test]
fn node_begins_afresh_after_an_abort() {
    // A counter, an order, a place in a sequence.
    let thrice = times("repeat", 3, starts("a"));
    let main = select([thrice.guard(aborts(guard_key("k"), "both")), starts("b")]);
    let mut play = Play::new(main);
    play.set("k", true).poll(0.0);
    play.end("a", true);
    play.again();
    play.end("a", true);
    play.again();
    play.set("k", false).again();
    play.set("k", true).again();
    play.log();
    for _ in 0..2 {
        play.end("a", true);
        assert_eq!(play.again(), R);
    }
    play.end("a", true);
    assert_eq!(play.again(), S, "three from the start");
}

#[test]
fn memory_survives_failure_and_is_cleared_by_success_and_abort() {
    let main = select([
        of("memory_sequence", [now("a"), starts("b"), starts("c")])
            .guard(aborts(guard_key("k"), "self")),
        now("z"),
    ]);
    let mut play = Play::new(main).looping();
    play.set("k", true).poll(0.0);
    play.end("b", false);
    play.again();
    // It goes on at b.
    assert_eq!(play.brief(), "+a a:S +b b:F +z z:S +b");
    play.end("b", true);
    play.again();
    play.set("k", false).again();
    assert_eq!(play.brief(), "b:S +c c:A +z z:S +z z:S");
    play.set("k", true).again();
    assert_eq!(play.brief(), "+a a:S +b");
}

#[test]
fn retained_counters_survive_ends_aborts_and_restarts() {
    let main = select([
        of("once", [now("o")]),
        times("run_limit", 2, now("l")),
        timed("cooldown", 50.0, now("c")),
        starts("b"),
    ]);
    let mut play = Play::new(main).looping();
    play.always("o", false)
        .always("l", false)
        .always("c", false);
    play.poll(0.0);
    assert_eq!(play.brief(), "+o o:F +l l:F +c c:F +b");
    play.stop();
    play.runner.start();
    play.again();
    assert_eq!(play.brief(), "b:A +l l:F +b");
    play.runner.load("main").unwrap();
    play.again();
    assert_eq!(play.brief(), "b:A +b");
    play.poll(51.0);
    play.runner.reset();
    play.again();
    play.again();
    assert_eq!(play.brief(), "b:A +o o:F +l l:F +c c:F +b");
}

/// An agent whose exit methods do things.
#[derive(Agent, Default)]
struct Leaver {
    log: Log,
    /// The act of the next exit method.
    does: &'static str,
}

#[agent]
impl Leaver {
    #[action(exit = "left")]
    fn work(&mut self, cx: &mut Context, name: &str) -> Option<bool> {
        self.log.note(format!("+{name}"));
        cx.finish_on("done", true);
        None
    }

    fn left(&mut self, cx: &mut Context, exit: Exit) {
        self.log.note(format!("{exit:?}"));
        match std::mem::take(&mut self.does) {
            "fire" => cx.fire(Event::new("left")),
            "write" => cx.set("k", true),
            "refused" => cx.set("number", "text"),
            "panic" => panic!("on the way out"),
            "stop" => cx.stop(),
            "reset" => cx.reset(),
            "load" => cx.load("other"),
            "wait" => cx.finish_after(Duration::from_secs(1), true),
            _ => {}
        }
    }

    #[action]
    fn say(&mut self, what: &str) {
        self.log.note(what);
    }

    #[condition]
    fn is_true(cx: &Context, key: &str) -> bool {
        cx.get(key) == true
    }
}

fn leaver(main: NodeSpec, does: &'static str) -> (Runner<Leaver>, Leaver) {
    let mut set = TreeSet::<Leaver>::new();
    let number = serde_json::json!({"number": {"type": "int32", "initial": 1}});
    let main = node("root").extra("blackboard", number).child(main);
    set.add(TreeAsset::build("main", "leaver", main));
    set.add(TreeAsset::build("other", "leaver", work("o")));
    let mut runner = Runner::new(&set.build().unwrap(), "main").unwrap();
    runner = runner.mode(Mode::Once);
    runner.start();
    let mut agent = Leaver {
        does,
        ..Leaver::default()
    };
    runner.poll(&mut agent, Duration::ZERO);
    (runner, agent)
}

fn work(name: &str) -> NodeSpec {
    action("work").arg(name)
}

fn say(what: &str) -> NodeSpec {
    action("say").arg(what)
}

/// Ends the work, or aborts it by a deadline; what happened.
fn leave(runner: &mut Runner<Leaver>, agent: &mut Leaver, ends: bool) -> String {
    if ends {
        runner.fire(Event::new("done"));
    }
    let now = if ends { 0 } else { 5 };
    runner.poll(agent, Duration::from_secs(now));
    agent.log.take().join(" ")
}

#[test]
fn an_exit_method_may_fire_an_event() {
    for (ends, how) in [(true, "Success"), (false, "Aborted")] {
        let first = sequence([
            of("always_true", [timed("timeout", 5.0, work("a"))]),
            say("on"),
        ]);
        let main = parallel(2, 1, [sequence([wait_event("left"), say("heard")]), first]);
        let (mut runner, mut agent) = leaver(main, "fire");
        let log = leave(&mut runner, &mut agent, ends);
        assert_eq!(log, format!("+a {how} on heard"));
    }
}

#[test]
fn an_exit_method_may_write_a_key_which_is_noticed_before_anything_is_entered() {
    for (ends, how) in [(true, "Success"), (false, "Aborted")] {
        let guard = bt_core::tree::asset::spec::guard("is_true").arg("k");
        let left = say("left").guard(aborts(guard, "lower"));
        let inner = sequence([
            of("always_true", [timed("timeout", 5.0, work("a"))]),
            say("never"),
        ]);
        let (mut runner, mut agent) = leaver(select([left, inner]), "write");
        let log = leave(&mut runner, &mut agent, ends);
        assert_eq!(log, format!("+a {how} left"));
        assert_eq!(runner.result(), Some(true));
    }
}

#[test]
fn an_exit_method_that_writes_what_a_key_cannot_hold_is_reported() {
    let (mut runner, mut agent) = leaver(work("a"), "refused");
    let log = leave(&mut runner, &mut agent, true);
    assert_eq!(log, "+a Success");
    assert_eq!(runner.blackboard().get("number"), 1);
    let [why] = runner.take_diagnostics().try_into().unwrap();
    assert!(why.to_string().contains("`number`"), "{why}");
    assert_eq!(why.node(), Some(1));
}

#[test]
fn an_exit_method_that_panics_is_reported_and_the_node_is_left() {
    for (ends, result) in [(true, true), (false, false)] {
        let (mut runner, mut agent) = leaver(timed("timeout", 5.0, work("a")), "panic");
        leave(&mut runner, &mut agent, ends);
        assert_eq!(runner.result(), Some(result));
        let [why] = runner.take_diagnostics().try_into().unwrap();
        assert!(why.to_string().contains("on the way out"), "{why}");
        assert!(runner.active_nodes().is_empty());
    }
}

#[test]
fn an_exit_method_may_stop_reset_or_load() {
    for (ends, how) in [(true, "Success"), (false, "Aborted")] {
        for (does, then) in [("stop", ""), ("reset", ""), ("load", " +o")] {
            let inner = sequence([
                of("always_true", [timed("timeout", 5.0, work("a"))]),
                say("never"),
            ]);
            let (mut runner, mut agent) = leaver(inner, does);
            let log = leave(&mut runner, &mut agent, ends);
            assert_eq!(log, format!("+a {how}{then}"), "{does}");
            assert_eq!(runner.is_running(), does != "stop", "{does}");
            let tree = if does == "load" { "other" } else { "main" };
            assert_eq!(runner.tree(), tree);
        }
    }
}

#[test]
fn wait_requested_by_an_exit_method_is_ignored() {
    let (mut runner, mut agent) = leaver(sequence([work("a"), say("on")]), "wait");
    assert_eq!(leave(&mut runner, &mut agent, true), "+a Success on");
    assert_eq!(runner.next_wake(), None);
}

#[test]
fn the_result_of_a_stopped_tree_is_none() {
    let mut play = Play::new(starts("a"));
    play.poll(0.0);
    play.stop();
    assert_eq!(play.runner.result(), None);
    assert_eq!(play.again(), F);
    play.runner.start();
    assert_eq!(play.again(), R);
}
