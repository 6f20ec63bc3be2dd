//! Arithmetic on JSON numbers: whole numbers stay whole, and nothing overflows.

use std::cmp::Ordering;

use serde_json::{Number, Value};

/// One of the four operations, on whole numbers and on the others.
pub(crate) struct Operation {
    /// `None` where the result is not whole.
    whole: fn(i128, i128) -> Option<i128>,
    other: fn(f64, f64) -> f64,
}

pub(crate) const ADD: Operation = Operation {
    whole: i128::checked_add,
    other: |a, b| a + b,
};
pub(crate) const SUBTRACT: Operation = Operation {
    whole: i128::checked_sub,
    other: |a, b| a - b,
};
pub(crate) const MULTIPLY: Operation = Operation {
    whole: i128::checked_mul,
    other: |a, b| a * b,
};
pub(crate) const DIVIDE: Operation = Operation {
    whole: |a, b| (a.checked_rem(b)? == 0).then(|| a / b),
    other: |a, b| a / b,
};

/// The result, if both are numbers and it is one: a division by zero has none.
pub(crate) fn calculate(operation: &Operation, a: &Value, b: &Value) -> Option<Value> {
    let both = whole(a).zip(whole(b));
    let exact = both.and_then(|(a, b)| Number::from_i128((operation.whole)(a, b)?));
    let result = exact.or_else(|| Number::from_f64((operation.other)(a.as_f64()?, b.as_f64()?)));
    result.map(Value::Number)
}

/// Compares two values, if both are numbers.
pub(crate) fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match whole(a).zip(whole(b)) {
        Some((a, b)) => Some(a.cmp(&b)),
        None => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

fn whole(value: &Value) -> Option<i128> {
    let signed = value.as_i64().map(i128::from);
    signed.or_else(|| value.as_u64().map(i128::from))
}
