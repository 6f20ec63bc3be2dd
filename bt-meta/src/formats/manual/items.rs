//! The common parts of any item: its title, its text, its versions, its place.

use super::comment::{as_markdown, code, plain};
use super::values::list;
use crate::catalogue::{ItemEntry, MethodEntry, MethodKind, ReturnKind};

/// The name, and the one for people.
pub(super) fn titled(name: &str, item: &ItemEntry) -> String {
    let display = item.display.as_ref();
    let display = display.map_or_else(String::new, |display| format!(" {}", plain(display)));
    format!("{}{display}", code(name))
}

pub(super) fn text(item: &ItemEntry) -> String {
    let text = match item.docs.is_empty() {
        true => &item.brief,
        false => &item.docs,
    };
    as_markdown(text)
}

/// Adds the common facts of an item.
pub(super) fn common(item: &ItemEntry, facts: &mut Vec<(&'static str, String)>) {
    if let Some(why) = &item.deprecated {
        let since = match why.since.as_str() {
            "" => "yes".to_owned(),
            since => format!("since {}", code(since)),
        };
        let note = match why.note.as_str() {
            "" => String::new(),
            note => format!(": {}", as_markdown(note)),
        };
        facts.push(("Deprecated", format!("{since}{note}")));
    }
    if !item.alias.is_empty() {
        facts.push(("Formerly", list(&item.alias)));
    }
    if let Some(since) = &item.since {
        facts.push(("Since", code(since)));
    }
    let place = format!("{} {}:{}", item.package, item.file, item.line);
    facts.push(("Defined in", code(&place)));
}

/// The times at which a guard that aborts evaluates a condition.
pub(super) fn followed(method: &MethodEntry) -> Option<&'static str> {
    method.has_answer().then(|| match method.is_polled() {
        true => "those that abort evaluate it every poll",
        false => "those that abort evaluate it when a key changes that it reads",
    })
}

pub(super) fn ends(method: &MethodEntry) -> &'static str {
    match (method.result, method.fallible) {
        _ if method.kind == MethodKind::Decorator => "says whether and how to run its child",
        _ if method.kind == MethodKind::Composite => "says which of its children runs",
        (ReturnKind::Async, _) => "may stay running, until it is completed",
        (ReturnKind::Status, _) => "may stay running, and is called again every poll",
        (ReturnKind::Unit, false) => "at once, always with success",
        (ReturnKind::Unit, true) => "at once",
        (ReturnKind::Value, _) => "at once; expressions call it for its answer",
        (ReturnKind::Bool | ReturnKind::Next | ReturnKind::NextChild, _) => {
            "at once, with success or failure"
        }
    }
}
