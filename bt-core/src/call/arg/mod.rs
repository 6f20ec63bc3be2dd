//! One parameter: how its value comes from a literal, a blackboard key or a console, and how it
//! is lent to the method.
//!
//! The macros read references from the signature, so each parameter has one of six markers:
//! `T` [`Val`], `&T` [`Shared`], `&mut T` [`Mut`], `#[arg(out)] &mut T` [`Out`], a decorator's
//! `ended` [`Ended`], `asked` [`AskedNow`]. Everything else is decided here by traits: the context is
//! recognised through any alias.

mod context;
mod field;
mod out;
mod shared;
mod value;

use std::any::Any;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::param::Param;
use super::resolve::{ArgumentSource, Binder, BoardKey, Frame, Resolved};
use super::typed_field::FieldReader;
use crate::decode::{decode, plain};
use crate::describe::shape::{Described, Nothing};
use crate::error::Flaw;
pub use context::{AskedNow, Ended, asked, ended};
pub use field::Field;

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

/// A type that can be a parameter of a method.
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
    /// The source of the value at each call, resolved once.
    type Slot: Send + Sync;
    /// The value, where it comes from no key.
    type Literal: Send + Sync;
    /// The value for the time of one call.
    type Guard<'a>;

    /// Resolves where it comes from; none, and a note in `binder`, if that cannot be.
    fn slot(binder: &mut Binder<'_>) -> Option<Self::Slot>;

    /// The value, if it comes from the tree alone.
    fn literal(slot: &Self::Slot) -> Option<Self::Literal>;

    /// The value for one call of a tree, where it comes from no key.
    fn lend<'a>(literal: &'a Self::Literal, frame: &mut Frame<'a>) -> Self::Guard<'a>;

    /// The value for one call of a tree on an agent; none, and an error kept by the blackboard, if a
    /// key is unset or of another type.
    fn fetch<'a>(
        slot: &'a Self::Slot,
        frame: &mut Frame<'a>,
        agent: &mut dyn Any,
    ) -> Option<Self::Guard<'a>>;

    /// The value for one call by name; none, and a note in `giver`, if it is missing or does not
    /// decode.
    fn given<'a>(giver: &mut ArgumentSource<'a>) -> Option<Self::Guard<'a>>;
}

/// A value that is lent to the method.
pub trait Lend {
    /// The type that is lent.
    type Target: ?Sized;
    /// Lends it.
    fn lend(&self) -> &Self::Target;
}

/// A value that is lent to the method for change.
pub trait LendMut {
    /// The type that is lent.
    type Target;
    /// Lends it.
    fn lend_mut(&mut self) -> &mut Self::Target;
}

/// A decoded literal, or what is read at each call.
#[derive(Debug)]
pub enum Slot<T> {
    /// From the tree.
    Literal(T),
    /// From the blackboard.
    Key(BoardKey),
    /// From the agent.
    Field(FieldReader<T>),
}

impl<T: Clone> Slot<T> {
    fn literal(&self) -> Option<T> {
        match self {
            Slot::Literal(value) => Some(value.clone()),
            Slot::Key(_) | Slot::Field(_) => None,
        }
    }
}

/// Decodes what was given or is the default; what is optional decodes from nothing.
fn decoded<T: DeserializeOwned + 'static>(value: Option<&Value>) -> Result<T, Flaw> {
    match value {
        Some(value) => decode(value).map_err(Flaw::Decode),
        None => T::deserialize(Nothing).map_err(|_| Flaw::Missing),
    }
}

fn source<T: DeserializeOwned + 'static>(binder: &mut Binder<'_>) -> Option<Slot<T>> {
    let value = match binder.resolve()? {
        Resolved::Key(key) => return Some(Slot::Key(key)),
        Resolved::Field(field) => return binder.field(field).map(Slot::Field),
        Resolved::Lent(value) => Some(value),
        Resolved::Nothing => None,
    };
    let decoded = decoded(value);
    binder.keep(decoded, value).map(Slot::Literal)
}

fn as_given<T: DeserializeOwned + 'static>(giver: &mut ArgumentSource<'_>) -> Option<T> {
    let (param, value) = giver.next();
    if param.limits.is_none()
        && let Some(value) = value
        && let Some(plain) = plain(value)
    {
        return Some(plain);
    }
    undecoded(giver, param, value)
}

#[inline(never)]
fn undecoded<'a, T: DeserializeOwned + 'static>(
    giver: &mut ArgumentSource<'a>,
    param: &'a Param,
    by_position: Option<&'a Value>,
) -> Option<T> {
    let value = match giver.resolve(param, by_position)? {
        Resolved::Lent(value) => Some(value),
        Resolved::Key(_) | Resolved::Field(_) | Resolved::Nothing => None,
    };
    let decoded = decoded(value);
    giver.keep(param, decoded, value)
}
