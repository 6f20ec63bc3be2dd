//! Git's knowledge of a file: the revisions that changed it, and its text at one. Nothing runs that the
//! repository names: `bt_meta::git` says how.

use std::path::Path;

use bt_meta::git::{GitError, Repository};

use super::files::LARGEST;
use crate::protocol::Revision;

/// So many revisions are listed, at most.
const LISTED: usize = 200;

/// The revisions that changed a file, the newest first.
///
/// # Errors
/// If there is no git, or the file is in no repository.
pub fn revisions(file: &Path) -> Result<Vec<Revision>, String> {
    let asked = || -> Result<Vec<Revision>, GitError> {
        let (repository, name) = repository(file)?;
        let commit = repository.commit("HEAD")?;
        let history = repository.history(&commit, &name, LISTED)?.into_iter();
        let revisions = history.map(|commit| Revision {
            id: commit.id,
            when: commit.when,
            author: commit.author,
            subject: commit.subject,
        });
        Ok(revisions.collect())
    };
    asked().map_err(|error| cannot(file, &error))
}

/// A file at a revision.
///
/// # Errors
/// If there is no such revision, or there was no such file.
pub fn text(file: &Path, revision: &str) -> Result<String, String> {
    let is_id =
        (7..=64).contains(&revision.len()) && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_id {
        let shown: String = revision.chars().take(60).collect();
        return Err(format!(
            "{shown:?} is no id of a revision: expected 7 to 64 hexadecimal digits"
        ));
    }
    let asked = || -> Result<Vec<u8>, GitError> {
        let (repository, name) = repository(file)?;
        repository.read(revision, &name)
    };
    let bytes = asked().map_err(|error| cannot(file, &error))?;
    if bytes.len() > LARGEST {
        return Err("the file was too large then".to_owned());
    }
    String::from_utf8(bytes).map_err(|_| "the file was not UTF-8 then".to_owned())
}

/// The repository of a file, and the file's name in its folder.
fn repository(file: &Path) -> Result<(Repository, String), GitError> {
    let folder = file.parent().unwrap_or(file);
    let name = file.file_name().unwrap_or_default();
    Ok((Repository::at(folder)?, name.to_string_lossy().into_owned()))
}

fn cannot(file: &Path, error: &GitError) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let why = match error {
        GitError::Refused(said) if said.is_empty() => "there is no commit yet".to_owned(),
        GitError::Refused(said) => said.clone(),
        error => error.to_string(),
    };
    format!("git cannot show `{name}`: {why}")
}
