//! One parameter: how its value comes from a literal, a blackboard key or a console, and how it
//! is lent to the method.
//!
//! The macros read references from the signature, so each parameter has one of five markers:
//! `T` [`Val`], `&T` [`Shared`], `&mut T` [`Mut`], `#[arg(out)] &mut T` [`Out`]. Everything else
//! is decided here by traits: a [`Context`] is recognised through any alias.

use std::cell::Ref;
use std::fmt;
use std::marker::PhantomData;

use schemars::{Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::argument::{Argument, FieldValue, InOutArgument, OutArgument};
use super::resolve::{Binder, Frame, Giver, Resolved};
use super::{Context, decode};
use crate::blackboard::{Blackboard, KeyId};
use crate::registry::shape::{Described, Nothing, Owned, is_optional};
use crate::registry::value::Passing;

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

    /// Resolves where it comes from; none, and a note in `binder`, if that cannot be.
    fn slot(binder: &mut Binder<'_>) -> Option<Self::Slot>;

    /// The value for one call of a tree; none, and a note in `frame`, if a key is unset or of
    /// another type.
    fn fetch<'a>(slot: &'a Self::Slot, frame: &mut Frame<'a>) -> Option<Self::Guard<'a>>;

    /// The value for one call by name; none, and a note in `giver`, if it is missing or does not
    /// decode.
    fn given<'a>(giver: &mut Giver<'a>) -> Option<Self::Guard<'a>>;
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

/// Decodes what was given or is the default; what is optional decodes from nothing.
fn decoded<T: DeserializeOwned>(resolved: &Resolved<'_>) -> Result<T, String> {
    match resolved.value() {
        Some(value) => decode(value),
        None => T::deserialize(Nothing).map_err(|_| MISSING.to_owned()),
    }
}

const MISSING: &str = "is missing";

fn literal<T: DeserializeOwned>(binder: &mut Binder<'_>) -> Option<Slot<T>> {
    match binder.resolve()? {
        Resolved::Key(id, key) => Some(Slot::Key(id, key)),
        resolved => {
            let value = decoded(&resolved);
            binder.keep(value).map(Slot::Literal)
        }
    }
}

fn from_board<T: DeserializeOwned>(frame: &mut Frame<'_>, id: KeyId, key: &str) -> Option<T> {
    let value = frame.on_board(id, key)?;
    match decode(&value) {
        Ok(decoded) => Some(decoded),
        Err(why) => {
            frame.refuse(key, &value, &why);
            None
        }
    }
}

fn as_given<T: DeserializeOwned>(giver: &mut Giver<'_>) -> Option<T> {
    let resolved = giver.resolve()?;
    let value = decoded(&resolved);
    giver.keep(value)
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

    fn slot(binder: &mut Binder<'_>) -> Option<Slot<T>> {
        literal(binder)
    }

    #[inline]
    fn fetch<'a>(slot: &'a Slot<T>, frame: &mut Frame<'a>) -> Option<T> {
        match slot {
            Slot::Literal(value) => {
                frame.skip();
                Some(value.clone())
            }
            Slot::Key(id, key) => from_board(frame, *id, key),
        }
    }

    fn given<'a>(giver: &mut Giver<'a>) -> Option<T> {
        as_given(giver)
    }
}

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

    fn slot(binder: &mut Binder<'_>) -> Option<Slot<T>> {
        Val::<T>::slot(binder)
    }

    #[inline]
    fn fetch<'a>(slot: &'a Slot<T>, frame: &mut Frame<'a>) -> Option<T> {
        Val::<T>::fetch(slot, frame)
    }

    fn given<'a>(giver: &mut Giver<'a>) -> Option<T> {
        Val::<T>::given(giver)
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

            fn slot(binder: &mut Binder<'_>) -> Option<Self::Slot> {
                literal(binder)
            }

            #[inline]
            fn fetch<'a>(slot: &'a Self::Slot, frame: &mut Frame<'a>) -> Option<Self::Guard<'a>> {
                match slot {
                    Slot::Literal(value) => {
                        frame.skip();
                        Some(Borrowed::Lent(value))
                    }
                    Slot::Key(id, key) => from_board(frame, *id, key).map(Borrowed::Owned),
                }
            }

            fn given<'a>(giver: &mut Giver<'a>) -> Option<Self::Guard<'a>> {
                as_given(giver).map(Borrowed::Owned)
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

    fn slot(binder: &mut Binder<'_>) -> Option<Self::Slot> {
        literal(binder)
    }

    #[inline]
    fn fetch<'a>(slot: &'a Self::Slot, frame: &mut Frame<'a>) -> Option<Self::Guard<'a>> {
        match slot {
            Slot::Literal(value) => {
                frame.skip();
                Some(Borrowed::Lent(value))
            }
            Slot::Key(id, key) => {
                let value = frame.on_board(*id, key)?;
                match Ref::filter_map(value, Value::as_str) {
                    Ok(text) => Some(Borrowed::Board(text)),
                    Err(value) => {
                        frame.refuse(key, &value, "expected a string");
                        None
                    }
                }
            }
        }
    }

    fn given<'a>(giver: &mut Giver<'a>) -> Option<Self::Guard<'a>> {
        match giver.resolve()? {
            Resolved::Lent(Value::String(text)) => Some(Borrowed::Lent(text)),
            resolved => {
                let text = decoded(&resolved);
                giver.keep(text).map(Borrowed::Owned)
            }
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

    fn slot(binder: &mut Binder<'_>) -> Option<Self::Slot> {
        binder.key()
    }

    fn fetch<'a>((key, name): &'a Self::Slot, frame: &mut Frame<'a>) -> Option<Self::Guard<'a>> {
        let value = from_board(frame, *key, name)?;
        let (board, key) = (frame.board, *key);
        Some(Back {
            value,
            json,
            board,
            key,
        })
    }

    fn given<'a>(giver: &mut Giver<'a>) -> Option<Self::Guard<'a>> {
        let (key, name) = giver.key()?;
        let value = giver.take_from_board(key, &name, decode)?;
        let board = giver.board;
        Some(Back {
            value,
            json,
            board,
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

    fn slot(binder: &mut Binder<'_>) -> Option<Self::Slot> {
        binder.key()
    }

    fn fetch<'a>((key, _): &'a Self::Slot, frame: &mut Frame<'a>) -> Option<Self::Guard<'a>> {
        frame.skip();
        let value = T::default();
        let (board, key) = (frame.board, *key);
        Some(Back {
            value,
            json,
            board,
            key,
        })
    }

    fn given<'a>(giver: &mut Giver<'a>) -> Option<Self::Guard<'a>> {
        let (key, _) = giver.key()?;
        let value = T::default();
        let board = giver.board;
        Some(Back {
            value,
            json,
            board,
            key,
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

            fn slot(binder: &mut Binder<'_>) -> Option<()> {
                binder.skip();
                Some(())
            }

            #[inline]
            fn fetch<'a>((): &'a (), frame: &mut Frame<'a>) -> Option<Context<'a>> {
                frame.skip();
                frame.cx.take()
            }

            fn given<'a>(giver: &mut Giver<'a>) -> Option<Context<'a>> {
                giver.skip();
                giver.cx.take()
            }
        }
    };
}

context!(Shared);
context!(Mut);

/// A decorator's last parameter: how its child ended, `None` on entry.
#[derive(Debug)]
pub struct Ended;

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

    fn slot(binder: &mut Binder<'_>) -> Option<()> {
        binder.skip();
        Some(())
    }

    #[inline]
    fn fetch<'a>((): &'a (), frame: &mut Frame<'a>) -> Option<Option<bool>> {
        frame.skip();
        Some(frame.ended)
    }

    fn given<'a>(giver: &mut Giver<'a>) -> Option<Option<bool>> {
        giver.skip();
        Some(giver.ended)
    }
}

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
