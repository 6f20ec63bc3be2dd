//! `bt-meta check`: whether exported files are what the code says.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::export::Output;
use super::print::print;
use super::root::place;
use crate::catalogue::Catalogue;
use crate::check::{self, Committed, Mode};
use crate::error::{Error, count};
use crate::say::say;
use crate::validate;
use crate::validate::show::notice;

#[derive(Debug, Args)]
pub(super) struct Checked {
    #[command(flatten)]
    output: Output,
    /// Trees that may use what changed: files, or folders with `.json` files
    #[arg(long, value_name = "FILES", num_args = 1.., help_heading = "What is checked")]
    trees: Vec<PathBuf>,
    /// Format of the report
    #[arg(long, value_enum, default_value_t, help_heading = "What is checked")]
    format: Report,
    /// With `--format sarif` and `github`: the folder that paths are relative to (default: the one above
    /// with `.git` in it)
    #[arg(long, value_name = "DIR", help_heading = "What is checked")]
    root: Option<PathBuf>,
}

/// The format of a report about files that are out of date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Report {
    /// For people: the lines that differ
    #[default]
    Human,
    /// SARIF 2.1.0, which code hosts and editors read
    Sarif,
    /// Commands that annotate a pull request on GitHub
    Github,
}

/// Compares the files and says what is not up to date, or rewrites it.
pub(super) fn run(catalogue: &Catalogue, checked: &Checked, quiet: bool) -> Result<(), Error> {
    let mode = Mode::of_environment()?;
    let folder = checked.output.folder();
    let committed = Committed {
        folder,
        shown: folder,
    };
    let trees = match checked.trees.as_slice() {
        [] => Vec::new(),
        paths => validate::read(paths)?,
    };
    let found = check::check(catalogue, &checked.output.options(), committed, &trees)?;
    for warning in &found.files.warnings {
        say("warning", warning);
    }
    let of_trees = found
        .meaning
        .iter()
        .flatten()
        .flat_map(|diff| &diff.warnings);
    for warning in of_trees {
        say("warning", warning);
    }
    for note in found.notes().iter().filter(|_| !quiet) {
        say("note", note);
    }
    // Wrong options change no file.
    let mut notices = found.notices();
    if checked.format != Report::Human {
        place(&mut notices, checked.root.as_deref())?;
    }
    if mode == Mode::Overwrite {
        let rewrote = check::overwrite(&found, committed)?;
        if !quiet && !rewrote.is_empty() && checked.format == Report::Human {
            return print(&rewrote);
        }
    } else if !found.is_fresh() {
        print(&match checked.format {
            Report::Human => found.text(),
            Report::Sarif => notice::sarif(&notices),
            Report::Github => notice::github(&notices),
        })?;
        return Err(Error::finding(found.summary(&command(std::env::args_os()))));
    }
    match (quiet, checked.format) {
        (_, Report::Sarif) => print(&notice::sarif(&[])),
        (true, _) | (_, Report::Github) => Ok(()),
        (false, Report::Human) => print(&format!(
            "{}: {}, all as the code says\n",
            folder.display(),
            count(found.states.len(), "file")
        )),
    }
}

/// The command that was called, which rewrites the files with the variable before it.
fn command(args: impl IntoIterator<Item = OsString>) -> String {
    let mut words = vec![format!("{}=overwrite", check::VARIABLE)];
    for (at, word) in args.into_iter().enumerate() {
        let mut word = word.to_string_lossy().into_owned();
        let stem = Path::new(&word).file_stem();
        if at == 0 && stem.is_some_and(|stem| stem == "bt-meta") {
            "bt-meta".clone_into(&mut word);
        }
        let is_plain = |c: char| c.is_alphanumeric() || "-_./\\:=,+@%".contains(c);
        words.push(match !word.is_empty() && word.chars().all(is_plain) {
            true => word,
            false => format!("'{}'", word.replace('\'', r"'\''")),
        });
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::command;

    #[test]
    fn the_command_is_the_one_that_was_called() {
        let args = ["/some/where/bt-meta", "check", "--out-dir", "my editor", ""];
        assert_eq!(
            command(args.map(Into::into)),
            "BT_META=overwrite bt-meta check --out-dir 'my editor' ''"
        );
        let own = ["target/debug/meta", "check"].map(Into::into);
        assert_eq!(command(own), "BT_META=overwrite target/debug/meta check");
    }
}
