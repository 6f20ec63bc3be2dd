//! The built-in agent, base of every agent that names no other.

use crate::prelude::*;

/// The base of every agent that names no other: actions on the blackboard and the tree itself.
///
/// It has no state; an agent need not hold one.
#[derive(Debug, Agent)]
#[agent(no_base)]
pub struct ActionAgent;

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
