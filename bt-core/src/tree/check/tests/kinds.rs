//! Node types, how many children they have, and what stands below what.

use super::*;
use crate::tree::asset::spec::{condition, negative, select, sequence};

#[test]
fn a_node_type_is_known() {
    table([
        (sequence([bark()]), &[]),
        (
            node("sequense"),
            &["1 type: there is no node type `sequense`; did you mean `sequence`?"],
        ),
        (
            over("Selector"),
            &[
                "1 type: there is no node type `Selector`; write `select`, which runs its children until one succeeds",
            ],
        ),
        (
            over("inverter"),
            &[
                "1 type: there is no node type `inverter`; write `negative`, which turns its child's result round",
            ],
        ),
        (
            over("probability"),
            &["1 type: there is no node type `probability`; write `probility`, as files spell it"],
        ),
        (
            node("wait"),
            &[
                "1 type: there is no node type `wait`; write an `action` that calls `wait_for_seconds`",
            ],
        ),
        (
            node("teleport").child(node("")),
            &[
                "1 type: there is no node type `teleport`",
                "2 type: there is no node type ``",
            ],
        ),
    ]);
}

#[test]
fn a_node_has_as_many_children_as_its_type_takes() {
    table([
        (
            sequence([]),
            &["1 children: a `sequence` has one child at least, found none"],
        ),
        (
            node("negative"),
            &["1 children: a `negative` has exactly one child, found none"],
        ),
        (
            over("once").child(bark()),
            &[
                "1 children: a `once` has exactly one child, found 2; put them below a `sequence` or a `select`",
            ],
        ),
        (
            over("if_else"),
            &["1 children: an `if_else` has 2 or 3 children, found 1"],
        ),
        (
            over("while_loop"),
            &["1 children: a `while_loop` has exactly 2 children, found 1"],
        ),
        (
            bark().child(bark()),
            &["1 children: an `action` has no children, found 1"],
        ),
        (
            node("root").child(bark()).child(bark()),
            &[
                "0 children: a `root` has exactly one child, found 2; put them below a `sequence` or a `select`",
            ],
        ),
        (
            node("root"),
            &["0 children: a `root` has exactly one child, found none"],
        ),
    ]);
}

#[test]
fn a_tree_that_is_too_wide_for_the_original_editor_is_warned_of() {
    let many = |count| std::iter::repeat_with(bark).take(count);
    table([
        (sequence(many(20)), &[]),
        (
            sequence(many(21)),
            &[
                "~1 children: the original editor loads a `sequence` of 20 children at most, found 21",
            ],
        ),
        (node("memory_sequence").children(many(100)), &[]),
    ]);
}

#[test]
fn a_composite_without_children_is_for_trees_made_in_code() {
    let kinds = [
        "sequence",
        "select",
        "memory_sequence",
        "memory_select",
        "reactive_sequence",
        "reactive_select",
        "always_seq",
        "random_seq",
        "random_select",
    ];
    for kind in kinds {
        let trees = [tree(node(kind))];
        assert_eq!(check(&trees, &hound(), &Rules::default()).problems.len(), 1);
        assert_eq!(
            check(&trees, &hound(), &Rules::in_code()),
            Checked::default()
        );
    }
    for kind in ["if_else", "negative", "probility", "parallel", "and", "or"] {
        let trees = [tree(node(kind).extra("prob", json!([])))];
        assert!(
            !check(&trees, &hound(), &Rules::in_code())
                .problems
                .is_empty(),
            "{kind}"
        );
    }
}

#[test]
fn a_root_is_on_top_and_nowhere_else() {
    table([(
        sequence([node("root").extra("agent_name", "hound").child(bark())]),
        &[
            "2 type: a `root` is on top of its tree and nowhere else; another tree is run by a `sub_tree`",
        ],
    )]);
    let mut headless = tree(bark());
    headless.node_mut(0).unwrap().kind = "always_true".to_owned();
    assert_eq!(
        lines(&check(&[headless], &hound(), &Rules::default())),
        [
            "0 type: the node on top is an `always_true`, expected a `root`",
            "~0 agent_name: `agent_name` means nothing here"
        ]
    );
}

#[test]
fn below_and_and_or_are_conditions() {
    let smells = || condition("smells").arg("cat");
    table([
        (
            node("and").children([
                smells(),
                action("is_tired"),
                negative(node("or").child(negative(smells()))),
            ]),
            &[],
        ),
        (
            node("and").child(sequence([bark()])),
            &[
                "2 type: below `and` are conditions, found a `sequence`; a `sequence` runs nodes of any type",
            ],
        ),
        (
            node("or").child(negative(bark())),
            &[
                "3 action_name: `bark` is an action, not a condition; below `or` are conditions; a `select` runs actions too",
            ],
        ),
        (
            node("and").child(negative(over("repeat").extra("count", 1))),
            &[
                "3 type: below `and` are conditions, found a `repeat`; a `sequence` runs nodes of any type",
            ],
        ),
        (select([node("or").child(smells()), negative(bark())]), &[]),
    ]);
}

#[test]
fn a_tree_is_within_its_limits() {
    let deep = |nodes: usize| (2..nodes).fold(bark(), |below, _| negative(below));
    assert_eq!(found(deep(MAX_DEPTH)), [""; 0]);
    assert_eq!(
        found(deep(MAX_DEPTH + 5)),
        ["256 : more than 256 nodes below one another"]
    );
    let small = Rules::default().limits(Limits { nodes: 3, depth: 2 });
    let trees = [
        tree(negative(bark())),
        tree(sequence([bark(), bark()])).with_name("u"),
    ];
    assert_eq!(
        lines(&check(&trees, &hound(), &small)),
        [
            "2 : more than 2 nodes below one another",
            "- : more than 3 nodes"
        ]
    );
    let wide = Rules::default().limits(Limits {
        depth: 20_000,
        ..Limits::default()
    });
    assert_eq!(
        check(&[tree(deep(10_000))], &hound(), &wide),
        Checked::default()
    );
}
