//! A property's value as JSON, where a number that is not finite is an error: `serde_json` alone
//! shows it as `null`, as if there were no value.

use serde::Serialize;
use serde::ser::{self, Error, Serializer};
use serde_json::Value;

use crate::call::CallError;

/// A value's JSON form.
///
/// # Errors
/// [`CallError::is_refused`] if it has none: a map whose keys are no strings, a number that is not
/// finite, anywhere in it.
pub fn shown<T: Serialize + ?Sized>(value: &T) -> Result<Value, CallError> {
    Finite(value)
        .serialize(serde_json::value::Serializer)
        .map_err(|why| CallError::refused(format!("its value has no JSON form: {why}")))
}

/// A value whose numbers are to be finite.
struct Finite<'a, T: ?Sized>(&'a T);

impl<T: Serialize + ?Sized> Serialize for Finite<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(Checked(serializer))
    }
}

/// A serializer that refuses numbers which are not finite.
struct Checked<S>(S);

fn finite<E: Error>(number: f64) -> Result<(), E> {
    if number.is_finite() {
        return Ok(());
    }
    Err(E::custom(format!("{number} is no number in JSON")))
}

/// Methods that pass a plain value on.
macro_rules! pass {
    ($($name:ident($($arg:ident: $ty:ty),*);)*) => {$(
        fn $name(self, $($arg: $ty),*) -> Result<S::Ok, S::Error> {
            self.0.$name($($arg),*)
        }
    )*};
}

/// Methods that begin a list or a map.
macro_rules! begin {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $part:ident;)*) => {$(
        fn $name(self, $($arg: $ty),*) -> Result<Self::$part, S::Error> {
            self.0.$name($($arg),*).map(Checked)
        }
    )*};
}

impl<S: Serializer> Serializer for Checked<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Checked<S::SerializeSeq>;
    type SerializeTuple = Checked<S::SerializeTuple>;
    type SerializeTupleStruct = Checked<S::SerializeTupleStruct>;
    type SerializeTupleVariant = Checked<S::SerializeTupleVariant>;
    type SerializeMap = Checked<S::SerializeMap>;
    type SerializeStruct = Checked<S::SerializeStruct>;
    type SerializeStructVariant = Checked<S::SerializeStructVariant>;

    pass! {
        serialize_bool(v: bool);
        serialize_i8(v: i8);
        serialize_i16(v: i16);
        serialize_i32(v: i32);
        serialize_i64(v: i64);
        serialize_i128(v: i128);
        serialize_u8(v: u8);
        serialize_u16(v: u16);
        serialize_u32(v: u32);
        serialize_u64(v: u64);
        serialize_u128(v: u128);
        serialize_char(v: char);
        serialize_str(v: &str);
        serialize_bytes(v: &[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(name: &'static str);
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str);
    }

    begin! {
        serialize_seq(len: Option<usize>) -> SerializeSeq;
        serialize_tuple(len: usize) -> SerializeTuple;
        serialize_tuple_struct(name: &'static str, len: usize) -> SerializeTupleStruct;
        serialize_tuple_variant(
            name: &'static str, index: u32, variant: &'static str, len: usize
        ) -> SerializeTupleVariant;
        serialize_map(len: Option<usize>) -> SerializeMap;
        serialize_struct(name: &'static str, len: usize) -> SerializeStruct;
        serialize_struct_variant(
            name: &'static str, index: u32, variant: &'static str, len: usize
        ) -> SerializeStructVariant;
    }

    fn serialize_f32(self, v: f32) -> Result<S::Ok, S::Error> {
        finite(v.into())?;
        self.0.serialize_f32(v)
    }

    fn serialize_f64(self, v: f64) -> Result<S::Ok, S::Error> {
        finite(v)?;
        self.0.serialize_f64(v)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.0.serialize_some(&Finite(value))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.0.serialize_newtype_struct(name, &Finite(value))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.0
            .serialize_newtype_variant(name, index, variant, &Finite(value))
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

/// The rest of a list or a map.
macro_rules! parts {
    ($($part:ident: $($name:ident($($key:ident)?),)*;)*) => {$(
        impl<S: ser::$part> ser::$part for Checked<S> {
            type Ok = S::Ok;
            type Error = S::Error;

            $(fn $name<T: Serialize + ?Sized>(
                &mut self,
                $($key: &'static str,)?
                value: &T,
            ) -> Result<(), S::Error> {
                self.0.$name($($key,)? &Finite(value))
            })*

            fn end(self) -> Result<S::Ok, S::Error> {
                self.0.end()
            }
        }
    )*};
}

parts! {
    SerializeSeq: serialize_element(),;
    SerializeTuple: serialize_element(),;
    SerializeTupleStruct: serialize_field(),;
    SerializeTupleVariant: serialize_field(),;
    SerializeMap: serialize_key(), serialize_value(),;
    SerializeStruct: serialize_field(key),;
    SerializeStructVariant: serialize_field(key),;
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Serialize)]
    enum Shape {
        Point,
        Radius(f32),
        Sides(u8, f64),
        Named {
            sides: Option<f64>,
            rest: Vec<Shape>,
        },
    }

    #[test]
    fn a_finite_value_is_shown_as_serde_json_shows_it() {
        let values = [
            Shape::Point,
            Shape::Radius(1.5),
            Shape::Sides(3, -2.0),
            Shape::Named {
                sides: Some(0.5),
                rest: vec![Shape::Radius(1e30), Shape::Point],
            },
        ];
        assert_eq!(shown(&values), Ok(serde_json::to_value(&values).unwrap()));
        let map = BTreeMap::from([(7u8, ((), "x", 'c')), (8, ((), "y", 'd'))]);
        assert_eq!(shown(&map), Ok(serde_json::to_value(&map).unwrap()));
        let nothing: Option<f64> = None;
        assert_eq!(shown(&nothing), Ok(Value::Null));
    }

    #[test]
    fn a_number_that_is_not_finite_is_an_error_wherever_it_is() {
        let no_json = |error: CallError| {
            let text = error.to_string();
            assert!(text.contains("is no number in JSON"), "{text}");
        };
        no_json(shown(&f64::NAN).unwrap_err());
        no_json(shown(&Shape::Radius(f32::INFINITY)).unwrap_err());
        no_json(shown(&Shape::Sides(1, f64::NAN)).unwrap_err());
        let rest = vec![Shape::Named {
            sides: Some(f64::NEG_INFINITY),
            rest: Vec::new(),
        }];
        no_json(shown(&Shape::Named { sides: None, rest }).unwrap_err());
        no_json(shown(&BTreeMap::from([("x", [f64::NAN])])).unwrap_err());
    }

    #[test]
    fn a_map_whose_keys_are_no_strings_has_no_json_form() {
        let map = BTreeMap::from([((1, 2), 3)]);
        let error = shown(&map).unwrap_err();
        assert!(error.is_refused());
        assert!(error.to_string().contains("no JSON form"), "{error}");
    }
}
