//! `T`: decoded, and cloned for each call.

use std::any::Any;

use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::{Arg, Slot, Val, as_given, source};
use crate::call::argument::Argument;
use crate::call::resolve::{ArgumentSource, Binder, Frame};
use crate::decode::DecodeError;
use crate::describe::shape::{Described, Owned, Passing, decodes, is_optional};

impl<T: Argument> Described for Val<T> {
    const PASSING: Passing = Passing::Value;
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
    fn optional() -> bool {
        is_optional::<T>()
    }
    fn decodes(value: &Value) -> Result<(), DecodeError> {
        decodes::<T>(value)
    }
}

impl<T> Owned for Val<T> {
    type Owned = T;
}

impl<T: Argument> Arg for Val<T> {
    type This = Self;
    type Slot = Slot<T>;
    type Literal = T;
    type Guard<'a> = T;

    fn slot(binder: &mut Binder<'_>) -> Option<Slot<T>> {
        source(binder)
    }

    fn literal(slot: &Slot<T>) -> Option<T> {
        slot.literal()
    }

    #[inline]
    fn lend<'a>(literal: &'a T, _: &mut Frame<'a>) -> T {
        literal.clone()
    }

    #[inline]
    fn fetch<'a>(slot: &'a Slot<T>, frame: &mut Frame<'a>, agent: &mut dyn Any) -> Option<T> {
        match slot {
            Slot::Literal(value) => Some(value.clone()),
            Slot::Key(key) => key.read(frame.board),
            Slot::Field(field) => field.read(agent, frame.board),
        }
    }

    fn given<'a>(giver: &mut ArgumentSource<'a>) -> Option<T> {
        as_given(giver)
    }
}
