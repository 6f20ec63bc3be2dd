//! Arithmetic on JSON numbers: exact while it can be, and never wrapped or infinite.
//!
//! What is calculated from whole numbers is whole where the result is one that JSON holds exactly
//! (`i64::MIN` to `u64::MAX`), else the nearest float; so is 7 / 2. With a float on either side it
//! is a float. A result that is no number (a division by zero) or too large for a float is none.

use std::cmp::Ordering;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::compare::{Exact, numbers};

/// The result of a calculation, or why there is none.
pub(super) type Calculated = Result<Number, String>;

/// A calculation with two numbers.
pub(super) type Calculation = fn(&Number, &Number) -> Calculated;

fn calculate(
    a: &Number,
    b: &Number,
    whole: fn(i128, i128) -> Option<i128>,
    float: fn(f64, f64) -> f64,
) -> Calculated {
    let (a, b) = (Exact::of(a), Exact::of(b));
    if let (Exact::Whole(a), Exact::Whole(b)) = (a, b)
        && let Some(result) = whole(a, b)
    {
        return from_whole(result);
    }
    from_float(float(a.float(), b.float()))
}

fn from_whole(whole: i128) -> Calculated {
    Number::from_i128(whole).map_or_else(|| from_float(whole as f64), Ok)
}

fn from_float(float: f64) -> Calculated {
    Number::from_f64(float).ok_or_else(|| "the result is too large for a number".to_owned())
}

fn is_zero(number: &Number) -> bool {
    Exact::of(number).float() == 0.0
}

pub(super) fn add(a: &Number, b: &Number) -> Calculated {
    calculate(a, b, i128::checked_add, |a, b| a + b)
}

pub(super) fn subtract(a: &Number, b: &Number) -> Calculated {
    calculate(a, b, i128::checked_sub, |a, b| a - b)
}

pub(super) fn multiply(a: &Number, b: &Number) -> Calculated {
    calculate(a, b, i128::checked_mul, |a, b| a * b)
}

/// Whole where it divides evenly.
pub(super) fn divide(a: &Number, b: &Number) -> Calculated {
    if is_zero(b) {
        return Err("a number cannot be divided by zero".to_owned());
    }
    let evenly = |a: i128, b: i128| (a.checked_rem(b)? == 0).then(|| a / b);
    calculate(a, b, evenly, |a, b| a / b)
}

/// Never negative, whatever the signs.
pub(super) fn modulo(a: &Number, b: &Number) -> Calculated {
    if is_zero(b) {
        return Err("a division by zero has no remainder".to_owned());
    }
    calculate(a, b, i128::checked_rem_euclid, f64::rem_euclid)
}

/// The first of equal ones.
pub(super) fn smaller(a: &Number, b: &Number) -> Calculated {
    Ok(if numbers(b, a) == Some(Ordering::Less) {
        b
    } else {
        a
    }
    .clone())
}

/// The first of equal ones.
pub(super) fn larger(a: &Number, b: &Number) -> Calculated {
    Ok(if numbers(b, a) == Some(Ordering::Greater) {
        b
    } else {
        a
    }
    .clone())
}

pub(super) fn negate(number: &Number) -> Calculated {
    match Exact::of(number) {
        Exact::Whole(whole) => from_whole(-whole),
        Exact::Float(float) => from_float(-float),
    }
}

pub(super) fn absolute(number: &Number) -> Calculated {
    match Exact::of(number) {
        Exact::Whole(whole) => from_whole(whole.abs()),
        Exact::Float(float) => from_float(float.abs()),
    }
}

/// The whole number that a number is rounded to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline, extend("type" = "string"))]
pub(super) enum Rounding {
    /// The nearest; halves away from zero.
    Nearest,
    /// The next one below.
    Down,
    /// The next one above.
    Up,
}

/// A whole number, written as one where JSON can hold it exactly.
pub(super) fn round(number: &Number, to: Rounding) -> Calculated {
    let Exact::Float(float) = Exact::of(number) else {
        return Ok(number.clone());
    };
    let rounded = match to {
        Rounding::Nearest => float.round(),
        Rounding::Down => float.floor(),
        Rounding::Up => float.ceil(),
    };
    // A float beyond an `i128` saturates, which is no number that JSON holds exactly either.
    Number::from_i128(rounded as i128).map_or_else(|| from_float(rounded), Ok)
}
