//! Arguments, results, kinds; properties and events.

use serde_json::{Value, json};

use super::{assert_changes, help};
use crate::common::samples::{agent, arg, method, with};

fn go(args: Vec<Value>) -> Vec<Value> {
    vec![agent(
        "guard",
        None,
        vec![method("action", "go", "Goes.", args)],
    )]
}

fn typed(name: &str, type_name: &str, schema: Value) -> Value {
    with(arg(name, type_name), json!({"schema": schema}))
}

fn optional(arg: Value) -> Value {
    with(arg, json!({"optional": true}))
}

fn a() -> Value {
    arg("a", "int32")
}

fn b() -> Value {
    arg("b", "int32")
}

#[test]
fn an_argument_that_is_new_must_not_be_one_that_must_be_given() {
    assert_changes(
        go(vec![a()]),
        go(vec![a(), optional(b())]),
        &["fine: guard: argument `b` of action `go` is new and may be left out"],
    );
    assert_changes(
        go(vec![a()]),
        go(vec![a(), b()]),
        &["breaking: guard: argument `b` of action `go` is new and must be given"],
    );
    assert!(help(go(vec![]), go(vec![a()])).contains("#[arg(default = …)]"));
}

#[test]
fn removed_argument_is_breaking_and_one_with_an_alias_is_compatible() {
    assert_changes(
        go(vec![a(), b()]),
        go(vec![a()]),
        &["breaking: guard: argument `b` of action `go` is gone"],
    );
    let near = arg("range", "int32");
    let far = with(arg("radius", "int32"), json!({"alias": ["range"]}));
    assert_changes(
        go(vec![near.clone()]),
        go(vec![far.clone()]),
        &["fine: guard: argument `radius` of action `go` was `range`, which it is known by too"],
    );
    assert_changes(
        go(vec![far]),
        go(vec![arg("radius", "int32")]),
        &["breaking: guard: argument `radius` of action `go` is not known as `range` any more"],
    );
    let said = help(go(vec![near]), go(vec![optional(arg("ranges", "int32"))]));
    assert_eq!(
        said,
        "if `ranges` is the same under another name, add `alias = [\"range\"]` to its `#[arg(…)]`"
    );
    // In its place, whatever it is called and whatever is said of it.
    let other = with(optional(arg("far", "int32")), json!({"comment": "Else."}));
    let said = help(
        go(vec![a(), optional(arg("range", "int32"))]),
        go(vec![a(), other]),
    );
    assert_eq!(
        said,
        "if `far` is the same under another name, add `alias = [\"range\"]` to its `#[arg(…)]`"
    );
}

#[test]
fn another_order_is_breaking_for_those_that_are_given_by_their_places() {
    assert_changes(
        go(vec![a(), b()]),
        go(vec![b(), a()]),
        &[
            "breaking: guard: action `go`: its arguments were `a` and `b`, and are now `b` and `a`, so values without a name go to other arguments",
        ],
    );
    // One in front moves the others; one that is gone was told of.
    assert_changes(
        go(vec![a()]),
        go(vec![optional(b()), a()]),
        &[
            "breaking: guard: action `go`: its arguments were `a`, and are now `b` and `a`, so values without a name go to other arguments",
            "fine: guard: argument `b` of action `go` is new and may be left out",
        ],
    );
    assert_changes(
        go(vec![a(), b()]),
        go(vec![b()]),
        &["breaking: guard: argument `a` of action `go` is gone"],
    );
}

#[test]
fn made_optional_is_compatible_and_made_required_is_not() {
    assert_changes(
        go(vec![a()]),
        go(vec![optional(a())]),
        &["fine: guard: argument `a` of action `go` may be left out now"],
    );
    assert_changes(
        go(vec![optional(a())]),
        go(vec![a()]),
        &["breaking: guard: argument `a` of action `go` must be given now"],
    );
}

#[test]
fn another_default_is_a_change_of_behaviour() {
    let default = |value: i32| optional(with(a(), json!({"default": value})));
    assert_changes(
        go(vec![default(1)]),
        go(vec![default(2)]),
        &["behaviour: guard: argument `a` of action `go`: the default was `1`, is `2`"],
    );
    assert_changes(
        go(vec![default(1)]),
        go(vec![optional(a())]),
        &["behaviour: guard: argument `a` of action `go`: the default was `1`, is none"],
    );
    assert_changes(
        go(vec![a()]),
        go(vec![default(1)]),
        &["fine: guard: argument `a` of action `go` may be left out now"],
    );
}

#[test]
fn changed_argument_mode_is_breaking_unless_it_requires_less_of_the_key() {
    let way = |way: &str| with(a(), json!({"in_out": way}));
    assert_changes(
        go(vec![a()]),
        go(vec![way("out")]),
        &[
            "breaking: guard: argument `a` of action `go`: a value was given for it, a key that is written is",
        ],
    );
    assert_changes(
        go(vec![way("out")]),
        go(vec![way("in_out")]),
        &[
            "breaking: guard: argument `a` of action `go`: a key that is written was given for it, a key that is read and written is",
        ],
    );
    assert_changes(
        go(vec![way("in_out")]),
        go(vec![way("out")]),
        &[
            "fine: guard: argument `a` of action `go`: a key that is read and written was given for it, a key that is written is",
        ],
    );
}

#[test]
fn another_unit_changes_behaviour_and_steps_and_comments_are_what_people_read() {
    let old = with(a(), json!({"unit": "m"}));
    let new = with(
        a(),
        json!({"unit": "km", "step": 5, "comment": "Else.", "display": "甲"}),
    );
    assert_changes(
        go(vec![old]),
        go(vec![new]),
        &[
            "behaviour: guard: argument `a` of action `go`: the unit was `m`, is `km`",
            "fine: guard: action `go`: argument `a`: comment, argument `a`: display name, argument `a`: step",
        ],
    );
    assert_changes(
        go(vec![a()]),
        go(vec![with(a(), json!({"unit": "m"}))]),
        &["fine: guard: action `go`: argument `a`: unit (is `m`)"],
    );
    assert_changes(
        go(vec![a()]),
        go(vec![with(a(), json!({"deprecated": true}))]),
        &["fine: guard: argument `a` of action `go` is deprecated"],
    );
}

/// A method of some kind with some more keys.
fn kind(kind: &str, more: Value) -> Vec<Value> {
    vec![agent(
        "guard",
        None,
        vec![with(method(kind, "go", "Goes.", vec![]), more)],
    )]
}

#[test]
fn an_action_may_become_a_condition_and_no_condition_an_action() {
    assert_changes(
        kind("action", json!({})),
        kind("condition", json!({})),
        &[
            "fine: guard: condition `go` was an action; a condition can stand wherever an action can",
        ],
    );
    assert_changes(
        kind("condition", json!({})),
        kind("action", json!({})),
        &["breaking: guard: action `go` was a condition"],
    );
    assert_changes(
        kind("action", json!({})),
        kind("decorator", json!({})),
        &["breaking: guard: decorator `go` was an action"],
    );
}

#[test]
fn to_stay_running_is_breaking_and_what_a_result_means_is_said() {
    let is_async = || kind("action", json!({"result": "async", "async": true}));
    let done = || kind("action", json!({"result": "bool"}));
    assert_changes(
        done(),
        is_async(),
        &["breaking: guard: action `go` can stay running now"],
    );
    assert_changes(
        is_async(),
        done(),
        &["fine: guard: action `go` is done at once now"],
    );
    let unit = || kind("action", json!({"result": "unit"}));
    assert_changes(
        unit(),
        done(),
        &["behaviour: guard: action `go` can fail now"],
    );
    assert_changes(
        done(),
        unit(),
        &["behaviour: guard: action `go` always succeeds now"],
    );
    let fallible = kind("action", json!({"result": "unit", "fallible": true}));
    assert_changes(
        unit(),
        fallible,
        &["behaviour: guard: action `go` can fail now"],
    );
    assert_changes(
        kind("action", json!({"exit": "stop", "resume": "go_on"})),
        kind("action", json!({"exit": "halt"})),
        &["fine: guard: action `go`: it has no method for `resume` any more, which was `go_on`"],
    );
}

fn property(more: Value) -> Vec<Value> {
    let item = json!({
        "name": "hp", "brief": "Hit points.", "crate": "my-game", "file": "src/lib.rs", "line": 3,
        "type": "int32", "schema": {"type": "integer", "format": "int32"},
    });
    vec![with(
        agent("guard", None, vec![]),
        json!({"properties": [with(item, more)]}),
    )]
}

#[test]
fn a_property_goes_both_ways_unless_it_can_only_be_read() {
    let wide = json!({"type": "int64", "schema": {"type": "integer", "format": "int64"}});
    let read_only = json!({"read_only": true});
    let narrow = json!({"type": "int8", "schema": {"type": "integer", "format": "int8"}});
    assert_changes(
        property(json!({})),
        property(read_only.clone()),
        &["breaking: guard: property `hp` can only be read now"],
    );
    assert_changes(
        property(read_only.clone()),
        property(json!({})),
        &["fine: guard: property `hp` can be written now"],
    );
    for other in [&wide, &narrow] {
        let name = other["type"].as_str().unwrap();
        let expect = format!("breaking: guard: property `hp` was `int32`, is `{name}`");
        assert_changes(property(json!({})), property(other.clone()), &[&expect]);
    }
    assert_changes(
        property(read_only.clone()),
        property(with(narrow, read_only.clone())),
        &["fine: guard: property `hp` was `int32`, is `int8`"],
    );
    let gets = help(property(read_only.clone()), property(with(wide, read_only)));
    assert!(gets.starts_with("trees may get values"), "{gets}");
}

fn event(params: Vec<Value>) -> Vec<Value> {
    let item = json!({
        "name": "hit", "brief": "Ow.", "crate": "my-game", "file": "src/lib.rs", "line": 3,
        "params": params,
    });
    vec![with(
        agent("guard", None, vec![]),
        json!({"events": [item]}),
    )]
}

#[test]
fn parameters_of_events_are_known_by_their_names() {
    assert_changes(
        event(vec![a(), b()]),
        event(vec![b(), a()]),
        &["fine: guard: event `hit`: the order of its parameters"],
    );
    assert_changes(
        event(vec![a()]),
        event(vec![]),
        &["breaking: guard: parameter `a` of event `hit` is gone"],
    );
    assert_changes(
        event(vec![a()]),
        event(vec![typed("a", "string", json!({"type": "string"}))]),
        &["breaking: guard: parameter `a` of event `hit` was `int32`, is `string`"],
    );
}

#[test]
fn a_parameter_that_is_new_is_no_concern_of_trees() {
    assert_changes(
        event(vec![a()]),
        event(vec![a(), optional(b())]),
        &["fine: guard: parameter `b` of event `hit` is new and may be left out"],
    );
    assert_changes(
        event(vec![a()]),
        event(vec![a(), b()]),
        &["fine: guard: parameter `b` of event `hit` is new"],
    );
}
