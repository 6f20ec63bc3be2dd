//! Code that the tests in `tests/` and the measuring commands share; those tests cross crates.

pub mod cases;
pub mod chaos;
pub mod compare;
pub mod cost;
pub mod expressions;
pub mod migrant;
pub mod mutations;
pub mod probe;
pub mod properties;
pub mod reference;
mod sky;
pub mod stage;

/// The code of the book runs as it stands. README and the page of examples show parts of the examples, which
/// `tests/book` compares. All code is in one program, so each agent has a name of its own.
#[cfg(doctest)]
mod book {
    #[doc = include_str!("../../docs/src/agents.md")]
    struct Agents;
    #[doc = include_str!("../../docs/src/blackboard.md")]
    struct Blackboard;
    #[doc = include_str!("../../docs/src/debugging.md")]
    struct Debugging;
    #[doc = include_str!("../../docs/src/fleet.md")]
    struct Fleet;
    #[doc = include_str!("../../docs/src/live.md")]
    struct Live;
    #[doc = include_str!("../../docs/src/pool.md")]
    struct Pool;
    #[doc = include_str!("../../docs/src/quick-start.md")]
    struct QuickStart;
    #[doc = include_str!("../../docs/src/reload.md")]
    struct Reload;
    #[doc = include_str!("../../docs/src/saving.md")]
    struct Saving;
    #[doc = include_str!("../../docs/src/scenarios.md")]
    struct Scenarios;
}
