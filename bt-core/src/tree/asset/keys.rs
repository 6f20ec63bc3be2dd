//! A node of a file as it is read: the keys that are known apart from the others.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::json::{Json, number_or};

/// The keys that a node's fields are read from.
const KNOWN: [&str; 8] = [
    "idx",
    "type",
    "children",
    "parent",
    "comment",
    "color",
    "is_collapsed",
    "extra",
];

/// The keys of a node that were not taken yet.
#[derive(Default)]
pub(super) struct Keys {
    known: [Option<Value>; KNOWN.len()],
    pub(super) others: Map<String, Value>,
}

impl Keys {
    /// Takes the value of a key that is known.
    #[inline]
    pub(super) fn take(&mut self, key: &str) -> Option<Value> {
        self.known[known(key)?].take()
    }

    /// The names of all keys.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let known = KNOWN.iter().zip(&self.known);
        let known = known.filter_map(|(name, value)| value.is_some().then_some(*name));
        known.chain(self.others.keys().map(String::as_str))
    }
}

#[inline]
fn known(key: &str) -> Option<usize> {
    // A match looks at the length first, which leaves one to compare with.
    Some(match key {
        "idx" => 0,
        "type" => 1,
        "children" => 2,
        "parent" => 3,
        "comment" => 4,
        "color" => 5,
        "is_collapsed" => 6,
        "extra" => 7,
        _ => return None,
    })
}

/// Reads an item of the file's list: the keys of a node, into those of the node before, which were
/// taken; else the value, which is no object. The flag is set if a key stands twice.
pub(super) struct Item<'r>(pub(super) &'r mut Keys, pub(super) &'r mut bool);

impl<'de> DeserializeSeed<'de> for Item<'_> {
    type Value = Result<(), Value>;
    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Item<'_> {
    type Value = Result<(), Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Json(&mut false).expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let Item(keys, repeated) = self;
        while let Some(key) = map.next_key_seed(Name)? {
            let value = map.next_value_seed(Json(repeated))?;
            *repeated |= match key {
                Key::Known(at) => keys.known[at].replace(value).is_some(),
                Key::Other(key) => keys.others.insert(key, value).is_some(),
            };
        }
        if keys.known.iter().all(Option::is_none) {
            match number_or(std::mem::take(&mut keys.others)) {
                Value::Object(others) => keys.others = others,
                other => return Ok(Err(other)),
            }
        }
        Ok(Ok(()))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        Json(self.1).visit_bool(value).map(Err)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        Json(self.1).visit_i64(value).map(Err)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        Json(self.1).visit_u64(value).map(Err)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        Json(self.1).visit_f64(value).map(Err)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Json(self.1).visit_str(text).map(Err)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Json(self.1).visit_unit().map(Err)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        Json(self.1).visit_seq(items).map(Err)
    }
}

enum Key {
    /// The number of a known one.
    Known(usize),
    Other(String),
}

/// Reads the name of a key.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Key;
    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Key, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string key")
    }

    fn visit_str<E>(self, name: &str) -> Result<Key, E> {
        Ok(known(name).map_or_else(|| Key::Other(name.to_owned()), Key::Known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_key_is_found_where_it_is_kept() {
        for (at, key) in KNOWN.into_iter().enumerate() {
            assert_eq!(known(key), Some(at));
        }
        assert_eq!(known("index"), None);
    }
}
