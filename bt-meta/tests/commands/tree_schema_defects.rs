//! Refusals by the JSON Schema of tree files, beside those of the runtime's check; and faults that a schema
//! cannot express.

use crate::common::samples::with;
use crate::common::schema::{
    Both, attached, below, call, keepers, key, named, plain, schema, tree, with_root,
};
use crate::common::zoo::zoo;
use serde_json::{Value, json};

/// Each with the place that the schema names.
#[test]
fn tree_schema_and_check_refuse_the_same_defects() {
    let both = Both::of(&zoo());
    let cage = || plain(json!({"row": 3}));
    let guard = |name: &str| json!({"guards": [{"condition_name": name}]});
    let declared = |declaration: Value| with_root(json!({"blackboard": {"k": declaration}}));
    for (what, place, tree) in [
        (
            "unknown node type",
            "/nodes/1/type",
            keepers(json!({"type": "sequnce"})),
        ),
        (
            "no type",
            "/nodes/1",
            json!({"nodes": [keepers(json!({}))["nodes"][0], {"idx": 1, "children": []}]}),
        ),
        (
            "no idx",
            "/nodes/1",
            json!({"nodes": [keepers(json!({}))["nodes"][0], {"type": "action", "children": []}]}),
        ),
        (
            "an idx below zero",
            "/nodes/1/idx",
            keepers(with(attached(json!({})), json!({"idx": -1}))),
        ),
        (
            "a color that is text",
            "/nodes/1/color",
            keepers(with(attached(json!({})), json!({"color": "red"}))),
        ),
        (
            "a child twice",
            "/nodes/1/children",
            keepers(json!({"type": "sequence", "children": [2, 2]})),
        ),
        (
            "too many children",
            "/nodes/1/children",
            keepers(json!({"type": "action", "children": [2], "extra": {"action_name": "nop"}})),
        ),
        (
            "too few children",
            "/nodes/1/children",
            keepers(json!({"type": "sequence"})),
        ),
        ("no nodes", "", json!({"name": "t"})),
        ("no root", "/nodes", json!({"nodes": []})),
        ("a root that has a parent", "/nodes/0/parent", {
            let mut tree = keepers(attached(json!({})));
            tree["nodes"][0]["parent"] = json!(1);
            tree
        }),
        (
            "unknown agent",
            "/nodes/0/extra/agent_name",
            tree("keper", attached(json!({}))),
        ),
        ("no agent", "/nodes/0/extra", {
            let mut tree = keepers(attached(json!({})));
            tree["nodes"][0]["extra"] = json!({});
            tree
        }),
        (
            "unknown action",
            "/nodes/1/extra/action_name",
            keepers(call("fed", json!([]))),
        ),
        (
            "another agent's action",
            "/nodes/1/extra/action_name",
            keepers(call("look", json!([]))),
        ),
        (
            "no action",
            "/nodes/1/extra",
            keepers(json!({"type": "action", "extra": {}})),
        ),
        ("no extra", "/nodes/1", keepers(json!({"type": "action"}))),
        (
            "an action as a condition",
            "/nodes/1/extra/action_name",
            keepers(with(call("nop", json!([])), json!({"type": "condition"}))),
        ),
        (
            "an action as a guard",
            "/nodes/1/extra/guards/0/condition_name",
            keepers(attached(guard("nop"))),
        ),
        (
            "a decorator as an action",
            "/nodes/1/extra/action_name",
            tree("head", call("twice", json!([]))),
        ),
        (
            "unknown decorator",
            "/nodes/1/extra/decorator_name",
            keepers(below("decorator", json!({"decorator_name": "twice"}))),
        ),
        (
            "a service that lasts",
            "/nodes/1/extra/services/0/action_name",
            keepers(attached(
                json!({"services": [{"seconds": 1, "action_name": "feed", "action_args": [cage()]}]}),
            )),
        ),
        (
            "unknown effect",
            "/nodes/1/extra/effects/enter/0/action_name",
            keepers(attached(
                json!({"effects": {"enter": [{"action_name": "fed"}]}}),
            )),
        ),
        (
            "an effect at no such time",
            "/nodes/1/extra/effects",
            keepers(attached(json!({"effects": {"later": []}}))),
        ),
        (
            "an argument too few",
            "/nodes/1/extra/action_args",
            keepers(call("feed", json!([]))),
        ),
        (
            "no arguments",
            "/nodes/1/extra",
            keepers(json!({"type": "action", "extra": {"action_name": "feed"}})),
        ),
        (
            "an argument too many",
            "/nodes/1/extra/action_args",
            keepers(call("nop", json!([plain(json!(1))]))),
        ),
        (
            "a value of the wrong type",
            "/nodes/1/extra/action_args/1/arg_value",
            keepers(call("feed", json!([cage(), plain(json!("x"))]))),
        ),
        (
            "a value over the bounds",
            "/nodes/1/extra/action_args/1/arg_value",
            keepers(call("feed", json!([cage(), plain(json!(9.6))]))),
        ),
        (
            "an integer of too many bits",
            "/nodes/1/extra/action_args/0/arg_value",
            keepers(call("tally", json!([plain(json!(1_u64 << 31)), key("l")]))),
        ),
        (
            "no field",
            "/nodes/1/extra/action_args/0/arg_value",
            keepers(call("feed", json!([plain(json!({}))]))),
        ),
        (
            "a value where a key is written",
            "/nodes/1/extra/action_args/1/arg_type",
            keepers(call("tally", json!([plain(json!(1)), plain(json!(1))]))),
        ),
        (
            "unknown arg_type",
            "/nodes/1/extra/action_args/0/arg_type",
            keepers(call(
                "is_in_mood",
                json!([{"arg_type": "bb", "arg_value": "x"}]),
            )),
        ),
        (
            "no arg_value",
            "/nodes/1/extra/action_args/0",
            keepers(call("is_in_mood", json!([{"arg_type": "plain"}]))),
        ),
        (
            "unknown property",
            "/nodes/1/extra/action_args/0/arg_value",
            keepers(call(
                "is_in_mood",
                json!([{"arg_type": "property", "arg_value": "mod"}]),
            )),
        ),
        (
            "unknown name of an argument",
            "/nodes/1/extra/action_args/0/arg_name",
            keepers(call(
                "is_in_mood",
                json!([named("mod", plain(json!("calm")))]),
            )),
        ),
        (
            "a value of the wrong type, by name",
            "/nodes/1/extra/action_args/1/arg_value",
            keepers(call(
                "tally",
                json!([named("left", key("l")), named("number", plain(json!("x")))]),
            )),
        ),
        (
            "an argument too few, by name",
            "/nodes/1/extra/action_args",
            keepers(call("tally", json!([named("left", key("l"))]))),
        ),
        (
            "a guard's argument",
            "/nodes/1/extra/guards/0/condition_args/0/arg_value",
            keepers(attached(
                json!({"guards": [{"condition_name": "is_in_mood", "condition_args": [plain(json!(1))]}]}),
            )),
        ),
        (
            "a guard without a name",
            "/nodes/1/extra/guards/0",
            keepers(attached(json!({"guards": [{}]}))),
        ),
        (
            "a word that is none",
            "/nodes/1/extra/mode",
            keepers(
                json!({"type": "sub_tree", "extra": {"sub_tree_name": "t.json", "mode": "jump"}}),
            ),
        ),
        (
            "no tree",
            "/nodes/1/extra",
            keepers(json!({"type": "sub_tree", "extra": {}})),
        ),
        (
            "an unknown property handed on",
            "/nodes/1/extra/args/k/arg_value",
            keepers(
                json!({"type": "sub_tree", "extra": {"sub_tree_name": "t.json", "args": {"k": {"arg_type": "property", "arg_value": "mod"}}}}),
            ),
        ),
        (
            "unknown parameter",
            "/nodes/1/extra/params",
            keepers(
                json!({"type": "wait_event", "extra": {"event": "rang", "params": {"whom": "k"}}}),
            ),
        ),
        (
            "an attached event's unknown parameter",
            "/nodes/1/extra/events/0/params",
            keepers(attached(
                json!({"events": [{"event": "closed", "tree": "t.json", "params": {"by": "k"}}]}),
            )),
        ),
        (
            "seconds below zero",
            "/nodes/1/extra/seconds",
            keepers(below("delay", json!({"seconds": -1}))),
        ),
        (
            "no time at all",
            "/nodes/1/extra/seconds",
            keepers(below("timeout", json!({"seconds": 0}))),
        ),
        (
            "a weight below zero",
            "/nodes/1/extra/prob/0",
            keepers(below("probility", json!({"prob": [-1]}))),
        ),
        (
            "a threshold of none",
            "/nodes/1/extra/success",
            keepers(below("parallel", json!({"success": 0}))),
        ),
        (
            "a count that is none",
            "/nodes/1/extra/count",
            keepers(below("repeat", json!({"count": "3"}))),
        ),
        (
            "run_limit's condition",
            "/nodes/1/extra/reset_if/condition_name",
            keepers(below(
                "run_limit",
                json!({"count": 1, "reset_if": {"condition_name": "nop"}}),
            )),
        ),
        (
            "unknown type of a key",
            "/nodes/0/extra/blackboard/k/type",
            declared(json!({"type": "array<strin>"})),
        ),
        (
            "an initial value of another type",
            "/nodes/0/extra/blackboard/k/initial",
            declared(json!({"type": "uint8", "initial": 256})),
        ),
        (
            "a scope below the root",
            "/nodes/1/extra/blackboard/k/scope",
            keepers(attached(
                json!({"blackboard": {"k": {"type": "bool", "scope": "tree"}}}),
            )),
        ),
    ] {
        let (schema, check) = (both.schema_says(&tree), both.check_says(&tree));
        assert!(!check.is_empty(), "{what}: the check accepts it");
        let at_place = schema
            .iter()
            .any(|error| error.starts_with(&format!("{place}: ")));
        assert!(at_place, "{what}, at {place}: {schema:#?}");
    }
}

/// These are for `bt-meta validate`; the schema's `$comment` says so.
#[test]
fn tree_schema_comment_lists_what_only_the_check_refuses() {
    let both = Both::of(&zoo());
    let comment = schema(&zoo())["$comment"].as_str().unwrap().to_owned();
    let idx = |idx: u32| with(attached(json!({})), json!({"idx": idx}));
    for (said, tree) in [
        (
            "a child is the `idx` of a node",
            keepers(json!({"type": "sequence", "children": [7]})),
        ),
        ("no `idx` twice", keepers(idx(0))),
        (
            "as many weights as children",
            keepers(below("probility", json!({"prob": [1, 1]}))),
        ),
        (
            "no threshold beyond them",
            keepers(below("parallel", json!({"success": 2}))),
        ),
        (
            "what may stand below an `and`",
            keepers(below("and", json!({}))),
        ),
        (
            "what a guard aborts",
            keepers(attached(json!({"guards": [{"condition_name": "is_in_mood",
                "condition_args": [plain(json!("calm"))], "abort": "lower"}]}))),
        ),
        (
            "another tree is there",
            keepers(json!({"type": "sub_tree", "extra": {"sub_tree_name": "nowhere"}})),
        ),
        (
            "of which type",
            with_node(
                json!({"blackboard": {"k": {"type": "string"}}}),
                call("tally", json!([key("k"), key("l")])),
            ),
        ),
        (
            "an argument without a name after one with a name",
            keepers(call(
                "tally",
                json!([named("number", plain(json!(1))), key("l")]),
            )),
        ),
    ] {
        assert_eq!(both.schema_says(&tree), Vec::<String>::new(), "{said}");
        assert!(!both.check_says(&tree).is_empty(), "{said}");
        assert!(comment.contains(said), "{said}");
    }
}

/// Of a type's variants and fields the catalogue knows one spelling; the type itself may know others.
#[test]
fn spellings_that_only_a_type_knows_are_refused_by_the_schema_alone() {
    let both = Both::of(&zoo());
    let pairs = plain(json!([["row", 3]]));
    for (what, tree) in [
        (
            "a variant by an alias",
            keepers(call("is_in_mood", json!([plain(json!("glad"))]))),
        ),
        (
            "an object as an array of pairs",
            keepers(call("feed", json!([pairs]))),
        ),
    ] {
        assert_eq!(both.check_says(&tree), Vec::<String>::new(), "{what}");
        assert_eq!(both.schema_says(&tree).len(), 1, "{what}");
    }
}

fn with_node(root: Value, node: Value) -> Value {
    let mut tree = keepers(node);
    tree["nodes"][0]["extra"] = with(json!({"agent_name": "keeper"}), root);
    tree
}
