//! Calls of the built-in actions, for the tests beside them.

use std::time::Duration;

use serde_json::{Value, json};

use super::ActionAgent;
use crate::blackboard::Declaration;
use crate::call::CallRequests;
use crate::{CallError, Event, Outcome, Registry, Session};

/// A blackboard and what calls did to it.
pub(super) struct Bench {
    session: Session,
}

impl Bench {
    /// With these keys set.
    pub(super) fn new(board: Value) -> Bench {
        let session = Session::new(7);
        for (key, value) in board.as_object().unwrap() {
            session.blackboard().set(key, value.clone());
        }
        session.blackboard().keep_journal(true);
        Bench { session }
    }

    /// Declares a key.
    pub(super) fn declare(&mut self, key: &str, ty: &str, initial: impl Into<Value>) {
        let key = Declaration::new(key, ty.parse().unwrap()).initial(initial);
        self.session.blackboard().declare(key).unwrap();
        self.written();
    }

    /// The keys that were written since the last call of this, whether they hold something else now or
    /// not.
    pub(super) fn written(&self) -> Vec<String> {
        let (board, mut keys) = (self.session.blackboard(), Vec::new());
        board.take_journal(&mut keys);
        let name = |key| board.called(key).map(|(name, _)| name.to_string());
        keys.into_iter().filter_map(name).collect()
    }

    pub(super) fn outcome(&mut self, action: &str, args: &Value) -> Result<Outcome, CallError> {
        let mut cx = self.session.context();
        Registry::global()
            .unwrap()
            .invoke(&mut ActionAgent, &mut (), &mut cx, action, args)
    }

    /// The result of what ends at once, and the reason that it gave.
    pub(super) fn call(&mut self, action: &str, args: Value) -> (bool, Option<String>) {
        match self.outcome(action, &args) {
            Ok(Outcome::Done(success)) => (success, self.session.take_failure()),
            other => panic!("{action}{args}: {other:?}"),
        }
    }

    /// Everything on the blackboard.
    pub(super) fn board(&self) -> Value {
        json!(self.session.blackboard().to_map())
    }

    pub(super) fn set_now(&mut self, now: Duration) {
        self.session.set_now(now);
    }

    /// The time at which a pending call ends.
    pub(super) fn ends(&mut self) -> CallRequests {
        self.session.take_requests()
    }

    pub(super) fn fired(&mut self) -> Vec<Event> {
        self.session.take_fired()
    }
}

/// A call that succeeds: the blackboard before, the call, the blackboard after.
pub(super) fn does(before: Value, action: &str, args: Value, after: Value) {
    let mut bench = Bench::new(before);
    assert_eq!(
        bench.call(action, args.clone()),
        (true, None),
        "{action}{args}"
    );
    assert_eq!(bench.board(), after, "{action}{args}");
}

/// A call that fails for a reason with these words in it, and writes nothing.
pub(super) fn fails(board: Value, action: &str, args: Value, words: &str) {
    let mut bench = Bench::new(board.clone());
    let (success, reason) = bench.call(action, args.clone());
    assert!(!success, "{action}{args}");
    let reason = reason.unwrap_or_else(|| panic!("{action}{args} gives no reason"));
    assert!(reason.contains(words), "{action}{args}: {reason}");
    assert_eq!(bench.board(), board, "{action}{args}");
    assert_eq!(bench.written(), [""; 0], "{action}{args}");
}

/// A question with an answer that needs no reason, which writes nothing.
pub(super) fn answers(board: Value, condition: &str, args: Value, answer: bool) {
    let mut bench = Bench::new(board.clone());
    let place = format!("{condition}{args} on {board}");
    assert_eq!(bench.call(condition, args), (answer, None), "{place}");
    assert_eq!(bench.board(), board, "{place}");
    assert_eq!(bench.written(), [""; 0], "{place}");
}

/// A call whose arguments are refused with these words.
pub(super) fn refuses(action: &str, args: Value, words: &str) {
    let mut bench = Bench::new(json!({}));
    let error = bench.outcome(action, &args).unwrap_err();
    assert!(error.is_arguments(), "{error}");
    assert!(error.to_string().contains(words), "{error}");
    assert_eq!(bench.written(), [""; 0], "{action}{args}");
}

/// An action on the number that a key holds: before, the call, after.
pub(super) fn calculates(held: Value, action: &str, value: Value, expect: Value) {
    let place = format!("{held} {action} {value}");
    let mut bench = Bench::new(json!({"n": held}));
    let called = bench.call(action, json!(["n", value]));
    assert_eq!(called, (true, None), "{place}");
    assert_eq!(bench.board()["n"], expect, "{place}");
}
