//! Agents that are described at run time: by a catalogue, or by hand. No Rust type is behind them.
//!
//! A [`DynType`] is the description: the names, arguments and types of actions, conditions, properties and
//! events. A [`DynAgent`] is one such agent. Trees, runners, pools, traces and saved agents work as for any other.
//!
//! ```
//! use bt_core::dynamic::{Answer, Describe, DynAgent, Type};
//! use bt_core::{Runner, TreeAsset};
//! use std::time::Duration;
//!
//! let guard = Describe::agent("guard")
//!     .property("hp", Type::of::<u32>().max(100).default(80))
//!     .action("walk_to", |method| method.arg("target", Type::of::<u64>()))
//!     .condition("sees_enemy", |method| method)
//!     .on("walk_to", |_, args, _| Answer::from(args[0] == 7))
//!     .on("sees_enemy", |guard, _, _| guard.get("hp") != Some(&0.into()))
//!     .build()?;
//!
//! let script = "SEQUENCE True\n    sees_enemy\n    walk_to 7";
//! let mut trees = guard.trees();
//! trees.add(TreeAsset::from_script("hunt", script)?.with_agent("guard"));
//! let mut runner = Runner::new(&trees.build()?, "hunt")?.mode(bt_core::Mode::Once);
//! runner.start();
//! let poll = runner.poll(&mut DynAgent::new(&guard), Duration::ZERO);
//! assert_eq!(poll.status, bt_core::Status::Success);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is checked
//!
//! Arguments are checked against the JSON Schemas of the description, with bounds, choices and defaults, where a
//! typed agent decodes them: a literal when trees are built, a key or a property at each call. A value that only the
//! type behind a schema can judge, such as the alias of an enum's variant, is taken. Values stay as they are
//! written: an object may come as an array of pairs, and `2.0` for an integer.
//!
//! # What is kept
//!
//! Trees hold their descriptions for as long as the program runs, so these are never freed. Equal descriptions are
//! one, and all of them together have [`MOST_TEXT`] bytes at most.

mod agent;
mod answer;
mod describe;
mod error;
mod handler;
mod known;
mod types;

#[cfg(test)]
mod tests;

pub use agent::DynAgent;
pub use answer::Answer;
pub use describe::{Describe, EventType, MethodType};
pub use error::DescribeError;
pub use handler::Handler;
pub use known::{DynType, MOST_TEXT};
pub use types::Type;
