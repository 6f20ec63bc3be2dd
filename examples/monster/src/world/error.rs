//! The reason why the world refused something.

use std::fmt;

/// The reason why the world refused something. As an action's `Err`, its text is what a trace shows.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum WorldError {
    /// No entity has that id.
    Unknown(u64),
    /// The entity is dead, or was never alive.
    Dead(u64),
    /// The entity cannot move.
    Rooted(u64),
    /// No way leads there.
    NoPath,
    /// Too far away, or out of sight.
    OutOfReach(u64),
    /// The entity is in the middle of something else.
    Busy(u64),
    /// Something is missing, such as gold.
    Missing(&'static str),
    /// The server said no.
    Refused(&'static str),
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorldError::Unknown(id) => write!(f, "no entity {id}"),
            WorldError::Dead(id) => write!(f, "entity {id} is not alive"),
            WorldError::Rooted(id) => write!(f, "entity {id} cannot move"),
            WorldError::NoPath => f.write_str("no way leads there"),
            WorldError::OutOfReach(id) => write!(f, "entity {id} is out of reach"),
            WorldError::Busy(id) => write!(f, "entity {id} is busy"),
            WorldError::Missing(what) => write!(f, "no {what}"),
            WorldError::Refused(why) => write!(f, "refused: {why}"),
        }
    }
}

impl std::error::Error for WorldError {}
