//! Arithmetic on the number that a key holds.
//!
//! The original's four take any value, so that a tree with a wrong one loads and its node fails, as
//! it does there; what is ours takes a number, and a tree with anything else is refused.

use serde_json::{Number, Value};

use super::number::{self, Calculation};
use super::{ActionAgent, held};
use crate::compare::kind;
use crate::prelude::*;

/// Replaces a key's number by what it makes with a value, if that is a number.
fn update(cx: &Context, key: &str, calculation: Calculation, value: &Value) -> Result<(), String> {
    match value {
        Value::Number(value) => {
            held::change_number(cx.blackboard(), key, |number| calculation(number, value))
        }
        other => Err(format!("`value` is {}, expected a number", kind(other))),
    }
}

/// The original's.
#[agent]
impl ActionAgent {
    /// Add to the number of a key.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the key is not set, one of the two is no number, or the
    /// result is too large for one.
    #[action(category = "arithmetic")]
    fn number_add(
        cx: &mut Context,
        /// The key whose number is replaced by the sum.
        bb_key: &str,
        /// The number to add.
        value: &Value,
    ) -> Result<(), String> {
        update(cx, bb_key, number::add, value)
    }

    /// Subtract from the number of a key.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the key is not set, one of the two is no number, or the
    /// result is too large for one.
    #[action(category = "arithmetic")]
    fn number_dec(
        cx: &mut Context,
        /// The key whose number is replaced by the difference.
        bb_key: &str,
        /// The number to subtract.
        value: &Value,
    ) -> Result<(), String> {
        update(cx, bb_key, number::subtract, value)
    }

    /// Multiply the number of a key.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the key is not set, one of the two is no number, or the
    /// result is too large for one.
    #[action(category = "arithmetic")]
    fn number_multiply(
        cx: &mut Context,
        /// The key whose number is replaced by the product.
        bb_key: &str,
        /// The number to multiply by.
        value: &Value,
    ) -> Result<(), String> {
        update(cx, bb_key, number::multiply, value)
    }

    /// Divide the number of a key.
    ///
    /// Whole numbers that divide evenly stay whole: 6 / 3 is 2, and 7 / 2 is 3.5.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the key is not set, one of the two is no number, the value
    /// is 0, or the result is too large for a number.
    #[action(category = "arithmetic")]
    fn number_div(
        cx: &mut Context,
        /// The key whose number is replaced by the quotient.
        bb_key: &str,
        /// The number to divide by.
        value: &Value,
    ) -> Result<(), String> {
        update(cx, bb_key, number::divide, value)
    }
}

#[agent]
impl ActionAgent {
    /// Replace the number of a key by its remainder.
    ///
    /// It is never negative, so that an index wraps around: -1 modulo 3 is 2.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the key is not set or holds no number, or the divisor is 0.
    #[action(category = "arithmetic")]
    fn number_modulo(
        cx: &mut Context,
        /// The key whose number is replaced by the remainder.
        bb_key: &str,
        /// The number to divide by.
        divisor: &Number,
    ) -> Result<(), String> {
        held::change_number(cx.blackboard(), bb_key, |n| number::modulo(n, divisor))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::builtin::ActionAgent;
    use crate::builtin::bench::{calculates, fails, refuses};
    use crate::{ActionSet, Session, Source};

    #[test]
    fn the_originals_four_calculate_as_their_names_say_u17() {
        calculates(json!(7), "number_add", json!(2), json!(9));
        calculates(json!(7), "number_add", json!(0.5), json!(7.5));
        calculates(json!(7), "number_dec", json!(9), json!(-2));
        calculates(json!(7), "number_multiply", json!(-3), json!(-21));
        calculates(json!(10), "number_div", json!(2), json!(5));
        calculates(json!(7), "number_div", json!(2), json!(3.5));
        calculates(json!(6.0), "number_div", json!(2), json!(3.0));
    }

    #[test]
    fn whole_numbers_are_exact_to_the_last_one_and_then_floats() {
        calculates(json!(u64::MAX), "number_dec", json!(1), json!(u64::MAX - 1));
        calculates(
            json!(u64::MAX),
            "number_add",
            json!(i64::MIN),
            json!(i64::MAX),
        );
        calculates(
            json!(-1),
            "number_add",
            json!(u64::MAX),
            json!(u64::MAX - 1),
        );
        calculates(
            json!(u64::MAX),
            "number_add",
            json!(1),
            json!(u64::MAX as f64),
        );
        calculates(
            json!(i64::MIN),
            "number_dec",
            json!(1),
            json!(i64::MIN as f64),
        );
        calculates(json!(i64::MIN), "number_div", json!(-1), json!(1_u64 << 63));
        let most = u64::MAX as f64;
        let product = json!(most * most);
        calculates(json!(u64::MAX), "number_multiply", json!(u64::MAX), product);
    }

    #[test]
    fn a_key_can_be_calculated_with_itself() {
        let session = &mut Session::new(7);
        session.blackboard().set("n", 3);
        let actions = ActionSet::<ActionAgent>::collect().unwrap();
        let sources = [Source::literal("n"), Source::key("n")];
        let bound = actions
            .bind("number_multiply", sources, &mut session.blackboard())
            .unwrap();
        bound
            .call(&mut ActionAgent, &mut (), &mut session.context())
            .unwrap();
        assert_eq!(session.blackboard().get("n"), 9);
    }

    #[test]
    fn arithmetic_on_a_value_that_is_no_number_fails_and_keeps_it() {
        for action in ["number_add", "number_dec", "number_multiply", "number_div"] {
            fails(json!({}), action, json!(["n", 1]), "`n` is not set");
            fails(
                json!({"n": "7"}),
                action,
                json!(["n", 1]),
                "`n` holds a string",
            );
            fails(
                json!({"n": 7}),
                action,
                json!(["n", "1"]),
                "`value` is a string",
            );
            fails(
                json!({"n": 7}),
                action,
                json!(["n", null]),
                "`value` is null",
            );
        }
        fails(
            json!({}),
            "number_modulo",
            json!(["n", 1]),
            "`n` is not set",
        );
        fails(
            json!({"n": true}),
            "number_modulo",
            json!(["n", 1]),
            "`n` holds a boolean",
        );
        refuses("number_modulo", json!(["n", "1"]), "number");
    }

    #[test]
    fn a_result_that_is_no_number_is_a_failure() {
        for zero in [json!(0), json!(0.0), json!(-0.0)] {
            for held in [json!(7), json!(0), json!(7.5)] {
                let args = json!(["n", zero]);
                fails(
                    json!({"n": held}),
                    "number_div",
                    args.clone(),
                    "divided by zero",
                );
                fails(
                    json!({"n": held}),
                    "number_modulo",
                    args,
                    "division by zero",
                );
            }
        }
        let large = json!({"n": 1e308});
        fails(
            large.clone(),
            "number_multiply",
            json!(["n", 10]),
            "too large",
        );
        fails(
            large.clone(),
            "number_add",
            json!(["n", 1e308]),
            "too large",
        );
        fails(large, "number_div", json!(["n", 0.1]), "too large");
    }

    #[test]
    fn a_remainder_is_never_negative() {
        for (held, by, left) in [(7, 3, 1), (-1, 3, 2), (-7, -3, 2), (7, -3, 1), (6, 3, 0)] {
            calculates(json!(held), "number_modulo", json!(by), json!(left));
        }
        calculates(json!(-0.5), "number_modulo", json!(2), json!(1.5));
        calculates(json!(i64::MIN), "number_modulo", json!(-1), json!(0));
    }
}
