//! A schema as a list of alternatives, references followed.

use serde_json::{Map, Value};

use super::{Schema, is_annotation};

/// One of the forms that a value may have.
#[derive(Debug, Clone, Copy)]
pub(super) enum Alternative<'c> {
    /// Any value.
    Any,
    /// This value.
    Const(&'c Value),
    /// Values of a JSON type, narrowed by the rest of the schema.
    Typed(&'c str, &'c Map<String, Value>),
    /// What is not understood.
    Opaque(&'c Value),
}

/// How many references and choices are followed one inside the other.
const DEEPEST: usize = 32;

/// How many alternatives are looked at; what is left out counts as not understood.
const MOST: usize = 10_000;

/// The alternatives of a schema.
pub(super) fn alternatives(schema: Schema<'_>) -> Vec<Alternative<'_>> {
    let mut found = Vec::new();
    add(schema, DEEPEST, &mut found);
    found
}

fn add<'c>(schema: Schema<'c>, deeper: usize, found: &mut Vec<Alternative<'c>>) {
    let opaque = Alternative::Opaque(schema.value);
    if found.len() >= MOST {
        return found.push(opaque);
    }
    let map = match schema.value {
        Value::Bool(true) => return found.push(Alternative::Any),
        Value::Bool(false) => return,
        Value::Object(map) => map,
        _ => return found.push(opaque),
    };
    let Some(deeper) = deeper.checked_sub(1) else {
        return found.push(opaque);
    };
    if constraints(map).next().is_none() {
        return found.push(Alternative::Any);
    }
    if let Some(value) = map.get("const") {
        return found.push(Alternative::Const(value));
    }
    if let Some(Value::Array(values)) = map.get("enum") {
        return found.extend(values.iter().map(Alternative::Const));
    }
    match map.get("type") {
        Some(Value::String(ty)) => {
            return found.push(Alternative::Typed(ty, map));
        }
        Some(Value::Array(types)) => {
            let types = types.iter().filter_map(Value::as_str);
            return found.extend(types.map(|ty| Alternative::Typed(ty, map)));
        }
        Some(_) => return found.push(opaque),
        None => {}
    }
    // With more beside it, a reference or a choice means less than what it refers to.
    let mut keys = constraints(map);
    match (keys.next(), keys.next()) {
        (Some(("$ref", Value::String(target))), None) => match definition(schema, target) {
            Some(value) => add(schema.with(value), deeper, found),
            None => found.push(opaque),
        },
        (Some(("anyOf" | "oneOf", Value::Array(options))), None) => {
            for option in options {
                add(schema.with(option), deeper, found);
            }
        }
        _ => found.push(opaque),
    }
}

/// What `#/$defs/Name` refers to.
pub(super) fn definition<'c>(schema: Schema<'c>, target: &str) -> Option<&'c Value> {
    let name = target.strip_prefix("#/$defs/")?;
    schema.defs.get(&name.replace("~1", "/").replace("~0", "~"))
}

/// The keys that narrow what is taken.
pub(super) fn constraints(map: &Map<String, Value>) -> impl Iterator<Item = (&str, &Value)> {
    let all = map.iter().map(|(key, value)| (key.as_str(), value));
    all.filter(|(key, _)| !is_annotation(key))
}
