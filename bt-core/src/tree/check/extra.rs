//! Whether a node's `extra` has the shape that its kind's schema gives it.
//!
//! The table of kinds is what editors show, so it is what is checked here: nothing of it is said
//! again in code.

use crate::tree::Code;
use serde_json::{Map, Value};

use super::report::{At, Report, one_of, suggest};
use super::shape::{Form, Keys, Others, Shape};
use crate::call::{decode, shown};
use crate::registry::lookup::nearest;
use crate::text;

/// Looks at an object; keys that the schema does not know are told of if `strange` says so.
pub(super) fn object(
    keys: &Keys,
    at: &At<'_>,
    map: &Map<String, Value>,
    strange: bool,
    report: &mut Report,
) {
    for (key, found) in map {
        let at = at.key(key);
        match (keys.get(key), &keys.others) {
            (Some(shape), _) => value(shape, &at, found, report),
            (None, Others::Are(shape)) => value(shape, &at, found, report),
            (None, Others::None) => no_such_key(keys, &at, key, report),
            (None, Others::Unsaid) if strange => strange_key(keys, &at, key, report),
            (None, Others::Unsaid) => {}
        }
    }
    required(keys, at, map, report);
    if let Some(then) = keys.then.as_ref().filter(|_| holds(keys, map)) {
        object(&then.object, at, map, false, report);
    }
}

fn no_such_key(keys: &Keys, at: &At<'_>, key: &str, report: &mut Report) {
    report.tell(
        Code::UnknownKey,
        at,
        || {
            let key = text::name(key);
            format!(
                "there is no `{key}`, expected {}",
                one_of(keys.names(), "or")
            )
        },
        || suggest(key, keys.names()),
    );
}

/// Files keep keys that nobody knows, so this is no error.
fn strange_key(keys: &Keys, at: &At<'_>, key: &str, report: &mut Report) {
    report.tell(
        Code::MeaninglessKey,
        at,
        || format!("{}means nothing here", at.words().replace(": ", " ")),
        || suggest(key, keys.names()),
    );
}

fn required(keys: &Keys, at: &At<'_>, map: &Map<String, Value>, report: &mut Report) {
    for key in keys.required.iter().filter(|key| !map.contains_key(*key)) {
        let is_stray = |other: &&str| keys.get(other).is_none();
        let says = |says: &str| format!("it says {says}");
        report.tell(
            Code::MissingKey,
            at,
            || format!("{}the key `{key}` is missing", at.words()),
            || {
                let strays = map.keys().map(String::as_str).filter(is_stray);
                match nearest(key, strays).first() {
                    Some(stray) => format!("write it in place of `{stray}`"),
                    None => keys.description(key).map_or_else(String::new, says),
                }
            },
        );
    }
    let Some(options) = &keys.one_of else {
        return;
    };
    if !options.iter().any(|key| map.contains_key(key)) {
        let options = options.iter().map(String::as_str);
        report.tell(
            Code::MissingKey,
            at,
            || format!("{}{} is missing", at.words(), one_of(options, "or")),
            String::new,
        );
    }
}

/// Whether the `if` of a schema holds: that some keys have some values.
fn holds(keys: &Keys, map: &Map<String, Value>) -> bool {
    keys.when.iter().all(|(key, values)| {
        let found = map.get(key).and_then(Value::as_str);
        values.iter().any(|one| Some(one.as_str()) == found)
    })
}

/// Looks at a value.
pub(super) fn value(shape: &Shape, at: &At<'_>, found: &Value, report: &mut Report) {
    if let Some(choices) = &shape.choices {
        return choice(choices, at, found, report);
    }
    if let Some(expected) = shape.form.and_then(|form| other_form(form, found)) {
        return wrong(Code::WrongForm, at, expected, found, report);
    }
    if let Some(expected) = limit(shape, found) {
        return wrong(Code::OutOfRange, at, &expected, found, report);
    }
    match found {
        Value::Array(items) => {
            let Some(shape) = &shape.items else { return };
            for (i, item) in items.iter().enumerate() {
                value(shape, &at.item(i), item, report);
            }
        }
        Value::Object(map) if shape.form.is_some() => {
            object(&shape.object, at, map, true, report);
        }
        _ => {}
    }
}

/// What was expected of a value that is of another form.
fn other_form(form: Form, found: &Value) -> Option<&'static str> {
    let (right, expected) = match form {
        Form::Text => (found.is_string(), "text"),
        Form::Flag => (found.is_boolean(), "`true` or `false`"),
        Form::Integer => (decode::<i64>(found).is_ok(), "an integer"),
        Form::Number => (number(found).is_some(), "a number"),
        Form::Array => (found.is_array(), "an array"),
        Form::Object => (found.is_object(), "an object"),
    };
    (!right).then_some(expected)
}

fn wrong(code: Code, at: &At<'_>, expected: &str, found: &Value, report: &mut Report) {
    report.tell(
        code,
        at,
        || format!("{}expected {expected}, found {}", at.words(), shown(found)),
        String::new,
    );
}

fn choice(choices: &[String], at: &At<'_>, found: &Value, report: &mut Report) {
    let choices = || choices.iter().map(String::as_str);
    let found = match found.as_str() {
        Some(found) if choices().any(|choice| choice == found) => return,
        Some(found) => found,
        None => return wrong(Code::WrongForm, at, &one_of(choices(), "or"), found, report),
    };
    report.tell(
        Code::UnknownChoice,
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
fn limit(shape: &Shape, found: &Value) -> Option<String> {
    match found {
        Value::String(text) => {
            let empty = shape.filled && text.is_empty();
            empty.then(|| "text that is not empty".to_owned())
        }
        Value::Array(items) => {
            let empty = shape.filled && items.is_empty();
            empty.then(|| "one at least".to_owned())
        }
        Value::Number(_) => {
            let number = number(found)?;
            let below = shape.minimum.filter(|least| number < *least);
            let below = below.map(|least| format!("{least} at least"));
            below.or_else(|| {
                let least = shape.more_than.filter(|least| number <= *least)?;
                Some(format!("more than {least}"))
            })
        }
        _ => None,
    }
}
