//! Scripts: the seed document's own, and what is wrong with others.

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
        let name = ["action_name", "decorator_name"].map(|key| node.extra.get(key));
        let name = name.into_iter().flatten().filter_map(Value::as_str).next();
        text += &" ".repeat(depth.len() - 1);
        text += &format!("{} {}", node.kind, name.unwrap_or_default());
        for flag in ["keep_place", "rerun"] {
            if let Some(set) = node.extra.get(flag) {
                assert_eq!(set, true);
                text += flag;
            }
        }
        for key in ["action_args", "decorator_args"] {
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
}

#[test]
fn a_name_with_lines_below_it_is_a_decorator() {
    check(
        "at_most (3, \"a day\")\n knock\n",
        "decorator at_most 3 \"a day\"\n action knock\n",
    );
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
            "1:1: `SEQUENCE` takes `True`, if it keeps its place after an abort, or nothing, found 1",
            "3:7: is indented by 6 spaces, which is no multiple of one step, 4 spaces",
            "5:17: is 2 steps deeper than the line before: one at most",
            "6:5: expected the name of a node, found `-`",
            "7:7: expected a value, found `eval`; text is written in quotes",
            "8:2: is indented by 1 tab, which is no multiple of one step, 4 spaces",
            "9:1: a second top node: a tree has one; put both below a SEQUENCE, FALLBACK or PARALLEL",
            "9:1: `PARALLEL` takes how many of its children must succeed, a whole number from 1, found nothing",
            "10:7: expected a value, found `true`; did you mean `True`?",
            "11:8: expected a key of the dict, which is text",
            "12:1: a second top node: a tree has one; put both below a SEQUENCE, FALLBACK or PARALLEL",
            "12:1: `FALLBACK` takes `True`, if it keeps its place after an abort, or nothing, found a tuple",
            "13:5: `PARALLEL` takes how many of its children must succeed, a whole number from 1, found 0",
        ],
    );
    refused("", &[" expected a node, found nothing"]);
    refused(" # nothing\n\n", &[" expected a node, found nothing"]);
    refused(
        "    SEQUENCE\n  a\n",
        &["2:3: is indented by 2 spaces, but the first line by 4 spaces"],
    );
}

#[test]
fn a_script_of_any_size_is_a_tree_or_an_error() {
    use super::{MAX_DEPTH, MAX_NODES};
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

/// What a literal is as JSON, or what is wrong with it.
fn literal(written: &str) -> Result<Value, String> {
    match super::literal::param(written) {
        Ok((None, _)) => Ok(json!("nothing")),
        Ok((Some(param), _)) => super::literal::plain(param),
        Err(wrong) => Err(format!("{}: {}", wrong.at, wrong.message)),
    }
}

#[test]
fn literals_are_what_python_takes_them_for() {
    for (written, value) in [
        ("0", json!(0)),
        ("-7", json!(-7)),
        ("+7", json!(7)),
        ("1_000", json!(1000)),
        ("0xfF", json!(255)),
        ("-0o17", json!(-15)),
        ("0b101", json!(5)),
        ("000", json!(0)),
        ("18446744073709551615", json!(u64::MAX)),
        ("-9223372036854775808", json!(i64::MIN)),
        ("1.", json!(1.0)),
        (".5", json!(0.5)),
        ("-1.5e-3", json!(-0.0015)),
        ("1E+2", json!(100.0)),
        ("'it\\'s'", json!("it's")),
        (
            r#""a\n\t\\\x41\u65e5\U0001f600\0\101""#,
            json!("a\n\t\\A日😀\0A"),
        ),
        ("u'日'", json!("日")),
        ("''", json!("")),
        ("[ 1 , [ ] , ]", json!([1, []])),
        (
            "{ 'a' : [ { } ] , \"b\" : None }",
            json!({"a": [{}], "b": null}),
        ),
    ] {
        assert_eq!(literal(written), Ok(value), "{written}");
    }
}

#[test]
fn script_refuses_an_invalid_literal_at_its_place() {
    for (written, expected) in [
        (
            "18446744073709551616",
            "0: expected a number of 64 bits, found `18446744073709551616`",
        ),
        (
            "-9223372036854775809",
            "0: expected a number of 64 bits, found `-9223372036854775809`",
        ),
        ("1e999", "0: expected a number of 64 bits, found `1e999`"),
        (
            "007",
            "0: expected a number without zeros before it, found `007`",
        ),
        ("0x", "0: expected a number, found `0x`"),
        ("0b12", "0: expected a number, found `0b12`"),
        ("1__0", "0: expected a number, found `1__0`"),
        ("1_", "0: expected a number, found `1_`"),
        ("1j", "0: expected a number, found `1j`"),
        ("--1", "0: expected a number, found `-`"),
        (".", "0: expected a number, found `.`"),
        ("1+1", "1: expected the end of the line, found `+`"),
        ("nan", "0: expected a value, found `nan`"),
        ("[1 2]", "3: expected `,` or `]`, found `2`"),
        ("[1, (2]", "6: expected `,` or `)`, found `]`"),
        ("[1, # 2]", "0: `[` is not closed"),
        ("[,]", "1: expected a value, found `,`"),
        ("{1}", "1: expected a key of the dict, which is text"),
        (
            "{'a'}",
            "4: expected `:` after a key of the dict, found `}`",
        ),
        ("{'a': 1, 'a': 2}", "9: the key `a` is given twice"),
        ("'a", "0: the text is not closed"),
        ("'a\\", "2: no such escape of text"),
        (r"'\d'", "1: no such escape of text"),
        (r"'\ud800'", "1: no such escape of text"),
        ("'a' 'b'", "4: expected the end of the line, found `'`"),
        ("1 2", "2: expected the end of the line, found `2`"),
        (
            "__import__('os')",
            "0: expected a value, found `__import__`",
        ),
        ("()()", "2: expected the end of the line, found `(`"),
    ] {
        assert_eq!(literal(written), Err(expected.to_owned()), "{written}");
    }
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(literal(&nested(64)).is_ok());
    let error = literal(&nested(65)).unwrap_err();
    assert_eq!(error, "64: more than 64 brackets inside one another");
}

/// What a script's only node says, and its root.
fn written(script: &str) -> Value {
    let tree = TreeAsset::from_script("t", script).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(TreeAsset::from_json("t", &tree.to_json()), Ok(tree.clone()));
    let node = tree.node(1).unwrap();
    json!({"kind": node.kind, "extra": node.extra, "comment": node.comment, "root": tree.root().extra})
}

#[test]
fn script_gives_keys_and_properties_to_calls() {
    let args = |script: &str| written(script)["extra"]["action_args"].clone();
    let key = json!({"arg_type": "blackboard", "arg_value": "enemy"});
    assert_eq!(args("chase $enemy"), json!([key]));
    assert_eq!(
        args("chase $enemy, @run_speed, 1.5 # fast"),
        json!([key, {"arg_type": "property", "arg_value": "run_speed"}, {"arg_type": "plain", "arg_value": 1.5}])
    );
    assert_eq!(args("chase ($enemy,)"), json!([key]));
    assert_eq!(
        args("chase {'to': $\"the gate\"}"),
        json!([{"arg_type": "blackboard", "arg_value": "the gate", "arg_name": "to"}])
    );
    refused(
        "SEQUENCE\n a [$x]\n a $\n a {'b': {'c': @d}}\n",
        &[
            "2:4: `x` stands for a whole argument, and not inside of a value",
            "3:4: expected the name of a key after `$`",
            "4:2: `d` stands for a whole argument, and not inside of a value",
        ],
    );
}

#[test]
fn script_attaches_guards_events_and_keys() {
    let script = "
AGENT sentry 'once'
KEY home {'type': 'string', 'scope': 'agent'}
chase $enemy
    GUARD LOWER NOT is_blind
    GUARD is_enemy $enemy, 7
    EVENT alarm 'answer.json'
    EVENT shot {'tree': 'hide.bt', 'mode': 'return', 'params': {'by': $who, 'at': 'place'}}
    KEY enemy 'string'
";
    let node = written(script);
    assert_eq!(node["kind"], "action");
    assert_eq!(node["root"]["agent_name"], "sentry");
    assert_eq!(node["root"]["mode"], "once");
    assert_eq!(
        node["root"]["blackboard"],
        json!({"home": {"type": "string", "scope": "agent"}})
    );
    let extra = &node["extra"];
    assert_eq!(
        extra["guards"],
        json!([
            {"condition_name": "is_blind", "condition_args": [], "not": true, "abort": "lower"},
            {"condition_name": "is_enemy", "condition_args": [
                {"arg_type": "blackboard", "arg_value": "enemy"}, {"arg_type": "plain", "arg_value": 7}]},
        ])
    );
    assert_eq!(
        extra["events"],
        json!([
            {"event": "alarm", "tree": "answer.json"},
            {"event": "shot", "tree": "hide.bt", "mode": "return", "params": {"by": "who", "at": "place"}},
        ])
    );
    assert_eq!(extra["blackboard"], json!({"enemy": {"type": "string"}}));
    refused(
        "SEQUENCE\n GUARD x\n  a\n AGENT b\n GUARD\n EVENT c\n KEY d 7\n a\n",
        &[
            "3:3: nothing stands below a GUARD; indent it as that line is",
            "4:2: `AGENT` stands above the first node, indented as that is",
            "5:7: expected the name of a condition, found the end of the line",
            "6:2: `EVENT c` takes its tree in quotes, or a dict, found nothing",
            "7:2: `KEY d` takes its type in quotes, or a dict, found 7",
        ],
    );
    refused("AGENT a\n", &[" expected a node, found nothing"]);
}

#[test]
fn script_calls_trees_and_has_nodes_of_every_kind() {
    let node = written("SUB_TREE 'patrol.json', {'post': $home, 'rounds': 3}");
    assert_eq!(node["kind"], "sub_tree");
    assert_eq!(
        node["extra"],
        json!({"sub_tree_name": "patrol.json", "args": {
            "post": {"arg_type": "blackboard", "arg_value": "home"},
            "rounds": {"arg_type": "plain", "arg_value": 3}}})
    );
    assert_eq!(
        written("SUB_TREE $next")["extra"],
        json!({"name_key": "next"})
    );
    let node = written("REPEAT {'count': 3}\n knock\n");
    assert_eq!(node["kind"], "repeat");
    assert_eq!(node["extra"], json!({"count": 3}));
    for kind in crate::kinds::Kind::ALL {
        let word = kind.name().to_uppercase();
        let read = TreeAsset::from_script("t", &format!("{word} {{}}"));
        let own = ["sequence", "select", "parallel", "sub_tree"].contains(&kind.name());
        match ["root", "action", "condition", "decorator"].contains(&kind.name()) {
            true => assert!(
                read.unwrap_err()
                    .to_string()
                    .contains("is no node of a script; write")
            ),
            false if own => {}
            false => assert_eq!(read.unwrap().node(1).unwrap().kind, kind.name()),
        }
    }
}

#[test]
fn comment_above_a_node_or_behind_it_is_the_nodes() {
    let node = written(
        "# Of the file.\n\n# Fight,\n#or flee.\nchase 1 # at once\n    # unused\n    GUARD a # lost\n",
    );
    assert_eq!(node["comment"], "Fight,\nor flee.\nat once");
}

#[test]
fn comment_of_the_agent_is_the_roots() {
    let text = "# Of the file.\n\n# Who sleeps at noon.\nAGENT sentry # or later\n# Naps.\nnap\n";
    let tree = TreeAsset::from_script("nap.bt", text).unwrap();
    assert_eq!(tree.root().comment, "Who sleeps at noon.\nor later");
    assert_eq!(tree.node(1).unwrap().comment, "Naps.");
}

#[test]
fn what_stands_in_place_of_a_dict_gets_its_form() {
    let error = TreeAsset::from_script("t", "WAIT_EVENT 'noise'\n").unwrap_err();
    let help = "its keys are `broadcast`, `event`, `latch`, `params`";
    assert_eq!(error.problems()[0].help(), Some(help));
    let error = TreeAsset::from_script("t", "linger least=3\n").unwrap_err();
    let help = "arguments are named in a dict: `{\"least\": …}`";
    assert_eq!(error.problems()[0].help(), Some(help));
    let error = TreeAsset::from_script("t", "NEGATIVE 1\n    a\n").unwrap_err();
    let help = "it has none: leave out what stands behind it";
    assert_eq!(error.problems()[0].help(), Some(help));
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
            "1:1: `SELECTOR` is no word of a script; write `FALLBACK`",
        ),
        (
            "selector\n a\n",
            "1:1: `selector` is no word of a script; write `FALLBACK`",
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

    let script = "\u{feff}# a comment\nAGENT sentry\nSEQUENCE # é\n    GUARD NOT is_it $key, 7\n    EVENT alarm {'tree': 'x', 'params': {'by': $w}}\n    chase 1, 2\n    walk {'to': 1}\n    SUB_TREE 'x', {'post': 1}\n";
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
    ];
    assert_eq!(found, expected);
}

#[test]
fn names_are_fixed_in_a_script_and_all_else_stays() {
    use super::super::{Fix, patch_script};

    let script = "AGENT old # x\nSEQUENCE\n    GUARD  was $k\n    EVENT rang 'x'\n    go {\"a\": 1, 'b': 2}\n    SUB_TREE 'x', {'post': 1}\n";
    let value = |at: &str, to: &str| (at.to_owned(), Fix::Value(to.into()));
    let fixes = [
        value("/nodes/0/extra/agent_name", "new"),
        value("/nodes/1/extra/guards/0/condition_name", "is"),
        value("/nodes/1/extra/events/0/event", "rung"),
        value("/nodes/2/extra/action_name", "walk"),
        value("/nodes/2/extra/action_args/1/arg_name", "by"),
        (
            "/nodes/3/extra/args/post".to_owned(),
            Fix::Key("place".to_owned()),
        ),
        (
            "/nodes/2/extra/action_args".to_owned(),
            Fix::Items(Vec::new()),
        ),
        value("/nodes/2/extra/action_name/x", "no"),
    ];
    let (patched, made) = patch_script(script, &fixes);
    assert_eq!(made, [true, true, true, true, true, true, false, false]);
    assert_eq!(
        patched,
        "AGENT new # x\nSEQUENCE\n    GUARD  is $k\n    EVENT rung 'x'\n    walk {\"a\": 1, \"by\": 2}\n    SUB_TREE 'x', {\"place\": 1}\n"
    );
}
