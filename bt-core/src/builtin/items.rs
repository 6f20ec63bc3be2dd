//! Items put into the arrays that keys hold, and taken out of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ActionAgent, held};
use crate::compare::equal;
use crate::prelude::*;

/// An end of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline, extend("type" = "string"))]
enum End {
    /// Before all others.
    First,
    /// After all others.
    Last,
}

#[agent]
impl ActionAgent {
    /// Add a value to an array.
    ///
    /// # Returns
    /// `true`, also if the key is not set, which starts an array; `false` with a reason if it holds
    /// anything else, or would get larger than a megabyte or deeper than a hundred arrays.
    #[action(category = "array")]
    fn array_push(
        cx: &mut Context,
        /// The key that holds the array.
        array_bb_key: &str,
        /// The value to add.
        value: Value,
        /// The end to add it at.
        #[arg(default = End::Last)]
        at: End,
    ) -> Result<(), String> {
        held::grow_array(
            cx.blackboard(),
            array_bb_key,
            value,
            |items, value| match at {
                End::First => items.insert(0, value),
                End::Last => items.push(value),
            },
        )
    }

    /// Take an item off an array.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the key is not set or holds no array, or the array is
    /// empty.
    #[action(category = "array")]
    fn array_pop(
        cx: &mut Context,
        /// The key that holds the array, and one item less afterwards.
        array_bb_key: &str,
        /// The key to store the item in.
        dest_bb_key: &str,
        /// The end to take it from: the last for a stack, the first for a queue.
        #[arg(default = End::Last)]
        from: End,
    ) -> Result<(), String> {
        held::move_from_array(cx.blackboard(), array_bb_key, dest_bb_key, |items| {
            let item = match from {
                End::First if items.is_empty() => None,
                End::First => Some(items.remove(0)),
                End::Last => items.pop(),
            };
            item.ok_or_else(|| "the array is empty".to_owned())
        })
    }

    /// Remove a value from an array.
    ///
    /// # Returns
    /// `true` if it was there, however often, and is not any more; `false` if it was not, with a
    /// reason if the key is not set or holds no array.
    #[action(category = "array")]
    fn array_remove(
        cx: &mut Context,
        /// The key that holds the array.
        array_bb_key: &str,
        /// The value to remove; items equal it as JSON, numbers by value.
        value: &Value,
    ) -> Result<bool, String> {
        held::change_array(cx.blackboard(), array_bb_key, |items| {
            let before = items.len();
            items.retain(|item| !equal(item, value));
            Ok(items.len() < before)
        })
    }

    /// Empty an array.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the key is not set or holds no array.
    #[action(category = "array")]
    fn array_clear(
        cx: &mut Context,
        /// The key that holds the array.
        array_bb_key: &str,
    ) -> Result<(), String> {
        held::change_array(cx.blackboard(), array_bb_key, |items| {
            items.clear();
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::builtin::bench::{Bench, answers, does, fails, refuses};

    #[test]
    fn values_are_added_at_either_end_and_start_an_array() {
        does(json!({}), "array_push", json!(["a", 1]), json!({"a": [1]}));
        does(
            json!({"a": [1]}),
            "array_push",
            json!(["a", [2]]),
            json!({"a": [1, [2]]}),
        );
        does(
            json!({"a": [1]}),
            "array_push",
            json!(["a", 0, "first"]),
            json!({"a": [0, 1]}),
        );
        fails(
            json!({"a": null}),
            "array_push",
            json!(["a", 1]),
            "holds null",
        );
        refuses("array_push", json!(["a", 1, "middle"]), "first");
    }

    #[test]
    fn items_are_taken_off_either_end_until_there_are_none() {
        let mut bench = Bench::new(json!({"a": [1, 2, 3]}));
        for (args, item) in [
            (json!(["a", "d"]), 3),
            (json!(["a", "d", "first"]), 1),
            (json!(["a", "d", "last"]), 2),
        ] {
            assert_eq!(bench.call("array_pop", args), (true, None));
            assert_eq!(bench.board()["d"], item);
        }
        assert_eq!(bench.board(), json!({"a": [], "d": 2}));
        for end in ["first", "last"] {
            fails(
                json!({"a": []}),
                "array_pop",
                json!(["a", "d", end]),
                "empty",
            );
        }
        fails(json!({}), "array_pop", json!(["a", "d"]), "not set");
    }

    #[test]
    fn an_item_stays_in_its_array_when_its_destination_cannot_hold_it() {
        let keys = json!(["a", "d"]);
        for (action, args) in [
            ("array_pop", keys),
            ("choose_one_random", json!(["a", "d", true])),
            ("choose_random", json!(["a", "d", 2, true])),
        ] {
            let mut bench = Bench::new(json!({"a": [1, 2, 3]}));
            bench.declare("d", "string", "");
            let error = bench.outcome(action, &args).unwrap_err().to_string();
            assert!(error.contains("`d` is declared as `string`"), "{error}");
            assert_eq!(bench.board(), json!({"a": [1, 2, 3], "d": ""}), "{action}");
            assert_eq!(bench.written(), [""; 0], "{action}");
        }
    }

    #[test]
    fn array_remove_removes_every_equal_value() {
        does(
            json!({"a": [1, 2, 1.0]}),
            "array_remove",
            json!(["a", 1]),
            json!({"a": [2]}),
        );
        // An array that has none of it is not written.
        answers(json!({"a": [2]}), "array_remove", json!(["a", 1]), false);
        fails(json!({}), "array_remove", json!(["a", 1]), "not set");
        does(
            json!({"a": [1, 2]}),
            "array_clear",
            json!(["a"]),
            json!({"a": []}),
        );
        fails(
            json!({"a": 1}),
            "array_clear",
            json!(["a"]),
            "holds a number",
        );
    }
}
