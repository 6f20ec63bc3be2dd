//! Expressions: where they may stand, and what is wrong with them at a node.

use super::*;
use crate::tree::asset::spec::{
    Call, action, check, condition, expr, for_each, guard, set, switch, utility, writes,
};

#[test]
fn an_expression_of_a_guard_or_a_check_is_a_bool() {
    table([
        (bark().guard(expr("@nose < 1 && !is_tired()")), &[]),
        (check("smells('cat') || $any"), &[]),
        (
            check("@nos < 1"),
            &["1 if: column 2: agent `hound` has no property `nos`; did you mean `nose`?"],
        ),
        (
            check("smels('cat')"),
            &[
                "1 if: column 1: agent `hound` has no condition or query `smels`; did you mean `smells`?",
            ],
        ),
        (
            check("@nose = 1"),
            &["1 if: column 7: `=` is no operator; `==` compares; an expression changes nothing"],
        ),
        (
            check("@call_name"),
            &[
                "1 if: `@call_name` is evaluated as a condition: expected a bool, found text; compare it, such as `@call_name == …`",
            ],
        ),
        (
            check("smells() && bark()"),
            &[
                "1 if: column 1: `smells`: argument `what` is missing",
                "1 if: column 13: `bark` is an action, not a query; an expression calls conditions and queries",
            ],
        ),
        (
            check("1 < 2"),
            &["~1 if: `1 < 2` is always true; a key is written `$name`, a property `@name`"],
        ),
        (
            check("@title == 'Rex'"),
            &["~1 if: column 2: property `title` is now called `call_name`"],
        ),
    ]);
}

#[test]
fn a_guard_is_an_expression_or_a_condition_and_not_both() {
    let both = guard("is_tired").set("if", "@nose < 1");
    let problems = found(bark().guard(both));
    assert!(
        problems[0].contains("a guard evaluates one of them"),
        "{problems:?}"
    );
    let problems = found(bark().guard(Call::from(expr("@nose < 1")).arg(1)));
    assert!(
        problems[0].contains("a guard evaluates one of them"),
        "{problems:?}"
    );
    let neither = expr("").set("abort", "none");
    assert_eq!(found(bark().guard(neither)).len(), 1);
    let problems = found(bark().extra("guards", json!([{"abort": "none"}])));
    assert!(
        problems[0].contains("`condition_name` or `if`"),
        "{problems:?}"
    );
}

#[test]
fn an_argument_that_is_an_expression_is_checked_by_its_type_or_its_value() {
    let chase = |text: &str| action("chase").expression(text);
    table([
        (chase("$target ?? 7"), &[]),
        (chase("1 + 2"), &[]),
        (
            chase("-1"),
            &[
                "1 action_args/0/arg_value: `chase`: argument `target`: expected an integer from 0 to 18446744073709551615, found -1",
            ],
        ),
        (
            chase("@nose < 1"),
            &[
                "1 action_args/0/arg_value: `chase`: argument `target` is `uint64`, `@nose < 1` is a bool",
            ],
        ),
        (
            chase("@nose"),
            &[
                "~1 action_args/0/arg_value: `chase`: argument `target` is `uint64`, `@nose` may have a fraction; round it: `round(@nose)`",
            ],
        ),
    ]);
    let written = action("sniff").expression("$a").key("n");
    let problems = found(written);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].contains("blackboard key"), "{problems:?}");
}

#[test]
fn what_is_written_exists_and_takes_the_values() {
    let one = |target: &'static str, value: &'static str| set([(target, value)]);
    table([
        (one("$any", "@nose + 1"), &[]),
        (one("@nose", "1.5"), &[]),
        (
            one("@nos", "1"),
            &["1 set/@nos: agent `hound` has no property `nos`; did you mean `nose`?"],
        ),
        (
            one("@nose", "@call_name"),
            &["1 set/@nose: property `nose` is `double`, `@call_name` is text"],
        ),
        (
            one("@nose", "'x'"),
            &[
                "1 set/@nose: property `nose` is `double`: expected a number that 64 bits hold, found \"x\"",
            ],
        ),
        (
            one("$a.b", "1"),
            &[
                "1 set/$a.b: `set.$a.b`: expected `$key` or `@property`, the whole of which is written, found \"$a.b\"",
            ],
        ),
        (
            one("$a", "$b ="),
            &[
                "1 set/$a: column 4: `=` is no operator; `==` compares; an expression changes nothing",
            ],
        ),
    ]);
    let count = set([("$count", "'one'")]).extra("blackboard", json!({"count": {"type": "int32"}}));
    let problems = found(count);
    assert!(
        problems[0].contains("key `count` is `int32`: expected an integer"),
        "{problems:?}"
    );
}

#[test]
fn a_key_or_a_property_is_written_once_whatever_it_is_called() {
    let twice = |[one, other]: [&'static str; 2]| set([(one, "1"), (other, "2")]);
    for (names, expected) in [
        (
            ["$a", "$'a'"],
            "expected one write for each key and property",
        ),
        (
            ["@nose", "@'nose'"],
            "expected one write for each key and property",
        ),
        (
            ["$''", "$b"],
            "the whole of which is written, found \"$''\"",
        ),
    ] {
        let problems = found(twice(names));
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains(expected), "{problems:?}");
    }
    let names = set([("@call_name", "'a'"), ("@title", "'b'")]);
    let expected = "1 set/@title: property `call_name` is written twice, as `@call_name` and as `@title`; leave one of them out";
    assert!(found(names).contains(&expected.to_owned()));
}

#[test]
fn an_argument_of_a_call_is_checked_once_and_at_its_own_place() {
    table([
        (
            check("distance_to(1 + (2 && true)) < 1"),
            &[
                "1 if: column 18: `&&` takes a bool, found an integer; compare it: `… != 0`",
                "1 if: column 17: `+` takes a number, found a bool",
            ],
        ),
        (
            check("distance_to(@nos) < 1"),
            &["1 if: column 14: agent `hound` has no property `nos`; did you mean `nose`?"],
        ),
        (
            check("distance_to(scale: 1.0, 7) < 1"),
            &[
                "1 if: column 25: an argument without a name comes after one with a name; name it, or put it first",
            ],
        ),
    ]);
    // If each were checked by both who call it, this would take years.
    let deep = format!("{}$a{} < 1", "distance_to(".repeat(60), ")".repeat(60));
    let problems = found(check(&deep));
    assert_eq!(problems.len(), 59, "{problems:?}");
    assert!(problems[0].starts_with('~'), "{problems:?}");
}

#[test]
fn an_effect_calls_or_writes_and_not_both() {
    let effect = |call: serde_json::Value| found(bark().extra("effects", json!({"enter": [call]})));
    assert_eq!(
        found(bark().effect("enter", writes([("$a", "1")]))).len(),
        0
    );
    let both = effect(json!({"action_name": "bark", "set": {"$a": "1"}}));
    assert!(
        both[0].contains("no `set` beside `action_name`: it calls or writes"),
        "{both:?}"
    );
    let nameless = effect(json!({"action_args": []}));
    assert!(
        nameless[0].contains("`action_name` or `set`"),
        "{nameless:?}"
    );
    let none = effect(json!({}));
    assert!(none[0].contains("`action_name` or `set`"), "{none:?}");
    let empty = effect(json!({"set": {}}));
    assert!(empty[0].contains("one write at least"), "{empty:?}");
}

#[test]
fn a_query_has_the_type_of_its_answer() {
    table([
        (check("$d < distance_to($target, scale: 2)"), &[]),
        (check("distance_to(7) > 1 && is_wet()"), &[]),
        (check("posture() == 'flat'"), &[]),
        (
            check("distance_to(7)"),
            &[
                "1 if: `distance_to(7)` is evaluated as a condition: expected a bool, found a number; compare it, such as `distance_to(7) == …`",
            ],
        ),
        (
            check("distance_to(7) == 'near'"),
            &["1 if: column 19: a number and text are never equal"],
        ),
        (
            check("posture() == 'falt'"),
            &["1 if: column 14: `falt` is no choice here; did you mean `flat`?"],
        ),
        (
            check("distance_to() < 1"),
            &["1 if: column 1: `distance_to`: argument `target` is missing"],
        ),
        (
            check("distance_to(7, -1.0) < 1"),
            &["1 if: column 1: `distance_to`: argument `scale` is -1.0, expected 0.0 at least"],
        ),
        (
            check("distanc_to(7) < 1"),
            &[
                "1 if: column 1: agent `hound` has no condition or query `distanc_to`; did you mean `distance_to`?",
            ],
        ),
        (
            check("span_to(7) < 1"),
            &["~1 if: column 1: query `span_to` is now called `distance_to`"],
        ),
        (
            action("chase").expression("distance_to(7)"),
            &[
                "~1 action_args/0/arg_value: `chase`: argument `target` is `uint64`, `distance_to(7)` may have a fraction; round it: `round(distance_to(7))`",
            ],
        ),
    ]);
}

#[test]
fn a_query_that_answers_with_a_bool_is_a_condition_and_no_other_is_one() {
    let near = || guard("distance_to").arg(7);
    table([
        (bark().guard(guard("is_wet")), &[]),
        (condition("is_wet"), &[]),
        (action("is_wet"), &[]),
        (
            bark().guard(guard("has").key("a")),
            &[
                "1 guards/0/condition_name: agent `hound` has no condition `has`; `has` is a function of expressions: `\"if\": \"has(…)\"`, in a script `(has(…))`",
            ],
        ),
        (
            bark().guard(near()),
            &[
                "1 guards/0/condition_name: `distance_to` is a query that answers with a number, not a condition; compare it in an expression: `\"if\": \"distance_to(…) == …\"`",
            ],
        ),
        (
            condition("distance_to").arg(7),
            &[
                "1 action_name: `distance_to` is a query that answers with a number, not a condition; an expression calls it, such as `\"if\": \"distance_to(…) == …\"` of a `check`",
            ],
        ),
        (
            action("posture"),
            &[
                "1 action_name: `posture` is a query that answers with one of `upright`, `flat`, not an action; an expression calls it, such as `\"if\": \"posture(…) == …\"` of a `check`",
            ],
        ),
    ]);
}

#[test]
fn a_number_of_a_node_is_checked_by_its_type_or_its_value() {
    let repeat = |text: &str| over("repeat").extra("count", expr(text));
    let source = |ty: &str, name: &str| json!({"arg_type": ty, "arg_value": name});
    table([
        (repeat("$any"), &[]),
        (repeat("round(@nose)"), &[]),
        (repeat("2 * 3"), &[]),
        (
            repeat("2.5 * 3"),
            &["1 count/arg_value: `count.arg_value`: expected an integer, found 7.5"],
        ),
        (
            repeat("@call_name"),
            &["1 count/arg_value: `count` is an integer, `@call_name` is text"],
        ),
        (
            repeat("@nose"),
            &[
                "~1 count/arg_value: `count` is an integer, `@nose` may have a fraction; round it: `round(@nose)`",
            ],
        ),
        (
            repeat("1 + @nos"),
            &[
                "1 count/arg_value: column 6: agent `hound` has no property `nos`; did you mean `nose`?",
            ],
        ),
        (
            over("timeout").extra("seconds", expr("1 - 1")),
            &["1 seconds/arg_value: `seconds.arg_value`: expected more than 0, found 0"],
        ),
        (
            over("timeout").extra("seconds", source("property", "call_name")),
            &["1 seconds/arg_value: `seconds` is a number, property `call_name` is `string`"],
        ),
        (
            over("delay").extra("seconds", source("property", "nos")),
            &["1 seconds/arg_value: agent `hound` has no property `nos`; did you mean `nose`?"],
        ),
        (
            over("repeat").extra("count", source("plain", "x")),
            &["1 count/arg_value: `count.arg_value`: expected an integer, found \"x\""],
        ),
        (
            bark().service(expr("@call_name"), writes([("$a", "1")])),
            &["1 services/0/seconds/arg_value: `seconds` is a number, `@call_name` is text"],
        ),
        (
            over("probility").extra("prob", json!([source("expression", "is_tired()")])),
            &["1 prob/0/arg_value: `prob` is a number, `is_tired()` is a bool"],
        ),
    ]);
}

#[test]
fn switch_has_a_case_for_each_child_that_its_value_may_be() {
    let of = |on: &str, cases: serde_json::Value| {
        let cases = cases.as_array().cloned().unwrap();
        switch(on, cases, [bark(), bark(), bark()])
    };
    table([
        (of("$any", json!(["a", 1])), &[]),
        (of("$any", json!(["a", 1, true])), &[]),
        (
            of("$any", json!([1])),
            &[
                "1 cases: `cases`: expected a case for each of its 3 children, or for all but the last, found 1",
            ],
        ),
        (
            of("$any", json!([1, 1.0])),
            &["1 cases/1: `cases[1]`: expected a value of no other case, found 1.0"],
        ),
        (
            of("$any", json!([null, []])),
            &[
                "1 cases/0: `cases[0]`: expected a number, text or a bool: null takes the default, found null",
                "1 cases/1: `cases[1]`: expected a number, text or a bool, found []",
            ],
        ),
        (
            of("@nos", json!([1, 2])),
            &["1 on: column 2: agent `hound` has no property `nos`; did you mean `nose`?"],
        ),
        (
            of("@nose", json!([1, "far"])),
            &["1 cases/1: a number and text are never equal"],
        ),
        (
            of("1 + 1", json!([1, 2])),
            &["~1 on: `1 + 1` is always 2; a key is written `$name`, a property `@name`"],
        ),
    ]);
}

#[test]
fn utility_has_a_score_for_each_child_that_is_a_number() {
    let of = |scores: &[&str]| {
        let scores: Vec<serde_json::Value> = scores.iter().map(|score| (*score).into()).collect();
        node("utility")
            .extra("scores", scores)
            .children([bark(), bark()])
    };
    table([
        (utility([("$any", bark()), ("@nose * 2", bark())]), &[]),
        (of(&["null", "@nose > 1 ? 1 : null"]), &[]),
        (
            of(&["1"]),
            &["1 scores: `scores`: expected a score for each of its 2 children, found 1"],
        ),
        (
            of(&[]),
            &["1 scores: `scores`: expected one at least, found []"],
        ),
        (
            of(&["1", "'high'"]),
            &["1 scores/1: `'high'` is a score: expected a number or null, found text"],
        ),
        (
            of(&["@nos", "1"]),
            &["1 scores/0: column 2: agent `hound` has no property `nos`; did you mean `nose`?"],
        ),
        (
            of(&["1", "2"]).extra("keep", -1),
            &["1 keep: `keep`: expected 0 at least, found -1"],
        ),
    ]);
}

#[test]
fn for_each_declares_its_keys_and_takes_a_list() {
    let of = |list: &str| for_each(list, "item", check("$item == 1"));
    let declares = json!({"item": {"type": "int64"}});
    table([
        (of("$any"), &[]),
        (of("[1, 2]").extra("index", "at"), &[]),
        (
            of("@nose"),
            &["1 in: `@nose` is the list: expected a list, found a number"],
        ),
        (
            of("[1").extra("until", "failure"),
            &["1 in: column 3: expected `]` after the last item, found the end"],
        ),
        (
            of("$any").extra("index", "item"),
            &[
                "1 index: `index`: expected a key that the node declares nowhere else, found \"item\"",
            ],
        ),
        (
            of("$any").extra("blackboard", declares),
            &["1 as: `as`: expected a key that the node declares nowhere else, found \"item\""],
        ),
        (
            for_each("$any", "item", check("$item")).extra("index", "at"),
            &[],
        ),
        (
            for_each("$any", "item", check("$at")).extra("index", "at"),
            &[
                "2 if: `$at` is evaluated as a condition: expected a bool, found an integer; compare it, such as `$at == …`",
            ],
        ),
    ]);
}
