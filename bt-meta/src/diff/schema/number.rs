//! Numbers in schemas: their order, the ranges of Rust's types, and what a float keeps of them.

use bt_core::registry::schema::{self, Format, excluded, less};
use serde_json::Value;

/// The values of a format.
struct Values {
    least: Option<Value>,
    most: Option<Value>,
    /// The number of bits of a whole number that it has or keeps; none where any number fits.
    bits: Option<u32>,
}

/// None of a format that is not known.
fn values(schema: &Value) -> Option<Values> {
    let all = |bits| Values {
        least: None,
        most: None,
        bits,
    };
    Some(match schema::format(schema) {
        None => all(None),
        Some(Format::Float) => all(Some(24)),
        Some(Format::Double) => all(Some(53)),
        Some(Format::Integer { signed, bits }) => {
            let bits = u32::from(bits);
            let most = u128::MAX >> (128 - bits + u32::from(signed));
            let least = if signed { -1 - most as i128 } else { 0 };
            Values {
                least: Some(whole(least)),
                most: Some(i128::try_from(most).map_or((most as f64).into(), whole)),
                bits: Some(bits),
            }
        }
        Some(Format::Ip | Format::Ipv4 | Format::Ipv6 | Format::Other(_)) => return None,
    })
}

/// A limit; those of 128 bits are floats, exactly.
fn whole(limit: i128) -> Value {
    let signed = i64::try_from(limit).map(Value::from);
    let unsigned = u64::try_from(limit).map(Value::from);
    signed.or(unsigned).unwrap_or((limit as f64).into())
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
fn limits(schema: &Value, of: Values) -> (Option<Value>, Option<Value>) {
    let least = limit(schema::least(schema), of.least, |a, b| less(b, a));
    (least, limit(schema::most(schema), of.most, less))
}

/// The least and the most that a type takes by itself; a whole number that must not be zero is 1 at least.
pub(in crate::diff) fn range(schema: &Value) -> (Option<Value>, Option<Value>) {
    let Some(values) = values(schema).filter(|_| schema.is_object()) else {
        return (None, None);
    };
    let (least, most) = limits(schema, values);
    let is_excluded = least.is_some() && excluded(schema) == least.as_ref();
    match (is_excluded, least.as_ref().and_then(Value::as_u64)) {
        (true, Some(least)) if schema::is_of_type(schema, "integer") => {
            (Some((least + 1).into()), most)
        }
        _ => (least, most),
    }
}

/// Returns true if a number is in the range of a schema.
pub(super) fn takes(schema: &Value, number: &Value) -> bool {
    let Some(values) = values(schema) else {
        return false;
    };
    let (least, most) = limits(schema, values);
    !least.is_some_and(|least| less(number, &least))
        && !most.is_some_and(|most| less(&most, number))
}

/// Returns true if all numbers of one schema are taken by another. `whole`: those of the first are integers.
pub(super) fn fits(old: &Value, new: &Value, whole: bool) -> bool {
    let (Some(a), Some(b)) = (values(old), values(new)) else {
        return schema::format(old) == schema::format(new);
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
