//! `bt-meta check`: whether exported files are what the code says.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;

use super::export::Output;
use super::print;
use crate::catalogue::Catalogue;
use crate::check::{self, Committed, Mode};
use crate::error::{Error, count};
use crate::validate;

#[derive(Debug, Args)]
pub(super) struct Checked {
    #[command(flatten)]
    output: Output,
    /// Trees that may use what changed: files, or folders with `.json` files
    #[arg(long, value_name = "FILES", num_args = 1.., help_heading = "What is checked")]
    trees: Vec<PathBuf>,
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
        eprintln!("warning: {warning}");
    }
    let of_trees = found
        .meaning
        .iter()
        .flatten()
        .flat_map(|diff| &diff.warnings);
    for warning in of_trees {
        eprintln!("warning: {warning}");
    }
    for note in found.notes().iter().filter(|_| !quiet) {
        eprintln!("note: {note}");
    }
    if mode == Mode::Overwrite {
        let rewrote = check::overwrite(&found, committed)?;
        if !quiet && !rewrote.is_empty() {
            return print(&rewrote);
        }
    } else if !found.is_fresh() {
        print(&found.text())?;
        return Err(Error::finding(found.summary(&command(std::env::args_os()))));
    }
    match quiet {
        true => Ok(()),
        false => print(&format!(
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
