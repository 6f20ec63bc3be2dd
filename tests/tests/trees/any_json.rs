//! Any JSON at all, thrown at everything that takes some: a result or an error, never a panic.

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

/// What is written where a key is meant, and what keys hold something.
const KEYS: [&str; 6] = ["a", "b", "c", "d", "e", "unset"];

/// Words that some argument or other takes.
const WORDS: [&str; 12] = [
    "x", "y", "target", "point", "route", "calm", "player", "warn", "==", "wolf", "", "名前",
];

/// Words in one line.
fn short() -> BoxedStrategy<String> {
    prop_oneof![
        4 => select(&KEYS).prop_map(str::to_owned),
        4 => select(&WORDS).prop_map(str::to_owned),
        3 => "\\PC{0,12}",
    ]
    .boxed()
}

/// Text of any length, in any number of lines.
fn text() -> BoxedStrategy<String> {
    prop_oneof![
        8 => short(),
        1 => "(.|\n|\r|\u{0}|\u{2028}){0,12}",
        1 => "[ \na-zß-ヿ]{900,1100}".prop_map(|text| text.repeat(5)),
    ]
    .boxed()
}

fn number() -> impl Strategy<Value = Value> {
    const EDGES: [f64; 12] = [
        0.0,
        -0.0,
        0.5,
        1.0,
        2.0,
        -1.0,
        5e-324,
        1e-9,
        9007199254740993.0,
        18446744073709551616.0,
        1e300,
        -1.7976931348623157e308,
    ];
    prop_oneof![
        4 => (-3..12_i32).prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => select(&[i64::MIN, i64::MAX, 1 << 53, -1 << 31, 1 << 32]).prop_map(Value::from),
        1 => select(&[u64::MAX, 1 << 63]).prop_map(Value::from),
        3 => select(&EDGES).prop_map(Value::from),
        2 => (-100.0..100.0).prop_map(Value::from),
        1 => (-1e6..1e6_f64).prop_map(|float| float.round().into()),
        1 => proptest::num::f64::NORMAL.prop_map(Value::from),
    ]
}

fn json(text: BoxedStrategy<String>) -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        4 => number(),
        3 => text.clone().prop_map(Value::from),
    ];
    let any = leaf.prop_recursive(4, 24, 5, move |inner| {
        let pairs = prop::collection::vec((text.clone(), inner.clone()), 0..4).boxed();
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            pairs
                .clone()
                .prop_map(|pairs| pairs.into_iter().collect::<Map<_, _>>().into()),
            pairs.prop_map(|pairs| json!(pairs)),
            (inner.clone(), inner).prop_map(|(x, y)| json!({"x": x, "y": y})),
        ]
    });
    prop_oneof![
        40 => any,
        1 => (1..100_usize).prop_map(|depth| (0..depth).fold(json!(1), |value, _| json!([value]))),
    ]
}

/// What one argument is made of: values that a type may take, and one that it may not.
#[derive(Debug, Clone)]
struct Pick {
    any: Value,
    number: Value,
    integer: i64,
    text: String,
    at: usize,
    len: usize,
    is_any: bool,
}

fn pick(text: BoxedStrategy<String>) -> impl Strategy<Value = Pick> {
    let integer = prop_oneof![
        4 => -2..12_i64,
        1 => any::<i64>(),
        1 => select(&[i64::MIN, i64::MAX, u32::MAX as i64, i32::MAX as i64]),
    ];
    let parts = (
        json(text.clone()),
        number(),
        integer,
        text,
        0..64_usize,
        0..4_usize,
        0..6_u8,
    );
    parts.prop_map(|(any, number, integer, text, at, len, is_any)| Pick {
        any,
        number,
        integer,
        text,
        at,
        len,
        is_any: is_any == 0,
    })
}

fn picks(text: BoxedStrategy<String>) -> impl Strategy<Value = Vec<Pick>> {
    prop::collection::vec(pick(text), 8)
}

impl Pick {
    /// A value that is not unlike what a schema says.
    fn fit(&self, schema: &Value) -> Value {
        let registry = Registry::global().unwrap();
        if let Some(name) = schema["$ref"]
            .as_str()
            .and_then(|path| path.rsplit('/').next())
        {
            return match registry.catalogue().defs.get(name) {
                Some(schema) => self.fit(schema),
                None => self.any.clone(),
            };
        }
        for list in ["enum", "anyOf", "oneOf"] {
            if let Some(list_of) = schema[list].as_array() {
                let one = &list_of[self.at % list_of.len()];
                return if list == "enum" {
                    one.clone()
                } else {
                    self.fit(one)
                };
            }
        }
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        let types = &schema["type"];
        let ty = match types {
            Value::Array(types) => &types[self.at % types.len()],
            ty => ty,
        };
        match ty.as_str() {
            Some("boolean") => (self.at.is_multiple_of(2)).into(),
            Some("integer") if self.at.is_multiple_of(8) => self.number.clone(),
            Some("integer") => self.integer.into(),
            Some("number") => self.number.clone(),
            Some("string") if self.at.is_multiple_of(2) => KEYS[self.len].into(),
            Some("string") => self.text.clone().into(),
            Some("array") => (0..self.len).map(|_| self.fit(&schema["items"])).collect(),
            Some("object") => {
                let properties = schema["properties"].as_object();
                let fields = properties.into_iter().flatten();
                fields
                    .map(|(name, schema)| (name.clone(), self.fit(schema)))
                    .collect()
            }
            Some("null") => Value::Null,
            _ => self.any.clone(),
        }
    }

    fn value(&self, entry: &ValueEntry) -> Value {
        match &entry.ty.choices {
            _ if self.is_any => self.any.clone(),
            _ if entry.ty.in_out.is_some() => KEYS[self.at % KEYS.len()].into(),
            Some(choices) if !self.at.is_multiple_of(8) => choices[self.at % choices.len()].clone(),
            _ => self.fit(&entry.ty.schema),
        }
    }
}

/// The arguments of a call in several ways: by position, by name, some left out, one too many, and
/// nothing that arguments could be.
fn ways(entries: &[ValueEntry], picks: &[Pick]) -> Vec<Value> {
    let values = entries
        .iter()
        .zip(picks)
        .map(|(entry, pick)| pick.value(entry));
    let list: Vec<Value> = values.collect();
    let names = entries.iter().map(|entry| entry.name.clone());
    let named: Map<String, Value> = names.zip(list.iter().cloned()).collect();
    let mut more = list.clone();
    more.resize(entries.len() + 1 + picks[0].len, picks[1].any.clone());
    let mut other = named.clone();
    other.remove(&picks[2].text);
    other.insert(picks[3].text.clone(), picks[3].any.clone());
    let less = list[..picks[4].len.min(list.len())].to_vec();
    let all = entries.iter().map(|_| picks[5].any.clone()).collect();
    vec![
        list.into(),
        named.into(),
        more.into(),
        other.into(),
        less.into(),
        all,
        picks[6].any.clone(),
    ]
}

/// An agent of any type, and the world that it acts on.
struct On<A, W> {
    name: &'static str,
    agent: A,
    world: W,
}

trait Subject {
    fn name(&self) -> &'static str;
    fn invoke(
        &mut self,
        session: &mut Session,
        action: &str,
        args: &Value,
    ) -> Result<Outcome, CallError>;
    fn bind(
        &mut self,
        session: &mut Session,
        action: &str,
        args: &[Value],
    ) -> Result<Outcome, CallError>;
    fn leave(&mut self, session: &mut Session, action: &str, exit: Exit);
    fn resume(
        &mut self,
        session: &mut Session,
        action: &str,
        kept: &Value,
    ) -> Result<Outcome, CallError>;
    fn get(&mut self, session: &mut Session, property: &str) -> Result<Value, CallError>;
    fn set(
        &mut self,
        session: &mut Session,
        property: &str,
        value: &Value,
    ) -> Result<(), CallError>;
}

impl<A, W> Subject for On<A, W>
where
    A: for<'w, 's> Agent<World<'w, 's> = W>,
{
    fn name(&self) -> &'static str {
        self.name
    }

    fn invoke(
        &mut self,
        session: &mut Session,
        action: &str,
        args: &Value,
    ) -> Result<Outcome, CallError> {
        let cx = &mut session.context();
        Registry::global()
            .unwrap()
            .invoke(&mut self.agent, &mut self.world, cx, action, args)
    }

    /// Every second argument is a literal, the others are values of keys.
    fn bind(
        &mut self,
        session: &mut Session,
        action: &str,
        args: &[Value],
    ) -> Result<Outcome, CallError> {
        let board = session.blackboard();
        let source = |(at, value): (usize, &Value)| {
            if at % 2 == 0 {
                return Source::Literal(value.clone());
            }
            let key = format!("argument {at}");
            board.set(&key, value.clone());
            Source::Key(key)
        };
        let sources: Vec<Source> = args.iter().enumerate().map(source).collect();
        let actions = Registry::global().unwrap().actions::<A>()?;
        let bound = actions.bind(action, sources, &mut session.blackboard())?;
        bound.call(&mut self.agent, &mut self.world, &mut session.context())
    }

    fn leave(&mut self, session: &mut Session, action: &str, exit: Exit) {
        let actions = Registry::global().unwrap().actions::<A>().unwrap();
        let action: &Action<A> = actions.find(action).unwrap();
        action.exit(
            &mut self.agent,
            &mut self.world,
            &mut session.context(),
            exit,
        );
    }

    fn resume(
        &mut self,
        session: &mut Session,
        action: &str,
        kept: &Value,
    ) -> Result<Outcome, CallError> {
        let actions = Registry::global().unwrap().actions::<A>().unwrap();
        let action: &Action<A> = actions.find(action).unwrap();
        action.resume(
            &mut self.agent,
            &mut self.world,
            &mut session.context(),
            kept,
        )
    }

    fn get(&mut self, session: &mut Session, property: &str) -> Result<Value, CallError> {
        let cx = &mut session.context();
        Registry::global()
            .unwrap()
            .get(&mut self.agent, &mut self.world, cx, property)
    }

    fn set(
        &mut self,
        session: &mut Session,
        property: &str,
        value: &Value,
    ) -> Result<(), CallError> {
        let cx = &mut session.context();
        Registry::global()
            .unwrap()
            .set(&mut self.agent, &mut self.world, cx, property, value)
    }
}

fn world() -> World {
    let mut world = World::new();
    world.spawn(Blueprint::monster("wolf", Point::new(10.0, 10.0)));
    world.spawn(Blueprint::player("hero", Point::new(12.0, 10.0)));
    world
}

/// One of each agent; ids count from 1.
fn subjects() -> Vec<Box<dyn Subject>> {
    let home = Point::new(10.0, 10.0);
    vec![
        Box::new(On {
            name: "action_agent",
            agent: ActionAgent,
            world: (),
        }),
        Box::new(On {
            name: "actor_agent",
            agent: ActorAgent::new(1),
            world: world(),
        }),
        Box::new(On {
            name: "monster_agent",
            agent: MonsterAgent::new(1, home),
            world: world(),
        }),
        Box::new(On {
            name: "player_agent",
            agent: PlayerAgent::new(2),
            world: world(),
        }),
        Box::new(On {
            name: "account_agent",
            agent: AccountAgent::new(2, "ann", "?"),
            world: world(),
        }),
    ]
}

fn info(subject: &dyn Subject) -> AgentInfo<'static> {
    Registry::global().unwrap().agent(subject.name()).unwrap()
}

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

/// What one kind of method can come to.
fn is_of_kind(kind: MethodKind, result: ReturnKind, outcome: Outcome) -> bool {
    match outcome {
        Outcome::Done(_) => true,
        Outcome::Run => kind == MethodKind::Decorator,
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
            session.set_ended([None, Some(true), Some(false)][picks[at].len % 3]);
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
            let asked = session.take_asked();
            let exits = [Exit::Success, Exit::Failure, Exit::Aborted];
            subject.leave(session, name, exits[picks[at].at % 3]);
            for kept in asked.kept.iter().chain([&picks[at].any]) {
                read(subject.resume(session, name, kept), name, says)?;
            }
            session.take_asked();
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
