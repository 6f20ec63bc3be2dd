//! The records of one agent as values: their tracers, their forms, and the state that they rebuild.
//!
//! A runner that has a [`Tracer`] hands it a [`Record`] of everything that happens: nodes entered and
//! left, calls, writes, events, diagnostics. The commands are those of the original's debugger, and
//! more. The first record of a trace is a snapshot ([`What::Snapshot`]); from there on the active nodes
//! and the blackboard at any record can be [rebuilt](Replay).
//!
//! ```
//! use bt_core::prelude::*;
//! use bt_core::trace::Ring;
//! use bt_core::tree::asset::spec::{action, sequence};
//! use bt_core::{Runner, TreeAsset, TreeSet};
//! use std::time::Duration;
//!
//! #[derive(Agent)]
//! struct Lantern;
//!
//! #[agent]
//! impl Lantern {
//!     #[action]
//!     fn light(&mut self, cx: &mut Context) { cx.set("lit", true); }
//! }
//!
//! let mut trees = TreeSet::<Lantern>::new();
//! trees.add(TreeAsset::build("light.json", "lantern", sequence([action("light")])));
//! let trees = trees.build()?;
//! let mut runner = Runner::new(&trees, "light.json")?;
//! runner.set_tracer(Some(Box::new(Ring::new(&trees, 1000))));
//! runner.start();
//! runner.poll(&mut Lantern, Duration::ZERO);
//! let ring = runner.tracer::<Ring>().unwrap();
//! let words: Vec<_> = ring.records().map(|record| record.what.command().to_owned()).collect();
//! assert_eq!(words, [
//!     "snapshot", "control", "poll_begin", "node_enter", "node_enter", "node_enter", "node_action",
//!     "bb_set", "node_leave", "node_leave", "node_leave",
//! ]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod args;
mod place;
mod record;
#[cfg(feature = "trace")]
mod recording;
mod wait;
mod what;

pub use args::Args;
pub use place::Place;
pub use record::Record;
#[cfg(feature = "trace")]
pub use recording::*;
pub(crate) use wait::{Names, in_a_line};
pub use wait::{Resumption, Wait};
#[cfg(feature = "trace")]
pub(crate) use wait::{Seconds, is_endless, is_never, wakes};
#[cfg(feature = "trace")]
pub(crate) use what::VALUE;
pub use what::{Control, Leave, Role, Switch, What, Woken};
