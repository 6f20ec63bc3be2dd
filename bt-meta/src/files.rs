//! All files of one export, as text, before anything touches the disk.

use std::path::{Path, PathBuf};

use bt_core::expression::builtin_names;
use serde::Serialize;
use serde_json::Value;

use crate::catalogue::{AgentEntry, Catalogue, MethodKind, SCHEMA_VERSION};
pub use crate::contradictions::refuse_problems;
use crate::door::Place;
use crate::error::{Error, count};
use crate::layout::actions::Writing;
use crate::layout::hierarchy::agent_hierarchy;
use crate::layout::node_types::node_types;
use crate::layout::{Agents, Editor, Layout, Options};

/// One file: its name in the output directory, its text, and what is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The name, such as `action_types.json`.
    pub name: &'static str,
    /// The whole text.
    pub text: String,
    /// The content in words: `3 agents, 40 actions`.
    pub counts: String,
}

/// Every file of an export, and what the user should know about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// The files, sorted by name.
    pub files: Vec<File>,
    /// Warnings about things that will be missed.
    pub warnings: Vec<String>,
}

impl Files {
    /// One file and no warnings.
    pub(crate) fn one(name: &'static str, text: String, counts: String) -> Files {
        let file = File { name, text, counts };
        Files {
            files: vec![file],
            warnings: Vec::new(),
        }
    }
}

/// Makes the text of every file.
///
/// # Errors
/// A finding for everything that contradicts itself: [`Catalogue::problems`], bases that are not
/// there, arguments with one name, agents that cannot share a flat list; a failure for an agent that
/// is not there.
pub fn render(catalogue: &Catalogue, options: &Options) -> Result<Files, Error> {
    let agents = Agents::new(catalogue)?;
    let selected: Vec<&AgentEntry> = match &options.agent {
        Some(wanted) => vec![agents.find(wanted)?],
        None => agents.all().collect(),
    };
    let writing = Writing {
        agents: &agents,
        defs: &catalogue.defs,
        type_names: options.type_names,
        briefs: options.briefs,
    };
    let actions = match options.layout {
        Layout::ByAgent => writing.by_agent(&selected)?,
        Layout::Flat => writing.flat(&selected)?,
    };
    let kinds = node_types(&catalogue.node_kinds, &catalogue.defs, options.editor);
    let kinds_count = kinds.as_object().map_or(0, serde_json::Map::len);
    let files = vec![
        File {
            name: "action_types.json",
            counts: action_counts(&actions, selected.len(), options.layout),
            text: text(&actions)?,
        },
        File {
            name: "agent_hierarchy.json",
            counts: count(selected.len(), "agent"),
            text: text(&agent_hierarchy(&agents, &selected))?,
        },
        File {
            name: "agents.json",
            counts: catalogue_counts(catalogue),
            text: text(catalogue)?,
        },
        File {
            name: "agents.schema.json",
            counts: format!("for schema version {SCHEMA_VERSION}"),
            text: text(&schemars::schema_for!(Catalogue))?,
        },
        File {
            name: "node_types.json",
            counts: count(kinds_count, "node kind"),
            text: text(&kinds)?,
        },
    ];
    Ok(Files {
        files,
        warnings: warnings(catalogue, &agents, &selected, options.editor),
    })
}

/// Returns true if a file of that name is what an export writes, and no tree.
#[doc(hidden)]
pub fn is_export(name: &str) -> bool {
    let exported = [
        "agents.json",
        "agents.schema.json",
        "trees.schema.json",
        "action_types.json",
        "agent_hierarchy.json",
        "node_types.json",
    ];
    exported.contains(&name)
}

/// The `agents.json` in a folder of trees or beside it.
#[doc(hidden)]
pub fn exported_near(folder: &Path) -> Option<PathBuf> {
    let beside = folder.parent().unwrap_or(folder);
    let places = [
        Place::new(folder, "agents.json"),
        Place::new(beside, "agents.json"),
        Place::new(beside, "editor/agents.json"),
    ];
    let found = places.into_iter().find(|place| place.look().is_ok());
    found.map(|place| place.path())
}

/// Sorted keys, two spaces, line feeds, a line feed at the end.
pub(crate) fn text(value: &impl Serialize) -> Result<String, Error> {
    let cannot = |error| Error::failure(format!("cannot write as JSON: {error}"));
    let mut value = serde_json::to_value(value).map_err(cannot)?;
    // Keys are sorted anyhow, unless some crate of the program turns on `preserve_order`.
    value.sort_all_objects();
    let mut text = serde_json::to_string_pretty(&value).map_err(cannot)?;
    text.push('\n');
    Ok(text)
}

fn warnings(
    catalogue: &Catalogue,
    agents: &Agents<'_>,
    selected: &[&AgentEntry],
    editor: Editor,
) -> Vec<String> {
    let mut warnings = Vec::new();
    for place in &catalogue.unnamed_generics {
        let what = if place.what.is_empty() {
            "a generic agent"
        } else {
            &place.what
        };
        warnings.push(format!(
            "{what} ({} {}:{}) is exported for no type: name each concrete one once with `register_agent!(…)`",
            place.package, place.file, place.line,
        ));
    }
    for agent in selected {
        let hidden = agent.methods.iter().filter(|method| {
            method.has_answer() && builtin_names().any(|name| name == method.item.name)
        });
        warnings.extend(hidden.map(|method| {
            let item = &method.item;
            let name = &item.name;
            format!(
                "{} `{name}` of agent `{}` ({} {}:{}) has the name of a built-in function of expressions, so \
                 no expression can call it; give it another by `name = \"…\"`",
                method.kind.word(),
                agents.key(agent),
                item.package,
                item.file,
                item.line,
            )
        }));
        let leaves = agents.leaves(agent);
        let missing = match leaves.get("nop") {
            None => "has no `nop`",
            Some(nop) if !nop.method.args.is_empty() => "has a `nop` that takes arguments",
            Some(_) => continue,
        };
        warnings.push(format!(
            "agent `{}` ({} {}:{}) {missing}: the original editor cannot insert an action then; {}",
            agents.key(agent),
            agent.item.package,
            agent.item.file,
            agent.item.line,
            "drop `no_base`, or give it `#[action] fn nop(&self) {}`",
        ));
    }
    if catalogue.node_kinds.is_empty() && editor == Editor::Full {
        warnings.push("the catalogue lists no node kinds; `node_types.json` is empty".to_owned());
    }
    warnings
}

fn action_counts(actions: &Value, agents: usize, layout: Layout) -> String {
    let entries: Vec<&Value> = match (layout, actions.as_object()) {
        (_, None) => Vec::new(),
        (Layout::Flat, Some(map)) => map.values().collect(),
        (Layout::ByAgent, Some(map)) => map
            .values()
            .filter_map(Value::as_object)
            .flat_map(|map| map.values())
            .collect(),
    };
    let conditions = entries
        .iter()
        .filter(|entry| entry["kind"] == "condition")
        .count();
    format!(
        "{}, {}, {}",
        count(agents, "agent"),
        count(entries.len() - conditions, "action"),
        count(conditions, "condition"),
    )
}

fn catalogue_counts(catalogue: &Catalogue) -> String {
    let methods = |kind| {
        let all = catalogue.agents.iter().flat_map(|agent| &agent.methods);
        all.filter(|method| method.kind == kind).count()
    };
    let sum = |of: fn(&AgentEntry) -> usize| catalogue.agents.iter().map(of).sum();
    let of_kind = |kind: MethodKind| (methods(kind), kind.word());
    [
        (catalogue.agents.len(), "agent"),
        of_kind(MethodKind::Action),
        of_kind(MethodKind::Condition),
        of_kind(MethodKind::Query),
        of_kind(MethodKind::Decorator),
        of_kind(MethodKind::Composite),
        (sum(|agent| agent.properties.len()), "property"),
        (sum(|agent| agent.events.len()), "event"),
    ]
    .into_iter()
    .filter(|(number, what)| *number > 0 || !["query", "decorator", "composite"].contains(what))
    .map(|(number, what)| count(number, what))
    .collect::<Vec<_>>()
    .join(", ")
}
