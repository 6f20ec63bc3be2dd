//! Events made by name, with parameters as JSON: what consoles, scripts and other processes fire.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use super::build::full_name;
use super::lookup::AgentInfo;
use super::{LookupError, Registry};
use crate::call::table::descriptor::Registration;
use crate::call::table::members::{EventDesc, EventParam};
use crate::call::{Kind, check};
use crate::decode::shown;
use crate::describe::catalogue::EventEntry;
#[cfg(feature = "dynamic")]
use crate::describe::catalogue::ValueEntry;
use crate::error::{ArgumentError, CallError};
use crate::text::suggest;
use crate::{Event, text};

/// The events of each agent that is linked or described, by the agent's full name.
pub(super) type Known = BTreeMap<String, Vec<EventShape>>;

/// An event, as far as its parameters are checked by it.
#[derive(Debug)]
pub(crate) struct EventShape {
    name: String,
    params: Vec<Parameter>,
}

/// A parameter of an event.
struct Parameter {
    name: String,
    aliases: Vec<String>,
    /// True if it may be left out.
    optional: bool,
    accept: Accept,
}

/// The value as its type writes it, or what is wrong with it.
pub(crate) type Accept = Box<dyn Fn(&Value) -> Result<Value, String> + Send + Sync>;

impl fmt::Debug for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Parameter").field(&self.name).finish()
    }
}

/// The events of the linked program.
pub(super) fn linked() -> Known {
    let mut events = Known::new();
    let mut names: BTreeMap<TypeId, String> = BTreeMap::new();
    for registration in inventory::iter::<Registration>() {
        if let Registration::Agent(agent) = registration {
            let tables = agent.parts.iter().flatten().map(|part| part.table);
            let all = tables.flat_map(|table| table.events());
            let all = all.map(EventShape::linked);
            events.entry(full_name(agent)).or_default().extend(all);
            names.insert((agent.id)(), full_name(agent));
        }
    }
    for registration in inventory::iter::<Registration>() {
        if let Registration::Block(block) = registration
            && let Some(name) = names.get(&(block.id)())
        {
            let own = events.entry(name.clone()).or_default();
            own.extend(block.table.events().iter().map(EventShape::linked));
        }
    }
    events
}

impl Registry {
    /// An agent's event, own or inherited, by name or alias, with parameters as JSON: an array by
    /// position, or an object by name.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use serde_json::json;
    ///
    /// #[derive(Agent)]
    /// struct Bell;
    ///
    /// #[agent]
    /// impl Bell {
    ///     #[event]
    ///     fn rang(by: &str, times: u8);
    /// }
    ///
    /// let registry = Registry::global()?;
    /// let event = registry.event("bell", "rang", &json!({"times": 3, "by": "Ann"}))?;
    /// assert_eq!(event, Bell::rang("Ann", 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CallError::is_unknown`] with the nearest names, [`CallError::is_arguments`] with every
    /// bad parameter, [`CallError::is_refused`] if this registry is of a catalogue from a file,
    /// which knows no types.
    pub fn event(&self, agent: &str, event: &str, args: &Value) -> Result<Event, CallError> {
        let agent = self.agent(agent);
        let agent = agent.map_err(|error| CallError::unknown_agent(error.to_string()))?;
        agent.make_event(event, args)
    }
}

fn unknown(error: LookupError) -> CallError {
    CallError::unknown(error.to_string())
}

impl<'r> AgentInfo<'r> {
    /// One of its events, as of [`Registry::event`].
    ///
    /// # Errors
    /// As of [`Registry::event`].
    pub fn make_event(&self, event: &str, args: &Value) -> Result<Event, CallError> {
        let found = match self.event(event) {
            Ok(found) => found,
            Err(error) => return Err(self.not_an_event(event).unwrap_or_else(|| unknown(error))),
        };
        let name = found.item.name.as_str();
        if self.registry.events.is_none() {
            return Err(CallError::refused(format!(
                "event `{name}` cannot be made: this registry is of a catalogue from a file, which \
                 knows no types (`Registry::global()` does)"
            )));
        }
        let Some(shape) = found.agent.event_shape(name) else {
            return Err(CallError::unknown(format!("no event `{name}`")));
        };
        shape
            .make(args)
            .map_err(|problems| CallError::arguments(format!("event `{name}`: {problems}")))
    }

    /// One of its own events, by its name.
    fn event_shape(&self, name: &str) -> Option<&'r EventShape> {
        let known = self.registry.events.as_ref()?;
        let all = known.get(self.full_name())?;
        all.iter().find(|shape| shape.name == name)
    }

    /// The meaning of a name that is not an event's, if it has one.
    fn not_an_event(&self, name: &str) -> Option<CallError> {
        let kind = match (self.action(name), self.property(name)) {
            (Ok(action), _) => action.kind.into(),
            (_, Ok(_)) => Kind::Property,
            _ => return None,
        };
        Some(CallError::unknown(kind.instead_of(Kind::Event, name)))
    }
}

/// A registered event, as far as one that is fired is checked by it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventInfo {
    shape: &'static EventShape,
    entry: &'static EventEntry,
}

impl AgentInfo<'static> {
    /// Its events, own and inherited, by the names that they have and once had.
    pub(crate) fn event_infos(&self) -> BTreeMap<Box<str>, EventInfo> {
        let events = self.lineage().flat_map(|agent| {
            let events = agent.entry().events.iter();
            events.filter_map(move |entry| {
                let shape = agent.event_shape(&entry.item.name)?;
                Some(EventInfo { shape, entry })
            })
        });
        let events: Vec<_> = events.collect();
        let mut all = BTreeMap::new();
        // A name before an alias, and the nearer agent's before a base's.
        for info in &events {
            let name = info.entry.item.name.as_str();
            all.entry(name.into()).or_insert(*info);
        }
        for info in &events {
            for alias in &info.entry.item.alias {
                all.entry(alias.as_str().into()).or_insert(*info);
            }
        }
        all
    }
}

impl EventInfo {
    /// Checks the parameters of an event that was fired, and gives those their present names that
    /// have old ones; all that is wrong with them.
    pub(crate) fn check(&self, event: &mut Event) -> Result<(), String> {
        let mut problems = Vec::new();
        for (param, entry) in self.shape.params.iter().zip(&self.entry.params) {
            let given = event.params().filter(|(name, _)| param.is_called(name));
            let given: Vec<_> = given.map(|(_, value)| value).collect();
            if let Err(why) = param.accept(&given) {
                let (name, ty) = (&param.name, &entry.ty.type_name);
                let expected = match given.as_slice() {
                    [] => format!(", expected `{ty}`"),
                    _ => String::new(),
                };
                problems.push(format!("parameter `{name}`{why}{expected}"));
            }
        }
        problems.extend(
            self.shape
                .unknown_names(event.params().map(|(name, _)| name)),
        );
        if !problems.is_empty() {
            return Err(problems.join("; "));
        }
        for (name, _) in event.params_mut() {
            let mut params = self.shape.params.iter();
            if let Some(param) = params.find(|param| param.is_called(name)) {
                name.clone_from(&param.name);
            }
        }
        Ok(())
    }
}

impl EventShape {
    fn linked(desc: &'static EventDesc) -> EventShape {
        let params = desc.params.iter().map(Parameter::linked);
        EventShape {
            name: desc.item.name.to_owned(),
            params: params.collect(),
        }
    }

    /// An event that is described, with what checks each of its parameters.
    #[cfg(feature = "dynamic")]
    pub(crate) fn described(entry: &EventEntry, accept: impl Fn(&ValueEntry) -> Accept) -> Self {
        let param = |param: &ValueEntry| Parameter {
            name: param.name.clone(),
            aliases: param.alias.clone(),
            optional: param.ty.optional,
            accept: accept(param),
        };
        EventShape {
            name: entry.item.name.clone(),
            params: entry.params.iter().map(param).collect(),
        }
    }

    /// The event with these parameters, each written as its type writes it; or all that is wrong
    /// with them.
    fn make(&self, args: &Value) -> Result<Event, String> {
        let mut problems = Vec::new();
        let mut event = Event::new(&*self.name);
        for (at, param) in self.params.iter().enumerate() {
            match param.value(at, args) {
                Ok(value) => event = event.with(&*param.name, value),
                Err(why) => problems.push(format!("parameter `{}`{why}", param.name)),
            }
        }
        match args {
            Value::Array(list) if list.len() > self.params.len() => {
                let (takes, given) = (self.params.len(), list.len());
                let s = if takes == 1 { "" } else { "s" };
                let names = self.params.iter().map(|param| format!("`{}`", param.name));
                let names = match names.collect::<Vec<_>>().join(", ") {
                    none if none.is_empty() => none,
                    some => format!(" ({some})"),
                };
                problems.push(format!("takes {takes} parameter{s}{names}, {given} given"));
            }
            Value::Object(map) => {
                problems.extend(self.unknown_names(map.keys().map(String::as_str)));
            }
            Value::Array(_) | Value::Null => {}
            other => {
                let found = shown(other);
                problems.clear();
                problems.push(format!(
                    "parameters are an array by position or an object by name, found {found}"
                ));
            }
        }
        if problems.is_empty() {
            Ok(event)
        } else {
            Err(problems.join("; "))
        }
    }

    fn unknown_names<'n>(&self, names: impl Iterator<Item = &'n str>) -> Vec<String> {
        let known = |name: &&str| self.params.iter().any(|param| param.is_called(name));
        let unknown = names.filter(|name| !known(name));
        let problem = |name: &str| {
            let near = suggest(name, self.params.iter().map(|param| &*param.name));
            let name = text::name(name);
            format!("there is no parameter `{name}`{near}")
        };
        unknown.map(problem).collect()
    }
}

impl Parameter {
    fn linked(param: &'static EventParam) -> Parameter {
        let EventParam { value, normal } = param;
        let accept = |given: &Value| {
            let allowed = check(&value.param, given);
            allowed.map_err(|beyond| beyond_limits(given, &beyond))?;
            normal(given).map_err(|why| format!(": {why}"))
        };
        Parameter {
            name: value.param.name.to_owned(),
            aliases: value.param.aliases().map(str::to_owned).collect(),
            optional: (value.shape.optional)(),
            accept: Box::new(accept),
        }
    }

    fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.iter().any(|alias| alias == name)
    }

    /// Its value, the parameter being the one at `at`.
    fn value(&self, at: usize, args: &Value) -> Result<Value, String> {
        let given: Vec<&Value> = match args {
            Value::Array(list) => list.get(at..).unwrap_or(&[]).iter().take(1).collect(),
            Value::Object(map) => {
                let named = map.iter().filter(|(name, _)| self.is_called(name));
                named.map(|(_, value)| value).collect()
            }
            _ => Vec::new(),
        };
        self.accept(&given)
    }

    /// The value that was given, as its type writes it.
    fn accept(&self, given: &[&Value]) -> Result<Value, String> {
        match given {
            [] if self.optional => Ok(Value::Null),
            [] => Err(" is missing".to_owned()),
            [value] => (self.accept)(value),
            [_, _, ..] => Err(" is given twice, by its name and by an alias".to_owned()),
        }
    }
}

/// The message about a value that is beyond the limits of a parameter.
pub(crate) fn beyond_limits(value: &Value, beyond: &ArgumentError) -> String {
    format!(" is {}, {}", shown(value), beyond.unnamed())
}
