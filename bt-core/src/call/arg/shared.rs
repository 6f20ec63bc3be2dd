//! `&T`, `&[T]` and `&str`: decoded once and lent.

use std::borrow::Borrow;
use std::cell::Ref;

use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::{Arg, Lend, Shared, Slot, as_given, decoded, from_board, literal};
use crate::call::argument::Argument;
use crate::call::resolve::{Binder, Frame, Giver, Resolved};
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
