//! Objects, and the arrays of pairs that stand for them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::describe::schema::{self, Others};
use crate::text;

/// One of an object, or of the pairs that stand for it.
pub(super) struct Entry<'v> {
    /// A number as text; none of a pair whose key is neither.
    pub(super) key: Option<Cow<'v, str>>,
    pub(super) value: &'v Value,
    pub(super) step: String,
}

pub(super) enum Entries<'v> {
    Are(Vec<Entry<'v>>),
    /// The fields in their order.
    Positions,
    /// A key stands twice.
    Twice(&'v Value),
    None,
}

pub(super) fn entries<'v>(fields: Option<&Map<String, Value>>, value: &'v Value) -> Entries<'v> {
    let pairs = match value {
        Value::Object(map) => {
            let entries = map.iter().map(|(key, value)| Entry {
                key: Some(key.as_str().into()),
                value,
                step: format!(".{}", text::name(key)),
            });
            return Entries::Are(entries.collect());
        }
        Value::Array(items) => {
            let pair = |item: &'v Value| item.as_array().filter(|pair| pair.len() == 2);
            items.iter().map(pair).collect::<Option<Vec<_>>>()
        }
        _ => return Entries::None,
    };
    let named = |pair: &&Vec<Value>| {
        let key = pair[0].as_str();
        key.is_some_and(|key| fields.is_some_and(|fields| fields.contains_key(key)))
    };
    match (pairs, fields) {
        (None, None) => Entries::None,
        (None, Some(_)) => Entries::Positions,
        (Some(pairs), Some(_)) if !pairs.is_empty() && !pairs.iter().any(named) => {
            Entries::Positions
        }
        (Some(pairs), _) => of_pairs(&pairs),
    }
}

fn of_pairs<'v>(pairs: &[&'v Vec<Value>]) -> Entries<'v> {
    let mut seen = BTreeSet::new();
    for pair in pairs {
        let key = pair[0]
            .as_str()
            .map_or_else(|| pair[0].to_string(), str::to_owned);
        if !seen.insert(key) {
            return Entries::Twice(&pair[0]);
        }
    }
    let entries = pairs.iter().enumerate().map(|(at, pair)| Entry {
        key: match &pair[0] {
            Value::Number(number) => Some(number.to_string().into()),
            other => other.as_str().map(Cow::from),
        },
        value: &pair[1],
        step: format!("[{at}][1]"),
    });
    Entries::Are(entries.collect())
}

/// The one key of an object that can have no other: how a variant's value is written.
pub(super) fn variant(schema: &Value) -> Option<&str> {
    let fields = schema::fields(schema)?;
    let closed = schema::others(schema) == Others::None;
    let (name, _) = fields
        .iter()
        .next()
        .filter(|_| closed && fields.len() == 1)?;
    schema::required(schema)
        .any(|key| key == name)
        .then_some(name)
}

/// The numbers that are keys of a map, and the schema of its values.
pub(super) fn by_number(schema: &Value) -> Option<(Number, &Value)> {
    let (pattern, of) = schema::by_pattern(schema)?;
    match pattern {
        r"^\d+$" => Some((Number::Unsigned, of)),
        r"^-?\d+$" => Some((Number::Signed, of)),
        _ => None,
    }
}

/// A number as a key. A schema does not say its size.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Unsigned,
    Signed,
}

impl Number {
    /// Returns true if all types of that sign have it.
    pub(super) fn certainly_has(self, key: &str) -> bool {
        let shortest = match self {
            Number::Unsigned => key.parse::<u8>().map(|number| number.to_string()),
            Number::Signed => key.parse::<i8>().map(|number| number.to_string()),
        };
        shortest.is_ok_and(|shortest| shortest == key)
    }
}

/// Returns true if an object may have any value under any key.
pub(super) fn takes_all(schema: &Value) -> bool {
    matches!(schema::others(schema), Others::Unsaid | Others::All)
}

/// The one key of an object and its value; the object may be an array of one pair.
pub(super) fn single(value: &Value) -> Option<(&str, &Value)> {
    match value {
        Value::Object(map) if map.len() == 1 => map.iter().next().map(|(key, of)| (&**key, of)),
        Value::Array(pairs) => match pairs.as_slice() {
            [Value::Array(pair)] => match pair.as_slice() {
                [Value::String(key), of] => Some((key, of)),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}
