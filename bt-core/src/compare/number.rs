//! The order of JSON numbers, without the loss of a detour through floats.

use std::cmp::Ordering;

use serde_json::Number;

/// A number without loss.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Exact {
    /// As JSON has it: from `i64::MIN` to `u64::MAX`, in any build but one with serde_json's
    /// `arbitrary_precision`.
    Whole(i128),
    Float(f64),
}

impl Exact {
    pub(crate) fn of(number: &Number) -> Exact {
        match number.as_i128() {
            Some(whole) => Exact::Whole(whole),
            // Beyond every float only with `arbitrary_precision`.
            None => Exact::Float(number.as_f64().unwrap_or(f64::NAN)),
        }
    }

    /// The nearest float.
    pub(crate) fn float(self) -> f64 {
        match self {
            Exact::Whole(whole) => whole as f64,
            Exact::Float(float) => float,
        }
    }
}

/// The order of two numbers by value; none only of numbers that no float reaches.
pub(crate) fn numbers(a: &Number, b: &Number) -> Option<Ordering> {
    exact(Exact::of(a), Exact::of(b))
}

/// The same of numbers that were taken out of JSON.
pub(crate) fn exact(a: Exact, b: Exact) -> Option<Ordering> {
    match (a, b) {
        (Exact::Whole(a), Exact::Whole(b)) => Some(a.cmp(&b)),
        (Exact::Float(a), Exact::Float(b)) => a.partial_cmp(&b),
        (Exact::Whole(a), Exact::Float(b)) => whole_and_float(a, b),
        (Exact::Float(a), Exact::Whole(b)) => whole_and_float(b, a).map(Ordering::reverse),
    }
}

fn whole_and_float(a: i128, b: f64) -> Option<Ordering> {
    /// The first whole number that is no `i128`, a power of two and so exact.
    const BEYOND: f64 = -(i128::MIN as f64);
    if b.is_nan() {
        return None;
    }
    if b >= BEYOND {
        return Some(Ordering::Less);
    }
    if b < -BEYOND {
        return Some(Ordering::Greater);
    }
    // The whole part is exact as an `i128`; where it is a tie the fraction decides.
    match a.cmp(&(b.trunc() as i128)) {
        Ordering::Equal => 0.0.partial_cmp(&b.fract()),
        unequal => Some(unequal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering::{Equal, Greater, Less};

    /// The largest whole numbers come from builds with serde_json's `arbitrary_precision` alone.
    #[test]
    fn a_whole_number_and_a_float_beyond_all_whole_numbers_have_an_order() {
        let beyond = 2_f64.powi(127);
        for (whole, float, order) in [
            (i128::MAX, beyond, Less),
            (i128::MAX, beyond.next_down(), Greater),
            (i128::MAX, f64::INFINITY, Less),
            (i128::MIN, -beyond, Equal),
            (i128::MIN, (-beyond).next_down(), Greater),
            (i128::MIN, (-beyond).next_up(), Less),
            (i128::MIN, f64::NEG_INFINITY, Greater),
            (i128::MIN, beyond, Less),
            (i128::MAX, -beyond, Greater),
        ] {
            let found = whole_and_float(whole, float);
            assert_eq!(found, Some(order), "{whole} and {float}");
        }
        assert_eq!(whole_and_float(0, f64::NAN), None);
    }
}
