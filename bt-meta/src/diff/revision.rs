//! Files as they were at a git revision.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::git::{Blob, GitError, Repository};
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
    let bytes = Revision::at(folder, revision)?.read(&name)?;
    let text = String::from_utf8_lossy(&bytes);
    let of = format!("`{}` at `{revision}`", file.display());
    protocol::parse(&text).map_err(|error| Error::failure(format!("{of}: {error}")))
}

/// A folder of a git repository as it was at a revision.
#[derive(Debug)]
pub struct Revision<'r> {
    folder: &'r Path,
    revision: &'r str,
    repository: Repository,
    commit: String,
}

impl<'r> Revision<'r> {
    /// A folder, which has to be there now.
    ///
    /// # Errors
    /// A failure: no git, no repository, no such revision.
    pub fn at(folder: &'r Path, revision: &'r str) -> Result<Revision<'r>, Error> {
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
        let no_repository = || format!("`{}` is in no git repository", folder.display());
        let repository = Repository::at(folder).map_err(|error| failure(&error, no_repository))?;
        let unknown =
            || format!("git knows no revision `{revision}` here: try `git log --oneline`");
        let commit = repository.commit(revision);
        Ok(Revision {
            folder,
            revision,
            commit: commit.map_err(|error| failure(&error, unknown))?,
            repository,
        })
    }

    /// A file below the folder.
    ///
    /// # Errors
    /// A failure if there was none.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, Error> {
        let (file, revision) = (self.folder.join(name), self.revision);
        let read = self.repository.read(&self.commit, name);
        let none = || {
            format!(
                "there was no `{}` at `{revision}`: was it committed under another name?",
                file.strip_prefix(".").unwrap_or(&file).display()
            )
        };
        read.map_err(|error| failure(&error, none))
    }

    /// All files below the folder, by their names.
    ///
    /// # Errors
    /// A failure of git.
    pub fn files(&self) -> Result<BTreeMap<String, Blob>, Error> {
        let files = self.repository.files(&self.commit);
        files.map_err(|error| failure(&error, || self.cannot_read()))
    }

    /// The content of some of them.
    ///
    /// # Errors
    /// A failure of git.
    pub fn contents<'b>(
        &self,
        blobs: impl IntoIterator<Item = &'b Blob>,
    ) -> Result<Vec<Vec<u8>>, Error> {
        let ids = blobs.into_iter().map(|blob| blob.id.as_str());
        let contents = self.repository.contents(ids);
        contents.map_err(|error| failure(&error, || self.cannot_read()))
    }

    fn cannot_read(&self) -> String {
        format!("git cannot read `{}`", self.folder.display())
    }
}

/// The reason why git gives no answer, and what that means.
fn failure(error: &GitError, what: impl FnOnce() -> String) -> Error {
    Error::failure(match error {
        GitError::Run(error) if error.kind() == io::ErrorKind::NotFound => {
            "there is no program `git`, which `--since` needs: install it, or \
             name two files, `bt-meta diff OLD NEW`"
                .to_owned()
        }
        GitError::Run(_) => error.to_string(),
        GitError::Refused(said) if said.is_empty() => what(),
        GitError::Refused(_) | GitError::Late | GitError::Long => format!("{} ({error})", what()),
    })
}
