//! The check that a scene can be played: a file may have been changed by anybody.

use serde_json::{Number, Value};

use super::{Loaded, SavedError};

/// The greatest value of a number: sums in a game never come near, and fit.
const MOST: f64 = 1e9;

/// The greatest width and height of a map, in metres: to find a way takes memory for all of it.
const LARGEST: f64 = 1000.0;

/// Returns whether there is a number that is too large. What runners have saved they look at themselves.
pub(super) fn check_numbers(value: &Value) -> Result<(), SavedError> {
    match too_large(value) {
        Some((path, number)) => {
            let path = path.trim_start_matches('.');
            let why = format!("`{path}`: expected no number beyond {MOST}, found {number}");
            Err(SavedError(why))
        }
        None => Ok(()),
    }
}

/// The first number that is too large, and where it is. What was read is not deep.
fn too_large(value: &Value) -> Option<(String, &Number)> {
    let below = |key: &dyn std::fmt::Display, value| {
        let (path, number) = too_large(value)?;
        Some((format!(".{key}{path}"), number))
    };
    match value {
        Value::Number(number) => {
            let is_small = number.as_f64().is_some_and(|number| number.abs() <= MOST);
            (!is_small).then(|| (String::new(), number))
        }
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items.find_map(|(at, item)| below(&at, item))
        }
        Value::Object(members) => {
            let mut members = members.iter().filter(|(key, _)| *key != "runner");
            members.find_map(|(key, member)| below(key, member))
        }
        _ => None,
    }
}

/// Returns whether the parts belong together.
pub(super) fn check(loaded: &Loaded) -> Result<(), SavedError> {
    let wrong = |place: String, why: String| Err(SavedError(format!("`{place}`: {why}")));
    let size = loaded.world.ground().size;
    for (name, metres) in [("x", size.x), ("y", size.y)] {
        if !(1.0..=LARGEST).contains(&metres) {
            let why = format!("expected 1 to {LARGEST} metres, found {metres}");
            return wrong(format!("world.ground.size.{name}"), why);
        }
    }
    for (key, entity) in loaded.world.keyed_entities() {
        if entity.id != key {
            let why = format!("expected {key}, found {}", entity.id);
            return wrong(format!("world.entities.{key}.id"), why);
        }
        let last = loaded.world.last_id();
        if key > last {
            return wrong(
                "world.last_id".to_owned(),
                format!("there is an entity {key}, found {last}"),
            );
        }
    }
    for (id, mind) in &loaded.minds {
        if mind.entity() != *id {
            let why = format!(
                "expected the agent of entity {id}, found that of {}",
                mind.entity()
            );
            return wrong(format!("minds.{id}"), why);
        }
    }
    Ok(())
}
