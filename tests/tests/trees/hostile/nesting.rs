//! JSON inside JSON inside JSON, wherever a file may have some.

use bt_core::TreeAsset;

use crate::hostile::{built, file, node, on_a_small_stack, one, wrong};

/// The depth at which readers of JSON stop.
const READABLE: usize = 128;

/// Brackets of both kinds inside one another.
fn nested(depth: usize) -> String {
    let open = "[{\"k\":".repeat(depth / 2);
    format!("{open}1{}", "}]".repeat(depth / 2))
}

/// The places for nesting in a file: before it, and after it.
fn places() -> Vec<(String, String)> {
    let split = |text: String| {
        let (before, after) = text.split_once("\"@\"").unwrap();
        (before.to_owned(), after.to_owned())
    };
    let argument = r#"{"arg_type":"plain","arg_value":"@"}"#;
    [
        r#"{"nodes":[],"x":"@"}"#.to_owned(),
        one("action", 0, r#""action_name":"nop","x":"@""#),
        one(
            "action",
            0,
            &format!(r#""action_name":"set_key_value","action_args":[{argument}]"#),
        ),
        one(
            "action",
            0,
            &format!(
                r#""action_name":"nop","guards":[{{"condition_name":"holds","condition_args":[{argument}]}}]"#
            ),
        ),
        one("parallel", 1, r#""success":"@""#),
        one("action", 0, r#""action_name":"@""#),
        one(
            "action",
            0,
            r#""action_name":"nop","blackboard":{"k":{"type":"any_value","initial":"@"}}"#,
        ),
        one("sub_tree", 0, r#""sub_tree_name":"t.json","args":{"k":"@"}"#),
        file([node("0", "root", "\"@\"", "")]),
        file(["\"@\"".to_owned()]),
    ]
    .map(split)
    .into()
}

#[test]
fn ten_megabytes_of_brackets_are_refused_where_they_get_too_deep() {
    on_a_small_stack(|| {
        for (before, after) in places() {
            for open in ["[", "{\"k\":", "[{\"k\":"] {
                let deep = open.repeat(10_000_000 / open.len());
                for after in ["", &after] {
                    let why = wrong(&format!("{before}{deep}{after}"));
                    assert!(why.contains("recursion limit exceeded"), "{why}");
                    assert!(why.starts_with("t.json:") && why.len() < 200, "{why}");
                }
            }
        }
    });
}

#[test]
fn deepest_readable_value_can_be_checked_built_and_written() {
    on_a_small_stack(|| {
        for (before, after) in places() {
            let mut readable = 0;
            for depth in (2..=READABLE).step_by(2) {
                let text = format!("{before}{}{after}", nested(depth));
                let _ = built(&text);
                if let Ok(tree) = TreeAsset::from_json("t.json", &text) {
                    assert_eq!(TreeAsset::from_json("t.json", &tree.to_json()), Ok(tree));
                    readable = depth;
                }
            }
            assert!(readable > READABLE - 16 || readable == 0, "{before}");
        }
    });
}

#[test]
fn an_argument_as_deep_as_a_reader_takes_is_passed_to_an_action_and_kept() {
    on_a_small_stack(|| {
        let value = nested(READABLE - 16);
        let args = format!(
            r#""action_name":"set_key_value","action_args":[{{"arg_type":"plain","arg_value":"k"}},{{"arg_type":"plain","arg_value":{value}}}]"#
        );
        let trees = built(&one("action", 0, &args)).unwrap();
        let mut run = crate::hostile::Run::new(&trees);
        run.polls(3);
        let board = run.runner.blackboard();
        assert_eq!(board.get("k").to_string(), value);
        assert_eq!(board.set_all(&board.to_json()), Ok(()));
        assert_eq!(run.diagnostics(), "");
    });
}

#[test]
fn nesting_in_a_script_is_refused_at_its_line() {
    on_a_small_stack(|| {
        for open in ["[", "{'k':", "(", "[{'k':("] {
            let deep = open.repeat(10_000_000 / open.len());
            let error = TreeAsset::from_script("t", &format!("SEQUENCE\n    a {deep}"));
            let why = error.unwrap_err().to_string();
            assert!(why.starts_with("t:2:"), "{why}");
            assert!(why.contains("more than 64 brackets inside one another"));
        }
    });
}
