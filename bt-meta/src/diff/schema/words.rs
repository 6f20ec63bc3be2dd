//! What differs between two schemas, in words: variants of enums, keys of structs.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::alternatives::{Alternative, alternatives};
use super::{Relation, Schema, relation};

/// How deep structs are looked into.
const DEEPEST: usize = 8;

/// How many differences are told.
const MOST: usize = 12;

/// The differences; none where they cannot be put into words.
pub(in crate::diff) fn differences(old: Schema<'_>, new: Schema<'_>) -> Vec<String> {
    let mut words = Vec::new();
    between(old, new, "", DEEPEST, &mut words);
    if words.len() > MOST {
        let more = words.len() - MOST;
        words.truncate(MOST);
        words.push(format!("and {more} more"));
    }
    words
}

fn between(old: Schema<'_>, new: Schema<'_>, path: &str, deeper: usize, words: &mut Vec<String>) {
    let Some(deeper) = deeper.checked_sub(1) else {
        return;
    };
    if words.len() > MOST || relation(old, new) == Relation::Same {
        return;
    }
    let (ours, theirs) = (alternatives(new), alternatives(old));
    if let (Some(old_items), Some(new_items)) = (items(&theirs), items(&ours)) {
        let path = format!("{path}[]");
        return between(
            old.with(old_items),
            new.with(new_items),
            &path,
            deeper,
            words,
        );
    }
    if let (Some(a), Some(b)) = (object(&theirs), object(&ours)) {
        return keys((old, a), (new, b), path, deeper, words);
    }
    variants((old, &theirs), (new, &ours), path, deeper, words);
}

/// What goes before a difference inside.
fn at(path: &str) -> String {
    match path.trim_start_matches('.') {
        "" => String::new(),
        path => format!("`{}`: ", path),
    }
}

fn items<'c>(all: &[Alternative<'c>]) -> Option<&'c Value> {
    let mut others = all.iter().filter(|one| !is_null(one));
    match (others.next(), others.next()) {
        (Some(Alternative::Typed("array", map)), None) => map.get("items"),
        _ => None,
    }
}

/// The only alternative, if it is a struct.
fn object<'c>(all: &[Alternative<'c>]) -> Option<&'c Map<String, Value>> {
    let mut others = all.iter().filter(|one| !is_null(one));
    match (others.next(), others.next()) {
        (Some(Alternative::Typed("object", map)), None) => {
            map.contains_key("properties").then_some(*map)
        }
        _ => None,
    }
}

fn is_null(one: &Alternative<'_>) -> bool {
    matches!(
        one,
        Alternative::Typed("null", _) | Alternative::Const(Value::Null)
    )
}

type Object<'c> = &'c Map<String, Value>;

fn keys(
    (old_in, old): (Schema<'_>, Object<'_>),
    (new_in, new): (Schema<'_>, Object<'_>),
    path: &str,
    deeper: usize,
    words: &mut Vec<String>,
) {
    let (theirs, ours) = (properties(old), properties(new));
    for (key, a) in &theirs {
        let inside = format!("{path}.{key}");
        match ours.get(key) {
            None => words.push(format!("{}key `{}` is gone", at(path), key)),
            Some(b) => between(old_in.with(a), new_in.with(b), &inside, deeper, words),
        }
    }
    for key in ours.keys() {
        let says = match (
            theirs.contains_key(key),
            is_required(old, key),
            is_required(new, key),
        ) {
            (false, _, true) => "is new and must be given",
            (false, _, false) => "is new and may be left out",
            (true, false, true) => "must be given now",
            (true, true, false) => "may be left out now",
            _ => continue,
        };
        words.push(format!("{}key `{}` {says}", at(path), key));
    }
}

fn properties(map: Object<'_>) -> BTreeMap<&str, &Value> {
    let properties = map.get("properties").and_then(Value::as_object);
    let properties = properties.into_iter().flatten();
    properties
        .map(|(key, value)| (key.as_str(), value))
        .collect()
}

fn is_required(map: Object<'_>, key: &str) -> bool {
    let required = map.get("required").and_then(Value::as_array);
    required.into_iter().flatten().any(|one| one == key)
}

fn variants(
    (old_in, old): (Schema<'_>, &[Alternative<'_>]),
    (new_in, new): (Schema<'_>, &[Alternative<'_>]),
    path: &str,
    deeper: usize,
    words: &mut Vec<String>,
) {
    let (Some(theirs), Some(ours)) = (named(old), named(new)) else {
        return;
    };
    for (name, a) in &theirs {
        match (a, ours.get(name)) {
            (_, None) => words.push(format!("{}{} is gone", at(path), variant(name))),
            (Some(a), Some(Some(b))) => {
                let inside = format!("{path}.{name}");
                keys((old_in, a), (new_in, b), &inside, deeper, words);
            }
            (None, Some(None)) => {}
            _ => words.push(format!("{}{} has other fields", at(path), variant(name))),
        }
    }
    for name in ours.keys().filter(|name| !theirs.contains_key(*name)) {
        words.push(format!("{}{} is new", at(path), variant(name)));
    }
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
            Alternative::Typed("null", _) => ("null".to_owned(), None),
            Alternative::Typed("object", map) => (tag(map)?, Some(*map)),
            _ => return None,
        };
        named.insert(name, fields);
    }
    (named.len() > 1 || all.iter().all(|one| matches!(one, Alternative::Const(_)))).then_some(named)
}

/// What tells a variant with fields apart: a key with one value, or its only key.
fn tag(map: Object<'_>) -> Option<String> {
    let properties = properties(map);
    let tag = properties
        .values()
        .find_map(|value| value.get("const")?.as_str());
    match (tag, properties.len()) {
        (Some(tag), _) => Some(tag.to_owned()),
        (None, 1) => properties.keys().next().map(|key| (*key).to_owned()),
        _ => None,
    }
}
