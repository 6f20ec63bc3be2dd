#![doc = include_str!("../README.md")]

mod ecs;

mod brain;
mod clock;
mod wakes;

mod events;
mod exits;
mod keys;
mod paused;
mod poll;
mod reach;

mod arguments;
mod plugin;
mod saved;

#[cfg(feature = "asset")]
mod files;
#[cfg(feature = "asset")]
mod trees;

#[cfg(feature = "port")]
mod port;

pub use arguments::{EntityArg, Vec2Arg, Vec3Arg};
pub use brain::{Brain, BtSeed};
pub use clock::BtClock;
pub use ecs::{Ecs, EcsAgent};
#[doc(hidden)]
pub use ecs::{EcsWorld, Lends};
pub use events::{EntityFire, Fire, TreeEnded};
#[cfg(feature = "asset")]
pub use files::{BehaviorTree, TreeFile, TreeLoader};
pub use paused::BtPaused;
pub use plugin::{AddAgent, BtPlugin, BtSystems};
#[cfg(feature = "port")]
pub use port::{BtPort, BtPortPlugin};
pub use saved::{SaveBrains, SavedBrain};
#[cfg(feature = "asset")]
pub use trees::TreeProblems;
pub use wakes::{Brains, Wakes};

/// The names that a game with agents uses, those of bt-core included.
pub mod prelude {
    pub use crate::{
        AddAgent, Brain, Brains, BtClock, BtPaused, BtPlugin, BtSeed, BtSystems, Ecs, EntityFire,
        Fire, SaveBrains, SavedBrain, TreeEnded,
    };
    #[cfg(feature = "asset")]
    pub use crate::{BehaviorTree, TreeFile, TreeProblems};
    pub use bt_core::prelude::*;
}
