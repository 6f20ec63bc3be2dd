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
//! struct Potter { pots: u32 }
//!
//! #[agent]
//! impl Potter {
//!     #[action]
//!     fn knead(&mut self) {}
//!     #[action]
//!     fn throw_pot(&mut self) { self.pots += 1; }
//! }
//!
//! let mut trees = TreeSet::<Potter>::new();
//! trees.add(TreeAsset::build("day.json", "potter", sequence([action("knead"), action("throw_pot")])));
//! let mut runner = Runner::new(&trees.build()?, "day.json")?.mode(Mode::Once);
//! let mut potter = Potter { pots: 0 };
//!
//! // Node 3 is `throw_pot`.
//! let throw_pot = On::Enter { tree: "day.json".to_owned(), idx: 3 };
//! runner.set_breakpoints(Some(Arc::new(Breakpoints::new([Breakpoint::new(1, throw_pot)]))));
//! runner.start();
//! runner.poll(&mut potter, Duration::ZERO);
//! let stop = runner.stopped().expect("it has met the breakpoint");
//! assert_eq!((stop.tree.as_deref(), stop.idx), (Some("day.json"), Some(3)));
//! assert_eq!(potter.pots, 0, "nothing of the node was called");
//!
//! let number = stop.number;
//! runner.step(number, Step::Continue)?;
//! let poll = runner.poll(&mut potter, Duration::ZERO);
//! assert_eq!((poll.status, potter.pots), (Status::Success, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod breakpoint;
mod breakpoints;
mod profile;
mod stop;

pub use breakpoint::{Breakpoint, Compare, Condition, Hits, On};
pub use breakpoints::Breakpoints;
pub use profile::{NodeProfile, Profile, Profiler};
pub use stop::{DebugError, Forced, ForcedNode, Step, Stop, Why};
