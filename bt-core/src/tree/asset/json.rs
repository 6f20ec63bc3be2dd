//! JSON to values, and whether a key may stand twice in one of the objects.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Reads any value. Of a key that stands twice the last value stays, and the flag is set.
pub(super) struct Json<'r>(pub(super) &'r mut bool);

impl<'de> DeserializeSeed<'de> for Json<'_> {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Json<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any valid JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Json(self.0))? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut keys: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = keys.next_key::<String>()? {
            let value = keys.next_value_seed(Json(self.0))?;
            *self.0 |= map.insert(key, value).is_some();
        }
        Ok(number_or(map))
    }
}

/// The one key of what stands for a number, if some crate of the program turns on serde_json's
/// `arbitrary_precision`; else, a key.
const NUMBER: &str = "$serde_json::private::Number";

/// An object, unless it stands for a number.
pub(super) fn number_or(map: Map<String, Value>) -> Value {
    let as_number = map.len() == 1 && map.contains_key(NUMBER);
    let object = Value::Object(map);
    match as_number {
        true => serde_json::from_str(&object.to_string()).unwrap_or(object),
        false => object,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a text, and whether a key may stand twice.
    fn read(text: &str) -> (Value, bool) {
        let mut repeated = false;
        let mut json = serde_json::Deserializer::from_str(text);
        let value = Json(&mut repeated).deserialize(&mut json).unwrap();
        (value, repeated)
    }

    #[test]
    fn a_value_is_what_serde_json_makes_of_it() {
        for text in [
            "null",
            "[true, false, -1, 0, -0, 18446744073709551615, 1.0, 1e300, 0.1]",
            r#"{"a": {"\u00e9": "x\"y"}, "b": [[], {}, ["日本"]]}"#,
            r#"{"$serde_json::private::Number": "1"}"#,
        ] {
            let expected = serde_json::from_str(text).unwrap();
            assert_eq!(read(text), (expected, false), "{text}");
        }
    }

    #[test]
    fn duplicate_key_is_found_at_any_depth() {
        for text in [
            r#"{"a": 1, "\u0061": 2}"#,
            r#"[{"b": [{"a": 1, "c": {}, "a": null}]}]"#,
        ] {
            let (value, repeated) = read(text);
            assert_eq!(value, serde_json::from_str::<Value>(text).unwrap());
            assert!(repeated, "{text}");
        }
        assert!(!read(r#"{"a": {"a": 1}, "b": {"a": 1}}"#).1);
    }
}
