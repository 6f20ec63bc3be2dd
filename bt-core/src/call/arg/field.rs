//! A field that is a property.

use std::marker::PhantomData;

use schemars::{Schema, SchemaGenerator};

use super::{Arg, Slot, Val};
use crate::call::CallError;
use crate::call::argument::FieldValue;
use crate::call::resolve::{Binder, Frame, Giver};
use crate::registry::shape::{Described, Owned, Passing};

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

    #[inline(always)]
    fn fetch<'a>(slot: &'a Slot<T>, frame: &mut Frame<'a>) -> Result<T, CallError> {
        Val::<T>::fetch(slot, frame)
    }

    fn given<'a>(giver: &mut Giver<'a>) -> Option<T> {
        Val::<T>::given(giver)
    }
}
