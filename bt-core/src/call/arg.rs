//! One parameter: how its value comes from a literal, a blackboard key or a console, and how it
//! is lent to the method.
//!
//! The macros read references from the signature, so each parameter has one of five markers:
//! `T` [`Val`], `&T` [`Shared`], `&mut T` [`Mut`], `#[arg(out)] &mut T` [`Out`]. Everything else
//! is decided here by traits: a [`Context`] is recognised through any alias.

use std::cell::Ref;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::args::{Frame, Keys, Source};
use super::{Context, decode};
use crate::blackboard::{Blackboard, KeyId};
use crate::registry::descriptor::{Passing, ValueDesc};
use crate::registry::shape::{Described, Owned, is_optional};

/// A type that an argument, a property or an event's parameter can have.
///
/// `Send + Sync` because literals are decoded into the tree, which agents on all threads share.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument",
    label = "not decodable from JSON, or not described by a JSON Schema",
    note = "an argument needs `#[derive(Clone, serde::Deserialize, schemars::JsonSchema)]` and \
            `Send + Sync + 'static`",
    note = "references are read from the signature: where an alias hides one, write `&str`, \
            `&[T]` or `&T` there"
)]
pub trait Argument: DeserializeOwned + JsonSchema + Clone + Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Clone + Send + Sync + 'static> Argument for T {}

/// A type that an in-out argument can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an in-out argument",
    label = "not written to and read from a blackboard key",
    note = "a `&mut T` takes its value from a blackboard key and is written back: \
            `#[derive(Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]` and \
            `Send + Sync + 'static`",
    note = "what the agent acts on is marked `#[world]`; a result is marked `#[arg(out)]`"
)]
pub trait InOutArgument: Argument + Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Argument + Serialize> InOutArgument for T {}

/// A type that a result can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an `#[arg(out)]` argument",
    label = "not a value that starts empty and is written to a blackboard key",
    note = "a result starts as the type's default and is written to a blackboard key: \
            `#[derive(Default, serde::Serialize, schemars::JsonSchema)]`"
)]
pub trait OutArgument: JsonSchema + Serialize + Default + 'static {}

#[diagnostic::do_not_recommend]
impl<T: JsonSchema + Serialize + Default + 'static> OutArgument for T {}

/// A parameter by value: `T`.
#[derive(Debug)]
pub struct Val<T>(PhantomData<fn() -> T>);

/// A parameter by shared reference: `&str`, `&[T]`, `&T`, `&Context`.
#[derive(Debug)]
pub struct Shared<T: ?Sized>(PhantomData<fn(&T)>);

/// A parameter by mutable reference: an in-out `&mut T`, or `&mut Context`.
#[derive(Debug)]
pub struct Mut<T>(PhantomData<fn(&T)>);

/// A result: `#[arg(out)] x: &mut T`.
#[derive(Debug)]
pub struct Out<T>(PhantomData<fn(&T)>);

/// How one parameter gets its value.
#[diagnostic::on_unimplemented(
    message = "a parameter of this type cannot be an argument",
    label = "neither an argument nor the `Context`",
    note = "take `T`, `&T`, `&str` or `&[T]` with \
            `T: Clone + serde::Deserialize + schemars::JsonSchema + Send + Sync + 'static`; \
            an in-out `&mut T` also needs `serde::Serialize`; a `#[arg(out)] &mut T` needs \
            `Default` and `serde::Serialize`",
    note = "what the agent acts on is marked `#[world]`"
)]
pub trait Arg: Described + 'static {
    /// Itself.
    type This;
    /// Where the value comes from at each call, resolved once.
    type Slot: Send + Sync;
    /// The value for the time of one call.
    type Guard<'a>;

    /// Resolves a source.
    ///
    /// # Errors
    /// In words, if a literal does not decode.
    fn slot(
        source: Option<&Source>,
        desc: &ValueDesc,
        keys: &mut dyn Keys,
    ) -> Result<Self::Slot, String>;

    /// The value for one call of a tree.
    ///
    /// # Errors
    /// In words, if a key is unset or of another type.
    fn fetch<'a>(
        slot: &'a Self::Slot,
        desc: &ValueDesc,
        frame: &mut Frame<'a>,
    ) -> Result<Self::Guard<'a>, String>;

    /// The value for one call by name.
    ///
    /// # Errors
    /// In words, if it is missing or does not decode.
    fn given<'a>(
        value: Option<&'a Value>,
        desc: &ValueDesc,
        frame: &mut Frame<'a>,
    ) -> Result<Self::Guard<'a>, String>;
}

/// A value that is lent to the method.
pub trait Lend {
    /// What is lent.
    type Target: ?Sized;
    /// Lends it.
    fn lend(&self) -> &Self::Target;
}

/// A value that is lent to the method for change.
pub trait LendMut {
    /// What is lent.
    type Target;
    /// Lends it.
    fn lend_mut(&mut self) -> &mut Self::Target;
}

/// A decoded literal, or the slot that is decoded at each call.
#[derive(Debug)]
pub enum Slot<T> {
    /// From the tree.
    Literal(T),
    /// From the blackboard.
    Key(KeyId, String),
}

/// Decodes what was given, or the default; checks the bounds.
fn decoded<T: DeserializeOwned>(value: Option<&Value>, desc: &ValueDesc) -> Result<T, String> {
    match value {
        Some(value) => {
            desc.check(value)?;
            decode(value)
        }
        None => match desc.default_value() {
            Some(default) => decode(&default),
            None => {
                T::deserialize(crate::registry::shape::Nothing).map_err(|_| "is missing".to_owned())
            }
        },
    }
}

fn literal<T: DeserializeOwned>(
    source: Option<&Source>,
    desc: &ValueDesc,
    keys: &mut dyn Keys,
) -> Result<Slot<T>, String> {
    match source {
        Some(Source::Key(key)) => Ok(Slot::Key(keys.intern(key), key.clone())),
        Some(Source::Literal(value)) => decoded(Some(value), desc).map(Slot::Literal),
        None => decoded(None, desc).map(Slot::Literal),
    }
}

fn on_board<'a>(board: &'a Blackboard, id: KeyId, key: &str) -> Result<Ref<'a, Value>, String> {
    board
        .slot(id)
        .and_then(|slot| Ref::filter_map(slot.borrow(), Option::as_ref).ok())
        .ok_or_else(|| format!("takes blackboard key `{key}`, which is not set"))
}

fn from_board<T: DeserializeOwned>(
    board: &Blackboard,
    id: KeyId,
    key: &str,
    desc: &ValueDesc,
) -> Result<T, String> {
    let value = on_board(board, id, key)?;
    desc.check(&value)
        .and_then(|()| decode(&value))
        .map_err(|why| format!("takes blackboard key `{key}`, which holds {value}: {why}"))
}

impl<T: Argument> Described for Val<T> {
    const PASSING: Passing = Passing::Value;
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
    fn optional() -> bool {
        is_optional::<T>()
    }
}

impl<T> Owned for Val<T> {
    type Owned = T;
}

impl<T: Argument> Arg for Val<T> {
    type This = Self;
    type Slot = Slot<T>;
    type Guard<'a> = T;

    fn slot(
        source: Option<&Source>,
        desc: &ValueDesc,
        keys: &mut dyn Keys,
    ) -> Result<Slot<T>, String> {
        literal(source, desc, keys)
    }

    #[inline]
    fn fetch<'a>(slot: &'a Slot<T>, desc: &ValueDesc, frame: &mut Frame<'a>) -> Result<T, String> {
        match slot {
            Slot::Literal(value) => Ok(value.clone()),
            Slot::Key(id, key) => from_board(frame.board, *id, key, desc),
        }
    }

    fn given<'a>(
        value: Option<&'a Value>,
        desc: &ValueDesc,
        _: &mut Frame<'a>,
    ) -> Result<T, String> {
        decoded(value, desc)
    }
}

/// A type that a field which is a property can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a property that is read and written",
    label = "not written to and decoded from JSON, or not described by a JSON Schema",
    note = "a property needs `#[derive(Clone, serde::Serialize, serde::Deserialize, \
            schemars::JsonSchema)]` and `Send + Sync + 'static`; with `#[property(read_only)]`, \
            `serde::Serialize` and `schemars::JsonSchema`"
)]
pub trait FieldValue: Argument + Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Argument + Serialize> FieldValue for T {}

/// A field that is a property: a [`Val`] that can also be read.
#[derive(Debug)]
pub struct Field<T>(PhantomData<fn() -> T>);

impl<T: FieldValue> Described for Field<T> {
    const PASSING: Passing = Passing::Value;
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        Val::<T>::schema(generator)
    }
    fn optional() -> bool {
        Val::<T>::optional()
    }
}

impl<T> Owned for Field<T> {
    type Owned = T;
}

impl<T: FieldValue> Arg for Field<T> {
    type This = Self;
    type Slot = Slot<T>;
    type Guard<'a> = T;

    fn slot(
        source: Option<&Source>,
        desc: &ValueDesc,
        keys: &mut dyn Keys,
    ) -> Result<Slot<T>, String> {
        Val::<T>::slot(source, desc, keys)
    }

    #[inline]
    fn fetch<'a>(slot: &'a Slot<T>, desc: &ValueDesc, frame: &mut Frame<'a>) -> Result<T, String> {
        Val::<T>::fetch(slot, desc, frame)
    }

    fn given<'a>(
        value: Option<&'a Value>,
        desc: &ValueDesc,
        frame: &mut Frame<'a>,
    ) -> Result<T, String> {
        Val::<T>::given(value, desc, frame)
    }
}

/// A value that a `&T` parameter borrows.
#[derive(Debug)]
pub enum Borrowed<'a, T: ?Sized, O> {
    /// From the tree or from JSON.
    Lent(&'a T),
    /// Decoded for this call.
    Owned(O),
    /// From the blackboard.
    Board(Ref<'a, T>),
}

impl<T: ?Sized, O: std::borrow::Borrow<T>> Lend for Borrowed<'_, T, O> {
    type Target = T;
    #[inline]
    fn lend(&self) -> &T {
        match self {
            Borrowed::Lent(value) => value,
            Borrowed::Owned(value) => value.borrow(),
            Borrowed::Board(value) => value,
        }
    }
}

/// `&T` and `&[T]` are decoded once into `$owned` and lent.
macro_rules! shared {
    ($target:ty, $owned:ty) => {
        impl<T: Argument> Described for Shared<$target> {
            const PASSING: Passing = Passing::Shared;
            fn schema(generator: &mut SchemaGenerator) -> Schema {
                generator.subschema_for::<$owned>()
            }
            fn optional() -> bool {
                is_optional::<$owned>()
            }
        }

        impl<T> Owned for Shared<$target> {
            type Owned = $owned;
        }

        impl<T: Argument> Arg for Shared<$target> {
            type This = Self;
            type Slot = Slot<$owned>;
            type Guard<'a> = Borrowed<'a, $target, $owned>;

            fn slot(
                source: Option<&Source>,
                desc: &ValueDesc,
                keys: &mut dyn Keys,
            ) -> Result<Self::Slot, String> {
                literal(source, desc, keys)
            }

            #[inline]
            fn fetch<'a>(
                slot: &'a Self::Slot,
                desc: &ValueDesc,
                frame: &mut Frame<'a>,
            ) -> Result<Self::Guard<'a>, String> {
                Ok(match slot {
                    Slot::Literal(value) => Borrowed::Lent(value),
                    Slot::Key(id, key) => Borrowed::Owned(from_board(frame.board, *id, key, desc)?),
                })
            }

            fn given<'a>(
                value: Option<&'a Value>,
                desc: &ValueDesc,
                _: &mut Frame<'a>,
            ) -> Result<Self::Guard<'a>, String> {
                decoded(value, desc).map(Borrowed::Owned)
            }
        }
    };
}

shared!(T, T);
shared!([T], Vec<T>);

impl Described for Shared<str> {
    const PASSING: Passing = Passing::Shared;
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<String>()
    }
    fn optional() -> bool {
        false
    }
}

impl Owned for Shared<str> {
    type Owned = String;
}

impl Arg for Shared<str> {
    type This = Self;
    type Slot = Slot<String>;
    type Guard<'a> = Borrowed<'a, str, String>;

    fn slot(
        source: Option<&Source>,
        desc: &ValueDesc,
        keys: &mut dyn Keys,
    ) -> Result<Self::Slot, String> {
        literal(source, desc, keys)
    }

    #[inline]
    fn fetch<'a>(
        slot: &'a Self::Slot,
        desc: &ValueDesc,
        frame: &mut Frame<'a>,
    ) -> Result<Self::Guard<'a>, String> {
        match slot {
            Slot::Literal(value) => Ok(Borrowed::Lent(value)),
            Slot::Key(id, key) => {
                let value = on_board(frame.board, *id, key)?;
                desc.check(&value)?;
                Ref::filter_map(value, Value::as_str)
                    .map(Borrowed::Board)
                    .map_err(|value| {
                        format!(
                            "takes blackboard key `{key}`, which holds {value}: expected a string"
                        )
                    })
            }
        }
    }

    fn given<'a>(
        value: Option<&'a Value>,
        desc: &ValueDesc,
        _: &mut Frame<'a>,
    ) -> Result<Self::Guard<'a>, String> {
        match value {
            Some(value @ Value::String(text)) => {
                desc.check(value)?;
                Ok(Borrowed::Lent(text.as_str()))
            }
            _ => decoded(value, desc).map(Borrowed::Owned),
        }
    }
}

/// A value that is written to a blackboard key when the call returns.
pub struct Back<'a, T> {
    value: T,
    /// The value's JSON form. Not a bound on the type: that would be one more place where a type
    /// that has none is reported.
    json: fn(&T) -> Option<Value>,
    board: &'a Blackboard,
    key: KeyId,
}

fn json<T: Serialize>(value: &T) -> Option<Value> {
    serde_json::to_value(value).ok()
}

impl<T> LendMut for Back<'_, T> {
    type Target = T;
    #[inline]
    fn lend_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T> Drop for Back<'_, T> {
    fn drop(&mut self) {
        // A call that panicked has no result.
        if !std::thread::panicking() {
            self.board.put(self.key, (self.json)(&self.value));
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Back<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.value, f)
    }
}

fn key_of(source: Option<&Source>, keys: &mut dyn Keys) -> Result<(KeyId, String), String> {
    match source {
        Some(Source::Key(key)) => Ok((keys.intern(key), key.clone())),
        Some(Source::Literal(_)) | None => Err(NEEDS_KEY.to_owned()),
    }
}

const NEEDS_KEY: &str = "is written back, so it takes the name of a blackboard key";

impl<T: InOutArgument> Described for Mut<T> {
    const PASSING: Passing = Passing::InOut;
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
    fn optional() -> bool {
        false
    }
}

impl<T> Owned for Mut<T> {
    type Owned = T;
}

impl<T: InOutArgument> Arg for Mut<T> {
    type This = Self;
    type Slot = (KeyId, String);
    type Guard<'a> = Back<'a, T>;

    fn slot(
        source: Option<&Source>,
        _: &ValueDesc,
        keys: &mut dyn Keys,
    ) -> Result<Self::Slot, String> {
        key_of(source, keys)
    }

    fn fetch<'a>(
        (key, name): &'a Self::Slot,
        desc: &ValueDesc,
        frame: &mut Frame<'a>,
    ) -> Result<Self::Guard<'a>, String> {
        let value = from_board(frame.board, *key, name, desc)?;
        Ok(Back {
            value,
            json,
            board: frame.board,
            key: *key,
        })
    }

    fn given<'a>(
        value: Option<&'a Value>,
        desc: &ValueDesc,
        frame: &mut Frame<'a>,
    ) -> Result<Self::Guard<'a>, String> {
        let name = value.and_then(Value::as_str).ok_or(NEEDS_KEY)?;
        let key = frame.board.intern(name);
        let value = from_board(frame.board, key, name, desc)?;
        Ok(Back {
            value,
            json,
            board: frame.board,
            key,
        })
    }
}

impl<T: OutArgument> Described for Out<T> {
    const PASSING: Passing = Passing::Out;
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
    fn optional() -> bool {
        false
    }
}

impl<T: OutArgument> Arg for Out<T> {
    type This = Self;
    type Slot = (KeyId, String);
    type Guard<'a> = Back<'a, T>;

    fn slot(
        source: Option<&Source>,
        _: &ValueDesc,
        keys: &mut dyn Keys,
    ) -> Result<Self::Slot, String> {
        key_of(source, keys)
    }

    fn fetch<'a>(
        (key, _): &'a Self::Slot,
        _: &ValueDesc,
        frame: &mut Frame<'a>,
    ) -> Result<Self::Guard<'a>, String> {
        Ok(Back {
            value: T::default(),
            json,
            board: frame.board,
            key: *key,
        })
    }

    fn given<'a>(
        value: Option<&'a Value>,
        _: &ValueDesc,
        frame: &mut Frame<'a>,
    ) -> Result<Self::Guard<'a>, String> {
        let name = value.and_then(Value::as_str).ok_or(NEEDS_KEY)?;
        Ok(Back {
            value: T::default(),
            json,
            board: frame.board,
            key: frame.board.intern(name),
        })
    }
}

impl Lend for Context<'_> {
    type Target = Self;
    #[inline]
    fn lend(&self) -> &Self {
        self
    }
}

impl LendMut for Context<'_> {
    type Target = Self;
    #[inline]
    fn lend_mut(&mut self) -> &mut Self {
        self
    }
}

/// The context is a parameter of the method, and no argument of the tree.
macro_rules! context {
    ($marker:ident) => {
        impl Described for $marker<Context<'static>> {
            const PASSING: Passing = Passing::Context;
            fn schema(_: &mut SchemaGenerator) -> Schema {
                Schema::default()
            }
            fn optional() -> bool {
                true
            }
        }

        impl Arg for $marker<Context<'static>> {
            type This = Self;
            type Slot = ();
            type Guard<'a> = Context<'a>;

            fn slot(_: Option<&Source>, _: &ValueDesc, _: &mut dyn Keys) -> Result<(), String> {
                Ok(())
            }

            #[inline]
            fn fetch<'a>(
                (): &'a (),
                _: &ValueDesc,
                frame: &mut Frame<'a>,
            ) -> Result<Context<'a>, String> {
                frame.cx.take().ok_or_else(|| TWICE.to_owned())
            }

            fn given<'a>(
                _: Option<&'a Value>,
                _: &ValueDesc,
                frame: &mut Frame<'a>,
            ) -> Result<Context<'a>, String> {
                frame.cx.take().ok_or_else(|| TWICE.to_owned())
            }
        }
    };
}

const TWICE: &str = "is the context a second time; take it once";

context!(Shared);
context!(Mut);

/// A decorator's last parameter: how its child ended, `None` on entry.
#[derive(Debug)]
pub struct Ended;

/// The type of that parameter.
#[diagnostic::on_unimplemented(
    message = "a decorator's `ended` cannot be a `{Self}`",
    label = "expected `Option<bool>`",
    note = "`ended: Option<bool>` is how the child ended: `Some(success)`, and `None` on entry"
)]
pub trait EndedAs {
    /// The value as that type.
    fn ended(ended: Option<bool>) -> Self;
}

impl EndedAs for Option<bool> {
    #[inline]
    fn ended(ended: Option<bool>) -> Option<bool> {
        ended
    }
}

/// How the child ended, as the type of the parameter.
#[inline]
pub fn ended<T: EndedAs>(ended: Option<bool>) -> T {
    T::ended(ended)
}

impl Described for Ended {
    const PASSING: Passing = Passing::Context;
    fn schema(_: &mut SchemaGenerator) -> Schema {
        Schema::default()
    }
    fn optional() -> bool {
        true
    }
}

impl Arg for Ended {
    type This = Self;
    type Slot = ();
    type Guard<'a> = Option<bool>;

    fn slot(_: Option<&Source>, _: &ValueDesc, _: &mut dyn Keys) -> Result<(), String> {
        Ok(())
    }

    fn fetch<'a>((): &'a (), _: &ValueDesc, frame: &mut Frame<'a>) -> Result<Option<bool>, String> {
        Ok(frame.ended)
    }

    fn given<'a>(
        _: Option<&'a Value>,
        _: &ValueDesc,
        frame: &mut Frame<'a>,
    ) -> Result<Option<bool>, String> {
        Ok(frame.ended)
    }
}
