//! Files as they were at a git revision.

use std::collections::BTreeSet;
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
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let name = file
        .file_name()
        .unwrap_or(file.as_os_str())
        .to_string_lossy();
    let bytes = Repository::at(folder, revision)?.read(&name)?;
    let text = String::from_utf8_lossy(&bytes);
    let of = format!("`{}` at `{revision}`", file.display());
    protocol::parse(&text).map_err(|error| Error::failure(format!("{of}: {error}")))
}

/// A folder of a git repository as it was at a revision.
#[derive(Debug)]
pub struct Repository<'r> {
    folder: &'r Path,
    revision: &'r str,
}

impl<'r> Repository<'r> {
    /// A folder, which has to be there now.
    ///
    /// # Errors
    /// A failure: no git, no repository, no such revision.
    pub fn at(folder: &'r Path, revision: &'r str) -> Result<Repository<'r>, Error> {
        if revision.starts_with('-') || revision.is_empty() {
            return Err(Error::failure(format!(
                "`{revision}` is no git revision: expected one such as `HEAD`, `main` or `v1.2`"
            )));
        }
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
        Ok(Repository { folder, revision })
    }

    /// A file below the folder.
    ///
    /// # Errors
    /// A failure if there was none.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, Error> {
        let Repository { folder, revision } = self;
        let file = folder.join(name);
        let shown = git(folder, &["show", &format!("{revision}:./{name}")])?;
        said(&shown, || {
            format!(
                "there was no `{}` at `{revision}`: was it committed under another name?",
                file.strip_prefix(".").unwrap_or(&file).display()
            )
        })?;
        Ok(shown.stdout)
    }

    /// The names of all files below the folder.
    ///
    /// # Errors
    /// A failure of git.
    pub fn files(&self) -> Result<BTreeSet<String>, Error> {
        self.names(&[
            "ls-tree",
            "-r",
            "-z",
            "--name-only",
            self.revision,
            "--",
            ".",
        ])
    }

    /// The names of the files below the folder that are not as they were, apart from new ones.
    ///
    /// # Errors
    /// A failure of git.
    pub fn touched(&self) -> Result<BTreeSet<String>, Error> {
        let options = [
            "--relative",
            "--no-renames",
            "--no-ext-diff",
            "--name-only",
            "-z",
        ];
        let mut args = vec!["diff"];
        args.extend(options);
        args.extend([self.revision, "--", "."]);
        self.names(&args)
    }

    fn names(&self, args: &[&str]) -> Result<BTreeSet<String>, Error> {
        let output = git(self.folder, args)?;
        said(&output, || {
            format!("git cannot list `{}`", self.folder.display())
        })?;
        let names = output.stdout.split(|byte| *byte == 0);
        let names = names.filter(|name| !name.is_empty());
        Ok(names
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .collect())
    }
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
