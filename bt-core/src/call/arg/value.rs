//! `T`: decoded, and cloned for each call.

use schemars::{Schema, SchemaGenerator};

use super::{Arg, Slot, Val, as_given, literal};
use crate::call::CallError;
use crate::call::argument::Argument;
use crate::call::resolve::{Binder, Frame, Giver};
use crate::registry::shape::{Described, Owned, Passing, is_optional};

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

    #[inline(always)]
    fn fetch<'a>(slot: &'a Slot<T>, frame: &mut Frame<'a>) -> Result<T, CallError> {
        match slot {
            Slot::Literal(value) => Ok(value.clone()),
            Slot::Key(key) => key.read(frame.board),
        }
    }

    fn given<'a>(giver: &mut Giver<'a>) -> Option<T> {
        as_given(giver)
    }
}
