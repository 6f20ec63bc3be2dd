//! Trees against a catalogue: everything that the runtime would refuse, and what is probably not
//! meant, of every file in one run.
//!
//! [`input`] says which files, `look` looks at them, [`decoded`] asks the program about arguments, [`levels`] and [`allowed`] say what of that
//! is to be reported, [`show`] prints it.

pub mod allowed;
pub mod decoded;
pub mod finding;
pub mod input;
pub mod levels;
mod look;
pub mod show;

use bt_core::registry::RegistryError;
use bt_core::tree::Level;
use bt_core::tree::check::{Checker, Knows, Rules, RunBy};
use bt_core::{Registry, TreeAsset};

use crate::catalogue::Catalogue;
use crate::error::{Error, count};
use decoded::{Decode, Decoded};
pub use finding::Finding;
use input::Input;
pub use input::{File, read};
use levels::Levels;

/// So many findings are listed; the rest is counted.
const LISTED: usize = 10_000;

/// The findings in all files.
#[derive(Debug, Default)]
pub struct Report {
    /// The number of files that were looked at.
    pub files: usize,
    /// In the order of the files, and in each in the order of its text; the first 10,000.
    pub findings: Vec<Finding>,
    /// The number of errors among all findings.
    pub errors: usize,
    /// The number of warnings among all findings.
    pub warnings: usize,
    /// The number of more.
    pub unlisted: usize,
}

/// The options of a check of trees.
#[derive(Debug, Default)]
pub struct Options {
    /// Decodes arguments as the runtime does; without it only their schemas are known, which leave
    /// something open.
    pub decoder: Option<Box<dyn Decode>>,
    /// The agent that runs all of them; else each is run by the agent that it names.
    pub agent: Option<String>,
    /// The level of each code.
    pub levels: Levels,
    /// The trees that the host starts, by name; if none is named, every tree that no other one runs may be
    /// one.
    pub starts: Vec<String>,
}

/// Looks at trees that may call each other. `tick` is called for each file that is done.
///
/// # Errors
/// A finding if the catalogue contradicts itself; a failure if there is no such agent or no such tree to
/// start, or for a file that cannot be read.
pub fn run(
    catalogue: Catalogue,
    options: &Options,
    inputs: &[Input],
    tick: &(dyn Fn() + Sync),
) -> Result<Report, Error> {
    let registry = Registry::from_catalogue(catalogue).map_err(contradictions)?;
    run_with(&registry, options, inputs, tick)
}

/// As [`run`], by a registry that is there already.
///
/// # Errors
/// A failure if there is no such agent or no such tree to start, or for a file that cannot be read.
pub fn run_with(
    registry: &Registry,
    options: &Options,
    inputs: &[Input],
    tick: &(dyn Fn() + Sync),
) -> Result<Report, Error> {
    let by_agent;
    let knows: &dyn Knows = match &options.agent {
        None => registry,
        Some(agent) => {
            let run_by = RunBy::new(registry, agent);
            by_agent = run_by.map_err(|error| Error::failure(error.to_string()))?;
            &by_agent
        }
    };
    let decoded;
    let knows: &dyn Knows = match &options.decoder {
        None => knows,
        Some(decoder) => {
            decoded = Decoded::new(knows, &**decoder);
            &decoded
        }
    };
    let with = look::With {
        knows,
        levels: &options.levels,
        starts: &options.starts,
        tick,
    };
    let mut report = Report {
        files: inputs.len(),
        ..Report::default()
    };
    for found in look::look(inputs, &with)? {
        report.errors += found.errors;
        report.warnings += found.warnings;
        report.unlisted += found.errors + found.warnings;
        for finding in found.findings {
            match finding.level {
                Level::Error => report.errors += 1,
                Level::Warning => report.warnings += 1,
            }
            match report.findings.len() < LISTED {
                true => report.findings.push(finding),
                false => report.unlisted += 1,
            }
        }
    }
    if let Some(decoder) = &options.decoder {
        decoder.verdict()?;
    }
    Ok(report)
}

/// Looks at one of several trees, which is the `at`-th of the heads; what only all trees together show is not looked
/// for. For editors, which look again after each change.
///
/// ```
/// use std::sync::Arc;
///
/// use bt_core::{Registry, TreeAsset};
/// use bt_meta::validate::input::Input;
/// use bt_meta::validate::levels::Levels;
///
/// let text = r#"{"nodes": [{"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "action_agent"}},
///     {"idx": 1, "type": "action", "children": [], "extra": {"action_name": "nup"}}]}"#;
/// let tree = TreeAsset::from_json("day.json", text)?;
/// let heads = [TreeAsset::head("day.json", text.as_bytes())];
/// let input = Input::of_text("day.json", "day.json", Arc::new(text.into()));
/// let found = bt_meta::validate::one(Registry::global()?, &Levels::default(), &heads, 0, &input, &tree);
/// assert_eq!(found[0].help.as_deref(), Some("did you mean `nop`?"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn one(
    registry: &Registry,
    levels: &Levels,
    heads: &[TreeAsset],
    at: usize,
    input: &Input,
    tree: &TreeAsset,
) -> Vec<Finding> {
    let rules = Rules::default();
    let checker = Checker::new(heads, registry, &rules);
    // It is read again for the lines of what is found, from memory.
    let bytes = input.read().unwrap_or_default();
    look::look_at_tree(at, input, &bytes, tree, &checker, levels).findings
}

pub(crate) fn contradictions(error: RegistryError) -> Error {
    let problems = error.problems().iter().map(ToString::to_string);
    Error::findings(problems.collect())
}

impl Report {
    /// In words: `3 trees: no problems`, `2 errors and 1 warning in 3 trees`.
    pub fn summary(&self) -> String {
        let trees = count(self.files, "tree");
        let errors = count(self.errors, "error");
        let warnings = count(self.warnings, "warning");
        match (self.errors, self.warnings) {
            (0, 0) => format!("{trees}: no problems"),
            (0, _) => format!("{warnings} in {trees}"),
            (_, 0) => format!("{errors} in {trees}"),
            _ => format!("{errors} and {warnings} in {trees}"),
        }
    }

    /// A finding if anything is an error.
    ///
    /// # Errors
    /// The [summary](Report::summary).
    pub fn verdict(&self) -> Result<(), Error> {
        match self.errors {
            0 => Ok(()),
            _ => Err(Error::finding(self.summary())),
        }
    }
}
