//! The forms that the values of keys have.

use std::fmt::{self, Display};
use std::time::Duration;

use serde_json::{Value, json};

use super::number::Number;
use super::path::Path;
use super::read::{FromJson, Problems, as_object, out_of_range, wrong_form};
use crate::clock::nanos;
use crate::decode::decode;

/// A name: text that is not empty. The hole is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Name<'t>(pub &'t str);

impl Name<'_> {
    /// The schema of a name, with the words of a key that has no field of its own.
    fn described(description: &str) -> Value {
        json!({"type": "string", "minLength": 1, "description": description})
    }
}

impl<'t> FromJson<'t> for Name<'t> {
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Name<'t> {
        match json.as_str() {
            None => wrong_form("text", json, path, problems),
            Some("") => out_of_range(&"text that is not empty", json, path, problems),
            Some(_) => {}
        }
        Name(json.as_str().unwrap_or_default())
    }

    fn schema() -> Value {
        json!({"type": "string", "minLength": 1})
    }
}

/// The text of an expression. The hole is empty.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Formula<'t>(pub &'t str);

impl Display for Formula<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl<'t> FromJson<'t> for Formula<'t> {
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Formula<'t> {
        Formula(Name::read(json, path, problems).0)
    }

    fn schema() -> Value {
        json!({"$ref": "#/$defs/node.expression"})
    }
}

impl Formula<'_> {
    /// The JSON Schema of the text.
    pub(super) fn definition() -> Value {
        json!({
            "type": "string", "minLength": 1, "maxLength": crate::expression::LONGEST,
            "description": "an expression, such as `$hp < 0.3 * @max_hp && !is_friend($target)`",
        })
    }
}

impl<'t> FromJson<'t> for bool {
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> bool {
        json.as_bool().unwrap_or_else(|| {
            wrong_form("`true` or `false`", json, path, problems);
            false
        })
    }

    fn schema() -> Value {
        json!({"type": "boolean"})
    }
}

/// A number of runs; below 0: for ever. Files may also write it as `3.0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count(pub i64);

impl Count {
    /// For ever.
    pub const FOR_EVER: Count = Count(-1);
}

impl Default for Count {
    fn default() -> Count {
        Count(1)
    }
}

impl Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ..0 => f.write_str("× ∞"),
            count => write!(f, "× {count}"),
        }
    }
}

impl<'t> FromJson<'t> for Count {
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Count {
        decode(json).map_or_else(
            |_| {
                no_integer(json, path, problems);
                Count::default()
            },
            Count,
        )
    }

    fn schema() -> Value {
        json!({"type": "integer"})
    }
}

/// Reports what is no integer, or a larger one than counts are.
fn no_integer(json: &Value, path: &Path<'_>, problems: &mut Problems<'_>) {
    match json.as_f64().is_some_and(|number| number.fract() == 0.0) {
        true => {
            let expected = &format_args!("an integer from {} to {}", i64::MIN, i64::MAX);
            out_of_range(expected, json, path, problems);
        }
        false => wrong_form("an integer", json, path, problems),
    }
}

/// A whole number that is not below another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AtLeast<const LEAST: u64>(pub u64);

impl<const LEAST: u64> Default for AtLeast<LEAST> {
    fn default() -> Self {
        AtLeast(LEAST)
    }
}

impl<const LEAST: u64> Display for AtLeast<LEAST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'t, const LEAST: u64> FromJson<'t> for AtLeast<LEAST> {
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Self {
        let Ok(number) = decode::<i64>(json) else {
            no_integer(json, path, problems);
            return AtLeast::default();
        };
        match u64::try_from(number).ok().filter(|number| *number >= LEAST) {
            Some(number) => AtLeast(number),
            None => {
                out_of_range(&format_args!("{LEAST} at least"), json, path, problems);
                AtLeast::default()
            }
        }
    }

    fn schema() -> Value {
        json!({"type": "integer", "minimum": LEAST})
    }
}

/// A number from 0 on.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Weight(pub f64);

impl Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'t> FromJson<'t> for Weight {
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Weight {
        Weight(number_from_0(json, path, problems).unwrap_or_default())
    }

    fn schema() -> Value {
        json!({"type": "number", "minimum": 0})
    }
}

/// A weight for each child: one at least. The hole is none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Weights<'t>(pub Vec<Number<'t, Weight>>);

impl Display for Weights<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, weight) in self.0.iter().enumerate() {
            write!(f, "{}{weight}", if at == 0 { "" } else { " : " })?;
        }
        Ok(())
    }
}

impl<'t> FromJson<'t> for Weights<'t> {
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Weights<'t> {
        if json.as_array().is_some_and(Vec::is_empty) {
            out_of_range(&"one at least", json, path, problems);
        }
        Weights(Vec::read(json, path, problems))
    }

    fn schema() -> Value {
        json!({"type": "array", "minItems": 1, "items": Number::<Weight>::schema()})
    }
}

/// A number that is finite and not below 0.
fn number_from_0(json: &Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Option<f64> {
    let number = finite(json, path, problems)?;
    if number < 0.0 {
        out_of_range(&"0 at least", json, path, problems);
        return None;
    }
    Some(number)
}

fn finite(json: &Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Option<f64> {
    let number = json.as_f64().filter(|number| number.is_finite());
    if number.is_none() {
        wrong_form("a number", json, path, problems);
    }
    number
}

/// A time in seconds, which files write as a number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seconds(pub Duration);

impl Seconds {
    /// In nanoseconds; the longest time is as good as for ever.
    pub(crate) fn nanos(self) -> u64 {
        nanos(self.0).min(u64::MAX - 1)
    }

    fn of(number: f64, json: &Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Seconds {
        match Duration::try_from_secs_f64(number) {
            Ok(time) => Seconds(time),
            Err(_) => {
                out_of_range(&"a time that a clock can say", json, path, problems);
                Seconds::default()
            }
        }
    }
}

impl Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", self.0.as_secs_f64())
    }
}

impl<'t> FromJson<'t> for Seconds {
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Seconds {
        match number_from_0(json, path, problems) {
            Some(number) => Seconds::of(number, json, path, problems),
            None => Seconds::default(),
        }
    }

    fn schema() -> Value {
        json!({"type": "number", "minimum": 0})
    }
}

/// A time in seconds that is longer than none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PositiveSeconds(pub Seconds);

impl Display for PositiveSeconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'t> FromJson<'t> for PositiveSeconds {
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> PositiveSeconds {
        PositiveSeconds(match finite(json, path, problems) {
            Some(number) if number > 0.0 => Seconds::of(number, json, path, problems),
            Some(_) => {
                out_of_range(&"more than 0", json, path, problems);
                Seconds::default()
            }
            None => Seconds::default(),
        })
    }

    fn schema() -> Value {
        json!({"type": "number", "exclusiveMinimum": 0})
    }
}

/// Any JSON.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Json<'t>(pub &'t Value);

impl Default for Json<'_> {
    fn default() -> Self {
        Json(&Value::Null)
    }
}

impl<'t> FromJson<'t> for Json<'t> {
    fn read(json: &'t Value, _: &Path<'_>, _: &mut Problems<'_>) -> Json<'t> {
        Json(json)
    }

    fn schema() -> Value {
        json!(true)
    }
}

/// A value that may be omitted.
impl<'t, T: FromJson<'t>> FromJson<'t> for Option<T> {
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Option<T> {
        Some(T::read(json, path, problems))
    }

    fn schema() -> Value {
        T::schema()
    }
}

impl<'t, T: FromJson<'t>> FromJson<'t> for Vec<T> {
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Vec<T> {
        let Some(items) = json.as_array() else {
            wrong_form("an array", json, path, problems);
            return Vec::new();
        };
        let items = items.iter().enumerate();
        items
            .map(|(at, item)| T::read(item, &path.item(at), problems))
            .collect()
    }

    fn schema() -> Value {
        json!({"type": "array", "items": T::schema()})
    }
}

/// Values by names that somebody made up.
pub type ByName<'t, T> = Vec<(&'t str, T)>;

/// Blackboard keys for the parameters of an event, by the parameters' names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Parameters<'t>(pub ByName<'t, Name<'t>>);

impl Display for Parameters<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (param, Name(key))) in self.0.iter().enumerate() {
            write!(f, "{}{param} to ${key}", if at == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl<'t> FromJson<'t> for Parameters<'t> {
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Parameters<'t> {
        Parameters(by_name(json, path, problems, Name::read))
    }

    fn schema() -> Value {
        json!({"type": "object", "additionalProperties": Name::described("a blackboard key")})
    }
}

/// Each value of an object with its key.
pub(super) fn by_name<'t, T>(
    json: &'t Value,
    path: &Path<'_>,
    problems: &mut Problems<'_>,
    read: impl Fn(&'t Value, &Path<'_>, &mut Problems<'_>) -> T,
) -> ByName<'t, T> {
    let all = as_object(json, path, problems).into_iter().flatten();
    all.map(|(key, json)| (key.as_str(), read(json, &path.key(key), problems)))
        .collect()
}
