//! Changes of structure, each of which leaves a tree.

use super::*;
use crate::tree::asset::spec::{action, call, condition, decorator, guard, node, select, sequence};

fn tree() -> TreeAsset {
    // 0 root, 1 sequence: 2 select: 3 a, 4 b; 5 c
    let top = sequence([select([action("a"), action("b")]), action("c")]);
    TreeAsset::build("t", "agent", top)
}

#[test]
fn a_built_tree_is_numbered_downwards_then_to_the_right() {
    assert_eq!(shape(&tree()), "0[1] 1[2 5] 2[3 4] 3[] 4[] 5[]");
    assert_eq!(tree().agent(), Some("agent"));
}

#[test]
fn a_spec_of_a_root_is_the_root() {
    let top = node("root")
        .extra("mode", "once")
        .children([action("a"), action("b")]);
    let tree = TreeAsset::build("t", "agent", top);
    assert_eq!(shape(&tree), "0[1 2] 1[] 2[]");
    assert_eq!(
        (tree.agent(), &tree.root().extra["mode"]),
        (Some("agent"), &"once".into())
    );
}

#[test]
fn calls_are_attached_as_the_contract_spells_them() {
    let top = decorator("twice", condition("near").property("hp"))
        .arg("x")
        .guard(
            guard("sees")
                .key("who")
                .arg(1)
                .negated()
                .set("abort", "self"),
        )
        .effect("enter", call("say").arg("hm"))
        .effect("enter", call("nop"))
        .service(0.5, call("look").property("hp"))
        .comment("c");
    let spec = serde_json::json!({
        "decorator_name": "twice",
        "decorator_args": [{"arg_type": "plain", "arg_value": "x"}],
        "guards": [{"condition_name": "sees", "not": true, "abort": "self", "condition_args": [
            {"arg_type": "blackboard", "arg_value": "who"}, {"arg_type": "plain", "arg_value": 1}]}],
        "effects": {"enter": [
            {"action_name": "say", "action_args": [{"arg_type": "plain", "arg_value": "hm"}]},
            {"action_name": "nop", "action_args": []}]},
        "services": [{"seconds": 0.5, "action_name": "look", "action_args": [
            {"arg_type": "property", "arg_value": "hp"}]}],
    });
    assert_eq!(Value::from(top.data.extra.clone()), spec);
    assert_eq!(top.data.comment, "c");
}

#[test]
fn nodes_are_put_in_with_what_is_below_them() {
    let mut tree = tree();
    assert_eq!(tree.insert(2, 1, select([action("x"), action("y")])), Ok(6));
    assert_eq!(
        shape(&tree),
        "0[1] 1[2 5] 2[3 6 4] 3[] 6[7 8] 7[] 8[] 4[] 5[]"
    );
    for (parent, at, expected) in [
        (9, 0, "t: there is no node 9"),
        (2, 4, "t: node 2: a new child is at most its child 3, not 4"),
    ] {
        let before = tree.clone();
        let error = tree.insert(parent, at, action("z")).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(tree, before);
    }
}

#[test]
fn numbers_are_not_given_twice_while_they_last() {
    let mut tree = tree();
    tree.remove(3).unwrap();
    assert_eq!(tree.insert(2, 0, action("x")), Ok(6));
    let text = file(&["0 root - 4294967295", "4294967295 sequence 0 1", "1 x -"]);
    let mut tree = TreeAsset::from_json("t", &text).unwrap();
    assert_eq!(tree.insert(1, 0, action("x")), Ok(2));
    assert_eq!(tree.insert(1, 0, action("x")), Ok(3));
    shape(&tree);
}

#[test]
fn nodes_are_taken_out_with_what_is_below_them() {
    let mut tree = tree();
    let copied = tree.copy(2);
    let cut = tree.remove(2).unwrap();
    assert_eq!(shape(&tree), "0[1] 1[5] 5[]");
    assert_eq!(cut, select([action("a"), action("b")]));
    assert_eq!(copied, Some(cut));
    assert_eq!(tree.copy(2), None);
    let error = |result: Result<NodeSpec, AssetError>| result.unwrap_err().to_string();
    assert_eq!(error(tree.remove(0)), "t: node 0: is the root, which stays");
    assert_eq!(error(tree.remove(2)), "t: there is no node 2");
}

#[test]
fn nodes_are_moved_with_what_is_below_them() {
    let mut tree = tree();
    tree.move_to(5, 2, 1).unwrap();
    assert_eq!(shape(&tree), "0[1] 1[2] 2[3 5 4] 3[] 5[] 4[]");
    tree.move_to(3, 2, 2).unwrap();
    assert_eq!(shape(&tree), "0[1] 1[2] 2[5 4 3] 5[] 4[] 3[]");
    for (idx, parent, at, expected) in [
        (0, 1, 0, "t: node 0: is the root, which stays"),
        (
            1,
            3,
            0,
            "t: node 1: cannot go below node 3, which is below it",
        ),
        (2, 2, 0, "t: node 2: cannot go below itself"),
        (9, 1, 0, "t: there is no node 9"),
        (3, 9, 0, "t: there is no node 9"),
        (
            3,
            2,
            3,
            "t: node 2: a new child is at most its child 2, not 3",
        ),
    ] {
        let before = tree.clone();
        let error = tree.move_to(idx, parent, at).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(tree, before);
    }
}

#[test]
fn no_change_makes_a_tree_that_cannot_be_read() {
    let chain = |length: usize| {
        let wrap = |child, _| node("negative").child(child);
        (1..length).fold(action("a"), wrap)
    };
    // The root is one of them, and so is the sequence.
    let mut tree = TreeAsset::build("t", "agent", sequence([action("b")]));
    let whole = tree.insert(1, 0, chain(MAX_DEPTH - 2)).unwrap();
    assert!(tree.over_limit().is_none());
    assert!(TreeAsset::from_json("t", &tree.to_json()).is_ok());
    let deep = "more than 256 nodes below one another";
    let error = tree.insert(1, 0, chain(MAX_DEPTH - 1)).unwrap_err();
    assert_eq!(error.problems()[0].message(), deep);
    let lower = tree.insert(1, 0, node("negative")).unwrap();
    let error = tree.move_to(whole, lower, 0).unwrap_err();
    assert_eq!(error.problems()[0].message(), deep);
    let built = TreeAsset::build("t", "agent", chain(MAX_DEPTH));
    let problem = built.over_limit().unwrap();
    assert_eq!((problem.node(), problem.message()), (Some(256), deep));
}
