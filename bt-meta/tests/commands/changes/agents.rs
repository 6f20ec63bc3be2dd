//! Agents: their names and bases; node kinds.

use serde_json::{Value, json};

use super::{assert_changes, changes_between, help, lines};
use crate::common::samples::{action, agent, catalogue, with};

fn alias(agent: Value, names: &[&str]) -> Value {
    with(agent, json!({"alias": names}))
}

fn go() -> Vec<Value> {
    vec![action("go", "Goes.")]
}

#[test]
fn removed_and_new_agents_are_listed() {
    let guard = || agent("guard", None, go());
    assert_changes(
        vec![guard()],
        vec![],
        &["breaking: guard: agent `guard` is gone"],
    );
    assert_changes(
        vec![],
        vec![guard()],
        &["fine: guard: agent `guard` is new"],
    );
}

#[test]
fn an_agent_with_another_name_needs_an_alias() {
    let guard = || agent("guard", None, go());
    let sentry = || agent("sentry", None, go());
    assert_changes(
        vec![guard()],
        vec![alias(sentry(), &["guard"])],
        &["fine: sentry: agent `sentry` was `guard`, which it is known by too"],
    );
    assert_changes(
        vec![guard()],
        vec![sentry()],
        &[
            "breaking: guard: agent `guard` is gone",
            "fine: sentry: agent `sentry` is new",
        ],
    );
    assert!(
        help(vec![guard()], vec![sentry()]).contains("if `sentry` is the same under another name")
    );
    assert_changes(
        vec![alias(guard(), &["old"])],
        vec![guard()],
        &["breaking: guard: agent `guard` is not what `old` means any more"],
    );
}

#[test]
fn several_agents_may_become_one() {
    let both = alias(agent("guard", None, go()), &["sentry", "watchman"]);
    assert_changes(
        vec![agent("sentry", None, go()), agent("watchman", None, vec![])],
        vec![both],
        &[
            "fine: guard: agent `guard` was `sentry`, which it is known by too",
            "fine: guard: agent `guard` was `watchman`, which it is known by too",
            "fine: guard: agent `guard`: aliases",
            "fine: guard: agent `guard`: aliases",
            "fine: guard: action `go` is new",
        ],
    );
}

#[test]
fn another_namespace_breaks_trees_that_spell_it() {
    assert_changes(
        vec![agent("ai::guard", None, go())],
        vec![agent("npc::guard", None, go())],
        &[
            "breaking: npc::guard: agent `npc::guard` was `ai::guard`, and `ai::guard` does not mean it any more",
        ],
    );
    let known = alias(agent("npc::guard", None, go()), &["ai::guard"]);
    assert_changes(
        vec![agent("ai::guard", None, go())],
        vec![known],
        &["fine: npc::guard: agent `npc::guard` was `ai::guard`, which it is known by too"],
    );
    // The short name means two agents now, so it means none.
    assert_changes(
        vec![agent("ai::guard", None, go())],
        vec![
            agent("ai::guard", None, go()),
            agent("npc::guard", None, go()),
        ],
        &[
            "breaking: ai::guard: agent `ai::guard` is not what `guard` means any more",
            "fine: npc::guard: agent `npc::guard` is new",
        ],
    );
}

#[test]
fn a_base_between_is_compatible_and_a_base_that_is_lost_is_not() {
    let actor = || agent("actor", None, go());
    let creature = || agent("creature", Some("actor"), vec![]);
    let guard = |base: &str| agent("guard", Some(base), vec![]);
    assert_changes(
        vec![actor(), guard("actor")],
        vec![actor(), creature(), guard("creature")],
        &[
            "fine: creature: agent `creature` is new",
            "fine: guard: agent `guard`: its base was `actor`, is `creature`",
        ],
    );
    let other = || agent("other", None, vec![]);
    assert_changes(
        vec![actor(), other(), guard("actor")],
        vec![actor(), other(), guard("other")],
        &[
            "breaking: guard: agent `guard`: its base was `actor`, is `other`",
            "breaking: guard: action `go` is gone",
        ],
    );
}

#[test]
fn a_base_that_is_called_otherwise_is_the_same_base() {
    let actor = agent("actor", None, go());
    let being = alias(agent("being", None, go()), &["actor"]);
    let guard = |base: &str| agent("guard", Some(base), vec![]);
    assert_changes(
        vec![actor, guard("actor")],
        vec![being, guard("being")],
        &["fine: being: agent `being` was `actor`, which it is known by too"],
    );
}

#[test]
fn node_kinds_are_compared() {
    let old = catalogue(vec![]);
    let mut new = catalogue(vec![]);
    let sequence = new
        .node_kinds
        .iter()
        .position(|kind| kind.name == "sequence")
        .unwrap();
    new.node_kinds[sequence].child_max = Some(2);
    let repeat = new
        .node_kinds
        .iter()
        .position(|kind| kind.name == "repeat")
        .unwrap();
    new.node_kinds[repeat].params["required"] = json!(["count", "why"]);
    new.node_kinds[repeat].params["properties"]["why"] = json!({"type": "string"});
    new.node_kinds.retain(|kind| kind.name != "frames");
    assert_eq!(
        lines(&changes_between(&old, &new)),
        [
            "breaking: : node kind `frames` is gone",
            "breaking: : node kind `repeat`: key `why` is new and must be given",
            "breaking: : node kind `sequence`: 1 and more were its children, 1 to 2 are",
        ]
    );
    let back = lines(&changes_between(&new, &old));
    assert_eq!(back[0], "breaking: : node kind `repeat`: key `why` is gone");
    assert_eq!(back[1], "fine: : node kind `frames` is new");
    assert_eq!(
        back[2],
        "fine: : node kind `sequence`: 1 to 2 were its children, 1 and more are"
    );
    // A catalogue of an older bt-core lists none.
    new.node_kinds.clear();
    assert!(changes_between(&new, &old).is_empty());
}
