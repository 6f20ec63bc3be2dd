//! Luck: numbers and chances from the agent's random stream, so that the same seed draws the same.

use super::ActionAgent;
use crate::prelude::*;

#[agent]
impl ActionAgent {
    /// Store a random whole number.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the limits are the wrong way round.
    #[action(category = "random")]
    fn random_int(
        cx: &mut Context,
        /// The smallest that may come up.
        low: i64,
        /// The largest that may come up.
        high: i64,
        /// The key to store the number in.
        dest_bb_key: &str,
    ) -> Result<(), String> {
        if high < low {
            return Err(format!("no number is at least {low} and at most {high}"));
        }
        let drawn = cx.random().int(low..=high);
        cx.set(dest_bb_key, drawn);
        Ok(())
    }

    /// Store a random number with a fraction.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the limits are the wrong way round, or further apart than
    /// a number can say.
    #[action(category = "random")]
    fn random_float(
        cx: &mut Context,
        /// The smallest that may come up.
        low: f64,
        /// The upper limit, which is not reached unless the limits are equal.
        high: f64,
        /// The key to store the number in.
        dest_bb_key: &str,
    ) -> Result<(), String> {
        let span = high - low;
        if !span.is_finite() || span < 0.0 {
            return Err(format!("cannot draw a number from {low:?} to {high:?}"));
        }
        let drawn = cx.random().float(low, high);
        cx.set(dest_bb_key, drawn);
        Ok(())
    }

    /// Be lucky with a probability.
    ///
    /// It draws anew whenever it is asked: on entry where it guards a branch.
    ///
    /// # Returns
    /// Whether it was.
    #[condition(category = "random")]
    fn random_chance(
        cx: &mut Context,
        /// The probability of success: 0 is never, 1 is always.
        #[arg(min = 0.0, max = 1.0)]
        probability: f64,
    ) -> bool {
        cx.random().chance(probability)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::builtin::bench::{Bench, answers, does, fails, refuses};

    #[test]
    fn numbers_are_drawn_between_their_limits() {
        let mut bench = Bench::new(json!({}));
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..200 {
            assert!(bench.call("random_int", json!([-1, 2, "n"])).0);
            seen.insert(bench.board()["n"].as_i64().unwrap());
            assert!(bench.call("random_float", json!([-0.5, 0.5, "f"])).0);
            assert!((-0.5..0.5).contains(&bench.board()["f"].as_f64().unwrap()));
        }
        assert!(
            seen.into_iter().eq(-1..=2),
            "both limits come up, nothing else"
        );
        assert!(bench.call("random_int", json!([i64::MIN, i64::MAX, "n"])).0);
        does(json!({}), "random_int", json!([3, 3, "n"]), json!({"n": 3}));
        does(
            json!({}),
            "random_float",
            json!([3, 3, "n"]),
            json!({"n": 3.0}),
        );
        fails(
            json!({}),
            "random_int",
            json!([2, 1, "n"]),
            "at least 2 and at most 1",
        );
        fails(
            json!({}),
            "random_float",
            json!([2, 1, "n"]),
            "from 2.0 to 1.0",
        );
        fails(
            json!({}),
            "random_float",
            json!([-1e308, 1e308, "n"]),
            "cannot draw",
        );
    }

    #[test]
    fn luck_has_its_probability() {
        let mut bench = Bench::new(json!({}));
        let lucky = (0..300).filter(|_| bench.call("random_chance", json!([0.3])).0);
        let lucky = lucky.count();
        assert!((60..120).contains(&lucky), "{lucky}");
        answers(json!({}), "random_chance", json!([0]), false);
        answers(json!({}), "random_chance", json!([1]), true);
        refuses("random_chance", json!([1.5]), "is 1.5, expected 0.0 to 1.0");
        refuses("random_chance", json!([-0.1]), "expected 0.0");
    }

    #[test]
    fn the_same_seed_draws_the_same() {
        let draw = || {
            let mut bench = Bench::new(json!({"a": [0, 1, 2, 3, 4, 5, 6, 7]}));
            bench.call("choose_random", json!(["a", "some", 4, true]));
            bench.call("choose_one_random", json!(["a", "one", false]));
            bench.call("array_shuffle", json!(["a"]));
            bench.call("random_int", json!([0, 999, "n"]));
            bench.call("random_float", json!([0, 1, "f"]));
            bench.board()
        };
        assert_eq!(draw(), draw());
    }
}
