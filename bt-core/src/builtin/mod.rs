//! The built-in agent, base of every agent that names no other: one block of actions for each
//! subject.
//!
//! Its actions name the keys that they work on by string arguments: `number_add("shots", 1)`. All are
//! static, so that an agent inherits them without holding anything.
//!
//! - Seventeen have the names and the arguments of the original's `action_agent`, so that its trees
//!   run; where their documentation and their behaviour there differ, they do what is documented
//!   (`number_div` divides, `choose_idx` counts from 0).
//! - What is only asked is a condition, which a tree's `action` node may name as well.
//! - What cannot be done is a failure with a reason, and leaves every key as it was.

#[cfg(feature = "builtin")]
mod arithmetic;
#[cfg(feature = "builtin")]
mod arrays;
#[cfg(test)]
mod bench;
#[cfg(feature = "builtin")]
mod comparison;
#[cfg(feature = "builtin")]
mod draws;
#[cfg(feature = "builtin")]
mod events;
#[cfg(feature = "builtin")]
mod held;
#[cfg(feature = "builtin")]
mod items;
#[cfg(feature = "builtin")]
mod keys;
#[cfg(feature = "builtin")]
mod limits;
#[cfg(feature = "builtin")]
mod log;
#[cfg(feature = "builtin")]
mod number;
#[cfg(feature = "builtin")]
mod random;
#[cfg(feature = "builtin")]
mod strings;
mod wait;

use crate::prelude::*;

/// The base of every agent that names no other: actions on the blackboard's keys, numbers, arrays
/// and strings, on luck, the log, time and events.
///
/// It has no state; an agent need not hold one. What it logs goes to the host's `tracing` subscriber
/// with the target `bt::log`.
#[derive(Debug, Agent)]
#[agent(no_base)]
pub struct ActionAgent;

/// The names that the feature adds, for trees that call them without it.
#[cfg(any(test, not(feature = "builtin")))]
pub(crate) const NAMES: [&str; 44] = [
    "array_clear",
    "array_contains",
    "array_is_empty",
    "array_pop",
    "array_push",
    "array_remove",
    "array_shuffle",
    "choose_idx",
    "choose_one_random",
    "choose_random",
    "compare",
    "compare_key",
    "copy_key",
    "fire_event",
    "get_array_size",
    "get_string_length",
    "has_key",
    "has_key_value",
    "log_bb",
    "log_info",
    "number_abs",
    "number_add",
    "number_clamp",
    "number_dec",
    "number_div",
    "number_larger_than",
    "number_less_than",
    "number_max",
    "number_min",
    "number_modulo",
    "number_multiply",
    "number_negate",
    "number_round",
    "random_chance",
    "random_float",
    "random_int",
    "remove_key",
    "remove_keys",
    "set_key_value",
    "string_append",
    "string_contains",
    "string_ends_with",
    "string_format",
    "string_starts_with",
];

#[agent]
impl ActionAgent {
    /// Do nothing.
    ///
    /// # Returns
    /// Always `true`.
    #[action(category = "flow")]
    fn nop() -> bool {
        true
    }
}

#[cfg(all(test, feature = "builtin"))]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::bench::{Bench, does};
    use crate::describe::catalogue::MethodKind;
    use crate::{Outcome, Registry};

    #[test]
    fn nop_succeeds_and_does_nothing() {
        does(json!({"hp": 1}), "nop", json!([]), json!({"hp": 1}));
    }

    #[test]
    fn names_of_the_feature_are_all_but_those_that_are_always_there() {
        let agent = Registry::global().unwrap().agent("action_agent").unwrap();
        let all = agent.actions();
        let all = all.iter().map(|method| method.entry.item.name.as_str());
        let added = all.filter(|name| *name != "nop" && !name.starts_with("wait_"));
        let added: BTreeSet<_> = added.collect();
        assert_eq!(added, BTreeSet::from(super::NAMES));
    }

    #[test]
    fn every_action_is_documented_and_its_brief_is_its_own() {
        let agent = Registry::global().unwrap().agent("action_agent").unwrap();
        let mut briefs = BTreeSet::new();
        for method in agent.actions() {
            let name = &method.item.name;
            assert!(!method.item.brief.is_empty(), "`{name}` has no brief");
            assert!(
                briefs.insert(&method.entry.item.brief),
                "`{name}` has another's brief"
            );
            assert!(!method.returns.is_empty(), "`{name}` has no `# Returns`");
            assert!(method.item.category.is_some(), "`{name}` has no category");
            assert!(method.is_static, "`{name}` needs an agent");
            for arg in &method.args {
                assert!(
                    !arg.comment.is_empty(),
                    "`{}` of `{name}` has no comment",
                    arg.name
                );
            }
        }
        assert!(briefs.len() > 30);
    }

    /// Every action, with every mixture of arguments that may be right or wrong for it.
    #[test]
    fn a_built_in_call_that_fails_writes_nothing() {
        let agent = Registry::global().unwrap().agent("action_agent").unwrap();
        let board =
            json!({"full": [1, "x", [2]], "empty": [], "n": 7, "large": 1e308, "text": "ab"});
        let values = [
            json!("full"),
            json!("empty"),
            json!("n"),
            json!("large"),
            json!("text"),
            json!("unset"),
            json!("typed"),
            json!(2),
            json!(1e308),
            json!(0),
            json!(true),
        ];
        let (mut failed, mut ran) = (BTreeSet::new(), BTreeSet::new());
        for method in agent.actions() {
            let name = method.entry.item.name.as_str();
            let needed = method.args.iter().filter(|arg| !arg.ty.optional).count() as u32;
            let counts = needed..=method.args.len() as u32;
            let ways = counts.flat_map(|count| {
                let numbers = 0..values.len().pow(count);
                // Of four arguments there are too many ways.
                let step = if count == 4 { 11 } else { 1 };
                numbers.step_by(step).map(move |number| (count, number))
            });
            for (count, number) in ways {
                let digit = |at| number / values.len().pow(at) % values.len();
                let args: Vec<_> = (0..count).map(|at| values[digit(at)].clone()).collect();
                let mut bench = Bench::new(board.clone());
                bench.declare("typed", "bool", false);
                let called = bench.outcome(name, &json!(args));
                if matches!(called, Ok(Outcome::Done(false)) | Err(_)) {
                    let none: [&str; 0] = [];
                    assert_eq!(bench.written(), none, "{name}{}: {called:?}", json!(args));
                    failed.insert(name.to_owned());
                } else {
                    ran.insert(name.to_owned());
                }
            }
        }
        assert!(ran.len() > 35 && failed.len() > 40, "{ran:?} {failed:?}");
    }

    #[test]
    fn builtin_methods_that_only_read_are_conditions() {
        let agent = Registry::global().unwrap().agent("action_agent").unwrap();
        let conditions: Vec<_> = agent
            .actions()
            .into_iter()
            .filter(|method| method.kind == MethodKind::Condition)
            .map(|method| method.entry.item.name.as_str())
            .collect();
        let expect = [
            "array_contains",
            "array_is_empty",
            "compare",
            "compare_key",
            "has_key",
            "has_key_value",
            "number_larger_than",
            "number_less_than",
            "random_chance",
            "string_contains",
            "string_ends_with",
            "string_starts_with",
        ];
        assert_eq!(conditions, expect);
    }
}
