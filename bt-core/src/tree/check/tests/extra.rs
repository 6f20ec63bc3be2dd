//! The keys of each node type.

use super::*;

#[test]
fn keys_that_a_type_needs_are_there_and_of_their_types() {
    table([
        (
            over("repeat"),
            &["1 extra: the key `count` is missing; it says how many; below zero: without limit"],
        ),
        (
            over("repeat").extra("cuont", 3),
            &[
                "1 extra: the key `count` is missing; write it in place of `cuont`",
                "~1 cuont: `cuont` means nothing here; did you mean `count`?",
            ],
        ),
        (over("repeat").extra("count", 3.0), &[]),
        (
            over("retry").extra("count", 2.5),
            &["1 count: `count`: expected an integer, found 2.5"],
        ),
        (over("loop").extra("count", -1), &[]),
        (
            over("loop").extra("count", 1e300),
            &[
                "1 count: `count`: expected an integer from -9223372036854775808 to 9223372036854775807, found 1e+300",
            ],
        ),
        (
            over("frames").extra("count", -1),
            &["1 count: `count`: expected 0 at least, found -1"],
        ),
        (over("until_success").extra("count", -1), &[]),
        (over("until_failure"), &[]),
        (
            over("run_limit").extra("count", 1).extra("on", "sucess"),
            &[
                "1 on: `on`: expected `all`, `success` or `failure`, found `sucess`; did you mean `success`?",
            ],
        ),
        (
            over("cooldown").extra("seconds", 1).extra("on", 3),
            &["1 on: `on`: expected `all` or `success`, found 3"],
        ),
        (
            node("end")
                .extra("status", "success")
                .extra("outside", "yes"),
            &["1 outside: `outside`: expected `true` or `false`, found \"yes\""],
        ),
        (
            node("wait_event").extra("event", ""),
            &["1 event: `event`: expected text that is not empty, found \"\""],
        ),
        (
            node("wait_event").extra("event", 7),
            &["1 event: `event`: expected text, found 7"],
        ),
        (
            bark().extra("guards", json!({})),
            &["1 guards: `guards`: expected an array, found {}"],
        ),
        (
            bark().extra("guards", json!([7])),
            &["1 guards/0: `guards[0]`: expected an object, found 7"],
        ),
        (
            bark().extra("effects", json!({"entr": []})),
            &[
                "1 effects/entr: there is no `entr`, expected `aborted`, `enter`, `exit`, `failure` or `success`; did you mean `enter`?",
            ],
        ),
    ]);
}

#[test]
fn times_are_such_that_a_clock_can_say() {
    table([
        (over("delay").extra("seconds", 0), &[]),
        (
            over("timeout").extra("seconds", 0),
            &["1 seconds: `seconds`: expected more than 0, found 0"],
        ),
        (
            over("delay").extra("seconds", -0.5),
            &["1 seconds: `seconds`: expected 0 at least, found -0.5"],
        ),
        (
            over("cooldown").extra("seconds", "1"),
            &["1 seconds: `seconds`: expected a number, found \"1\""],
        ),
        (
            over("timeout").extra("seconds", 1e300),
            &["1 seconds: `seconds`: expected a time that a clock can say, found 1e+300"],
        ),
    ]);
}

#[test]
fn thresholds_are_from_one_to_as_many_as_there_are_children() {
    let three = || node("parallel").children([bark(), bark(), bark()]);
    table([
        (three(), &[]),
        (
            three()
                .extra("success", 1)
                .extra("failure", 3)
                .extra("rerun", true),
            &[],
        ),
        (
            three().extra("success", 0),
            &["1 success: `success`: expected 1 at least, found 0"],
        ),
        (
            three().extra("failure", 4),
            &["1 failure: `failure`: expected no more than its 3 children, found 4"],
        ),
        (
            over("parallel").extra("success", 2),
            &["1 success: `success`: expected no more than its 1 child, found 2"],
        ),
    ]);
}

#[test]
fn rerun_without_thresholds_is_an_error() {
    let two = || node("parallel").children([bark(), bark()]);
    table([
        (
            two().extra("rerun", true),
            &[
                "1 rerun: `rerun`: `success` or `failure` is missing; it says how many of the same poll's ends decide",
            ],
        ),
        (two().extra("rerun", false), &[]),
        (two().extra("rerun", true).extra("success", 1), &[]),
        (two().extra("rerun", true).extra("failure", 1), &[]),
    ]);
}

#[test]
fn count_beyond_the_largest_is_told_the_range() {
    let range = "expected an integer from -9223372036854775808 to 9223372036854775807";
    let found = u64::MAX;
    let expected = format!("1 count: `count`: {range}, found {found}");
    table([(over("repeat").extra("count", found), &[expected.as_str()])]);
}

#[test]
fn keep_place_is_a_flag_of_sequence_and_select_and_of_those_with_memory() {
    table([
        (over("sequence").keep_place(), &[]),
        (over("select").extra("keep_place", false), &[]),
        (
            over("sequence").extra("keep_place", 1),
            &["1 keep_place: `keep_place`: expected `true` or `false`, found 1"],
        ),
        (
            over("always_seq").keep_place(),
            &["~1 keep_place: `keep_place` means nothing here"],
        ),
        (over("memory_sequence").keep_place(), &[]),
        (over("memory_select").keep_place(), &[]),
    ]);
}

#[test]
fn each_child_has_a_weight() {
    let two = || node("probility").children([bark(), bark()]);
    table([
        (two().extra("prob", json!([0, 0.5])), &[]),
        (
            two(),
            &["1 extra: the key `prob` is missing; it says one weight for each child"],
        ),
        (
            two().extra("prob", json!([1])),
            &["1 prob: `prob`: expected a weight for each of its 2 children, found 1"],
        ),
        (
            two().extra("prob", json!([])),
            &["1 prob: `prob`: expected one at least, found []"],
        ),
        (
            two().extra("prob", json!([1, -1])),
            &["1 prob/1: `prob[1]`: expected 0 at least, found -1"],
        ),
        (
            two().extra("prob", json!([1, "x"])),
            &["1 prob/1: `prob[1]`: expected a number, found \"x\""],
        ),
    ]);
}

#[test]
fn a_key_that_means_nothing_is_warned_of() {
    table([
        (
            bark().extra("zzz", 1),
            &["~1 zzz: `zzz` means nothing here"],
        ),
        (
            bark().extra("guard", json!([])),
            &["~1 guard: `guard` means nothing here; did you mean `guards`?"],
        ),
        (
            bark().extra(
                "guards",
                json!([{"condition_name": "is_tired", "abrt": "self"}]),
            ),
            &["~1 guards/0/abrt: `guards[0].abrt` means nothing here; did you mean `abort`?"],
        ),
        // Of a type that is not known, nobody knows the keys either.
        (
            node("teleport").extra("where", "home").extra("guards", 1),
            &[
                "1 type: there is no node type `teleport`",
                "1 guards: `guards`: expected an array, found 1",
            ],
        ),
    ]);
}

#[test]
fn a_problem_is_at_the_very_value() {
    let text = r#"{"nodes": [
 {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "hound", "a/b~": 1}},
 {"idx": 1, "type": "action", "children": [], "extra": {"action_name": "chase", "action_args": [
   {"arg_type": "plain", "arg_value": 7},
   {"arg_type": "plain", "arg_value": "far"}]}}
]}"#;
    let tree = TreeAsset::from_json("hunt.json", text).unwrap();
    let mut checked = check(&[tree], &hound(), &Rules::default());
    crate::tree::asset::locate(&mut checked.problems, text);
    crate::tree::asset::locate(&mut checked.warnings, text);
    assert_eq!(
        checked.problems[0].pointer(),
        "/nodes/1/extra/action_args/1/arg_value"
    );
    assert_eq!(
        checked.problems[0].to_string(),
        "hunt.json:5:39: node 1: `chase`: argument `range`: expected a number that 64 bits hold, found \"far\""
    );
    assert_eq!(
        checked.warnings[0].to_string(),
        "hunt.json:2:87: node 0: `a/b~` means nothing here"
    );
}
