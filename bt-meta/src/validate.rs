//! Trees against a catalogue: what the runtime would refuse, with the places in the files.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use bt_core::registry::RegistryError;
use bt_core::tree::asset::locate;
use bt_core::tree::check::{Knows, Rules, RunBy, check};
use bt_core::{Problem, Registry, TreeAsset};

use crate::catalogue::Catalogue;
use crate::error::{Error, count};

/// A tree's file.
#[derive(Debug)]
pub struct File {
    /// What other trees call it.
    pub name: String,
    /// What messages call it.
    pub path: PathBuf,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// What was found, as lines of text.
#[derive(Debug, Default)]
pub struct Found {
    /// `file:line:column: node N: message; help` for each problem.
    pub problems: Vec<String>,
    /// The same for what works and is probably not meant.
    pub warnings: Vec<String>,
    /// How many more problems there are.
    pub unlisted: usize,
}

/// Reads tree files: those that are named, called by their file names, and all `.json` files below
/// folders that are named, called by their paths from there.
///
/// # Errors
/// A failure for a file that cannot be read, or if there is none.
pub fn read(paths: &[PathBuf]) -> Result<Vec<File>, Error> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            for below in below(path)? {
                let name = below.strip_prefix(path).unwrap_or(&below);
                let parts = name
                    .components()
                    .map(|part| part.as_os_str().to_string_lossy());
                let name = parts.collect::<Vec<_>>().join("/");
                files.push(file(name, below)?);
            }
        } else {
            let name = path.file_name().unwrap_or(path.as_os_str());
            files.push(file(name.to_string_lossy().into_owned(), path.clone())?);
        }
    }
    if files.is_empty() {
        return Err(Error::failure(
            "no `.json` file is below the folders that were named",
        ));
    }
    Ok(files)
}

fn file(name: String, path: PathBuf) -> Result<File, Error> {
    let bytes = fs::read(&path).map_err(|error| unreadable(&path, &error))?;
    Ok(File { name, path, bytes })
}

fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    Error::failure(format!("cannot read {}: {error}", path.display()))
}

/// The `.json` files below a folder, sorted.
fn below(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| unreadable(&folder, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| unreadable(&folder, &error))?;
            let kind = entry
                .file_type()
                .map_err(|error| unreadable(&folder, &error))?;
            let path = entry.path();
            // A link to a folder could lead round in a circle.
            if kind.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "json") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Checks trees that may call each other: run by one agent, or each by the agent that it names.
/// Where one is no tree, nothing else is looked at: it may be what the others miss.
///
/// # Errors
/// A finding if the catalogue contradicts itself, a failure if there is no such agent.
pub fn run(catalogue: Catalogue, agent: Option<&str>, files: &[File]) -> Result<Found, Error> {
    let registry = Registry::from_catalogue(catalogue).map_err(contradictions)?;
    let mut found = Found::default();
    let mut trees = Vec::new();
    for file in files {
        match TreeAsset::from_slice(&file.name, &file.bytes) {
            Ok(tree) => trees.push(tree),
            Err(error) => {
                let lines = error.problems().iter().map(|problem| line(problem, file));
                found.problems.extend(lines);
                found.unlisted += error.unlisted();
            }
        }
    }
    if trees.len() < files.len() {
        return Ok(found);
    }
    let by_agent;
    let knows: &dyn Knows = match agent {
        None => &registry,
        Some(agent) => {
            let run_by = RunBy::new(&registry, agent);
            by_agent = run_by.map_err(|error| Error::failure(error.to_string()))?;
            &by_agent
        }
    };
    let checked = check(&trees, knows, &Rules::default());
    found.problems = placed(checked.problems, files);
    found.warnings = placed(checked.warnings, files);
    found.unlisted = checked.unlisted;
    if checked.unlisted_warnings > 0 {
        let more = format!("and {} more", checked.unlisted_warnings);
        found.warnings.push(more);
    }
    Ok(found)
}

fn contradictions(error: RegistryError) -> Error {
    let problems = error.problems().iter().map(ToString::to_string);
    Error::findings(problems.collect())
}

/// The problems, each with its line and column, in the order of the files.
fn placed(mut problems: Vec<Problem>, files: &[File]) -> Vec<String> {
    let mut lines = Vec::new();
    for file in files {
        let (mut own, others) = problems
            .into_iter()
            .partition(|p: &Problem| p.file() == file.name);
        problems = others;
        if let Ok(text) = str::from_utf8(&file.bytes) {
            locate(&mut own, text);
        }
        own.sort_by_key(Problem::position);
        lines.extend(own.iter().map(|problem| line(problem, file)));
    }
    lines
}

/// A problem under the path of its file.
fn line(problem: &Problem, file: &File) -> String {
    let text = problem.to_string();
    let rest = text.strip_prefix(problem.file()).unwrap_or(&text);
    format!("{}{rest}", file.path.display())
}

impl Found {
    /// What is printed of the problems, a line for each.
    pub fn listing(&self) -> String {
        let mut text = String::new();
        for problem in &self.problems {
            let _ = writeln!(text, "{problem}");
        }
        if self.unlisted > 0 {
            let _ = writeln!(text, "and {} more", self.unlisted);
        }
        text
    }

    /// A finding, if there is a problem.
    ///
    /// # Errors
    /// With how many there are.
    pub fn verdict(&self, trees: usize) -> Result<String, Error> {
        let trees = count(trees, "tree");
        match self.problems.len() + self.unlisted {
            0 => Ok(format!("{trees}: nothing is wrong\n")),
            problems => Err(Error::finding(format!(
                "{} in {trees}",
                count(problems, "problem")
            ))),
        }
    }
}
