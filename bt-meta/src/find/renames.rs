//! Other names for things, and other texts, in a tree's file.

use std::collections::BTreeSet;

use bt_core::expression::{Named, renamed};
use bt_core::registry::AgentInfo;
use bt_core::{Registry, TreeAsset};

use super::{Known, Thing, mentions_of, node_of, shown};
use crate::lint::in_braces;
use crate::mentions::{Mention, Part, ThingKind};
use crate::text::edits::Edits;
use crate::text::json::{Id, Json};
use crate::text::splices::{Splice, apply};
use crate::text::style::{New, Style, quoted};

/// The changes of a file.
#[derive(Debug, Default)]
pub struct Changes {
    /// The changes of its text.
    pub splices: Vec<Splice>,
    /// The nodes that change.
    pub nodes: BTreeSet<u32>,
}

/// The replacement of a value or of its key.
#[derive(Debug)]
pub enum Other {
    /// Of the value: as JSON.
    Value(String),
    /// Of its key.
    Key(String),
}

/// The sign with which an expression names a thing.
fn named(kind: ThingKind) -> Named {
    match kind {
        ThingKind::Key => Named::Key,
        ThingKind::Property => Named::Property,
        ThingKind::Action
        | ThingKind::Condition
        | ThingKind::Decorator
        | ThingKind::Composite
        | ThingKind::Agent
        | ThingKind::Event
        | ThingKind::Tree => Named::Method,
    }
}

/// The reason why trees alone cannot give something another name: code has it, and does not know the new
/// one.
pub fn only_in_code(registry: &Registry, of: &Thing, to: &str) -> Option<String> {
    let (word, attribute) = match of.kind {
        ThingKind::Action => ("action", "action"),
        ThingKind::Condition => ("condition", "condition"),
        ThingKind::Decorator => ("decorator", "decorator"),
        ThingKind::Composite => ("composite", "composite"),
        ThingKind::Event => ("event", "event"),
        ThingKind::Property => ("property", "property"),
        ThingKind::Agent => ("agent", "agent"),
        ThingKind::Tree | ThingKind::Key => return None,
    };
    let knows = |agent: &AgentInfo<'_>, name: &str| match of.kind {
        ThingKind::Event => agent.event(name).is_ok(),
        ThingKind::Property => agent.property(name).is_ok(),
        ThingKind::Agent => agent.full_name() == name || agent.name() == name,
        ThingKind::Action
        | ThingKind::Condition
        | ThingKind::Decorator
        | ThingKind::Composite
        | ThingKind::Tree
        | ThingKind::Key => agent.action(name).is_ok(),
    };
    let wanted = |agent: &AgentInfo<'_>| {
        let of = of.agent.as_deref();
        of.is_none_or(|of| agent.full_name() == of || agent.name() == of)
    };
    let mut agents = registry.agents().filter(wanted);
    let agent = agents.find(|agent| knows(agent, &of.name))?;
    if knows(&agent, to) {
        return None;
    }
    let place = match of.kind {
        ThingKind::Event | ThingKind::Property | ThingKind::Agent => None,
        ThingKind::Action
        | ThingKind::Condition
        | ThingKind::Decorator
        | ThingKind::Composite
        | ThingKind::Tree
        | ThingKind::Key => agent.action(&of.name).ok().map(|found| {
            let item = &found.item;
            format!(" ({}/{}:{})", item.package, item.file, item.line)
        }),
    };
    Some(format!(
        "{word} `{}` of `{}` has its name in code{}: rename it there and keep the old name as \
         `#[{attribute}(alias = \"{}\")]`; then each place in the trees has a quick fix. Here it can become the name of \
         another {word} that the agent has",
        of.name,
        agent.full_name(),
        place.unwrap_or_default(),
        of.name,
    ))
}

/// The changes that give a thing another name in a file; none if it does not mention it.
///
/// # Errors
/// If the file is a script, or would be no tree then.
pub fn renames(
    known: &Known<'_>,
    of: &Thing,
    path: &str,
    file: &str,
    text: &str,
    to: &dyn Fn(&str) -> String,
) -> Result<Option<Changes>, String> {
    let Ok(tree) = TreeAsset::from_slice(file, text.as_bytes()) else {
        return Ok(None);
    };
    let mentions = mentions_of(known, of, path, &tree);
    if mentions.is_empty() {
        return Ok(None);
    }
    let Some(json) = Json::read(text) else {
        return Err(format!(
            "`{path}` is an indented script, which is not renamed in: change it as text first"
        ));
    };
    let mut others = Vec::new();
    for mention in &mentions {
        if let Some(id) = json.find(json.root(), &mention.pointer) {
            others.push((id, other(path, &json, id, mention, to(&mention.name))?));
        }
    }
    changes(path, file, &json, others).map(Some)
}

/// The replacement of a mention by one of another name.
fn other(
    path: &str,
    json: &Json<'_>,
    id: Id,
    mention: &Mention,
    name: String,
) -> Result<Other, String> {
    Ok(match mention.part {
        Part::Key => Other::Key(name),
        Part::Whole => Other::Value(quoted(&name)),
        Part::InBraces if name.contains(['{', '}']) => {
            return Err(format!(
                "`{path}` has the key in a template, as `{{{}}}`: expected a new name without braces",
                mention.name
            ));
        }
        Part::Target => {
            let key = json.key(id).unwrap_or_default();
            let named = named(mention.kind);
            Other::Key(renamed(&key, named, &mention.name, &name))
        }
        Part::InExpression => {
            let text = shown(json, id);
            let text = renamed(&text, named(mention.kind), &mention.name, &name);
            Other::Value(quoted(&text))
        }
        Part::InBraces => {
            let text = renamed_in_braces(&shown(json, id), &mention.name, &name);
            Other::Value(quoted(&text))
        }
    })
}

/// A template with another name of a key.
fn renamed_in_braces(template: &str, from: &str, to: &str) -> String {
    let mut text = String::with_capacity(template.len());
    let mut done = 0;
    for (at, _) in in_braces(template).filter(|(_, name)| *name == from) {
        text.push_str(&template[done..at]);
        text.push_str(to);
        done = at + from.len();
    }
    text + &template[done..]
}

/// Replacements in a file, which is a tree afterwards if it was one.
///
/// # Errors
/// If it would be no tree then.
pub fn changes(
    path: &str,
    file: &str,
    json: &Json<'_>,
    others: Vec<(Id, Other)>,
) -> Result<Changes, String> {
    let style = Style::of(json);
    let mut edits = Edits::of(json, &style);
    let mut nodes = BTreeSet::new();
    for (id, other) in others {
        nodes.extend(node_of(json, &json.pointer(id)));
        match other {
            Other::Value(raw) => edits.replace(id, New::Raw(raw)),
            Other::Key(key) => edits.rename(id, &key),
        }
    }
    let splices = edits.splices();
    let after = apply(json.text, &splices);
    let was = TreeAsset::from_slice(file, json.text.as_bytes()).is_ok();
    if let (true, Err(error)) = (was, TreeAsset::from_slice(file, after.as_bytes())) {
        let problem = error.problems().first();
        let why = problem.map_or("", |problem| problem.message());
        return Err(format!(
            "`{path}` would be no tree then: {why}; nothing was changed"
        ));
    }
    Ok(Changes { splices, nodes })
}
