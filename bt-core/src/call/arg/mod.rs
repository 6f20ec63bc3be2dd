//! One parameter: how its value comes from a literal, a blackboard key or a console, and how it
//! is lent to the method.
//!
//! The macros read references from the signature, so each parameter has one of five markers:
//! `T` [`Val`], `&T` [`Shared`], `&mut T` [`Mut`], `#[arg(out)] &mut T` [`Out`]. Everything else
//! is decided here by traits: a [`Context`] is recognised through any alias.

mod context;
mod field;
mod out;
mod shared;
mod value;

use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use super::decode;
use super::resolve::{Binder, Frame, Giver, Resolved};
use crate::blackboard::KeyId;
use crate::registry::shape::{Described, Nothing};
pub use context::{Ended, ended};
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
