//! The JSON Schema of tree files beside the check that the runtime makes: what it accepts, what it
//! refuses too, and what a schema cannot say.

mod common;

use bt_core::Registry;
use bt_core::TreeAsset;
use bt_core::registry::catalogue::Catalogue;
use bt_core::tree::check::{Rules, check};
use bt_meta::formats::{Format, render};
use bt_meta::layout::Options;
use common::samples::{agent, catalogue, nop, with};
use common::zoo::zoo;
use jsonschema::Validator;
use serde_json::{Value, json};

fn schema(catalogue: &Catalogue) -> Value {
    let files = render(catalogue, &Options::default(), &[Format::JsonSchema]);
    serde_json::from_str(&files.unwrap().files[0].text).unwrap()
}

/// The schema of the zoo, and the runtime's check.
struct Both {
    schema: Validator,
    registry: Registry,
}

impl Both {
    fn of(catalogue: &Catalogue) -> Both {
        let schema = schema(catalogue);
        jsonschema::meta::validate(&schema).unwrap();
        Both {
            schema: jsonschema::draft202012::new(&schema).unwrap(),
            registry: Registry::from_catalogue(catalogue.clone()).unwrap(),
        }
    }

    /// Where the schema finds something wrong, and what.
    fn schema_says(&self, tree: &Value) -> Vec<String> {
        let errors = self.schema.iter_errors(tree);
        errors
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect()
    }

    fn check_says(&self, tree: &Value) -> Vec<String> {
        let bytes = serde_json::to_vec(tree).unwrap();
        match TreeAsset::from_slice("t.json", &bytes) {
            Err(error) => error.problems().iter().map(ToString::to_string).collect(),
            Ok(tree) => {
                let found = check(&[tree], &self.registry, &Rules::default());
                found.problems.iter().map(ToString::to_string).collect()
            }
        }
    }
}

/// A root above a node, which has a leaf below it if it takes one child.
fn tree(agent: &str, node: Value) -> Value {
    let mut node = with(json!({"idx": 1, "parent": 0, "children": []}), node);
    let mut nodes =
        vec![json!({"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": agent}})];
    if node["children"] == json!("leaf") {
        node["children"] = json!([2]);
        nodes.push(json!({"idx": 2, "parent": 1, "type": "action", "children": [], "extra": {"action_name": "nop"}}));
    }
    nodes.insert(1, node);
    json!({"name": "t.json", "nodes": nodes})
}

fn keepers(node: Value) -> Value {
    tree("keeper", node)
}

fn call(name: &str, args: Value) -> Value {
    json!({"type": "action", "extra": {"action_name": name, "action_args": args}})
}

fn plain(value: Value) -> Value {
    json!({"arg_type": "plain", "arg_value": value})
}

fn key(name: &str) -> Value {
    json!({"arg_type": "blackboard", "arg_value": name})
}

fn named(name: &str, arg: Value) -> Value {
    with(arg, json!({"arg_name": name}))
}

fn attached(extra: Value) -> Value {
    let extra = with(json!({"action_name": "nop"}), extra);
    json!({"type": "action", "extra": extra})
}

fn below(kind: &str, extra: Value) -> Value {
    json!({"type": kind, "children": "leaf", "extra": extra})
}

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

fn with_root(extra: Value) -> Value {
    let mut tree = keepers(attached(json!({})));
    let root = with(json!({"agent_name": "keeper"}), extra);
    tree["nodes"][0]["extra"] = root;
    tree
}

/// Each with the place that the schema names.
#[test]
fn what_a_schema_can_say_is_refused_by_both() {
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
fn what_a_schema_cannot_say_is_left_to_the_check() {
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
