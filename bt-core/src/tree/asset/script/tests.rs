//! Scripts: the seed document's own, and what is wrong with others.

mod expressions;
mod literals;
mod round;
mod written;

use serde_json::{Value, json};

use super::super::TreeAsset;

/// The tree of a script as a script would be written of it: kinds, names, arguments.
fn shown(tree: &TreeAsset) -> String {
    let mut text = String::new();
    let mut depth = vec![tree.root().idx()];
    for node in tree.preorder().skip(1) {
        while depth
            .last()
            .is_some_and(|above| Some(*above) != node.parent())
        {
            depth.pop();
        }
        let name =
            ["action_name", "decorator_name", "composite_name"].map(|key| node.extra.get(key));
        let name = name.into_iter().flatten().filter_map(Value::as_str).next();
        text += &" ".repeat(depth.len() - 1);
        text += &format!("{} {}", node.kind, name.unwrap_or_default());
        for flag in ["keep_place", "rerun"] {
            if let Some(set) = node.extra.get(flag) {
                assert_eq!(set, true);
                text += flag;
            }
        }
        for key in ["action_args", "decorator_args", "composite_args"] {
            for argument in node
                .extra
                .get(key)
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
            {
                assert_eq!(argument["arg_type"], "plain");
                let name = argument.get("arg_name").and_then(Value::as_str);
                let name = name.map(|name| format!("{name}=")).unwrap_or_default();
                text += &format!(" {name}{}", argument["arg_value"]);
            }
        }
        text = text.trim_end().to_owned() + "\n";
        depth.push(node.idx());
    }
    text
}

fn check(script: &str, expected: &str) {
    let tree = TreeAsset::from_script("t", script).unwrap();
    assert_eq!(shown(&tree), expected, "{script}");
    assert_eq!(tree.agent(), None);
    // What comes of a script is a tree like any other.
    assert_eq!(TreeAsset::from_json("t", &tree.to_json()), Ok(tree));
}

fn refused(script: &str, expected: &[&str]) {
    let error = TreeAsset::from_script("t", script).unwrap_err();
    let found = error.to_string();
    let found: Vec<_> = found
        .lines()
        .map(|line| line.trim_start_matches("t:"))
        .collect();
    assert_eq!(found, expected, "{script}");
}

const ROBOT: &str = "
SEQUENCE
    FALLBACK
        ball_found
        find_ball
    FALLBACK
        is_close {\"target\": \"ball\"}
        approach {\"target\": \"ball\"}
    FALLBACK
        ball_placed
        place_ball
";

#[test]
fn the_robot_fetches_its_ball() {
    check(
        ROBOT,
        r#"reactive_sequence
 reactive_select
  action ball_found
  action find_ball
 reactive_select
  action is_close target="ball"
  action approach target="ball"
 reactive_select
  action ball_placed
  action place_ball
"#,
    );
}

#[test]
fn a_postcondition_a_precondition_and_an_action_nest() {
    check(
        "FALLBACK
\tis_in_house
\tSEQUENCE
\t\tFALLBACK
\t\t\tis_door_open
\t\t\tSEQUENCE
\t\t\t\tis_door_unlocked
\t\t\t\topen_door
\t\tgo_inside",
        "reactive_select
 action is_in_house
 reactive_sequence
  reactive_select
   action is_door_open
   reactive_sequence
    action is_door_unlocked
    action open_door
  action go_inside
",
    );
}

#[test]
fn a_patrol_keeps_its_place() {
    check(
        "SEQUENCE True\n  go_to_point \"a\"\n  go_to_point \"b\"\n  go_to_point \"c\"\n",
        "sequence keep_place\n action go_to_point \"a\"\n action go_to_point \"b\"\n action go_to_point \"c\"\n",
    );
    check("FALLBACK True\n a\n", "select keep_place\n action a\n");
    check("SEQUENCE False\n a\n", "reactive_sequence\n action a\n");
}

#[test]
fn a_parallel_runs_all_its_children_every_tick_and_states_both_thresholds() {
    let script = "PARALLEL 2\n a\n b\n c\n";
    check(script, "parallel rerun\n action a\n action b\n action c\n");
    let tree = TreeAsset::from_script("t", script).unwrap();
    let extra = Value::from(tree.node(1).unwrap().extra.clone());
    assert_eq!(extra, json!({"success": 2, "failure": 2, "rerun": true}));
    // More than there are is for the build to refuse.
    let tree = TreeAsset::from_script("t", "PARALLEL 2\n a\n").unwrap();
    assert_eq!(
        Value::from(tree.node(1).unwrap().extra.clone()),
        json!({"success": 2, "rerun": true})
    );
    // A dict has its keys as they are in a file: its children run on by themselves.
    let script = "PARALLEL {\"success\": 2, \"failure\": 1}\n a\n b\n";
    let tree = TreeAsset::from_script("t", script).unwrap();
    assert_eq!(
        Value::from(tree.node(1).unwrap().extra.clone()),
        json!({"success": 2, "failure": 1})
    );
}

#[test]
fn a_name_with_lines_below_it_is_a_decorator() {
    check(
        "at_most (3, \"a day\")\n knock\n",
        "decorator at_most 3 \"a day\"\n action knock\n",
    );
}

#[test]
fn a_name_with_several_nodes_below_it_is_a_composite() {
    check(
        "turns (3, \"a day\")\n GUARD calm\n twice\n  GUARD calm\n  knock\n ring\n",
        "composite turns 3 \"a day\"\n decorator twice\n  action knock\n action ring\n",
    );
    let one = "COMPOSITE {\"composite_name\": \"turns\"}\n knock\n";
    check(one, "composite turns\n action knock\n");
}

#[test]
fn comments_and_blank_lines_and_a_common_indentation_mean_nothing() {
    check(
        "\u{feff}# a script\r\n\r\n    SEQUENCE # all\r\n  # anywhere\r\n      say \"#1\" # 'two'\r\n\t\r\n      日本 [1]#x\r\n",
        "reactive_sequence\n action say \"#1\"\n action 日本 [1]\n",
    );
}

#[test]
fn a_dict_names_arguments_a_tuple_lists_them_and_anything_else_is_one() {
    for (param, arguments) in [
        ("", ""),
        ("()", ""),
        ("{}", ""),
        ("None", " null"),
        ("7", " 7"),
        ("[1, 2]", " [1,2]"),
        ("(1, 2)", " 1 2"),
        ("1, 2", " 1 2"),
        ("1,", " 1"),
        ("(1,)", " 1"),
        ("(1)", " 1"),
        ("((1, 2),)", " [1,2]"),
        ("((1, 2))", " 1 2"),
        ("[(1, [True]), ()]", " [[1,[true]],[]]"),
        ("{'b': 1, 'a': {'c': None}}", " a={\"c\":null} b=1"),
        ("{'b': (1, 2),}", " b=[1,2]"),
    ] {
        check(&format!("act {param}"), &format!("action act{arguments}\n"));
    }
    check("act{'b': 1}", "action act b=1\n");
}

#[test]
fn script_errors_are_all_reported_together() {
    refused(
        "SEQUENCE 1
    a
      b
        c
                d
    -e
    f eval(\"1\")
\tg
PARALLEL
    h true
    i {1: 2}
FALLBACK True, True
    PARALLEL 0
",
        &[
            "1:1: `SEQUENCE` takes `True`, if it keeps its place after an abort, or nothing, found 1; with keys of its own it is `REACTIVE_SEQUENCE {…}`",
            "3:7: the line is indented by 6 spaces, but one step is 4 spaces in this script",
            "5:17: the line is 2 steps deeper than the one before: one at most",
            "6:5: expected the name of a node, found `-`",
            "7:7: expected a value, found `eval`; text is written in quotes",
            "8:2: the line is indented by 1 tab, but one step is 4 spaces in this script",
            "9:1: a second top node: a tree has one; put both below a SEQUENCE, FALLBACK or PARALLEL",
            "9:1: `PARALLEL` takes how many of its children must succeed, a whole number from 1, found nothing",
            "10:7: expected a value, found `true`; did you mean `True`?",
            "11:8: expected a key of the dict, which is text",
            "12:1: a second top node: a tree has one; put both below a SEQUENCE, FALLBACK or PARALLEL",
            "12:1: `FALLBACK` takes `True`, if it keeps its place after an abort, or nothing, found a tuple; with keys of its own it is `REACTIVE_SELECT {…}`",
            "13:5: `PARALLEL` takes how many of its children must succeed, a whole number from 1, found 0",
        ],
    );
    refused("", &[" expected a node, found nothing"]);
    refused(" # nothing\n\n", &[" expected a node, found nothing"]);
    refused(
        "    SEQUENCE\n  a\n",
        &["2:3: the line is indented by 2 spaces, but the first one by 4 spaces"],
    );
}

#[test]
fn a_script_of_any_size_is_a_tree_or_an_error() {
    use crate::tree::asset::{MAX_DEPTH, MAX_NODES};
    let stairs =
        |steps: usize| -> String { (0..steps).map(|step| " ".repeat(step) + "a\n").collect() };
    let deepest = stairs(MAX_DEPTH - 1);
    assert!(TreeAsset::from_script("t", &deepest).is_ok());
    refused(
        &stairs(MAX_DEPTH),
        &["256:256: more than 256 nodes below one another"],
    );
    refused(
        &stairs(2_000),
        &["256:256: more than 256 nodes below one another"],
    );
    let wide = "SEQUENCE\n".to_owned() + &" a\n".repeat(MAX_NODES);
    refused(&wide, &["1000000:2: more than 1000000 nodes"]);
    let error = TreeAsset::from_script("t", &"a\n".repeat(50_000)).unwrap_err();
    assert_eq!(error.problems().len() + error.unlisted(), 49_999);
    // Never of the size of its text.
    let long = "[".repeat(1_000_000);
    for line in [
        format!("a {long}"),
        format!("a {}", long.replace('[', "{")),
        format!("a {}", long.replace('[', "x")),
        format!("a {}", long.replace('[', "9")),
        format!("a \"{long}"),
        format!("a {}", long.replace('[', "1,")),
    ] {
        match TreeAsset::from_script("t", &line) {
            Ok(tree) => assert_eq!(tree.nodes().len(), 2),
            Err(error) => assert!(error.to_string().len() < 1_000),
        }
    }
}

const NESTED: &str = r#"{"name": "SEQUENCE", "level": 1, "children": [
    {"name": "FALLBACK", "level": 2, "children": [
        {"name": "ball_found", "level": 3}, {"name": "find_ball", "level": 3}]},
    {"name": "FALLBACK", "level": 2, "children": [
        {"name": "is_close", "param": {"target": "ball"}, "level": 3},
        {"name": "approach", "param": {"target": "ball"}, "level": 3}]},
    {"name": "FALLBACK", "level": 2, "children": [
        {"name": "ball_placed"}, {"name": "place_ball", "children": []}]}]}"#;

#[test]
fn a_script_may_come_as_nested_objects() {
    let nested: Value = serde_json::from_str(NESTED).unwrap();
    let tree = TreeAsset::from_script_value("t", &nested);
    assert_eq!(tree, TreeAsset::from_script("t", ROBOT));
}

#[test]
fn nested_object_errors_are_all_reported_together() {
    let nested = json!({"name": "PARALLEL", "param": -1, "childrens": [], "children": [
        {"name": 7}, 8, {"param": 1, "children": {}}, {"name": "a", "children": [{"name": ""}]},
    ]});
    let error = TreeAsset::from_script_value("t", &nested).unwrap_err();
    let expected = [
        "t: there is no key \"childrens\"; did you mean `children`?",
        "t: at `/children/0/name`: expected the name of a node, found 7",
        "t: at `/children/1`: expected a node, which is an object, found 8",
        "t: at `/children/2/children`: expected an array of nodes, found {}",
        "t: at `/children/2`: the key `name` is missing",
        "t: at `/children/3/children/0/name`: expected the name of a node, found \"\"",
        "t: `PARALLEL` takes how many of its children must succeed, a whole number from 1, found -1",
    ];
    assert_eq!(error.to_string().lines().collect::<Vec<_>>(), expected);
    let deep = (0..100_000).fold(json!({"name": "a"}), |inner, _| {
        let mut node = json!({"name": "a", "children": []});
        node["children"] = vec![inner].into();
        node
    });
    let error = TreeAsset::from_script_value("t", &deep).unwrap_err();
    assert_eq!(
        error.problems()[0].message(),
        "more than 256 nodes below one another"
    );
    // Values are dropped by recursion.
    std::mem::forget(deep);
}

#[test]
fn wrong_word_names_the_right_one() {
    for (script, expected) in [
        (
            "SEQENCE\n a\n",
            "1:1: `SEQENCE` is no word of a script; did you mean `SEQUENCE`?",
        ),
        (
            "Sequence\n a\n",
            "1:1: `Sequence` is no word of a script; write `SEQUENCE`",
        ),
        (
            "fallback True\n a\n",
            "1:1: `fallback` is no word of a script; write `FALLBACK`",
        ),
        (
            "SELECTOR\n a\n",
            "1:1: `SELECTOR` is no word of a script; write `SELECT`, or `FALLBACK` to evaluate earlier children again each poll",
        ),
        (
            "selector\n a\n",
            "1:1: `selector` is no word of a script; write `SELECT`, or `FALLBACK` to evaluate earlier children again each poll",
        ),
        (
            "SUBTREE 'x'\n",
            "1:1: `SUBTREE` is no word of a script; did you mean `SUB_TREE`?",
        ),
        (
            "SEQUENCE\n GAURD\n a\n",
            "2:2: `GAURD` is no word of a script; did you mean `GUARD`?",
        ),
        (
            "ROOT\n a\n",
            "1:1: `ROOT` is no node of a script; write `AGENT` and `KEY` above the first node",
        ),
        (
            "ACTION\n",
            "1:1: `ACTION` is no node of a script; write the name of what is called, `chase $target`",
        ),
    ] {
        refused(script, &[expected]);
    }
    // Names of an agent's own.
    check("guard\n", "action guard\n");
    check("twice\n sequence\n", "decorator twice\n action sequence\n");
    check("ATTACK\n", "action ATTACK\n");
}

#[test]
fn problem_of_a_script_is_located_in_its_lines() {
    use super::super::{Problem, locate};
    use crate::tree::Code;

    let script = "\u{feff}# a comment\nAGENT sentry\nSEQUENCE # é\n    GUARD NOT is_it $key, 7\n    EVENT alarm {'tree': 'x', 'params': {'by': $w}}\n    chase 1, 2\n    walk {'to': 1}\n    SUB_TREE 'x', {'post': 1}\n        SERVICE 1 a\n        SERVICE 2 b 1, 2\n        ON EXIT c\n        ON EXIT SET $d = 1\n        ON ENTER e\n";
    let mut problems = [
        "/nodes/0/extra/agent_name",
        "/nodes/1",
        "/nodes/1/extra/guards/0/condition_name",
        "/nodes/1/extra/guards/0/condition_args/1/arg_value",
        "/nodes/1/extra/events/0/tree",
        "/nodes/1/extra/events/0/params/by",
        "/nodes/2/extra/action_args/1",
        "/nodes/3/extra/action_args/0/arg_name",
        "/nodes/4/extra/args/post",
        "/nodes/0/extra/mode",
        "",
        "/nodes/4/extra/services/1/action_args/1",
        "/nodes/4/extra/effects/exit/0/action_name",
        "/nodes/4/extra/effects/exit/1/set/$d",
        "/nodes/4/extra/effects/enter/0",
    ]
    .map(|pointer| Problem::new(Code::WrongForm, "t.bt", "x").at(pointer));
    locate(&mut problems, script);
    let found = problems.map(|problem| problem.position().map(|at| (at.line, at.column)));
    let expected = [
        Some((2, 7)),
        Some((3, 1)),
        Some((4, 15)),
        Some((4, 27)),
        Some((5, 18)),
        Some((5, 42)),
        Some((6, 14)),
        Some((7, 11)),
        Some((8, 20)),
        Some((3, 1)),
        None,
        Some((10, 24)),
        Some((11, 17)),
        Some((12, 21)),
        Some((13, 9)),
    ];
    assert_eq!(found, expected);
}
