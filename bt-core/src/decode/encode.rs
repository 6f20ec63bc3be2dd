//! A value's JSON form, where it has one.

use std::fmt;

use serde::ser::{self, Serialize, Serializer};
use serde_json::Value;

/// The reason why a value has no JSON form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NoJson(String);

impl fmt::Display for NoJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "has no JSON form: {}", self.0)
    }
}

impl std::error::Error for NoJson {}

impl ser::Error for NoJson {
    fn custom<T: fmt::Display>(message: T) -> NoJson {
        NoJson(message.to_string())
    }
}

/// A value's JSON form.
///
/// # Errors
/// [`NoJson`] for a map whose keys are no strings, and for a float that is not finite, which
/// `serde_json` alone makes `null`.
pub(crate) fn encode<T: Serialize + ?Sized>(value: &T) -> Result<Value, NoJson> {
    let json = serde_json::to_value(value).map_err(ser::Error::custom)?;
    // What is not finite has become a null: only then is it worth looking.
    if has_null(&json) {
        value.serialize(Finite)?;
    }
    Ok(json)
}

/// Returns whether a value has a JSON form.
///
/// # Errors
/// As of [`encode`].
#[inline]
pub(crate) fn has_json<T: Serialize + ?Sized>(value: &T) -> Result<(), NoJson> {
    value.serialize(Finite)
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(values) => values.iter().any(has_null),
        Value::Object(map) => map.values().any(has_null),
        _ => false,
    }
}

/// A serializer that writes nothing, and refuses what has no JSON form.
#[derive(Clone, Copy)]
struct Finite;

/// A map of one key.
struct Keyed<'a, T: ?Sized>(&'a T);

impl<T: Serialize + ?Sized> Serialize for Keyed<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.0, ())])
    }
}

#[inline]
fn finite(float: f64) -> Result<(), NoJson> {
    if float.is_finite() {
        Ok(())
    } else {
        Err(not_finite(float))
    }
}

#[cold]
fn not_finite(float: f64) -> NoJson {
    NoJson(format!("the number {float} is not finite"))
}

macro_rules! fine {
    ($($name:ident: $ty:ty,)*) => {$(
        #[inline]
        fn $name(self, _: $ty) -> Result<(), NoJson> {
            Ok(())
        }
    )*};
}

impl Serializer for Finite {
    type Ok = ();
    type Error = NoJson;
    type SerializeSeq = Finite;
    type SerializeTuple = Finite;
    type SerializeTupleStruct = Finite;
    type SerializeTupleVariant = Finite;
    type SerializeMap = Finite;
    type SerializeStruct = Finite;
    type SerializeStructVariant = Finite;

    fine! {
        serialize_bool: bool,
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_char: char,
        serialize_str: &str,
        serialize_bytes: &[u8],
        serialize_unit_struct: &'static str,
    }

    fn serialize_i128(self, wide: i128) -> Result<(), NoJson> {
        serde_json::to_value(wide)
            .map(drop)
            .map_err(ser::Error::custom)
    }

    fn serialize_u128(self, wide: u128) -> Result<(), NoJson> {
        serde_json::to_value(wide)
            .map(drop)
            .map_err(ser::Error::custom)
    }

    #[inline]
    fn serialize_f32(self, float: f32) -> Result<(), NoJson> {
        finite(float.into())
    }

    #[inline]
    fn serialize_f64(self, float: f64) -> Result<(), NoJson> {
        finite(float)
    }

    fn serialize_none(self) -> Result<(), NoJson> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), NoJson> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), NoJson> {
        Ok(())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
    ) -> Result<(), NoJson> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), NoJson> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), NoJson> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Finite, NoJson> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Finite, NoJson> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Finite, NoJson> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Finite, NoJson> {
        Ok(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Finite, NoJson> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Finite, NoJson> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Finite, NoJson> {
        Ok(self)
    }
}

macro_rules! parts {
    ($($part:ident::$name:ident($($key:ty)?),)*) => {$(
        impl ser::$part for Finite {
            type Ok = ();
            type Error = NoJson;

            fn $name<T: Serialize + ?Sized>(
                &mut self,
                $(_: $key,)?
                value: &T,
            ) -> Result<(), NoJson> {
                value.serialize(*self)
            }

            fn end(self) -> Result<(), NoJson> {
                Ok(())
            }
        }
    )*};
}

parts! {
    SerializeSeq::serialize_element(),
    SerializeTuple::serialize_element(),
    SerializeTupleStruct::serialize_field(),
    SerializeTupleVariant::serialize_field(),
    SerializeStruct::serialize_field(&'static str),
    SerializeStructVariant::serialize_field(&'static str),
}

impl ser::SerializeMap for Finite {
    type Ok = ();
    type Error = NoJson;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), NoJson> {
        let map = serde_json::to_value(Keyed(key));
        map.map(drop).map_err(ser::Error::custom)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NoJson> {
        value.serialize(*self)
    }

    fn end(self) -> Result<(), NoJson> {
        Ok(())
    }
}
