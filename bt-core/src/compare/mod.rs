//! Comparison of JSON values: equality by value, and an order of numbers and of strings.
//!
//! Built-in conditions and a tree's own compare by these rules:
//!
//! - Numbers compare by value, exactly: `1` equals `1.0`, and 2^53 + 1 is not 2^53 as a float.
//! - A string never equals a number, nor anything else of another kind.
//! - Arrays are equal item by item, objects key by key in whatever order.
//! - Numbers are ordered by value, strings character by character as Unicode numbers them (so `"Z"`
//!   comes before `"a"`, and `"10"` before `"9"`). Nothing else has an order: `false` is not less
//!   than `true`.

#[cfg(test)]
mod laws;
mod number;

use std::cmp::Ordering;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use number::{Exact, exact, numbers};

/// Returns true if two values are the same, numbers by value.
///
/// ```
/// use bt_core::compare::equal;
/// use serde_json::json;
///
/// assert!(equal(&json!({"at": [1, 2]}), &json!({"at": [1.0, 2]})));
/// assert!(!equal(&json!("1"), &json!(1)));
/// ```
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => numbers(a, b) == Some(Ordering::Equal) || a == b,
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let same = |(key, a): (&String, &Value)| b.get(key).is_some_and(|b| equal(a, b));
            a.len() == b.len() && a.iter().all(same)
        }
        _ => a == b,
    }
}

/// Compares two values.
///
/// ```
/// use bt_core::compare::order;
/// use serde_json::json;
///
/// assert!(order(&json!(1), &json!(1.5)).unwrap().is_lt());
/// let error = order(&json!("1"), &json!(1)).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "a string and a number have no order; numbers compare with numbers, strings with strings"
/// );
/// ```
///
/// # Errors
/// [`Unordered`] unless both are numbers or both are strings.
pub fn order(a: &Value, b: &Value) -> Result<Ordering, Unordered> {
    let order = match (a, b) {
        (Value::Number(a), Value::Number(b)) => numbers(a, b),
        // UTF-8 sorts as its characters' numbers do.
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        _ => None,
    };
    order.ok_or_else(|| Unordered(kind(a), kind(b)))
}

/// Two values that have no order, by their kinds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unordered(&'static str, &'static str);

impl fmt::Display for Unordered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unordered(a, b) = self;
        write!(
            f,
            "{a} and {b} have no order; numbers compare with numbers, strings with strings"
        )
    }
}

impl std::error::Error for Unordered {}

/// One of the six ways to compare two values. In JSON it is the operator: `"=="`, `"!="`, `"<"`,
/// `"<="`, `">"`, `">="`; also `"eq"`, `"ne"`, `"lt"`, `"le"`, `"gt"`, `"ge"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
// Without a name in the exported schemas that a game's own type could want.
#[schemars(inline, extend("type" = "string"))]
pub enum Comparison {
    /// The values are equal.
    #[serde(rename = "==", alias = "eq")]
    Equal,
    /// The values differ.
    #[serde(rename = "!=", alias = "ne")]
    NotEqual,
    /// The first comes before the second.
    #[serde(rename = "<", alias = "lt")]
    Less,
    /// The first comes before the second or equals it.
    #[serde(rename = "<=", alias = "le")]
    LessOrEqual,
    /// The first comes after the second.
    #[serde(rename = ">", alias = "gt")]
    Greater,
    /// The first comes after the second or equals it.
    #[serde(rename = ">=", alias = "ge")]
    GreaterOrEqual,
}

impl Comparison {
    /// Returns whether it is so of two values.
    ///
    /// # Errors
    /// [`Unordered`] where it asks for an order that the values do not have; never for
    /// [`Comparison::Equal`] and [`Comparison::NotEqual`].
    pub fn holds(self, a: &Value, b: &Value) -> Result<bool, Unordered> {
        Ok(match self {
            Comparison::Equal => equal(a, b),
            Comparison::NotEqual => !equal(a, b),
            Comparison::Less => order(a, b)?.is_lt(),
            Comparison::LessOrEqual => order(a, b)?.is_le(),
            Comparison::Greater => order(a, b)?.is_gt(),
            Comparison::GreaterOrEqual => order(a, b)?.is_ge(),
        })
    }
}

/// The sort of a value, with its article.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_equal_by_value_and_exactly() {
        assert!(equal(&json!(1), &json!(1.0)));
        assert!(equal(&json!(0), &json!(-0.0)));
        assert!(equal(
            &json!(1_u64 << 63),
            &json!(9_223_372_036_854_775_808.0)
        ));
        let beyond = (1_u64 << 53) + 1;
        assert!(!equal(&json!(beyond), &json!(beyond as f64)));
        assert!(!equal(&json!(u64::MAX), &json!(u64::MAX as f64)));
        assert!(!equal(&json!(u64::MAX), &json!(-1)));
    }

    #[test]
    fn values_are_equal_all_the_way_down() {
        let one = json!({"a": [1, {"b": null}], "c": "x"});
        assert!(equal(&one, &json!({"c": "x", "a": [1.0, {"b": null}]})));
        assert!(!equal(&one, &json!({"c": "x", "a": [1.0, {"b": 0}]})));
        assert!(!equal(&json!({"a": null}), &json!({"b": null})));
        assert!(!equal(&json!([1]), &json!([1, 1])));
    }

    #[test]
    fn values_of_two_kinds_are_never_equal() {
        let kinds = [
            json!(null),
            json!(false),
            json!(0),
            json!(""),
            json!([]),
            json!({}),
        ];
        for (at, a) in kinds.iter().enumerate() {
            for (other, b) in kinds.iter().enumerate() {
                assert_eq!(equal(a, b), at == other, "{a} and {b}");
            }
        }
    }

    #[test]
    fn only_numbers_and_strings_have_an_order_among_themselves() {
        let kinds = [
            json!(null),
            json!(false),
            json!(0),
            json!(""),
            json!([]),
            json!({}),
        ];
        for (at, a) in kinds.iter().enumerate() {
            for (other, b) in kinds.iter().enumerate() {
                let ordered = at == other && (a.is_number() || a.is_string());
                assert_eq!(order(a, b).is_ok(), ordered, "{a} and {b}");
            }
        }
        let error = order(&json!(true), &json!([])).unwrap_err().to_string();
        assert!(
            error.starts_with("a boolean and an array have no order"),
            "{error}"
        );
    }

    #[test]
    fn strings_are_ordered_character_by_character() {
        for (less, more) in [
            ("", "a"),
            ("Z", "a"),
            ("10", "9"),
            ("z", "é"),
            ("\u{ffff}", "😀"),
        ] {
            assert!(
                order(&json!(less), &json!(more)).unwrap().is_lt(),
                "{less} {more}"
            );
        }
    }

    #[test]
    fn integers_and_floats_compare_exactly() {
        let ascending = [
            json!(-1e300),
            json!(i64::MIN as f64 * 1.5),
            json!(i64::MIN),
            json!(-1.5),
            json!(-1),
            json!(-0.5),
            json!(0),
            json!(0.5),
            json!(9_007_199_254_740_992.0),
            json!(9_007_199_254_740_993_u64),
            json!(i64::MAX),
            json!(9_223_372_036_854_775_808.0),
            json!((1_u64 << 63) + 1),
            json!(u64::MAX),
            json!(u64::MAX as f64),
            json!(1e300),
        ];
        for pair in ascending.windows(2) {
            assert!(order(&pair[0], &pair[1]).unwrap().is_lt(), "{pair:?}");
            assert!(order(&pair[1], &pair[0]).unwrap().is_gt(), "{pair:?}");
        }
    }

    #[test]
    fn an_operator_is_spelled_as_one_or_by_two_letters() {
        let spelled = [
            ("==", "eq"),
            ("!=", "ne"),
            ("<", "lt"),
            ("<=", "le"),
            (">", "gt"),
            (">=", "ge"),
        ];
        let holds = [
            [false, true, true, true, false, false],
            [true, false, false, true, false, true],
        ];
        for (at, (sign, letters)) in spelled.into_iter().enumerate() {
            let by = |text: &str| serde_json::from_value::<Comparison>(json!(text)).unwrap();
            assert_eq!(by(sign), by(letters));
            assert_eq!(json!(by(letters)), sign);
            for (b, holds) in [2.0, 1.0].into_iter().zip(holds) {
                assert_eq!(
                    by(sign).holds(&json!(1), &json!(b)),
                    Ok(holds[at]),
                    "1 {sign} {b}"
                );
            }
        }
    }

    #[test]
    fn inequality_of_unlike_values_is_an_answer_and_order_is_not() {
        let (a, b) = (json!("1"), json!(1));
        assert_eq!(Comparison::Equal.holds(&a, &b), Ok(false));
        assert_eq!(Comparison::NotEqual.holds(&a, &b), Ok(true));
        for comparison in [Comparison::Less, Comparison::GreaterOrEqual] {
            assert!(comparison.holds(&a, &b).is_err());
        }
    }
}
