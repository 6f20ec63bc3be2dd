//! A village of two hundred villagers and a dozen guards, and a thief who comes at night.
//!
//! Villagers queue for bread, each with a completion that the market finishes. At nightfall an event sends them to bed.
//! Guards see the thief by a component that is a key of their blackboard: whoever sees nobody is not looked at.

mod agents;
mod day;

pub use agents::{Guard, Villager};
pub use day::{Diary, village};
