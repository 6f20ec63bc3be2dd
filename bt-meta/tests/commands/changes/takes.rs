//! Tests of what a method takes beside its arguments: the agent, the world.

use serde_json::{Value, json};

use super::uses::{assert_nodes, call, tree};
use super::{assert_changes, help};
use crate::common::samples::{agent, method, with};

/// A condition, or a method of another kind, that takes what is said.
fn taking(kind: &str, agent_too: bool, world: bool) -> Vec<Value> {
    let takes = json!({"static": !agent_too, "world": world});
    let see = with(method(kind, "sees", "Sees.", vec![]), takes);
    vec![agent("guard", None, vec![see])]
}

fn condition(agent_too: bool, world: bool) -> Vec<Value> {
    taking("condition", agent_too, world)
}

#[test]
fn condition_that_guards_evaluate_every_poll_no_more_is_breaking() {
    let says = |words: &str| vec![format!("breaking: guard: condition `sees` {words}")];
    for (was, is, words) in [
        (
            (true, false),
            (false, false),
            "does not take the agent any more",
        ),
        (
            (false, true),
            (false, false),
            "does not take the world any more",
        ),
        (
            (true, true),
            (false, false),
            "does not take the agent any more and does not take the world any more",
        ),
    ] {
        let (old, new) = (condition(was.0, was.1), condition(is.0, is.1));
        let says = says(words);
        assert_changes(old.clone(), new.clone(), &[&says[0]]);
        assert_eq!(
            help(old, new),
            "guards that abort evaluate it no longer every poll, but when a key changes that it reads: let it \
             read a key, or write `\"mode\": \"poll\"` in them"
        );
    }
}

#[test]
fn guard_that_follows_an_expression_is_found_with_the_methods_that_it_calls() {
    let guarded = |text: &str, abort: &str| {
        let guard = json!({"if": text, "abort": abort});
        json!({"type": "always_running", "children": [], "extra": {"guards": [guard]}})
    };
    let nodes = [
        guarded("sees() && $a", "both"),
        guarded("$a || !sees()", "none"),
        guarded("sees() && @hp > 1", "both"),
        json!({"type": "check", "children": [], "extra": {"if": "sees()"}}),
    ];
    let (old, new) = (condition(true, false), condition(false, false));
    assert_nodes(old.clone(), new, &tree("guard", &nodes), &[2]);
    let gone = vec![agent("guard", None, vec![])];
    assert_nodes(old, gone, &tree("guard", &nodes), &[2, 3, 4, 5]);
}

#[test]
fn condition_that_is_evaluated_as_often_or_oftener_is_compatible() {
    for (was, is, words) in [
        ((false, false), (true, false), "takes the agent now"),
        ((false, false), (false, true), "takes the world now"),
        (
            (true, true),
            (true, false),
            "does not take the world any more",
        ),
        (
            (true, false),
            (false, true),
            "does not take the agent any more and takes the world now",
        ),
    ] {
        let says = format!("fine: guard: condition `sees` {words}");
        assert_changes(condition(was.0, was.1), condition(is.0, is.1), &[&says]);
    }
}

#[test]
fn what_no_guard_evaluates_may_take_less() {
    let says = "fine: guard: action `sees` does not take the agent any more";
    let of = |agent_too| taking("action", agent_too, false);
    assert_changes(of(true), of(false), &[says]);
}

#[test]
fn of_a_condition_that_takes_no_world_any_more_the_guards_that_abort() {
    let guarded = |more: Value| {
        let guard = with(
            json!({"condition_name": "sees", "condition_args": []}),
            more,
        );
        with(
            call("nothing", &[], &[]),
            json!({"extra": {"action_name": "nothing", "guards": [guard]}}),
        )
    };
    let property = json!({"arg_type": "property", "arg_value": "light"});
    let nodes = [
        guarded(json!({"abort": "self"})),
        guarded(json!({"abort": "lower"})),
        guarded(json!({"abort": "both", "not": true})),
        guarded(json!({})),
        guarded(json!({"abort": "none"})),
        guarded(json!({"abort": "self", "mode": "poll"})),
        guarded(json!({"abort": "self", "condition_args": [property]})),
        with(call("sees", &[], &[]), json!({"type": "condition"})),
    ];
    let (old, new) = (condition(false, true), condition(false, false));
    assert_nodes(old, new, &tree("guard", &nodes), &[2, 3, 4]);
}
