//! Scripts that are written of trees, and read again.

use super::*;
use crate::tree::asset::spec::{NodeSpec, action, guard, node, sequence};

/// The script of a tree, and the tree that is read from it.
fn round(tree: &TreeAsset) -> (String, TreeAsset) {
    let script = tree.to_script(&|_| None);
    let script = script.unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let read = TreeAsset::from_script(tree.name(), &script);
    let read = read.unwrap_or_else(|error| panic!("{error}\n{script}"));
    (script, read)
}

fn of(top: NodeSpec) -> TreeAsset {
    TreeAsset::build("t", "guard", top)
}

#[test]
fn script_of_a_script_is_the_same_script() {
    for script in [
        "AGENT sentry\nKEY chases {\"initial\": 0, \"type\": \"int32\"}\nKEY enemy \"string\"\nSEQUENCE True\n  GUARD SELF is_enemy $enemy\n  GUARD NOT BOTH POLL $hp < 20\n  SERVICE 0.5 look_around\n  ON ENTER shout \"Halt!\"\n  ON EXIT SET $chases = $chases + 1\n  EVENT alarm {\"tree\": \"answer\", \"mode\": \"return\", \"params\": {\"place\": $alarm_at}}\n  chase $enemy, @run_speed, ($x + 1)\n",
        "AGENT sentry {\"mode\": \"once\"}\nFALLBACK\n  SEQUENCE {}\n    CHECK $hp < 20 && is_ok()\n    SET $a = 1, @b = 'x'\n  SEQUENCE\n    walk_to {\"place\": \"gate\"}\n    look ({\"a\": [1, None, True]},)\n  PARALLEL {\"failure\": 1, \"rerun\": True, \"success\": 2}\n    SUB_TREE \"find\", {\"n\": 3, \"post\": $home}, {\"way\": $route}, \"success\"\n    SUB_TREE $which\n    SUB_TREE {\"mode\": \"transfer\", \"sub_tree_name\": \"patrol\"}\n    WAIT_EVENT {\"event\": \"noise\", \"params\": {\"place\": \"noise_at\"}}\n",
        "REPEAT {\"count\": 3, \"disabled\": True}\n  SELECT\n    say \"a \\\"b\\\"\\n\\\\\\x07é\\u202e\\U000e0041\"\n    say $\"the key\"\n",
    ] {
        let tree = TreeAsset::from_script("t", script).unwrap_or_else(|error| panic!("{error}"));
        let (written, read) = round(&tree);
        assert_eq!(written, script);
        assert_eq!(read, tree);
    }
}

#[test]
fn plain_sequence_and_a_condition_are_written_as_what_runs_alike() {
    let condition = node("condition").extra("action_name", "sees");
    let (script, read) = round(&of(sequence([condition, action("go").guard(guard("ok"))])));
    assert_eq!(
        script,
        "AGENT guard\nSEQUENCE {}\n  sees\n  go\n    GUARD ok\n"
    );
    assert_eq!(read.node(1).unwrap().kind, "sequence");
    assert_eq!(read.node(2).unwrap().kind, "action");
}

#[test]
fn remarks_stand_behind_their_nodes_in_one_line() {
    let tree = of(action("go").guard(guard("ok")));
    let script = tree.to_script(&|node| Some(format!("{}\nGUARD x", node.idx())));
    assert_eq!(
        script.unwrap(),
        "AGENT guard  # 0\\nGUARD x\ngo  # 1\\nGUARD x\n  GUARD ok\n"
    );
}

#[test]
fn nodes_without_a_line_are_named_with_the_reason() {
    for (top, why) in [
        (node("jump"), "there is no kind `jump`"),
        (
            action("two words"),
            "`two words` is no name that a line can have",
        ),
        (
            action("a").child(action("b")),
            "`action` has no line over 1 children",
        ),
        (
            node("check").extra("if", 7),
            "`/extra/if` is not as a script has it",
        ),
    ] {
        let wrong = of(top).to_script(&|_| None).unwrap_err();
        assert_eq!(wrong[0], (1, why.to_owned()));
    }
}
