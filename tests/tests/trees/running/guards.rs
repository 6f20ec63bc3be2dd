//! Guards that are checked on entry, and those that watch over their own node. (S4-Z02, S5-03)

use bt_core::prelude::*;
use bt_core::trace::{JsonLines, SharedWriter};
use bt_core::tree::asset::spec::{Call, NodeSpec, action, guard, parallel, select, sequence};
use bt_core::{Mode, Runner, TreeAsset, TreeSet};
use bt_tests::probe::{
    F, Play, R, S, guard_arg, guard_holds, guard_key, now, of, paired, polled, starts,
};

use super::aborts;

/// A node under a guard, and what comes after it.
fn or_b(node: NodeSpec, guard: Call) -> Play {
    Play::new(select([node.guard(guard), starts("b")]))
}

#[test]
fn a_guard_is_checked_before_entry_and_if_false_fails_its_node_and_enters_nothing() {
    let inner = paired("n", of("sequence", [now("a")]));
    let mut play = or_b(inner, guard_holds("g"));
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.brief(), "?g +b");
    let inner = paired("n", of("sequence", [now("a")]));
    let mut play = or_b(inner, guard_holds("g"));
    play.flag("g", true);
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "?g +n +a a:S -n");
}

#[test]
fn a_leaf_and_a_composite_may_be_guarded() {
    for node in [
        starts("a"),
        sequence([starts("a")]),
        of("timeout", [starts("a")]).extra("seconds", 9),
    ] {
        let mut play = or_b(node.clone(), guard_key("k"));
        assert_eq!(play.poll(0.0), R);
        assert_eq!(play.brief(), "+b");
        let mut play = or_b(node, guard_key("k"));
        play.set("k", true);
        assert_eq!(play.poll(0.0), R);
        assert_eq!(play.brief(), "+a");
    }
}

#[test]
fn a_guard_that_says_not_holds_when_its_condition_does_not() {
    let mut play = or_b(starts("a"), guard_key("k").negated());
    play.poll(0.0);
    assert_eq!(play.brief(), "+a");
    let mut play = or_b(starts("a"), aborts(guard_key("k").negated(), "self"));
    play.poll(0.0);
    play.set("k", true).again();
    assert_eq!(play.brief(), "+a a:A +b");
}

#[test]
fn condition_without_abort_is_evaluated_on_entry_only() {
    for none in [guard_holds("g"), aborts(guard_holds("g"), "none")] {
        let mut play = or_b(starts("a"), none);
        play.flag("g", true).poll(0.0);
        play.flag("g", false);
        play.polls::<3>();
        assert_eq!(play.brief(), "?g +a");
        play.end("a", true);
        assert_eq!(play.again(), S);
    }
}

#[test]
fn self_aborts_the_node_as_a_failure_when_the_condition_turns_false() {
    let inner = paired("n", sequence([starts("a"), now("z")]));
    let mut play = or_b(inner, aborts(guard_key("k"), "self"));
    play.set("k", true).poll(0.0);
    assert_eq!(play.brief(), "+n +a");
    play.set("k", false);
    assert_eq!(play.again(), R);
    let log = play.log();
    let expect = ["exit a aborted", "drop a", "failure n", "exit n", "enter b"];
    assert_eq!(log, expect);
    // Turned true again: it does not come back, `lower` would.
    play.set("k", true).again();
    assert_eq!(play.brief(), "");
}

#[test]
fn guard_observes_the_keys_in_arguments_and_those_the_method_reads() {
    for guard in [guard_arg("k"), guard_key("k")] {
        let mut play = or_b(starts("a"), aborts(guard, "self"));
        play.set("k", true).poll(0.0);
        play.set("other", 1).again();
        assert_eq!(play.brief(), "+a");
        play.set("k", false).again();
        assert_eq!(play.brief(), "a:A +b");
    }
}

#[test]
fn a_key_that_is_removed_or_cleared_is_changed() {
    for clear in [false, true] {
        let mut play = or_b(starts("a"), aborts(guard_key("k"), "self"));
        play.set("k", true).poll(0.0);
        match clear {
            true => play.runner.blackboard().clear(),
            false => assert!(play.runner.blackboard().remove("k")),
        }
        play.again();
        assert_eq!(play.brief(), "+a a:A +b", "{clear}");
    }
}

#[test]
fn condition_of_the_agent_is_evaluated_once_a_poll() {
    let mut play = or_b(starts("a"), aborts(guard_holds("g"), "self"));
    play.flag("g", true).poll(0.0);
    assert_eq!(play.brief(), "?g +a");
    play.again();
    assert_eq!(play.brief(), "?g");
    play.fire("nothing").fire("to take").again();
    assert_eq!(play.brief(), "?g");
    play.flag("g", false).again();
    assert_eq!(play.brief(), "?g a:A +b");
    play.again();
    assert_eq!(play.brief(), "");
}

#[test]
fn observing_guard_is_evaluated_again_only_when_a_key_has_changed() {
    let held = select([
        starts("a").guard(aborts(guard("counted").key("k"), "self")),
        starts("b"),
    ]);
    let (mut runner, mut clock) = clocked(held);
    runner.blackboard().set("k", true);
    for _ in 0..5 {
        runner.poll(&mut clock, Duration::ZERO);
    }
    assert_eq!(runner.blackboard().get("asked"), 1);
    runner.blackboard().set("k", true);
    runner.poll(&mut clock, Duration::ZERO);
    assert!(runner.active_leaves()[0].name == "starts");
}

#[test]
fn the_reaction_comes_right_after_the_leaf_that_wrote_and_before_anything_is_entered() {
    let inner = sequence([now("w"), now("z")]);
    let mut play = or_b(inner, aborts(guard_key("k"), "self"));
    play.set("k", true);
    play.on_call("w", |cx| cx.set("k", false));
    play.poll(0.0);
    assert_eq!(play.brief(), "+w w:S +b");
}

#[test]
fn the_same_where_the_leaf_that_wrote_stays_running() {
    for leaf in [starts("w"), polled("w")] {
        let mut play = or_b(leaf, aborts(guard_key("k"), "self"));
        play.set("k", true);
        play.on_call("w", |cx| cx.set("k", false));
        play.poll(0.0);
        assert_eq!(play.brief(), "+w w:A +b");
    }
}

#[test]
fn the_same_in_the_turn_of_a_polled_leaf() {
    let inner = of("parallel", [polled("w"), polled("z")])
        .extra("success", 2)
        .extra("failure", 1);
    let mut play = or_b(inner, aborts(guard_key("k"), "self"));
    play.set("k", true).poll(0.0);
    play.on_call("w", |cx| cx.set("k", false));
    play.again();
    assert_eq!(play.brief(), "+w +z ~w z:A w:A +b");
}

#[test]
fn a_key_that_turns_and_turns_back_within_one_leaf_changes_nothing() {
    let mut play = or_b(
        sequence([now("w"), starts("z")]),
        aborts(guard_key("k"), "self"),
    );
    play.set("k", true);
    play.on_call("w", |cx| {
        cx.set("k", false);
        cx.set("k", true);
    });
    play.poll(0.0);
    assert_eq!(play.brief(), "+w w:S +z");
}

#[test]
fn several_guards_must_all_hold_and_are_evaluated_in_order() {
    let node = || starts("a").guard(guard_holds("g")).guard(guard_holds("h"));
    for (g, h, expect) in [
        (true, true, "?g ?h +a"),
        (true, false, "?g ?h +b"),
        (false, true, "?g +b"),
    ] {
        let mut play = Play::new(select([node(), starts("b")]));
        play.flag("g", g).flag("h", h).poll(0.0);
        assert_eq!(play.brief(), expect);
    }
}

#[test]
fn of_several_guards_each_aborts_by_its_own_word() {
    let node = starts("a")
        .guard(guard_key("g"))
        .guard(aborts(guard_key("h"), "self"));
    let mut play = Play::new(select([node, starts("b")]));
    play.set("g", true).set("h", true).poll(0.0);
    play.set("g", false).again();
    assert_eq!(play.brief(), "+a");
    play.set("h", false).again();
    assert_eq!(play.brief(), "a:A +b");
}

#[test]
fn the_outer_of_two_guards_that_turn_false_acts() {
    let inner = sequence([starts("a")]).guard(aborts(guard_key("k"), "self"));
    let outer = select([inner, now("inner_else")]).guard(aborts(guard_key("k"), "self"));
    let mut play = Play::new(select([outer, starts("outer_else")]));
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    assert_eq!(play.brief(), "+a a:A +outer_else");
}

#[test]
fn a_guard_watches_as_long_as_its_node_is_active() {
    let guarded = now("a").guard(aborts(guard_holds("g"), "self"));
    let mut play = Play::new(sequence([guarded, starts("b")]));
    play.flag("g", true).poll(0.0);
    assert_eq!(play.brief(), "?g +a a:S +b");
    play.polls::<2>();
    assert_eq!(play.brief(), "");
}

#[test]
fn a_guard_holds_below_it_wherever_the_tree_is() {
    // Through a parallel, a decorator and another tree.
    let below = of("negative", [bt_core::tree::asset::spec::sub_tree("sub")]);
    let all = of("parallel", [below, starts("c")])
        .extra("success", 2)
        .extra("failure", 1);
    let main = select([all.guard(aborts(guard_key("k"), "self")), starts("b")]);
    let mut play = Play::trees([("main", main), ("sub", sequence([starts("a")]))]);
    play.set("k", true).poll(0.0);
    play.set("k", false).again();
    assert_eq!(play.brief(), "+a +c c:A a:A +b");
}

#[test]
fn a_guard_whose_key_is_not_set_does_not_hold_and_says_so() {
    let mut play = or_b(starts("a"), guard_arg("unset"));
    play.poll(0.0);
    assert_eq!(play.brief(), "+b");
    let [why] = play.diagnostics().try_into().unwrap();
    assert!(
        why.contains("`unset`") && why.contains("main: node 2"),
        "{why}"
    );
}

use std::time::Duration;

/// An agent with conditions that look at no agent.
#[derive(Agent, Default)]
struct Clock;

#[agent]
impl Clock {
    /// Looks at no key.
    #[condition]
    fn before(cx: &Context, seconds: f64) -> bool {
        cx.now().as_secs_f64() < seconds
    }

    /// Counts how often it is asked.
    #[condition]
    fn counted(cx: &Context, key: bool) -> bool {
        let asked = cx.blackboard();
        asked.set("asked", asked.get_or("asked", 0).as_i64().unwrap_or(0) + 1);
        key
    }

    #[action]
    fn starts(cx: &mut Context, _name: &str) -> Option<bool> {
        cx.finish_on("never", true);
        None
    }
}

fn clocked(top: NodeSpec) -> (Runner<Clock>, Clock) {
    let mut set = TreeSet::<Clock>::new();
    set.add(TreeAsset::build("clock", "clock", top));
    let mut runner = Runner::new(&set.build().unwrap(), "clock").unwrap();
    runner = runner.mode(Mode::Once);
    runner.start();
    (runner, Clock)
}

#[test]
fn guard_in_mode_poll_is_evaluated_every_poll_while_active() {
    let tree = |mode: Option<&str>| {
        let guard = guard("before").arg(5.0);
        let guard = match mode {
            Some(mode) => guard.set("mode", mode),
            None => aborts(guard, "self"),
        };
        let after = action("starts").arg("b").comment("after");
        select([action("starts").arg("a").guard(guard), after])
    };
    let at = |mode, seconds: u64| {
        let (mut runner, mut clock) = clocked(tree(mode));
        for second in 0..=seconds {
            runner.poll(&mut clock, Duration::from_secs(second));
        }
        runner.active_leaves()[0].idx
    };
    // No key says that time has gone on.
    assert_eq!((at(None, 4), at(None, 6)), (2, 2));
    assert_eq!((at(Some("poll"), 4), at(Some("poll"), 5)), (2, 3));
}

#[test]
fn a_write_evaluates_the_guards_that_follow_its_key_and_no_others_however_many_keys_there_are() {
    let keys: Vec<String> = (0..200).map(|number| format!("k{number}")).collect();
    let guarded = keys.iter().map(|key| {
        let leaf = starts(&format!("a{key}"));
        leaf.guard(aborts(guard_key(key), "self"))
    });
    let mut play = Play::new(parallel(200, 200, guarded));
    for key in &keys {
        play.set(key, true);
    }
    assert_eq!(play.poll(0.0), R);
    let told = SharedWriter::new(Vec::new());
    let lines = JsonLines::new(told.clone());
    play.runner.set_tracer(Some(Box::new(lines)));
    play.again();
    for key in &keys {
        told.with(Vec::clear);
        play.set(key, false).again();
        let text = String::from_utf8(told.with(std::mem::take)).expect("it is text");
        let guards = text
            .lines()
            .filter(|line| line.contains(r#""cmd":"guard""#));
        let guards: Vec<_> = guards.collect();
        assert!(
            matches!(guards[..], [one] if one.contains(&format!(r#"["{key}"]"#))),
            "{key}: {guards:#?}"
        );
    }
}

#[test]
fn a_guard_above_the_only_child_ends_the_tree() {
    let mut play = Play::new(starts("a").guard(aborts(guard_key("k"), "self")));
    play.set("k", true);
    assert_eq!(play.poll(0.0), R);
    play.set("k", false);
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "+a a:A");
}
