//! Names that stand for something: a list that an editor offers, each with what it is.

use serde_json::{Value, json};

use super::super::members::{Item, Member};
use crate::catalogue::ItemEntry;

/// A name in a list.
#[derive(Debug, Clone)]
pub(super) struct Name<'a> {
    pub(super) name: &'a str,
    title: Option<&'a str>,
    description: String,
    /// The reason for which it is better not written.
    deprecated: Option<String>,
}

impl<'a> Name<'a> {
    /// Of an item; `now` is its name where this one is an alias.
    pub(super) fn of(name: &'a str, item: &'a ItemEntry, now: Option<&str>) -> Name<'a> {
        Name {
            name,
            title: item.display.as_deref(),
            description: description(item, now),
            deprecated: now.map(now_called).or_else(|| deprecated(item)),
        }
    }

    pub(super) fn plain(name: &'a str, description: &str) -> Name<'a> {
        Name {
            name,
            title: None,
            description: description.to_owned(),
            deprecated: None,
        }
    }
}

/// The names of members, sorted, old ones among them.
pub(super) fn of_members<'a, T: Item + 'a>(
    members: impl IntoIterator<Item = &'a Member<'a, T>>,
) -> Vec<Name<'a>> {
    let mut names = Vec::new();
    for member in members {
        let item = member.entry.item();
        names.push(Name::of(&item.name, item, None));
        let old = member.aliases.iter();
        names.extend(old.map(|alias| Name::of(alias, item, Some(&item.name))));
    }
    names.sort_by_key(|name| name.name);
    names
}

/// One of the names; of none, nothing is right. (`false` would say so as well, but editors do not all
/// follow a reference to it.)
pub(super) fn one_of(names: &[Name<'_>]) -> Value {
    if names.is_empty() {
        return json!({"not": {}, "description": "the agent has none"});
    }
    let each = names.iter().map(|name| {
        let mut entry = json!({"const": name.name});
        if let Some(title) = name.title {
            entry["title"] = json!(title);
        }
        if !name.description.is_empty() {
            entry["description"] = json!(name.description);
        }
        if let Some(why) = &name.deprecated {
            entry["deprecated"] = json!(true);
            entry["deprecationMessage"] = json!(why);
        }
        entry
    });
    json!({"oneOf": each.collect::<Vec<_>>()})
}

/// A schema of values that are valid and probably not meant. No validator refuses it; editors with VS Code's
/// engine, whose keyword it is, warn.
pub(super) fn doubted(why: &str) -> Value {
    json!({ "deprecationMessage": why })
}

/// Any text, where what is listed is not all that there may be.
pub(super) fn or_any(listed: &Value) -> Value {
    json!({"anyOf": [listed, {"type": "string", "minLength": 1}]})
}

fn description(item: &ItemEntry, now: Option<&str>) -> String {
    let brief = Some(item.brief.clone()).filter(|brief| !brief.is_empty());
    let parts = [now.map(now_called), brief, deprecated(item)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn now_called(now: &str) -> String {
    format!("Now called `{now}`.")
}

fn deprecated(item: &ItemEntry) -> Option<String> {
    let why = item.deprecated.as_ref()?;
    let since = match why.since.as_str() {
        "" => String::new(),
        since => format!(" since {since}"),
    };
    let note = match why.note.as_str() {
        "" => String::new(),
        note => format!(": {note}"),
    };
    Some(format!("Deprecated{since}{note}."))
}
