//! A scenario's file, as it is written.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use toml::{Spanned, Value};

/// A word with its place in the file.
pub(super) type Word = Spanned<String>;

/// Names with values.
pub(super) type Named = BTreeMap<Word, Spanned<Value>>;

/// The same, for a schema.
type AnyNamed = BTreeMap<String, serde_json::Value>;

/// A test of a tree: what its agent's methods answer, what happens from outside, and what is expected.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a scenario: `tree`, `until`, `[set]`, `[[answer]]`, `[[step]]`, `[[expect]]`"
)]
#[schemars(title = "bt scenario", rename = "scenario")]
pub(super) struct File {
    /// The tree, by its path from this file's folder.
    #[schemars(with = "String")]
    pub(super) tree: Word,
    /// The time of the last poll, such as "20s". Without it the scenario lasts until the tree has ended.
    #[schemars(with = "Option<Time>")]
    pub(super) until: Option<Word>,
    /// The time between two polls; "0.1s" without it.
    #[schemars(with = "Option<Time>")]
    pub(super) tick: Option<Word>,
    /// The seed of the random stream; 0 without it.
    #[schemars(with = "Option<u64>")]
    pub(super) seed: Option<Spanned<i64>>,
    /// The tree begins again when it has ended; it needs `until`.
    #[serde(default, rename = "loop")]
    pub(super) repeats: bool,
    /// The result of calls that nothing answers; without it the scenario fails there. It is for agents that are
    /// described, not for those of a program.
    #[schemars(with = "Option<Ending>")]
    pub(super) otherwise: Option<Spanned<Ending>>,
    /// Values before the first poll: "$key" of the blackboard, "@property" of the agent.
    #[serde(default)]
    #[schemars(with = "AnyNamed")]
    pub(super) set: Named,
    /// Answers to calls. Of several that fit a call the last one answers.
    #[serde(default)]
    pub(super) answer: Vec<Answer>,
    /// Changes from outside, before the first poll that is not earlier.
    #[serde(default)]
    pub(super) step: Vec<Step>,
    /// The expectations.
    #[serde(default)]
    pub(super) expect: Vec<Expect>,
}

/// A time with its unit: "2s", "0.5s", "250ms", "1min".
#[derive(JsonSchema)]
#[schemars(transparent, inline)]
#[expect(dead_code, reason = "it is there for its schema")]
struct Time(#[schemars(regex(pattern = r"^[0-9]+(\.[0-9]+)? *(ms|s|min)$"))] String);

/// A result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Ending {
    /// It succeeds.
    Success,
    /// It fails.
    Failure,
}

/// An answer to calls of a method: one of `result`, `at`, `each` and `running`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Answer {
    /// The method, such as "walk_to", or "walk_to(target: 7)" for calls with that argument. Arguments that are
    /// not named may be anything.
    #[schemars(with = "String")]
    pub(super) call: Word,
    /// The time after which an action ends.
    #[schemars(with = "Option<Time>")]
    pub(super) after: Option<Word>,
    /// `true` or `false`, "success", "failure" or "running"; the value of a query; the child that a composite runs.
    #[schemars(with = "Option<serde_json::Value>")]
    pub(super) result: Option<Spanned<Value>>,
    /// Results by times: the latest that is not after the poll's. As in `each`, an action's may have a time of its
    /// own: `{ after = "2s", result = true }`.
    #[schemars(with = "Option<AnyNamed>")]
    pub(super) at: Option<Spanned<Named>>,
    /// Results of one call after the other; the last one repeats. An action's may have a time of its own:
    /// `{ after = "2s", result = true }`.
    #[schemars(with = "Option<Vec<serde_json::Value>>")]
    pub(super) each: Option<Spanned<Vec<Spanned<Value>>>>,
    /// `true`: the action runs until something aborts it.
    #[schemars(with = "Option<bool>")]
    pub(super) running: Option<Spanned<bool>>,
    /// Values for the arguments that the method writes, by their names.
    #[serde(default)]
    #[schemars(with = "AnyNamed")]
    pub(super) writes: Named,
}

/// A change from outside.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    /// The time of the step.
    #[schemars(with = "Time")]
    pub(super) at: Word,
    /// Values of keys and properties.
    #[serde(default)]
    #[schemars(with = "AnyNamed")]
    pub(super) set: Named,
    /// An event, after the values.
    pub(super) fire: Option<Fire>,
}

/// An event.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Fire {
    /// Its name.
    #[schemars(with = "String")]
    pub(super) event: Word,
    /// Its parameters.
    #[serde(default)]
    #[schemars(with = "AnyNamed")]
    pub(super) params: Named,
}

/// An expectation: when (`by`, `at` or `never`), and what.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Expect {
    /// After some poll up to that time.
    #[schemars(with = "Option<Time>")]
    pub(super) by: Option<Word>,
    /// After the first poll that is not before that time; "end" is the last poll.
    #[schemars(with = "Option<String>")]
    pub(super) at: Option<Word>,
    /// In no poll: a call such as "shout" or "chase(target: 7)", or an active node such as "hunt.json#5".
    #[schemars(with = "Option<String>")]
    pub(super) never: Option<Word>,
    /// With `never`: the first poll that counts; 0 without it.
    #[schemars(with = "Option<Time>")]
    pub(super) from: Option<Word>,
    /// With `never`: the last poll that counts.
    #[schemars(with = "Option<Time>")]
    pub(super) until: Option<Word>,
    /// A call that was made, such as "chase(target: 7)".
    #[schemars(with = "Option<String>")]
    pub(super) called: Option<Word>,
    /// The number of calls by then, exactly; without it at least one.
    #[schemars(with = "Option<u32>")]
    pub(super) times: Option<Spanned<i64>>,
    /// Nodes that are active, such as "hunt.json#5": a tree by its path from the folder of the scenario's tree, or from
    /// the folder that is played.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) active: Vec<Word>,
    /// The tree's result.
    #[schemars(with = "Option<Ending>")]
    pub(super) result: Option<Spanned<Ending>>,
}
