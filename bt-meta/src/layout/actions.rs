//! `action_types.json`: the actions and conditions that an editor offers.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::agents::Callable;
use super::briefs::{full_brief, full_comment, told_apart};
use super::schema::standing_alone;
use super::type_names::type_name;
use super::{Agents, Briefs, TypeNames};
use crate::catalogue::{AgentEntry, ItemEntry, JsonMap, MethodKind, ValueEntry};
use crate::error::Error;

/// One action as the editor's file has it.
type Entry = Map<String, Value>;

/// The spelling of actions, whatever the layout.
#[derive(Debug, Clone, Copy)]
pub struct Writing<'a> {
    /// The agents of the catalogue.
    pub agents: &'a Agents<'a>,
    /// The definitions that schemas refer to.
    pub defs: &'a JsonMap,
    /// The spelling of types.
    pub type_names: TypeNames,
    /// The descriptions of actions.
    pub briefs: Briefs,
}

impl<'a> Writing<'a> {
    /// One map of actions for each agent, inherited ones written out in each.
    ///
    /// # Errors
    /// A finding for every action with two arguments of one name.
    pub fn by_agent(&self, selected: &[&'a AgentEntry]) -> Result<Value, Error> {
        let mut outer = Map::new();
        let mut findings = BTreeSet::new();
        for agent in selected {
            let leaves = self.agents.leaves(agent);
            findings.extend(leaves.values().flat_map(repeated_arguments));
            let entries = leaves.values().map(|leaf| (leaf.name(), self.entry(leaf)));
            let key = self.agents.key(agent).to_owned();
            outer.insert(key, with_briefs(entries.collect()));
        }
        or_findings(Value::Object(outer), findings)
    }

    /// One map of actions for all agents together.
    ///
    /// # Errors
    /// A finding for every name to which two agents give different meanings, and for every action
    /// with two arguments of one name.
    pub fn flat(&self, selected: &[&'a AgentEntry]) -> Result<Value, Error> {
        let plain = Writing {
            briefs: Briefs::Plain,
            ..*self
        };
        let mut meanings: BTreeMap<&str, Vec<(Entry, Vec<&AgentEntry>)>> = BTreeMap::new();
        let mut findings = BTreeSet::new();
        for agent in selected {
            for leaf in self.agents.leaves(agent).into_values() {
                findings.extend(repeated_arguments(&leaf));
                let entry = plain.entry(&leaf);
                let known = meanings.entry(leaf.name()).or_default();
                match known
                    .iter_mut()
                    .find(|(other, _)| same_meaning(other, &entry))
                {
                    Some((_, agents)) => agents.push(agent),
                    None => known.push((entry, vec![agent])),
                }
            }
        }
        for (name, known) in &meanings {
            if known.len() > 1 {
                let each = known.iter().map(|(_, agents)| {
                    let names: Vec<_> = agents.iter().map(|agent| self.agents.key(agent)).collect();
                    format!("in {}", names.join(", "))
                });
                findings.insert(format!(
                    "`{name}` does not mean the same in every agent, so a flat list cannot have it:\n  {}\n  \
                     export one agent (`--agent NAME`) or by agent (`--layout by-agent`)",
                    each.collect::<Vec<_>>().join("\n  "),
                ));
            }
        }
        let entries = meanings
            .into_iter()
            .filter_map(|(name, mut known)| Some((name, known.pop()?.0)));
        or_findings(with_briefs(entries.collect()), findings)
    }

    fn entry(&self, leaf: &Callable<'_>) -> Entry {
        let method = leaf.method;
        let args: Vec<Value> = method.args.iter().map(|arg| self.argument(arg)).collect();
        let mut entry = Map::new();
        let mut set = |key: &str, value: Value| entry.insert(key.to_owned(), value);
        set("name", json!(method.item.name));
        let brief = match self.briefs {
            Briefs::Full => full_brief(&method.item),
            Briefs::Plain => method.item.brief.clone(),
        };
        set("brief", json!(brief));
        set("return", json!(method.returns));
        set("args", json!(args));
        let kind = match method.is_condition() {
            true => MethodKind::Condition,
            false => MethodKind::Action,
        };
        set("kind", json!(kind));
        set("from", json!(self.agents.key(leaf.from)));
        if method.is_async {
            set("async", json!(true));
        }
        if method.is_static {
            set("static", json!(true));
        }
        item_keys(&method.item, &mut entry);
        entry
    }

    fn argument(&self, arg: &ValueEntry) -> Value {
        let ty = &arg.ty;
        let type_name = type_name(ty, self.type_names);
        let comment = match self.briefs {
            Briefs::Full => full_comment(arg, &type_name),
            Briefs::Plain => arg.comment.clone(),
        };
        let mut entry = json!({
            "name": arg.name,
            "type": type_name,
            "comment": comment,
            "schema": standing_alone(&ty.schema, self.defs),
        });
        let optional = ty.optional.then_some(Value::Bool(true));
        let keys = [
            ("default", ty.default.clone()),
            ("optional", optional),
            ("unit", ty.unit.as_ref().map(|unit| json!(unit))),
            ("min", ty.min.clone()),
            ("max", ty.max.clone()),
            ("step", ty.step.clone()),
            ("choices", ty.choices.as_ref().map(|all| json!(all))),
            ("in_out", ty.in_out.map(|in_out| json!(in_out))),
        ];
        for (key, value) in keys {
            if let Some(value) = value {
                entry[key] = value;
            }
        }
        entry
    }
}

impl<'a> Callable<'a> {
    fn name(&self) -> &'a str {
        &self.method.item.name
    }
}

/// The keys that only our own tools read.
fn item_keys(item: &ItemEntry, entry: &mut Entry) {
    let keys = [
        ("category", item.category.as_ref().map(|text| json!(text))),
        ("display", item.display.as_ref().map(|text| json!(text))),
        ("since", item.since.as_ref().map(|text| json!(text))),
        ("deprecated", item.deprecated.as_ref().map(|why| json!(why))),
        ("alias", (!item.alias.is_empty()).then(|| json!(item.alias))),
        ("meta", (!item.meta.is_empty()).then(|| json!(item.meta))),
    ];
    let present = keys
        .into_iter()
        .filter_map(|(key, value)| Some((key.to_owned(), value?)));
    entry.extend(present);
}

/// Returns true if two actions mean the same, wherever they come from.
fn same_meaning(a: &Entry, b: &Entry) -> bool {
    let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    keys.into_iter()
        .all(|key| key == "from" || a.get(key) == b.get(key))
}

/// The entries with briefs that the editor's picker can tell apart.
fn with_briefs(mut entries: BTreeMap<&str, Entry>) -> Value {
    let mut briefs: BTreeMap<&str, String> = entries
        .iter()
        .map(|(name, entry)| {
            (
                *name,
                entry["brief"].as_str().unwrap_or_default().to_owned(),
            )
        })
        .collect();
    told_apart(&mut briefs);
    for (name, brief) in briefs {
        if let Some(entry) = entries.get_mut(name) {
            entry.insert("brief".to_owned(), Value::String(brief));
        }
    }
    let entries = entries
        .into_iter()
        .map(|(name, entry)| (name.to_owned(), Value::Object(entry)));
    Value::Object(entries.collect())
}

fn repeated_arguments(leaf: &Callable<'_>) -> Option<String> {
    let mut seen = BTreeSet::new();
    let twice = leaf
        .method
        .args
        .iter()
        .find(|arg| !seen.insert(&arg.name))?;
    let item = &leaf.method.item;
    Some(format!(
        "`{}` ({} {}:{}) has two arguments named `{}`; rename one with `#[arg(name = \"…\")]`",
        item.name, item.package, item.file, item.line, twice.name,
    ))
}

fn or_findings(value: Value, findings: BTreeSet<String>) -> Result<Value, Error> {
    if findings.is_empty() {
        Ok(value)
    } else {
        Err(Error::findings(findings.into_iter().collect()))
    }
}
