//! Counts, weights and numbers of nodes that are no such things, or too large for anything.

use bt_core::TreeAsset;

use crate::hostile::{Run, built, file, node, one, wrong};

#[test]
fn a_count_is_an_integer_and_may_be_huge() {
    let kinds = [
        "repeat",
        "retry",
        "until_success",
        "until_failure",
        "loop",
        "success_until",
        "failure_until",
        "run_limit",
        "frames",
    ];
    for kind in kinds {
        for count in [
            "1.5",
            "\"1\"",
            "\"NaN\"",
            "null",
            "[]",
            "1e308",
            "-1e308",
            "9223372036854775808",
            "18446744073709551616",
        ] {
            let why = wrong(&one(kind, 1, &format!(r#""count":{count}"#)));
            assert!(
                why.contains("node 1: `count`: expected "),
                "{kind} {count}: {why}"
            );
        }
        let why = wrong(&one(kind, 1, r#""count":1e999"#));
        assert!(
            why.contains("t.json:3:") && why.contains("out of range"),
            "{why}"
        );
        for count in [
            "-0.0",
            "0",
            "-1",
            "4294967295",
            "4294967296",
            "9007199254740992",
            "9223372036854775807",
            "-9223372036854775808",
        ] {
            match built(&one(kind, 1, &format!(r#""count":{count}"#))) {
                Ok(trees) => {
                    let mut run = Run::new(&trees);
                    run.polls(5);
                    run.stop(std::time::Duration::from_secs(5));
                }
                // Not all counts may be below 0, or that large.
                Err(why) => assert!(
                    why.contains("node 1: `count`: expected "),
                    "{kind} {count}: {why}"
                ),
            }
        }
    }
}

#[test]
fn weights_that_are_none_or_sum_up_to_nothing() {
    for weights in [
        "-1,1",
        "\"1\",1",
        "null,1",
        "NaN,1",
        "\"NaN\",1",
        "1",
        "1,1,1",
        "[1],1",
        "-1e-300,1",
    ] {
        let why = wrong(&one("probility", 2, &format!(r#""prob":[{weights}]"#)));
        let is_json = !weights.starts_with('N');
        let expected = if is_json {
            "t.json: node 1: `prob"
        } else {
            "t.json:3:"
        };
        assert!(why.starts_with(expected), "{weights}: {why}");
    }
    let why = wrong(&one("probility", 2, r#""prob":[1,1e999]"#));
    assert!(
        why.contains("t.json:3:") && why.contains("out of range"),
        "{why}"
    );
    // Nothing to draw: the sum is 0.
    for weights in ["0,0", "-0.0,0"] {
        let trees = built(&one("probility", 2, &format!(r#""prob":[{weights}]"#))).unwrap();
        let mut run = Run::new(&trees);
        run.polls(1);
        assert_eq!(run.runner.result(), Some(false));
        let why = run.diagnostics();
        assert!(
            why.contains("node 1 (probility): its weights leave no child to draw"),
            "{why}"
        );
    }
    // A sum that no number holds, and the smallest weight that there is beside the largest.
    for weights in ["1e308,1e308", "5e-324,1.7976931348623157e308"] {
        let trees = built(&one("probility", 2, &format!(r#""prob":[{weights}]"#))).unwrap();
        let mut run = Run::new(&trees);
        run.polls(1);
        assert_eq!(run.runner.result(), Some(true), "{weights}");
    }
}

#[test]
fn a_threshold_is_a_number_of_children() {
    for (key, value) in ["success", "failure"].into_iter().flat_map(|key| {
        [
            "0",
            "-1",
            "3",
            "1.5",
            "1e308",
            "4294967297",
            "9007199254740993",
            "18446744073709551615",
            "\"1\"",
            "null",
        ]
        .map(|value| (key, value))
    }) {
        let why = wrong(&one("parallel", 2, &format!(r#""{key}":{value}"#)));
        assert!(
            why.contains(&format!("node 1: `{key}`: expected ")),
            "{key} {value}: {why}"
        );
    }
}

#[test]
fn an_idx_is_a_whole_number_of_32_bits() {
    for idx in [
        "-1",
        "1.5",
        "1.0",
        "4294967296",
        "9007199254740992",
        "18446744073709551616",
        "1e3",
        "\"1\"",
        "null",
        "[]",
        "-0.0",
    ] {
        for text in [
            file([node(idx, "root", "", "")]),
            file([node("0", "root", idx, "")]),
            file([r#"{"idx":0,"type":"root","children":[],"parent":@}"#.replace('@', idx)]),
        ] {
            let why = wrong(&text);
            assert!(why.starts_with("t.json:2:"), "{idx}: {why}");
            assert!(
                why.contains("expected a whole number from 0 to 4294967295"),
                "{idx}: {why}"
            );
        }
    }
    let why = wrong(&file([node("1e999", "root", "", "")]));
    assert!(
        why.starts_with("t.json:2:") && why.contains("out of range"),
        "{why}"
    );
}

#[test]
fn the_largest_idx_is_one_like_any_other() {
    let max = u32::MAX.to_string();
    let text = file([
        node(&max, "root", "4294967294", r#""agent_name":"probe""#),
        node("4294967294", "action", "", r#""action_name":"nop""#),
    ]);
    let mut run = Run::new(&built(&text).unwrap());
    run.polls(1);
    assert_eq!(run.runner.result(), Some(true));
    // A new node takes a number that is left.
    let mut tree = TreeAsset::from_json("t.json", &text).unwrap();
    let leaf = || bt_core::tree::asset::spec::action("nop");
    assert_eq!(tree.insert(u32::MAX, 1, leaf()).unwrap(), 0);
    assert_eq!(tree.insert(u32::MAX, 2, leaf()).unwrap(), 1);
    tree.normalise();
    assert_eq!(tree.root().children(), [1, 2, 3]);
}
