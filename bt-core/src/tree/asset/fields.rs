//! The keys of one node in a file, each of the form it must have.

use crate::tree::Code;
use serde_json::{Map, Value};

use super::keys::Keys;
use super::node::{AssetNode, NodeData, WHITE};
use super::problem::Problems;
use super::raw::Raw;
use crate::decode::shown;
use crate::text::suggest;

const WHOLE: &str = "a whole number from 0 to 4294967295";

/// A form that a value may have; one of another form is given back.
type Form<T> = fn(Value) -> Result<T, Value>;

fn whole(value: Value) -> Result<u32, Value> {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number.ok_or(value)
}

fn text(value: Value) -> Result<String, Value> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(other),
    }
}

fn flag(value: Value) -> Result<bool, Value> {
    value.as_bool().ok_or(value)
}

fn array(value: Value) -> Result<Vec<Value>, Value> {
    match value {
        Value::Array(items) => Ok(items),
        other => Err(other),
    }
}

fn object(value: Value) -> Result<Map<String, Value>, Value> {
    match value {
        Value::Object(map) => Ok(map),
        other => Err(other),
    }
}

/// Reads the node at a place of the file's list and adds it to the others.
pub(super) fn read(
    place: usize,
    item: Result<&mut Keys, Value>,
    raw: &mut Raw,
    problems: &mut Problems<'_>,
) {
    let (keys, other) = match item {
        Ok(keys) => (keys, None),
        Err(other) => (&mut Keys::default(), Some(other)),
    };
    let mut fields = Fields {
        problems,
        place,
        idx: None,
        keys,
    };
    if let Some(other) = other {
        fields.wrong(Within::Node, "a node, which is an object", &other);
        (raw.idx_unread, raw.child_unread) = (true, true);
        return;
    }
    // First of all, so that the other problems can name the node.
    fields.idx = fields.required("idx", WHOLE, whole);
    let kind = fields.required("type", "text", text);
    let listed = fields.required("children", "an array of `idx`", array);
    let mut all_children = listed.is_some();
    let listed = listed.unwrap_or_default();
    let mut children = Vec::with_capacity(listed.len());
    for (i, child) in listed.into_iter().enumerate() {
        match fields.form(Within::Child(i), child, WHOLE, whole) {
            Some(child) => children.push(child),
            None => all_children = false,
        }
    }
    if !all_children {
        // They are known by their places in the list, which are no longer those of the file.
        children.clear();
    }
    let parent = fields.optional("parent", WHOLE, whole);
    let data = NodeData {
        kind: kind.unwrap_or_default(),
        comment: fields.optional("comment", "text", text).unwrap_or_default(),
        color: fields
            .optional(
                "color",
                "0xRRGGBBAA as a whole number from 0 to 4294967295",
                whole,
            )
            .unwrap_or(WHITE),
        is_collapsed: fields
            .optional("is_collapsed", "true or false", flag)
            .unwrap_or_default(),
        extra: fields
            .optional("extra", "an object", object)
            .unwrap_or_default(),
        others: std::mem::take(&mut fields.keys.others),
    };
    match fields.idx {
        Some(idx) => {
            raw.child_unread |= !all_children;
            raw.places.push(place);
            raw.nodes.push(AssetNode {
                idx,
                parent,
                children,
                data,
                in_script: None,
            });
        }
        None => (raw.idx_unread, raw.child_unread) = (true, true),
    }
}

/// The keys of a node that were not read yet.
struct Fields<'p, 'f> {
    problems: &'p mut Problems<'f>,
    place: usize,
    idx: Option<u32>,
    keys: &'p mut Keys,
}

/// The part of a node that holds a value.
#[derive(Clone, Copy)]
enum Within<'k> {
    Node,
    Key(&'k str),
    Child(usize),
}

impl Fields<'_, '_> {
    #[inline]
    fn required<T>(&mut self, key: &str, expected: &str, form: Form<T>) -> Option<T> {
        let Some(value) = self.keys.take(key) else {
            self.missing(key);
            return None;
        };
        self.form(Within::Key(key), value, expected, form)
    }

    #[inline]
    fn optional<T>(&mut self, key: &str, expected: &str, form: Form<T>) -> Option<T> {
        let value = self.keys.take(key)?;
        self.form(Within::Key(key), value, expected, form)
    }

    #[cold]
    fn missing(&mut self, key: &str) {
        // A key of megabytes is no slip of the pen, and costs as much to compare.
        let near = suggest(key, self.keys.names().filter(|name| name.len() < 64));
        let pointer = format!("/nodes/{}", self.place);
        self.problems.say(
            Code::MissingKey,
            || format!("the key `{key}` is missing"),
            |problem| {
                let near = near.trim_start_matches("; ");
                problem.of_node(self.idx).at(pointer).with_help(near)
            },
        );
    }

    #[inline]
    fn form<T>(
        &mut self,
        within: Within<'_>,
        value: Value,
        expected: &str,
        form: Form<T>,
    ) -> Option<T> {
        match form(value) {
            Ok(value) => Some(value),
            Err(other) => {
                self.wrong(within, expected, &other);
                None
            }
        }
    }

    #[cold]
    fn wrong(&mut self, within: Within<'_>, expected: &str, found: &Value) {
        let node = format!("/nodes/{}", self.place);
        let (key, pointer) = match within {
            Within::Node => ("", node),
            Within::Key(key) => (key, format!("{node}/{key}")),
            Within::Child(nth) => ("children", format!("{node}/children/{nth}")),
        };
        let what = match key {
            "" => String::new(),
            key => format!("`{key}`: "),
        };
        self.problems.say(
            Code::WrongForm,
            || format!("{what}expected {expected}, found {}", shown(found)),
            |problem| problem.of_node(self.idx).at(pointer),
        );
    }
}
