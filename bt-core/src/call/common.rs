//! The types of most arguments, compiled here once rather than in each crate that uses them: in
//! builds without optimisation a crate takes what its dependencies have compiled.

use std::any::Any;

use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::arg::{Arg, Shared, Val};
use super::resolve::{ArgumentSource, Binder, Frame};
use crate::describe::shape::Described;

type Functions<X> = (
    fn(&mut Binder<'_>) -> Option<<X as Arg>::Slot>,
    for<'a> fn(&'a <X as Arg>::Slot, &mut Frame<'a>, &mut dyn Any) -> Option<<X as Arg>::Guard<'a>>,
    for<'a> fn(&mut ArgumentSource<'a>) -> Option<<X as Arg>::Guard<'a>>,
    fn(&mut SchemaGenerator) -> Schema,
    fn() -> bool,
);

macro_rules! common {
    ($($name:ident: $marker:ty,)*) => {$(
        pub static $name: Functions<$marker> = (
            <$marker>::slot,
            <$marker>::fetch,
            <$marker>::given,
            <$marker>::schema,
            <$marker>::optional,
        );
    )*};
}

common! {
    BOOL: Val<bool>,
    U8: Val<u8>,
    U32: Val<u32>,
    U64: Val<u64>,
    USIZE: Val<usize>,
    I32: Val<i32>,
    I64: Val<i64>,
    F32: Val<f32>,
    F64: Val<f64>,
    STRING: Val<String>,
    VALUE: Val<Value>,
    STR: Shared<str>,
    ANY: Shared<Value>,
}
