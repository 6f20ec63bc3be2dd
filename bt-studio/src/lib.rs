//! Behaviour trees edited in the browser: a server for this machine alone, with the page in its own binary.
//!
//! [`cli`] starts it. [`http`] serves the page and takes its requests, [`protocol`] is what they say, [`studio`] does
//! it: one thread that knows everything that is open. [`project`] are the folders, their files and the agents,
//! [`mod@edit`] are changes of trees, [`utf16`] are positions as the page counts them, [`cards`] is what is shown of a node,
//! [`mentions`] are the names in a tree. [`games`] are running games, recordings and logs, each on
//! a thread of its own; so is `play`, a tree that is played without its game.

pub use bt_meta::{edit, mentions};

pub mod cards;
pub mod cli;
pub mod games;
pub mod http;
mod play;
pub mod project;
pub mod protocol;
pub mod studio;
pub mod utf16;
