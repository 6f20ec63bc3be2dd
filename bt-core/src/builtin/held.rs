//! What a key holds, and what is said where it holds something else.

use std::cell::Ref;

use serde_json::{Number, Value};

use crate::compare::kind;
use crate::text::name;
use crate::{Blackboard, Context};

/// `blackboard key `hp` is not set`.
pub(super) fn unset(key: &str) -> String {
    format!("blackboard key `{}` is not set", name(key))
}

fn other(key: &str, value: &Value, expected: &str) -> String {
    format!(
        "blackboard key `{}` holds {}, expected {expected}",
        name(key),
        kind(value)
    )
}

/// The value that a key holds, on loan.
pub(super) fn value<'a>(cx: &Context<'a>, key: &str) -> Result<Ref<'a, Value>, String> {
    cx.blackboard().lend(key).ok_or_else(|| unset(key))
}

/// The number that a key holds, on loan, as the value that it is.
pub(super) fn number<'a>(cx: &Context<'a>, key: &str) -> Result<Ref<'a, Value>, String> {
    let value = value(cx, key)?;
    if !value.is_number() {
        return Err(other(key, &value, "a number"));
    }
    Ok(value)
}

/// The array that a key holds, on loan.
pub(super) fn array<'a>(cx: &Context<'a>, key: &str) -> Result<Ref<'a, Vec<Value>>, String> {
    Ref::filter_map(value(cx, key)?, Value::as_array)
        .map_err(|value| other(key, &value, "an array"))
}

/// The string that a key holds, on loan.
pub(super) fn string<'a>(cx: &Context<'a>, key: &str) -> Result<Ref<'a, str>, String> {
    Ref::filter_map(value(cx, key)?, Value::as_str).map_err(|value| other(key, &value, "a string"))
}

/// Replaces the number that a key holds, unless `change` refuses.
pub(super) fn change_number(
    board: &Blackboard,
    key: &str,
    change: impl FnOnce(&Number) -> Result<Number, String>,
) -> Result<(), String> {
    board.update(key, |held| match held {
        Some(Value::Number(number)) => {
            *number = change(number)?;
            Ok(())
        }
        Some(value) => Err(other(key, value, "a number")),
        None => Err(unset(key)),
    })
}

/// Changes the array that a key holds in place.
pub(super) fn change_array<R>(
    board: &Blackboard,
    key: &str,
    change: impl FnOnce(&mut Vec<Value>) -> Result<R, String>,
) -> Result<R, String> {
    board.update(key, |held| match held {
        Some(Value::Array(items)) => change(items),
        Some(value) => Err(other(key, value, "an array")),
        None => Err(unset(key)),
    })
}

/// Adds to the array that a key holds, a new one where the key is not set.
pub(super) fn grow_array(
    board: &Blackboard,
    key: &str,
    grow: impl FnOnce(&mut Vec<Value>),
) -> Result<(), String> {
    board.update(key, |held| {
        match held.get_or_insert_with(|| Value::Array(Vec::new())) {
            Value::Array(items) => {
                grow(items);
                Ok(())
            }
            value => Err(other(key, value, "an array")),
        }
    })
}

/// Adds to the string that a key holds, a new one where the key is not set.
pub(super) fn grow_string(
    board: &Blackboard,
    key: &str,
    grow: impl FnOnce(&mut String),
) -> Result<(), String> {
    board.update(key, |held| {
        match held.get_or_insert_with(|| Value::String(String::new())) {
            Value::String(text) => {
                grow(text);
                Ok(())
            }
            value => Err(other(key, value, "a string")),
        }
    })
}

/// A value as people read it: a string as it is, anything else as JSON.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
