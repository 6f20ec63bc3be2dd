//! Values that two schemas take, and of which the second reads something else.

use bt_core::registry::schema::{
    Others, branches, by_position, fields, items, names, others, target,
};
use bt_core::tree::check as judge;
use serde_json::Value;

use crate::diff::schema::Schema;

/// Returns true if a key of a value that was read is ignored now, or an array gives its values to other
/// fields.
pub(super) fn means_another(was: Schema<'_>, is: Schema<'_>, value: &Value) -> bool {
    let (was, is) = (form(was, value), form(is, value));
    match (value, fields(was.value), fields(is.value)) {
        (Value::Object(map), Some(a), Some(b)) => {
            let mut entries = map.iter();
            entries.any(|(key, value)| match (a.get(key), b.get(key)) {
                (Some(a), Some(b)) => means_another(was.with(a), is.with(b), value),
                (None, Some(_)) => false,
                (Some(_), None) => is_ignored(is.value, key),
                (None, None) => !is_ignored(was.value, key) && is_ignored(is.value, key),
            })
        }
        (Value::Array(values), Some(a), Some(b)) => {
            let old = by_position(was.value).unwrap_or_default();
            let new = by_position(is.value).unwrap_or_default();
            let mut pairs = old.into_iter().zip(new).zip(values);
            pairs.any(|((old, new), value)| {
                let is_alias = !b.contains_key(old) && !is_ignored(is.value, old);
                match old == new {
                    true => means_another(was.with(&a[old]), is.with(&b[new]), value),
                    false => !is_alias,
                }
            })
        }
        (Value::Array(values), None, None) => {
            let (Some(a), Some(b)) = (items(was.value), items(is.value)) else {
                return false;
            };
            let mut values = values.iter();
            values.any(|item| means_another(was.with(a), is.with(b), item))
        }
        _ => false,
    }
}

/// Returns true if a key that is no field is taken and not read: it is no alias, and other keys have no
/// schema.
fn is_ignored(schema: &Value, key: &str) -> bool {
    let takes_more = matches!(others(schema), Others::All | Others::Of(_));
    let is_known = names(schema).is_some_and(|names| names.contains(&key));
    !takes_more && !is_known
}

/// The schema that reads a value: the target of a reference, and of several forms the one that the value has.
fn form<'c>(schema: Schema<'c>, value: &Value) -> Schema<'c> {
    let mut schema = schema;
    for _ in 0..32 {
        let takes = |one: &&Value| judge::takes(schema.defs, one, value);
        let one = branches(schema.value).and_then(|all| all.iter().find(takes));
        match target(schema.defs, schema.value).or(one) {
            Some(one) => schema = schema.with(one),
            None => break,
        }
    }
    schema
}
