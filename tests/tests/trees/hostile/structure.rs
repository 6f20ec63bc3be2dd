//! Nodes that are no tree, and objects that say two things at once.

use crate::hostile::{file, node, on_a_small_stack, one, wrong};

#[test]
fn children_that_are_not_there_or_belong_to_another_are_each_named() {
    let why = wrong(&file([
        node("0", "root", "1,9,1", ""),
        node("1", "sequence", "2,0", ""),
        node("2", "once", "2", ""),
        node("3", "once", "3", ""),
        node("4", "once", "4", ""),
    ]));
    for part in [
        "t.json:2:",
        "node 0: ",
        "node 4: ",
        "its child 9 is not in the file",
        "is its own child",
    ] {
        assert!(why.contains(part), "{part} in {why}");
    }
}

#[test]
fn a_hundred_thousand_mistakes_are_a_list_of_the_usual_size() {
    on_a_small_stack(|| {
        let count = 100_000;
        let dangling = (0..count).map(|idx| {
            let kind = if idx == 0 { "root" } else { "once" };
            node(&idx.to_string(), kind, "4000000000", "")
        });
        let why = wrong(&file(dangling));
        assert!(why.lines().count() <= 1_001);
        assert!(why.ends_with(" more"));
    });
}

#[test]
fn duplicate_key_is_named_with_its_place() {
    let extra = |extra: &str| one("action", 0, extra);
    for (text, place) in [
        (
            r#"{"nodes":[],"nodes":[]}"#.to_owned(),
            "t.json:1:21: the key \"nodes\" is given twice",
        ),
        (
            r#"{"nodes":[],"x":1,"\u0078":2}"#.to_owned(),
            "the key \"x\" is given twice",
        ),
        (
            file([r#"{"idx":0,"type":"root","children":[],"idx":1}"#.to_owned()]),
            "t.json:2:44: ",
        ),
        (
            extra(r#""action_name":"nop","action_name":"log""#),
            "node 1: the key \"action_name\" is given twice",
        ),
        (
            extra(r#""action_name":"nop","guards":[{"a":{"b":1,"b":1}}]"#),
            "node 1: the key \"b\" is given twice",
        ),
    ] {
        let why = wrong(&text);
        assert!(why.contains(place), "{place} in {why}");
    }
}

#[test]
fn conditions_at_the_greatest_depth_are_evaluated() {
    on_a_small_stack(|| {
        for depth in [253, 254] {
            let chain = (0..depth).map(|at| {
                let kind = if at % 2 == 0 { "and" } else { "or" };
                node(&(at + 1).to_string(), kind, &(at + 2).to_string(), "")
            });
            let root = node("0", "root", "1", r#""agent_name":"probe""#);
            let args =
                r#""action_name":"key_true","action_args":[{"arg_type":"plain","arg_value":"k"}]"#;
            let leaf = node(&(depth + 1).to_string(), "condition", "", args);
            let text = file([root].into_iter().chain(chain).chain([leaf]));
            let mut run = crate::hostile::Run::new(&crate::hostile::built(&text).unwrap());
            run.runner.blackboard().set("k", true);
            run.polls(1);
            assert_eq!(run.runner.result(), Some(true));
        }
    });
}

#[test]
fn every_kind_as_deep_as_a_tree_may_be_is_run_on_a_small_stack() {
    on_a_small_stack(|| {
        let kinds = [
            ("sequence", ""),
            ("select", ""),
            ("memory_sequence", ""),
            ("memory_select", ""),
            ("reactive_sequence", ""),
            ("reactive_select", ""),
            ("always_seq", ""),
            ("random_seq", ""),
            ("random_select", ""),
            ("parallel", ""),
            ("probility", r#""prob":[1]"#),
            ("negative", ""),
            ("always_true", ""),
            ("always_false", ""),
            ("repeat", r#""count":2"#),
            ("retry", r#""count":2"#),
            ("until_success", ""),
            ("until_failure", ""),
            ("loop", r#""count":2"#),
            ("timeout", r#""seconds":5"#),
            ("delay", r#""seconds":0.001"#),
            ("cooldown", r#""seconds":5"#),
            ("run_limit", r#""count":2"#),
            ("frames", r#""count":2"#),
            ("success_until", r#""count":2"#),
            ("failure_until", r#""count":2"#),
            ("once", ""),
            (
                "decorator",
                r#""decorator_name":"limits","decorator_args":[{"arg_type":"plain","arg_value":"n"},{"arg_type":"plain","arg_value":2}]"#,
            ),
        ];
        for (kind, extra) in kinds {
            let chain =
                (1..=254).map(|idx| node(&idx.to_string(), kind, &(idx + 1).to_string(), extra));
            let root = node("0", "root", "1", r#""agent_name":"probe""#);
            let leaf =
                r#""action_name":"polled","action_args":[{"arg_type":"plain","arg_value":"x"}]"#;
            let text = file(
                [root]
                    .into_iter()
                    .chain(chain)
                    .chain([node("255", "action", "", leaf)]),
            );
            let mut run = crate::hostile::Run::new(
                &crate::hostile::built(&text).unwrap_or_else(|why| panic!("{why}")),
            );
            run.polls(5);
            for leaf in run.runner.active_leaves() {
                run.runner.finish(leaf.id, true);
            }
            run.polls(300);
            run.stop(std::time::Duration::from_secs(300));
        }
    });
}
