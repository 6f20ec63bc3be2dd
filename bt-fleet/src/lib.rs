//! One world of behaviour trees on many machines.
//!
//! A [`Fleet`] divides agents into shards by their [keys](Key). A [`Member`] is a process that polls some of the shards
//! and saves them; others take them over when it fails. Inputs of agents are stored before they count, and applied once.
//! The book's page “One world on many machines” says what is promised, and what is not.
//!
//! ```
//! use bt_core::prelude::*;
//! use bt_core::tree::asset::spec::{action, sequence, wait_event};
//! use bt_core::{TreeAsset, TreeSet};
//! use bt_fleet::Fleet;
//! use serde::{Deserialize, Serialize};
//! use serde_json::json;
//! use std::time::Duration;
//!
//! #[derive(Agent, Serialize, Deserialize)]
//! struct Npc {
//!     health: i64,
//! }
//!
//! #[agent]
//! impl Npc {
//!     #[event]
//!     fn hit(by: i64);
//!
//!     #[action]
//!     fn shout(&mut self) {}
//! }
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let mut trees = TreeSet::<Npc>::new();
//!     let guard = sequence([wait_event("hit"), action("shout")]);
//!     trees.add(TreeAsset::build("guard.json", "npc", guard));
//!
//!     let fleet = Fleet::<Npc>::local();
//!     let member = fleet.member("here").spawn(|_key, args| {
//!         Ok(Npc { health: args["health"].as_i64().unwrap_or(10) })
//!     });
//!     // Damage counts, whatever the tree waits for.
//!     let member = member.heard(|_key, npc, event| npc.health -= event.get_as("by").unwrap_or(0));
//!     let mut member = member.start(trees.build()?, 1)?;
//!
//!     let second = Duration::from_secs(1);
//!     fleet.spawn("npc:42", "guard.json", json!({"health": 100})).wait(second)?;
//!     (0..20).for_each(|step| member.round(Duration::from_millis(step * 20), &mut ()));
//!     fleet.fire("npc:42", Npc::hit(3)).id("combat-981").wait(second)?;
//!     (20..40).for_each(|step| member.round(Duration::from_millis(step * 20), &mut ()));
//!
//!     let (npc, _) = member.agent(&"npc:42".into()).ok_or("it is not here")?;
//!     assert_eq!(npc.health, 97);
//!     Ok(())
//! }
//! ```

mod config;
mod error;
mod fleet;
mod key;
mod member;
mod metrics;
#[cfg(feature = "nats")]
mod nats;
mod outbox;
mod publish;
mod reply;
mod saved;
mod sending;
mod shard;
pub mod status;
pub mod store;
mod wire;

pub use config::Config;
pub use error::FleetError;
pub use fleet::Fleet;
pub use key::Key;
pub use member::{Member, MemberBuilder};
pub use metrics::Metrics;
pub use outbox::{FleetContext, Outbox};
pub use reply::Reply;
pub use saved::{LogLine, LogReader, SavedShard};
pub use sending::{Refusal, Sending};
pub use wire::input::Control;
