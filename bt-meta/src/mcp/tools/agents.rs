//! `agents`, `agent`: what trees can call.

use bt_core::kinds::node_kinds;
use bt_core::registry::AgentInfo;
use bt_core::registry::catalogue::{InOut, ItemEntry, MethodEntry, TypeEntry, ValueEntry};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::answer::{Answer, Reply, cut};
use super::super::project::unknown;
use super::super::shared::Shared;

/// The longest doc that is shown.
const DOCS: usize = 300;

/// The arguments of `agents`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct ListAgents {
    /// True to collect them again: after the code, or the catalogue, has changed.
    #[serde(default)]
    refresh: bool,
    /// The `next` of the answer before.
    cursor: Option<String>,
}

pub(in super::super) fn agents(shared: &Shared, asked: ListAgents) -> Reply {
    if asked.refresh {
        shared.project.collect_again();
    }
    let cast = shared.project.cast()?;
    let agents = cast.registry().agents().map(|agent| {
        let bases: Vec<&str> = agent
            .lineage()
            .skip(1)
            .map(|base| base.full_name())
            .collect();
        let mut one = json!({
            "name": agent.full_name(),
            "callable": agent.actions().len(),
            "properties": agent.properties().len(),
            "events": agent.events().len(),
        });
        if !bases.is_empty() {
            one["bases"] = bases.into();
        }
        put(&mut one, "brief", &agent.entry().item.brief);
        one
    });
    Answer::default().page("agents", agents.collect(), asked.cursor.as_deref())
}

/// The arguments of `agent`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct ShowAgent {
    /// Its name.
    agent: String,
    /// Only entries whose name or brief has this text.
    filter: Option<String>,
    /// True to list the node kinds with their keys in place of the agent's entries.
    #[serde(default)]
    kinds: bool,
    /// True for whole docs.
    #[serde(default)]
    docs: bool,
    /// The `next` of the answer before.
    cursor: Option<String>,
}

pub(in super::super) fn agent(shared: &Shared, asked: ShowAgent) -> Reply {
    let cast = shared.project.cast()?;
    let registry = cast.registry();
    let names = || registry.agents().map(|agent| agent.full_name());
    let agent = registry.agent(&asked.agent);
    let agent = agent.map_err(|_| unknown("agent", &asked.agent, names()))?;
    let mut entries = match asked.kinds {
        true => kinds(),
        false => all(agent, asked.docs),
    };
    if let Some(filter) = &asked.filter {
        let filter = filter.to_lowercase();
        entries.retain(|entry| {
            let texts = [&entry["name"], &entry["brief"]];
            let mut texts = texts.into_iter().filter_map(Value::as_str);
            texts.any(|text| text.to_lowercase().contains(&filter))
        });
        // What has it in its name comes first.
        entries.sort_by_key(|entry| {
            let name = entry["name"].as_str().unwrap_or_default().to_lowercase();
            (name != filter, !name.contains(&filter))
        });
    }
    Answer::default().with("agent", agent.full_name()).page(
        "entries",
        entries,
        asked.cursor.as_deref(),
    )
}

fn all(agent: AgentInfo<'_>, docs: bool) -> Vec<Value> {
    let mut entries = Vec::new();
    for found in agent.actions() {
        entries.push(method(
            found.entry,
            own(agent, found.agent.full_name()),
            docs,
        ));
    }
    for found in agent.properties() {
        let mut entry = item("property", &found.item, docs);
        entry["value"] = value_type(&found.ty);
        if found.read_only {
            entry["read_only"] = true.into();
        }
        entries.push(entry);
    }
    for found in agent.events() {
        let mut entry = item("event", &found.item, docs);
        entry["params"] = found.params.iter().map(value).collect();
        entries.push(entry);
    }
    entries
}

/// The base that something comes from.
fn own<'n>(agent: AgentInfo<'_>, from: &'n str) -> Option<&'n str> {
    (agent.full_name() != from).then_some(from)
}

fn method(entry: &MethodEntry, from: Option<&str>, docs: bool) -> Value {
    let mut one = item(entry.kind.word(), &entry.item, docs);
    if !entry.args.is_empty() {
        one["args"] = entry.args.iter().map(value).collect();
    }
    put(&mut one, "returns", &entry.returns);
    if let Some(from) = from {
        one["from"] = from.into();
    }
    one
}

fn item(kind: &str, entry: &ItemEntry, docs: bool) -> Value {
    let mut one = json!({"kind": kind, "name": entry.name});
    put(&mut one, "brief", &entry.brief);
    if docs {
        one["defined"] = format!("{}/{}:{}", entry.package, entry.file, entry.line).into();
    }
    if entry.deprecated.is_some() {
        one["deprecated"] = true.into();
    }
    one
}

/// A parameter: its name, type, and which values it takes.
pub(in super::super) fn value(entry: &ValueEntry) -> Value {
    let mut one = value_type(&entry.ty);
    one["name"] = entry.name.as_str().into();
    put(&mut one, "comment", &entry.comment);
    one
}

fn value_type(ty: &TypeEntry) -> Value {
    let mut one = json!({"type": ty.type_name});
    let known = [
        ("unit", ty.unit.as_ref().map(|unit| unit.to_string().into())),
        ("min", ty.min.as_ref().map(|min| json!(min))),
        ("max", ty.max.as_ref().map(|max| json!(max))),
        ("default", ty.default.as_ref().map(|default| json!(default))),
        ("choices", ty.choices.as_ref().map(|choices| json!(choices))),
    ];
    if let Some(map) = one.as_object_mut() {
        let known = known.into_iter();
        map.extend(known.filter_map(|(key, value)| Some((key.to_owned(), value?))));
        if ty.optional {
            map.insert("optional".to_owned(), true.into());
        }
        match ty.in_out {
            Some(InOut::Out) => map.insert("writes".to_owned(), true.into()),
            Some(InOut::InOut) => map.insert("reads_and_writes".to_owned(), true.into()),
            None => None,
        };
    }
    one
}

fn kinds() -> Vec<Value> {
    let kinds = node_kinds().into_iter().map(|kind| {
        let keys = bt_core::registry::schema::fields(&kind.params);
        let keys: Map<String, Value> = keys
            .into_iter()
            .flatten()
            .map(|(key, schema)| (key.clone(), schema["description"].clone()))
            .collect();
        json!({"kind": "node", "name": kind.name, "brief": kind.brief, "keys": keys})
    });
    kinds.collect()
}

/// Puts a text, if it is not empty.
fn put(one: &mut Value, key: &str, text: &str) {
    if !text.is_empty() {
        one[key] = cut(text, DOCS).into();
    }
}
