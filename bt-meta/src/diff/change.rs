//! One change: what it is, whether old trees still work, and where to look.

use serde::Serialize;
use serde_json::Value;

use super::hit::{Hit, Part};
use crate::catalogue::{ItemEntry, Place};

/// Everything that changed.
#[derive(Debug, Clone, Serialize)]
pub struct Diff {
    /// The number of changes that are breaking.
    pub breaking: usize,
    /// The number of changes by which trees may do something else.
    pub behaviour: usize,
    /// The number of changes that are neither.
    pub compatible: usize,
    /// The changes: by agent, the breaking ones first.
    pub changes: Vec<Change>,
    /// Trees that were not looked at, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The effect on trees that were made with the old catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Some may be refused, or mean something else.
    Breaking,
    /// None is refused, and some may do something else.
    Behaviour,
    /// They work as they did.
    Compatible,
}

/// The kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum What {
    /// It is not there any more.
    Removed,
    /// It has another name.
    Renamed,
    /// A name that it had does not stand for it any more.
    NameLost,
    /// An agent has another base.
    Base,
    /// An agent answers unknown names now, or does not any more.
    Fallback,
    /// An action, a condition, a query or a decorator is another of the four now.
    Kind,
    /// It can stay running now, or cannot any more.
    Async,
    /// It takes the agent or the world now, or does not any more, and with that when guards evaluate it.
    Takes,
    /// It has another type.
    Type,
    /// It is passed another way: by value, in and out, out.
    Passed,
    /// Its least, its most or its choices changed.
    Bounds,
    /// It must be given now.
    Required,
    /// It may be left out now.
    Optional,
    /// Arguments stand in other places.
    Order,
    /// It can only be read now, or be written too.
    ReadOnly,
    /// The default changed.
    Default,
    /// Its unit changed.
    Unit,
    /// The meaning of its result changed.
    Result,
    /// Another agent of the line defines it.
    Moved,
    /// The method by which a saved agent resumes, or that cleans up, changed.
    CleanUp,
    /// The number of children of a node kind changed.
    Children,
    /// It is deprecated, or not any more.
    Deprecated,
    /// It is new.
    Added,
    /// Only what people read.
    Documentation,
}

/// A place in a tree that a change breaks, or where it makes the tree do something else.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Use {
    /// The tree's file, as it was named.
    pub file: String,
    /// The node's `idx`.
    pub node: u32,
    /// The line, from 1; none where the file does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The character of the line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
}

/// One change.
#[derive(Debug, Clone, Serialize)]
pub struct Change {
    /// The agent's full name, the new one if it has another; empty for node kinds.
    pub agent: String,
    /// The effect on trees.
    pub effect: Effect,
    /// The sort of the item: `action`, `condition`, `query`, `decorator`, `property`, `event`, `agent`, `node kind`.
    pub item: &'static str,
    /// The name of that, the new one if it has another.
    pub name: String,
    /// The argument or the parameter, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argument: Option<String>,
    /// The kind of change.
    pub change: What,
    /// The old and the new state, in words.
    pub message: String,
    /// The advice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The place in Rust: the new one, or the old one of an item that is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The places in trees, if trees were given and the change is not compatible.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<Use>,
    /// The uses that it breaks.
    #[serde(skip)]
    pub(super) hit: Option<Hit>,
    /// The old and the new schema of a value that trees give: what fits the new one is no use.
    #[serde(skip)]
    pub(super) schemas: Option<(Value, Value)>,
}

impl Change {
    /// With what to do about it.
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Trees give it values of the one schema, and now of the other.
    pub(super) fn schemas(mut self, old: &Value, new: &Value) -> Self {
        self.schemas = Some((old.clone(), new.clone()));
        self
    }

    /// Only some of the uses are hit.
    pub(super) fn part(mut self, of: Part) -> Self {
        if let Some(Hit::Item { part, .. }) = &mut self.hit {
            *part = of;
        }
        self
    }

    /// Other uses are hit than those of what it is about.
    pub(super) fn hits(mut self, hit: Hit) -> Self {
        self.hit = Some(hit);
        self
    }
}

/// The subject of changes.
#[derive(Debug, Clone)]
pub(super) struct About {
    pub(super) agent: String,
    pub(super) item: &'static str,
    pub(super) name: String,
    /// `argument` or `parameter`, and its name.
    pub(super) argument: Option<(&'static str, String)>,
    pub(super) place: Option<Place>,
    /// The uses in trees.
    pub(super) hit: Option<Hit>,
}

impl About {
    /// Its argument or parameter.
    pub(super) fn argument(&self, word: &'static str, name: &str) -> About {
        About {
            argument: Some((word, name.to_owned())),
            ..self.clone()
        }
    }

    /// ``argument `range` of action `chase` ``
    pub(super) fn words(&self) -> String {
        let of = format!("{} `{}`", self.item, self.name);
        match &self.argument {
            Some((word, name)) => format!("{word} `{name}` of {of}"),
            None => of,
        }
    }

    /// A change of it; `says` continues after [`Self::words`].
    pub(super) fn change(&self, change: What, effect: Effect, says: &str) -> Change {
        Change {
            agent: self.agent.clone(),
            effect,
            item: self.item,
            name: self.name.clone(),
            argument: self.argument.as_ref().map(|(_, name)| name.clone()),
            change,
            message: self.words() + says,
            help: None,
            place: self.place.clone(),
            uses: Vec::new(),
            hit: self.hit.clone(),
            schemas: None,
        }
    }

    /// A change that old trees may notice.
    pub(super) fn breaking(&self, change: What, says: &str) -> Change {
        self.change(change, Effect::Breaking, says)
    }

    /// A change by which old trees may do something else.
    pub(super) fn behaviour(&self, change: What, says: &str) -> Change {
        self.change(change, Effect::Behaviour, says)
    }

    /// A change that old trees work with.
    pub(super) fn compatible(&self, change: What, says: &str) -> Change {
        self.change(change, Effect::Compatible, says)
    }
}

/// The place of an item.
pub(super) fn place(item: &ItemEntry) -> Place {
    Place {
        what: String::new(),
        package: item.package.clone(),
        file: item.file.clone(),
        line: item.line,
    }
}
