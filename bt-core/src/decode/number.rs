//! Numbers that a type holds exactly.

use serde_json::{Number, Value};

/// 2^64 and more is no `u64`, and an `f64` from there on has no fraction to lose.
const TOO_FAR: f64 = 18_446_744_073_709_551_616.0;

/// The integer that a number is, whatever its spelling.
#[cold]
pub(super) fn integer(number: &Number) -> Option<i128> {
    if let Some(integer) = number.as_i128() {
        return Some(integer);
    }
    if let Some(integer) = number.as_u128() {
        return i128::try_from(integer).ok();
    }
    let float = number.as_f64()?;
    // Exact: an integral float of this size is an i128.
    (float.fract() == 0.0 && float.abs() <= TOO_FAR).then_some(float as i128)
}

/// Answers that need no decoder, which are nearly all; the rest is for the decoder.
pub(super) mod quick {
    use serde_json::Value;

    macro_rules! integers {
        ($($name:ident: $wide:ident,)*) => {$(
            #[inline]
            pub(in super::super) fn $name(value: &Value) -> Option<$name> {
                let Value::Number(number) = value else {
                    return None;
                };
                $name::try_from(number.$wide()?).ok()
            }
        )*};
    }

    integers! {
        u8: as_u64,
        u16: as_u64,
        u32: as_u64,
        u64: as_u64,
        usize: as_u64,
        i8: as_i64,
        i16: as_i64,
        i32: as_i64,
        i64: as_i64,
        isize: as_i64,
    }

    #[inline]
    pub(in super::super) fn f64(value: &Value) -> Option<f64> {
        let Value::Number(number) = value else {
            return None;
        };
        let float = number.as_f64()?;
        // Beyond these an integer may have been rounded.
        let exact = float.abs() < 9_007_199_254_740_992.0 || number.is_f64() && float.is_finite();
        exact.then_some(float)
    }

    #[inline]
    pub(in super::super) fn f32(value: &Value) -> Option<f32> {
        let float = f64(value)?;
        // Beyond these an integer may be rounded.
        (float.abs() < 16_777_216.0).then_some(float as f32)
    }
}

macro_rules! integers {
    ($($name:ident: $wide:ident,)*) => {$(
        #[inline]
        pub(super) fn $name(value: &Value) -> Option<$name> {
            let Value::Number(number) = value else {
                return None;
            };
            match number.$wide() {
                Some(wide) => $name::try_from(wide).ok(),
                None => $name::try_from(integer(number)?).ok(),
            }
        }
    )*};
}

integers! {
    u8: as_u64,
    u16: as_u64,
    u32: as_u64,
    u64: as_u64,
    i8: as_i64,
    i16: as_i64,
    i32: as_i64,
    i64: as_i64,
}

/// Returns true if a float with so many digits of mantissa holds an integer.
fn holds(digits: u32, integer: i128) -> bool {
    let size = integer.unsigned_abs();
    size == 0 || 128 - size.leading_zeros() - size.trailing_zeros() <= digits
}

#[inline]
pub(super) fn f64(value: &Value) -> Option<f64> {
    let Value::Number(number) = value else {
        return None;
    };
    if number.is_f64() {
        return number.as_f64().filter(|float| float.is_finite());
    }
    from_integer(number, f64::MANTISSA_DIGITS)
}

fn from_integer(number: &Number, digits: u32) -> Option<f64> {
    let exact = holds(digits, number.as_i128()?);
    number.as_f64().filter(|_| exact)
}

#[inline]
pub(super) fn f32(value: &Value) -> Option<f32> {
    let Value::Number(number) = value else {
        return None;
    };
    let wide = if number.is_f64() {
        number.as_f64()?
    } else {
        from_integer(number, f32::MANTISSA_DIGITS)?
    };
    // A fraction is rounded to the nearest, as a literal in Rust is.
    let float = wide as f32;
    float.is_finite().then_some(float)
}

pub(super) fn i128(value: &Value) -> Option<i128> {
    match value {
        Value::Number(number) => integer(number),
        _ => None,
    }
}

pub(super) fn u128(value: &Value) -> Option<u128> {
    match value {
        Value::Number(number) => match number.as_u128() {
            Some(wide) => Some(wide),
            None => u128::try_from(integer(number)?).ok(),
        },
        _ => None,
    }
}
