//! The number that a key holds kept within limits, rounded, or given another sign.

use std::cmp::Ordering;

use serde_json::Number;

use super::number::{self, Rounding};
use super::{ActionAgent, held};
use crate::compare::numbers;
use crate::prelude::*;

#[agent]
impl ActionAgent {
    /// Lower the number of a key to a limit.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the key is not set or holds no number.
    #[action(category = "arithmetic")]
    fn number_min(
        cx: &mut Context,
        /// The key that holds the smaller of its number and the limit afterwards.
        bb_key: &str,
        /// The most that is left.
        limit: &Number,
    ) -> Result<(), String> {
        held::change_number(cx.blackboard(), bb_key, |n| number::smaller(n, limit))
    }

    /// Raise the number of a key to a limit.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the key is not set or holds no number.
    #[action(category = "arithmetic")]
    fn number_max(
        cx: &mut Context,
        /// The key that holds the larger of its number and the limit afterwards.
        bb_key: &str,
        /// The least that is left.
        limit: &Number,
    ) -> Result<(), String> {
        held::change_number(cx.blackboard(), bb_key, |n| number::larger(n, limit))
    }

    /// Bring the number of a key between two limits.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the key is not set or holds no number, or the limits are
    /// the wrong way round.
    #[action(category = "arithmetic")]
    fn number_clamp(
        cx: &mut Context,
        /// The key whose number is raised or lowered.
        bb_key: &str,
        /// The least that is left.
        low: &Number,
        /// The most that is left.
        high: &Number,
    ) -> Result<(), String> {
        if numbers(high, low).is_some_and(Ordering::is_lt) {
            return Err(format!("the limits {low} and {high} leave no number"));
        }
        held::change_number(cx.blackboard(), bb_key, |n| {
            number::smaller(&number::larger(n, low)?, high)
        })
    }

    /// Drop the sign of the number of a key.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the key is not set or holds no number.
    #[action(category = "arithmetic")]
    fn number_abs(
        cx: &mut Context,
        /// The key whose number is replaced by its absolute value.
        bb_key: &str,
    ) -> Result<(), String> {
        held::change_number(cx.blackboard(), bb_key, number::absolute)
    }

    /// Change the sign of the number of a key.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the key is not set or holds no number.
    #[action(category = "arithmetic")]
    fn number_negate(
        cx: &mut Context,
        /// The key whose number is replaced by its negative.
        bb_key: &str,
    ) -> Result<(), String> {
        held::change_number(cx.blackboard(), bb_key, number::negate)
    }

    /// Round the number of a key to a whole number.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the key is not set or holds no number.
    #[action(category = "arithmetic")]
    fn number_round(
        cx: &mut Context,
        /// The key whose number is rounded.
        bb_key: &str,
        /// The whole number to round to; halves are rounded away from zero.
        #[arg(default = Rounding::Nearest)]
        to: Rounding,
    ) -> Result<(), String> {
        held::change_number(cx.blackboard(), bb_key, |n| number::round(n, to))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::builtin::bench::{calculates, does, fails, refuses};

    #[test]
    fn limits_are_kept_exactly_and_equal_numbers_stay_as_they_are() {
        calculates(json!(7), "number_min", json!(5), json!(5));
        calculates(json!(5), "number_min", json!(7.5), json!(5));
        calculates(json!(5), "number_min", json!(5.0), json!(5));
        calculates(json!(7), "number_max", json!(5), json!(7));
        calculates(
            json!(u64::MAX - 1),
            "number_max",
            json!(u64::MAX),
            json!(u64::MAX),
        );
        for (held, left) in [(-1, json!(0)), (3, json!(3)), (99, json!(9.5))] {
            does(
                json!({"n": held}),
                "number_clamp",
                json!(["n", 0, 9.5]),
                json!({"n": left}),
            );
        }
        does(
            json!({"n": 3}),
            "number_clamp",
            json!(["n", 2, 2]),
            json!({"n": 2}),
        );
        fails(
            json!({"n": 3}),
            "number_clamp",
            json!(["n", 2, 1]),
            "leave no number",
        );
        fails(json!({}), "number_clamp", json!(["n", 1, 2]), "not set");
    }

    #[test]
    fn signs_are_dropped_and_changed() {
        let signs = |held: Value, abs: Value, negative: Value| {
            does(
                json!({"n": held}),
                "number_abs",
                json!(["n"]),
                json!({"n": abs}),
            );
            does(
                json!({"n": held}),
                "number_negate",
                json!(["n"]),
                json!({"n": negative}),
            );
        };
        signs(json!(-2.5), json!(2.5), json!(2.5));
        signs(json!(3), json!(3), json!(-3));
        signs(json!(i64::MIN), json!(1_u64 << 63), json!(1_u64 << 63));
        signs(json!(u64::MAX), json!(u64::MAX), json!(-(u64::MAX as f64)));
    }

    #[test]
    fn a_rounded_number_is_whole() {
        let rounds = |held: Value, nearest: i64, down: i64, up: i64| {
            does(
                json!({"n": held}),
                "number_round",
                json!(["n"]),
                json!({"n": nearest}),
            );
            for (to, expect) in [("nearest", nearest), ("down", down), ("up", up)] {
                does(
                    json!({"n": held}),
                    "number_round",
                    json!(["n", to]),
                    json!({"n": expect}),
                );
            }
        };
        rounds(json!(2.5), 3, 2, 3);
        rounds(json!(-2.5), -3, -3, -2);
        rounds(json!(2.2), 2, 2, 3);
        rounds(json!(4), 4, 4, 4);
        does(
            json!({"n": 1e300}),
            "number_round",
            json!(["n"]),
            json!({"n": 1e300}),
        );
        refuses("number_round", json!(["n", "sideways"]), "nearest");
    }

    #[test]
    fn min_and_max_of_a_value_that_is_no_number_fail_and_keep_it() {
        for action in ["number_min", "number_max"] {
            fails(json!({}), action, json!(["n", 1]), "`n` is not set");
            fails(
                json!({"n": true}),
                action,
                json!(["n", 1]),
                "`n` holds a boolean",
            );
            refuses(action, json!(["n", "1"]), "number");
        }
        for action in ["number_abs", "number_negate", "number_round"] {
            fails(json!({}), action, json!(["n"]), "`n` is not set");
            fails(json!({"n": []}), action, json!(["n"]), "`n` holds an array");
        }
    }
}
