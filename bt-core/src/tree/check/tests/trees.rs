//! Tests of trees that name each other, agents and events.

use super::*;
use crate::registry::Registry;
use crate::tree::asset::spec::{sub_tree, wait_event};

fn of(agent: &str, name: &str, top: NodeSpec) -> TreeAsset {
    TreeAsset::build(name, agent, top)
}

/// The problems where each tree is run by the agent that it names.
fn each(trees: &[TreeAsset]) -> Vec<String> {
    lines(&check(
        trees,
        Registry::global().unwrap(),
        &Rules::default(),
    ))
}

#[test]
fn a_tree_is_for_the_agent_that_runs_it_or_one_of_its_bases() {
    let by_hound = |agent: &str| {
        lines(&check(
            &[of(agent, "t", node("always_running"))],
            &hound(),
            &Rules::default(),
        ))
    };
    assert_eq!(by_hound("hound"), [""; 0]);
    assert_eq!(by_hound("animal"), [""; 0]);
    assert_eq!(
        by_hound("bird"),
        [
            "0 agent_name: the tree is for agent `bird`, which is no base of `hound`; expected `hound` or `animal`"
        ]
    );
    assert_eq!(
        by_hound("hond"),
        ["0 agent_name: no agent `hond`; did you mean `hound`?"]
    );
    assert_eq!(
        by_hound("submarine"),
        [
            "0 agent_name: no agent `submarine`; linked are the agents of `bt_core`: if another crate defines it, write `use that_crate as _;`"
        ]
    );
    assert_eq!(
        by_hound("dog"),
        ["~0 agent_name: agent `dog` is now called `hound`"]
    );
    assert_eq!(
        by_hound(""),
        ["0 agent_name: `agent_name`: expected text that is not empty, found \"\""]
    );
    let mut nobody = tree(bark());
    nobody.node_mut(0).unwrap().extra.clear();
    assert_eq!(
        lines(&check(&[nobody], &hound(), &Rules::default())),
        ["0 extra: the key `agent_name` is missing; it says the agent that this tree is for"]
    );
    let mut mode = tree(bark());
    mode.node_mut(0)
        .unwrap()
        .extra
        .insert("mode".to_owned(), "twice".into());
    assert_eq!(
        lines(&check(&[mode], &hound(), &Rules::default())),
        ["0 mode: `mode`: expected `loop` or `once`, found `twice`"]
    );
}

#[test]
fn a_tree_of_a_base_may_call_what_the_agent_that_runs_it_has() {
    let tree = of("animal", "t", bark());
    assert_eq!(
        lines(&check(
            std::slice::from_ref(&tree),
            &hound(),
            &Rules::default()
        )),
        [""; 0]
    );
    assert_eq!(
        each(&[tree]),
        ["1 action_name: agent `animal` has no action `bark`"]
    );
    let registry = Registry::global().unwrap();
    assert!(RunBy::new(registry, "hond").is_err());
    let by = RunBy::new(registry, "hound").unwrap();
    assert_eq!(
        lines(&check(&[of("animal", "t", bark())], &by, &Rules::default())),
        [""; 0]
    );
}

#[test]
fn a_tree_that_is_run_is_one_of_the_set() {
    let one = |top| {
        let other = of("hound", "trees/hunt.json", bark());
        lines(&check(&[tree(top), other], &hound(), &Rules::default()))
    };
    assert_eq!(one(sub_tree("trees/hunt.json")), [""; 0]);
    assert_eq!(
        one(sub_tree("trees/hunt")),
        [""; 0],
        "its ending is left out"
    );
    assert_eq!(one(node("sub_tree").extra("name_key", "which")), [""; 0]);
    assert_eq!(one(sub_tree("t")), [""; 0]);
    assert_eq!(
        one(node("sub_tree")),
        ["1 extra: `sub_tree_name` or `name_key` is missing"]
    );
    let wanted = "the tree is called `trees/hunt.json`";
    for name in ["hunt", "hunt.json", "other\\hunt"] {
        assert_eq!(
            one(sub_tree(name)),
            [format!(
                "1 sub_tree_name: there is no tree `{name}`; {wanted}"
            )]
        );
    }
    assert_eq!(
        one(sub_tree("trees/hutn.json")),
        ["1 sub_tree_name: there is no tree `trees/hutn.json`; did you mean `trees/hunt.json`?"]
    );
    assert_eq!(
        one(sub_tree("t").extra("mode", "return")),
        ["1 mode: `mode`: expected `call` or `transfer`, found `return`"]
    );
    assert_eq!(
        each(&[tree(bark()), tree(bark())]),
        [
            "- : an earlier tree has the same name; trees are called by their names: give one of them another"
        ]
    );
}

#[test]
fn a_tree_runs_trees_of_its_agent_and_of_its_bases() {
    let trees = [
        tree(sub_tree("rest")),
        of("animal", "rest", sub_tree("fly")),
        of("bird", "fly", node("always_running")),
    ];
    assert_eq!(
        each(&trees),
        [
            "1 sub_tree_name: tree `fly` is for agent `bird`, which is no base of `animal`; a tree runs trees of its own agent and of that one's bases"
        ]
    );
}

#[test]
fn values_are_handed_to_keys_that_the_other_tree_declares() {
    let callee = || {
        let keys = json!({"hp": {"type": "int8", "scope": "tree"}, "who": {"type": "string"}});
        let root = node("root").extra("blackboard", keys).child(bark());
        of("hound", "hunt", root)
    };
    let handed = |args| {
        let tree = tree(sub_tree("hunt").extra("args", args));
        lines(&check(&[tree, callee()], &hound(), &Rules::default()))
    };
    let plain = |value: serde_json::Value| json!({"arg_type": "plain", "arg_value": value});
    assert_eq!(
        handed(json!({"hp": plain(json!(7)), "who": plain(json!("cat"))})),
        [""; 0]
    );
    assert_eq!(
        handed(json!({"ph": plain(json!(7))})),
        ["~1 args/ph: tree `hunt` declares no key `ph`; did you mean `hp`?"]
    );
    assert_eq!(
        handed(json!({"hp": plain(json!("x"))})),
        [
            "1 args/hp/arg_value: `args.hp.arg_value`: expected an integer from -128 to 127, found \"x\""
        ]
    );
    assert_eq!(
        handed(json!({"hp": {"arg_type": "blackboard", "arg_value": "who"}})),
        ["1 args/hp/arg_value: key `hp` is declared as `int8`, key `who` is `string`"]
    );
    assert_eq!(
        handed(json!({"hp": {"arg_type": "property", "arg_value": "nos"}})),
        ["1 args/hp/arg_value: agent `hound` has no property `nos`; did you mean `nose`?"]
    );
    assert_eq!(
        handed(json!({"hp": 7})),
        ["1 args/hp: `args.hp`: expected an object, found 7"]
    );
}

#[test]
fn results_are_keys_that_each_run_of_the_other_tree_has_for_itself() {
    let callee = || {
        let keys = json!({"way": {"type": "int32", "scope": "tree"}, "who": {"type": "string"}});
        let root = node("root").extra("blackboard", keys).child(bark());
        of("hound", "hunt", root)
    };
    let taken = |call: NodeSpec| {
        let keys = json!({"route": {"type": "int64"}, "name": {"type": "string", "scope": "tree"}});
        let tree = of(
            "hound",
            "main",
            node("root").extra("blackboard", keys).child(call),
        );
        lines(&check(&[tree, callee()], &hound(), &Rules::default()))
    };
    let hunt = || sub_tree("hunt");
    assert_eq!(taken(hunt().result("way", "route")), [""; 0]);
    assert_eq!(taken(hunt().result("way", "anything")), [""; 0]);
    assert_eq!(
        taken(hunt().result("wya", "route")),
        ["1 results/wya: tree `hunt` declares no key `wya`; did you mean `way`?"]
    );
    assert_eq!(
        taken(hunt().result("who", "name")),
        [
            "1 results/who: result `who`: expected a key that each run of tree `hunt` has for itself, found one of the agent; give it `\"scope\": \"tree\"` there, or read the key itself"
        ]
    );
    assert_eq!(
        taken(hunt().result("way", "name")),
        ["1 results/way: key `name` is declared as `string`, key `way` of tree `hunt` is `int32`"]
    );
    assert_eq!(
        taken(hunt().result("way", "route").extra("mode", "transfer")),
        [
            "1 mode: `mode`: expected `call` where there are `results`, which a transfer never gives, found `transfer`"
        ]
    );
    let twice = hunt().result("way", "route").result("who", "route");
    let [first, ..] = taken(twice)
        .try_into()
        .unwrap_or_else(|all: Vec<String>| [all.concat(), String::new()]);
    assert!(
        first.contains("`results.who`: expected a key that takes no other result, found `route`"),
        "{first}"
    );
    assert_eq!(
        taken(hunt().result("way", "route").extra("results_on", "failure")),
        ["1 results_on: `results_on`: expected `all` or `success`, found `failure`"]
    );
    assert_eq!(
        taken(hunt().extra("results", json!({"way": 7}))),
        ["1 results/way: `results.way`: expected text, found 7"]
    );
}

#[test]
fn an_event_is_registered_and_has_the_parameters_that_are_taken() {
    let taking = |params| wait_event("whistled").extra("params", params);
    table([
        (wait_event("whistled"), &[]),
        (wait_event("fed").extra("broadcast", true), &[]),
        (wait_event("startled"), &[]),
        (
            wait_event("wistled"),
            &["~1 event: no agent registers an event `wistled`; did you mean `whistled`?"],
        ),
        (
            wait_event("bell"),
            &["~1 event: event `bell` is now called `rang`"],
        ),
        (taking(json!({"loud": "is_loud"})), &[]),
        (
            taking(json!({"luod": "is_loud"})),
            &["1 params/luod: event `whistled` has no parameter `luod`; did you mean `loud`?"],
        ),
        (
            wait_event("fed").extra("params", json!({"what": "food"})),
            &["~1 params/what: parameter `what` is now called `food`"],
        ),
        (
            taking(json!({"xyz": "is_loud"})),
            &["1 params/xyz: event `whistled` has no parameter `xyz`; it has `loud`"],
        ),
        (
            taking(json!({"loud": ""})),
            &["1 params/loud: `params.loud`: expected text that is not empty, found \"\""],
        ),
        (
            taking(json!({"loud": "n"})).extra("blackboard", json!({"n": {"type": "int8"}})),
            &["1 params/loud: parameter `loud` is `bool`, key `n` is `int8`"],
        ),
    ]);
}

#[test]
fn an_events_parameter_fits_the_key_that_the_started_tree_declares() {
    let check_with = |scope: &str| {
        let keys = json!({"n": {"type": "string", "scope": scope}});
        let callee = of(
            "hound",
            "hunt",
            node("root").extra("blackboard", keys).child(bark()),
        );
        let taken = json!([{"event": "fed", "tree": "hunt", "params": {"grams": "n"}}]);
        let keys = json!({"n": {"type": "float", "scope": "tree"}});
        let top = node("root")
            .extra("blackboard", keys)
            .child(bark().extra("events", taken));
        lines(&check(&[tree(top), callee], &hound(), &Rules::default()))
    };
    assert_eq!(
        check_with("tree"),
        ["1 events/0/params/grams: parameter `grams` is `uint32`, key `n` is `string`"]
    );
    // A key that the started tree does not have for itself is the one that the node sees.
    assert_eq!(check_with("agent"), [""; 0]);
}

#[test]
fn an_event_that_switches_trees_is_known_and_so_is_the_tree() {
    let on = |event| bark().extra("events", json!([event]));
    table([
        (
            on(
                json!({"event": "fed", "tree": "t", "mode": "return", "once": true, "params": {"grams": "g"}}),
            ),
            &[],
        ),
        (
            on(json!({"event": "fedd", "tree": "flee", "mode": "go"})),
            &[
                "1 events/0/mode: `events[0].mode`: expected `transfer` or `return`, found `go`",
                "1 events/0/tree: there is no tree `flee`",
                "~1 events/0/event: no agent registers an event `fedd`; did you mean `fed`?",
            ],
        ),
        (
            on(json!({"event": "fed", "params": {"gram": "g"}})),
            &[
                "1 events/0: `events[0]`: the key `tree` is missing; it says the tree to run",
                "1 events/0/params/gram: event `fed` has no parameter `gram`; did you mean `grams`?",
            ],
        ),
    ]);
}
