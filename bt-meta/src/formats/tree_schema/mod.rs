//! `trees.schema.json`: a JSON Schema 2020-12 by which any editor completes and checks tree files.
//!
//! Which names there are depends on the agent that the root names, so there are two layers. The first
//! says what every tree is made of, node kind by node kind. The second is a schema for each agent, and
//! `if` the root names that agent, `then` all nodes are held to it as well: each name in a list that
//! says what it is, and each call's arguments behind an `if` of its name. So an editor reports the one
//! thing that is wrong, not of all alternatives that do not fit.
//!
//! A schema sees values, not what they point to: links between nodes, counts that depend on one
//! another, keys and other trees are for `bt-meta validate`.

mod agent;
mod args;
mod calls;
mod declared;
mod defs;
mod kinds;
mod names;

use bt_core::kinds::Kind;
use bt_core::registry::schema::{DECODER, branches, fixed, names};
use serde_json::{Map, Value, json};

use super::ids::Ids;
use crate::catalogue::{AgentEntry, Catalogue};
use crate::error::{Error, count};
use crate::files::{self, Files};
use crate::layout::Agents;
use crate::layout::schema::standing_alone;
use defs::Defs;
use names::Name;

const COMMENT: &str = "Written by `bt-meta export --format json-schema`. A schema cannot say: that a \
`parent` or a child is the `idx` of a node, that there is no cycle and no `idx` twice; that there are as \
many weights as children, and no threshold beyond them; what may stand below an `and`, and what a guard \
aborts; that a blackboard key or another tree is there, and of which type; that an argument written to \
a key has one of its own, and none is an argument without a name after one with a name. An event's name is completed and not refused, as a host may fire others: VS Code warns of it, as of keys \
that a node's kind does not have. Of \
values, only the usual spelling is known: an object written as an array of pairs, and a field or a variant \
with a value by an alias, are refused here alone. \
`bt-meta validate` says all of this.";

/// The file.
pub(super) fn file<'a>(
    catalogue: &'a Catalogue,
    agents: &Agents<'a>,
    selected: &[&'a AgentEntry],
) -> Result<Files, Error> {
    let schema = schema(catalogue, agents, selected);
    let counts = [
        count(selected.len(), "agent"),
        count(catalogue.node_kinds.len(), "node kind"),
    ];
    let text = files::text(&schema)?;
    Ok(Files::one("trees.schema.json", text, counts.join(", ")))
}

fn schema<'a>(catalogue: &'a Catalogue, agents: &Agents<'a>, selected: &[&'a AgentEntry]) -> Value {
    let mut defs = Defs {
        all: Map::new(),
        ids: Ids::beside(catalogue.defs.keys()),
        catalogue,
    };
    let node = kinds::node(&catalogue.node_kinds, &catalogue.defs, &mut defs);
    let node = defs.add("node", node);
    let mut calls = calls::Calls::default();
    let mut named = Vec::new();
    let mut by_agent = Vec::new();
    for entry in selected {
        let names = names_of(agents, entry);
        let of_agent = agent::Agent::new(agents, entry, &mut defs, &mut calls).node();
        let of_agent = defs.add(&format!("agent.{}", agents.key(entry)), of_agent);
        let words: Vec<&str> = names.iter().map(|name| name.name).collect();
        by_agent.push(json!({
            "if": {
                "properties": {"nodes": {"contains": root_of(&words)}},
                "required": ["nodes"],
            },
            "then": {"properties": {"nodes": {"items": of_agent}}},
        }));
        named.extend(names);
    }
    named.sort_by_key(|name| name.name);
    let agent_name = defs.add("agents", names::one_of(&named));
    let root = Kind::Root.name();
    let of_root = json!({"properties": {"extra": {"properties": {"agent_name": agent_name}}}});
    let of_root = kinds::when_kind(root, of_root);
    let document = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": COMMENT,
        "title": "Behaviour tree",
        "description": "A tree of nodes that an agent runs.",
        "type": "object",
        "properties": {
            "$schema": {"type": "string", "description": "where this schema is, for editors"},
            "name": {"type": "string", "description": "the tree's name"},
            "tree_type": {"type": "string"},
            "signature": {"type": "string"},
            "extra": {"type": "object"},
            "nodes": {
                "type": "array",
                "description": "the nodes in any order; `children` say which is below which",
                "items": {"allOf": [node, of_root]},
                "contains": {"properties": {"type": {"const": root}}, "required": ["type"]},
                "minContains": 1,
                "maxContains": 1,
            },
        },
        "required": ["nodes"],
        "allOf": by_agent,
        "$defs": defs.all,
    });
    let mut document = standing_alone(&document, &catalogue.defs);
    take_aliases(&mut document);
    document
}

/// Lets variants have their other names too, where the decoder was asked for them.
fn take_aliases(schema: &mut Value) {
    let more: Vec<String> = aliases(schema).map(str::to_owned).collect();
    match schema {
        Value::Array(items) => items.iter_mut().for_each(take_aliases),
        Value::Object(map) => {
            map.remove(DECODER);
            map.values_mut().for_each(take_aliases);
            let lists = ["enum", "oneOf"].map(|key| map.contains_key(key).then_some(key));
            let list = lists.into_iter().flatten().next();
            match list.and_then(|key| Some((key, map.get_mut(key)?.as_array_mut()?))) {
                Some(("enum", names)) => names.extend(more.into_iter().map(Value::from)),
                Some((_, branches)) if !more.is_empty() => {
                    let why = "another name of one of the variants";
                    branches.push(json!({"enum": more, "description": why}));
                }
                _ => {}
            }
        }
        _ => {}
    }
}

/// The names of variants that hold nothing and are not in the schema.
fn aliases(schema: &Value) -> impl Iterator<Item = &str> {
    let branches = branches(schema).unwrap_or_default();
    let is_plain = branches.iter().all(|branch| fixed(branch).is_some());
    let own = branches.iter().chain([schema]);
    let own: Vec<&Value> = own.filter_map(fixed).flatten().collect();
    let names = names(schema).filter(|_| is_plain && !own.is_empty());
    let names = names.unwrap_or_default().into_iter();
    names.filter(move |name| !own.iter().any(|one| *one == name))
}

/// The node on top of a tree for an agent of one of these names.
fn root_of(names: &[&str]) -> Value {
    json!({
        "properties": {
            "type": {"const": Kind::Root.name()},
            "extra": {"properties": {"agent_name": {"enum": names}}, "required": ["agent_name"]},
        },
        "required": ["type", "extra"],
    })
}

/// The names of an agent in a tree: its full name, its name and aliases where they are its alone.
fn names_of<'a>(agents: &Agents<'a>, agent: &'a AgentEntry) -> Vec<Name<'a>> {
    let key = agents.key(agent);
    let item = &agent.item;
    let mut words = vec![key, agent.full_name.as_str(), item.name.as_str()];
    words.extend(item.alias.iter().map(String::as_str));
    let mut names: Vec<Name<'a>> = Vec::new();
    for word in words {
        let leads_here = agents
            .find(word)
            .is_ok_and(|found| found.full_name == agent.full_name);
        if !leads_here || names.iter().any(|name| name.name == word) {
            continue;
        }
        let now = (word != key && word != agent.full_name).then_some(key);
        names.push(Name::of(word, item, now));
    }
    names
}
