//! The id of an agent: its place in a pool, and its number among those that had the place.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An agent of a [`Pool`](crate::pool::Pool), or one that a [`WakeQueue`](crate::pool::WakeQueue)
/// knows.
///
/// The place of a despawned agent is used again, its id never is: an old id refers to no agent, not to
/// another one. Ids sort by place, and a round polls agents in that order.
///
/// ```
/// use bt_core::pool::AgentId;
///
/// let id = AgentId::from_bits(0x0000_0007_0000_0002);
/// assert_eq!((id.index(), id.generation()), (7, 2));
/// assert_eq!(id.to_bits(), 0x0000_0007_0000_0002);
/// assert_eq!(id.to_string(), "7v2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "(u32, u32)", into = "(u32, u32)")]
pub struct AgentId(u64);

impl AgentId {
    pub(super) fn new(index: u32, generation: u32) -> AgentId {
        AgentId(u64::from(index) << 32 | u64::from(generation))
    }

    /// The number of its place, from 0: for tables beside the pool.
    pub fn index(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The number of the agent among those that had its place.
    pub fn generation(self) -> u32 {
        self.0 as u32
    }

    /// The id as a number, for values on a blackboard.
    pub fn to_bits(self) -> u64 {
        self.0
    }

    /// The id of a number that [`to_bits`](AgentId::to_bits) gave.
    pub fn from_bits(bits: u64) -> AgentId {
        AgentId(bits)
    }
}

impl From<(u32, u32)> for AgentId {
    fn from((index, generation): (u32, u32)) -> AgentId {
        AgentId::new(index, generation)
    }
}

impl From<AgentId> for (u32, u32) {
    fn from(id: AgentId) -> (u32, u32) {
        (id.index(), id.generation())
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.index(), self.generation())
    }
}

impl fmt::Debug for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
