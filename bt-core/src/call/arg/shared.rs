//! `&T`, `&[T]` and `&str`: decoded once and lent.

use std::borrow::Borrow;
use std::cell::Ref;

use schemars::{Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Arg, Lend, Shared, Slot, as_given, literal, undecoded};
use crate::blackboard::{Blackboard, decoded as kept};
use crate::call::argument::Argument;
use crate::call::resolve::{Binder, BoardKey, Frame, Giver, Resolved};
use crate::call::{CallError, DecodeError, decode};
use crate::registry::shape::{Described, Owned, Passing, is_optional};

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

impl<T: ?Sized, O: Borrow<T>> Lend for Borrowed<'_, T, O> {
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

            #[inline(always)]
            fn fetch<'a>(
                slot: &'a Self::Slot,
                frame: &mut Frame<'a>,
            ) -> Result<Self::Guard<'a>, CallError> {
                match slot {
                    Slot::Literal(value) => Ok(Borrowed::Lent(value)),
                    Slot::Key(key) => from_board(key, frame.board, Borrow::borrow),
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

    #[inline(always)]
    fn fetch<'a>(
        slot: &'a Self::Slot,
        frame: &mut Frame<'a>,
    ) -> Result<Self::Guard<'a>, CallError> {
        match slot {
            Slot::Literal(value) => Ok(Borrowed::Lent(value)),
            Slot::Key(key) => text(key, frame.board),
        }
    }

    fn given<'a>(giver: &mut Giver<'a>) -> Option<Self::Guard<'a>> {
        let value = match giver.resolve()? {
            Resolved::Lent(Value::String(text)) => return Some(Borrowed::Lent(text)),
            Resolved::Lent(value) => Some(value),
            Resolved::Key(_) | Resolved::Nothing => None,
        };
        undecoded(giver, value).map(Borrowed::Owned)
    }
}

/// The text that a key holds, on loan.
#[inline]
fn text<'a>(key: &BoardKey, board: &'a Blackboard) -> Result<Borrowed<'a, str, String>, CallError> {
    Ref::filter_map(key.lend(board)?, Value::as_str)
        .map(Borrowed::Board)
        .map_err(|value| key.undecodable(no_text(&value)))
}

#[cold]
fn no_text(value: &Value) -> DecodeError {
    match decode::<String>(value) {
        Err(why) => why,
        Ok(_) => DecodeError::said("is no string"),
    }
}

/// The value that a key holds: of the usual types a copy, of others the decoded form, which the
/// blackboard keeps for as long as the value stays.
fn from_board<'a, T: ?Sized, O: DeserializeOwned + Send + 'static>(
    key: &BoardKey,
    board: &'a Blackboard,
    lend: fn(&O) -> &T,
) -> Result<Borrowed<'a, T, O>, CallError> {
    let slot = key.slot(board)?;
    let copied = match slot.borrow().value() {
        Some(Value::Null | Value::Bool(_) | Value::Number(_)) => true,
        Some(_) => false,
        None => return Err(key.unset()),
    };
    if !copied && let Some(kept) = kept(slot, |value| decode(value).ok()) {
        return Ok(Borrowed::Board(Ref::map(kept, lend)));
    }
    key.read(board).map(Borrowed::Owned)
}
