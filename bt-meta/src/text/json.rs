//! A JSON text with the place of every value.

use std::ops::Range;

pub use bt_core::tree::asset::scan::Kind;
use bt_core::tree::asset::scan::{Event, events};
use serde::de::IgnoredAny;
use serde_json::Value;

/// A value of a text, by its number; numbers go up with the places in the text.
pub type Id = usize;

/// A value of a text.
#[derive(Debug)]
pub struct Part {
    /// Its kind.
    pub kind: Kind,
    /// Its bytes.
    pub span: Range<usize>,
    /// The bytes of its key, with the quotation marks.
    pub key: Option<Range<usize>>,
    /// The values directly inside, in their order.
    pub children: Vec<Id>,
    /// The value around it.
    pub parent: Option<Id>,
}

/// A JSON text, read.
#[derive(Debug)]
pub struct Json<'t> {
    /// The text.
    pub text: &'t str,
    parts: Vec<Part>,
}

impl<'t> Json<'t> {
    /// Reads a text, perhaps after a byte order mark; none if it is no JSON.
    pub fn read(text: &'t str) -> Option<Json<'t>> {
        let json = text.strip_prefix('\u{feff}').unwrap_or(text);
        serde_json::from_str::<IgnoredAny>(json).ok()?;
        Some(Json::of(text))
    }

    /// Takes apart a text that is known to be JSON, such as that of a tree. Of any other text the parts mean nothing.
    pub fn of(text: &'t str) -> Json<'t> {
        let json = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mark = text.len() - json.len();
        let moved = |at: Range<usize>| mark + at.start..mark + at.end;
        let mut parts: Vec<Part> = Vec::new();
        let mut inside: Vec<Id> = Vec::new();
        events(json, |event| match event {
            Event::Begins { kind, at, key } => {
                let (id, parent) = (parts.len(), inside.last().copied());
                parts.push(Part {
                    kind,
                    span: moved(at),
                    key: key.map(moved),
                    children: Vec::new(),
                    parent,
                });
                if let Some(parent) = parent {
                    parts[parent].children.push(id);
                }
                if kind != Kind::Scalar {
                    inside.push(id);
                }
            }
            Event::Ends(at) => {
                if let Some(id) = inside.pop() {
                    parts[id].span.end = mark + at;
                }
            }
        });
        Json { text, parts }
    }

    /// The outermost value.
    pub fn root(&self) -> Id {
        0
    }

    /// A value.
    pub fn part(&self, id: Id) -> &Part {
        &self.parts[id]
    }

    /// A value as it is written.
    pub fn raw(&self, id: Id) -> &'t str {
        &self.text[self.parts[id].span.clone()]
    }

    /// A value's key; none of an item and of the outermost value.
    pub fn key(&self, id: Id) -> Option<String> {
        let key = &self.text[self.parts[id].key.clone()?];
        serde_json::from_str(key).ok()
    }

    /// The value of a key.
    pub fn get(&self, object: Id, key: &str) -> Option<Id> {
        let children = self.parts[object].children.iter().copied();
        let plain = |id: &Id| {
            let at = self.parts[*id].key.clone()?;
            let inner = &self.text[at.start + 1..at.end - 1];
            match inner.contains('\\') {
                false => Some(inner == key),
                true => Some(self.key(*id)? == key),
            }
        };
        children.into_iter().find(|id| plain(id) == Some(true))
    }

    /// The value inside of another that a part of a JSON pointer names.
    pub fn step(&self, from: Id, step: &str) -> Option<Id> {
        match self.parts[from].kind {
            Kind::Object => self.get(from, step),
            Kind::Array => {
                let at: usize = step.parse().ok()?;
                self.parts[from].children.get(at).copied()
            }
            Kind::Scalar => None,
        }
    }

    /// The value of a JSON pointer.
    pub fn find(&self, from: Id, pointer: &str) -> Option<Id> {
        let mut at = from;
        for step in steps(pointer)? {
            at = self.step(at, &step)?;
        }
        Some(at)
    }

    /// The JSON pointer of a value.
    pub fn pointer(&self, id: Id) -> String {
        let mut steps = Vec::new();
        let mut at = id;
        while let Some(parent) = self.parts[at].parent {
            steps.push(match self.key(at) {
                Some(key) => bt_core::tree::asset::step(&key),
                None => {
                    let children = &self.parts[parent].children;
                    children.binary_search(&at).unwrap_or_default().to_string()
                }
            });
            at = parent;
        }
        steps.iter().rev().fold(String::new(), |mut all, step| {
            all.push('/');
            all.push_str(step);
            all
        })
    }

    /// The content of a value.
    pub fn value(&self, id: Id) -> Value {
        serde_json::from_str(self.raw(id)).unwrap_or_default()
    }

    /// All values, each before those inside of it.
    pub fn all(&self) -> impl Iterator<Item = (Id, &Part)> {
        self.parts.iter().enumerate()
    }
}

/// The parts of a JSON pointer; none if it is none.
pub fn steps(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    let rest = pointer.strip_prefix('/')?;
    let step = |step: &str| step.replace("~1", "/").replace("~0", "~");
    Some(rest.split('/').map(step).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_found_by_its_pointer() {
        let text = "\u{feff}{\"a\": [1, {\"b/c\": \"x\\\"]\", \"~\": []}], \"\\u00e9\": null}";
        let json = Json::read(text).unwrap();
        let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap();
        for (id, _) in json.all() {
            let pointer = json.pointer(id);
            assert_eq!(json.find(0, &pointer), Some(id), "{pointer}");
            assert_eq!(value.pointer(&pointer), Some(&json.value(id)), "{pointer}");
        }
        assert_eq!(
            json.find(0, "/a/1/b~1c").map(|id| json.raw(id)),
            Some("\"x\\\"]\"")
        );
        assert_eq!(json.find(0, "/a/7"), None);
        assert_eq!(json.find(0, "a"), None);
    }

    #[test]
    fn a_text_that_is_no_json_is_refused_without_a_panic() {
        for text in [
            "",
            "]}",
            "{\"",
            "\"\\",
            "[\"a\\",
            "{1:2}",
            "[1",
            "{\"a\" 1}",
            "1 2",
        ] {
            assert!(Json::read(text).is_none(), "{text}");
        }
    }
}
