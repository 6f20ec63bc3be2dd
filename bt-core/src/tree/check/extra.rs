//! Whether a node's `extra` has the shape that its kind's schema gives it.
//!
//! The table of kinds is what editors show, so it is what is checked here: nothing of it is said
//! again in code.

use serde_json::{Map, Value};

use super::kinds::target;
use super::report::{At, Report, one_of, suggest};
use crate::call::{decode, shown};
use crate::text;

/// Looks at an object; keys that the schema does not know are told of if `strange` says so.
pub(super) fn object(
    schema: &Value,
    at: &At<'_>,
    map: &Map<String, Value>,
    strange: bool,
    report: &mut Report,
) {
    let schema = target(schema);
    let known = schema.get("properties").and_then(Value::as_object);
    for (key, found) in map {
        let at = at.key(key);
        match known.and_then(|known| known.get(key)) {
            Some(schema) => value(schema, &at, found, report),
            None => match schema.get("additionalProperties") {
                Some(Value::Bool(false)) => no_such_key(known, &at, key, report),
                Some(schema) => value(schema, &at, found, report),
                None if strange => strange_key(known, &at, key, report),
                None => {}
            },
        }
    }
    required(schema, at, map, report);
    if holds(schema, map)
        && let Some(schema) = schema.get("then")
    {
        object(schema, at, map, false, report);
    }
}

fn no_such_key(known: Option<&Map<String, Value>>, at: &At<'_>, key: &str, report: &mut Report) {
    let names = || known.into_iter().flat_map(Map::keys).map(String::as_str);
    report.error(
        at,
        || {
            let key = text::name(key);
            format!("there is no `{key}`, expected {}", one_of(names(), "or"))
        },
        || suggest(key, names()),
    );
}

/// Files keep keys that nobody knows, so this is no error.
fn strange_key(known: Option<&Map<String, Value>>, at: &At<'_>, key: &str, report: &mut Report) {
    let names = known.into_iter().flat_map(Map::keys).map(String::as_str);
    report.warning(
        at,
        || format!("{}means nothing here", at.words().replace(": ", " ")),
        || suggest(key, names),
    );
}

fn required(schema: &Value, at: &At<'_>, map: &Map<String, Value>, report: &mut Report) {
    for key in strings(schema, "required").filter(|key| !map.contains_key(*key)) {
        let known = &schema["properties"];
        let says = known[key].get("description").and_then(Value::as_str);
        let is_stray = |other: &&str| known.get(other).is_none();
        report.error(
            at,
            || format!("{}the key `{key}` is missing", at.words()),
            || match suggest(key, map.keys().map(String::as_str).filter(is_stray)) {
                none if none.is_empty() => says.map_or(none, |says| format!("it says {says}")),
                near => near,
            },
        );
    }
    let Some(Value::Array(options)) = schema.get("anyOf") else {
        return;
    };
    let keys = || {
        options
            .iter()
            .flat_map(|option| strings(option, "required"))
    };
    if !keys().any(|key| map.contains_key(key)) {
        report.error(
            at,
            || format!("{}{} is missing", at.words(), one_of(keys(), "or")),
            String::new,
        );
    }
}

/// Whether the `if` of a schema holds: that some keys have some values.
fn holds(schema: &Value, map: &Map<String, Value>) -> bool {
    let wanted = schema.get("if").and_then(|schema| schema.get("properties"));
    let mut wanted = wanted.and_then(Value::as_object).into_iter().flatten();
    wanted.all(|(key, schema)| {
        let found = map.get(key).and_then(Value::as_str);
        strings(schema, "enum").any(|one| Some(one) == found)
    })
}

fn strings<'s>(schema: &'s Value, key: &str) -> impl Iterator<Item = &'s str> {
    let list = schema.get(key).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str)
}

/// Looks at a value.
pub(super) fn value(schema: &Value, at: &At<'_>, found: &Value, report: &mut Report) {
    let schema = target(schema);
    if schema.get("enum").is_some() {
        return choice(schema, at, found, report);
    }
    let expected = match schema.get("type").and_then(Value::as_str) {
        Some("string") => found.as_str().is_none().then_some("text"),
        Some("boolean") => found.as_bool().is_none().then_some("`true` or `false`"),
        Some("integer") => decode::<i64>(found).is_err().then_some("an integer"),
        Some("number") => number(found).is_none().then_some("a number"),
        Some("array") => (!found.is_array()).then_some("an array"),
        Some("object") => (!found.is_object()).then_some("an object"),
        _ => None,
    };
    if let Some(expected) = expected.map(str::to_owned).or_else(|| limit(schema, found)) {
        wrong(at, &expected, found, report);
        return;
    }
    match found {
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                value(&schema["items"], &at.item(i), item, report);
            }
        }
        Value::Object(map) if schema.get("type").is_some() => {
            object(schema, at, map, true, report);
        }
        _ => {}
    }
}

fn wrong(at: &At<'_>, expected: &str, found: &Value, report: &mut Report) {
    report.error(
        at,
        || format!("{}expected {expected}, found {}", at.words(), shown(found)),
        String::new,
    );
}

fn choice(schema: &Value, at: &At<'_>, found: &Value, report: &mut Report) {
    let choices = || strings(schema, "enum");
    let found = match found.as_str() {
        Some(found) if choices().any(|choice| choice == found) => return,
        Some(found) => found,
        None => return wrong(at, &one_of(choices(), "or"), found, report),
    };
    report.error(
        at,
        || {
            let (found, choices) = (text::name(found), one_of(choices(), "or"));
            format!("{}expected {choices}, found `{found}`", at.words())
        },
        || suggest(found, choices()),
    );
}

/// A number that is finite.
pub(super) fn number(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| number.is_finite())
}

/// What was expected of a value that is beyond a limit.
fn limit(schema: &Value, found: &Value) -> Option<String> {
    let limit = |key: &str| schema.get(key).and_then(Value::as_f64);
    match found {
        Value::String(text) => {
            let empty = limit("minLength").is_some() && text.is_empty();
            empty.then(|| "text that is not empty".to_owned())
        }
        Value::Array(items) => {
            let empty = limit("minItems").is_some() && items.is_empty();
            empty.then(|| "one at least".to_owned())
        }
        Value::Number(_) => {
            let number = number(found)?;
            let below = limit("minimum").filter(|least| number < *least);
            let below = below.map(|least| format!("{least} at least"));
            below.or_else(|| {
                let least = limit("exclusiveMinimum").filter(|least| number <= *least)?;
                Some(format!("more than {least}"))
            })
        }
        _ => None,
    }
}
