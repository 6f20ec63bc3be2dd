//! The indented script of the second seed document: what its lines mean.
//!
//! A text and nested objects become the same list of entries, and the entries a tree. `words` says what a
//! line is, `places` where in the text the parts of the tree are.

mod arguments;
mod attached;
mod entry;
mod lines;
mod literal;
mod nested;
mod number;
mod places;
mod quoted;
#[cfg(test)]
mod tests;
mod words;
mod write;

use serde_json::Value;

use super::position::without_mark;
use super::problem::{AssetError, Problem, Problems};
use super::{MAX_BYTES, TreeAsset};
use crate::tree::Code;
pub use entry::name_length;
use entry::{Entry, Fault};
pub use literal::expression;
pub(super) use places::locate;
pub use places::{places, script_positions};

pub(super) fn from_text(file: &str, text: &str) -> Result<TreeAsset, AssetError> {
    if text.len() > MAX_BYTES {
        let message = format!("is larger than {MAX_BYTES} bytes");
        return Err(Problem::new(Code::TooLarge, file, message).into());
    }
    let mut problems = Problems::of(file);
    let entries = lines::entries(text, &mut problems);
    plant(entries, without_mark(text), problems)
}

pub(super) fn from_value(file: &str, value: &Value) -> Result<TreeAsset, AssetError> {
    let mut problems = Problems::of(file);
    let entries = nested::entries(value, &mut problems);
    plant(entries, "", problems)
}

/// Makes the tree of entries that were read from a text, which is empty for nested objects.
fn plant(
    entries: Vec<Entry>,
    text: &str,
    mut problems: Problems<'_>,
) -> Result<TreeAsset, AssetError> {
    let mut tree = TreeAsset::of_root(problems.file);
    // The last node of each depth: what a deeper entry is below.
    let mut above = vec![tree.root().idx()];
    let mut is_first = true;
    for (i, entry) in entries.iter().enumerate() {
        let mut wrong = |fault: Fault| {
            let Fault { at, message, help } = fault;
            let before = at.and_then(|at| text.get(entry.at.line..entry.at.rest + at));
            let before = before.map_or(0, |before| before.chars().count());
            let place = |problem| entry.place.behind(problem, before).with_help(help);
            problems.say(Code::BadScript, || message, place);
        };
        if let Some(attached) = i.checked_sub(1).and_then(|i| entries[i].attached.as_ref())
            && entry.depth > entries[i - 1].depth
        {
            let word = attached.word();
            wrong(Fault {
                help: "indent it as that line is".to_owned(),
                ..format!("no node stands below `{word}`").into()
            });
            continue;
        }
        if let Some(attached) = &entry.attached {
            // Where something is wrong, nodes may be missing.
            let to = above.get(entry.depth).copied();
            let to = to.unwrap_or_else(|| tree.root().idx());
            if let Err(fault) = attached.attach(entry, &mut tree, to) {
                wrong(fault);
            }
            continue;
        }
        if !std::mem::take(&mut is_first) && entry.depth == 0 {
            wrong(Fault {
                help: "put both below a SEQUENCE, FALLBACK or PARALLEL".to_owned(),
                .."a second top node: a tree has one".to_owned().into()
            });
        }
        let data = match words::data(entry, children(&entries, i)) {
            Ok(data) => data,
            Err(fault) => {
                wrong(fault);
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
            let idx = tree.nodes.add(parent, at, data);
            if let Some(node) = tree.nodes.get_mut(idx) {
                node.in_script = entry.place.in_script();
            }
            above.push(idx);
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
    let disabled = tree.disabled();
    for node in &mut tree.nodes.list {
        node.state_implied(&disabled);
    }
    Ok(tree)
}

/// The number of nodes that stand right below an entry.
fn children(entries: &[Entry], i: usize) -> usize {
    let depth = entries[i].depth;
    let below = entries[i + 1..].iter();
    let below = below.take_while(|entry| entry.depth > depth);
    let nodes = below.filter(|entry| entry.depth == depth + 1 && entry.attached.is_none());
    nodes.count()
}
