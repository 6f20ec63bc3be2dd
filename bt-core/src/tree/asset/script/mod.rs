//! The indented script of the second seed document: what its lines mean.
//!
//! A text and nested objects become the same list of entries, and the entries a tree. `words` says what a
//! line is, `places` where in the text the parts of the tree are.

mod attached;
mod lines;
mod literal;
mod nested;
mod number;
mod places;
mod quoted;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeMap;

use crate::kinds::call::{Argument, ArgumentType};
use crate::tree::Code;
use attached::Attached;
pub(super) use places::locate;
pub use places::patch;
use serde_json::Value;

use super::problem::{AssetError, Position, Problem, Problems};
use super::{MAX_BYTES, MAX_DEPTH, MAX_NODES, TreeAsset};

pub(super) fn from_text(file: &str, text: &str) -> Result<TreeAsset, AssetError> {
    if text.len() > MAX_BYTES {
        let message = format!("is larger than {MAX_BYTES} bytes");
        return Err(Problem::new(Code::TooLarge, file, message).into());
    }
    let mut problems = Problems::of(file);
    let entries = lines::entries(text, &mut problems);
    plant(entries, problems)
}

pub(super) fn from_value(file: &str, value: &Value) -> Result<TreeAsset, AssetError> {
    let mut problems = Problems::of(file);
    let entries = nested::entries(value, &mut problems);
    plant(entries, problems)
}

/// One node of a script, or what is attached to one, before what it means is known. They come in the
/// order of the lines.
struct Entry {
    /// How many nodes of the script it is below.
    depth: usize,
    /// What it attaches to the node above it; nothing of a node.
    attached: Option<Attached>,
    /// Empty where it could not be read.
    name: String,
    param: Option<Param>,
    comment: String,
    place: Place,
    at: At,
}

impl Entry {
    /// What its line gives, for people.
    fn found(&self) -> String {
        match &self.param {
            None => "nothing".to_owned(),
            Some(Param::One(value)) => crate::decode::shown(value),
            Some(Param::Several(_)) => "a tuple".to_owned(),
            Some(Param::Named(named)) if named.is_empty() => "{}".to_owned(),
            Some(Param::Named(_)) => "a dict".to_owned(),
            Some(Param::Source(ArgumentType::Property, _)) => "a property".to_owned(),
            Some(Param::Source(..)) => "a key".to_owned(),
        }
    }
}

/// Where in the text a line and its parts begin, in bytes.
#[derive(Default, Clone, Copy)]
struct At {
    line: usize,
    name: usize,
    /// What is behind the name.
    rest: usize,
}

/// A dict: its values by their keys, each with where in the rest of the line its key begins.
type Named = BTreeMap<String, (usize, Param)>;

/// What a line gives its node.
#[derive(Debug, Clone, PartialEq)]
enum Param {
    /// A tuple: its items, each with where in the rest of the line it begins.
    Several(Vec<(usize, Param)>),
    /// A dict.
    Named(Named),
    /// `$key` or `@property`.
    Source(ArgumentType, String),
    /// Anything else.
    One(Value),
}

impl From<Value> for Param {
    fn from(value: Value) -> Param {
        match value {
            Value::Object(map) => {
                let items = map.into_iter();
                Param::Named(
                    items
                        .map(|(key, item)| (key, (0, Param::One(item))))
                        .collect(),
                )
            }
            other => Param::One(other),
        }
    }
}

/// How many bytes of a line are its name: a letter or `_`, then letters, digits and `_`.
fn name_length(line: &str) -> usize {
    if !line.starts_with(|first: char| first.is_alphabetic() || first == '_') {
        return 0;
    }
    let end = line.find(|char: char| !char.is_alphanumeric() && char != '_');
    end.unwrap_or(line.len())
}

/// Where an entry was written.
enum Place {
    Text(Position),
    Json(String),
}

impl Place {
    fn of(&self, problem: Problem) -> Problem {
        match self {
            Place::Text(position) => problem.in_text(*position),
            Place::Json(pointer) => problem.at(pointer.clone()),
        }
    }
}

/// Whether one more entry is too many for a tree; if so, that is reported.
fn too_many(entries: usize, place: &Place, problems: &mut Problems<'_>) -> bool {
    // The root of the tree is no entry.
    let many = entries + 1 == MAX_NODES;
    if many {
        let message = || format!("more than {MAX_NODES} nodes");
        problems.say(Code::TooLarge, message, |problem| place.of(problem));
    }
    many
}

/// Whether an entry is too deep for a tree; if so, that is reported.
fn too_deep(depth: usize, place: &Place, problems: &mut Problems<'_>) -> bool {
    let deep = depth + 1 == MAX_DEPTH;
    if deep {
        let message = || format!("more than {MAX_DEPTH} nodes below one another");
        problems.say(Code::TooLarge, message, |problem| place.of(problem));
    }
    deep
}

fn plant(entries: Vec<Entry>, mut problems: Problems<'_>) -> Result<TreeAsset, AssetError> {
    let mut tree = TreeAsset::of_root(problems.file);
    // The last node of each depth: what a deeper entry is below.
    let mut above = vec![tree.root().idx()];
    let mut is_first = true;
    for (i, entry) in entries.iter().enumerate() {
        let mut wrong = |message: String, help: &str| {
            let place = |problem| entry.place.of(problem).with_help(help);
            problems.say(Code::BadScript, || message, place);
        };
        if let Some(attached) = i.checked_sub(1).and_then(|i| entries[i].attached.as_ref())
            && entry.depth > entries[i - 1].depth
        {
            let word = attached.word();
            wrong(
                format!("nothing stands below a {word}"),
                "indent it as that line is",
            );
            continue;
        }
        if let Some(attached) = &entry.attached {
            // Where something is wrong, nodes may be missing.
            let to = above.get(entry.depth).copied();
            let to = to.unwrap_or_else(|| tree.root().idx());
            if let Err(message) = attached.attach(entry, &mut tree, to) {
                wrong(message, "");
            }
            continue;
        }
        if !std::mem::take(&mut is_first) && entry.depth == 0 {
            wrong(
                "a second top node: a tree has one".to_owned(),
                "put both below a SEQUENCE, FALLBACK or PARALLEL",
            );
        }
        let data = match words::data(entry, has_children(&entries, i)) {
            Ok(data) => data,
            Err((message, help)) => {
                wrong(message, &help);
                continue;
            }
        };
        // Otherwise there will be no tree.
        if problems.is_empty() {
            above.truncate(entry.depth + 1);
            let parent = above[entry.depth];
            let at = tree
                .nodes
                .get(parent)
                .map_or(0, |node| node.children().len());
            above.push(tree.nodes.add(parent, at, data));
        }
    }
    if is_first && problems.is_empty() {
        problems.say(
            Code::BadScript,
            || "expected a node, found nothing".to_owned(),
            |problem| problem,
        );
    }
    if !problems.is_empty() {
        return Err(problems.error());
    }
    for node in &mut tree.nodes.list {
        node.data.state_implied(node.children.len());
    }
    Ok(tree)
}

/// Whether nodes stand below an entry.
fn has_children(entries: &[Entry], i: usize) -> bool {
    let below = entries[i + 1..].iter();
    let mut below = below.take_while(|entry| entry.depth > entries[i].depth);
    below.any(|entry| entry.attached.is_none())
}

/// A dict names arguments, a tuple lists them, anything else is one. Which place a named one has,
/// the agent knows: see `arg_name`.
fn arguments(param: Option<&Param>) -> Result<Vec<Value>, String> {
    match param {
        None => Ok(Vec::new()),
        Some(Param::Several(values)) => {
            let values = values.iter();
            values.map(|(_, value)| argument(value, None)).collect()
        }
        Some(Param::Named(named)) => {
            let named = named.iter();
            named
                .map(|(name, (_, value))| argument(value, Some(name)))
                .collect()
        }
        Some(one) => Ok(vec![argument(one, None)?]),
    }
}

fn argument(value: &Param, name: Option<&str>) -> Result<Value, String> {
    match value {
        Param::Source(ty, source) => Ok(Argument::write(*ty, source.as_str().into(), name)),
        value => {
            let plain = literal::plain(value.clone())?;
            Ok(Argument::write(ArgumentType::Plain, plain, name))
        }
    }
}
