//! Descriptions of agents: from a catalogue, or by hand.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::answer::{Answer, fits};
use super::error::DescribeError;
use super::handler::{Handler, Handlers, OnCall, OnExit};
use super::known::{DynType, REAL, about};
use super::{DynAgent, Type};
use crate::call::{Context, Exit, Left};
use crate::describe::catalogue::{
    AgentEntry, Catalogue, EventEntry, ItemEntry, JsonMap, MethodEntry, MethodKind, Place,
    PropertyEntry, ReturnKind, SCHEMA_VERSION,
};
use crate::registry::Registry;
use crate::text;

/// The description of an agent, while it is made: of a part of a catalogue, or by hand.
///
/// ```
/// use bt_core::Context;
/// use bt_core::dynamic::{Answer, Describe, DynAgent, Type};
/// use serde_json::Value;
///
/// let cook = Describe::agent("dyn_cook")
///     .action("cook", |method| {
///         method.arg("dish", Type::of::<String>()).arg("seconds", Type::of::<f64>().default(2.5))
///     })
///     .event("rang", |event| event.param("by", Type::of::<String>()))
///     .handler(|_: &mut DynAgent, name: &str, args: &[Value], _: &mut Context<'_>| match name {
///         "cook" => Answer::running(),
///         other => Answer::refused(format!("`{other}` {args:?}?")),
///     })
///     .build()?;
/// assert_eq!(cook.name(), "dyn_cook");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Describe {
    /// The agent itself first, then its bases.
    agents: Vec<AgentEntry>,
    defs: JsonMap,
    calls: Vec<(String, OnCall)>,
    exits: Vec<(String, OnExit)>,
    all: Option<Arc<dyn Handler>>,
}

impl Describe {
    /// An agent without anything but the methods of `action_agent`.
    pub fn agent(name: impl Into<String>) -> Describe {
        let name = name.into();
        let agent = AgentEntry {
            item: item(&name),
            full_name: name,
            base: Some(REAL.to_owned()),
            ..AgentEntry::default()
        };
        Describe::of(vec![agent], JsonMap::new())
    }

    fn of(agents: Vec<AgentEntry>, defs: JsonMap) -> Describe {
        Describe {
            agents,
            defs,
            calls: Vec::new(),
            exits: Vec::new(),
            all: None,
        }
    }

    /// An agent of a catalogue, by its full name, name or alias, as `bt-meta export` writes it to `agents.json`.
    ///
    /// # Errors
    /// [`DescribeError`] if the catalogue is of a newer version or contradicts itself, or if it has no such agent,
    /// with the nearest names.
    pub fn from_catalogue(catalogue: Catalogue, agent: &str) -> Result<Describe, DescribeError> {
        if catalogue.schema_version > SCHEMA_VERSION {
            return Err(DescribeError::new(format!(
                "the catalogue has schema version {}, and this program reads up to {SCHEMA_VERSION}",
                catalogue.schema_version
            )));
        }
        let registry = Registry::from_catalogue(catalogue);
        let registry = registry.map_err(|why| DescribeError::new(why.to_string()))?;
        let agent = registry.agent(agent);
        let agent = agent.map_err(|why| DescribeError::new(why.to_string()))?;
        let lineage = agent.lineage().map(|agent| agent.entry().clone());
        let lineage: Vec<_> = lineage.filter(|agent| agent.full_name != REAL).collect();
        if lineage.is_empty() {
            return Err(DescribeError::new(format!(
                "agent `{REAL}` is built in: describe one that is based on it"
            )));
        }
        Ok(Describe::of(lineage, registry.catalogue().defs.clone()))
    }

    /// An agent of a catalogue as JSON.
    ///
    /// # Errors
    /// As of [`from_catalogue`](Describe::from_catalogue), and [`DescribeError`] if the text is no catalogue.
    pub fn from_json(text: &str, agent: &str) -> Result<Describe, DescribeError> {
        let catalogue = serde_json::from_str(text);
        let catalogue =
            catalogue.map_err(|why| DescribeError::new(format!("this is no catalogue: {why}")))?;
        Describe::from_catalogue(catalogue, agent)
    }

    fn own(&mut self) -> &mut AgentEntry {
        &mut self.agents[0]
    }

    /// Based on another agent: it inherits what that has.
    pub fn base(mut self, base: &DynType) -> Describe {
        let info = base.info();
        self.own().base = Some(info.full_name().to_owned());
        self.agents.truncate(1);
        let bases = info.lineage().map(|agent| agent.entry().clone());
        self.agents
            .extend(bases.filter(|agent| agent.full_name != REAL));
        let defs = base.registry().catalogue().defs.clone();
        self.defs.extend(defs);
        self
    }

    /// Without a base: not even the methods of `action_agent`.
    pub fn no_base(mut self) -> Describe {
        self.own().base = None;
        self.agents.truncate(1);
        self
    }

    /// With a sentence about it.
    pub fn docs(mut self, docs: impl Into<String>) -> Describe {
        self.own().item.brief = docs.into();
        self
    }

    fn method(
        mut self,
        name: &str,
        (kind, result): (MethodKind, ReturnKind),
        make: impl FnOnce(MethodType) -> MethodType,
    ) -> Describe {
        let made = make(MethodType::new(name, kind, result));
        self.defs.extend(made.defs);
        self.own().methods.push(made.entry);
        self
    }

    /// With an action. It may answer success, failure or running, unless `make` says otherwise.
    pub fn action(self, name: &str, make: impl FnOnce(MethodType) -> MethodType) -> Describe {
        self.method(name, (MethodKind::Action, ReturnKind::Async), make)
    }

    /// With a condition, which answers success or failure.
    pub fn condition(self, name: &str, make: impl FnOnce(MethodType) -> MethodType) -> Describe {
        self.method(name, (MethodKind::Condition, ReturnKind::Bool), make)
    }

    /// With a query, which answers a value of a type.
    pub fn query(
        mut self,
        name: &str,
        answer: Type,
        make: impl FnOnce(MethodType) -> MethodType,
    ) -> Describe {
        self.defs.extend(answer.defs.clone());
        let answer = answer.entry();
        let result = match answer.type_name.as_str() {
            "bool" => ReturnKind::Bool,
            _ => ReturnKind::Value,
        };
        self.method(name, (MethodKind::Query, result), |mut method| {
            method.entry.answer = Some(answer);
            make(method)
        })
    }

    /// With a decorator, which answers to run its child, success or failure.
    pub fn decorator(self, name: &str, make: impl FnOnce(MethodType) -> MethodType) -> Describe {
        self.method(name, (MethodKind::Decorator, ReturnKind::Next), make)
    }

    /// With a composite, which answers to run a child, success or failure, for nodes with as many children at least
    /// and at most.
    pub fn composite(
        self,
        name: &str,
        (least, most): (u32, Option<u32>),
        make: impl FnOnce(MethodType) -> MethodType,
    ) -> Describe {
        let result = (MethodKind::Composite, ReturnKind::NextChild);
        self.method(name, result, |mut method| {
            method.entry.child_min = Some(least);
            method.entry.child_max = most;
            make(method)
        })
    }

    /// With a property that trees read and write.
    pub fn property(mut self, name: &str, ty: Type) -> Describe {
        self.defs.extend(ty.defs.clone());
        let mut item = item(name);
        item.alias = ty.aliases();
        self.own().properties.push(PropertyEntry {
            item,
            ty: ty.entry(),
            ..PropertyEntry::default()
        });
        self
    }

    /// With a property that trees read, and the host alone sets.
    pub fn read_only(self, name: &str, ty: Type) -> Describe {
        let mut described = self.property(name, ty);
        if let Some(property) = described.own().properties.last_mut() {
            property.read_only = true;
        }
        described
    }

    /// With an event.
    pub fn event(mut self, name: &str, make: impl FnOnce(EventType) -> EventType) -> Describe {
        let made = make(EventType {
            entry: EventEntry {
                item: item(name),
                params: Vec::new(),
            },
            defs: JsonMap::new(),
        });
        self.defs.extend(made.defs);
        self.own().events.push(made.entry);
        self
    }

    /// With a fallback: the [handler](Describe::handler) answers for actions that nothing describes.
    pub fn fallback(mut self) -> Describe {
        self.own().fallback = Some(Place::default());
        self
    }

    /// Answers the calls of one method, own or inherited.
    pub fn on<T: Into<Answer>>(
        mut self,
        method: &str,
        call: impl Fn(&mut DynAgent, &[Value], &mut Context<'_>) -> T + Send + Sync + 'static,
    ) -> Describe {
        let call: OnCall = Arc::new(move |agent, args, cx| call(agent, args, cx).into());
        self.calls.push((method.to_owned(), call));
        self
    }

    /// Cleans up after calls of one method, which has an exit method.
    pub fn on_exit(
        mut self,
        method: &str,
        exit: impl Fn(&mut DynAgent, Exit, &[Value], &mut Context<'_>) -> Left + Send + Sync + 'static,
    ) -> Describe {
        self.exits.push((method.to_owned(), Arc::new(exit)));
        self
    }

    /// Answers for all methods that nothing else [answers](Describe::on) for.
    pub fn handler(mut self, handler: impl Handler + 'static) -> Describe {
        self.all = Some(Arc::new(handler));
        self
    }

    /// The description.
    ///
    /// # Errors
    /// [`DescribeError`] if it contradicts itself, such as two methods of one name, or if something answers for a
    /// method that there is not.
    pub fn build(self) -> Result<DynType, DescribeError> {
        self.check_results()?;
        let full_name = self.agents[0].full_name.clone();
        let about = about(catalogue(self.agents, self.defs)?, &full_name)?;
        let mut handlers = Handlers {
            calls: vec![None; about.methods.len()],
            exits: vec![None; about.methods.len()],
            all: self.all,
        };
        let number = |name: &str| {
            let found = about.actions().find(name);
            let found = found.map_err(|why| DescribeError::new(why.to_string()))?;
            let mut methods = about.methods.iter();
            let at = methods.position(|method| method.entry.item.name == found.name());
            at.ok_or_else(|| {
                let name = text::name(name);
                DescribeError::new(format!(
                    "`{name}` is `{REAL}`'s own: nothing else answers for it"
                ))
            })
        };
        for (name, call) in self.calls {
            handlers.calls[number(&name)?] = Some(call);
        }
        for (name, exit) in self.exits {
            let at = number(&name)?;
            if about.methods[at].entry.exit.is_none() {
                let message = format!("`{name}` has no exit method: describe it with `.exit([…])`");
                return Err(DescribeError::new(message));
            }
            handlers.exits[at] = Some(exit);
        }
        Ok(DynType {
            about,
            handlers: Arc::new(handlers),
        })
    }

    /// A file may say anything: a method has a result of its kind.
    fn check_results(&self) -> Result<(), DescribeError> {
        let methods = self.agents.iter().flat_map(|agent| &agent.methods);
        for method in methods {
            if !fits(method.kind, method.result) {
                let (kind, name) = (method.kind.word(), text::name(&method.item.name));
                return Err(DescribeError::new(format!(
                    "the {kind} `{name}` has a result that no {kind} has: `{}`",
                    serde_json::to_value(method.result)
                        .unwrap_or_default()
                        .as_str()
                        .unwrap_or_default()
                )));
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Describe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.agents[0].full_name;
        f.debug_tuple("Describe").field(name).finish()
    }
}

/// The catalogue of agents, with the real `action_agent`.
fn catalogue(mut agents: Vec<AgentEntry>, mut defs: JsonMap) -> Result<Catalogue, DescribeError> {
    let global = Registry::global().map_err(|why| DescribeError::new(why.to_string()))?;
    let real = global.agent(REAL);
    let real = real.map_err(|why| DescribeError::new(why.to_string()))?;
    agents.push(real.entry().clone());
    let linked = global.catalogue();
    for (name, def) in &linked.defs {
        defs.entry(name.clone()).or_insert_with(|| def.clone());
    }
    agents.sort_by(|a, b| a.full_name.cmp(&b.full_name));
    for agent in &mut agents {
        agent.methods.sort_by(|a, b| a.item.name.cmp(&b.item.name));
        agent
            .properties
            .sort_by(|a, b| a.item.name.cmp(&b.item.name));
        agent.events.sort_by(|a, b| a.item.name.cmp(&b.item.name));
    }
    Ok(Catalogue {
        agents,
        defs,
        crates: Vec::new(),
        problems: Vec::new(),
        unnamed_generics: Vec::new(),
        ..linked.clone()
    })
}

fn item(name: &str) -> ItemEntry {
    ItemEntry {
        name: name.to_owned(),
        ..ItemEntry::default()
    }
}

/// The description of a method, while it is made by hand.
#[derive(Debug)]
pub struct MethodType {
    entry: MethodEntry,
    defs: JsonMap,
}

impl MethodType {
    fn new(name: &str, kind: MethodKind, result: ReturnKind) -> MethodType {
        let entry = MethodEntry {
            fallible: !matches!(kind, MethodKind::Decorator | MethodKind::Composite),
            ..MethodEntry::new(item(name), kind, result)
        };
        MethodType {
            entry,
            defs: JsonMap::new(),
        }
    }

    /// With an argument.
    pub fn arg(mut self, name: &str, ty: Type) -> MethodType {
        self.defs.extend(ty.defs.clone());
        self.entry.args.push(ty.value(name));
        self
    }

    /// With a sentence about it.
    pub fn docs(mut self, docs: impl Into<String>) -> MethodType {
        self.entry.item.brief = docs.into();
        self
    }

    /// With a name that old trees may still use.
    pub fn alias(mut self, name: impl Into<String>) -> MethodType {
        self.entry.item.alias.push(name.into());
        self
    }

    /// In place of the base agent's method of that name.
    pub fn overriding(mut self) -> MethodType {
        self.entry.is_override = true;
        self
    }

    /// Of an action that is called again in every poll while it answers `running`, as one that returns `Status`.
    pub fn polled(mut self) -> MethodType {
        self.entry.result = ReturnKind::Status;
        self.entry.is_async = true;
        self
    }

    /// Of an action that ends at once: it answers success or failure.
    pub fn at_once(mut self) -> MethodType {
        self.entry.result = ReturnKind::Bool;
        self.entry.is_async = false;
        self
    }

    /// Of a condition or query that looks at its arguments and at keys alone: a guard evaluates it again when one of
    /// these has changed, and not in every poll.
    pub fn by_keys(mut self) -> MethodType {
        self.entry.is_static = true;
        self
    }

    /// With an exit method, which takes some of the arguments, by their names.
    pub fn exit<'n>(mut self, args: impl IntoIterator<Item = &'n str>) -> MethodType {
        self.entry.exit = Some(format!("exit {}", self.entry.item.name));
        self.entry.exit_args = args.into_iter().map(str::to_owned).collect();
        self
    }

    /// With a resume method.
    pub fn resume(mut self) -> MethodType {
        self.entry.resume = Some(format!("resume {}", self.entry.item.name));
        self
    }

    /// Of a decorator or a composite that is called in every turn, too.
    pub fn running(mut self) -> MethodType {
        self.entry.running = true;
        self
    }
}

/// The description of an event, while it is made by hand.
#[derive(Debug)]
pub struct EventType {
    entry: EventEntry,
    defs: JsonMap,
}

impl EventType {
    /// With a parameter.
    pub fn param(mut self, name: &str, ty: Type) -> EventType {
        self.defs.extend(ty.defs.clone());
        self.entry.params.push(ty.value(name));
        self
    }
}
