//! Keys that trees and nodes declare.

use super::*;
use crate::tree::asset::spec::sequence;

fn declares(keys: serde_json::Value, top: NodeSpec) -> NodeSpec {
    let root = node("root").extra("agent_name", "hound");
    root.extra("blackboard", keys).child(top)
}

#[test]
fn a_declaration_has_a_type_and_a_value_of_it() {
    let key = |declaration| declares(json!({"hp": declaration}), bark());
    table([
        (
            key(json!({"type": "map<array<int8>>", "initial": {"a": [1]}})),
            &[],
        ),
        (
            key(json!({"type": "uint8", "initial": 7.0, "scope": "global"})),
            &[],
        ),
        (
            key(json!({"type": "int23"})),
            &[
                "0 blackboard/hp/type: `blackboard.hp.type`: `int23` is no type of a key; did you mean `int32`, `int16` or `int64`? There are `bool`, `int8` to `int64`, `uint8` to `uint64`, `float`, `double`, `string`, `any_value`, `array<T>`, `optional<T>` and `map<T>`",
            ],
        ),
        (
            key(json!({"type": "int8", "initial": 200})),
            &[
                "0 blackboard/hp/initial: `blackboard.hp.initial`: expected an integer from -128 to 127, found 200",
            ],
        ),
        (
            key(json!({"initial": 200})),
            &[
                "0 blackboard/hp: `blackboard.hp`: the key `type` is missing; it says the type, by its name in action_types.json",
            ],
        ),
        (
            key(json!({"type": ""})),
            &[
                "0 blackboard/hp/type: `blackboard.hp.type`: expected text that is not empty, found \"\"",
            ],
        ),
        (
            key(json!({"type": "bool", "scope": "world"})),
            &[
                "0 blackboard/hp/scope: `blackboard.hp.scope`: expected `agent`, `tree` or `global`, found `world`",
            ],
        ),
        (
            key(json!(7)),
            &["0 blackboard/hp: `blackboard.hp`: expected an object, found 7"],
        ),
        (
            declares(json!({"": {"type": "bool"}}), bark()),
            &["0 blackboard/: the name of a key is empty"],
        ),
        (
            bark().extra("blackboard", json!({"a": {"type": "bool"}})),
            &[],
        ),
        (
            bark().extra(
                "blackboard",
                json!({"a": {"type": "bool", "scope": "agent"}}),
            ),
            &[
                "1 blackboard/a/scope: `blackboard.a.scope`: only what the root declares has a scope; this node and what is below it see the key",
            ],
        ),
    ]);
}

#[test]
fn a_key_is_of_a_type_that_the_argument_takes() {
    let calls = || {
        sequence([
            action("chase").key("who"),
            action("smells").key("who"),
            action("sniff").key("who").key("n"),
        ])
    };
    let wrong = [
        "2 action_args/0/arg_value: `chase`: argument `target` is `uint64`, key `who` is `string`",
        "3 action_args/0/arg_value: `smells`: argument `what` is `string`, key `who` is `int32`",
        "4 action_args/0/arg_value: `sniff`: argument `found` is `string`, key `who` is `int32`",
    ];
    table([
        (calls(), &[]),
        (
            declares(json!({"who": {"type": "any_value"}}), calls()),
            &[],
        ),
        (
            declares(json!({"who": {"type": "string"}}), calls()),
            &wrong[..1],
        ),
        (
            declares(json!({"who": {"type": "int32"}}), calls()),
            &wrong[1..],
        ),
        (
            declares(json!({"who": {"type": "string", "scope": "tree"}}), calls()),
            &wrong[..1],
        ),
        (
            declares(json!({"n": {"type": "optional<bool>"}}), calls()),
            &[
                "4 action_args/1/arg_value: `sniff`: argument `count` is `uint8`, key `n` is `optional<bool>`",
            ],
        ),
        // A variant may be an object's key, a list may be empty, an option may be null.
        (
            declares(json!({"m": {"type": "map<int8>"}}), action("howl").key("m")),
            &[],
        ),
        (
            declares(
                json!({"m": {"type": "bool"}}),
                action("howl").key("m").key("m").key("m").key("m"),
            ),
            &[
                "1 action_args/0/arg_value: `howl`: argument `mood` is `Mood`, key `m` is `bool`",
                "1 action_args/1/arg_value: `howl`: argument `at` is `optional<Spot>`, key `m` is `bool`",
                "1 action_args/2/arg_value: `howl`: argument `way` is `optional<array<Spot>>`, key `m` is `bool`",
            ],
        ),
    ]);
}

#[test]
fn key_declared_by_a_node_is_visible_below_it_only() {
    let smells = || action("smells").key("who");
    let number = json!({"who": {"type": "int32"}});
    let top = sequence([
        sequence([smells()]).extra("blackboard", number.clone()),
        smells(),
        sequence([smells().extra("blackboard", json!({"who": {"type": "string"}}))])
            .extra("blackboard", number),
    ]);
    assert_eq!(
        found(top),
        ["3 action_args/0/arg_value: `smells`: argument `what` is `string`, key `who` is `int32`"]
    );
}

#[test]
fn trees_agree_on_the_keys_that_they_share() {
    let of = |name: &str, key| {
        tree(declares(json!({"hp": key}), action("smells").key("hp"))).with_name(name)
    };
    let two = |first, second| {
        lines(&check(
            &[of("a", first), of("b", second)],
            &hound(),
            &Rules::default(),
        ))
    };
    let text = || json!({"type": "string"});
    let other = |key: &str, there: &str| {
        format!(
            "0 blackboard/hp: {key} in `a`{there}; the agent has one key of a name; one of the \
             tree's own has `\"scope\": \"tree\"`"
        )
    };
    assert_eq!(two(text(), text()), [""; 0]);
    assert_eq!(
        two(text(), json!({"type": "any_value"})),
        [other(
            "key `hp` is declared as `any_value` here and as `string`",
            ""
        )]
    );
    let again = other(
        "key `hp` is declared as `string`",
        " too, with another initial value or scope",
    );
    assert_eq!(
        two(text(), json!({"type": "string", "initial": ""})),
        std::slice::from_ref(&again)
    );
    assert_eq!(
        two(text(), json!({"type": "string", "scope": "global"})),
        [again]
    );
    assert_eq!(
        two(text(), json!({"type": "any_value", "scope": "tree"})),
        [""; 0]
    );
    // What one tree declares, the other one sees.
    let number = of("a", json!({"type": "int8", "scope": "tree"}));
    let shared = of("b", json!({"type": "int8"}));
    let plain = tree(action("smells").key("hp")).with_name("c");
    let seen = |trees: &[TreeAsset]| check(trees, &hound(), &Rules::default()).problems.len();
    assert_eq!(seen(&[number, plain.clone()]), 1);
    assert_eq!(seen(&[shared, plain]), 2);
}

#[test]
fn declarations_are_read_as_they_are_meant() {
    let keys = json!({
        "a": {"type": "int8", "initial": 1}, "b": {"type": "bool", "scope": "tree"},
        "c": {"type": "bool", "scope": "global"}, "d": {"type": "nothing"}, "e": 7,
    });
    let tree = tree(declares(
        keys,
        bark().extra("blackboard", json!({"a": {"type": "bool"}})),
    ));
    let owners = |idx| -> Vec<_> {
        let all = declared(tree.node(idx).unwrap());
        all.map(|declared| (declared.key, declared.owner)).collect()
    };
    assert_eq!(
        owners(0),
        [
            ("a", Owner::AllTrees),
            ("b", Owner::OneTree),
            ("c", Owner::AllAgents)
        ]
    );
    assert_eq!(owners(1), [("a", Owner::OneNode)]);
    let mut all = declared(tree.root());
    let first = all.next().unwrap().declaration();
    let ty: crate::blackboard::ValueType = "int8".parse().unwrap();
    assert_eq!(
        first,
        crate::blackboard::Declaration::new("a", ty).initial(1)
    );
    let ty: crate::blackboard::ValueType = "bool".parse().unwrap();
    let last = all.last().unwrap().declaration();
    assert_eq!(last, crate::blackboard::Declaration::new("c", ty).global());
}
