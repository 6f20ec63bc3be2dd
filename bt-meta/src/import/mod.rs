//! Trees of other engines, read: tree files, a catalogue of the leaves that they name, a skeleton of the agent.
//!
//! Everything is carried, or named as a [`Problem`]. The meaning is the source engine's: where ours differs, what
//! is built behaves the same.

mod btcpp;
mod catalogue;
mod names;
mod problem;
mod skeleton;
pub(crate) mod types;

use std::collections::BTreeMap;
use std::path::Path;

use bt_core::TreeAsset;

use crate::catalogue::Catalogue;
use crate::error::Error;

pub(crate) use btcpp::is_built_in;
pub use problem::{Level, Problem};

/// The engine that trees come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Engine {
    /// BehaviorTree.CPP, versions 3 and 4: XML, a file or a folder
    Btcpp,
}

/// The engine to import from, and what the files do not say.
#[derive(Debug, Clone)]
pub struct Options {
    /// The engine.
    pub engine: Engine,
    /// The name of the agent that the trees are for.
    pub agent: String,
    /// The agents that are known already: their actions' arguments and types count before what the files say.
    pub known: Option<Catalogue>,
    /// Names of numbers that scripts use.
    pub enums: BTreeMap<String, i64>,
}

/// The result of an import.
#[derive(Debug)]
pub struct Imported {
    /// The trees, each under the name of its file.
    pub trees: Vec<TreeAsset>,
    /// The agent, with the leaves that the trees name.
    pub catalogue: Catalogue,
    /// A skeleton of the agent in Rust.
    pub rust: String,
    /// Everything that is not, or not exactly, as it was.
    pub problems: Vec<Problem>,
    /// The number of elements of trees that were read.
    pub elements: usize,
}

/// Reads a file, or all files of a folder.
///
/// # Errors
/// A failure where it cannot be read; findings where a file is none of the engine's.
pub fn import(path: &Path, options: &Options) -> Result<Imported, Error> {
    match options.engine {
        Engine::Btcpp => btcpp::import(path, options),
    }
}
