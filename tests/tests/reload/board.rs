//! The blackboard of an agent that moves: values stay.

use bt_core::tree::asset::spec::NodeSpec;
use bt_core::tree::asset::spec::{parallel, select, sequence, sub_tree};
use bt_tests::probe::*;
use serde_json::{Value, json};

use super::harness::*;

/// A tree that waits, and whose root declares keys.
fn declaring(keys: Value) -> NodeSpec {
    let top = n(1, sequence([n(2, starts("a")), n(3, now("b"))]));
    of("root", [top]).extra("blackboard", keys)
}

#[test]
fn values_stay_and_a_new_key_gets_its_initial_value() {
    let mut play = play(declaring(json!({"gold": {"type": "int32", "initial": 1}})));
    play.poll(0.0);
    play.set("gold", 7).set("free", "text");
    let keys =
        json!({"gold": {"type": "int32", "initial": 2}, "iron": {"type": "int32", "initial": 3}});
    change(&mut play, declaring(keys));
    play.poll(1.0);
    let board = play.runner.blackboard();
    assert_eq!(board.get("gold"), 7);
    assert_eq!(board.get("free"), "text");
    assert_eq!(board.get("iron"), 3);
    assert!(report(&play).problems().is_empty());
}

#[test]
fn a_value_that_was_initial_stays_where_the_initial_value_changes() {
    let keys = |first: i32| json!({"gold": {"type": "int32", "initial": first}});
    let mut play = play(declaring(keys(1)));
    play.poll(0.0);
    change(&mut play, declaring(keys(2)));
    play.poll(1.0);
    assert_eq!(play.runner.blackboard().get("gold"), 1);
}

#[test]
fn a_key_of_another_type_keeps_a_value_that_fits_and_else_gets_the_initial_one() {
    let keys = |ty: &str, first: Value| json!({"gold": {"type": ty, "initial": first}});
    let mut play = play(declaring(keys("int32", 1.into())));
    play.poll(0.0);
    play.set("gold", 7);
    change(&mut play, declaring(keys("double", 0.5.into())));
    play.poll(1.0);
    assert_eq!(play.runner.blackboard().get("gold"), 7, "it fits");
    change(&mut play, declaring(keys("string", "none".into())));
    play.poll(2.0);
    assert_eq!(play.runner.blackboard().get("gold"), "none");
    let problems = report(&play).problems();
    assert_eq!(problems.len(), 1);
    assert!(problems[0].contains("`gold`"), "{problems:?}");
    let told = play.runner.diagnostics();
    assert!(
        told.iter().any(|told| told.message() == problems[0]),
        "{told:?}"
    );
}

fn seen(play: &Play, key: &str) -> Option<Value> {
    play.runner.picture().blackboard.get(key).cloned()
}

#[test]
fn a_key_whose_scope_changed_keeps_its_value() {
    let keys = |scope: &str| json!({"gold": {"type": "int32", "initial": 1, "scope": scope}});
    let mut play = play(declaring(keys("agent")));
    play.poll(0.0);
    play.set("gold", 7);
    change(&mut play, declaring(keys("tree")));
    play.poll(1.0);
    assert_eq!(seen(&play, "gold@0"), Some(json!(7)));
    // It is the value of the tree that stays, not the one that the agent had before.
    play.set("gold", 8);
    change(&mut play, declaring(keys("agent")));
    play.poll(2.0);
    assert_eq!(play.runner.blackboard().get("gold"), 7);
    assert!(report(&play).problems().is_empty());
}

#[test]
fn a_key_whose_scope_and_type_changed_gets_its_initial_value_if_its_value_does_not_fit() {
    let keys = |scope: &str, ty: &str, first: Value| json!({"gold": {"type": ty, "initial": first, "scope": scope}});
    for (was, is, key) in [("agent", "tree", "gold@0"), ("tree", "agent", "gold")] {
        let mut play = play(declaring(keys(was, "int32", 1.into())));
        play.poll(0.0);
        change(&mut play, declaring(keys(is, "string", "none".into())));
        play.poll(1.0);
        assert_eq!(seen(&play, key), Some(json!("none")));
        let problems = report(&play).problems();
        assert_eq!(problems.len(), 1);
        assert!(problems[0].contains("`gold`"), "{problems:?}");
    }
}

#[test]
fn a_key_of_several_runs_of_a_tree_that_becomes_the_agents_gets_its_initial_value() {
    let keys = |scope: &str| json!({"gold": {"type": "int32", "initial": 1, "scope": scope}});
    let inner = |scope: &str| of("root", [n(1, starts("a"))]).extra("blackboard", keys(scope));
    let top = || {
        n(
            1,
            parallel(2, 2, [n(2, sub_tree("inner")), n(3, sub_tree("inner"))]),
        )
    };
    let mut play = plays([("main", top()), ("inner", inner("tree"))]);
    play.poll(0.0);
    changes(&mut play, [("main", top()), ("inner", inner("agent"))]);
    play.poll(1.0);
    assert_eq!(play.runner.blackboard().get("gold"), 1);
    let problems = report(&play).problems();
    assert_eq!(problems.len(), 1);
    assert!(problems[0].contains("several runs"), "{problems:?}");
    // The other way round there is one value, which each run has.
    play.set("gold", 7);
    changes(&mut play, [("main", top()), ("inner", inner("tree"))]);
    play.poll(2.0);
    let board = play.runner.picture().blackboard.clone();
    let own = board.iter().filter(|(key, _)| key.starts_with("gold@"));
    let own: Vec<_> = own.map(|(_, value)| value.clone()).collect();
    assert_eq!(own, [json!(7), json!(7)]);
}

#[test]
fn a_guard_is_evaluated_when_its_name_is_another_key() {
    let top = |keys: Value| {
        let guard = guard_key("calm").set("abort", "self");
        let top = n(
            1,
            select([n(2, starts("a").guard(guard)), n(3, starts("b"))]),
        );
        of("root", [top]).extra("blackboard", keys)
    };
    let mut play = play(top(json!({})));
    play.set("calm", true);
    play.poll(0.0);
    assert_eq!(play.brief(), "+a");
    let keys = json!({"calm": {"type": "bool", "initial": false, "scope": "tree"}});
    change(&mut play, top(keys));
    play.poll(1.0);
    assert_eq!(play.brief(), "a:A +b");
}

#[test]
fn a_key_of_a_node_keeps_its_value_where_a_node_above_declares_one_of_that_name() {
    let declares = |node: NodeSpec, first: bool| {
        node.extra(
            "blackboard",
            json!({"calm": {"type": "bool", "initial": first}}),
        )
    };
    let guarded = || {
        let guard = guard_key("calm").set("abort", "self");
        select([n(3, starts("a").guard(guard)), n(4, starts("b"))])
    };
    let inner = |first| declares(n(2, guarded()), first);
    let mut play = play(n(1, sequence([inner(true)])));
    play.poll(0.0);
    assert_eq!(play.brief(), "+a");
    let outer = declares(n(1, sequence([inner(false)])), false);
    change(&mut play, outer);
    play.poll(1.0);
    assert_eq!(play.brief(), "", "it is calm still");
}

#[test]
fn a_guard_is_evaluated_when_another_node_declares_the_key_that_it_sees() {
    let top = |idx: u32, calm: bool| {
        let guard = guard_key("calm").set("abort", "self");
        let leaves = [n(3, starts("a").guard(guard)), n(4, starts("b"))];
        let keys = json!({"calm": {"type": "bool", "initial": calm}});
        n(idx, sequence([n(2, select(leaves))])).extra("blackboard", keys)
    };
    let mut play = play(top(1, true));
    play.poll(0.0);
    assert_eq!(play.brief(), "+a");
    change(&mut play, top(5, false));
    play.poll(1.0);
    assert_eq!(numbers(report(&play).adopted()), [5]);
    assert_eq!(play.brief(), "a:A +b");
}
