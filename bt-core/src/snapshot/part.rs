//! Parts of a saved agent that stand in one JSON object, each with fields of its own.

use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

use crate::decode::{DecodeError, decode};

/// Takes the fields of a part out of the whole, and reads it: an error knows its place.
pub(super) fn take<T: DeserializeOwned + 'static>(
    all: &mut Map<String, Value>,
) -> Result<T, DecodeError> {
    let own = names::<T>().iter();
    let own = own.filter_map(|name| all.remove_entry(*name));
    decode(&Value::Object(own.collect()))
}

/// The names of a part's fields.
pub(super) fn names<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &[&str] = &[];
    // It fails: it is asked for the names alone.
    let _ = T::deserialize(Names(&mut names));
    names
}

/// Writes the fields of a part into the whole.
pub(super) fn put(part: &impl serde::Serialize, all: &mut Map<String, Value>) {
    let part = serde_json::to_value(part).expect("JSON values under text keys can be written");
    if let Value::Object(fields) = part {
        all.extend(fields);
    }
}

/// Learns the names of a struct's fields.
struct Names<'n>(&'n mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Names<'_> {
    type Error = Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("there is no value"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
