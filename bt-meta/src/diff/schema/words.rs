//! The differences between two schemas in words: variants of enums, keys of structs.

use std::collections::{BTreeMap, HashSet};

use bt_core::registry::schema::{by_position, constant, fields, items, required};
use serde_json::Value;

use super::alternatives::{Alternative, alternatives};
use super::{Relation, Schema, relation};
use crate::error::quoted;

/// The depth to which structs are compared.
const DEEPEST: usize = 8;

/// The number of differences that are shown.
const MOST: usize = 12;

/// The differences; none where they cannot be put into words.
pub(in crate::diff) fn differences(old: Schema<'_>, new: Schema<'_>) -> Vec<String> {
    let mut words = Words::default();
    words.between(old, new, "");
    let mut found = words.found;
    if found.len() > MOST {
        let more = found.len() - MOST;
        found.truncate(MOST);
        found.push(format!("and {more} more"));
    }
    found
}

#[derive(Default)]
struct Words {
    found: Vec<String>,
    /// Structs that were looked into, by where they are: once is enough, and some contain themselves.
    seen: HashSet<*const Value>,
    depth: usize,
}

impl Words {
    fn between(&mut self, old: Schema<'_>, new: Schema<'_>, path: &str) {
        if self.depth >= DEEPEST || self.found.len() > MOST {
            return;
        }
        if relation(old, new) == Relation::Same {
            return;
        }
        self.depth += 1;
        let (theirs, ours) = (alternatives(old), alternatives(new));
        if let (Some(a), Some(b)) = (items_of(&theirs), items_of(&ours)) {
            self.between(old.with(a), new.with(b), &format!("{path}[]"));
        } else if let (Some(a), Some(b)) = (object(&theirs), object(&ours)) {
            self.keys((old, a), (new, b), path);
        } else {
            self.variants((old, &theirs), (new, &ours), path);
        }
        self.depth -= 1;
    }

    fn keys(
        &mut self,
        (old_in, old): (Schema<'_>, Object<'_>),
        (new_in, new): (Schema<'_>, Object<'_>),
        path: &str,
    ) {
        if !self.seen.insert(std::ptr::from_ref(old)) {
            return;
        }
        let (theirs, ours) = (properties(old), properties(new));
        for (key, a) in &theirs {
            match ours.get(key) {
                None => self.found.push(format!("{}key `{key}` is gone", at(path))),
                Some(b) => self.between(old_in.with(a), new_in.with(b), &format!("{path}.{key}")),
            }
        }
        for key in ours.keys() {
            let was_there = theirs.contains_key(key);
            let is_required = |of: Object<'_>| required(of).any(|one| one == *key);
            let says = match (was_there, is_required(old), is_required(new)) {
                (false, _, true) => "is new and must be given",
                (false, _, false) => "is new and may be left out",
                (true, false, true) => "must be given now",
                (true, true, false) => "may be left out now",
                _ => continue,
            };
            self.found.push(format!("{}key `{key}` {says}", at(path)));
        }
        let was = by_position(old).unwrap_or_default();
        let is = by_position(new).unwrap_or_default();
        let place = |key: &&str| is.iter().position(|other| other == key);
        let moves = |(at, key): (usize, &&str)| place(key).is_some_and(|now| now != at);
        if was.iter().enumerate().any(moves) {
            let is = quoted(is);
            self.found
                .push(format!("{}its fields by position are {is} now", at(path)));
        }
    }

    fn variants(
        &mut self,
        (old_in, old): (Schema<'_>, &[Alternative<'_>]),
        (new_in, new): (Schema<'_>, &[Alternative<'_>]),
        path: &str,
    ) {
        let (Some(theirs), Some(ours)) = (named(old), named(new)) else {
            // Of several forms, the one that is a struct.
            if let (Some(a), Some(b)) = (only_struct(old), only_struct(new)) {
                self.keys((old_in, a), (new_in, b), path);
            }
            return;
        };
        let at = at(path);
        for (name, a) in &theirs {
            let of = variant(name);
            match (a, ours.get(name)) {
                (_, None) => self.found.push(format!("{at}{of} is gone")),
                (Some(a), Some(Some(b))) => {
                    self.keys((old_in, a), (new_in, b), &format!("{path}.{name}"));
                }
                (None, Some(None)) => {}
                _ => self.found.push(format!("{at}{of} has other fields")),
            }
        }
        for name in ours.keys().filter(|name| !theirs.contains_key(*name)) {
            self.found.push(format!("{at}{} is new", variant(name)));
        }
    }
}

/// The prefix of a difference inside.
fn at(path: &str) -> String {
    match path.trim_start_matches('.') {
        "" => String::new(),
        path => format!("`{path}`: "),
    }
}

fn items_of<'c>(all: &[Alternative<'c>]) -> Option<&'c Value> {
    items(only(all, "array")?)
}

/// The only alternative beside `null`, if it is of a type.
fn only<'c>(all: &[Alternative<'c>], ty: &str) -> Option<&'c Value> {
    let mut others = all.iter().filter(|one| !is_null(one));
    match (others.next()?, others.next()) {
        (Alternative::Typed(found, schema), None) if *found == ty => Some(schema),
        (_, _) => None,
    }
}

/// The only alternative, if it is a struct.
fn object<'c>(all: &[Alternative<'c>]) -> Option<Object<'c>> {
    only(all, "object").filter(|object| fields(object).is_some())
}

/// The struct among several forms, if there is one only.
fn only_struct<'c>(all: &[Alternative<'c>]) -> Option<Object<'c>> {
    let mut structs = all.iter().filter_map(|one| match one {
        Alternative::Typed("object", object) => fields(object).map(|_| *object),
        Alternative::Any
        | Alternative::Const(_)
        | Alternative::Unit(_)
        | Alternative::Alias(_)
        | Alternative::Typed(..)
        | Alternative::Opaque(_) => None,
    });
    structs.next().filter(|_| structs.next().is_none())
}

fn is_null(one: &Alternative<'_>) -> bool {
    matches!(
        one,
        Alternative::Typed("null", ..) | Alternative::Const(Value::Null)
    )
}

/// The schema of a struct.
type Object<'c> = &'c Value;

fn properties(object: Object<'_>) -> BTreeMap<&str, &Value> {
    let fields = fields(object).into_iter().flatten();
    fields.map(|(key, value)| (key.as_str(), value)).collect()
}

fn variant(name: &str) -> String {
    match name {
        "null" => "`null`".to_owned(),
        name => format!("variant `{}`", name),
    }
}

/// The variants of an enum by what tells them apart, with the fields of those that have some; none
/// of what is no enum.
fn named<'c>(all: &[Alternative<'c>]) -> Option<BTreeMap<String, Option<Object<'c>>>> {
    let mut named = BTreeMap::new();
    for one in all {
        let (name, fields) = match one {
            Alternative::Const(Value::String(name)) => (name.clone(), None),
            Alternative::Const(value) => (value.to_string(), None),
            Alternative::Unit(name) | Alternative::Alias(name) => ((*name).to_owned(), None),
            Alternative::Typed("null", ..) => ("null".to_owned(), None),
            Alternative::Typed("object", object) => (tag(object)?, Some(*object)),
            Alternative::Any | Alternative::Typed(..) | Alternative::Opaque(_) => return None,
        };
        named.insert(name, fields);
    }
    let is_name = |one: &Alternative<'_>| {
        matches!(
            one,
            Alternative::Const(_) | Alternative::Unit(_) | Alternative::Alias(_)
        )
    };
    (named.len() > 1 || all.iter().all(is_name)).then_some(named)
}

/// The tag of a variant with fields: a key with one value, or its only key.
fn tag(object: Object<'_>) -> Option<String> {
    let properties = properties(object);
    let tag = properties
        .values()
        .find_map(|field| constant(field)?.as_str());
    match (tag, properties.len()) {
        (Some(tag), _) => Some(tag.to_owned()),
        (None, 1) => properties.keys().next().map(|key| (*key).to_owned()),
        _ => None,
    }
}
