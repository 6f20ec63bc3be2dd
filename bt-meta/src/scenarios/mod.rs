//! Scenarios: tests of trees that designers can write, played without the game.
//!
//! [`run`] plays all `*.scenario.toml` files below a folder, on the trees there and agents that a catalogue describes;
//! `coverage` counts what was seen of each node, and `show` has a file for each format. The rules are bt-core's:
//! [`bt_core::scenario`].

pub mod coverage;
mod input;
mod play;
pub mod show;
pub mod suspects;

use std::path::Path;

use bt_core::scenario::{ScenarioProblem, Verdict};

use crate::catalogue::Catalogue;
use crate::error::{Error, count};
use crate::validate::input::Input;
use coverage::Coverage;
pub use play::Cast;

/// A scenario that was played, or could not be.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// Its file, as messages name it.
    pub file: String,
    /// The name of its tree among those of the folder; empty if the file says none.
    pub tree: String,
    /// Its outcome.
    pub outcome: Outcome,
}

/// The outcome of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It was played.
    Verdict(Box<Verdict>),
    /// Its file, or its tree, is wrong.
    Refused(Vec<ScenarioProblem>),
}

/// The outcomes of all scenarios of a folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// In the order of their files.
    pub played: Vec<Played>,
    /// The coverage of the trees, if that is wanted.
    pub coverage: Option<Coverage>,
}

impl Played {
    /// Returns true if everything was as expected.
    pub fn passed(&self) -> bool {
        match &self.outcome {
            Outcome::Verdict(verdict) => verdict.passed(),
            Outcome::Refused(_) => false,
        }
    }
}

impl Report {
    fn failed(&self) -> usize {
        self.played.iter().filter(|played| !played.passed()).count()
    }

    /// In words: `3 scenarios passed`, or `1 of 3 scenarios failed`.
    pub fn summary(&self) -> String {
        let all = count(self.played.len(), "scenario");
        match self.failed() {
            0 => format!("{all} passed"),
            failed => format!("{failed} of {all} failed"),
        }
    }

    /// Nothing, if all passed.
    ///
    /// # Errors
    /// A finding with the summary.
    pub fn verdict(&self) -> Result<(), Error> {
        match self.failed() {
            0 => Ok(()),
            _ => Err(Error::finding(self.summary())),
        }
    }
}

/// Plays all scenarios below a folder, or the one of that path, on all cores. What comes of them is in the order of their files, the same each
/// time.
///
/// # Errors
/// A finding if the catalogue contradicts itself, a failure for a file that cannot be read or if there is no scenario.
pub fn run(catalogue: Catalogue, path: &Path, covers: bool) -> Result<Report, Error> {
    let found = input::read(path)?;
    let cast = Cast::new(catalogue)?;
    let played = play::all(&cast, &found, false)?;
    let coverage = covers.then(|| coverage::of(cast.registry(), &found, &played));
    Ok(Report { played, coverage })
}

/// Plays scenarios on trees, both of which may be in memory: their names are paths from one folder. `keeps_story`: whether each
/// verdict has its story.
///
/// # Errors
/// A failure for a file that cannot be read.
pub fn play_all(
    cast: &Cast,
    trees: &[Input],
    scenarios: &[Input],
    keeps_story: bool,
) -> Result<Vec<Played>, Error> {
    let found = input::of(trees, scenarios)?;
    play::all(cast, &found, keeps_story)
}
