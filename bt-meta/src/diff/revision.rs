//! A file as it was at a git revision.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::protocol;

/// The `agents.json` that is meant: the file itself, or the one in the folder.
pub fn catalogue_file(path: &Path) -> PathBuf {
    match path.is_dir() {
        true => path.join("agents.json"),
        false => path.to_owned(),
    }
}

/// The catalogue in a file as it was at a revision.
///
/// # Errors
/// A failure: no git, no repository, no such revision, no such file then, no catalogue.
pub fn catalogue(revision: &str, file: &Path) -> Result<Catalogue, Error> {
    if revision.starts_with('-') || revision.is_empty() {
        return Err(Error::failure(format!(
            "`{revision}` is no git revision: expected one such as `HEAD`, `main` or `v1.2`"
        )));
    }
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let name = file
        .file_name()
        .unwrap_or(file.as_os_str())
        .to_string_lossy();
    if !folder.is_dir() {
        return Err(Error::failure(format!(
            "there is no folder `{}`: the file may be gone since, its folder must be there",
            folder.display()
        )));
    }
    git(folder, &["rev-parse", "--git-dir"]).and_then(|output| {
        said(&output, || {
            format!("`{}` is in no git repository", folder.display())
        })
    })?;
    let commit = format!("{revision}^{{commit}}");
    git(folder, &["rev-parse", "--verify", "--quiet", &commit]).and_then(|output| {
        said(&output, || {
            format!("git knows no revision `{revision}` here: try `git log --oneline`")
        })
    })?;
    let at = format!("{revision}:./{name}");
    let shown = git(folder, &["show", &at])?;
    said(&shown, || {
        format!(
            "there was no `{}` at `{revision}`: was it committed under another name?",
            file.display()
        )
    })?;
    let text = String::from_utf8_lossy(&shown.stdout);
    let of = format!("`{}` at `{revision}`", file.display());
    protocol::parse(&text).map_err(|error| Error::failure(format!("{of}: {error}")))
}

fn git(folder: &Path, args: &[&str]) -> Result<Output, Error> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(args)
        .env("LC_ALL", "C")
        .output();
    output.map_err(|error| {
        Error::failure(match error.kind() {
            io::ErrorKind::NotFound => {
                "there is no program `git`, which `--since` needs: install it, or \
                 name two files, `bt-meta diff OLD NEW`"
                    .to_owned()
            }
            _ => format!("cannot run `git`: {error}"),
        })
    })
}

/// What git said, if it failed.
fn said(output: &Output, what: impl FnOnce() -> String) -> Result<(), Error> {
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().next().unwrap_or_default().trim();
    Err(Error::failure(match said {
        "" => what(),
        said => format!("{} (git says: {said})", what()),
    }))
}
