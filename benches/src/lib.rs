//! The cost of a call, beside other ways to call the same method.
//!
//! - `cargo bench -p bt-benches` times every way, the peers included, and prints the ratios.
//! - `cargo run --release -p bt-benches --bin instructions` counts instructions instead, which
//!   a busy machine does not change (needs valgrind).
//!
//! Here is what both share: the agents and the ways to call them that need no other crate.

#![forbid(unsafe_code)]

mod agents;
mod by_hand;
mod case;
mod cases;
mod naive;
mod polls;
mod rounds;
pub mod trees;

pub use agents::{Beast, Wolf, World};
pub use case::{Case, Compared, Stage, disagreement};
pub use cases::{
    BOUND, BOUND_INHERITED, BOUND_KEYS, BOUND_NO_ARGUMENT, BOUND_TEXT_KEY, DIRECT,
    DIRECT_NO_ARGUMENT, ERASED, ERASED_BY_NAME, LEAF, LEAF_NO_ARGUMENT, LEAF_TEXT, LOOP,
    NAIVE_BORROWED, NAIVE_CLONED, REGISTRY, cases,
};
pub use polls::{Abacus, LEAVES, Polls};
pub use rounds::{Rounds, Timed, elapsed};
