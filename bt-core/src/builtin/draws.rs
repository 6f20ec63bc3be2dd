//! Items of arrays drawn at random, and arrays put in a random order.

use serde_json::Value;

use super::{ActionAgent, held};
use crate::prelude::*;

/// A place among so many, each as likely; none of none.
fn place(random: &mut Random, len: usize) -> Option<usize> {
    let last = i64::try_from(len.checked_sub(1)?).ok()?;
    usize::try_from(random.int(0..=last)).ok()
}

/// Takes so many of the items, each as likely, in the order in which they are drawn; the others
/// stay in theirs. There are as many.
fn take(random: &mut Random, items: &mut Vec<Value>, count: usize) -> Vec<Value> {
    let mut places: Vec<usize> = (0..items.len()).collect();
    let mut left: Vec<Option<Value>> = std::mem::take(items).into_iter().map(Some).collect();
    let mut taken = Vec::with_capacity(count);
    for at in 0..count {
        // The first places hold those drawn before.
        if let Some(drawn) = place(random, places.len() - at) {
            places.swap(at, at + drawn);
            taken.extend(left[places[at]].take());
        }
    }
    items.extend(left.into_iter().flatten());
    taken
}

#[agent]
impl ActionAgent {
    /// Store an item of an array, drawn at random.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the key is not set or holds no array, or the array is
    /// empty.
    #[action(category = "random")]
    fn choose_one_random(
        cx: &mut Context,
        /// The key that holds the array.
        array_bb_key: &str,
        /// The key to store the item in.
        dest_bb_key: &str,
        /// True if the item is removed from the array.
        remove_chosen: bool,
    ) -> Result<(), String> {
        let none = || "the array is empty".to_owned();
        let (board, random) = (cx.blackboard(), cx.random());
        if remove_chosen {
            return held::move_from_array(board, array_bb_key, dest_bb_key, |items| {
                let at = place(random, items.len()).ok_or_else(none)?;
                Ok(items.remove(at))
            });
        }
        let items = held::array(cx, array_bb_key)?;
        let chosen = cx.random().choose(&items).ok_or_else(none)?.clone();
        drop(items);
        cx.set(dest_bb_key, chosen);
        Ok(())
    }

    /// Store several items of an array, drawn at random.
    ///
    /// Items that are removed are drawn once each; others are put back and may come up again.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the key is not set or holds no array, or the array has
    /// fewer items than are drawn.
    #[action(category = "random")]
    fn choose_random(
        cx: &mut Context,
        /// The key that holds the array.
        array_bb_key: &str,
        /// The key to store the array of drawn items in.
        dest_bb_key: &str,
        /// The number of items to draw.
        #[arg(min = 0)]
        choose_sz: i32,
        /// True if the items are removed from the array.
        remove_chosen: bool,
    ) -> Result<(), String> {
        let enough = |items: &[Value]| match usize::try_from(choose_sz) {
            Ok(count) if count <= items.len() => Ok(count),
            _ => Err(format!(
                "the array's size is {}, less than {choose_sz}",
                items.len()
            )),
        };
        let (board, random) = (cx.blackboard(), cx.random());
        if remove_chosen {
            return held::move_from_array(board, array_bb_key, dest_bb_key, |items| {
                let count = enough(items)?;
                Ok(take(random, items, count).into())
            });
        }
        let items = held::array(cx, array_bb_key)?;
        let random = cx.random();
        let draws = 0..enough(&items)?;
        let chosen: Vec<_> = draws
            .filter_map(|_| random.choose(&items).cloned())
            .collect();
        drop(items);
        cx.set(dest_bb_key, chosen);
        Ok(())
    }

    /// Put an array in a random order.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the key is not set or holds no array.
    #[action(category = "random")]
    fn array_shuffle(
        cx: &mut Context,
        /// The key that holds the array.
        array_bb_key: &str,
    ) -> Result<(), String> {
        let (board, random) = (cx.blackboard(), cx.random());
        held::change_array(board, array_bb_key, |items| {
            random.shuffle(items);
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::builtin::bench::{Bench, fails, refuses};

    fn numbers(value: &Value) -> Vec<u64> {
        serde_json::from_value(value.clone()).unwrap()
    }

    #[test]
    fn every_item_can_be_drawn_and_is_put_back() {
        let mut bench = Bench::new(json!({"a": [0, 1, 2]}));
        let mut drawn = [0; 3];
        for _ in 0..60 {
            let called = bench.call("choose_one_random", json!(["a", "d", false]));
            assert_eq!(called, (true, None));
            drawn[bench.board()["d"].as_u64().unwrap() as usize] += 1;
            assert_eq!(bench.board()["a"], json!([0, 1, 2]));
        }
        assert!(drawn.iter().all(|times| *times > 5), "{drawn:?}");
    }

    #[test]
    fn removed_items_are_drawn_once_each_and_then_there_are_none() {
        let mut bench = Bench::new(json!({"a": [0, 1, 2]}));
        let mut drawn = Vec::new();
        for _ in 0..3 {
            let called = bench.call("choose_one_random", json!(["a", "d", true]));
            assert_eq!(called, (true, None));
            drawn.push(bench.board()["d"].as_u64().unwrap());
        }
        drawn.sort_unstable();
        assert_eq!(drawn, [0, 1, 2]);
        for remove in [false, true] {
            let args = json!(["a", "d", remove]);
            fails(json!({"a": []}), "choose_one_random", args.clone(), "empty");
            fails(json!({}), "choose_one_random", args.clone(), "not set");
            fails(json!({"a": 1}), "choose_one_random", args, "holds a number");
        }
    }

    #[test]
    fn several_are_drawn_with_or_without_putting_them_back() {
        let all: Vec<u64> = (0..50).collect();
        let mut bench = Bench::new(json!({"a": all}));
        let draw = |bench: &mut Bench, count: u32, remove: bool| {
            let args = json!(["a", "d", count, remove]);
            assert_eq!(bench.call("choose_random", args), (true, None));
            numbers(&bench.board()["d"])
        };
        let drawn = draw(&mut bench, 50, false);
        let different: std::collections::BTreeSet<_> = drawn.iter().collect();
        assert_eq!(drawn.len(), 50);
        assert!(different.len() < 50, "put back, so one comes up again");
        assert_eq!(numbers(&bench.board()["a"]), all);

        let taken = draw(&mut bench, 30, true);
        let left = numbers(&bench.board()["a"]);
        assert_eq!((taken.len(), left.len()), (30, 20));
        assert!(left.is_sorted(), "what is left keeps its order");
        assert!(
            !taken.is_sorted(),
            "what is drawn comes in the order of luck"
        );
        let mut both = [taken, left].concat();
        both.sort_unstable();
        assert_eq!(both, all, "each is drawn or left, once");
        assert_eq!(draw(&mut bench, 0, true), [0; 0]);
        assert_eq!(draw(&mut bench, 20, true).len(), 20);
        assert_eq!(bench.board()["a"], json!([]));
    }

    #[test]
    fn no_more_are_drawn_than_there_are() {
        for remove in [false, true] {
            let args = |count: i32| json!(["a", "d", count, remove]);
            fails(
                json!({"a": [1]}),
                "choose_random",
                args(2),
                "size is 1, less than 2",
            );
            fails(json!({"a": 1}), "choose_random", args(0), "holds a number");
            fails(json!({}), "choose_random", args(0), "not set");
            refuses("choose_random", args(-1), "-1");
        }
    }

    #[test]
    fn a_shuffled_array_has_the_same_items() {
        let all: Vec<u64> = (0..50).collect();
        let mut bench = Bench::new(json!({"a": all}));
        assert_eq!(bench.call("array_shuffle", json!(["a"])), (true, None));
        let mut shuffled = numbers(&bench.board()["a"]);
        assert_ne!(shuffled, all);
        shuffled.sort_unstable();
        assert_eq!(shuffled, all);
        fails(json!({}), "array_shuffle", json!(["a"]), "not set");
        fails(
            json!({"a": "ab"}),
            "array_shuffle",
            json!(["a"]),
            "holds a string",
        );
    }
}
