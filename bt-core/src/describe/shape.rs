//! A type as a schema, and the checks that need no type: optional, defaults, bounds.

use std::cmp::Ordering;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Visitor};
use serde::{Serialize, forward_to_deserialize_any};
use serde_json::Value;

use super::catalogue::InOut;
use crate::compare;
use crate::decode::{DecodeError, decode};

/// The way in which a parameter is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passing {
    /// `T`
    Value,
    /// `&T`
    Shared,
    /// `&mut T`
    InOut,
    /// `#[arg(out)] &mut T`
    Out,
    /// The context: no argument of the tree.
    Context,
    /// The occasion of a call of a decorator or a composite: no argument of the tree.
    Asked,
}

impl Passing {
    /// Returns true if a tree gives it.
    pub(crate) fn is_argument(self) -> bool {
        match self {
            Passing::Value | Passing::Shared | Passing::InOut | Passing::Out => true,
            Passing::Context | Passing::Asked => false,
        }
    }

    /// The direction that the catalogue states for one that is written back to a key.
    pub(crate) const fn in_out(self) -> Option<InOut> {
        match self {
            Passing::InOut => Some(InOut::InOut),
            Passing::Out => Some(InOut::Out),
            Passing::Value | Passing::Shared | Passing::Context | Passing::Asked => None,
        }
    }
}

/// A type that the catalogue can describe.
pub trait Described {
    /// The way in which it is passed.
    const PASSING: Passing;
    /// Its JSON Schema, with references to shared definitions.
    fn schema(generator: &mut SchemaGenerator) -> Schema;
    /// Returns true if nothing decodes as it.
    fn optional() -> bool;
    /// Decodes a value, and drops it; it succeeds always where nothing is decoded.
    ///
    /// # Errors
    /// What is wrong with the value.
    fn decodes(_: &Value) -> Result<(), DecodeError> {
        Ok(())
    }
}

/// A value that is only shown: a getter's, an associated constant's, an event's.
#[derive(Debug)]
pub struct Shown<T: ?Sized>(PhantomData<fn(&T)>);

/// A type that a property which is only read can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the value of a property or an event, or a query's answer",
    label = "has no JSON form, or no JSON Schema",
    note = "derive `serde::Serialize` and `schemars::JsonSchema` for it"
)]
pub trait Showable: Serialize + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema + ?Sized> Showable for T {}

impl<T: Showable + ?Sized> Described for Shown<T> {
    const PASSING: Passing = Passing::Value;
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
    fn optional() -> bool {
        false
    }
}

impl<T> Owned for Shown<T> {
    type Owned = T;
}

/// A deserializer of nothing at all: only an `Option` (under any name) accepts it.
pub(crate) struct Nothing;

/// Nothing was there, and the type needs something.
#[derive(Debug)]
pub(crate) struct Needed;

impl fmt::Display for Needed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value is needed")
    }
}

impl std::error::Error for Needed {}

impl serde::de::Error for Needed {
    fn custom<T: fmt::Display>(_: T) -> Needed {
        Needed
    }
}

impl<'de> Deserializer<'de> for Nothing {
    type Error = Needed;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Needed> {
        Err(Needed)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Needed> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Returns true if a type may be left out.
pub(crate) fn is_optional<T: DeserializeOwned>() -> bool {
    left_out::<T>().is_some()
}

/// The value of a type that is left out; none of one that may not be.
pub(crate) fn left_out<T: DeserializeOwned>() -> Option<T> {
    <T as Deserialize>::deserialize(Nothing).ok()
}

/// Returns whether a value decodes as a type.
///
/// # Errors
/// What is wrong with the value.
pub(crate) fn decodes<T: DeserializeOwned + 'static>(value: &Value) -> Result<(), DecodeError> {
    decode::<T>(value).map(drop)
}

/// A marker's owned type, which defaults, bounds and choices are of.
pub trait Owned {
    /// The type.
    type Owned;
}

/// A value that can stand as the default (or a choice) for a `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand for a `{T}`",
    label = "expected a `{T}`",
    note = "write a value of the argument's own type, such as `2.0` (not `2`) for an `f64`"
)]
pub trait DefaultFor<T> {
    /// The value.
    fn make(self) -> T;
}

impl<T> DefaultFor<T> for T {
    fn make(self) -> T {
        self
    }
}

impl<T> DefaultFor<Option<T>> for T {
    fn make(self) -> Option<T> {
        Some(self)
    }
}

impl DefaultFor<String> for &str {
    fn make(self) -> String {
        self.to_owned()
    }
}

impl DefaultFor<Option<String>> for &str {
    fn make(self) -> Option<String> {
        Some(self.to_owned())
    }
}

impl<T, const N: usize> DefaultFor<Vec<T>> for [T; N] {
    fn make(self) -> Vec<T> {
        self.into()
    }
}

impl<const N: usize> DefaultFor<Vec<String>> for [&str; N] {
    fn make(self) -> Vec<String> {
        self.map(str::to_owned).into()
    }
}

macro_rules! default_for_any_value {
    ($($from:ty),*) => {$(
        impl DefaultFor<Value> for $from {
            fn make(self) -> Value {
                self.into()
            }
        }
    )*};
}

default_for_any_value!(bool, i64, f64, &str, String);

/// `default = …`
pub fn default_value<X: Owned, V: DefaultFor<X::Owned>>(value: V) -> Value
where
    X::Owned: Serialize,
{
    json(value.make())
}

/// `choices = […]`
pub fn choices<X: Owned, V: DefaultFor<X::Owned>, const N: usize>(values: [V; N]) -> Vec<Value>
where
    X::Owned: Serialize,
{
    values.into_iter().map(|value| json(value.make())).collect()
}

fn json<T: Serialize>(value: T) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

/// A type with an order that bounds can be given in.
#[diagnostic::on_unimplemented(
    message = "`{Self}` takes no bounds",
    label = "not a number",
    note = "`min`, `max` and `step` are for integers and floats, or an `Option` of one"
)]
pub trait Bounded {
    /// The type of its bounds.
    type Number: Serialize;
}

macro_rules! bounded {
    ($($number:ty)*) => {$(
        impl Bounded for $number {
            type Number = $number;
        }
        impl Bounded for Option<$number> {
            type Number = $number;
        }
    )*};
}

bounded!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);

/// `min = …`, `max = …`, `step = …`
pub fn bound<X: Owned, V: DefaultFor<<X::Owned as Bounded>::Number>>(value: V) -> Value
where
    X::Owned: Bounded,
{
    json(value.make())
}

/// Returns true if both are numbers and the first is the smaller.
pub fn less(a: &Value, b: &Value) -> bool {
    let (Value::Number(a), Value::Number(b)) = (a, b) else {
        return false;
    };
    compare::numbers(a, b).is_some_and(Ordering::is_lt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    type Maybe = Option<u8>;

    #[test]
    fn an_option_is_optional_under_any_name() {
        assert!(is_optional::<Maybe>());
        assert!(!is_optional::<u8>());
        assert!(!is_optional::<()>());
        assert!(!is_optional::<Value>());
        assert!(!is_optional::<Vec<Option<u8>>>());
    }

    #[test]
    fn bounds_compare_by_value() {
        assert!(less(&json!(-1), &json!(0.0)));
        assert!(less(&json!(u64::MAX - 1), &json!(u64::MAX)));
        assert!(!less(&json!(1), &json!(1.0)));
        assert!(less(
            &json!(9_007_199_254_740_992.0),
            &json!(9_007_199_254_740_993_u64)
        ));
        assert!(!less(&json!("a"), &json!(1)));
    }
}
