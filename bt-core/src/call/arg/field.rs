//! A field that is a property.

use std::any::Any;
use std::marker::PhantomData;

use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::{Arg, Slot, Val};
use crate::call::argument::FieldValue;
use crate::call::resolve::{ArgumentSource, Binder, Frame};
use crate::decode::DecodeError;
use crate::describe::shape::{Described, Owned, Passing};

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
    fn decodes(value: &Value) -> Result<(), DecodeError> {
        Val::<T>::decodes(value)
    }
}

impl<T> Owned for Field<T> {
    type Owned = T;
}

impl<T: FieldValue> Arg for Field<T> {
    type This = Self;
    type Slot = Slot<T>;
    type Literal = T;
    type Guard<'a> = T;

    fn slot(binder: &mut Binder<'_>) -> Option<Slot<T>> {
        Val::<T>::slot(binder)
    }

    fn literal(slot: &Slot<T>) -> Option<T> {
        slot.literal()
    }

    #[inline]
    fn lend<'a>(literal: &'a T, frame: &mut Frame<'a>) -> T {
        Val::<T>::lend(literal, frame)
    }

    #[inline]
    fn fetch<'a>(slot: &'a Slot<T>, frame: &mut Frame<'a>, agent: &mut dyn Any) -> Option<T> {
        Val::<T>::fetch(slot, frame, agent)
    }

    fn given<'a>(giver: &mut ArgumentSource<'a>) -> Option<T> {
        Val::<T>::given(giver)
    }
}
