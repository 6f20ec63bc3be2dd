//! JSON to the nodes of a tree, and everything that is wrong with it.

use crate::tree::{Code, is_script};
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::json::Json;
use super::keys::{Item, Keys};
use super::position::{Walk, without_mark};
use super::problem::{AssetError, Problem, Problems};
use super::raw::Raw;
use super::scan::scan;
use super::{MAX_BYTES, MAX_NODES, TreeAsset, fields, script, structure};
use crate::decode::shown;
use crate::text::{self, suggest};

pub(super) fn from_slice(file: &str, bytes: &[u8]) -> Result<TreeAsset, AssetError> {
    match std::str::from_utf8(bytes) {
        Ok(text) if is_script(file) => script::from_text(file, text),
        Ok(text) => from_json(file, text),
        Err(error) => {
            let end = error.valid_up_to();
            let valid = std::str::from_utf8(&bytes[..end]).unwrap_or_default();
            let valid = without_mark(valid);
            let problem = Problem::new(
                Code::NotUtf8,
                file,
                format!("byte {:#04x} is not UTF-8", bytes[end]),
            )
            .in_text(Walk::of(valid).to(valid.len()))
            .with_help("save the file as UTF-8");
            Err(problem.into())
        }
    }
}

pub(super) fn from_json(file: &str, text: &str) -> Result<TreeAsset, AssetError> {
    let text = without_mark(text);
    if text.len() > MAX_BYTES {
        let message = format!("is larger than {MAX_BYTES} bytes");
        return Err(Problem::new(Code::TooLarge, file, message).into());
    }
    let mut reader = Reader {
        problems: Problems::of(file),
        keys: Map::new(),
        raw: Raw::default(),
        has_nodes: false,
        repeated: false,
        room: (text.len() / NODE_BYTES).min(MOST_ROOM),
    };
    let mut json = serde_json::Deserializer::from_str(text);
    let read = json.deserialize_map(Tree(&mut reader));
    if let Err(error) = read.and_then(|()| json.end()) {
        return Err(refused(file, text, &error));
    }
    if reader.repeated {
        reader.repeated_keys(text);
    }
    let Reader {
        mut problems,
        keys,
        raw,
        has_nodes,
        ..
    } = reader;
    if !has_nodes {
        // A key of megabytes is no slip of the pen, and costs as much to compare.
        let near = keys.keys().map(String::as_str).filter(|key| key.len() < 64);
        let near = suggest("nodes", near);
        let message = || "the key `nodes` is missing".to_owned();
        problems.say(Code::MissingKey, message, |problem| {
            problem.with_help(near.trim_start_matches("; "))
        });
        return Err(problems.in_json(text));
    }
    match structure::link(raw, &mut problems) {
        Some(nodes) if problems.is_empty() => {
            let tree = TreeAsset::of(file, keys, nodes);
            match tree.over_limit() {
                None => Ok(tree),
                Some(problem) => Err(problems.with(problem).in_json(text)),
            }
        }
        _ => Err(problems.in_json(text)),
    }
}

/// A text that is no JSON, or JSON of another shape.
fn refused(file: &str, text: &str, error: &serde_json::Error) -> AssetError {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let place = format!(" at line {line} column {column}");
    let message = message.strip_suffix(&place).unwrap_or(&message);
    // Its columns are bytes: of a syntax error up to the byte in question, of a value that is not
    // what it should be up to the byte before.
    let column = column.saturating_sub(usize::from(!error.is_data()));
    let lines = text.split_inclusive('\n').take(line.saturating_sub(1));
    let start: usize = lines.map(str::len).sum();
    let begin = text.trim_start();
    let offset = match begin.starts_with('{') {
        true => (start + column).min(text.len()),
        false => text.len() - begin.len(),
    };
    let position = Walk::of(text).to(text.floor_char_boundary(offset));
    let (message, help) = words(text, message, error.is_eof());
    Problem::new(Code::NotJson, file, message)
        .in_text(position)
        .with_help(help)
        .into()
}

/// The fault of a text that is no tree, and the remedy, in place of what the parser of JSON says.
fn words(written: &str, said: &str, is_cut: bool) -> (String, &'static str) {
    let message = match written.trim_start().chars().next() {
        None => {
            let help = "a tree is a JSON object, `{\"nodes\": […]}`, or a script in a file whose name ends in `.bt`";
            return ("the file is empty".to_owned(), help);
        }
        Some('{') => said,
        Some(first) => {
            let help = match first {
                '<' => "XML, as other engines have it, is not read",
                '[' => "the list of nodes is the value of the key `nodes`: `{\"nodes\": […]}`",
                _ => "a script stands in a file whose name ends in `.bt`; YAML is not read",
            };
            let message = format!(
                "expected `{{`, with which a tree begins, found `{}`",
                text::name(&first.to_string())
            );
            return (message, help);
        }
    };
    match message {
        _ if is_cut => (
            "the text ends before the tree does".to_owned(),
            "close what is open: a text by `\"`, a list by `]`, an object by `}`",
        ),
        "expected ident" | "expected value" => (
            "expected a value".to_owned(),
            "a value is a number, a text in `\"`, `true`, `false`, `null`, a list or an object",
        ),
        "trailing characters" => (
            "expected the end of the file".to_owned(),
            "a file holds one tree",
        ),
        other => (other.to_owned(), ""),
    }
}

/// The approximate number of bytes of a node in a file.
const NODE_BYTES: usize = 256;

/// For how many nodes there is room before they are read, at most.
const MOST_ROOM: usize = 1_024;

/// The number of bytes of a JSON pointer that a problem holds.
const MAX_POINTER: usize = 1_000;

struct Reader<'f> {
    problems: Problems<'f>,
    keys: Map<String, Value>,
    raw: Raw,
    has_nodes: bool,
    /// A key may stand twice in some object.
    repeated: bool,
    /// For how many nodes there is room before they are read.
    room: usize,
}

impl Reader<'_> {
    fn key(&mut self, key: String, value: Value) {
        let (right, expected) = match key.as_str() {
            "name" | "tree_type" | "signature" => (value.is_string(), "text"),
            "extra" => (value.is_object(), "an object"),
            _ => (true, ""),
        };
        if !right {
            let message = || format!("`{key}`: expected {expected}, found {}", shown(&value));
            let at = |problem: Problem| problem.at(format!("/{key}"));
            self.problems.say(Code::WrongForm, message, at);
        }
        self.repeated |= self.keys.insert(key, value).is_some();
    }

    /// The keys that stand twice in one object: one of their values would be lost.
    fn repeated_keys(&mut self, text: &str) {
        let Reader { raw, problems, .. } = self;
        scan(text, |found| {
            if !found.repeated {
                return;
            }
            let message = || {
                let key = found.pointer.rsplit('/').next().unwrap_or_default();
                let key = &key[..key.floor_char_boundary(100)];
                let key = key.replace("~1", "/").replace("~0", "~");
                format!("the key {} is given twice", shown(&Value::String(key)))
            };
            problems.say(Code::RepeatedKey, message, |problem| {
                // A key of megabytes is not held by each problem below it.
                let mut pointer = found.pointer;
                while pointer.len() > MAX_POINTER {
                    pointer = pointer.rsplit_once('/').unwrap_or_default().0;
                }
                problem.of_node(raw.idx_at(pointer)).at(pointer)
            });
        });
    }
}

/// The whole file. Read node by node, so that a million nodes are never there as one JSON value.
struct Tree<'r, 'f>(&'r mut Reader<'f>);

impl<'de> Visitor<'de> for Tree<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a tree, which is an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "nodes" {
                // The first ones of a list that is given twice: that is a problem of its own.
                self.0.raw = Raw::default();
                self.0.raw.nodes.reserve(self.0.room);
                self.0.raw.places.reserve(self.0.room);
                self.0.repeated |= self.0.has_nodes;
                self.0.has_nodes = true;
                map.next_value_seed(Nodes(self.0))?;
            } else {
                let value = map.next_value_seed(Json(&mut self.0.repeated))?;
                self.0.key(key, value);
            }
        }
        Ok(())
    }
}

struct Nodes<'r, 'f>(&'r mut Reader<'f>);

impl<'de> DeserializeSeed<'de> for Nodes<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Nodes<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`nodes` to be an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Reader {
            raw,
            problems,
            repeated,
            ..
        } = self.0;
        let (mut place, mut keys) = (0, Keys::default());
        while let Some(item) = items.next_element_seed(Item(&mut keys, repeated))? {
            if place == MAX_NODES {
                return Err(A::Error::custom(format!("more than {MAX_NODES} nodes")));
            }
            fields::read(place, item.map(|()| &mut keys), raw, problems);
            place += 1;
        }
        Ok(())
    }
}
