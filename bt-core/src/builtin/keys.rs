//! Keys: asked for, set, copied and removed.

use serde_json::Value;

use super::{ActionAgent, held};
use crate::compare::equal;
use crate::prelude::*;

#[agent]
impl ActionAgent {
    /// Is a key set?
    ///
    /// # Returns
    /// `true` if it is, whatever it holds, `null` included.
    #[condition(category = "blackboard")]
    fn has_key(
        cx: &Context,
        /// The key to look for.
        bb_key: &str,
    ) -> bool {
        cx.has(bb_key)
    }

    /// Does a key hold this value?
    ///
    /// Values are equal as JSON, numbers by value: 1 equals 1.0, and "1" equals neither.
    ///
    /// # Returns
    /// `true` if it does, `false` if it holds another or is not set.
    #[condition(category = "blackboard")]
    fn has_key_value(
        cx: &Context,
        /// The key whose value is compared.
        bb_key: &str,
        /// The value to compare with.
        value: &Value,
    ) -> bool {
        let held = cx.blackboard().lend(bb_key);
        held.is_some_and(|held| equal(&held, value))
    }

    /// Set a key to a value.
    ///
    /// # Returns
    /// Always `true`.
    #[action(category = "blackboard")]
    fn set_key_value(
        cx: &mut Context,
        /// The key to set.
        bb_key: &str,
        /// The value to replace it with.
        new_value: Value,
    ) -> bool {
        cx.set(bb_key, new_value);
        true
    }

    /// Copy the value of a key to another key.
    ///
    /// # Returns
    /// `true`, or `false` if the source is not set; then the other key stays as it is.
    #[action(category = "blackboard")]
    fn copy_key(
        cx: &mut Context,
        /// The key to copy from.
        source_bb_key: &str,
        /// The key to copy to.
        dest_bb_key: &str,
    ) -> Result<(), String> {
        let value = held::value(cx, source_bb_key)?.clone();
        cx.set(dest_bb_key, value);
        Ok(())
    }

    /// Remove a key.
    ///
    /// # Returns
    /// Always `true`: that it was not set is no failure.
    #[action(category = "blackboard")]
    fn remove_key(
        cx: &mut Context,
        /// The key that will not be set any more.
        bb_key: &str,
    ) -> bool {
        cx.remove(bb_key);
        true
    }

    /// Remove several keys.
    ///
    /// # Returns
    /// Always `true`: that one was not set is no failure.
    #[action(category = "blackboard")]
    fn remove_keys(
        cx: &mut Context,
        /// The keys that will not be set any more.
        bb_keys: &[String],
    ) -> bool {
        for key in bb_keys {
            cx.remove(key);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::builtin::bench::{answers, does, fails};

    #[test]
    fn a_key_is_there_whatever_it_holds() {
        answers(json!({"hp": 1}), "has_key", json!(["hp"]), true);
        answers(json!({"hp": null}), "has_key", json!(["hp"]), true);
        answers(json!({"hp": 1}), "has_key", json!(["mp"]), false);
    }

    #[test]
    fn a_keys_value_is_compared_by_value_and_kind() {
        for (value, answer) in [(json!(1), true), (json!(1.0), true), (json!("1"), false)] {
            answers(
                json!({"hp": 1}),
                "has_key_value",
                json!(["hp", value]),
                answer,
            );
        }
        answers(
            json!({"a": [{"b": 2}]}),
            "has_key_value",
            json!(["a", [{"b": 2.0}]]),
            true,
        );
        answers(json!({}), "has_key_value", json!(["hp", null]), false);
        answers(
            json!({"hp": null}),
            "has_key_value",
            json!(["hp", null]),
            true,
        );
    }

    #[test]
    fn a_key_is_set_to_any_value() {
        for value in [json!(2), json!(null), json!({"a": [1]})] {
            let after = json!({"hp": value});
            does(
                json!({"hp": 1}),
                "set_key_value",
                json!(["hp", value]),
                after,
            );
        }
        does(
            json!({}),
            "set_key_value",
            json!(["new", 1]),
            json!({"new": 1}),
        );
    }

    #[test]
    fn a_key_is_copied_if_it_is_set() {
        let keys = json!(["a", "b"]);
        does(
            json!({"a": [1], "b": 2}),
            "copy_key",
            keys.clone(),
            json!({"a": [1], "b": [1]}),
        );
        does(
            json!({"a": 1}),
            "copy_key",
            json!(["a", "a"]),
            json!({"a": 1}),
        );
        fails(json!({"b": 2}), "copy_key", keys, "key `a` is not set");
    }

    #[test]
    fn removing_keys_works_for_set_and_unset_keys() {
        does(
            json!({"a": 1, "b": 2}),
            "remove_key",
            json!(["a"]),
            json!({"b": 2}),
        );
        does(json!({"b": 2}), "remove_key", json!(["a"]), json!({"b": 2}));
        let keys = json!([["a", "c", "none"]]);
        does(
            json!({"a": 1, "b": 2, "c": 3}),
            "remove_keys",
            keys,
            json!({"b": 2}),
        );
    }
}
