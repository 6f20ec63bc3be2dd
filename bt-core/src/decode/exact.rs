//! A deserializer of JSON values that takes numbers by what they are, not by how they are spelt,
//! maps as lists of pairs too, and says where something is wrong.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde_json::Value;

use super::error::one_of;
use super::{DecodeError, number};
use crate::text::name;

/// Decodes one value.
#[derive(Clone, Copy)]
pub(super) struct Exact<'a>(pub(super) &'a Value);

type Result<T> = std::result::Result<T, DecodeError>;

impl<'a> Exact<'a> {
    /// Something else than this type's values may still be to the visitor's liking.
    fn other<V: Visitor<'a>>(
        self,
        visitor: V,
        expected: impl FnOnce() -> String,
    ) -> Result<V::Value> {
        let found = self.0;
        self.deserialize_any(visitor)
            .map_err(|error| error.wanted(expected).at(found))
    }

    /// The pairs of a map that is written as a list of them.
    fn pairs(self) -> Option<Pairs<'a>> {
        let Value::Array(list) = self.0 else {
            return None;
        };
        let is_pair = |pair: &Value| pair.as_array().is_some_and(|pair| pair.len() == 2);
        list.iter()
            .all(is_pair)
            .then(|| Pairs { all: list, next: 0 })
    }
}

macro_rules! numbers {
    ($($name:ident: $ty:ident $visit:ident $words:expr,)*) => {$(
        fn $name<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
            let number: Option<$ty> = number::$ty(self.0);
            match (number, self.0) {
                (Some(number), _) => visitor
                    .$visit(number)
                    .map_err(|error: DecodeError| error.at(self.0)),
                (None, Value::Number(_)) => {
                    Err(DecodeError::expected(String::from($words), self.0))
                }
                _ => self.other(visitor, || String::from($words)),
            }
        }
    )*};
}

macro_rules! range {
    ($ty:ty) => {
        format!("an integer from {} to {}", <$ty>::MIN, <$ty>::MAX)
    };
}

impl<'a> Deserializer<'a> for Exact<'a> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        let visited = match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(truth) => visitor.visit_bool(*truth),
            Value::Number(number) => {
                if let Some(integer) = number.as_u64() {
                    visitor.visit_u64(integer)
                } else if let Some(integer) = number.as_i64() {
                    visitor.visit_i64(integer)
                } else {
                    match number.as_f64() {
                        Some(float) => visitor.visit_f64(float),
                        None => Err(DecodeError::expected("a finite number", self.0)),
                    }
                }
            }
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(list) => return list_of(list, visitor, self.0),
            Value::Object(map) => {
                let entries = Entries {
                    rest: map.iter(),
                    value: None,
                };
                visitor.visit_map(entries)
            }
        };
        visited.map_err(|error| error.at(self.0))
    }

    numbers! {
        deserialize_i8: i8 visit_i8 range!(i8),
        deserialize_i16: i16 visit_i16 range!(i16),
        deserialize_i32: i32 visit_i32 range!(i32),
        deserialize_i64: i64 visit_i64 range!(i64),
        deserialize_i128: i128 visit_i128 "an integer of 128 bits",
        deserialize_u8: u8 visit_u8 range!(u8),
        deserialize_u16: u16 visit_u16 range!(u16),
        deserialize_u32: u32 visit_u32 range!(u32),
        deserialize_u64: u64 visit_u64 range!(u64),
        deserialize_u128: u128 visit_u128 "an integer of 128 bits that is not negative",
        deserialize_f32: f32 visit_f32 "a number that 32 bits hold",
        deserialize_f64: f64 visit_f64 "a number that 64 bits hold",
    }

    fn deserialize_bool<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        self.other(visitor, || "`true` or `false`".to_owned())
    }

    fn deserialize_char<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        self.other(visitor, || "a single character".to_owned())
    }

    fn deserialize_str<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        self.other(visitor, || "a string".to_owned())
    }

    fn deserialize_string<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        self.other(visitor, || "bytes".to_owned())
    }

    fn deserialize_byte_buf<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        self.other(visitor, || "`null`".to_owned())
    }

    fn deserialize_unit_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        self.other(visitor, || "an array".to_owned())
    }

    fn deserialize_tuple<V: Visitor<'a>>(self, len: usize, visitor: V) -> Result<V::Value> {
        match self.0 {
            Value::Array(list) if list.len() != len => Err(DecodeError::expected(
                format!("an array of {len} values"),
                self.0,
            )),
            _ => self.other(visitor, || format!("an array of {len} values")),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.pairs() {
            Some(pairs) => pairs.map(visitor, self.0),
            None => self.other(visitor, || {
                "an object, or an array of `[key, value]` pairs".to_owned()
            }),
        }
    }

    fn deserialize_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        // A list of pairs of which one at least names a field; any other list is the fields in
        // their order, as serde has it.
        let named = |pair: &Value| {
            let name = pair.get(0).and_then(Value::as_str);
            name.is_some_and(|name| fields.contains(&name))
        };
        match self.pairs() {
            Some(pairs) if pairs.all.is_empty() || pairs.all.iter().any(named) => {
                pairs.map(visitor, self.0)
            }
            _ => {
                let read = self.other(visitor, || match fields {
                    [] => "an object".to_owned(),
                    _ => format!("an object with {}", fields_in_words(fields)),
                });
                read.map_err(|error| error.with_names(fields))
            }
        }
    }

    fn deserialize_enum<V: Visitor<'a>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let none = || DecodeError::expected(one_of(variants), self.0).with_names(variants);
        let variant = match self.0 {
            Value::String(name) => Variant {
                name,
                content: None,
            },
            Value::Object(map) if map.len() == 1 => match map.iter().next() {
                Some((name, content)) => Variant {
                    name,
                    content: Some(content),
                },
                None => return Err(none()),
            },
            // `[["Circle", 2.0]]`: the object as a list of its one pair.
            _ => match self.pairs().map(|pairs| pairs.all) {
                Some([pair])
                    if let (Some(Value::String(name)), content) = (pair.get(0), pair.get(1)) =>
                {
                    Variant { name, content }
                }
                _ => return Err(none()),
            },
        };
        visitor
            .visit_enum(variant)
            .map_err(|error| error.at(self.0))
    }

    fn deserialize_identifier<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

fn fields_in_words(fields: &[&str]) -> String {
    let quoted: Vec<_> = fields.iter().map(|name| format!("`{name}`")).collect();
    let noun = if fields.len() == 1 { "field" } else { "fields" };
    format!("the {noun} {}", quoted.join(", "))
}

fn list_of<'a, V: Visitor<'a>>(list: &'a [Value], visitor: V, whole: &Value) -> Result<V::Value> {
    let mut items = Items { all: list, next: 0 };
    let value = visitor
        .visit_seq(&mut items)
        .map_err(|error| error.at(whole))?;
    if items.next < list.len() {
        return Err(DecodeError::expected(
            format!("an array of {} values", items.next),
            whole,
        ));
    }
    Ok(value)
}

struct Items<'a> {
    all: &'a [Value],
    next: usize,
}

impl<'a> SeqAccess<'a> for &mut Items<'a> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(item) = self.all.get(self.next) else {
            return Ok(None);
        };
        let at = self.next;
        self.next += 1;
        let item = seed.deserialize(Exact(item));
        item.map(Some)
            .map_err(|error| error.inside(format_args!("[{at}]")))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.all.len() - self.next)
    }
}

struct Entries<'a> {
    rest: serde_json::map::Iter<'a>,
    value: Option<(&'a str, &'a Value)>,
}

impl<'a> MapAccess<'a> for Entries<'a> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some((key, value)) = self.rest.next() else {
            return Ok(None);
        };
        self.value = Some((key, value));
        seed.deserialize(Key(key)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<T::Value> {
        let Some((key, value)) = self.value.take() else {
            return Err(DecodeError::custom("a value was asked for before its key"));
        };
        let value = seed.deserialize(Exact(value));
        value.map_err(|error| error.inside(format_args!(".{}", name(key))))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// A map as a list of pairs.
struct Pairs<'a> {
    all: &'a [Value],
    next: usize,
}

impl<'a> Pairs<'a> {
    fn map<V: Visitor<'a>>(self, visitor: V, whole: &Value) -> Result<V::Value> {
        let mut seen = HashSet::new();
        for pair in self.all {
            let key = match &pair[0] {
                Value::String(key) => Cow::Borrowed(key.as_str()),
                other => Cow::Owned(other.to_string()),
            };
            if !seen.insert(key) {
                let key = super::shown(&pair[0]);
                return Err(DecodeError::said(format!("key {key} is given twice")).at(whole));
            }
        }
        visitor.visit_map(self).map_err(|error| error.at(whole))
    }
}

impl<'a> MapAccess<'a> for Pairs<'a> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some(pair) = self.all.get(self.next) else {
            return Ok(None);
        };
        let key = match &pair[0] {
            Value::String(key) => seed.deserialize(Key(key)),
            key => seed.deserialize(Exact(key)),
        };
        key.map(Some)
            .map_err(|error| error.inside(format_args!("[{}]", self.next)))
    }

    fn next_value_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<T::Value> {
        let Some(pair) = self.all.get(self.next) else {
            return Err(DecodeError::custom("a value was asked for before its key"));
        };
        let at = self.next;
        self.next += 1;
        let value = seed.deserialize(Exact(&pair[1]));
        value.map_err(|error| error.inside(format_args!("[{at}][1]")))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.all.len() - self.next)
    }
}

/// An object's key: a string that may stand for a number or a bool.
struct Key<'a>(&'a str);

macro_rules! keys {
    ($($name:ident: $ty:ident $visit:ident,)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.0.parse() {
                Ok(parsed) => visitor.$visit(parsed),
                Err(_) => visitor.visit_borrowed_str(self.0).map_err(|_: DecodeError| {
                    DecodeError::said(format!("key `{}` is no `{}`", name(self.0), stringify!($ty)))
                }),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(self.0)
    }

    keys! {
        deserialize_bool: bool visit_bool,
        deserialize_i8: i8 visit_i8,
        deserialize_i16: i16 visit_i16,
        deserialize_i32: i32 visit_i32,
        deserialize_i64: i64 visit_i64,
        deserialize_i128: i128 visit_i128,
        deserialize_u8: u8 visit_u8,
        deserialize_u16: u16 visit_u16,
        deserialize_u32: u32 visit_u32,
        deserialize_u64: u64 visit_u64,
        deserialize_u128: u128 visit_u128,
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let key: StrDeserializer<'de, DecodeError> = self.0.into_deserializer();
        key.deserialize_enum(name, variants, visitor)
    }

    serde::forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}

/// An enum's variant and what it holds.
struct Variant<'a> {
    name: &'a str,
    content: Option<&'a Value>,
}

impl<'a> EnumAccess<'a> for Variant<'a> {
    type Error = DecodeError;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'a>>(self, seed: T) -> Result<(T::Value, Self)> {
        Ok((seed.deserialize(Key(self.name))?, self))
    }
}

impl<'a> Variant<'a> {
    fn content(&self) -> Result<Exact<'a>> {
        let content = self.content.map(Exact);
        let name = self.name;
        content.ok_or_else(|| {
            DecodeError::said(format!(
                "`{name}` holds a value: write `{{\"{name}\": …}}` or `[[\"{name}\", …]]`"
            ))
        })
    }
}

impl<'a> VariantAccess<'a> for Variant<'a> {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<()> {
        match self.content {
            None | Some(Value::Null) => Ok(()),
            Some(content) => Err(DecodeError::expected(
                format!("`{}` alone, which holds nothing", self.name),
                content,
            )),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'a>>(self, seed: T) -> Result<T::Value> {
        let value = seed.deserialize(self.content()?);
        value.map_err(|error| error.inside(format_args!(".{}", self.name)))
    }

    fn tuple_variant<V: Visitor<'a>>(self, len: usize, visitor: V) -> Result<V::Value> {
        let value = self.content()?.deserialize_tuple(len, visitor);
        value.map_err(|error| error.inside(format_args!(".{}", self.name)))
    }

    fn struct_variant<V: Visitor<'a>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let value = self.content()?.deserialize_struct("", fields, visitor);
        value.map_err(|error| error.inside(format_args!(".{}", self.name)))
    }
}
