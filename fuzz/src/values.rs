//! The bytes are JSON: `{"board": {…}, "calls": [[name, arguments], …]}`, or just a board.

use bt_core::{Registry, Session};
use serde_json::Value;

use crate::Robot;

/// Sets the keys, calls what is named by name, and sets properties and fires events of the name too.
pub fn run(bytes: &[u8]) {
    let Ok(json) = serde_json::from_slice::<Value>(bytes) else {
        return;
    };
    let registry = Registry::global().expect("nothing contradicts itself");
    let (mut robot, mut session) = (Robot::default(), Session::new(7));
    let _ = session
        .blackboard()
        .set_all(json.get("board").unwrap_or(&json));
    let calls = json.get("calls").and_then(Value::as_array);
    for call in calls.into_iter().flatten().take(64) {
        let (Some(name), Some(args)) = (call.get(0).and_then(Value::as_str), call.get(1)) else {
            continue;
        };
        let cx = &mut session.context();
        let _ = registry.invoke(&mut robot, &mut (), cx, name, args);
        let _ = registry.set(&mut robot, &mut (), cx, name, args);
        if let Ok(event) = registry.event("robot", name, args) {
            assert!(event.params().count() < 3);
        }
    }
    let board = session.blackboard().to_json();
    let again = Session::new(7);
    assert_eq!(again.blackboard().set_all(&board), Ok(()));
    assert_eq!(again.blackboard().to_json(), board);
}
