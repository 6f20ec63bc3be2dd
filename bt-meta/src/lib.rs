//! Writes the files that the behaviour-tree editor loads, from what Rust code annotates.
//!
//! The way of an export: [`cargo`] builds a package and links a one-line program against it,
//! [`protocol`] runs that program and reads the catalogue which it prints, [`layout`] turns the
//! catalogue into the files' content without touching the disk, and [`mod@write`] replaces the files
//! whose content changed. [`mod@validate`] looks at trees instead, [`pages`] say
//! what it tells at length, and [`explain`] at what an agent did.
//! [`cli`] is the command line in front of that; `bt-meta`'s `main` is one call of it.

pub mod cargo;
pub mod cli;
mod error;
pub mod explain;
pub mod files;
pub mod layout;
pub mod list;
pub mod own;
pub mod pages;
pub mod protocol;
pub mod validate;
pub mod write;

pub use error::Error;

/// The catalogue and its parts, as bt-core defines them.
pub use bt_core::registry::catalogue;
