//! The port that first comes to mind: closures by name, each decoding its JSON at each call.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

/// A method that decodes its arguments.
pub(crate) type Method<A> = Box<dyn Fn(&mut A, &[Value]) -> Option<bool>>;

/// Methods by name.
pub(crate) type Methods<A> = HashMap<String, Method<A>>;

/// Decodes as `serde_json::from_value` does it: from a copy.
pub(crate) fn decode_cloned<T: for<'de> Deserialize<'de>>(args: &[Value], at: usize) -> Option<T> {
    serde_json::from_value(args.get(at)?.clone()).ok()
}

/// Decodes from a borrowed value, which is what a careful programmer writes.
pub(crate) fn decode_borrowed<'de, T: Deserialize<'de>>(
    args: &'de [Value],
    at: usize,
) -> Option<T> {
    T::deserialize(args.get(at)?).ok()
}
