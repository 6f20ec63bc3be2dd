//! The value of a key, and the error for a value of another form.

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
    board.try_update(key, |held| match held {
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
    board.try_update(key, |held| match held {
        Some(Value::Array(items)) => change(items),
        Some(value) => Err(other(key, value, "an array")),
        None => Err(unset(key)),
    })
}

/// Moves what `take` takes from the array that a key holds to another key; where that cannot hold
/// it, the array stays as it is.
pub(super) fn move_from_array(
    board: &Blackboard,
    key: &str,
    to: &str,
    take: impl FnOnce(&mut Vec<Value>) -> Result<Value, String>,
) -> Result<(), String> {
    let mut taken = None;
    let changed = change_array(board, key, |items| {
        let value = taken.insert(take(items)?);
        // The reason is that of the write, below.
        match board.can_hold(to, value) {
            true => Ok(()),
            false => Err(String::new()),
        }
    });
    match taken {
        Some(value) => {
            board.set(to, value);
            Ok(())
        }
        None => changed,
    }
}

/// The greatest size of an array or a string that is added to: items, keys and bytes of text, all together. A
/// tree that appends a key to itself doubles it each time.
const LARGEST: usize = 1 << 20;

/// The greatest depth of an array that is added to: no reader of JSON takes a deeper one, and values are
/// copied and dropped by recursion.
const DEEPEST: usize = 100;

/// Takes the size of a value from `room`, if there is enough; the value stands inside `depth` others.
fn takes(value: &Value, depth: usize, room: &mut usize) -> Result<(), String> {
    let mut next = vec![(depth, value)];
    while let Some((depth, value)) = next.pop() {
        if depth > DEEPEST {
            return Err(format!(
                "more than {DEEPEST} values would be inside one another"
            ));
        }
        let size = match value {
            Value::String(text) => text.len(),
            Value::Array(items) => {
                next.extend(items.iter().map(|item| (depth + 1, item)));
                items.len()
            }
            Value::Object(map) => {
                next.extend(map.values().map(|item| (depth + 1, item)));
                map.keys().map(|key| key.len() + 1).sum()
            }
            _ => 0,
        };
        *room = room.checked_sub(size + 1).ok_or_else(too_large)?;
    }
    Ok(())
}

fn too_large() -> String {
    format!("it would be larger than {LARGEST} items and bytes of text")
}

/// Adds to the array that a key holds, a new one where the key is not set.
pub(super) fn grow_array(
    board: &Blackboard,
    key: &str,
    item: Value,
    add: impl FnOnce(&mut Vec<Value>, Value),
) -> Result<(), String> {
    board.try_update(key, |held| {
        let held = held.get_or_insert_with(|| Value::Array(Vec::new()));
        if !held.is_array() {
            return Err(other(key, held, "an array"));
        }
        let mut room = LARGEST;
        let fits = takes(held, 0, &mut room).and_then(|()| takes(&item, 1, &mut room));
        fits.map_err(|why| format!("blackboard key `{}`: {why}", name(key)))?;
        if let Value::Array(items) = held {
            add(items, item);
        }
        Ok(())
    })
}

/// Adds to a string as much as there is room for in one.
pub(super) fn add_text(text: &mut String, more: &str) -> Result<(), String> {
    if text.len() + more.len() > LARGEST {
        return Err(too_large());
    }
    text.push_str(more);
    Ok(())
}

/// Adds to the string that a key holds, a new one where the key is not set.
pub(super) fn grow_string(board: &Blackboard, key: &str, more: &str) -> Result<(), String> {
    board.try_update(key, |held| {
        match held.get_or_insert_with(|| Value::String(String::new())) {
            Value::String(text) => {
                add_text(text, more).map_err(|why| format!("blackboard key `{}`: {why}", name(key)))
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
