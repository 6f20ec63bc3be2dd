//! Behaviour trees whose leaves are annotated Rust methods.
//!
//! Annotate a type and its methods; trees then call them by name, with typed arguments. Names,
//! literals and blackboard keys are resolved when trees are built, so a poll looks nothing up.
//!
//! ```
//! use bt_core::{Runner, TreeAsset, TreeSet, prelude::*};
//! use std::time::Duration;
//!
//! #[derive(Agent)]
//! struct Door {
//!     opened: u32,
//! }
//!
//! #[agent]
//! impl Door {
//!     /// Open for whoever rang.
//!     #[action]
//!     fn open(&mut self) {
//!         self.opened += 1;
//!     }
//! }
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let script = "SEQUENCE True\n    open\n    wait_for_seconds 2.5";
//!     let mut trees = TreeSet::<Door>::new();
//!     trees.add(TreeAsset::from_script("life", script)?.with_agent("door"));
//!     let trees = trees.build()?; // reports every mistake in every tree
//!
//!     let (mut door, mut runner) = (Door { opened: 0 }, Runner::new(&trees, "life")?);
//!     runner.start();
//!     let poll = runner.poll(&mut door, Duration::ZERO);
//!     assert_eq!(door.opened, 1);
//!     assert_eq!(poll.next_wake, Some(Duration::from_millis(2500)));
//!     Ok(())
//! }
//! ```
//!
//! # The main types
//!
//! - [`Agent`]: your type. Its methods become actions, conditions, properties and events.
//! - [`TreeAsset`], [`TreeSet`], [`Trees`]: a tree file, the files of a game, and all of them built.
//! - [`Runner`]: the state of one agent on its trees; [`Runner::poll`] is the game loop's call.
//! - [`pool::Pool`]: many agents, of which a round polls those that are due.
//! - [`Context`]: what an action sees of its run: the time, the blackboard, ways to finish later.
//! - [`Completion`]: finishes an action, from any thread.
//! - [`Blackboard`], [`SharedBoard`]: values by key, private to an agent or shared between agents.
//! - [`Registry`], [`ActionSet`]: calls by name, for consoles and tests.
//!
//! # What to look for where
//!
//! | task | item |
//! |---|---|
//! | describe an agent | the macros [`agent`](macro@agent), [`action`](macro@action), [`condition`](macro@condition), [`property`](macro@property), [`event`](macro@event) |
//! | write a tree in Rust | [`tree::asset::spec`] |
//! | wait in an action | [`Context::finish_after`], [`Context::finish_on`], [`Context::completion`] |
//! | fire an event | [`Runner::fire`], [`Context::fire`] |
//! | find out why an agent waits | `Runner::explain`, [`trace`], [`Runner::diagnostics`] |
//! | save a running agent | `Runner::save`, `Runner::restore` |
//! | check trees without building them | [`tree::check`] |
//!
//! The book in the repository's `docs/` has a quick start, guides and references; `bt-meta` is the
//! command line that exports agents for an editor and validates trees.
//!
//! # Features
//!
//! Without its default features the crate registers agents, calls them by name and runs their trees.
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `builtin` | yes | the actions of `action_agent` beside `nop` and those that wait |
//! | `trace` | yes | [`trace`]: tracers, the records that they get, replaying these; [`explain`]: why an agent waits |
//! | `save` | yes | [`snapshot`]: a running agent saved, and restored elsewhere; [`reload`]: trees changed under running agents |
//! | `debug` | no | [`debug`]: breakpoints, steps, forced results, profiles; it needs `trace` |
//! | `dynamic` | no | [`dynamic`]: agents that are described at run time, by a catalogue or by hand; [`scenario`]: trees tested by files that designers can write; it needs `trace` |

// What only a feature uses is unused without it. With all features the lint holds.
#![cfg_attr(
    not(all(
        feature = "builtin",
        feature = "save",
        feature = "debug",
        feature = "dynamic"
    )),
    allow(dead_code)
)]

// The macros name this crate as its users do, here too.
extern crate self as bt_core;

pub mod agent;
pub mod blackboard;
pub mod builtin;
pub mod call;
mod clock;
pub mod compare;
mod contained;
#[cfg(feature = "debug")]
pub mod debug;
mod decode;
mod deferred;
mod describe;
#[cfg(feature = "dynamic")]
pub mod dynamic;
mod error;
mod event;
#[cfg(feature = "trace")]
pub mod explain;
pub mod expression;
#[doc(hidden)]
pub mod kinds;
mod node;
pub mod pool;
mod random;
pub mod registry;
#[cfg(feature = "save")]
pub mod reload;
mod run;
#[cfg(feature = "dynamic")]
pub mod scenario;
#[cfg(feature = "save")]
pub mod snapshot;
mod sync;
#[doc(hidden)]
pub mod text;
pub mod trace;
pub mod tree;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use agent::{Agent, NoBase, Worldless};
pub use blackboard::{Blackboard, KeyError, KeyId, SharedBoard};
pub use bt_macros::{
    Agent, action, agent, composite, condition, decorator, event, fallback, property, query,
    register_agent,
};
pub use call::{
    Action, ActionSet, ArgumentError, Asked, BoundCall, CallError, Change, Completion, Context,
    DecodeError, Exit, Left, Next, NextChild, NodeRef, Outcome, Property, PropertySet,
    PropertyWatch, Session, Snapshot, Source, Status,
};
pub use event::Event;
#[cfg(feature = "trace")]
pub use explain::Explanation;
pub use random::Random;
pub use registry::{Registry, RegistryError, export_if_asked};
pub use run::{
    ActiveLeaf, ActiveNode, Diagnostic, LeafId, LeafState, Mode, NodeStatus, Poll, Runner,
    TreeError,
};
#[cfg(feature = "save")]
pub use snapshot::{RestoreError, Saved};
pub use tree::asset::{AssetError, Problem, TreeAsset};
pub use tree::set::{TreeSet, Trees};

/// Everything that an annotated file needs: `use bt_core::prelude::*;`
pub mod prelude {
    pub use crate::agent::Agent;
    pub use crate::{
        Asked, Blackboard, Completion, Context, Event, Exit, Next, NextChild, Outcome, Random,
        Registry, Session, Status,
    };
    #[doc(no_inline)]
    pub use bt_macros::{
        Agent, action, agent, composite, condition, decorator, event, fallback, property, query,
        register_agent,
    };
}
