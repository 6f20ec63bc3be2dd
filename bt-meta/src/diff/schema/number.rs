//! Numbers in schemas: their order, the ranges of Rust's types, and what a float keeps of them.

use std::cmp::Ordering;

use bt_core::registry::schema::excluded;
use serde_json::{Map, Value};

/// Compares two numbers, to the last digit where both are whole; none for other values.
fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    let whole = |value: &Value| {
        let signed = value.as_i64().map(i128::from);
        signed.or_else(|| value.as_u64().map(i128::from))
    };
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

/// Returns true if a number is less than another.
pub(in crate::diff) fn less(a: &Value, b: &Value) -> bool {
    compare(a, b) == Some(Ordering::Less)
}

/// The values of a type with a name.
struct Format {
    least: Option<Value>,
    most: Option<Value>,
    /// The number of bits of a whole number that it has or keeps; none where any number fits.
    bits: Option<u32>,
}

/// None of a name that is not known.
fn format(map: &Map<String, Value>) -> Option<Format> {
    let of = |least: i64, most: u64, bits| {
        let (least, most) = (Some(least.into()), Some(most.into()));
        let bits = Some(bits);
        Some(Format { least, most, bits })
    };
    let float = |bits| {
        let (least, most) = (None, None);
        Some(Format { least, most, bits })
    };
    match map.get("format").map(Value::as_str) {
        None => float(None),
        Some(Some("float")) => float(Some(24)),
        Some(Some("double")) => float(Some(53)),
        Some(Some("int8")) => of(-128, 127, 8),
        Some(Some("int16")) => of(-32_768, 32_767, 16),
        Some(Some("int32")) => of(i64::from(i32::MIN), 2_147_483_647, 32),
        Some(Some("int64" | "int")) => of(i64::MIN, 9_223_372_036_854_775_807, 64),
        Some(Some("uint8")) => of(0, 255, 8),
        Some(Some("uint16")) => of(0, 65_535, 16),
        Some(Some("uint32")) => of(0, u64::from(u32::MAX), 32),
        Some(Some("uint64" | "uint")) => of(0, u64::MAX, 64),
        // Their limits are floats, exactly.
        Some(Some("int128")) => Some(Format {
            least: Some((i128::MIN as f64).into()),
            most: Some((i128::MAX as f64).into()),
            bits: Some(128),
        }),
        Some(Some("uint128")) => Some(Format {
            least: Some(0.into()),
            most: Some((u128::MAX as f64).into()),
            bits: Some(128),
        }),
        _ => None,
    }
}

/// The tighter of a format's limit and a schema's own.
fn limit(
    own: Option<&Value>,
    of_format: Option<Value>,
    is_tighter: fn(&Value, &Value) -> bool,
) -> Option<Value> {
    match (own, of_format) {
        (Some(own), Some(other)) if is_tighter(&other, own) => Some(other),
        (Some(own), _) => Some(own.clone()),
        (None, other) => other,
    }
}

/// The least and the most that a schema takes.
fn limits(map: &Map<String, Value>, format: Format) -> (Option<Value>, Option<Value>) {
    let least = limit(map.get("minimum"), format.least, |a, b| less(b, a));
    (least, limit(map.get("maximum"), format.most, less))
}

/// The least and the most that a type takes by itself; a whole number that must not be zero is 1 at least.
pub(in crate::diff) fn range(schema: &Value) -> (Option<Value>, Option<Value>) {
    let format = schema.as_object().and_then(|map| Some((map, format(map)?)));
    let Some((map, format)) = format else {
        return (None, None);
    };
    let (least, most) = limits(map, format);
    let is_excluded = least.is_some() && excluded(schema) == least.as_ref();
    match (is_excluded, least.as_ref().and_then(Value::as_u64)) {
        (true, Some(least)) if schema["type"] == "integer" => (Some((least + 1).into()), most),
        _ => (least, most),
    }
}

/// Returns true if a number is in the range of a schema.
pub(super) fn takes(map: &Map<String, Value>, number: &Value) -> bool {
    let Some(format) = format(map) else {
        return false;
    };
    let (least, most) = limits(map, format);
    !least.is_some_and(|least| less(number, &least))
        && !most.is_some_and(|most| less(&most, number))
}

/// Returns true if all numbers of one schema are taken by another. `whole`: those of the first are integers.
pub(super) fn fits(old: &Map<String, Value>, new: &Map<String, Value>, whole: bool) -> bool {
    let (Some(a), Some(b)) = (format(old), format(new)) else {
        return old.get("format") == new.get("format");
    };
    let keeps = match (a.bits, b.bits) {
        (_, None) => true,
        (None, Some(_)) => false,
        // From one integer to another it is the range that counts, which is compared below.
        (Some(_), Some(_)) if whole && b.least.is_some() => true,
        (Some(a), Some(b)) => a <= b,
    };
    let ((a_least, a_most), (b_least, b_most)) = (limits(old, a), limits(new, b));
    let within =
        |a: Option<Value>, b: Option<Value>, is_beyond: fn(&Value, &Value) -> bool| match (a, b) {
            (_, None) => true,
            (Some(a), Some(b)) => !is_beyond(&a, &b),
            (None, Some(_)) => false,
        };
    keeps && within(a_least, b_least, less) && within(a_most, b_most, |a, b| less(b, a))
}
