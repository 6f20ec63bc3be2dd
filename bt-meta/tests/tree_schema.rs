//! The JSON Schema of tree files: what it accepts, as the check that the runtime makes does, and what it
//! says of names.

mod common;

use common::samples::{action, agent, arg, catalogue, method, nop, with};
use common::schema::{
    Both, attached, below, call, keepers, key, named, plain, schema, tree, with_root,
};
use common::zoo::zoo;
use serde_json::json;

#[test]
fn what_the_runtime_takes_is_accepted() {
    let both = Both::of(&zoo());
    let cage = || plain(json!({"row": 3, "mood": "calm"}));
    let feed_args = json!([cage(), plain(json!(9.5))]);
    for (what, tree) in [
        ("all arguments", keepers(call("feed", feed_args))),
        ("a default left out", keepers(call("feed", json!([cage()])))),
        ("a key", keepers(call("feed", json!([key("cage")])))),
        (
            "a property",
            keepers(call(
                "is_in_mood",
                json!([{"arg_type": "property", "arg_value": "mood"}]),
            )),
        ),
        (
            "a whole number with a point",
            keepers(call("tally", json!([plain(json!(3.0)), key("left")]))),
        ),
        ("an alias", keepers(call("give", json!([cage()])))),
        ("deprecated", tree("head", call("tally", json!([])))),
        (
            "an override has its own arguments",
            tree("head", call("tally", json!([]))),
        ),
        ("a full name", tree("zoo::keeper", call("nop", json!([])))),
        ("an agent's alias", tree("boss", call("nop", json!([])))),
        (
            "by name, in any order",
            keepers(call(
                "tally",
                json!([named("left", key("l")), named("number", plain(json!(1)))]),
            )),
        ),
        (
            "by name after one by place",
            keepers(call(
                "tally",
                json!([plain(json!(1)), named("left", key("l"))]),
            )),
        ),
        (
            "no list of arguments where none is needed",
            keepers(attached(json!({}))),
        ),
        (
            "a condition in an action node",
            keepers(call("is_in_mood", json!([plain(json!("calm"))]))),
        ),
        (
            "a guard, effects, a service, an event",
            keepers(attached(json!({
                "guards": [{"condition_name": "is_in_mood", "condition_args": [plain(json!("angry"))], "not": true}],
                "effects": {"exit": [{"action_name": "feed", "action_args": [cage()]}]},
                "services": [{"seconds": 0.5, "action_name": "nop"}],
            }))),
        ),
        (
            "an event and its parameters",
            keepers(
                json!({"type": "wait_event", "extra": {"event": "rang", "params": {"who": "k"}}}),
            ),
        ),
        (
            "an event of the host's",
            keepers(json!({"type": "wait_event", "extra": {"event": "thunder"}})),
        ),
        (
            "an event of old",
            keepers(json!({"type": "wait_event", "extra": {"event": "closed"}})),
        ),
        (
            "a decorator of the agent's",
            tree(
                "head",
                below("decorator", json!({"decorator_name": "twice"})),
            ),
        ),
        (
            "declared keys",
            with_root(
                json!({"blackboard": {"a": {"type": "array<optional<int8>>", "initial": [1, null]},
                "b": {"type": "int", "initial": -1, "scope": "tree"}, "c": {"type": "const std::string &"}}}),
            ),
        ),
        (
            "keys that nobody knows",
            with(keepers(attached(json!({"mine": 1}))), json!({"mine": {}})),
        ),
        (
            "a schema's address",
            with(
                keepers(attached(json!({}))),
                json!({"$schema": "trees.schema.json"}),
            ),
        ),
    ] {
        assert_eq!(both.check_says(&tree), Vec::<String>::new(), "{what}");
        assert_eq!(both.schema_says(&tree), Vec::<String>::new(), "{what}");
    }
}

#[test]
fn what_is_deprecated_is_marked() {
    let schema = schema(&zoo());
    let marked = |list: &str, name: &str| {
        let list = &schema["$defs"][list]["oneOf"];
        let found = list
            .as_array()
            .unwrap()
            .iter()
            .find(|entry| entry["const"] == name);
        found.unwrap().get("deprecated") == Some(&json!(true))
    };
    assert!(marked("agent.head.actions_at_once", "tally"), "deprecated");
    assert!(
        !marked("agent.keeper.actions_at_once", "tally"),
        "the base's is not"
    );
    assert!(marked("agent.keeper.actions_that_last", "give"), "an alias");
    assert!(!marked("agent.keeper.actions_that_last", "feed"));
    assert!(marked("agents", "boss"));
}

#[test]
fn an_agent_that_answers_for_unknown_names_may_be_asked_for_any() {
    let fallback = json!({"what": "", "crate": "x", "file": "x.rs", "line": 1});
    let mut zoo = zoo();
    let open = with(
        agent("open", Some("action_agent"), vec![]),
        json!({"fallback": fallback}),
    );
    zoo.agents.push(serde_json::from_value(open).unwrap());
    let both = Both::of(&zoo);
    let any = tree("open", call("whatever", json!([plain(json!(1))])));
    assert_eq!(both.schema_says(&any), Vec::<String>::new());
    assert_eq!(both.check_says(&any), Vec::<String>::new());
    let known = tree("open", call("nop", json!([plain(json!(1))])));
    assert!(!both.schema_says(&known).is_empty());
}

#[test]
fn agents_that_share_a_name_go_by_their_full_names() {
    let both = Both::of(&catalogue(vec![
        agent("a::guard", None, vec![nop()]),
        agent("b::guard", None, vec![nop()]),
    ]));
    for (name, right) in [("a::guard", true), ("guard", false)] {
        let tree = tree(name, call("nop", json!([])));
        assert_eq!(both.schema_says(&tree).is_empty(), right, "{name}");
        assert_eq!(both.check_says(&tree).is_empty(), right, "{name}");
    }
}

#[test]
fn a_name_comes_before_an_alias_of_a_base() {
    let run = with(action("run", ""), json!({"alias": ["go", "rush"]}));
    let go = method(
        "action",
        "go",
        "",
        vec![with(
            arg("far", "bool"),
            json!({"schema": {"type": "boolean"}}),
        )],
    );
    let both = Both::of(&catalogue(vec![
        agent("base", None, vec![run]),
        agent("derived", Some("base"), vec![go]),
    ]));
    let far = || json!([plain(json!(true))]);
    for (agent, name, args, right) in [
        ("base", "go", json!([]), true),
        ("base", "go", far(), false),
        ("derived", "go", far(), true),
        ("derived", "go", json!([]), false),
        ("derived", "rush", json!([]), true),
    ] {
        let tree = tree(agent, call(name, args));
        assert_eq!(both.schema_says(&tree).is_empty(), right, "{agent} {name}");
        assert_eq!(both.check_says(&tree).is_empty(), right, "{agent} {name}");
    }
}
