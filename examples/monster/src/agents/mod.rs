//! The agents: what behaviour trees see of the world's entities.
//!
//! An agent holds its entity's id and its own thoughts. It never holds the world: whoever calls it
//! lends the world for the time of the call, as the parameter marked `#[world]`.

mod account;
mod actor;
mod monster;
mod player;

pub use account::AccountAgent;
pub use actor::ActorAgent;
pub use monster::MonsterAgent;
pub use player::{Emote, PlayerAgent, QuestChoice};
