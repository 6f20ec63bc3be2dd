//! Tests of names that are added, removed, renamed, moved along the bases.

use serde_json::{Value, json};

use super::{assert_changes, help};
use crate::common::samples::{action, agent, arg, method, with};

fn guard(methods: Vec<Value>) -> Vec<Value> {
    vec![agent("guard", None, methods)]
}

/// A base and an agent based on it.
fn line(base: Vec<Value>, own: Vec<Value>) -> Vec<Value> {
    vec![
        agent("actor", None, base),
        agent("guard", Some("actor"), own),
    ]
}

fn alias(item: Value, names: &[&str]) -> Value {
    with(item, json!({"alias": names}))
}

fn go() -> Value {
    action("go", "Goes.")
}

#[test]
fn the_same_is_no_change() {
    assert_changes(guard(vec![go()]), guard(vec![go()]), &[]);
    let moved = with(go(), json!({"file": "src/other.rs", "line": 99}));
    assert_changes(guard(vec![go()]), guard(vec![moved]), &[]);
}

#[test]
fn removed_items_are_breaking_and_new_ones_compatible() {
    assert_changes(
        guard(vec![go()]),
        guard(vec![]),
        &["breaking: guard: action `go` is gone"],
    );
    assert_changes(
        guard(vec![]),
        guard(vec![go()]),
        &["fine: guard: action `go` is new"],
    );
}

#[test]
fn an_alias_makes_a_new_name_compatible() {
    let chase = || action("chase", "Runs after it.");
    let pursue = || action("pursue", "Runs after it.");
    let expect = ["fine: guard: action `pursue` was `chase`, which it is known by too"];
    assert_changes(
        guard(vec![chase()]),
        guard(vec![alias(pursue(), &["chase"])]),
        &expect,
    );
    assert_changes(
        guard(vec![chase()]),
        guard(vec![pursue()]),
        &[
            "breaking: guard: action `chase` is gone",
            "fine: guard: action `pursue` is new",
        ],
    );
}

#[test]
fn removed_item_suggests_an_alias_on_a_similar_new_one() {
    let alike = "if `pursue` is the same under another name, add `alias = [\"chase\"]` to it";
    let chase = action("chase", "Runs after it.");
    let same_docs = action("pursue", "Runs after it.");
    assert_eq!(
        help(guard(vec![chase.clone()]), guard(vec![same_docs.clone()])),
        alike
    );
    // Also where it is a base that has it now.
    assert_eq!(
        help(
            line(vec![], vec![chase.clone()]),
            line(vec![same_docs], vec![])
        ),
        alike
    );
    let same_letters = action("chase_it", "Follows.");
    let near = help(guard(vec![chase.clone()]), guard(vec![same_letters]));
    assert!(near.starts_with("if `chase_it` is the same"), "{near}");
    let other = with(action("sleep", "Rests."), json!({"line": 20}));
    let none = help(guard(vec![chase]), guard(vec![other]));
    assert!(none.starts_with("keep it as `#[deprecated]`"), "{none}");
}

#[test]
fn removed_alias_is_breaking() {
    assert_changes(
        guard(vec![alias(go(), &["walk"])]),
        guard(vec![go()]),
        &["breaking: guard: action `go` is not known as `walk` any more"],
    );
    let walk = action("walk", "Walks.");
    assert_changes(
        guard(vec![alias(go(), &["walk"])]),
        guard(vec![go(), walk]),
        &[
            "breaking: guard: action `go` is not known as `walk` any more: that is action `walk` now",
            "fine: guard: action `walk` is new",
        ],
    );
    assert_changes(
        guard(vec![go()]),
        guard(vec![alias(go(), &["walk"])]),
        &["fine: guard: action `go`: aliases"],
    );
}

#[test]
fn a_fallback_does_not_make_a_lost_name_compatible() {
    let fallback = json!({"fallback": {"crate": "my-game", "file": "src/lib.rs", "line": 1}});
    let with_fallback = |methods| -> Vec<Value> {
        guard(methods)
            .into_iter()
            .map(|it| with(it, fallback.clone()))
            .collect()
    };
    assert_changes(
        with_fallback(vec![go()]),
        with_fallback(vec![]),
        &["breaking: guard: action `go` is gone; the fallback answers it now"],
    );
    assert_changes(
        with_fallback(vec![]),
        guard(vec![]),
        &["breaking: guard: agent `guard` has no `#[fallback]` any more"],
    );
    assert_changes(
        guard(vec![]),
        with_fallback(vec![]),
        &["fine: guard: agent `guard` has a `#[fallback]` now, which answers unknown names"],
    );
}

#[test]
fn action_that_moves_to_a_base_is_compatible() {
    assert_changes(
        line(vec![], vec![go()]),
        line(vec![go()], vec![]),
        &[
            "fine: actor: action `go` is new",
            "fine: guard: action `go` is inherited from `actor` now",
        ],
    );
}

#[test]
fn action_that_moves_from_a_base_is_breaking_for_the_base() {
    assert_changes(
        line(vec![go()], vec![]),
        line(vec![], vec![go()]),
        &[
            "breaking: actor: action `go` is gone",
            "fine: guard: action `go` is one of its own now, which overrides that of `actor`",
        ],
    );
}

#[test]
fn changed_inherited_action_is_reported_once_at_its_base() {
    let far = method("action", "go", "Goes.", vec![arg("far", "int32")]);
    assert_changes(
        line(vec![go()], vec![]),
        line(vec![], vec![]),
        &["breaking: actor: action `go` is gone"],
    );
    assert_changes(
        line(vec![go()], vec![]),
        line(vec![far], vec![]),
        &["breaking: actor: argument `far` of action `go` is new and must be given"],
    );
}

#[test]
fn an_override_that_comes_or_goes_is_said() {
    let own = || with(go(), json!({"override": true}));
    assert_changes(
        line(vec![go()], vec![]),
        line(vec![go()], vec![own()]),
        &["fine: guard: action `go` is one of its own now, which overrides that of `actor`"],
    );
    assert_changes(
        line(vec![go()], vec![own()]),
        line(vec![go()], vec![]),
        &["fine: guard: action `go` is inherited from `actor` now"],
    );
    // With another signature it is another method.
    let far = with(own(), json!({"args": [arg("far", "int32")]}));
    assert_changes(
        line(vec![go()], vec![]),
        line(vec![go()], vec![far]),
        &[
            "breaking: guard: argument `far` of action `go` is new and must be given",
            "fine: guard: action `go` is one of its own now, which overrides that of `actor`",
        ],
    );
}

#[test]
fn changed_texts_for_people_are_compatible_and_take_one_line() {
    let new = json!({
        "brief": "Walks.", "docs": "Walks.", "category": "movement", "display": "走",
        "since": "2", "returns": "never", "meta": {"icon": "foot"},
    });
    assert_changes(
        guard(vec![go()]),
        guard(vec![with(go(), new)]),
        &["fine: guard: action `go`: docs, display name, category, since, meta, what it returns"],
    );
}

#[test]
fn deprecated_is_compatible_and_says_what_to_use() {
    let old = with(
        go(),
        json!({"deprecated": {"since": "0.3", "note": "use `walk`"}}),
    );
    assert_changes(
        guard(vec![go()]),
        guard(vec![old.clone()]),
        &["fine: guard: action `go` is deprecated since 0.3"],
    );
    assert_changes(
        guard(vec![old]),
        guard(vec![go()]),
        &["fine: guard: action `go` is not deprecated any more"],
    );
}
