//! Exported files against the code: whether they are what an export would write.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bt_core::tree::Level;
use similar::TextDiff;

use crate::catalogue::Catalogue;
use crate::diff::{Diff, diff, print};
use crate::error::{Error, count};
use crate::files::{self, Files};
use crate::layout::Options;
use crate::validate;
use crate::validate::show::notice::Notice;
use crate::{protocol, write};

/// The variable that says what to do with files that are not what the code says.
pub const VARIABLE: &str = "BT_META";

/// The number of lines that are shown of what differs in a file.
const MOST_LINES: usize = 60;

/// Of files with more lines together it is not looked for which of them differ.
const MOST_COMPARED: usize = 200_000;

/// The time limit of a comparison of two files; after it the difference that is shown may be longer than
/// necessary.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The treatment of files that differ from the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Say so.
    Check,
    /// Rewrite them.
    Overwrite,
}

impl Mode {
    /// The mode that `BT_META` names.
    ///
    /// # Errors
    /// A failure for a value that means nothing.
    pub fn of_environment() -> Result<Self, Error> {
        let value = std::env::var_os(VARIABLE).unwrap_or_default();
        match value.to_str() {
            Some("") => Ok(Mode::Check),
            Some("overwrite") => Ok(Mode::Overwrite),
            _ => Err(Error::failure(format!(
                "`{VARIABLE}` is `{}`: expected `overwrite`, which rewrites the files, or nothing",
                value.to_string_lossy()
            ))),
        }
    }
}

/// The folder with the files.
#[derive(Debug, Clone, Copy)]
pub struct Committed<'p> {
    /// Its place.
    pub folder: &'p Path,
    /// Its name in messages.
    pub shown: &'p Path,
}

/// The state of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// As the code says.
    Fresh,
    /// As the code says but for its line ends, as git may have checked it out.
    LineEnds,
    /// Not there.
    Missing,
    /// Another content: the lines that differ, as a unified diff.
    Stale(String),
}

/// The states of all files.
#[derive(Debug)]
pub struct Checked {
    /// The name of each file in messages, and its state; sorted by name.
    pub states: Vec<(PathBuf, State)>,
    /// The files that an export would write.
    pub files: Files,
    /// The changes in meaning, where `agents.json` exists and differs; else the reason why they are unknown.
    pub meaning: Option<Result<Diff, String>>,
}

/// Compares the files in a folder with what an export would write. Breaking changes name the places in
/// `trees` that use what they are about.
///
/// # Errors
/// Those of [`files::render`], and a failure for a file that cannot be read.
pub fn check(
    catalogue: &Catalogue,
    options: &Options,
    committed: Committed<'_>,
    trees: &[validate::File],
) -> Result<Checked, Error> {
    let files = files::render(catalogue, options)?;
    let mut states = Vec::new();
    let mut meaning = None;
    for file in &files.files {
        let shown = committed.shown.join(file.name);
        let text = read(&committed.folder.join(file.name), &shown)?;
        let state = state(text.as_deref(), &file.text, &shown);
        if let (State::Stale(_), Some(text), "agents.json") = (&state, &text, file.name) {
            meaning = Some(changes(text, catalogue, trees));
        }
        states.push((shown, state));
    }
    Ok(Checked {
        states,
        files,
        meaning,
    })
}

/// None of a file that is not there.
fn read(path: &Path, shown: &Path) -> Result<Option<String>, Error> {
    match crate::read::bytes(path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::failure(format!(
            "cannot read `{}`: {error}",
            shown.display()
        ))),
    }
}

fn state(old: Option<&str>, new: &str, shown: &Path) -> State {
    match old {
        None => State::Missing,
        Some(old) if old == new => State::Fresh,
        Some(old) => {
            let old = old.replace("\r\n", "\n");
            match old == new {
                true => State::LineEnds,
                false => State::Stale(unified(&old, new, shown)),
            }
        }
    }
}

/// The lines that differ, with a few around them; the first of them.
fn unified(old: &str, new: &str, shown: &Path) -> String {
    let (was, is) = (old.lines().count(), new.lines().count());
    if was + is > MOST_COMPARED {
        return format!("the file has {was} lines, an export has {is}: too many to show a diff\n");
    }
    let diff = TextDiff::configure().timeout(TIMEOUT).diff_lines(old, new);
    let shown = shown.display().to_string();
    let text = diff
        .unified_diff()
        .context_radius(3)
        .header(&shown, "what the code says")
        .to_string();
    let more = text.lines().count().saturating_sub(MOST_LINES);
    if more == 0 {
        return text;
    }
    let mut first: String = text.split_inclusive('\n').take(MOST_LINES).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(first, "… and {}", count(more, "more line"));
    first
}

fn changes(old: &str, new: &Catalogue, trees: &[validate::File]) -> Result<Diff, String> {
    let compare = || {
        let old = protocol::parse(old)?;
        let mut found = diff(&old, new)?;
        found.look_for_uses(&old, new, trees);
        Ok::<_, Error>(found)
    };
    compare().map_err(|error| error.to_string())
}

impl Checked {
    /// Returns true if an export would change nothing.
    pub fn is_fresh(&self) -> bool {
        self.stale().next().is_none()
    }

    /// The files that an export would write.
    fn stale(&self) -> impl Iterator<Item = &(PathBuf, State)> {
        let is_stale = |state: &State| matches!(state, State::Missing | State::Stale(_));
        self.states.iter().filter(move |(_, state)| is_stale(state))
    }

    /// The name of the catalogue in messages.
    fn agents(&self) -> Option<&Path> {
        let mut paths = self.states.iter().map(|(path, _)| path.as_path());
        paths.find(|path| path.ends_with("agents.json"))
    }

    /// Files that differ in their line ends only.
    pub fn notes(&self) -> Vec<String> {
        let line_ends = self
            .states
            .iter()
            .filter(|(_, state)| *state == State::LineEnds);
        line_ends
            .map(|(path, _)| {
                format!(
                    "{} has other line ends than an export writes, and is up to date otherwise; \
                     `*.json text eol=lf` in `.gitattributes` keeps them",
                    path.display()
                )
            })
            .collect()
    }

    /// The faults of each file, and the changes in meaning; empty where nothing is wrong.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (path, state) in self.stale() {
            let path = path.display();
            // Writing to a string cannot fail.
            let _ = match state {
                State::Stale(lines) => writeln!(text, "{path} is not what the code says:\n{lines}"),
                State::Fresh | State::LineEnds | State::Missing => {
                    writeln!(text, "{path} is missing\n")
                }
            };
        }
        let _ = match &self.meaning {
            None => Ok(()),
            Some(Err(why)) => {
                writeln!(text, "What changed in `agents.json` cannot be said: {why}")
            }
            Some(Ok(diff)) if diff.changes.is_empty() => {
                writeln!(
                    text,
                    "Nothing changed in `agents.json` but where things are in Rust."
                )
            }
            Some(Ok(diff)) => {
                writeln!(
                    text,
                    "What changed in `agents.json`:\n\n{}",
                    print::text(diff)
                )
            }
        };
        text.truncate(text.trim_end().len());
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }

    /// The annotations for a code host: each file, and the changes in meaning.
    pub fn notices(&self) -> Vec<Notice> {
        let file = |(path, state): &(PathBuf, State)| {
            let path = path.display().to_string();
            let (rule, is) = match state {
                State::Missing => ("missing-file", "is missing"),
                State::Fresh | State::LineEnds | State::Stale(_) => {
                    ("stale-file", "is not what the code says")
                }
            };
            Notice {
                level: Some(Level::Error),
                rule: rule.to_owned(),
                message: format!("{path} {is}"),
                place: Some((path, 1, 1)),
            }
        };
        let changed = self.meaning.iter().flatten().flat_map(print::notices);
        let unknown = self
            .meaning
            .iter()
            .filter_map(|meaning| meaning.as_ref().err());
        let unknown = unknown.map(|why| Notice {
            level: Some(Level::Error),
            rule: "unknown-changes".to_owned(),
            message: format!("what changed in `agents.json` cannot be said: {why}"),
            place: self.agents().map(|path| (path.display().to_string(), 1, 1)),
        });
        self.stale()
            .map(file)
            .chain(unknown)
            .chain(changed)
            .collect()
    }

    /// One sentence: how many files are not up to date, and what brings them there.
    pub fn summary(&self, command: &str) -> String {
        let (stale, all) = (self.stale().count(), self.states.len());
        let are = if stale == 1 { "is" } else { "are" };
        format!(
            "{stale} of {} {are} not what the code says; this brings them up to date: {command}",
            count(all, "file")
        )
    }
}

/// Writes the files that are missing or have other content, and says which. Those that differ in line
/// ends only stay as they were checked out.
///
/// # Errors
/// As [`write::write`].
pub fn overwrite(checked: &Checked, committed: Committed<'_>) -> Result<String, Error> {
    let stale: Vec<files::File> = checked
        .states
        .iter()
        .zip(&checked.files.files)
        .filter(|((_, state), _)| matches!(state, State::Missing | State::Stale(_)))
        .map(|(_, file)| file.clone())
        .collect();
    if stale.is_empty() {
        return Ok(String::new());
    }
    write::write(committed.folder, &stale)?;
    let line = |file: &files::File| {
        let path = committed.shown.join(file.name);
        format!("rewrote {} ({})\n", path.display(), file.counts)
    };
    Ok(stale.iter().map(line).collect())
}
