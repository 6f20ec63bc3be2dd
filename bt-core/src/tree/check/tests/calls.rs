//! Tests of nodes' calls: names, their meaning, arguments.

use serde_json::Value;

use super::*;
use crate::builtin::ActionAgent;
use crate::prelude::*;
use crate::tree::asset::spec::{composite, condition, decorator};

fn chase() -> NodeSpec {
    action("chase").arg(7)
}

#[test]
fn check_reports_calls_of_unknown_methods_and_of_the_wrong_kind() {
    table([
        (condition("smells").arg("cat"), &[]),
        (action("smells").arg("cat"), &[]),
        (action("sleep").arg(1), &[]),
        (decorator("patiently", bark()), &[]),
        (composite("by_turns", [bark(), bark()]).arg(3), &[]),
        (
            node("action"),
            &["1 extra: the key `action_name` is missing; it says the action to call"],
        ),
        (
            action(""),
            &["1 action_name: `action_name`: expected text that is not empty, found \"\""],
        ),
        (
            action("chsae"),
            &["1 action_name: agent `hound` has no action `chsae`; did you mean `chase`?"],
        ),
        (
            action("woff"),
            &["1 action_name: agent `hound` has no action `woff`"],
        ),
        (
            condition("smell"),
            &["1 action_name: agent `hound` has no condition `smell`; did you mean `smells`?"],
        ),
        (
            decorator("patient", bark()),
            &[
                "1 decorator_name: agent `hound` has no decorator `patient`; did you mean `patiently`?",
            ],
        ),
        (
            composite("by_turn", [bark(), bark()]),
            &[
                "1 composite_name: agent `hound` has no composite `by_turn`; did you mean `by_turns`?",
            ],
        ),
        (
            composite("by_turns", [bark()]).arg(3),
            &["1 children: a `by_turns` has 2 to 4 children, found 1"],
        ),
        (
            composite("by_turns", [bark(), bark()]).arg(300),
            &[
                "1 composite_args/0/arg_value: `by_turns`: argument `times`: expected an integer from 0 to 255, found 300",
            ],
        ),
        (
            decorator("by_turns", bark()),
            &[
                "1 decorator_name: `by_turns` is a composite, not a decorator; a node of type `composite` calls it",
                "1 decorator_args: `by_turns`: argument `times` is missing",
            ],
        ),
        (
            composite("patiently", [bark(), bark()]),
            &[
                "1 composite_name: `patiently` is a decorator, not a composite; a node of type `decorator` calls it",
            ],
        ),
        (
            action("nose"),
            &[
                "1 action_name: `nose` is a property of agent `hound`, not an action; an argument may take its value from it",
            ],
        ),
        (
            condition("rang"),
            &[
                "1 action_name: `rang` is an event of agent `hound`, not a condition; `fire_event` fires it, a `wait_event` waits for it",
            ],
        ),
        (
            action("patiently"),
            &[
                "1 action_name: `patiently` is a decorator, not an action; a node of type `decorator` calls it",
            ],
        ),
        (
            condition("bark"),
            &[
                "1 action_name: `bark` is an action, not a condition; a node of type `action` calls it",
            ],
        ),
        (
            condition("patiently"),
            &[
                "1 action_name: `patiently` is a decorator, not a condition; a node of type `decorator` calls it",
            ],
        ),
        (
            decorator("bark", bark()),
            &[
                "1 decorator_name: `bark` is an action, not a decorator; a node of type `action` calls it",
            ],
        ),
        (
            decorator("is_tired", bark()),
            &[
                "1 decorator_name: `is_tired` is a condition, not a decorator; a node of type `condition` evaluates it, and so do `guards`",
            ],
        ),
        (
            action("woof"),
            &["~1 action_name: action `woof` is now called `bark`"],
        ),
        (
            action("heel"),
            &["~1 action_name: action `heel` is deprecated"],
        ),
        (
            action("run_after"),
            &["~1 action_name: action `run_after` is deprecated since 2.0.0; use `chase`"],
        ),
    ]);
}

#[test]
fn a_wait_of_less_than_nothing_is_an_error_for_types_and_for_a_catalogue() {
    for (wait, count, expected) in [
        (
            "wait_frames",
            json!(-1),
            "1 action_args/0/arg_value: `wait_frames`: argument `frames`: expected an integer from 0 to 4294967295, found -1",
        ),
        (
            "wait_for_seconds",
            json!(-0.5),
            "1 action_args/0/arg_value: `wait_for_seconds`: argument `duration` is -0.5, expected 0.0 at least",
        ),
    ] {
        let found = |count: &Value| {
            let top = action(wait).arg(count.clone());
            let trees = [TreeAsset::build("t", "action_agent", top)];
            let typed = Typed::<ActionAgent>::new().unwrap();
            let typed = check(&trees, &typed, &Rules::default());
            let listed = check(&trees, Registry::global().unwrap(), &Rules::default());
            [lines(&typed), lines(&listed)]
        };
        for lines in found(&count) {
            assert_eq!(lines.len(), 1);
            assert!(lines[0].starts_with(expected), "{lines:?}");
        }
        assert_eq!(found(&json!(0)), [[""; 0]; 2]);
    }
}

#[test]
fn arguments_are_those_that_the_method_takes() {
    table([
        (chase(), &[]),
        (
            chase().arg(3).arg("run").key("is_loud"),
            &["~1 action_args/3/arg_name: argument `loud` is deprecated"],
        ),
        (
            action("chase"),
            &["1 action_args: `chase`: argument `target` is missing"],
        ),
        (
            bark().arg(1).arg(2),
            &["1 action_args/0/arg_value: `bark`: takes 0 arguments, 2 given"],
        ),
        (
            action("is_tired").key("x"),
            &["1 action_args/0/arg_value: `is_tired`: takes 0 arguments, 1 given"],
        ),
        (
            action("chase").arg("cat").arg(99).arg("fly"),
            &[
                "1 action_args/0/arg_value: `chase`: argument `target`: expected an integer from 0 to 18446744073709551615, found \"cat\"",
                "1 action_args/1/arg_value: `chase`: argument `range` is 99, expected 0.0 to 50.0",
                "1 action_args/2/arg_value: `chase`: argument `gait` is \"fly\", expected one of \"walk\", \"run\"",
            ],
        ),
        // Swapped.
        (
            action("chase").arg(1).arg("run").arg(3),
            &[
                "1 action_args/1/arg_value: `chase`: argument `range`: expected a number that 64 bits hold, found \"run\"",
                "1 action_args/2/arg_value: `chase`: argument `gait` is 3, expected one of \"walk\", \"run\"",
            ],
        ),
        (
            action("howl")
                .arg("calm")
                .arg(json!([["x", 1], ["y", true]])),
            &[
                "1 action_args/1/arg_value/1/1: `howl`: argument `at`: at `[1][1]`: expected a number that 64 bits hold, found true",
            ],
        ),
        (
            action("howl")
                .arg("clam")
                .arg(null())
                .arg(json!([{"x": 1, "y": 2}, {"x": 1}])),
            &[
                "1 action_args/0/arg_value: `howl`: argument `mood`: there is no `clam`; did you mean `calm`? expected one of `calm`, `angry`, `mad`, `hungry`, `curious`, found \"clam\"",
                "1 action_args/2/arg_value/1: `howl`: argument `way`: at `[1]`: field `y` is missing, found {\"x\":1}",
            ],
        ),
        (action("sniff").key("found").key("count"), &[]),
        (
            action("sniff").arg("found").property("nose"),
            &[
                "1 action_args/0/arg_value: `sniff`: argument `found` is written back, so it takes the name of a blackboard key, found \"found\"",
                "1 action_args/1/arg_value: `sniff`: argument `count` is written back, so it takes the name of a blackboard key",
            ],
        ),
        (
            action("sniff").key("x").key("x"),
            &[
                "1 action_args/1/arg_value: `sniff`: argument `count` is written back to the key of another argument: one would be lost",
            ],
        ),
    ]);
}

fn null() -> serde_json::Value {
    serde_json::Value::Null
}

#[test]
fn an_argument_says_where_its_value_comes_from() {
    let argument = |argument| action("chase").extra("action_args", json!([argument]));
    table([
        (
            argument(json!({"arg_type": "plane", "arg_value": 7})),
            &[
                "1 action_args/0/arg_type: `action_args[0].arg_type`: expected `plain`, `blackboard`, `property` or `expression`, found `plane`; did you mean `plain`?",
            ],
        ),
        (
            argument(json!({"arg_value": 7})),
            &["1 action_args/0: `action_args[0]`: the key `arg_type` is missing"],
        ),
        (
            argument(json!({"arg_type": "plain"})),
            &["1 action_args/0: `action_args[0]`: the key `arg_value` is missing"],
        ),
        (
            argument(json!({"arg_type": "blackboard", "arg_value": 7})),
            &["1 action_args/0/arg_value: `action_args[0].arg_value`: expected text, found 7"],
        ),
        (
            argument(json!({"arg_type": "blackboard", "arg_value": ""})),
            &[
                "1 action_args/0/arg_value: `action_args[0].arg_value`: expected text that is not empty, found \"\"",
            ],
        ),
        (
            argument(json!({"arg_type": "plain", "arg_value": 7, "note": 1})),
            &["~1 action_args/0/note: `action_args[0].note` means nothing here"],
        ),
    ]);
}

#[test]
fn a_property_that_an_argument_takes_is_there_and_of_its_type() {
    table([
        (chase().property("nose"), &[]),
        (
            chase().property("nos"),
            &[
                "1 action_args/1/arg_value: agent `hound` has no property `nos`; did you mean `nose`?",
            ],
        ),
        (
            chase().property("title"),
            &[
                "1 action_args/1/arg_value: `chase`: argument `range` is `double`, property `title` is `string`",
                "~1 action_args/1/arg_value: property `title` is now called `call_name`",
            ],
        ),
    ]);
}

#[test]
fn a_fallback_answers_for_every_name_but_a_decorators() {
    let found = |top| {
        let tree = TreeAsset::build("t", "parrot", top);
        let registry = Registry::global().unwrap();
        lines(&check(&[tree], registry, &Rules::default()))
    };
    let named = |args| action("sing").extra("action_args", args);
    assert_eq!(
        found(action("sing").arg(1).key("x").property("WORDS")),
        [""; 0]
    );
    assert_eq!(
        found(action("sing").property("WORD")),
        ["1 action_args/0/arg_value: agent `parrot` has no property `WORD`; did you mean `WORDS`?"]
    );
    assert_eq!(
        found(
            node("decorator")
                .extra("decorator_name", "sing")
                .child(action("nop"))
        ),
        ["1 decorator_name: agent `parrot` has no decorator `sing`"]
    );
    let args = json!([
        {"arg_type": "plain", "arg_value": 1, "arg_name": "a"},
        {"arg_type": "plain", "arg_value": 1, "arg_name": "b"},
    ]);
    assert_eq!(found(named(args)), [""; 0]);
    let args = json!([
        {"arg_type": "plain", "arg_value": 1, "arg_name": "a"},
        {"arg_type": "blackboard", "arg_value": "k", "arg_name": "b"},
        {"arg_type": "plain", "arg_value": 1},
        {"arg_type": "plain", "arg_value": 1, "arg_name": "a"},
    ]);
    assert_eq!(
        found(named(args)),
        [
            "1 action_args/1: `sing` is answered by the fallback, which knows no names of arguments; leave `arg_name` out: it gets the values in their order",
            "1 action_args/2: `sing`: an argument without a name comes after one with a name; give it an `arg_name`, or put it first",
            "1 action_args/3: `sing`: argument `a` is given twice",
        ]
    );
}

#[cfg(feature = "builtin")]
#[test]
fn an_event_that_is_fired_is_one_of_the_agents() {
    let fire = |args: &[serde_json::Value]| {
        let registry = Registry::global().unwrap();
        let fire = args
            .iter()
            .fold(action("fire_event"), |fire, arg| fire.arg(arg.clone()));
        lines(&check(
            &[TreeAsset::build("t", "bird", fire)],
            registry,
            &Rules::default(),
        ))
    };
    assert_eq!(fire(&[json!("startled")]), [""; 0]);
    assert_eq!(
        fire(&[json!("startle")]),
        [
            "~1 action_args/0/arg_value: no agent registers an event `startle`; did you mean `startled`?"
        ]
    );
    let none = "event `startled` has no parameter `by`; it has none";
    let place = "action_args/1/arg_value";
    assert_eq!(
        fire(&[json!("startled"), json!({"by": 1})]),
        [format!("1 {place}/by: {none}")]
    );
    assert_eq!(
        fire(&[json!("startled"), json!([["by", 1]])]),
        [format!("1 {place}/0: {none}")]
    );
    // Another agent's: it may be the one that runs the tree.
    assert_eq!(fire(&[json!("whistled"), json!({"by": 1})]), [""; 0]);
}

#[test]
fn key_that_stands_beside_extra_is_found_there() {
    let mut tree = tree(node("action"));
    let others = &mut tree.node_mut(1).unwrap().others;
    others.insert("action_name".to_owned(), json!("bark"));
    let checked = check(&[tree], &hound(), &Rules::default());
    assert_eq!(
        lines(&checked),
        [
            "1 extra: the key `action_name` is missing; move `action_name` into `extra`",
            "~1 action_name: `action_name` is beside `extra`, where it has no meaning; move it inside: \"extra\": {\"action_name\": …}",
        ]
    );
}

#[test]
fn problem_of_a_script_has_the_line_and_column_of_its_node() {
    let script = "AGENT hound\nSEQUENCE\n    bark\n    chsae 7\n";
    let tree = TreeAsset::from_script("t.bt", script).unwrap();
    let checked = check(&[tree], &hound(), &Rules::default());
    assert_eq!(
        checked.problems[0].to_string(),
        "t.bt:4:5: node 3: agent `hound` has no action `chsae`; did you mean `chase`?"
    );
}

/// An agent with the built-in actions.
#[derive(Agent)]
struct Miser {
    #[property]
    coins: i32,
}

/// The problems of a call by the miser.
fn found_of_miser(call: NodeSpec) -> Vec<String> {
    let tree = TreeAsset::build("t", "miser", call);
    lines(&check(
        &[tree],
        &Typed::<Miser>::new().unwrap(),
        &Rules::default(),
    ))
}

#[cfg(feature = "builtin")]
#[test]
fn property_in_place_of_the_name_of_a_key_is_explained() {
    let takes = "argument `bb_key` is `string`, property `coins` is `int32`; it takes the name of a key, in quotes";
    assert_eq!(
        found_of_miser(action("compare_key").property("coins").arg("<").arg(3)),
        [format!(
            "1 action_args/0/arg_value: `compare_key`: {takes}; `compare` takes a property, as in `compare @hp, \"<\", 30`"
        )]
    );
    assert_eq!(
        found_of_miser(action("number_add").property("coins").arg(1)),
        [format!("1 action_args/0/arg_value: `number_add`: {takes}")]
    );
}

#[cfg(not(feature = "builtin"))]
#[test]
fn built_in_action_that_the_build_does_not_have_names_the_feature() {
    assert_eq!(
        found_of_miser(action("compare").arg(1).arg("<").arg(3)),
        [
            "1 action_name: agent `miser` has no action `compare`; it is built in with bt-core's cargo feature `builtin`, which is off in this build"
        ]
    );
    table([(
        action("compare"),
        &["1 action_name: agent `hound` has no action `compare`"],
    )]);
}
