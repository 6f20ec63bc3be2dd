//! Values that come at run time: keys that are set, events' parameters, arguments by name.

use std::time::Duration;

use bt_core::tree::asset::spec::{action, sequence, wait_event};
use bt_core::{Event, Registry, Session};
use bt_tests::probe::Probe;
use serde_json::{Value, json};

use crate::hostile::{Run, on_a_small_stack, tree};

/// Arrays inside one another.
fn deep(depth: usize) -> Value {
    (0..depth).fold(json!(1), |value, _| Value::Array(vec![value]))
}

#[test]
fn keys_as_deep_as_a_reader_takes_are_set_read_and_written_again() {
    on_a_small_stack(|| {
        let session = Session::new(7);
        let board = session.blackboard();
        board
            .set_all(&json!({"k": deep(120), "m": {"a": deep(119)}}))
            .unwrap();
        let text = board.to_json().to_string();
        let again = Session::new(7);
        let read: Value = serde_json::from_str(&text).unwrap();
        again.blackboard().set_all(&read).unwrap();
        assert_eq!(again.blackboard().to_json(), board.to_json());
    });
}

#[test]
fn keys_deeper_than_any_reader_takes_are_refused_with_their_names() {
    on_a_small_stack(|| {
        let board = Session::new(7);
        let board = board.blackboard();
        // Not by the macro, which goes through the value by recursion.
        let keys = [
            ("fine".to_owned(), json!(1)),
            ("k".to_owned(), deep(100_000)),
        ];
        let all: Value = serde_json::Map::from_iter(keys).into();
        let refused = board.set_all(&all).unwrap_err();
        // Values are dropped by recursion.
        std::mem::forget(all);
        let lines: Vec<_> = refused.iter().map(ToString::to_string).collect();
        let [line] = lines.as_slice() else {
            panic!("{lines:?}")
        };
        assert!(
            line.contains("`k`") && line.contains("inside one another"),
            "{line}"
        );
        assert_eq!(board.get("fine"), 1);
        assert!(!board.has("k"));
        let whole = deep(100_000);
        let refused = board.set_all(&whole).unwrap_err();
        std::mem::forget(whole);
        assert_eq!(refused.len(), 1);
    });
}

#[test]
fn snapshot_that_is_no_object_is_one_error() {
    let session = Session::new(7);
    for json in [
        json!(null),
        json!(1),
        json!("x"),
        json!([1]),
        json!([["a"]]),
        json!([[1, 2]]),
    ] {
        let refused = session.blackboard().set_all(&json).unwrap_err();
        assert_eq!(refused.len(), 1, "{json}");
    }
    assert_eq!(session.blackboard().to_json(), json!({}));
}

#[test]
fn an_event_with_deep_parameters_is_delivered_and_kept() {
    on_a_small_stack(|| {
        let wait = wait_event("told").extra("params", json!({"what": "k"}));
        let show = action("string_format").arg("{k}").arg("text");
        let trees = tree(sequence([wait, show]));
        let mut run = Run::new(&trees);
        run.poll(Duration::ZERO);
        run.runner.fire(Event::new("told").with("what", deep(120)));
        run.poll(Duration::ZERO);
        assert_eq!(run.runner.result(), Some(true), "{}", run.diagnostics());
        assert_eq!(run.runner.blackboard().get("k"), deep(120));
    });
}

#[test]
fn deep_arguments_by_name_are_taken_or_refused() {
    on_a_small_stack(|| {
        let registry = Registry::global().unwrap();
        let actions = registry
            .agent("action_agent")
            .unwrap()
            .entry()
            .methods
            .iter();
        let mut session = Session::new(7);
        let mut probe = Probe::default();
        for method in actions {
            let name = &method.item.name;
            for at in 0..=method.args.len() {
                let args: Vec<_> = (0..method.args.len())
                    .map(|arg| if arg == at { deep(110) } else { json!("k") })
                    .collect();
                let cx = &mut session.context();
                if let Err(error) = registry.invoke(&mut probe, &mut (), cx, name, &json!(args)) {
                    assert!(error.to_string().len() < 1_000, "{name}: {error}");
                }
            }
        }
        assert!(
            registry
                .event("probe", "go", &json!({"n": deep(120)}))
                .is_err()
        );
    });
}
