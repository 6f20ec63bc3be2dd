//! Values that two schemas take, and of which the second reads something else.

use bt_core::registry::schema::{branches, fields, knows, names, target};
use bt_core::tree::check as judge;
use serde_json::{Map, Value};

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
        (Value::Array(items), Some(a), Some(b)) => {
            let pairs = by_position(was.value, a).zip(by_position(is.value, b));
            pairs.zip(items).any(|((old, new), value)| {
                let is_alias = !b.contains_key(old) && !is_ignored(is.value, old);
                match old == new {
                    true => means_another(was.with(&a[old]), is.with(&b[new]), value),
                    false => !is_alias,
                }
            })
        }
        (Value::Array(items), None, None) => {
            let of = (was.value.get("items"), is.value.get("items"));
            let (Some(a), Some(b)) = of else { return false };
            let mut items = items.iter();
            items.any(|item| means_another(was.with(a), is.with(b), item))
        }
        _ => false,
    }
}

/// Returns true if a key that is no field is taken and not read: it is no alias, and other keys have no
/// schema.
fn is_ignored(schema: &Value, key: &str) -> bool {
    let others = schema.get("additionalProperties");
    let takes_more = others.is_some_and(|others| *others != false);
    let is_known = names(schema).is_some_and(|names| names.contains(&key));
    !takes_more && !is_known
}

/// The fields in the order in which an array gives them; none where it may not.
fn by_position<'s>(schema: &'s Value, of: &'s Map<String, Value>) -> impl Iterator<Item = &'s str> {
    let are_places = knows(schema, "places");
    let names = names(schema).unwrap_or_default().into_iter();
    names.filter(move |name| are_places && of.contains_key(*name))
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
