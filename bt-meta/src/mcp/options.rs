//! The options of a server.

use std::path::PathBuf;

/// The options of a server.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    /// The folder of the trees.
    pub(crate) folder: PathBuf,
    /// True if no file is written and no game changed.
    pub(crate) read_only: bool,
    /// The game that is looked into.
    pub(crate) attach: Option<Attach>,
    /// True if the game may be changed.
    pub(crate) control: bool,
}

/// A game to look into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Attach {
    /// The only one that runs.
    Only,
    /// The one that wrote a token file, or a recording.
    File(PathBuf),
}
