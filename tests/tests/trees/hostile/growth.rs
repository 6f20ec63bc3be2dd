//! Trees that make a value larger each time: three nodes are enough to double it without end.

use bt_core::tree::asset::spec::{NodeSpec, action, node, sequence};
use serde_json::{Value, json};

use crate::hostile::{Run, on_a_small_stack, tree};

/// Does something so often in one poll.
fn often(times: u32, leaf: NodeSpec) -> NodeSpec {
    node("repeat").extra("count", times).child(leaf)
}

fn grown(board: Value, leaf: NodeSpec) -> (Value, String) {
    let trees = tree(sequence([often(200, leaf)]));
    let mut run = Run::new(&trees);
    run.runner.blackboard().set_all(&board).unwrap();
    run.polls(2);
    // A failure with its reason, as of any action that cannot do what it is to do.
    assert_eq!(run.runner.result(), Some(false));
    (run.runner.blackboard().get("k"), run.diagnostics())
}

#[test]
fn a_string_that_is_appended_to_itself_has_a_limit() {
    for leaf in [
        action("string_append").arg("k").key("k"),
        action("string_format").arg("{k}{k}").arg("k"),
        action("string_format").arg("{k}{{{k}").arg("k"),
    ] {
        let (value, why) = grown(json!({"k": "ab"}), leaf);
        let length = value.as_str().unwrap().len();
        assert!((1 << 19..=1 << 20).contains(&length), "{length}: {why}");
    }
}

#[test]
fn an_array_that_is_put_into_itself_has_a_limit() {
    on_a_small_stack(|| {
        let (value, _) = grown(json!({"k": [1]}), action("array_push").arg("k").key("k"));
        assert!(value.to_string().len() < 4 << 20);
    });
}

#[test]
fn an_array_that_is_put_into_another_and_back_is_no_deeper_than_a_limit() {
    on_a_small_stack(|| {
        // One deeper each time, and not larger: `k` becomes `[k]`.
        let deeper = sequence([
            action("set_key_value").arg("other").arg(json!([])),
            action("array_push").arg("other").key("k"),
            action("set_key_value").arg("k").key("other"),
        ]);
        let (value, _) = grown(json!({"k": 1}), deeper);
        let depth = value
            .to_string()
            .bytes()
            .take_while(|byte| *byte == b'[')
            .count();
        assert_eq!(depth, 100);
        // Still something that can be read again.
        let text = value.to_string();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    });
}

#[test]
fn value_that_grows_too_large_is_refused_when_called_by_name() {
    use bt_core::{Registry, Session};
    use bt_tests::probe::Probe;
    let mut session = Session::new(7);
    let long = "x".repeat(1 << 20);
    session.blackboard().set("k", long.as_str());
    let registry = Registry::global().unwrap();
    for (name, args) in [
        ("string_append", json!(["k", "x"])),
        ("array_push", json!(["a", long])),
        ("string_format", json!(["{k}x", "to"])),
    ] {
        let cx = &mut session.context();
        let outcome = registry.invoke(&mut Probe::default(), &mut (), cx, name, &args);
        assert_eq!(outcome.unwrap(), bt_core::Outcome::Done(false), "{name}");
        let why = session.take_failure().unwrap();
        assert!(
            why.contains("larger than 1048576 items and bytes of text"),
            "{why}"
        );
        assert!(why.len() < 200);
    }
}
