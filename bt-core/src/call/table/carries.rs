//! The types that an event's parameter can have, and the compiler's messages about the others.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::call::{Shared, Val};
use crate::decode::{decode, encode};
use crate::describe::shape::{Passing, decodes, is_optional};
use crate::describe::value::Shape;
use crate::event::Event;

/// A type that an event can carry.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be carried by an event",
    label = "not written to and decoded from JSON, or not described by a JSON Schema",
    note = "an event's parameter needs `#[derive(serde::Serialize, serde::Deserialize, \
            schemars::JsonSchema)]`",
    note = "references are read from the signature: where an alias hides one, write `&str`, \
            `&[T]` or `&T` there"
)]
pub trait EventValue: Serialize + DeserializeOwned + JsonSchema + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + JsonSchema + 'static> EventValue for T {}

/// Decodes a value as a type, and writes that again.
pub(crate) type Normal = fn(&Value) -> Result<Value, String>;

/// A type that can be a parameter of an event: by value or by reference, carried as JSON.
pub trait Carries {
    /// Itself.
    type This;
    /// The argument of the constructor.
    type Given<'a>;
    /// The shape of the type.
    const SHAPE: Shape;
    /// Decodes a value as the type, and writes that again.
    const NORMAL: Normal;
    /// Adds it to an event.
    fn with(event: Event, name: &str, value: Self::Given<'_>) -> Event;
}

const fn shape<T: EventValue>(passing: Passing) -> Shape {
    Shape {
        passing,
        schema: |generator| generator.subschema_for::<T>(),
        optional: is_optional::<T>,
        decodes: decodes::<T>,
    }
}

fn normal<T: EventValue>(value: &Value) -> Result<Value, String> {
    let value: T = decode(value).map_err(|why| why.to_string())?;
    encode(&value).map_err(|why| why.to_string())
}

impl<T: EventValue> Carries for Val<T> {
    type This = Self;
    type Given<'a> = T;
    const SHAPE: Shape = shape::<T>(Passing::Value);
    const NORMAL: Normal = normal::<T>;

    fn with(event: Event, name: &str, value: Self::Given<'_>) -> Event {
        event.with(name, value)
    }
}

impl<T: EventValue> Carries for Shared<T> {
    type This = Self;
    type Given<'a> = &'a T;
    const SHAPE: Shape = shape::<T>(Passing::Shared);
    const NORMAL: Normal = normal::<T>;

    fn with(event: Event, name: &str, value: Self::Given<'_>) -> Event {
        event.with(name, value)
    }
}

impl<T: EventValue> Carries for Shared<[T]> {
    type This = Self;
    type Given<'a> = &'a [T];
    const SHAPE: Shape = shape::<Vec<T>>(Passing::Shared);
    const NORMAL: Normal = normal::<Vec<T>>;

    fn with(event: Event, name: &str, value: Self::Given<'_>) -> Event {
        event.with(name, value)
    }
}

impl Carries for Shared<str> {
    type This = Self;
    type Given<'a> = &'a str;
    const SHAPE: Shape = shape::<String>(Passing::Shared);
    const NORMAL: Normal = normal::<String>;

    fn with(event: Event, name: &str, value: Self::Given<'_>) -> Event {
        event.with(name, value)
    }
}
