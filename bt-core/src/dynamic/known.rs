//! Descriptions that trees hold: each once, and for as long as the program runs.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::DynAgent;
use super::error::DescribeError;
use super::handler::Handlers;
use crate::agent::{Agent, Here, Then};
use crate::builtin::ActionAgent;
use crate::call::described::{Judge, Method, Property, Takes};
use crate::call::{ActionSet, Members};
use crate::describe::catalogue::{Catalogue, JsonMap, ValueEntry};
use crate::error::{ArgumentError, Flaw};
use crate::registry::{Accept, AgentInfo, EventShape, Registry, beyond_limits};
use crate::tree::check::decodes;
use crate::tree::set::TreeSet;

/// The most that all descriptions of a program may have together, as bytes of their catalogues' text.
pub const MOST_TEXT: usize = 256 << 20;

/// The description of an agent, and what answers for its methods. A clone is the same one.
///
/// Made by [`Describe`](super::Describe).
#[derive(Clone)]
pub struct DynType {
    pub(super) about: &'static About,
    pub(super) handlers: Arc<Handlers>,
}

impl DynType {
    /// The agent's name.
    pub fn name(&self) -> &'static str {
        self.about.name()
    }

    /// The registry that knows the agent, its bases and nothing else.
    pub fn registry(&self) -> &'static Registry {
        self.about.registry()
    }

    /// The agent in that registry.
    ///
    /// # Panics
    /// Never: the registry has it.
    pub fn info(&self) -> AgentInfo<'static> {
        let info = self.registry().agent_of::<DynAgent>();
        info.expect("the registry of a description has its agent")
    }

    /// No trees yet, for agents of this description.
    pub fn trees(&self) -> TreeSet<DynAgent> {
        TreeSet::of(self.registry())
    }

    /// The same description with other answers: this handler answers for all methods.
    pub fn with_handler(&self, handler: impl super::Handler + 'static) -> DynType {
        let methods = self.about.methods.len();
        DynType {
            about: self.about,
            handlers: Arc::new(Handlers {
                calls: vec![None; methods],
                exits: vec![None; methods],
                all: Some(Arc::new(handler)),
            }),
        }
    }
}

impl fmt::Debug for DynType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DynType").field(&self.name()).finish()
    }
}

/// A description that trees hold.
pub(super) struct About {
    /// Its methods and properties have it, too.
    pub(super) number: u64,
    pub(super) registry: Registry,
    pub(super) methods: Vec<Arc<Method>>,
    /// Those that are hidden by nearer ones included.
    pub(super) properties: Vec<Arc<Property>>,
    /// By name and alias, the nearest agent's.
    by_name: HashMap<String, usize>,
}

impl About {
    fn registry(&'static self) -> &'static Registry {
        &self.registry
    }

    pub(super) fn name(&'static self) -> &'static str {
        self.registry()
            .agent_of::<DynAgent>()
            .map_or("agent", |info| info.name())
    }

    pub(super) fn actions(&'static self) -> &'static ActionSet<DynAgent> {
        let actions = self.registry().actions::<DynAgent>();
        actions.expect("the registry of a description has its actions")
    }

    /// The number of the property of that name or alias.
    pub(super) fn property(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The place of its value in an agent.
    pub(super) fn place(&self, property: &Property) -> usize {
        property.at
    }
}

/// The descriptions so far, by their text.
#[derive(Default)]
struct All {
    by_text: HashMap<Box<str>, &'static About>,
    text: usize,
}

/// The description of an agent of that full name, whose lineage the catalogue has, with what it names.
///
/// # Errors
/// Contradictions in the catalogue, and one description too many.
pub(super) fn about(catalogue: Catalogue, agent: &str) -> Result<&'static About, DescribeError> {
    static ALL: Mutex<Option<All>> = Mutex::new(None);
    let text = serde_json::to_string(&(agent, &catalogue))
        .map_err(|why| DescribeError::new(why.to_string()))?;
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    let all = all.get_or_insert_default();
    if let Some(about) = all.by_text.get(&*text) {
        return Ok(about);
    }
    if all.text + text.len() > MOST_TEXT {
        return Err(DescribeError::new(format!(
            "the description of agent `{agent}` has {} bytes, and those of a program have {MOST_TEXT} together: they \
             are kept for as long as it runs",
            text.len()
        )));
    }
    let about: &'static About = Box::leak(Box::new(build(catalogue, agent)?));
    all.text += text.len();
    all.by_text.insert(text.into(), about);
    Ok(about)
}

fn build(catalogue: Catalogue, agent: &str) -> Result<About, DescribeError> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let defs = Arc::new(catalogue.defs.clone());
    let judge = |schema: &serde_json::Value| judge(&defs, schema);
    // What is wrong with the catalogue is said before anything is made of it.
    let checked = Registry::from_catalogue(catalogue.clone());
    let checked = checked.map_err(|why| DescribeError::new(why.to_string()))?;
    let info = checked.agent(agent);
    let info = info.map_err(|why| DescribeError::new(why.to_string()))?;
    let mut members = Members::none();
    let (mut methods, mut properties, mut events) = (Vec::new(), Vec::new(), Vec::new());
    for (depth, agent) in info.lineage().enumerate() {
        if agent.full_name() == REAL {
            <ActionAgent as Agent>::gather::<Then<Here<DynAgent>>>(&mut members);
            break;
        }
        let described = members.describe(number, agent.entry(), depth, &judge);
        methods.extend(described.methods);
        properties.extend(described.properties);
        let own = agent.entry().events.iter();
        let own = own.map(|event| EventShape::described(event, |param| accept(&defs, param)));
        events.push((agent.full_name().to_owned(), own.collect()));
    }
    let mut by_name = HashMap::new();
    for property in &properties {
        by_name
            .entry(property.entry.item.name.clone())
            .or_insert(property.at);
    }
    for property in &properties {
        for alias in &property.entry.item.alias {
            by_name.entry(alias.clone()).or_insert(property.at);
        }
    }
    let registry = Registry::described(catalogue, agent, members, events);
    Ok(About {
        number,
        registry: registry.map_err(|why| DescribeError::new(why.to_string()))?,
        methods,
        properties,
        by_name,
    })
}

/// The agent whose methods are real.
pub(super) const REAL: &str = "action_agent";

/// Says whether a schema takes a value.
fn judge(defs: &Arc<JsonMap>, schema: &serde_json::Value) -> Judge {
    let (defs, schema) = (defs.clone(), schema.clone());
    Arc::new(move |value| decodes(&defs, &schema, value))
}

/// Says whether a parameter of an event takes a value.
fn accept(defs: &Arc<JsonMap>, param: &ValueEntry) -> Accept {
    let takes = Takes::of(&param.ty, &|schema| judge(defs, schema));
    let name = param.name.clone();
    Box::new(move |value| match takes.check(value) {
        Ok(()) => Ok(value.clone()),
        Err(Flaw::Decode(why)) => Err(format!(": {why}")),
        Err(flaw) => Err(beyond_limits(value, &ArgumentError::new(&*name, flaw))),
    })
}
