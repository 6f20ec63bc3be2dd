//! The places of a tree's parts in the text of its script, by their JSON pointers.

use std::collections::BTreeMap;

use super::super::position::{Walk, upwards, without_mark};
use super::super::problem::{Position, Problem, Problems};
use super::entry::{Attached, Entry, Param};
use super::{children, lines, words};
use crate::kinds::attached::EXPRESSION;
use crate::kinds::call::ArgumentType;
use crate::kinds::{Caller, Kind, step};

/// Fills in the line and column of every problem that has a JSON pointer, or is of a node, from the script
/// that its tree was read from.
pub(in super::super) fn locate(problems: &mut [Problem], text: &str) {
    let found = script_positions(text, problems.iter().map(Problem::pointer));
    for (problem, position) in problems.iter_mut().zip(found) {
        if let Some(position) = position {
            problem.set_position(position);
        }
    }
}

/// The places of some JSON pointers in the text of a script; of one that is not there, the place of the nearest thing
/// around it, or of the first node. None for the whole tree.
pub fn script_positions<'p>(
    text: &str,
    pointers: impl Iterator<Item = &'p str>,
) -> Vec<Option<Position>> {
    let text = without_mark(text);
    let places = places(text);
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut all = Vec::new();
    for (i, pointer) in pointers.enumerate() {
        let offset = upwards(pointer).find_map(|pointer| places.get(pointer));
        let first = places.get("/nodes/1").filter(|_| !pointer.is_empty());
        found.extend(offset.or(first).map(|offset| (*offset, i)));
        all.push(None);
    }
    found.sort_unstable();
    let mut walk = Walk::of(text);
    for (offset, i) in found {
        all[i] = Some(walk.to(offset));
    }
    all
}

/// The start of each part of a tree in the text of its script, in bytes, by its JSON pointer. The text has no byte order
/// mark.
pub fn places(text: &str) -> BTreeMap<String, usize> {
    let entries = lines::entries(text, &mut Problems::of(""));
    let mut places = BTreeMap::new();
    // The pointer of the last node of each depth, and the lengths of the lists of what is attached to it.
    let mut above = vec![("/nodes/0".to_owned(), BTreeMap::new())];
    let mut nodes = 0;
    for (i, entry) in entries.iter().enumerate() {
        let Some((parent, lengths)) = above.get_mut(entry.depth) else {
            break;
        };
        let mut put = |pointer: &str, offset| {
            places.insert(pointer.to_owned(), offset);
        };
        let Some(attached) = &entry.attached else {
            nodes += 1;
            let pointer = format!("/nodes/{nodes}");
            put(&pointer, entry.at.line);
            node(entry, &pointer, children(&entries, i), &mut put);
            above.truncate(entry.depth + 1);
            above.push((pointer, BTreeMap::new()));
            continue;
        };
        let extra = format!("{parent}/extra");
        let pointer = match attached.list() {
            Some((list, inner)) => {
                let at = lengths.entry((list, inner)).or_insert(0_usize);
                *at += 1;
                let list = [Some(list), inner].into_iter().flatten();
                let list: String = list.map(|key| format!("/{key}")).collect();
                format!("{extra}{list}/{}", *at - 1)
            }
            None => format!("{extra}/blackboard/{}", step(&entry.name)),
        };
        match attached {
            Attached::Agent => {
                put(&format!("{extra}/agent_name"), entry.at.name);
                keys(entry, &extra, &mut put);
            }
            Attached::Key => put(&pointer, entry.at.line),
            Attached::Event => {
                put(&pointer, entry.at.line);
                put(&format!("{pointer}/event"), entry.at.name);
                keys(entry, &pointer, &mut put);
            }
            Attached::Guard(_) => {
                put(&pointer, entry.at.line);
                call(entry, &pointer, Caller::Guard, &mut put);
            }
            Attached::Service(_) | Attached::Effect(_) => {
                put(&pointer, entry.at.line);
                call(entry, &pointer, Caller::Action, &mut put);
                keys(entry, &pointer, &mut put);
            }
        }
    }
    places
}

fn node(entry: &Entry, pointer: &str, children: usize, put: &mut dyn FnMut(&str, usize)) {
    let extra = format!("{pointer}/extra");
    let (_, caller) = words::calling(children);
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
    if let Some(Param::Source(ArgumentType::Expression, _)) = &entry.param {
        match &entry.attached {
            // That of a guard with a name is an argument.
            Some(_) if !entry.name.is_empty() => {}
            Some(_) => put(&format!("{pointer}/{EXPRESSION}"), entry.at.name),
            None => put(&format!("{pointer}/{EXPRESSION}"), entry.at.rest),
        }
    }
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
