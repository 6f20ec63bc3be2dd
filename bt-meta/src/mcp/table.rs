//! The tools: what each is called, takes and does.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::answer::{Code, Refused, Reply};
use super::shared::Shared;
use super::tools::{agents, check, diff, edit, find, live, play, test, trees};

/// A tool.
pub(super) struct Entry {
    pub(super) name: &'static str,
    about: &'static str,
    pub(super) effect: Effect,
    schema: fn() -> JsonObject,
    run: fn(&Shared, Map<String, Value>) -> Reply,
}

/// The things that a tool may change, and what it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing.
    Reads,
    /// Files of the folder.
    Writes,
    /// Nothing; it looks into a game.
    Looks,
    /// A game.
    Controls,
}

/// A line is a tool's effect, name, function and arguments, below its description for clients.
macro_rules! tools {
    ($($(#[doc = $about:literal])+ $effect:ident $name:literal $run:path, $args:path;)+) => {
        /// All tools, in the order in which they are listed.
        pub(super) const TOOLS: &[Entry] = &[$(Entry {
            name: $name,
            about: concat!($($about),+),
            effect: Effect::$effect,
            schema: schema::<$args>,
            run: |shared, arguments| $run(shared, read::<$args>($name, arguments)?),
        }),+];
    };
}

tools! {
    /// Lists the agents that trees can be for, with how much each has.
    Reads "agents" agents::agents, agents::ListAgents;
    /// Lists what trees of an agent can call and read: actions, conditions, properties, events, with types, bounds,
    /// choices and docs. `kinds` lists the node kinds instead.
    Reads "agent" agents::agent, agents::ShowAgent;
    /// Lists the trees with their agents, sizes and problems, and the scenarios.
    Reads "trees" trees::trees, trees::ListTrees;
    /// Reads a tree as a script, an outline or JSON, with its problems and the `revision` that `edit` asks for.
    /// `[5]` behind a line is the number of its node.
    Reads "tree" trees::tree, trees::ShowTree;
    /// Changes a tree by `edits` of nodes or a whole `script`, makes a new one, or gives things other names in all trees
    /// by `rename`. It is checked first: what is not valid is not written. Answers with the diff.
    Writes "edit" edit::edit, edit::EditTree;
    /// Lists the problems of one tree or of all.
    Reads "validate" check::validate, check::Validate;
    /// Shows fixes that are certain: new names, missing parents, the order of arguments. `write` makes them.
    Writes "fix" check::fix, check::Fix;
    /// Compares the trees with what they were at a git revision, node by node; or the agents with an older catalogue.
    Reads "diff" diff::diff, diff::Diff;
    /// Finds a text in all trees, or the uses of a tree, an action, a key, an event or a property.
    Reads "find" find::find, find::Find;
    /// Plays a tree without its game, with given answers to its calls. Says what was called, what is active at the end,
    /// and why the agent waits.
    Reads "play" play::play, play::Play;
    /// Plays the scenarios, which are tests of trees; with `edits` or a `script` as if these were written. Of each failure: what was
    /// expected, what happened, and why; then the nodes to suspect, each with its cause and the values that it can have.
    Reads "test" test::test, test::Test;
    /// Lists the agents of the attached game, and how each stands.
    Looks "live_agents" live::agents, live::LiveAgents;
    /// Explains why an agent of the game waits.
    Looks "live_explain" live::explain, live::LiveExplain;
    /// Follows an agent of the game for a moment, and lists what it does.
    Looks "live_trace" live::trace, live::LiveTrace;
    /// Writes keys or properties of an agent of the game.
    Controls "live_set" live::set, live::LiveSet;
    /// Fires an event at an agent of the game.
    Controls "live_fire" live::fire, live::LiveFire;
    /// Stops an agent of the game at the next place where it can, or lets a stopped one continue as far as is said.
    Controls "live_step" live::step, live::LiveStep;
    /// Gives trees of the folder to the running game, if nothing is wrong with them.
    Controls "live_reload" live::reload, live::LiveReload;
}

impl Entry {
    /// For clients.
    pub(super) fn tool(&self) -> Tool {
        let hints = ToolAnnotations::new();
        let hints = match self.effect {
            Effect::Reads => hints.read_only(true).open_world(false),
            Effect::Looks => hints.read_only(true).open_world(true),
            Effect::Writes => hints.read_only(false).open_world(false),
            Effect::Controls => hints.read_only(false).open_world(true),
        };
        let tool = Tool::new(self.name, self.about.trim(), Arc::new((self.schema)()));
        tool.with_annotations(hints)
    }

    /// Does it.
    pub(super) fn run(&self, shared: &Shared, arguments: Map<String, Value>) -> Reply {
        (self.run)(shared, arguments)
    }
}

/// The schema of a tool's arguments, without references.
fn schema<A: JsonSchema>() -> JsonObject {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let schema = settings.into_generator().into_root_schema_for::<A>();
    let Value::Object(mut schema) = slim(schema.to_value()) else {
        return Map::new();
    };
    for key in ["title", "description"] {
        schema.remove(key);
    }
    schema
        .entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    schema
}

/// A schema without what a client can do without: all tools together are read before the first call.
fn slim(schema: Value) -> Value {
    let map = match schema {
        Value::Object(map) => map,
        Value::Array(items) => return items.into_iter().map(slim).collect(),
        other => return other,
    };
    if let Some([one, Value::Object(null)]) = map
        .get("anyOf")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        && null.get("type").is_some_and(|ty| ty == "null")
    {
        let mut one = slim(one.clone());
        if let (Some(about), Some(one)) = (map.get("description"), one.as_object_mut()) {
            one.insert("description".to_owned(), about.clone());
        }
        return one;
    }
    let is_empty = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(true) | Value::Number(_) | Value::String(_) => false,
    };
    let kept = map.into_iter().filter(|(key, value)| match key.as_str() {
        "format" => !value.is_string(),
        "minimum" => value.as_f64() != Some(0.0),
        "default" => !is_empty(value),
        _ => true,
    });
    let slimmed = kept.map(|(key, value)| match (key.as_str(), value) {
        ("type", Value::Array(types)) => {
            let one = types.into_iter().find(|ty| *ty != "null");
            (key, one.unwrap_or_default())
        }
        (_, value) => (key, slim(value)),
    });
    Value::Object(slimmed.collect())
}

/// Reads a tool's arguments.
fn read<A: DeserializeOwned>(tool: &str, arguments: Map<String, Value>) -> Result<A, Refused> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| {
        Refused::new(
            Code::Arguments,
            format!("`{tool}`: {error}"),
            "give the arguments that the tool's schema has",
        )
    })
}
