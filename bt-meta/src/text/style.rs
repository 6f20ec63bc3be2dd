//! The layout of a file, and new values written like it.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::json::{Id, Json, Kind};

/// The layout of a file.
#[derive(Debug)]
pub struct Style {
    /// The indentation of one level; empty if the whole file is one line.
    unit: String,
    newline: &'static str,
    colon: String,
    comma: String,
    /// True if the first value under a key, or the first item of an array under it, is on lines of its own.
    on_lines: HashMap<String, bool>,
}

/// A new value.
#[derive(Debug, Clone, PartialEq)]
pub enum New {
    /// As it is to be written.
    Raw(String),
    /// An object with its keys in this order.
    Object(Vec<(String, New)>),
    /// An array.
    Array(Vec<New>),
}

impl From<&Value> for New {
    fn from(value: &Value) -> New {
        match value {
            Value::Object(map) => {
                let entries = map.iter();
                New::Object(
                    entries
                        .map(|(key, value)| (key.clone(), value.into()))
                        .collect(),
                )
            }
            Value::Array(items) => New::Array(items.iter().map(New::from).collect()),
            other => New::Raw(other.to_string()),
        }
    }
}

impl New {
    fn is_empty(&self) -> bool {
        match self {
            New::Raw(_) => true,
            New::Object(entries) => entries.is_empty(),
            New::Array(items) => items.is_empty(),
        }
    }
}

/// A text as JSON has it.
pub fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

impl Style {
    /// Of a file.
    pub fn of(json: &Json<'_>) -> Style {
        let text = json.text;
        let mut style = Style {
            unit: String::new(),
            newline: if text.contains("\r\n") { "\r\n" } else { "\n" },
            colon: ": ".to_owned(),
            comma: ", ".to_owned(),
            on_lines: HashMap::new(),
        };
        let root = json.part(json.root());
        if let Some(first) = root.children.first() {
            let lead = lead(json, json.root(), *first);
            style.unit = indent_of(lead).unwrap_or_default().to_owned();
        }
        // The most frequent one; of two that are as frequent the first.
        let mut colons: Vec<(&str, usize)> = Vec::new();
        for (_, part) in json.all() {
            let Some(key) = &part.key else { continue };
            let colon = &text[key.end..part.span.start];
            match colons.iter_mut().find(|(known, _)| *known == colon) {
                Some((_, times)) => *times += 1,
                None => colons.push((colon, 1)),
            }
        }
        if let Some((colon, _)) = colons.iter().rev().max_by_key(|(_, times)| *times) {
            style.colon = (*colon).to_owned();
        }
        if !style.colon.ends_with(' ') {
            style.comma = ",".to_owned();
        }
        let mut seen = HashSet::new();
        for (id, part) in json.all() {
            let Some(first) = part.children.first() else {
                continue;
            };
            // The key as it is written, and in how many arrays of its value it is, say the same as a hint.
            let Some((key, items)) = named(json, id) else {
                continue;
            };
            let key = json.part(key).key.clone().map(|at| &text[at]);
            if seen.insert((key, items))
                && let Some(hint) = hint(json, id)
            {
                let lead = lead(json, id, *first);
                style.on_lines.entry(hint).or_insert(lead.contains('\n'));
            }
        }
        style
    }

    /// Returns true if a new value under a hint is laid out on lines.
    fn is_on_lines(&self, hint: &str) -> bool {
        let known = self.on_lines.get(hint).copied();
        known.unwrap_or(!self.unit.is_empty())
    }

    /// The text between a key and its value.
    pub fn colon(&self) -> &str {
        &self.colon
    }

    /// The text between the items of a line.
    pub fn comma(&self) -> &str {
        &self.comma
    }

    /// The text before the first of new items in an empty container that begins in a line with that indent,
    /// and the text after the last; none if they are on its line.
    pub fn around(&self, hint: &str, indent: &str) -> Option<(String, String)> {
        let inner = format!("{}{indent}{}", self.newline, self.unit);
        let lines = self.is_on_lines(hint);
        lines.then(|| (inner, format!("{}{indent}", self.newline)))
    }

    /// A new value as it is written under a hint: on lines with this indent, or on one line.
    pub fn write(&self, value: &New, hint: &str, indent: Option<&str>, into: &mut String) {
        let (open, close) = match value {
            New::Raw(raw) => return into.push_str(raw),
            New::Object(_) => ('{', '}'),
            New::Array(_) => ('[', ']'),
        };
        into.push(open);
        let indent = indent.filter(|_| !value.is_empty() && self.is_on_lines(hint));
        let around = indent.and_then(|indent| self.around(hint, indent));
        let inner = indent.map(|indent| format!("{indent}{}", self.unit));
        let begin = |first: bool, into: &mut String| match &around {
            Some((lead, _)) => {
                into.push_str(if first { "" } else { "," });
                into.push_str(lead);
            }
            None => into.push_str(if first { "" } else { &self.comma }),
        };
        match value {
            New::Raw(_) => {}
            New::Object(entries) => {
                for (at, (key, value)) in entries.iter().enumerate() {
                    begin(at == 0, into);
                    into.push_str(&quoted(key));
                    into.push_str(&self.colon);
                    self.write(value, key, inner.as_deref(), into);
                }
            }
            New::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    begin(at == 0, into);
                    self.write(item, &of_items(hint), inner.as_deref(), into);
                }
            }
        }
        if let Some((_, tail)) = &around {
            into.push_str(tail);
        }
        into.push(close);
    }
}

/// The hint for the layout of an array's items.
pub fn of_items(hint: &str) -> String {
    format!("{hint}[]")
}

/// The hint for the layout of a value: its key, or that of the array around it.
pub fn hint(json: &Json<'_>, id: Id) -> Option<String> {
    let (key, items) = named(json, id)?;
    let hint = json.key(key)?;
    Some((0..items).fold(hint, |hint, _| of_items(&hint)))
}

/// The value with a key that another is, or is inside of as an item; and in how many arrays.
fn named(json: &Json<'_>, id: Id) -> Option<(Id, usize)> {
    let (mut at, mut items) = (id, 0);
    while json.part(at).key.is_none() {
        at = json.part(at).parent?;
        items += 1;
    }
    Some((at, items))
}

/// The blank before the first of what is inside.
pub fn lead<'t>(json: &Json<'t>, container: Id, first: Id) -> &'t str {
    let part = json.part(container);
    debug_assert!(part.kind != Kind::Scalar);
    &json.text[part.span.start + 1..start(json, first)]
}

/// The start of an entry: its key, or itself.
pub fn start(json: &Json<'_>, id: Id) -> usize {
    let part = json.part(id);
    part.key.as_ref().unwrap_or(&part.span).start
}

/// The indent after the last end of a line in a blank; none if there is no end of a line.
pub fn indent_of(blank: &str) -> Option<&str> {
    let at = blank.rfind('\n')?;
    let line = &blank[at + 1..];
    Some(&line[..line.len() - line.trim_start_matches([' ', '\t']).len()])
}

/// The indent of the line in which a byte is.
pub fn indent_at(text: &str, byte: usize) -> &str {
    let line = text[..byte].rsplit('\n').next().unwrap_or_default();
    let line = line.trim_start_matches('\u{feff}');
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
