//! Exports annotated agents to behaviour-tree editors, and validates, fixes and draws their trees.
//!
//! The way of an export: [`cargo`] builds a package and links a one-line program against it,
//! [`protocol`] runs that program and reads the catalogue which it prints, [`layout`] turns the
//! catalogue into the files' content without touching the disk, and [`mod@write`] replaces the files
//! whose content changed. [`formats`] are what else a catalogue is turned into, [`mod@diff`] compares two, and
//! [`mod@check`] holds exported files against the code. [`mod@validate`] looks at trees instead and asks
//! [`mod@lint`] for what is probably not meant in them, [`mod@fix`] changes them, [`scenarios`] tests them, [`mod@draw`] makes pictures of them,
//! [`view_trees`] copies that the original's editor opens, [`mod@original`] reads that editor's own files, [`mod@import`] trees of
//! other engines; [`pages`] explain each code at length,
//! [`explain`] looks at what an agent did, [`values`] evaluates expressions over its picture, [`starter`] makes
//! a crate to start from, [`mod@text`] changes JSON texts and leaves the rest of them as it is, and [`git`] asks a repository without running what it names.
//! [`cli`] is the command line in front of that; `bt-meta`'s `main` is one call of it.

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod cargo;
pub mod check;
pub mod cli;
mod contradictions;
mod cores;
mod dap;
pub mod diff;
#[doc(hidden)]
pub mod door;
pub mod draw;
#[doc(hidden)]
pub mod edit;
mod error;
pub mod explain;
pub mod files;
#[doc(hidden)]
pub mod find;
pub mod fix;
pub mod formats;
pub mod git;
mod html_page;
pub mod import;
pub mod layout;
pub mod lint;
pub mod list;
mod live;
#[cfg(feature = "mcp")]
mod mcp;
#[doc(hidden)]
pub mod mentions;
pub mod original;
pub mod own;
pub mod pages;
mod paths;
pub mod play;
pub mod protocol;
mod read;
mod registered;
mod say;
pub mod scenarios;
pub mod starter;
#[doc(hidden)]
pub mod text;
pub mod validate;
pub mod values;
pub mod view_trees;
pub mod write;

pub use error::Error;

/// The catalogue and its parts, as bt-core defines them.
pub use bt_core::registry::catalogue;
