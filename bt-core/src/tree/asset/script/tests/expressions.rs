//! Expressions in the lines of a script.

use serde_json::{Value, json};

use crate::TreeAsset;

/// The `extra` of the first node below the root.
fn extra(script: &str) -> Value {
    let tree = TreeAsset::from_script("t.bt", script).unwrap();
    let top = tree.root().children()[0];
    Value::Object(tree.node(top).unwrap().extra.clone())
}

fn refused(script: &str) -> String {
    let error = TreeAsset::from_script("t.bt", script).unwrap_err();
    let help = error.problems()[0].help().unwrap_or_default().to_owned();
    format!("{error}; {help}")
}

#[test]
fn a_check_and_a_guard_take_an_expression_up_to_the_comment() {
    let checked = extra("CHECK $hp < 20 && $name != '#' # hurt");
    assert_eq!(checked, json!({"if": "$hp < 20 && $name != '#'"}));
    let guards = |line: &str| extra(&format!("SEQUENCE\n GUARD {line}\n a"))["guards"].clone();
    assert_eq!(
        guards("BOTH $hp < 20"),
        json!([{"if": "$hp < 20", "abort": "both"}])
    );
    assert_eq!(guards("!sees()"), json!([{"if": "!sees()"}]));
    assert_eq!(guards("near($x) && $y"), json!([{"if": "near($x) && $y"}]));
    // A name stays a call.
    let call = json!([{"condition_name": "near", "condition_args": [
        {"arg_type": "blackboard", "arg_value": "x"}, {"arg_type": "plain", "arg_value": 2},
    ]}]);
    assert_eq!(guards("near $x, 2"), call);
    assert_eq!(guards("near($x, 2)"), call);
}

#[test]
fn a_guard_that_calls_keeps_its_name_where_its_argument_is_an_expression() {
    let guards = |line: &str| extra(&format!("SEQUENCE\n GUARD {line}\n a"))["guards"].clone();
    let call = json!([{"condition_name": "near", "condition_args": [
        {"arg_type": "expression", "arg_value": "$x + 1"},
    ]}]);
    assert_eq!(guards("near($x + 1)"), call);
    assert_eq!(guards("near ($x + 1)"), call);
    assert_eq!(
        guards("near($x + 1, 2)"),
        json!([{"if": "near($x + 1, 2)"}])
    );
    assert_eq!(guards("(has($x.y))"), json!([{"if": "(has($x.y))"}]));
}

#[test]
fn an_argument_in_brackets_with_an_operator_is_an_expression() {
    let args = |rest: &str| extra(&format!("walk_to {rest}"))["action_args"].clone();
    let one = json!([{"arg_type": "expression", "arg_value": "$x + 1"}]);
    assert_eq!(args("($x + 1)"), one);
    assert_eq!(args("($x + 1) # home"), one);
    let two = json!([
        {"arg_type": "expression", "arg_value": "len($x) * (2 + 1)"}, {"arg_type": "plain", "arg_value": "a"},
    ]);
    assert_eq!(args("(len($x) * (2 + 1)), 'a'"), two);
    assert_eq!(args("(1, 2)").as_array().unwrap().len(), 2);
    assert_eq!(args("($x)")[0]["arg_type"], "blackboard");
    for text in [
        "-$x",
        "2 - 1",
        "3 % 2",
        "far($x)",
        "[1, $x]",
        "$x in [1]",
        "$a.b",
    ] {
        let one = json!([{"arg_type": "expression", "arg_value": text}]);
        assert_eq!(args(&format!("({text})")), one);
    }
    assert_eq!(args("(-1)")[0]["arg_value"], -1);
    for (line, expected) in [
        ("walk_to (true)", "did you mean `True`?"),
        ("walk_to $x + 1", "stands in brackets: `($x + 1)`"),
        (
            "SEQUENCE\n GUARD near && $x\n a",
            "a condition is called: `name()`",
        ),
    ] {
        let said = refused(line);
        assert!(said.contains(expected), "{line}: {said}");
    }
    let said = refused("walk_to ($x = 1)");
    assert!(
        said.contains("`=` is no operator") && said.contains("`==` compares"),
        "{said}"
    );
}

#[test]
fn a_set_takes_writes_up_to_the_comment() {
    let all = extra("SET $count = max($count + 1, 2), @'the speed' = 2 # up");
    assert_eq!(
        all,
        json!({"set": {"$count": "max($count + 1, 2)", "@'the speed'": "2"}})
    );
    for (line, expected) in [
        (
            "SET count = 1",
            "expected `$key` or `@property`, which is written",
        ),
        (
            "SET $count == 1",
            "expected `=` and the value after what is written",
        ),
        ("SET $a = 1, $a = 2", "`$a` is written twice"),
        (
            "SET $a = 1 $b = 2",
            "expected an operator or the end, found `$b`",
        ),
        ("SET", "expected `$key` or `@property`, which is written"),
    ] {
        let said = refused(line);
        assert!(said.contains(expected), "{line}: {said}");
    }
}

#[test]
fn a_number_of_a_node_may_be_a_key_a_property_or_an_expression() {
    let source = |ty: &str, name: &str| json!({"arg_type": ty, "arg_value": name});
    let of = |line: &str| extra(&format!("{line}\n a\n b"));
    let one = |line: &str| extra(&format!("{line}\n a"));
    assert_eq!(
        one("REPEAT {\"count\": ($n + 1)}"),
        json!({"count": source("expression", "$n + 1")})
    );
    assert_eq!(
        one("TIMEOUT {\"seconds\": @patience}"),
        json!({"seconds": source("property", "patience")})
    );
    assert_eq!(
        of("PARALLEL $n"),
        json!({"success": source("blackboard", "n"), "rerun": true})
    );
    let why = refused("COOLDOWN {\"seconds\": 1, \"on\": $what}\n a");
    assert!(
        why.contains("`on` of a node is a value that is written out, found `$what`"),
        "{why}"
    );
}
