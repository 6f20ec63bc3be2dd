//! Nodes that a file disables: what is wrong with them is not looked for, and what is left is.

use super::*;
use crate::tree::asset::spec::{guard, parallel, select, sequence, sub_tree};

fn off(node: NodeSpec) -> NodeSpec {
    node.extra("disabled", true)
}

fn nothing_left(kind: &str, ends: &str) -> String {
    format!(
        "~1 children: all its children are disabled: it {ends} at once; disable the `{kind}` itself, if it is \
         to be passed over"
    )
}

#[test]
fn names_in_disabled_parts_are_not_looked_for() {
    let broken = || {
        [
            action("brak"),
            node("sequense"),
            action("bark").guard(guard("no_such")),
            sub_tree("nowhere"),
            node("repeat").extra("cuont", 3).child(bark()),
            sequence([]),
            node("root"),
            bark().extra("blackboard", json!({"hp": {"type": "health"}})),
        ]
    };
    for broken in broken() {
        let shown = tree(broken.clone()).to_json();
        assert_eq!(
            found(sequence([bark(), off(broken.clone())])),
            [""; 0],
            "{shown}"
        );
        let below = off(sequence([broken]));
        assert_eq!(found(sequence([below, bark()])), [""; 0], "{shown}");
    }
    assert_eq!(
        found(sequence([
            bark(),
            off(node("repeat").child(action("brak")))
        ])),
        [""; 0]
    );
    // A decorator around it is not there, either.
    let around = node("repeat").extra("cuont", 3).child(off(bark()));
    assert_eq!(found(sequence([bark(), around])), [""; 0]);
}

#[test]
fn disabled_is_a_truth() {
    table([
        (bark().extra("disabled", false), &[]),
        (
            bark().extra("disabled", "yes"),
            &["1 disabled: `disabled`: expected `true` or `false`, found \"yes\""],
        ),
        (
            bark().extra("disabeld", true),
            &["~1 disabeld: `disabeld` means nothing here; did you mean `disabled`?"],
        ),
    ]);
}

#[test]
fn composite_of_which_no_child_is_left_is_warned_of() {
    for kind in crate::kinds::Kind::ALL {
        let about = kind.about();
        if about.group != crate::kinds::Group::Composite {
            continue;
        }
        let ends = match about.name {
            "sequence" | "memory_sequence" | "reactive_sequence" | "random_seq" | "always_seq"
            | "and" | "parallel" => "succeeds",
            _ => "fails",
        };
        let all = [off(bark()), node("once").child(off(bark()))];
        let top = node(*kind)
            .children(all)
            .extra("prob", json!([1, 2]))
            .extra("on", "$key")
            .extra("cases", json!([1, 2]))
            .extra("scores", json!(["$key", "1"]))
            .extra("composite_name", "by_turns")
            .extra(
                "composite_args",
                json!([{"arg_type": "plain", "arg_value": 2}]),
            );
        let found = found(top);
        assert!(
            found.contains(&nothing_left(about.name, ends)),
            "{found:#?}"
        );
        assert!(found.iter().all(|line| line.starts_with('~')), "{found:#?}");
    }
}

#[test]
fn tree_of_which_nothing_is_left_is_warned_of() {
    let nothing = "~0 children: all its children are disabled: it succeeds at once";
    let root = |top| node("root").extra("agent_name", "hound").child(top);
    table([
        (off(bark()), &[nothing]),
        (
            node("negative").child(node("once").child(off(bark()))),
            &[nothing],
        ),
        (off(root(action("brak"))), &[nothing]),
    ]);
}

#[test]
fn children_that_are_left_are_counted() {
    table([
        (node("once").child(off(bark())).child(bark()), &[]),
        (node("if_else").children([bark(), bark(), off(bark())]), &[]),
        (
            node("if_else").children([bark(), off(bark())]),
            &[
                "1 children: an `if_else` has 2 or 3 children, found 1 beside one that is disabled; disable the `if_else` itself",
            ],
        ),
        (
            node("if_else").children([off(bark()), bark(), off(bark())]),
            &[
                "1 children: an `if_else` has 2 or 3 children, found 1 beside 2 that are disabled; disable the `if_else` itself",
            ],
        ),
        (
            node("while_loop").children([bark(), off(bark())]),
            &[
                "1 children: a `while_loop` has exactly 2 children, found 1 beside one that is disabled; disable the `while_loop` itself",
            ],
        ),
        (
            node("if_else").children([bark(), off(bark()), bark()]),
            &[
                "~1 children: child 3 is disabled, and child 4 stands in its place; disable the `if_else` itself, or put another node in that place",
            ],
        ),
    ]);
}

#[test]
fn what_a_node_says_of_each_child_is_compared_with_all_that_are_listed() {
    let weighted = |weights: serde_json::Value| {
        let children = [bark(), off(bark()), bark()];
        node("probility").children(children).extra("prob", weights)
    };
    let three = |success, failure| parallel(success, failure, [bark(), off(bark()), bark()]);
    table([
        (weighted(json!([1, 2, 3])), &[]),
        (
            weighted(json!([1, 2])),
            &["1 prob: `prob`: expected a weight for each of its 3 children, found 2"],
        ),
        (
            weighted(json!([1, 2, -3])),
            &["1 prob/2: `prob[2]`: expected 0 at least, found -3"],
        ),
        (three(3, 1), &[]),
        (
            three(4, 1),
            &["1 success: `success`: expected no more than its 3 children, found 4"],
        ),
    ]);
}

#[test]
fn guards_of_a_child_after_disabled_ones_are_those_of_a_select() {
    let lower = bark().guard(guard("is_tired").set("abort", "lower"));
    assert_eq!(found(select([off(bark()), lower.clone(), bark()])), [""; 0]);
    let found = found(node("negative").child(lower));
    assert!(
        found[0].contains("is for children of a `select`"),
        "{found:?}"
    );
}

#[test]
fn places_are_those_of_the_file() {
    let top = sequence([off(sequence([bark(), bark()])), action("brak")]);
    let checked = check(&[tree(top)], &hound(), &Rules::default());
    assert_eq!(checked.problems[0].node(), Some(5));
    assert_eq!(checked.problems[0].pointer(), "/nodes/5/extra/action_name");
}
