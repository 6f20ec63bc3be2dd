//! The places of a tree's parts in the text of its script, by their JSON pointers.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::position::{Walk, upwards, without_mark};
use super::super::problem::{Fix, Problem, Problems};
use super::entry::{Attached, Entry, Param, name_length};
use super::{has_children, lines};
use crate::kinds::{Caller, Kind, step};

/// Fills in the line and column of every problem that has a JSON pointer, or is of a node, from the script
/// that its tree was read from.
pub(in super::super) fn locate(problems: &mut [Problem], text: &str) {
    let text = without_mark(text);
    let places = places(text);
    let mut found: Vec<(usize, &mut Problem)> = Vec::new();
    for problem in problems {
        let offset = upwards(problem.pointer()).find_map(|pointer| places.get(pointer));
        let first = places
            .get("/nodes/1")
            .filter(|_| !problem.pointer().is_empty());
        found.extend(offset.or(first).map(|offset| (*offset, problem)));
    }
    found.sort_by_key(|(offset, _)| *offset);
    let mut walk = Walk::of(text);
    for (offset, problem) in found {
        problem.set_position(walk.to(offset));
    }
}

/// Writes new names into a script, each at its JSON pointer; which of the fixes could be made.
pub fn patch(text: &str, fixes: &[(String, Fix)]) -> (String, Vec<bool>) {
    let script = without_mark(text);
    let places = places(script);
    let mut changes: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    let made = fixes.iter().map(|(pointer, fix)| {
        let new = match fix {
            Fix::Value(Value::String(new)) | Fix::Key(new) => new,
            Fix::Value(_) | Fix::Insert { .. } | Fix::Items(_) => return false,
        };
        let change = places.get(pointer).and_then(|at| {
            let (length, written) = renamed(&script[*at..], new)?;
            Some((*at, (length, written)))
        });
        changes.extend(change.clone());
        change.is_some()
    });
    let made = made.collect();
    let mut patched = script.to_owned();
    for (at, (length, written)) in changes.into_iter().rev() {
        patched.replace_range(at..at + length, &written);
    }
    (
        text[..text.len() - script.len()].to_owned() + &patched,
        made,
    )
}

/// The length of the name at the start of a text, and the spelling of a new one there.
fn renamed(text: &str, new: &str) -> Option<(usize, String)> {
    let is_name = |name: &str| !name.is_empty() && name_length(name) == name.len();
    match text.chars().next()? {
        quote @ ('"' | '\'') => {
            let mut escaped = false;
            let end = text[1..].find(|char| {
                let ends = char == quote && !escaped;
                escaped = char == '\\' && !escaped;
                ends
            })?;
            Some((end + 2, Value::from(new).to_string()))
        }
        '$' | '@' => {
            let length = name_length(&text[1..]);
            (length > 0 && is_name(new)).then(|| (length + 1, format!("{}{new}", &text[..1])))
        }
        _ => {
            let length = name_length(text);
            (length > 0 && is_name(new)).then(|| (length, new.to_owned()))
        }
    }
}

/// The start of each part of the tree, in bytes.
fn places(text: &str) -> BTreeMap<String, usize> {
    let entries = lines::entries(text, &mut Problems::of(""));
    let mut places = BTreeMap::new();
    // The pointers of the last node of each depth, and how many guards and events it has.
    let mut above = vec![("/nodes/0".to_owned(), 0, 0)];
    let mut nodes = 0;
    for (i, entry) in entries.iter().enumerate() {
        let Some((parent, guards, events)) = above.get_mut(entry.depth) else {
            break;
        };
        let mut put = |pointer: &str, offset| {
            places.insert(pointer.to_owned(), offset);
        };
        let Some(attached) = &entry.attached else {
            nodes += 1;
            let pointer = format!("/nodes/{nodes}");
            put(&pointer, entry.at.line);
            node(entry, &pointer, has_children(&entries, i), &mut put);
            above.truncate(entry.depth + 1);
            above.push((pointer, 0, 0));
            continue;
        };
        let extra = format!("{parent}/extra");
        match attached {
            Attached::Agent => {
                put(&format!("{extra}/agent_name"), entry.at.name);
                keys(entry, &extra, &mut put);
            }
            Attached::Key => {
                let pointer = format!("{extra}/blackboard/{}", step(&entry.name));
                put(&pointer, entry.at.line);
            }
            Attached::Event => {
                let pointer = format!("{extra}/events/{events}");
                *events += 1;
                put(&pointer, entry.at.line);
                put(&format!("{pointer}/event"), entry.at.name);
                keys(entry, &pointer, &mut put);
            }
            Attached::Guard(_) => {
                let pointer = format!("{extra}/guards/{guards}");
                *guards += 1;
                put(&pointer, entry.at.line);
                call(entry, &pointer, Caller::Guard, &mut put);
            }
        }
    }
    places
}

fn node(entry: &Entry, pointer: &str, has_children: bool, put: &mut dyn FnMut(&str, usize)) {
    let extra = format!("{pointer}/extra");
    let caller = match has_children {
        true => Caller::Decorator,
        false => Caller::Action,
    };
    call(entry, &extra, caller, put);
    keys(entry, &extra, put);
    if entry.name == Kind::SubTree.name().to_uppercase()
        && let Some(Param::Several(items)) = &entry.param
        && let Some((_, Param::Named(given))) = items.get(1)
    {
        for (key, (offset, _)) in given {
            put(
                &format!("{extra}/args/{}", step(key)),
                entry.at.rest + offset,
            );
        }
    }
}

/// The name and the arguments of a call.
fn call(entry: &Entry, pointer: &str, caller: Caller, put: &mut dyn FnMut(&str, usize)) {
    let (name, args) = caller.keys();
    put(&format!("{pointer}/{name}"), entry.at.name);
    let offsets: Vec<usize> = match &entry.param {
        Some(Param::Several(items)) => items.iter().map(|(offset, _)| *offset).collect(),
        Some(Param::Named(named)) => named.values().map(|(offset, _)| *offset).collect(),
        Some(Param::Source(..) | Param::One(_)) | None => Vec::new(),
    };
    let is_named = matches!(entry.param, Some(Param::Named(_)));
    for (i, offset) in offsets.into_iter().enumerate() {
        let offset = entry.at.rest + offset;
        put(&format!("{pointer}/{args}/{i}"), offset);
        if is_named {
            put(&format!("{pointer}/{args}/{i}/arg_name"), offset);
        }
    }
}

/// The keys that a dict gives, and those of a dict in it.
fn keys(entry: &Entry, pointer: &str, put: &mut dyn FnMut(&str, usize)) {
    let Some(Param::Named(named)) = &entry.param else {
        return;
    };
    for (key, (offset, value)) in named {
        let pointer = format!("{pointer}/{}", step(key));
        put(&pointer, entry.at.rest + offset);
        if let Param::Named(inner) = value {
            for (key, (offset, _)) in inner {
                put(&format!("{pointer}/{}", step(key)), entry.at.rest + offset);
            }
        }
    }
}
