//! Tests of what changes of a query: its answer, its kind, what it takes.

use serde_json::{Value, json};

use super::uses::{assert_nodes, tree};
use super::{assert_changes, help};
use crate::common::samples::{agent, arg, method, with};

fn query(ty: &str) -> Vec<Value> {
    let schema = match ty {
        "double" => "number",
        "int32" => "integer",
        "bool" => "boolean",
        other => other,
    };
    let answer = json!({"type": ty, "schema": {"type": schema}});
    let result = if ty == "bool" { "bool" } else { "value" };
    one(
        method("query", "reach", "It.", vec![]),
        json!({"answer": answer, "result": result}),
    )
}

fn of_kind(kind: &str) -> Vec<Value> {
    one(method(kind, "reach", "It.", vec![]), json!({}))
}

fn one(query: Value, more: Value) -> Vec<Value> {
    vec![agent("guard", None, vec![go(), with(query, more)])]
}

fn none() -> Vec<Value> {
    vec![agent("guard", None, vec![go()])]
}

fn go() -> Value {
    method("action", "go", "Goes.", vec![arg("a", "any_value")])
}

#[test]
fn another_answer_is_breaking_unless_all_that_took_the_old_one_takes_it() {
    assert_changes(query("double"), query("double"), &[]);
    assert_changes(
        query("double"),
        query("string"),
        &["breaking: guard: query `reach` was `double`, is `string`"],
    );
    assert_changes(
        query("double"),
        query("int32"),
        &["fine: guard: query `reach` was `double`, is `int32`"],
    );
    assert_changes(
        query("int32"),
        query("double"),
        &["breaking: guard: query `reach` was `int32`, is `double`"],
    );
}

#[test]
fn a_query_that_answers_with_a_bool_replaces_a_condition() {
    let both = "both answer with a bool";
    for (old, new, expect) in [
        (of_kind("condition"), query("bool"), format!("fine: guard: query `reach` was a condition; {both}")),
        (query("bool"), of_kind("condition"), format!("fine: guard: condition `reach` was a query; {both}")),
        (
            of_kind("action"),
            query("bool"),
            "fine: guard: query `reach` was an action; a condition can stand wherever an action can".to_owned(),
        ),
        (of_kind("condition"), query("double"), "breaking: guard: query `reach` was a condition".to_owned()),
        (query("double"), of_kind("condition"), "breaking: guard: condition `reach` was a query".to_owned()),
        (query("double"), of_kind("action"), "breaking: guard: action `reach` was a query".to_owned()),
        (query("double"), of_kind("decorator"), "breaking: guard: decorator `reach` was a query".to_owned()),
    ] {
        assert_changes(old, new, &[&expect]);
    }
    assert_eq!(
        help(query("double"), of_kind("condition")),
        "trees expect the answer that it gave: give the new one another name and keep the old one"
    );
}

#[test]
fn a_query_that_is_gone_is_found_in_expressions() {
    let nodes = [
        json!({"type": "check", "children": [], "extra": {"if": "reach() < 2 && reach() > 1"}}),
        json!({"type": "action", "children": [], "extra": {"action_name": "go", "action_args": [
            {"arg_type": "expression", "arg_value": "1 + reach()"}
        ]}}),
    ];
    assert_changes(
        query("double"),
        none(),
        &["breaking: guard: query `reach` is gone"],
    );
    assert_nodes(query("double"), none(), &tree("guard", &nodes), &[2, 3]);
}

#[test]
fn a_query_that_guards_evaluate_every_poll_no_more_is_breaking() {
    let query = |is_static: bool| {
        one(
            method("query", "reach", "It.", vec![]),
            json!({"static": is_static}),
        )
    };
    assert_changes(
        query(false),
        query(true),
        &["breaking: guard: query `reach` does not take the agent any more"],
    );
    assert_changes(
        query(true),
        query(false),
        &["fine: guard: query `reach` takes the agent now"],
    );
}
