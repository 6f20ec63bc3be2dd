//! Arrays that keys hold, looked into.

use serde_json::Value;

use super::{ActionAgent, held};
use crate::compare::equal;
use crate::prelude::*;

#[agent]
impl ActionAgent {
    /// Store the size of an array.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the key is not set or holds no array.
    #[action(category = "array")]
    fn get_array_size(
        cx: &mut Context,
        /// The key that holds the array.
        array_bb_key: &str,
        /// The key to store its number of items in.
        sz_bb_key: &str,
    ) -> Result<(), String> {
        let size = held::array(cx, array_bb_key)?.len();
        cx.set(sz_bb_key, size);
        Ok(())
    }

    /// Store the item of an array at a place.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the key is not set or holds no array, or the array has no
    /// such place.
    #[action(category = "array")]
    fn choose_idx(
        cx: &mut Context,
        /// The place, from 0.
        idx: u32,
        /// The key that holds the array.
        array_bb_key: &str,
        /// The key to store the item in.
        dest_bb_key: &str,
    ) -> Result<(), String> {
        let items = held::array(cx, array_bb_key)?;
        let Some(item) = items.get(idx as usize).cloned() else {
            let size = items.len();
            return Err(format!(
                "the array's size is {size}, so nothing is at {idx}, counted from 0"
            ));
        };
        drop(items);
        cx.set(dest_bb_key, item);
        Ok(())
    }

    /// Is an array empty?
    ///
    /// # Returns
    /// Whether it is; `false` with a reason if the key is not set or holds no array.
    #[condition(category = "array")]
    fn array_is_empty(
        cx: &Context,
        /// The key that holds the array.
        array_bb_key: &str,
    ) -> Result<bool, String> {
        Ok(held::array(cx, array_bb_key)?.is_empty())
    }

    /// Does an array contain a value?
    ///
    /// # Returns
    /// Whether one of its items equals the value, numbers by value; `false` with a reason if the
    /// key is not set or holds no array.
    #[condition(category = "array")]
    fn array_contains(
        cx: &Context,
        /// The key that holds the array.
        array_bb_key: &str,
        /// The value to look for.
        value: &Value,
    ) -> Result<bool, String> {
        let items = held::array(cx, array_bb_key)?;
        Ok(items.iter().any(|item| equal(item, value)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::builtin::bench::{answers, does, fails, refuses};

    #[test]
    fn an_array_is_counted() {
        let args = json!(["a", "n"]);
        does(
            json!({"a": [7, 8]}),
            "get_array_size",
            args.clone(),
            json!({"a": [7, 8], "n": 2}),
        );
        does(
            json!({"a": []}),
            "get_array_size",
            args.clone(),
            json!({"a": [], "n": 0}),
        );
        does(
            json!({"a": [7]}),
            "get_array_size",
            json!(["a", "a"]),
            json!({"a": 1}),
        );
        fails(json!({}), "get_array_size", args.clone(), "`a` is not set");
        fails(
            json!({"a": "ab"}),
            "get_array_size",
            args,
            "`a` holds a string",
        );
    }

    #[test]
    fn an_item_is_chosen_from_the_first_to_the_last_u17() {
        let board = json!({"a": ["x", "y"]});
        for (idx, item) in [(0, "x"), (1, "y")] {
            let after = json!({"a": ["x", "y"], "d": item});
            does(board.clone(), "choose_idx", json!([idx, "a", "d"]), after);
        }
        for idx in [2, u32::MAX] {
            fails(
                board.clone(),
                "choose_idx",
                json!([idx, "a", "d"]),
                "size is 2, so nothing is at",
            );
        }
        fails(
            json!({"a": 1}),
            "choose_idx",
            json!([0, "a", "d"]),
            "holds a number",
        );
        fails(json!({}), "choose_idx", json!([0, "a", "d"]), "not set");
        refuses("choose_idx", json!([-1, "a", "d"]), "-1");
    }

    #[test]
    fn array_conditions_compare_by_value() {
        let board = json!({"a": [1, "x"], "e": []});
        for (value, answer) in [(json!(1.0), true), (json!("x"), true), (json!("1"), false)] {
            answers(board.clone(), "array_contains", json!(["a", value]), answer);
        }
        answers(board.clone(), "array_is_empty", json!(["a"]), false);
        answers(board, "array_is_empty", json!(["e"]), true);
        fails(json!({}), "array_contains", json!(["a", 1]), "not set");
        fails(
            json!({"a": {}}),
            "array_is_empty",
            json!(["a"]),
            "holds an object",
        );
    }
}
