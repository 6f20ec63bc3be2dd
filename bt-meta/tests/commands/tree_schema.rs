//! The JSON Schema of tree files: what it accepts, as the check that the runtime makes does, and what it
//! says of names.

use crate::common::samples::{action, agent, arg, catalogue, method, nop, with};
use crate::common::schema::{
    Both, attached, below, call, keepers, key, named, plain, schema, tree, with_root,
};
use crate::common::zoo::zoo;
use serde_json::json;

#[test]
fn tree_schema_accepts_what_the_runtime_accepts() {
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
fn tree_schema_marks_deprecated_items() {
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
    assert!(marked("agent.head.actions", "tally"), "deprecated");
    assert!(
        !marked("agent.keeper.actions_at_once", "tally"),
        "the base's is not"
    );
    assert!(marked("agent.keeper.actions", "give"), "an alias");
    assert!(!marked("agent.keeper.actions", "feed"));
    assert!(marked("agents", "boss"));
}

#[test]
fn agent_with_a_fallback_accepts_unknown_names() {
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

/// Of two lists in an `anyOf`, VS Code tells of an old name in the second that it is not in the first.
#[test]
fn all_actions_of_an_agent_are_one_list() {
    let schema = schema(&zoo());
    let list = &schema["$defs"]["agent.keeper.actions"]["oneOf"];
    let names: Vec<_> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["const"])
        .collect();
    for name in ["nop", "feed", "give", "is_in_mood"] {
        assert!(names.contains(&&json!(name)), "{name} in {names:?}");
    }
    let refers = json!({"$ref": "#/$defs/agent.keeper.actions"});
    let node = &schema["$defs"]["agent.keeper"]["allOf"];
    let of_actions = node
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["if"]["properties"]["type"]["const"] == "action");
    let extra = &of_actions.unwrap()["then"]["properties"]["extra"];
    assert_eq!(extra["properties"]["action_name"], refers);
}

#[test]
fn arguments_are_offered_to_be_filled_in() {
    let schema = schema(&zoo());
    let snippet = &schema["$defs"]["arguments.keeper.tally"]["defaultSnippets"];
    assert_eq!(snippet[0]["label"], "tally(count: int32, left: int32)");
    assert_eq!(
        snippet[0]["body"],
        json!([
            {"arg_type": "plain", "arg_value": "^${1:0}"},
            {"arg_type": "blackboard", "arg_value": "${2:left}"},
        ])
    );
}

/// The runtime takes both, so a validator does; an editor with VS Code's engine warns.
#[test]
fn unknown_events_and_keys_are_warned_of_and_not_refused() {
    let schema = schema(&zoo());
    let event = &schema["$defs"]["agent.keeper.event"];
    let unknown = &event["if"]["properties"]["event"]["not"]["enum"];
    for name in ["rang", "closed"] {
        assert!(
            unknown.as_array().unwrap().contains(&json!(name)),
            "{unknown}"
        );
    }
    assert!(event["then"]["properties"]["event"]["deprecationMessage"].is_string());
    let extra = &schema["$defs"]["kind.cooldown"]["properties"]["extra"]["allOf"][0];
    for known in ["seconds", "on", "guards", "blackboard"] {
        assert!(extra["properties"].get(known).is_some(), "{known}");
    }
    assert!(extra["additionalProperties"]["deprecationMessage"].is_string());
}

#[test]
fn a_variant_may_have_its_other_names() {
    let mut zoo = zoo();
    let mood =
        json!({"type": "string", "enum": ["calm"], "x-decoder": {"names": ["calm", "quiet"]}});
    let told = json!({"oneOf": [{"const": "loud"}], "x-decoder": {"names": ["loud", "noisy"]}});
    let args = vec![
        with(arg("mood", "mood"), json!({ "schema": mood })),
        with(arg("voice", "voice"), json!({ "schema": told })),
    ];
    let sing = agent(
        "singer",
        Some("action_agent"),
        vec![method("action", "sing", "Sings.", args)],
    );
    zoo.agents.push(serde_json::from_value(sing).unwrap());
    let both = Both::of(&zoo);
    for (mood, voice, right) in [
        ("calm", "loud", true),
        ("quiet", "noisy", true),
        ("noisy", "quiet", false),
    ] {
        let args = json!([plain(json!(mood)), plain(json!(voice))]);
        let tree = tree("singer", call("sing", args));
        assert_eq!(both.schema_says(&tree).is_empty(), right, "{mood} {voice}");
        assert_eq!(both.check_says(&tree).is_empty(), right, "{mood} {voice}");
    }
}
