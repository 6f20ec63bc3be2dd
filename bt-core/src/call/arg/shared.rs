//! `&T`, `&[T]` and `&str`: decoded once and lent.

use std::any::Any;
use std::borrow::Borrow;
use std::cell::Ref;

use schemars::{Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Arg, Lend, Shared, Slot, as_given, source};
use crate::blackboard::{Blackboard, decoded as kept};
use crate::call::argument::Argument;
use crate::call::resolve::{ArgumentSource, Binder, BoardKey, Frame, Resolved};
use crate::decode::{DecodeError, decode};
use crate::describe::shape::{Described, Owned, Passing, decodes, is_optional};
use crate::error::Flaw;

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
            fn decodes(value: &Value) -> Result<(), DecodeError> {
                decodes::<$owned>(value)
            }
        }

        impl<T> Owned for Shared<$target> {
            type Owned = $owned;
        }

        impl<T: Argument> Arg for Shared<$target> {
            type This = Self;
            type Slot = Slot<$owned>;
            type Literal = $owned;
            type Guard<'a> = Borrowed<'a, $target, $owned>;

            fn slot(binder: &mut Binder<'_>) -> Option<Self::Slot> {
                source(binder)
            }

            fn literal(slot: &Slot<$owned>) -> Option<$owned> {
                slot.literal()
            }

            #[inline]
            fn lend<'a>(literal: &'a $owned, _: &mut Frame<'a>) -> Self::Guard<'a> {
                Borrowed::Lent(literal)
            }

            #[inline]
            fn fetch<'a>(
                slot: &'a Self::Slot,
                frame: &mut Frame<'a>,
                agent: &mut dyn Any,
            ) -> Option<Self::Guard<'a>> {
                match slot {
                    Slot::Literal(value) => Some(Borrowed::Lent(value)),
                    Slot::Key(key) => from_board(key, frame.board, Borrow::borrow),
                    Slot::Field(field) => field.read(agent, frame.board).map(Borrowed::Owned),
                }
            }

            fn given<'a>(giver: &mut ArgumentSource<'a>) -> Option<Self::Guard<'a>> {
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
    fn decodes(value: &Value) -> Result<(), DecodeError> {
        decodes::<String>(value)
    }
}

impl Owned for Shared<str> {
    type Owned = String;
}

impl Arg for Shared<str> {
    type This = Self;
    type Slot = Slot<String>;
    type Literal = String;
    type Guard<'a> = Borrowed<'a, str, String>;

    fn slot(binder: &mut Binder<'_>) -> Option<Self::Slot> {
        source(binder)
    }

    fn literal(slot: &Slot<String>) -> Option<String> {
        slot.literal()
    }

    #[inline]
    fn lend<'a>(literal: &'a String, _: &mut Frame<'a>) -> Self::Guard<'a> {
        Borrowed::Lent(literal)
    }

    #[inline]
    fn fetch<'a>(
        slot: &'a Self::Slot,
        frame: &mut Frame<'a>,
        agent: &mut dyn Any,
    ) -> Option<Self::Guard<'a>> {
        match slot {
            Slot::Literal(value) => Some(Borrowed::Lent(value)),
            Slot::Key(key) => text(key, frame.board),
            Slot::Field(field) => field.read(agent, frame.board).map(Borrowed::Owned),
        }
    }

    fn given<'a>(giver: &mut ArgumentSource<'a>) -> Option<Self::Guard<'a>> {
        let (param, value) = giver.next();
        if let Some(Value::String(text)) = value
            && param.limits.is_none()
        {
            return Some(Borrowed::Lent(text));
        }
        match giver.resolve(param, value)? {
            Resolved::Lent(Value::String(text)) => Some(Borrowed::Lent(text)),
            Resolved::Lent(other) => giver.keep(param, Err(Flaw::Decode(no_text(other))), None),
            Resolved::Key(_) | Resolved::Field(_) | Resolved::Nothing => {
                giver.keep(param, Err(Flaw::Missing), None)
            }
        }
    }
}

/// The text that a key holds, on loan.
#[inline]
fn text<'a>(key: &BoardKey, board: &'a Blackboard) -> Option<Borrowed<'a, str, String>> {
    match key.text(board) {
        Some(text) => Some(Borrowed::Board(text)),
        None => limited_text(key, board),
    }
}

#[inline(never)]
fn limited_text<'a>(key: &BoardKey, board: &'a Blackboard) -> Option<Borrowed<'a, str, String>> {
    match Ref::filter_map(key.lend(board)?, Value::as_str) {
        Ok(text) => Some(Borrowed::Board(text)),
        Err(value) => board.keep_error(key.undecodable(no_text(&value))),
    }
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
) -> Option<Borrowed<'a, T, O>> {
    let is_large = match board.slot(key.id())?.borrow().value() {
        Some(Value::Array(_) | Value::Object(_) | Value::String(_)) => true,
        Some(Value::Null | Value::Bool(_) | Value::Number(_)) | None => false,
    };
    if is_large
        && let slot = key.slot(board)?
        && let Some(kept) = kept(slot, |value| decode(value).ok())
    {
        return Some(Borrowed::Board(Ref::map(kept, lend)));
    }
    key.read(board).map(Borrowed::Owned)
}
