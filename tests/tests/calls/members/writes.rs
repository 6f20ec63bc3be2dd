//! A write that cannot be is an error of the call that made it, and of no other.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bt_core::blackboard::Declaration;
use bt_core::{Blackboard, Source};

use super::*;

#[derive(Agent, Default)]
struct Copyist {}

#[agent]
impl Copyist {
    #[action]
    fn note(&mut self, cx: &mut Context, value: &Value) {
        cx.set("hp", value.clone());
    }

    #[action(exit = "forget")]
    fn begin(&mut self) -> Option<bool> {
        None
    }
    fn forget(&mut self, cx: &mut Context, _exit: Exit) {
        cx.set("hp", "forgotten");
    }

    #[action]
    fn halve(&mut self, value: &mut f64) {
        *value = if *value > 1.0 { *value / 2.0 } else { f64::NAN };
    }

    #[action]
    fn count(&mut self, n: &mut i64, #[arg(out)] double: &mut i64) {
        *n += 1;
        *double = *n * 2;
    }

    #[action]
    fn rest(&mut self, _cx: &mut Context) {}

    /// Changes both of its arguments, then ends as it is told.
    #[action]
    fn try_count(
        &mut self,
        n: &mut i64,
        #[arg(out)] double: &mut Value,
        how: &str,
    ) -> Result<bool, String> {
        *n += 1;
        *double = json!(*n * 2);
        match how {
            "error" => Err("it cannot count".to_owned()),
            "panic" => std::panic::resume_unwind(Box::new("it panics")),
            "odd" => {
                *double = json!("odd");
                Ok(true)
            }
            "false" => Ok(false),
            _ => Ok(true),
        }
    }

    /// Leaves its argument as it was.
    #[action]
    fn look(&mut self, _n: &mut i64, _list: &mut Vec<i64>) {}
}

fn session() -> Session {
    let board = Blackboard::new();
    let hp = Declaration::new("hp", "int32".parse().unwrap()).initial(100);
    board.declare(hp).unwrap();
    Session::with_board(0, board)
}

const REFUSED: &str = "blackboard key `hp` is declared as `int32` and cannot hold \"many\": \
                       expected an integer from -2147483648 to 2147483647, found \"many\"";

#[test]
fn a_write_of_another_type_is_an_error_of_its_call() {
    let mut session = session();
    let mut copyist = Copyist::default();
    let note = registry().invoke(
        &mut copyist,
        &mut (),
        &mut session.context(),
        "note",
        &json!(["many"]),
    );
    let error = note.unwrap_err();
    assert_eq!(error.to_string(), format!("`note`: {REFUSED}"));
    assert!(error.is_key());
    let actions = ActionSet::<Copyist>::collect().unwrap();
    let many = [Source::literal("many")];
    let bound = actions.bind("note", many, &mut session.blackboard());
    let called = bound
        .unwrap()
        .call(&mut copyist, &mut (), &mut session.context());
    assert_eq!(called.unwrap_err().to_string(), REFUSED);
    assert_eq!(session.blackboard().get("hp"), 100);
    assert!(session.take_refused().is_empty());
}

#[test]
fn write_error_of_an_exit_method_is_not_reported_for_the_next_call() {
    let mut session = session();
    let mut copyist = Copyist::default();
    let actions = ActionSet::<Copyist>::collect().unwrap();
    let rest = |copyist: &mut Copyist, cx: &mut Context| {
        actions.invoke(copyist, &mut (), cx, "rest", &Value::Null)
    };
    let begin = actions.find("begin").unwrap();
    begin.exit(&mut copyist, &mut (), &mut session.context(), Exit::Aborted);
    let why = session.take_failure().unwrap();
    assert!(why.starts_with("`begin`: blackboard key `hp`"), "{why}");
    let cx = &mut session.context();
    assert_eq!(rest(&mut copyist, cx), Ok(Outcome::Done(true)));
    cx.set("hp", 1.5);
    assert_eq!(rest(&mut copyist, cx), Ok(Outcome::Done(true)));
    let refused = session.take_refused();
    assert_eq!(refused.len(), 1);
    assert!(refused[0].to_string().contains("cannot hold 1.5"));
}

#[test]
fn two_results_have_two_keys() {
    let mut session = session();
    session.blackboard().set("c", 5);
    let words = "`count`: argument `double` is written back to the key of another argument: one \
                 would be lost";
    let cx = &mut session.context();
    let called = registry().invoke(
        &mut Copyist::default(),
        &mut (),
        cx,
        "count",
        &json!(["c", "c"]),
    );
    assert_eq!(called.unwrap_err().to_string(), words);
    let actions = ActionSet::<Copyist>::collect().unwrap();
    let same = [Source::key("c"), Source::key("c")];
    match actions.bind("count", same, &mut session.blackboard()) {
        Ok(_) => panic!("bound"),
        Err(error) => assert_eq!(error.to_string(), words),
    }
    assert_eq!(session.blackboard().get("c"), 5);
}

#[test]
fn a_result_without_a_json_form_leaves_the_key_as_it_was() {
    let mut session = session();
    let mut copyist = Copyist::default();
    session.blackboard().set("n", 2);
    let mut halve = || {
        let cx = &mut session.context();
        registry().invoke(&mut copyist, &mut (), cx, "halve", &json!(["n"]))
    };
    assert_eq!(halve(), Ok(Outcome::Done(true)));
    assert_eq!(
        halve().unwrap_err().to_string(),
        "`halve`: blackboard key `n` cannot hold this value: it has no JSON form: the number NaN \
         is not finite"
    );
    assert_eq!(session.blackboard().get("n"), 1.0);
}

#[test]
fn an_in_out_argument_that_is_left_out_is_missing() {
    let mut session = session();
    let cx = &mut session.context();
    let called = registry().invoke(&mut Copyist::default(), &mut (), cx, "halve", &json!([]));
    let error = called.unwrap_err();
    assert!(error.is_count() && error.problems()[0].is_missing());
    assert_eq!(error.to_string(), "`halve`: argument `value` is missing");
    let actions = ActionSet::<Copyist>::collect().unwrap();
    let error = match actions.bind("halve", [], &mut session.blackboard()) {
        Ok(_) => panic!("bound"),
        Err(error) => error,
    };
    assert_eq!(error.to_string(), "`halve`: argument `value` is missing");
}

/// Calls `try_count` in both ways that there are, on two keys; what they hold then, and the outcome.
fn counted(how: &str) -> Vec<(Value, Value, Result<Outcome, String>)> {
    let actions = ActionSet::<Copyist>::collect().unwrap();
    let mut all = Vec::new();
    for bound in [false, true] {
        let mut session = session();
        session.blackboard().set("n", 2);
        let sources = [Source::key("n"), Source::key("hp"), Source::literal(how)];
        let call = actions
            .bind("try_count", sources, &mut session.blackboard())
            .unwrap();
        let mut copyist = Copyist::default();
        let cx = &mut session.context();
        let called = catch_unwind(AssertUnwindSafe(|| match bound {
            true => call.call(&mut copyist, &mut (), cx),
            false => actions.invoke(
                &mut copyist,
                &mut (),
                cx,
                "try_count",
                &json!(["n", "hp", how]),
            ),
        }));
        let outcome = match called {
            Ok(called) => called.map_err(|error| error.to_string()),
            Err(_) => Err("panicked".to_owned()),
        };
        // Another call, which writes nothing, brings nothing of it to light.
        let cx = &mut session.context();
        let rest = actions.invoke(&mut copyist, &mut (), cx, "rest", &Value::Null);
        assert_eq!(rest, Ok(Outcome::Done(true)));
        let board = session.blackboard();
        all.push((board.get("n"), board.get("hp"), outcome));
    }
    all
}

#[test]
fn a_call_that_fails_writes_no_argument_back() {
    for (n, hp, outcome) in counted("error") {
        assert_eq!((n, hp), (json!(2), json!(100)));
        assert_eq!(outcome, Ok(Outcome::Done(false)));
    }
    for (n, hp, outcome) in counted("panic") {
        assert_eq!((n, hp), (json!(2), json!(100)));
        assert_eq!(outcome, Err("panicked".to_owned()));
    }
    // A failure that is an answer is no failed call.
    for (n, hp, outcome) in counted("false") {
        assert_eq!((n, hp), (json!(3), json!(6)));
        assert_eq!(outcome, Ok(Outcome::Done(false)));
    }
}

#[test]
fn a_call_with_one_argument_that_is_refused_writes_none_back() {
    for (n, hp, outcome) in counted("odd") {
        assert_eq!((n, hp), (json!(2), json!(100)));
        let error = outcome.unwrap_err();
        assert!(error.contains("cannot hold \"odd\""), "{error}");
    }
}

#[test]
fn an_argument_that_is_left_as_it_was_is_not_written_back() {
    let mut session = session();
    session.blackboard().set("n", 2.0);
    session.blackboard().set("list", json!([1.0, 2]));
    let args = json!(["n", "list"]);
    let cx = &mut session.context();
    let called = registry().invoke(&mut Copyist::default(), &mut (), cx, "look", &args);
    assert_eq!(called, Ok(Outcome::Done(true)));
    // As it was written, not as the type would write it.
    assert_eq!(session.blackboard().get("n"), json!(2.0));
    assert_eq!(session.blackboard().get("list"), json!([1.0, 2]));
}
