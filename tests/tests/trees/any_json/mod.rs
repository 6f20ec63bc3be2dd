//! Any JSON at all, thrown at everything that takes some: a result or an error, never a panic.

mod subjects;
mod values;

use std::time::Duration;

use bt_core::builtin::ActionAgent;
use bt_core::prelude::*;
use bt_core::registry::AgentInfo;
use bt_core::registry::catalogue::{MethodKind, ReturnKind, ValueEntry};
use bt_core::{Action, CallError, Source};
use monster::{AccountAgent, ActorAgent, Blueprint, MonsterAgent, PlayerAgent, Point, World};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use subjects::{Subject, info, subjects};
use values::{KEYS, Pick, picks, short, text, ways};

/// Reads what an error of something says.
type Read = fn(&str, &str) -> Result<(), TestCaseError>;

fn says_something(text: &str, of: &str) -> Result<(), TestCaseError> {
    prop_assert!(!text.trim().is_empty(), "an error of `{of}` says nothing");
    Ok(())
}

fn is_one_short_line(text: &str, of: &str) -> Result<(), TestCaseError> {
    says_something(text, of)?;
    let len = text.len();
    prop_assert!(len < 2000, "{len} bytes of `{of}`: {text:.200}…");
    prop_assert!(!text.contains(['\n', '\r']), "lines of `{of}`: {text:?}");
    Ok(())
}

/// Reads the error, if it is one.
fn read<T>(result: Result<T, impl ToString>, of: &str, read: Read) -> Result<(), TestCaseError> {
    match result {
        Ok(_) => Ok(()),
        Err(error) => read(&error.to_string(), of),
    }
}

fn session(picks: &[Pick]) -> Session {
    let session = Session::new(7);
    for (key, pick) in KEYS[..5].iter().zip(picks) {
        let value = match pick.at % 4 {
            0 => &pick.number,
            1 => &json!([pick.any, pick.number]),
            2 => &Value::from(u64::MAX),
            _ => &pick.any,
        };
        session.blackboard().set(key, value.clone());
    }
    session
}

/// Checks the outcome of one kind of method.
fn is_of_kind(kind: MethodKind, result: ReturnKind, outcome: Outcome) -> bool {
    match outcome {
        Outcome::Done(_) => true,
        Outcome::Run => matches!(kind, MethodKind::Decorator | MethodKind::Composite),
        Outcome::Pending => result == ReturnKind::Async && kind == MethodKind::Action,
        Outcome::Running => result == ReturnKind::Status && kind == MethodKind::Action,
    }
}

fn call_all(
    subject: &mut dyn Subject,
    session: &mut Session,
    picks: &[Pick],
    says: Read,
) -> Result<(), TestCaseError> {
    for method in info(subject).actions() {
        let name = &*method.item.name;
        for (at, args) in ways(&method.args, picks).into_iter().enumerate() {
            session.set_asked([None, Some(true), Some(false)][picks[at].len % 3]);
            session.set_now(Duration::from_secs(picks[at].at as u64));
            let called = match args.as_array() {
                Some(args) if at % 2 == 1 => subject.bind(session, name, args),
                _ => subject.invoke(session, name, &args),
            };
            if let Ok(outcome) = called {
                let fine = is_of_kind(method.kind, method.result, outcome);
                prop_assert!(fine, "`{name}` came to {outcome:?}");
            }
            read(called, name, says)?;
            read(session.take_failure().map_or(Ok(()), Err), name, says)?;
            let asked = session.take_requests();
            let exits = [Exit::Success, Exit::Failure, Exit::Aborted];
            subject.leave(session, name, exits[picks[at].at % 3]);
            for kept in asked.kept.iter().chain([&picks[at].any]) {
                read(subject.resume(session, name, kept), name, says)?;
            }
            session.take_requests();
            session.take_fired();
            session.take_control();
            session.take_completions();
            for error in session.take_refused() {
                says(&error.to_string(), name)?;
            }
        }
    }
    Ok(())
}

fn set_all(
    subject: &mut dyn Subject,
    session: &mut Session,
    picks: &[Pick],
    says: Read,
) -> Result<(), TestCaseError> {
    for property in info(subject).properties() {
        let name = &*property.item.name;
        for pick in picks {
            for value in [pick.any.clone(), pick.fit(&property.ty.schema)] {
                read(subject.set(session, name, &value), name, says)?;
                read(subject.get(session, name), name, says)?;
            }
        }
    }
    Ok(())
}

fn make_all(subject: &dyn Subject, picks: &[Pick], says: Read) -> Result<(), TestCaseError> {
    let registry = Registry::global().unwrap();
    for event in info(subject).events() {
        let name = &*event.item.name;
        for args in ways(&event.params, picks) {
            let made = registry.event(subject.name(), name, &args);
            if let Ok(made) = &made {
                prop_assert_eq!(made.name(), name);
            }
            read(made, name, says)?;
        }
    }
    Ok(())
}

fn ask_for(
    subject: &mut dyn Subject,
    session: &mut Session,
    pick: &Pick,
    says: Read,
) -> Result<(), TestCaseError> {
    let registry = Registry::global().unwrap();
    let (name, value) = (&*pick.text, &pick.any);
    read(subject.invoke(session, name, value), "invoke", says)?;
    read(
        subject.bind(session, name, std::slice::from_ref(value)),
        "bind",
        says,
    )?;
    read(subject.get(session, name), "get", says)?;
    read(subject.set(session, name, value), "set", says)?;
    read(registry.event(subject.name(), name, value), "event", says)?;
    read(registry.agent(name), "agent", says)
}

/// Everything there is, on agents and blackboards of their own.
fn everything(picks: &[Pick], says: Read) -> Result<(), TestCaseError> {
    for mut subject in subjects() {
        let session = &mut session(picks);
        call_all(&mut *subject, session, picks, says)?;
        set_all(&mut *subject, session, picks, says)?;
        make_all(&*subject, picks, says)?;
        ask_for(&mut *subject, session, &picks[0], says)?;
    }
    Ok(())
}

/// The registry has more agents than these only if the example grows: then add them above.
#[test]
fn every_agent_that_is_linked_is_tried() {
    let tried: Vec<_> = subjects().iter().map(|subject| subject.name()).collect();
    // What other tests of this package register is theirs.
    let own = env!("CARGO_PKG_NAME");
    let mut agents = Registry::global().unwrap().agents();
    for agent in agents
        .by_ref()
        .filter(|agent| agent.entry().item.package != own)
    {
        assert!(
            tried.contains(&agent.name()),
            "`{}` is not tried",
            agent.name()
        );
    }
    let methods = subjects()
        .iter()
        .map(|subject| info(&**subject).actions().len())
        .sum::<usize>();
    assert!(methods > 200, "{methods}");
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        max_shrink_iters: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(10))]

    #[test]
    fn any_json_gives_a_result_or_an_error(picks in picks(text())) {
        everything(&picks, says_something)?;
    }

    #[test]
    fn no_call_leaves_anything_behind_that_makes_another_panic(
        rounds in prop::collection::vec(picks(text()), 3),
    ) {
        for mut subject in subjects() {
            let mut session = session(&rounds[0]);
            for picks in &rounds {
                set_all(&mut *subject, &mut session, picks, says_something)?;
                call_all(&mut *subject, &mut session, picks, says_something)?;
            }
        }
    }

    #[test]
    fn an_error_is_one_short_line(picks in picks(short())) {
        everything(&picks, is_one_short_line)?;
    }

    #[test]
    fn an_error_is_one_short_line_whatever_the_names_are(picks in picks(text())) {
        everything(&picks, is_one_short_line)?;
    }
}

#[test]
fn a_long_value_is_cut_where_an_error_shows_it() {
    let long = Value::from("long ".repeat(1000));
    let registry = Registry::global().unwrap();
    let event = registry.event("monster_agent", "hurt", &long);
    read(event, "event", is_one_short_line).unwrap();
    for mut subject in subjects() {
        let mut session = Session::new(7);
        let called = subject.invoke(&mut session, "wait_frames", &long);
        read(called, "invoke", is_one_short_line).unwrap();
        let called = subject.bind(&mut session, "wait_frames", std::slice::from_ref(&long));
        read(called, "bind", is_one_short_line).unwrap();
    }
}
