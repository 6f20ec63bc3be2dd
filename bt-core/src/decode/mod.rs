//! JSON to a typed value and back, exactly: nothing is rounded, wrapped or cut in silence.

mod encode;
mod error;
mod exact;
mod number;

use std::any::Any;

use serde::de::DeserializeOwned;
use serde_json::Value;

pub(crate) use encode::{NoJson, encode, has_json};
pub use error::DecodeError;
pub(crate) use error::shown;
use exact::Exact;

/// Decodes a value.
///
/// A number is accepted whatever its spelling, if the type holds it exactly: `2.0` is an integer,
/// `2.5` is none, 2^53 + 1 is no `f64`, `1e300` no `f32`. A map or a struct may also arrive as an
/// array of `[key, value]` pairs. Untagged and internally tagged enums are buffered by serde
/// itself, so inside them serde's own rules for numbers hold.
///
/// # Errors
/// [`DecodeError`] with the path inside `value`, what was expected there, and what was found.
#[inline]
#[doc(hidden)]
pub fn decode<T: DeserializeOwned + 'static>(value: &Value) -> Result<T, DecodeError> {
    match plain(value) {
        Some(plain) => Ok(plain),
        None => nested(value),
    }
}

/// Decodes through serde.
#[inline(never)]
pub(crate) fn nested<T: DeserializeOwned>(value: &Value) -> Result<T, DecodeError> {
    T::deserialize(Exact(value))
}

/// The value of a type that needs no decoder; none where it needs one, or is no `T`.
#[inline]
pub(crate) fn plain<T: 'static>(value: &Value) -> Option<T> {
    let mut taken: Option<T> = None;
    take(value, &mut taken);
    taken
}

/// Puts the value into an `Option` of one of the usual types. Not generic, so that a build without
/// optimisation compiles it once; with optimisation only the one branch is left.
#[inline]
fn take(value: &Value, into: &mut dyn Any) {
    macro_rules! taken {
        ($($ty:ty: $read:expr,)*) => {$(
            if let Some(into) = into.downcast_mut::<Option<$ty>>() {
                *into = $read(value);
                return;
            }
        )*};
    }
    taken! {
        f64: number::quick::f64,
        bool: Value::as_bool,
        u64: number::quick::u64,
        i64: number::quick::i64,
        u32: number::quick::u32,
        i32: number::quick::i32,
        f32: number::quick::f32,
        usize: number::quick::usize,
        u8: number::quick::u8,
        u16: number::quick::u16,
        i16: number::quick::i16,
        i8: number::quick::i8,
        isize: number::quick::isize,
        String: |value: &Value| value.as_str().map(str::to_owned),
        Value: |value: &Value| Some(value.clone()),
    }
}

/// Returns true for what is left out where it is written.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
mod tests;
