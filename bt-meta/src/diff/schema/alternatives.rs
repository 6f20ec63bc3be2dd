//! A schema as a list of alternatives, references followed.

use std::collections::HashSet;

use bt_core::registry::schema::{branches, constant, fields, fixed, names, target, types};
use serde_json::Value;

use super::{Schema, is_annotation};

/// One of the forms that a value may have.
#[derive(Debug, Clone, Copy)]
pub(super) enum Alternative<'c> {
    /// Any value.
    Any,
    /// This value.
    Const(&'c Value),
    /// A variant that holds nothing: its name, or an object with it as the key of `null`.
    Unit(&'c str),
    /// A variant by another name: whatever it holds.
    Alias(&'c str),
    /// Values of a JSON type, narrowed by the rest of the schema.
    Typed(&'c str, &'c Value),
    /// Everything that is not understood.
    Opaque(&'c Value),
}

/// The number of references and choices that are followed one inside the other.
const DEEPEST: usize = 32;

/// The number of alternatives that are looked at; what is left out counts as not understood.
const MOST: usize = 10_000;

/// The alternatives of a schema.
pub(super) fn alternatives(schema: Schema<'_>) -> Vec<Alternative<'_>> {
    let mut found = Vec::new();
    add(schema, false, DEEPEST, &mut found);
    found
}

/// `named`: the decoder has the values as names of variants.
fn add<'c>(schema: Schema<'c>, named: bool, deeper: usize, found: &mut Vec<Alternative<'c>>) {
    let opaque = Alternative::Opaque(schema.value);
    if found.len() >= MOST {
        return found.push(opaque);
    }
    match schema.value {
        Value::Bool(true) => return found.push(Alternative::Any),
        Value::Bool(false) => return,
        Value::Object(_) => {}
        _ => return found.push(opaque),
    }
    let Some(deeper) = deeper.checked_sub(1) else {
        return found.push(opaque);
    };
    if constraints(schema.value).next().is_none() {
        return found.push(Alternative::Any);
    }
    let named = named || names(schema.value).is_some();
    if let Some(values) = fixed(schema.value) {
        found.extend(values.iter().map(|value| match value {
            Value::String(name) if named => Alternative::Unit(name),
            value => Alternative::Const(value),
        }));
        return found.extend(aliases(schema.value));
    }
    if let Some(types) = types(schema.value) {
        let typed = types.into_iter();
        return found.extend(typed.map(|ty| Alternative::Typed(ty, schema.value)));
    }
    // With more beside it, a reference or a choice means less than what it refers to.
    let mut keys = constraints(schema.value);
    match (keys.next(), keys.next()) {
        (Some(("$ref", _)), None) => match target(schema.defs, schema.value) {
            Some(value) => add(schema.with(value), false, deeper, found),
            None => found.push(opaque),
        },
        (Some(("anyOf" | "oneOf", Value::Array(options))), None) => {
            for option in options {
                add(schema.with(option), named, deeper, found);
            }
            found.extend(aliases(schema.value));
        }
        _ => found.push(opaque),
    }
}

/// The names of variants that a schema does not have, where the decoder was asked.
fn aliases(schema: &Value) -> impl Iterator<Item = Alternative<'_>> {
    let branches = branches(schema).unwrap_or_default();
    let own = branches.iter().chain([schema]);
    let own: HashSet<&str> = own.flat_map(own_names).collect();
    let names = names(schema).unwrap_or_default().into_iter();
    let names = names.filter(move |name| !own.contains(name));
    names.map(Alternative::Alias)
}

/// The variants that a schema is for: its values, its tag, or its only key.
pub(super) fn own_names(schema: &Value) -> Vec<&str> {
    let values = fixed(schema).unwrap_or_default();
    let mut names: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
    let fields = fields(schema).into_iter().flatten();
    let tags = fields
        .clone()
        .filter_map(|(_, field)| constant(field)?.as_str());
    names.extend(tags);
    if names.is_empty() && fields.clone().count() == 1 {
        names.extend(fields.map(|(name, _)| name.as_str()));
    }
    names
}

/// The keys that narrow what is taken.
pub(super) fn constraints(schema: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let all = schema.as_object().into_iter().flatten();
    let all = all.map(|(key, value)| (key.as_str(), value));
    all.filter(|(key, _)| !is_annotation(key))
}
