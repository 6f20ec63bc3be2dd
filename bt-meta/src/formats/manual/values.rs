//! Arguments, parameters and properties: type, default, and what narrows them.

use serde_json::Value;

use super::comment::{as_markdown, code, link, plain};
use super::links::Marks;
use super::parts::Table;
use crate::catalogue::{InOut, TypeEntry, ValueEntry};

/// A table of arguments or parameters.
pub(super) fn table(values: &[ValueEntry], marks: &Marks) -> Table {
    Table {
        head: &["Name", "Type", "Default", "Allowed", "What it is"],
        rows: values.iter().map(|value| row(value, marks)).collect(),
    }
}

fn row(value: &ValueEntry, marks: &Marks) -> Vec<String> {
    let mut name = code(&value.name);
    if let Some(display) = &value.display {
        name += &format!(" {}", plain(display));
    }
    let mut comment = as_markdown(&value.comment);
    if value.deprecated {
        comment = format!("**Deprecated.** {comment}");
    }
    if !value.alias.is_empty() {
        comment += &format!(" Formerly {}.", list(&value.alias));
    }
    vec![
        name,
        type_of(&value.ty, marks),
        default_of(&value.ty),
        allowed(&value.ty),
        comment.trim().to_owned(),
    ]
}

/// The type's name, and where it is described.
pub(super) fn type_of(ty: &TypeEntry, marks: &Marks) -> String {
    let way = match ty.in_out {
        Some(InOut::Out) => "out ",
        Some(InOut::InOut) => "in-out ",
        None => "",
    };
    format!("{way}{}", type_link(&ty.type_name, marks))
}

/// `array<Point>`, with a link to `Point`.
pub(super) fn type_link(name: &str, marks: &Marks) -> String {
    let inner = name.rsplit('<').next().unwrap_or(name);
    let inner = inner.trim_end_matches('>').trim();
    link(name, marks.types.get(inner))
}

pub(super) fn default_of(ty: &TypeEntry) -> String {
    match &ty.default {
        Some(default) => code(&default.to_string()),
        None if ty.optional => "none".to_owned(),
        None => String::new(),
    }
}

/// Bounds, step, unit, choices.
pub(super) fn allowed(ty: &TypeEntry) -> String {
    let mut parts = Vec::new();
    let unit = ty.unit.as_ref();
    let unit = unit.map_or_else(String::new, |unit| format!(" {}", plain(unit)));
    let shown = |value: &Value| format!("{value}{unit}");
    let range = match (&ty.min, &ty.max) {
        (Some(min), Some(max)) => Some(format!("{min} to {}", shown(max))),
        (Some(min), None) => Some(format!("{} at least", shown(min))),
        (None, Some(max)) => Some(format!("{} at most", shown(max))),
        (None, None) if !unit.is_empty() => Some(format!("in{unit}")),
        (None, None) => None,
    };
    parts.extend(range);
    parts.extend(ty.step.as_ref().map(|step| format!("by {step}")));
    if let Some(choices) = &ty.choices {
        let choices = choices.iter().map(|choice| code(&choice.to_string()));
        parts.push(choices.collect::<Vec<_>>().join(", "));
    }
    parts.join("; ")
}

/// `` `a`, `b` ``
pub(super) fn list(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| code(name)).collect();
    names.join(", ")
}
