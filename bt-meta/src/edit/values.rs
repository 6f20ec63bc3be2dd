//! Values and keys of a file.

use crate::text::json::{Id, Kind, steps};
use crate::text::style::New;
use serde_json::Value;

use super::work::{Work, short};

/// The value at the start of a pointer, and the pointer's parts.
fn place(work: &Work<'_, '_>, node: Option<u32>, at: &str) -> Result<(Id, Vec<String>), String> {
    let from = match node {
        Some(idx) => work.text.part(idx)?,
        None => work.text.json.root(),
    };
    let steps = steps(at).filter(|steps| !steps.is_empty()).ok_or_else(|| {
        format!(
            "{} is not a JSON pointer to a part of it: expected one such as `/extra/loop`",
            short(at)
        )
    })?;
    if steps.len() > 100 {
        return Err("the pointer has more than 100 parts".to_owned());
    }
    Ok((from, steps))
}

/// The value that a pointer names.
fn found(work: &Work<'_, '_>, node: Option<u32>, at: &str) -> Result<Id, String> {
    let (from, steps) = place(work, node, at)?;
    let mut here = from;
    for step in &steps {
        let next = work.text.json.step(here, step);
        here = next.ok_or_else(|| format!("there is nothing at {}", short(at)))?;
    }
    Ok(here)
}

pub(super) fn set(
    work: &mut Work<'_, '_>,
    node: Option<u32>,
    at: &str,
    value: &str,
) -> Result<(), String> {
    let (from, steps) = place(work, node, at)?;
    let read: Value = serde_json::from_str(value)
        .map_err(|error| format!("{} is not JSON: {error}", short(value)))?;
    let new = match read {
        Value::Object(_) | Value::Array(_) => New::from(&read),
        // A number stays as it was typed.
        _ => New::Raw(value.trim().to_owned()),
    };
    work.put(from, &steps, new)
}

pub(super) fn unset(work: &mut Work<'_, '_>, node: Option<u32>, at: &str) -> Result<(), String> {
    let id = found(work, node, at)?;
    work.edits.remove(id);
    Ok(())
}

pub(super) fn rename(
    work: &mut Work<'_, '_>,
    node: Option<u32>,
    at: &str,
    to: &str,
) -> Result<(), String> {
    let id = found(work, node, at)?;
    let json = &work.text.json;
    let around = json
        .part(id)
        .parent
        .filter(|around| json.part(*around).kind == Kind::Object);
    let around =
        around.ok_or_else(|| format!("{} is an item of an array, which has no key", short(at)))?;
    if json.get(around, to).is_some_and(|other| other != id) {
        return Err(format!("there is a key {} already", short(to)));
    }
    work.edits.rename(id, to);
    Ok(())
}
