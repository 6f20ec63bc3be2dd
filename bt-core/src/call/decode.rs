//! JSON to a typed value and back.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::CallError;

/// Decodes a value.
///
/// # Errors
/// The decoder's own words, if `value` is not a `T`.
#[inline]
pub fn decode<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    T::deserialize(value).map_err(|why| why.to_string())
}

/// A value's JSON form.
///
/// # Errors
/// [`CallError::is_refused`] if it has none, such as a map whose keys are no strings.
pub fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<Value, CallError> {
    serde_json::to_value(value)
        .map_err(|why| CallError::refused(format!("value has no JSON form: {why}")))
}
