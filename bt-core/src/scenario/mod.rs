//! Scenarios: tests of trees that designers can write.
//!
//! A scenario is a TOML file beside a tree. It says what the agent's methods answer, what happens from outside, and
//! what is expected. [`Scenario`] is such a file, a [`Player`] plays it on an agent's trees, and a [`Verdict`] says what
//! came of it: of each expectation that was not met, what was expected, what happened, and why.
//!
//! | key | meaning |
//! |---|---|
//! | `tree` | the tree |
//! | `until`, `tick`, `seed`, `loop` | the last poll; the time between polls, 0.1 s; the seed, 0; the tree begins again |
//! | `otherwise` | the result of calls that nothing answers, for agents that are described |
//! | `[set]` | values of `"$key"` and `"@property"` before the first poll |
//! | `[[answer]]` | what calls answer; of several that fit, the last one |
//! | `[[step]]` | what is set and fired before the first poll that is not before `at` |
//! | `[[expect]]` | `by`, `at` or `never`, and what: `called` with `times`, `active`, `result` |
//!
//! Polls are at 0, `tick`, 2 `tick` and so on.

// A file, and what is wrong with it.
mod file;
mod mentions;
mod pattern;
mod problem;
mod read;
mod values;

// With an agent and trees.
mod check;
mod play;
mod script;
mod seen;
mod verdict;
mod why;

#[cfg(test)]
mod tests;

pub use mentions::{Mention, Mentioned};
pub use play::Player;
pub use problem::{ScenarioError, ScenarioProblem};
pub use read::Scenario;
pub use seen::{GuardSeen, NodeSeen, Seen};
pub use verdict::{Failure, Story, Verdict};

/// The JSON Schema of scenario files, for editors.
///
/// ```
/// let schema = bt_core::scenario::schema();
/// assert_eq!(schema["required"], serde_json::json!(["tree"]));
/// ```
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(file::File).to_value()
}
