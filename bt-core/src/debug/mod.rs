//! Stopping an agent in the middle of a poll, stepping through its tree, and changing what its nodes end as.
//!
//! A [`Breakpoint`] is a pattern over the records of a trace. An agent that meets one stops at the next place
//! between two calls: [`Runner::poll`](crate::Runner::poll) returns at once, and does nothing until somebody says
//! how the agent [continues](crate::Runner::step). All others run on. A stopped agent is like a paused one: its
//! clock stands, and what arrives is kept. It continues as if nothing had happened.
//!
//! ```
//! use bt_core::debug::{Breakpoint, Breakpoints, On, Step};
//! use bt_core::prelude::*;
//! use bt_core::tree::asset::spec::{action, sequence};
//! use bt_core::{Mode, Runner, TreeAsset, TreeSet};
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! #[derive(Agent)]
//! struct Baker { loaves: u32 }
//!
//! #[agent]
//! impl Baker {
//!     #[action]
//!     fn knead(&mut self) {}
//!     #[action]
//!     fn bake(&mut self) { self.loaves += 1; }
//! }
//!
//! let mut trees = TreeSet::<Baker>::new();
//! trees.add(TreeAsset::build("day.json", "baker", sequence([action("knead"), action("bake")])));
//! let mut runner = Runner::new(&trees.build()?, "day.json")?.mode(Mode::Once);
//! let mut baker = Baker { loaves: 0 };
//!
//! // Node 3 is `bake`.
//! let bake = On::Enter { tree: "day.json".to_owned(), idx: 3 };
//! runner.set_breakpoints(Some(Arc::new(Breakpoints::new([Breakpoint::new(1, bake)]))));
//! runner.start();
//! runner.poll(&mut baker, Duration::ZERO);
//! let stop = runner.stopped().expect("it has met the breakpoint");
//! assert_eq!((stop.tree.as_deref(), stop.idx), (Some("day.json"), Some(3)));
//! assert_eq!(baker.loaves, 0, "nothing of the node was called");
//!
//! let number = stop.number;
//! runner.step(number, Step::Continue)?;
//! let poll = runner.poll(&mut baker, Duration::ZERO);
//! assert_eq!((poll.status, baker.loaves), (Status::Success, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod breakpoint;
mod profile;
mod stop;

pub use breakpoint::{Breakpoint, Breakpoints, Compare, Condition, Hits, On};
pub use profile::{NodeProfile, Profile, Profiler};
pub use stop::{DebugError, Forced, ForcedNode, Step, Stop, Why};
