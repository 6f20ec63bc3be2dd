//! Tests of what keeps its agent due in every poll.

use serde_json::json;

use super::*;
use bt_core::tree::asset::spec::{Call, expr, guard, reactive_sequence, select};

fn aborts(guard: impl Into<Call>) -> NodeSpec {
    go_to().guard(guard.into().set("abort", "self"))
}

#[test]
fn a_guard_whose_parts_read_keys_and_the_agent_is_to_be_two() {
    let mixed = || aborts(expr("$alert && is_alert()"));
    table(
        Code::PolledGuard,
        [
            (mixed(), &["t 1 guards/0/if"]),
            (
                aborts(expr("is_day() && $foe > 1 && @post == 'gate'")),
                &["t 1 guards/0/if"],
            ),
            (
                select([
                    go_to().guard(expr("$foe > 1 && is_alert()").set("abort", "lower")),
                    go_to(),
                ]),
                &["t 2 guards/0/if"],
            ),
            // It is evaluated on entry alone.
            (go_to().guard(expr("$alert && is_alert()")), &[]),
            // One part does not say what it is without the other.
            (aborts(expr("$alert || is_alert()")), &[]),
            (aborts(expr("$foe < len(@post)")), &[]),
            (aborts(expr("$alert && is_alert()").set("not", true)), &[]),
            // Asked for.
            (
                aborts(expr("$alert && is_alert()").set("mode", "poll")),
                &[],
            ),
            (aborts(expr("$alert && $foe > 1")), &[]),
            (aborts(expr("is_alert() && is_day()")), &[]),
        ],
    );
    let found = all(&[tree("t", mixed())], &[]);
    let found = found
        .iter()
        .find(|found| found.code() == Code::PolledGuard)
        .unwrap();
    assert_eq!(
        found.message(),
        "`$alert && is_alert()` calls `is_alert`, which reads the agent: all of it is evaluated once in each turn, \
         reacts to key `alert` only then, and keeps the agent due in every poll"
    );
    assert_eq!(
        found.help(),
        Some(
            "write two guards, `$alert` and after it `is_alert()`: the first reacts at once, and while it does not \
             hold the second is not evaluated"
        )
    );
}

#[test]
fn a_guard_that_follows_its_keys_needs_no_mode() {
    let polled = |guard: Call| aborts(guard.set("mode", "poll"));
    table(
        Code::PolledGuard,
        [
            (polled(expr("$foe > 1").into()), &["t 1 guards/0/mode"]),
            (polled(guard("is_foe").key("foe")), &["t 1 guards/0/mode"]),
            (polled(guard("has_key").arg("foe")), &["t 1 guards/0/mode"]),
            (polled(guard("is_alert")), &[]),
            (polled(guard("is_night")), &[]),
            (polled(guard("random_chance").arg(0.5)), &[]),
            (polled(guard("random_chance").key("foe")), &[]),
            (aborts(guard("is_foe").key("foe")), &[]),
        ],
    );
}

#[test]
fn what_keeps_its_agent_due_is_reported_unless_the_file_says_a_period() {
    let restarts = || reactive_sequence([action("is_foe").key("foe"), go_to()]);
    table(
        Code::DueEveryPoll,
        [
            (aborts(guard("is_alert")), &["t 1 guards/0"]),
            (aborts(expr("@post == 'gate'")), &["t 1 guards/0"]),
            (restarts(), &["t 1"]),
            (aborts(guard("is_foe").key("foe")), &[]),
            (go_to().guard(guard("is_alert")), &[]),
            (aborts(expr("$alert && is_alert()")), &[]),
        ],
    );
    let paced = tree("t", restarts()).to_json().replacen(
        "\"agent_name\"",
        "\"every\":0.2,\"agent_name\"",
        1,
    );
    let paced = TreeAsset::from_json("t", &paced).unwrap();
    assert_eq!(told(Code::DueEveryPoll, &[paced]), [""; 0]);
    let reacts = |on: &str, reactive: bool| {
        let children = [go_to(), go_to()];
        let extra = [
            ("on", json!(on)),
            ("cases", json!([1])),
            ("reactive", json!(reactive)),
        ];
        extra
            .into_iter()
            .fold(node("switch").children(children), |node, (key, value)| {
                node.extra(key, value)
            })
    };
    table(
        Code::DueEveryPoll,
        [
            (reacts("len(@post)", true), &["t 1"]),
            (reacts("len(@post)", false), &[]),
            (reacts("$foe", true), &[]),
        ],
    );
}
