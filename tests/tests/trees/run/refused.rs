//! Trees that say what cannot be: each is an error when the set is built, with its node.

use bt_core::tree::asset::spec::{NodeSpec, action, call, guard, node, select, sequence};
use bt_core::{TreeAsset, TreeSet};
use bt_tests::probe::*;
use serde_json::json;

/// The problems of a tree that was read from a file.
fn problems(top: NodeSpec) -> String {
    problems_of("probe", top)
}

fn problems_of(agent: &str, top: NodeSpec) -> String {
    let text = TreeAsset::build("main.json", agent, top).to_json();
    let tree = TreeAsset::from_json("main.json", &text).unwrap();
    match TreeSet::<Probe>::new().add(tree).build() {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    }
}

/// Each is refused with a text that holds those words, at the node below the root.
fn refused(rows: impl IntoIterator<Item = (NodeSpec, &'static str)>) {
    for (top, words) in rows {
        let name = format!("{top:?}");
        let found = problems(top);
        assert!(
            found.contains(words) && found.contains("node 1"),
            "{name}\n{found:?}\n{words}"
        );
    }
}

#[test]
fn a_composite_of_a_file_without_children() {
    for kind in [
        "sequence",
        "select",
        "memory_sequence",
        "memory_select",
        "reactive_sequence",
        "reactive_select",
        "always_seq",
        "random_seq",
        "random_select",
        "parallel",
        "if_else",
        "while_loop",
        "and",
        "or",
    ] {
        refused([(of(kind, []), "child")]);
    }
    refused([(of("probility", []).extra("prob", json!([])), "child")]);
}

#[test]
fn a_composite_of_code_without_children_that_has_no_result() {
    for kind in ["parallel", "and", "or", "if_else", "while_loop"] {
        let tree = TreeAsset::build("main", "probe", of(kind, []));
        assert!(Play::of([tree]).is_err(), "{kind}");
    }
}

#[test]
fn a_decorator_without_its_one_child() {
    for kind in [
        "negative",
        "always_true",
        "always_false",
        "repeat",
        "retry",
        "until_success",
        "until_failure",
        "loop",
        "timeout",
        "delay",
        "cooldown",
        "run_limit",
        "success_until",
        "failure_until",
        "frames",
        "once",
    ] {
        let bare = || node(kind).extra("count", 1).extra("seconds", 1);
        refused([
            (bare(), "child"),
            (bare().children([now("a"), now("b")]), "child"),
        ]);
        assert_eq!(problems(bare().child(now("a"))), "", "{kind}");
    }
}

#[test]
fn thresholds_of_a_parallel_outside_of_its_children() {
    let three = || of("parallel", ["a", "b", "c"].map(now));
    for (key, value, is_right) in [
        ("success", 0, false),
        ("success", 1, true),
        ("success", 3, true),
        ("success", 4, false),
        ("success", -1, false),
        ("failure", 0, false),
        ("failure", 1, true),
        ("failure", 3, true),
        ("failure", 4, false),
    ] {
        let found = problems(three().extra(key, value));
        assert_eq!(found.is_empty(), is_right, "{key} {value}: {found}");
        assert!(is_right || found.contains(key), "{found}");
    }
}

#[test]
fn rerun_of_a_parallel_without_thresholds() {
    let two = || of("parallel", ["a", "b"].map(now));
    refused([(two().extra("rerun", true), "`success` or `failure`")]);
    for right in [two(), two().extra("success", 1), two().extra("failure", 2)] {
        assert_eq!(problems(right.clone().extra("rerun", false)), "");
    }
    assert_eq!(problems(two().extra("failure", 2).extra("rerun", true)), "");
}

#[test]
fn services_without_a_time_between_calls() {
    let note = || call("note").arg("x");
    refused([
        (now("a").service(0.0, note()), "seconds"),
        (now("a").service(-1.0, note()), "seconds"),
    ]);
    assert_eq!(problems(now("a").service(0.1, note())), "");
}

#[test]
fn weights_that_are_no_weights() {
    let two = |weights| of("probility", ["a", "b"].map(now)).extra("prob", weights);
    refused([
        (two(json!([1])), "prob"),
        (two(json!([1, 2, 3])), "prob"),
        (two(json!([1, -1])), "prob"),
        (two(json!([1, "2"])), "prob"),
        (of("probility", ["a", "b"].map(now)), "prob"),
    ]);
    for right in [json!([0, 0]), json!([1, 2.5]), json!([1e9, 0])] {
        assert_eq!(problems(two(right)), "");
    }
}

#[test]
fn times_and_counts_that_are_none() {
    refused([
        (timed("timeout", 0.0, now("a")), "seconds"),
        (timed("timeout", -1.0, now("a")), "seconds"),
        (timed("delay", -1.0, now("a")), "seconds"),
        (timed("cooldown", -1.0, now("a")), "seconds"),
        (of("timeout", [now("a")]), "seconds"),
        (times("frames", -1, now("a")), "count"),
        (times("run_limit", -1, now("a")), "count"),
        (of("repeat", [now("a")]).extra("count", 1.5), "count"),
        (of("repeat", [now("a")]), "count"),
        (action("wait_frames").arg(-1), "wait_frames"),
        (action("wait_for_seconds").arg(-0.5), "wait_for_seconds"),
    ]);
}

#[test]
fn a_lower_guard_elsewhere_than_below_a_select() {
    for abort in ["lower", "both"] {
        let guarded = || now("a").guard(guard("holds").arg("x").set("abort", abort));
        for kind in [
            "sequence",
            "reactive_select",
            "random_select",
            "always_seq",
            "parallel",
        ] {
            let found = problems(of(kind, [guarded(), now("b")]));
            assert!(
                found.contains("node 2") && found.contains(abort),
                "{kind} {found}"
            );
        }
        for kind in ["select", "memory_select"] {
            assert_eq!(problems(of(kind, [guarded(), now("b")])), "", "{kind}");
        }
    }
}

#[test]
fn a_tree_of_another_agent() {
    for (agent, is_right) in [("probe", true), ("action_agent", true), ("nobody", false)] {
        let found = problems_of(agent, action("nop"));
        assert_eq!(found.is_empty(), is_right, "{agent}: {found}");
    }
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let found = problems(sequence([
        action("nothing"),
        timed("timeout", 0.0, now("a")),
        select([]),
        node("unheard_of"),
        now("a").arg(2),
    ]));
    for number in [2, 3, 5, 6, 7] {
        assert!(
            found.contains(&format!("node {number}")),
            "{number} {found}"
        );
    }
}
