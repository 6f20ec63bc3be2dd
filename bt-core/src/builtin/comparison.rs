//! Comparing: a key or any value with another value.

use serde_json::Value;

use super::{ActionAgent, held};
use crate::compare::{Comparison, kind};
use crate::prelude::*;

/// Compares a key's number with another number.
fn number(cx: &Context, key: &str, comparison: Comparison, other: &Value) -> Result<bool, String> {
    let held = held::number(cx, key)?;
    if !other.is_number() {
        return Err(format!(
            "`other_value` is {}, expected a number",
            kind(other)
        ));
    }
    comparison
        .holds(&held, other)
        .map_err(|why| why.to_string())
}

#[agent]
impl ActionAgent {
    /// Compare two values.
    ///
    /// Each may also be taken from a key. Values are equal as JSON, numbers by value; numbers are
    /// ordered by value and strings character by character.
    ///
    /// # Returns
    /// Whether it is so; `false` with a reason where the values have no order, as a string and a
    /// number have none.
    #[condition(category = "compare")]
    fn compare(
        /// The value on the left.
        left: &Value,
        /// The comparison to make.
        operator: Comparison,
        /// The value on the right.
        right: &Value,
    ) -> Result<bool, String> {
        operator.holds(left, right).map_err(|why| why.to_string())
    }

    /// Compare the value of a key with a value.
    ///
    /// Values are equal as JSON, numbers by value; numbers are ordered by value and strings
    /// character by character.
    ///
    /// # Returns
    /// Whether it is so; `false` with a reason if the key is not set, and where the values have no
    /// order, as a string and a number have none.
    #[condition(category = "compare")]
    fn compare_key(
        cx: &Context,
        /// The key whose value stands on the left.
        bb_key: &str,
        /// The comparison to make.
        operator: Comparison,
        /// The value on the right.
        value: &Value,
    ) -> Result<bool, String> {
        let held = held::value(cx, bb_key)?;
        operator.holds(&held, value).map_err(|why| why.to_string())
    }

    /// Is the number of a key larger than a number?
    ///
    /// # Returns
    /// Whether it is; `false` with a reason if the key is not set or one of the two is no number.
    #[condition(category = "compare")]
    fn number_larger_than(
        cx: &Context,
        /// The key whose number is compared.
        bb_key: &str,
        /// The number to compare with.
        other_value: &Value,
    ) -> Result<bool, String> {
        number(cx, bb_key, Comparison::Greater, other_value)
    }

    /// Is the number of a key less than a number?
    ///
    /// # Returns
    /// Whether it is; `false` with a reason if the key is not set or one of the two is no number.
    #[condition(category = "compare")]
    fn number_less_than(
        cx: &Context,
        /// The key whose number is compared.
        bb_key: &str,
        /// The number to compare with.
        other_value: &Value,
    ) -> Result<bool, String> {
        number(cx, bb_key, Comparison::Less, other_value)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::builtin::bench::{answers, fails, refuses};

    const OPERATORS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

    #[test]
    fn values_compare_in_six_ways() {
        let compares = |left: serde_json::Value, right: serde_json::Value, expect: [bool; 6]| {
            for (operator, answer) in OPERATORS.into_iter().zip(expect) {
                let args = json!([left, operator, right]);
                answers(json!({}), "compare", args, answer);
                let board = json!({"k": left});
                answers(board, "compare_key", json!(["k", operator, right]), answer);
            }
        };
        compares(
            json!(1),
            json!(1.0),
            [true, false, false, true, false, true],
        );
        compares(json!(1), json!(2), [false, true, true, true, false, false]);
        compares(
            json!("b"),
            json!("a"),
            [false, true, false, false, true, true],
        );
    }

    #[test]
    fn values_without_an_order_are_equal_or_not_and_nothing_else() {
        let pairs = [
            (json!("1"), json!(1)),
            (json!(null), json!([])),
            (json!(false), json!(true)),
        ];
        for (left, right) in pairs {
            answers(json!({}), "compare", json!([left, "==", right]), false);
            answers(json!({}), "compare", json!([left, "ne", right]), true);
            for operator in &OPERATORS[2..] {
                let args = json!([left, operator, right]);
                fails(json!({}), "compare", args, "have no order");
                let args = json!(["k", operator, right]);
                fails(json!({"k": left}), "compare_key", args, "have no order");
            }
        }
    }

    #[test]
    fn a_key_that_is_not_set_compares_with_nothing() {
        for operator in OPERATORS {
            let args = json!(["k", operator, null]);
            fails(json!({}), "compare_key", args, "`k` is not set");
        }
    }

    #[test]
    fn another_operator_is_refused_with_those_there_are() {
        refuses("compare", json!([1, "=", 2]), "expected one of `==`");
    }

    #[test]
    fn the_originals_two_compare_numbers_only() {
        for (held, larger, less) in [(3, true, false), (2, false, false), (1, false, true)] {
            let board = json!({"n": held});
            answers(
                board.clone(),
                "number_larger_than",
                json!(["n", 2.0]),
                larger,
            );
            answers(board, "number_less_than", json!(["n", 2.0]), less);
        }
        for action in ["number_larger_than", "number_less_than"] {
            fails(json!({}), action, json!(["n", 1]), "`n` is not set");
            fails(
                json!({"n": "a"}),
                action,
                json!(["n", "b"]),
                "holds a string",
            );
            fails(
                json!({"n": 1}),
                action,
                json!(["n", "2"]),
                "`other_value` is a string",
            );
        }
    }
}
