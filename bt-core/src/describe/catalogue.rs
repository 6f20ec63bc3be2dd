//! The catalogue: everything that was annotated, as plain data.
//!
//! It is `agents.json`, and it is what crosses from a linked program to `bt-meta`, so a field is
//! only ever added, with a default; [`SCHEMA_VERSION`] goes up when an old reader would
//! misunderstand a new file.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the catalogue that this bt-core writes, and the newest that it reads.
pub const SCHEMA_VERSION: u32 = 1;

/// A JSON object with its keys sorted.
#[doc(hidden)]
pub type JsonMap = BTreeMap<String, Value>;

/// Everything that the crates linked into one program registered, sorted by name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Catalogue {
    /// [`SCHEMA_VERSION`] of the bt-core that wrote this.
    pub schema_version: u32,
    /// The version of the bt-core that wrote this, for messages only.
    #[serde(default)]
    pub bt_core: String,
    /// The crates that registered something, sorted by package name.
    #[serde(default)]
    pub crates: Vec<CrateEntry>,
    /// The agents, sorted by full name.
    #[serde(default)]
    pub agents: Vec<AgentEntry>,
    /// The node kinds that this bt-core runs, in the order in which an editor offers them.
    #[serde(default)]
    pub node_kinds: Vec<NodeKindEntry>,
    /// The problems of the registrations; empty in a file that an exporter wrote.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<ProblemEntry>,
    /// Generic agents that no `register_agent!` names: registered nowhere, so worth a warning.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unnamed_generics: Vec<Place>,
    /// The definitions that schemas refer to as `#/$defs/Name`: named types (enums, structs), and under
    /// `node.…` those that the node kinds' parameters share.
    #[serde(default, rename = "$defs", skip_serializing_if = "BTreeMap::is_empty")]
    pub defs: JsonMap,
}

/// A crate that registered something.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[doc(hidden)]
pub struct CrateEntry {
    /// The package's name as its manifest spells it, such as `my-game`.
    pub package: String,
    /// The crate's name as Rust spells it, such as `my_game`.
    pub name: String,
}

/// The place of a definition.
#[derive(
    Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[doc(hidden)]
pub struct Place {
    /// The thing defined there, in words such as ``action `chase` of `monster_agent` ``.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub what: String,
    /// The package that defines it.
    #[serde(rename = "crate")]
    pub package: String,
    /// The file, relative to that package's folder, with `/` between its parts.
    pub file: String,
    /// The line in that file, from 1.
    pub line: u32,
}

/// A contradiction among the registrations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[doc(hidden)]
pub struct ProblemEntry {
    /// The problem, and what to write instead.
    pub message: String,
    /// Every place that takes part in it.
    #[serde(default)]
    pub places: Vec<Place>,
}

/// The deprecation of an item: its reason, and its version.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[doc(hidden)]
pub struct Deprecation {
    /// The first version without it, if the annotation says.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub since: String,
    /// The replacement, if the annotation names one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// The common parts of every annotated item.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ItemEntry {
    /// The name in trees and in the editor.
    pub name: String,
    /// The first paragraph of the doc comment, on one line; empty if there is none.
    #[serde(default)]
    pub brief: String,
    /// The whole doc comment as written, in Markdown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    /// The name for people, in any language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
    /// The group that an editor lists it under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// The version that introduced it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Set when it should not be used any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<Deprecation>,
    /// Names that old trees may still use for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alias: Vec<String>,
    /// The annotation's `meta(…)`, untouched.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub meta: JsonMap,
    /// The package that defines it.
    #[serde(rename = "crate")]
    pub package: String,
    /// The file, relative to that package's folder, with `/` between its parts.
    pub file: String,
    /// The line in that file, from 1.
    pub line: u32,
}

impl ItemEntry {
    /// Its place, as `what`.
    pub(crate) fn place(&self, what: String) -> Place {
        Place {
            what,
            package: self.package.clone(),
            file: self.file.clone(),
            line: self.line,
        }
    }
}

/// An agent type and what its own blocks register; what it inherits is in its base's entry.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentEntry {
    /// Name, docs, and where the type is.
    #[serde(flatten)]
    pub item: ItemEntry,
    /// `namespace::name`, or the name where there is no namespace. Unique.
    pub full_name: String,
    /// The namespace, parts separated by `::`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The full name of the base agent; none for a root of the hierarchy.
    #[serde(default)]
    pub base: Option<String>,
    /// True if it acts on a world that the caller lends.
    #[serde(default)]
    pub world: bool,
    /// Actions, conditions, queries, decorators and composites of its own, sorted by name; a list for each in files.
    #[serde(flatten, with = "by_kind")]
    #[schemars(flatten, with = "by_kind::Lists")]
    pub methods: Vec<MethodEntry>,
    /// Properties of its own, sorted by name.
    #[serde(default)]
    pub properties: Vec<PropertyEntry>,
    /// Events of its own, sorted by name.
    #[serde(default)]
    pub events: Vec<EventEntry>,
    /// The place of its own `#[fallback]`, if it has one: then unknown actions are not a build error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Place>,
}

/// The attribute that registered a method.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum MethodKind {
    /// `#[action]`
    Action,
    /// `#[condition]`
    Condition,
    /// `#[query]`
    Query,
    /// `#[decorator]`
    Decorator,
    /// `#[composite]`
    Composite,
}

impl MethodKind {
    /// The word for it in messages.
    pub fn word(self) -> &'static str {
        match self {
            MethodKind::Action => "action",
            MethodKind::Condition => "condition",
            MethodKind::Query => "query",
            MethodKind::Decorator => "decorator",
            MethodKind::Composite => "composite",
        }
    }
}

/// The meaning of a method's return type for a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReturnKind {
    /// `bool`: done at once.
    Bool,
    /// `()`: done at once, success.
    Unit,
    /// `Option<bool>`: `None` is started and not finished.
    Async,
    /// `Status`: `Running` is called again next poll.
    Status,
    /// `Next`: what a decorator answers.
    Next,
    /// `NextChild`: what a composite answers.
    NextChild,
    /// Any other type: what a query answers.
    Value,
}

/// An action, a condition, a query, a decorator or a composite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MethodEntry {
    /// Name, docs, and where the method is.
    #[serde(flatten)]
    pub item: ItemEntry,
    /// The attribute that registered it.
    pub kind: MethodKind,
    /// The text of the doc comment's `# Returns` section, on one line.
    #[serde(default)]
    pub returns: String,
    /// The meaning of the return type.
    pub result: ReturnKind,
    /// The type of a query's answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<TypeEntry>,
    /// True if the return type is a `Result`, whose `Err` is a failure with a reason.
    #[serde(default, skip_serializing_if = "is_false")]
    pub fallible: bool,
    /// True if it can stay running: [`ReturnKind::Async`] and [`ReturnKind::Status`].
    #[serde(default, rename = "async", skip_serializing_if = "is_false")]
    pub is_async: bool,
    /// True if it has no receiver.
    #[serde(default, rename = "static", skip_serializing_if = "is_false")]
    pub is_static: bool,
    /// True if it takes the world.
    #[serde(default, skip_serializing_if = "is_false")]
    pub world: bool,
    /// True if it takes its arguments alone: no agent, no world and no context.
    #[serde(default, skip_serializing_if = "is_false")]
    pub args_only: bool,
    /// True if it replaces the base agent's method of that name, `#[action(override)]`.
    #[serde(default, rename = "override", skip_serializing_if = "is_false")]
    pub is_override: bool,
    /// The Rust name of the clean-up method, `#[action(exit = "…")]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<String>,
    /// The arguments that this takes, by their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exit_args: Vec<String>,
    /// The Rust name of the method that restores a pending call, `#[action(resume = "…")]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume: Option<String>,
    /// True if it is called in every turn, too: `#[composite(running)]`, `#[decorator(running)]`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub running: bool,
    /// Of a composite the fewest children of a node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child_min: Option<u32>,
    /// Of a composite the most; none where there is no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child_max: Option<u32>,
    /// The arguments in order.
    pub args: Vec<ValueEntry>,
}

impl MethodEntry {
    /// A method without arguments.
    pub fn new(item: ItemEntry, kind: MethodKind, result: ReturnKind) -> MethodEntry {
        MethodEntry {
            item,
            kind,
            returns: String::new(),
            result,
            answer: None,
            fallible: false,
            is_async: matches!(result, ReturnKind::Async | ReturnKind::Status),
            is_static: false,
            world: false,
            args_only: false,
            is_override: false,
            exit: None,
            exit_args: Vec::new(),
            resume: None,
            running: false,
            child_min: None,
            child_max: None,
            args: Vec::new(),
        }
    }

    /// Returns true if trees can evaluate it as a condition: it is one, or a query that answers with a bool.
    pub fn is_condition(&self) -> bool {
        match self.kind {
            MethodKind::Condition => true,
            MethodKind::Query => self.result == ReturnKind::Bool,
            MethodKind::Action | MethodKind::Decorator | MethodKind::Composite => false,
        }
    }

    /// Returns true if a leaf of a tree can call it: it is an action or a condition.
    pub fn is_leaf(&self) -> bool {
        self.kind == MethodKind::Action || self.is_condition()
    }

    /// Returns true if an expression can call it: it is a condition or a query.
    pub fn has_answer(&self) -> bool {
        match self.kind {
            MethodKind::Condition | MethodKind::Query => true,
            MethodKind::Action | MethodKind::Decorator | MethodKind::Composite => false,
        }
    }

    /// Returns true if a guard that aborts evaluates it once every poll: it looks at the agent or at the
    /// world. Any other condition or query is evaluated again when a key changes that it reads.
    pub fn is_polled(&self) -> bool {
        !self.is_static || self.world
    }
}

/// The way in which an argument is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InOut {
    /// `&mut T`: taken from a blackboard key and written back.
    InOut,
    /// `#[arg(out)] &mut T`: written to a blackboard key, which may be unset before.
    Out,
}

/// The type of a value and what narrows it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TypeEntry {
    /// The name of the type for people: `bool`, `int32` … `uint64`, `float`, `double`, `string`, `any_value`,
    /// `array<T>`, `optional<T>`, `map<T>`, or the name of an enum or a struct.
    #[serde(rename = "type")]
    pub type_name: String,
    /// True if the signature takes it by `&` reference (`&str`, `&[T]`, `&T`).
    #[serde(default, skip_serializing_if = "is_false")]
    pub by_ref: bool,
    /// JSON Schema 2020-12, with the comment as `description` and the bounds in it; refers to the
    /// catalogue's `$defs`.
    pub schema: Value,
    /// The value where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// True if it may be left out: it is an `Option` or it has a default.
    #[serde(default, skip_serializing_if = "is_false")]
    pub optional: bool,
    /// The unit of measure, such as `m/s`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The smallest value allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<Value>,
    /// The largest value allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<Value>,
    /// The step by which an editor changes it; not enforced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Value>,
    /// The only values allowed: `choices = […]`, or an enum's variants without fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<Value>>,
    /// Set when the call writes it to a blackboard key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_out: Option<InOut>,
}

/// An argument of a method, or a parameter of an event.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ValueEntry {
    /// The name.
    pub name: String,
    /// Its purpose, on one line.
    #[serde(default)]
    pub comment: String,
    /// Its type.
    #[serde(flatten)]
    pub ty: TypeEntry,
    /// The name for people, in any language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
    /// Names that old trees may still use for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alias: Vec<String>,
    /// True if it should not be given any more.
    #[serde(default, skip_serializing_if = "is_false")]
    pub deprecated: bool,
}

/// A property: a value readable, and perhaps writable, by name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PropertyEntry {
    /// Name, docs, and where the property is.
    #[serde(flatten)]
    pub item: ItemEntry,
    /// Its type.
    #[serde(flatten)]
    pub ty: TypeEntry,
    /// True if it can only be read.
    #[serde(default, skip_serializing_if = "is_false")]
    pub read_only: bool,
    /// True if it replaces the base agent's property of that name.
    #[serde(default, rename = "override", skip_serializing_if = "is_false")]
    pub is_override: bool,
    /// True if it needs no agent: an associated constant, or accessors without a receiver.
    #[serde(default, rename = "static", skip_serializing_if = "is_false")]
    pub is_static: bool,
}

/// An event and its parameters.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventEntry {
    /// Name, docs, and where the event is.
    #[serde(flatten)]
    pub item: ItemEntry,
    /// The parameters in order.
    pub params: Vec<ValueEntry>,
}

/// A node kind that trees are made of.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[doc(hidden)]
pub struct NodeKindEntry {
    /// The name in files, such as `probility`.
    pub name: String,
    /// The node's behaviour, on one line.
    pub brief: String,
    /// `root`, `composite`, `decorator` or `leaf`.
    pub group: String,
    /// The fewest children.
    pub child_min: u32,
    /// The most children; none where there is no limit.
    #[serde(default)]
    pub child_max: Option<u32>,
    /// The bounds `[child_min, child_max]` that the original editor is given; none where it does
    /// not know the kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<[u32; 2]>,
    /// JSON Schema of the node's `extra` object; refers to the catalogue's `$defs`.
    pub params: Value,
}

/// Methods in files: a list for each kind.
mod by_kind {
    use schemars::JsonSchema;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{MethodEntry, MethodKind};

    #[derive(Default, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Lists {
        /// The actions of its own, sorted by name.
        #[serde(default)]
        actions: Vec<MethodEntry>,
        /// The conditions of its own, sorted by name.
        #[serde(default)]
        conditions: Vec<MethodEntry>,
        /// The queries of its own, sorted by name.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        queries: Vec<MethodEntry>,
        /// The decorators of its own, sorted by name.
        #[serde(default)]
        decorators: Vec<MethodEntry>,
        /// The composites of its own, sorted by name.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        composites: Vec<MethodEntry>,
    }

    pub(super) fn serialize<S: Serializer>(
        methods: &[MethodEntry],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let of = |kind| methods.iter().filter(move |method| method.kind == kind);
        let lists = Lists {
            actions: of(MethodKind::Action).cloned().collect(),
            conditions: of(MethodKind::Condition).cloned().collect(),
            queries: of(MethodKind::Query).cloned().collect(),
            decorators: of(MethodKind::Decorator).cloned().collect(),
            composites: of(MethodKind::Composite).cloned().collect(),
        };
        lists.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<MethodEntry>, D::Error> {
        let Lists {
            actions,
            conditions,
            queries,
            decorators,
            composites,
        } = Lists::deserialize(deserializer)?;
        let mut methods = [actions, conditions, queries, decorators, composites].concat();
        methods.sort_by(|a, b| a.item.name.cmp(&b.item.name));
        Ok(methods)
    }
}

fn is_false(value: &bool) -> bool {
    !value
}
