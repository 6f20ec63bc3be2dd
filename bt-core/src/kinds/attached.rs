//! Parameters of any node besides its own: guards, effects, services, events and keys.

use serde_json::{Map, Value, json};

use super::call::Call;
use super::number::Number;
use super::path::Path;
use super::read::{
    Fields, FromJson, KeyProblem, ObjectSchema, Others, Problems, choices, fields, read_object,
    wrong_form,
};
use super::set::Writes;
use super::values::{ByName, Formula, Json, Name, Parameters, PositiveSeconds, by_name};
use super::{Caller, Use};

choices! {
    /// The nodes that a guard aborts when it changes.
    pub enum Abort {
        /// Nothing.
        None = "none",
        /// Its node.
        Own = "self",
        /// The sibling to the right that runs.
        Lower = "lower",
        /// Both.
        Both = "both",
    }
}

impl Abort {
    /// Returns true if its node is aborted.
    pub fn is_own(self) -> bool {
        matches!(self, Abort::Own | Abort::Both)
    }

    /// Returns true if a sibling to the right is aborted.
    pub fn is_lower(self) -> bool {
        matches!(self, Abort::Lower | Abort::Both)
    }
}

choices! {
    /// The extra times at which a guard is evaluated.
    pub enum GuardMode {
        /// Every poll.
        Poll = "poll",
    }
}

fields! {
    /// A condition that must hold.
    pub struct Guard<'t> {
        /// the condition to evaluate
        condition: Call<'t> = Call::NONE,
        /// the expression to evaluate in place of a condition
        formula as "if": Option<Formula<'t>> = None,
        /// must not hold instead
        not: bool = false,
        /// what is aborted when it changes
        abort: Abort = Abort::None,
        /// asked every poll, not only when it may have changed
        mode: Option<GuardMode> = None,
    }
}

fields! {
    /// An action whose result is ignored.
    pub struct Effect<'t> {
        /// the action to call
        action: Call<'t> = Call::NONE,
        /// what is written in place of a call
        writes as "set": Writes<'t> = Writes::default(),
    }
}

fields! {
    /// Effects by the moment of their calls.
    pub struct Effects<'t> {
        /// called on enter
        enter: Vec<Effect<'t>> = Vec::new(),
        /// called on success
        success: Vec<Effect<'t>> = Vec::new(),
        /// called on failure
        failure: Vec<Effect<'t>> = Vec::new(),
        /// called on an abort, after those on failure
        aborted: Vec<Effect<'t>> = Vec::new(),
        /// called on exit
        exit: Vec<Effect<'t>> = Vec::new(),
    }
}

impl Default for Effects<'_> {
    fn default() -> Self {
        Effects::empty()
    }
}

impl<'t> Effects<'t> {
    /// Each list with its key, sorted.
    pub fn lists(&self) -> [(&'static str, &[Effect<'t>]); 5] {
        [
            ("aborted", &self.aborted),
            ("enter", &self.enter),
            ("exit", &self.exit),
            ("failure", &self.failure),
            ("success", &self.success),
        ]
    }
}

impl<'t> FromJson<'t> for Effects<'t> {
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Effects<'t> {
        read_object(json, Others::Refused, path, problems)
    }

    fn schema() -> Value {
        let mut schema = definition::<Effects<'_>>();
        schema["additionalProperties"] = json!(false);
        schema
    }
}

fields! {
    /// An action that is called at intervals.
    pub struct Service<'t> {
        /// how long between two calls
        seconds: Number<'t, PositiveSeconds>,
        /// the action to call
        action: Call<'t> = Call::NONE,
        /// what is written in place of a call
        writes as "set": Writes<'t> = Writes::default(),
    }
}

choices! {
    /// The effect on the tree that an event interrupts.
    pub enum EventMode {
        /// It ends.
        Transfer = "transfer",
        /// It continues afterwards.
        Return = "return",
    }
}

fields! {
    /// An event that switches to another tree.
    pub struct EventTree<'t> {
        /// the event
        event: Name<'t>,
        /// the tree to run
        tree: Name<'t>,
        /// go over to the tree, or come back afterwards
        mode: EventMode = EventMode::Transfer,
        /// once for each activation of the node
        once: bool = false,
        /// which key takes which parameter
        params: Parameters<'t> = Parameters::default(),
    }
}

choices! {
    /// The owner of the value of a key that a root declares.
    pub enum DeclaredScope {
        /// The agent.
        Agent = "agent",
        /// One run of the tree.
        Tree = "tree",
        /// All agents that share a board.
        Global = "global",
    }
}

fields! {
    /// A key that a node declares.
    pub struct Declaration<'t> {
        /// the type, by its name in action_types.json
        ty as "type": Name<'t>,
        initial: Option<Json<'t>> = None,
        /// of the root's: who has one value of it; the agent if it is not said
        scope: Option<DeclaredScope> = None,
    }
}

impl<'t> Declaration<'t> {
    /// One without an initial value.
    pub(super) fn of_type(ty: Name<'t>) -> Declaration<'t> {
        Declaration {
            ty,
            initial: None,
            scope: None,
        }
    }
}

/// Keys that are declared, by their names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Declarations<'t>(pub ByName<'t, Declaration<'t>>);

impl<'t> FromJson<'t> for Declarations<'t> {
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Declarations<'t> {
        Declarations(by_name(json, path, problems, Declaration::read))
    }

    fn schema() -> Value {
        json!({"type": "object", "additionalProperties": Declaration::schema()})
    }
}

fields! {
    /// The attachments of a node.
    pub struct Attachments<'t> {
        /// conditions that must hold
        guards: Vec<Guard<'t>> = Vec::new(),
        /// actions whose results are ignored
        effects: Effects<'t> = Effects::default(),
        /// actions called at intervals while the node is active
        services: Vec<Service<'t>> = Vec::new(),
        /// events that switch to another tree while the node is active
        events: Vec<EventTree<'t>> = Vec::new(),
        /// keys that the node and what is below it see
        blackboard: Declarations<'t> = Declarations::default(),
        /// built as if it and what is below it were not there
        disabled: bool = false,
    }
}

/// Returns true if a node is disabled by its own `extra`; whether anything else of that can be read is not
/// looked at.
#[doc(hidden)]
pub fn is_disabled(extra: &Map<String, Value>) -> bool {
    extra.get("disabled") == Some(&Value::Bool(true))
}

impl<'t> Attachments<'t> {
    /// Reports each thing that they name, with its place; `path` is that of the node's `extra`.
    pub fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        let guards = path.key("guards");
        for (at, guard) in self.guards.iter().enumerate() {
            guard.uses(&guards.item(at), Caller::Guard, report);
        }
        let effects = path.key("effects");
        for (when, list) in self.effects.lists() {
            let list_at = effects.key(when);
            for (at, effect) in list.iter().enumerate() {
                let at = list_at.item(at);
                called(Caller::Effect, &effect.action, &effect.writes, &at, report);
            }
        }
        let services = path.key("services");
        for (at, service) in self.services.iter().enumerate() {
            let at = services.item(at);
            service.seconds.uses("seconds", &at.key("seconds"), report);
            called(
                Caller::Service,
                &service.action,
                &service.writes,
                &at,
                report,
            );
        }
        let events = path.key("events");
        for (at, event) in self.events.iter().enumerate() {
            report(&events.item(at), Use::Starts(event));
        }
    }
}

/// Reports what an effect or a service calls, or what it writes in place of that.
fn called<'t>(
    caller: Caller,
    action: &Call<'t>,
    writes: &Writes<'t>,
    path: &Path<'_>,
    report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>),
) {
    match writes.0.is_empty() {
        true => report(path, Use::Call(caller, action)),
        false => report(&path.key(WRITES), Use::Writes(caller, writes)),
    }
}

/// Objects that have a definition of their own in JSON Schema.
macro_rules! defined {
    ($($name:ident = $word:literal,)*) => {
        $(impl<'t> FromJson<'t> for $name<'t> {
            fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> $name<'t> {
                read_object(json, Others::Kept, path, problems)
            }

            fn schema() -> Value {
                json!({"$ref": concat!("#/$defs/node.", $word)})
            }
        })*

        /// The definitions that schemas of kinds refer to, under names that no Rust type has.
        pub(super) fn definitions() -> Vec<(&'static str, Value)> {
            vec![
                $((concat!("node.", $word), definition::<$name<'_>>()),)*
                ("node.guard", Guard::definition()),
                ("node.effect", Effect::definition()),
                ("node.service", Service::definition()),
                ("node.expression", Formula::definition()),
                ("node.attachments", definition::<Attachments<'_>>()),
                ("node.argument", super::call::Argument::definition()),
            ]
        }
    };
}

/// The key of an expression that is evaluated.
pub(crate) const EXPRESSION: &str = "if";

/// The key of what is written in place of a call.
const WRITES: &str = "set";

/// Reads an object that has a call, or another key in its place.
fn read_either<'t, F: Fields<'t>>(
    json: &'t Value,
    caller: Caller,
    keys: &'static [&'static str; 2],
    path: &Path<'_>,
    problems: &mut Problems<'_>,
) -> F {
    let fields = read_object(json, Others::Kept, path, problems);
    let [_, other] = keys;
    let (name, args) = caller.keys();
    match (json.get(name).or(json.get(args)), json.get(other)) {
        (Some(_), Some(found)) => {
            let (no, does) = match caller {
                Caller::Effect | Caller::Service | Caller::Action => {
                    ("no `set`", "it calls or writes")
                }
                Caller::Guard
                | Caller::ResetIf
                | Caller::Condition
                | Caller::Decorator
                | Caller::Composite => ("no expression", "a guard evaluates one of them"),
            };
            let expected = format!("{no} beside `{name}`: {does}");
            wrong_form(&expected, found, &path.key(other), problems);
        }
        (_, None) if json.is_object() && json.get(name).is_none() => {
            let description = match caller {
                Caller::Effect | Caller::Service | Caller::Action => "what is called or written",
                Caller::Guard
                | Caller::ResetIf
                | Caller::Condition
                | Caller::Decorator
                | Caller::Composite => "what is evaluated",
            };
            problems(path, KeyProblem::MissingOneOf { keys, description });
        }
        (Some(_) | None, _) => {}
    }
    fields
}

/// An object that has a call, or another key in its place, with its definition in JSON Schema.
macro_rules! either {
    ($($name:ident($caller:ident) = $word:literal, $keys:ident = [$call:literal, $other:expr];)*) => {
        $(
            const $keys: [&str; 2] = [$call, $other];

            impl<'t> FromJson<'t> for $name<'t> {
                fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> $name<'t> {
                    read_either(json, Caller::$caller, &$keys, path, problems)
                }

                fn schema() -> Value {
                    json!({"$ref": concat!("#/$defs/node.", $word)})
                }
            }

            impl $name<'_> {
                fn definition() -> Value {
                    let mut schema = definition::<$name<'_>>();
                    schema["oneOf"] = $keys.map(|key| json!({"required": [key]})).into();
                    schema
                }
            }
        )*
    };
}

either! {
    Guard(Guard) = "guard", EVALUATED = ["condition_name", EXPRESSION];
    Effect(Effect) = "effect", CALLED = ["action_name", WRITES];
    Service(Service) = "service", SERVED = ["action_name", WRITES];
}

impl<'t> Guard<'t> {
    /// Reports it, and the expression that it evaluates; `path` is its own.
    pub(super) fn uses(
        &self,
        path: &Path<'_>,
        caller: Caller,
        report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>),
    ) {
        report(path, Use::Guard(caller, self));
        if let Some(formula) = self.formula {
            report(&path.key(EXPRESSION), Use::Expression(caller, formula));
        }
    }
}

defined! {
    EventTree = "event",
    Declaration = "declaration",
}

fn definition<'t, F: Fields<'t>>() -> Value {
    let mut schema = ObjectSchema::default();
    F::describe(&mut schema);
    schema.into_value()
}
