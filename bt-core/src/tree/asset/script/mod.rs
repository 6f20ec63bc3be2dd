//! The indented script of the second seed document: what its lines mean.
//!
//! A text and nested objects become the same list of entries, and the entries a tree.

mod lines;
mod literal;
mod nested;
mod number;
mod quoted;
#[cfg(test)]
mod tests;

use crate::tree::Code;
use serde_json::{Map, Value, json};

use super::both_thresholds;
use super::node::NodeData;
use super::problem::{AssetError, Position, Problem, Problems};
use super::spec::plain;
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

/// One node of a script, before what it means is known. They come in the order of the lines.
struct Entry {
    /// How many nodes of the script it is below.
    depth: usize,
    /// Empty where it could not be read.
    name: String,
    param: Option<Param>,
    place: Place,
}

/// What a line gives its node.
#[derive(Debug, PartialEq)]
enum Param {
    /// A tuple.
    Several(Vec<Value>),
    /// Anything else.
    One(Value),
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

/// Whether one more entry is too many for a tree; if so, that is told.
fn too_many(entries: usize, place: &Place, problems: &mut Problems<'_>) -> bool {
    // The root of the tree is no entry.
    let many = entries + 1 == MAX_NODES;
    if many {
        let message = || format!("more than {MAX_NODES} nodes");
        problems.say(Code::TooLarge, message, |problem| place.of(problem));
    }
    many
}

/// Whether an entry is too deep for a tree; if so, that is told.
fn too_deep(depth: usize, place: &Place, problems: &mut Problems<'_>) -> bool {
    let deep = depth + 1 == MAX_DEPTH;
    if deep {
        let message = || format!("more than {MAX_DEPTH} nodes below one another");
        problems.say(Code::TooLarge, message, |problem| place.of(problem));
    }
    deep
}

fn plant(entries: Vec<Entry>, mut problems: Problems<'_>) -> Result<TreeAsset, AssetError> {
    if entries.is_empty() && problems.is_empty() {
        problems.say(
            Code::BadScript,
            || "expected a node, found nothing".to_owned(),
            |problem| problem,
        );
    }
    let mut tree = TreeAsset::of_root(problems.file);
    // The last node of each depth: what a deeper entry is below.
    let mut above = vec![tree.root().idx()];
    let mut next = entries.iter().map(|entry| entry.depth).skip(1).chain([0]);
    for (i, entry) in entries.iter().enumerate() {
        let has_children = next.next().is_some_and(|depth| depth > entry.depth);
        if i > 0 && entry.depth == 0 {
            problems.say(
                Code::BadScript,
                || "a second top node: a tree has one".to_owned(),
                |problem| {
                    let problem = entry.place.of(problem);
                    problem.with_help("put both below a SEQUENCE, FALLBACK or PARALLEL")
                },
            );
        }
        let data = match data(entry, has_children) {
            Ok(data) => data,
            Err(message) => {
                problems.say(
                    Code::BadScript,
                    || message,
                    |problem| entry.place.of(problem),
                );
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
    if !problems.is_empty() {
        return Err(problems.error());
    }
    for node in &mut tree.nodes.list {
        if node.data.kind == "parallel" {
            both_thresholds(&mut node.data.extra, node.children.len());
        }
    }
    Ok(tree)
}

/// The node that an entry stands for.
fn data(entry: &Entry, has_children: bool) -> Result<NodeData, String> {
    let name = entry.name.as_str();
    let found = || match &entry.param {
        None => "nothing".to_owned(),
        Some(Param::One(value)) => crate::call::shown(value),
        Some(Param::Several(_)) => "a tuple".to_owned(),
    };
    let remembers = |plain, remembering| match &entry.param {
        None | Some(Param::One(Value::Bool(false))) => Ok(NodeData::new(plain)),
        Some(Param::One(Value::Bool(true))) => {
            let mut data = NodeData::new(remembering);
            data.extra.insert("keep_place".to_owned(), true.into());
            Ok(data)
        }
        Some(_) => Err(format!(
            "`{name}` takes True, if it goes on where it was, or nothing, found {}",
            found()
        )),
    };
    let mut data = match name {
        "SEQUENCE" => return remembers("reactive_sequence", "sequence"),
        "FALLBACK" => return remembers("reactive_select", "select"),
        "PARALLEL" => {
            let count = match &entry.param {
                Some(Param::One(value)) => value.as_u64().filter(|count| *count > 0),
                _ => None,
            };
            let Some(count) = count else {
                return Err(format!(
                    "`{name}` takes how many of its children must succeed, a whole number from 1, \
                     found {}",
                    found()
                ));
            };
            let mut data = NodeData::new("parallel");
            data.extra.insert("success".to_owned(), count.into());
            // Every tick runs all of them.
            data.extra.insert("rerun".to_owned(), true.into());
            return Ok(data);
        }
        _ => NodeData::new(if has_children { "decorator" } else { "action" }),
    };
    let kind = data.kind.as_str();
    data.extra = Map::from_iter([
        (format!("{kind}_name"), name.into()),
        (format!("{kind}_args"), arguments(entry.param.as_ref())),
    ]);
    Ok(data)
}

/// A dict names arguments, a tuple lists them, anything else is one. Which place a named one has,
/// the agent knows: see `arg_name`.
fn arguments(param: Option<&Param>) -> Value {
    match param {
        None => json!([]),
        Some(Param::Several(values)) => values.iter().cloned().map(plain).collect(),
        Some(Param::One(Value::Object(named))) => named
            .iter()
            .map(|(name, value)| {
                let mut argument = plain(value.clone());
                argument["arg_name"] = name.as_str().into();
                argument
            })
            .collect(),
        Some(Param::One(value)) => json!([plain(value.clone())]),
    }
}
