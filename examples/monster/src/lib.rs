//! A little game world, the agents that behaviour trees drive in it, and a scene of them.
//!
//! `cargo run -p monster` plays the [`scene`]: monsters patrol, hunt and flee, accounts log in, and
//! their players live for quests, all on the tree files of the folder `trees`. Its options write down
//! what the agents do there, save the scene, and play on in another process.
//!
//! The world knows nothing of trees: it moves bodies, lets them fight, and says what happened to
//! whom. An agent is what a tree sees of one entity of that world. It holds the entity's id and
//! what it has on its mind; the world itself is lent to it for the time of a call.
//!
//! ```
//! use std::time::Duration;
//! use bt_core::prelude::*;
//! use monster::{Blueprint, MonsterAgent, Point, World};
//! use serde_json::json;
//!
//! let mut world = World::new();
//! let hero = world.spawn(Blueprint::player("hero", Point::new(20.0, 10.0)));
//! let wolf = world.spawn(Blueprint::monster("wolf", Point::new(5.0, 10.0)));
//!
//! let mut agent = MonsterAgent::new(wolf, Point::new(5.0, 10.0));
//! let mut session = Session::new(7);
//! let outcome = Registry::global()?.invoke(
//!     &mut agent, &mut world, &mut session.context(), "chase", &json!([hero]))?;
//! assert_eq!(outcome, Outcome::Pending);
//!
//! for _ in 0..100 {
//!     world.step(Duration::from_millis(100));
//! }
//! // What happened, for the runner of each entity.
//! let (who, event) = world.take_events().remove(0);
//! assert_eq!((who, event.name()), (wolf, "arrived"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod agents;
pub mod scene;
pub mod world;

pub use agents::{AccountAgent, ActorAgent, MonsterAgent, PlayerAgent};
pub use world::{Blueprint, Entity, Kind, Obstacle, Point, Stance, World, WorldError};
