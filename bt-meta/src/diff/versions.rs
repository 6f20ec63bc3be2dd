//! Tree files as they were and as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::revision::Repository;
use crate::error::Error;
use crate::validate;

/// A tree file that is not as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// What other trees call it.
    pub name: String,
    /// What messages call it.
    pub path: String,
    /// Its bytes as they were; none if there was no such file.
    pub before: Option<Vec<u8>>,
    /// Its bytes as they are; none if it is gone.
    pub after: Option<Vec<u8>>,
}

/// The files that differ from those of the same name among others.
///
/// # Errors
/// A failure for a path that cannot be read.
pub fn between(before: &[PathBuf], after: &[PathBuf]) -> Result<Vec<Version>, Error> {
    let mut versions: BTreeMap<String, Version> = BTreeMap::new();
    for file in validate::read(after)? {
        let version = Version {
            path: slashed(&file.path),
            name: file.name.clone(),
            before: None,
            after: Some(file.bytes),
        };
        versions.insert(file.name, version);
    }
    for file in validate::read(before)? {
        let gone = || Version {
            path: slashed(&file.path),
            name: file.name.clone(),
            before: None,
            after: None,
        };
        versions
            .entry(file.name.clone())
            .or_insert_with(gone)
            .before = Some(file.bytes);
    }
    Ok(different(versions.into_values()))
}

/// The files that differ from what they were at a git revision. Those that were below the folders, and are gone,
/// are among them.
///
/// # Errors
/// A failure: no git, no repository, no such revision, or a path that cannot be read.
pub fn since(revision: &str, paths: &[PathBuf]) -> Result<Vec<Version>, Error> {
    let mut versions = Vec::new();
    for path in paths {
        let one = std::slice::from_ref(path);
        if path.is_dir() {
            let repository = Repository::at(path, revision)?;
            let (was, touched) = (repository.files()?, repository.touched()?);
            // A folder may have lost all of its trees.
            let now = match was.is_empty() {
                true => validate::read(one)?,
                false => validate::read(one).unwrap_or_default(),
            };
            let mut left: BTreeSet<String> = was.into_iter().filter(|name| is_tree(name)).collect();
            for file in now {
                let was = left.remove(&file.name);
                if was && !touched.contains(&file.name) {
                    continue;
                }
                let before = was.then(|| repository.read(&file.name)).transpose()?;
                versions.push(Version {
                    path: slashed(&file.path),
                    name: file.name,
                    before,
                    after: Some(file.bytes),
                });
            }
            for name in left {
                versions.push(Version {
                    path: slashed(&path.join(&name)),
                    before: Some(repository.read(&name)?),
                    after: None,
                    name,
                });
            }
            continue;
        }
        for file in validate::read(one)? {
            let folder = match file.path.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder,
                _ => Path::new("."),
            };
            let repository = Repository::at(folder, revision)?;
            let own = file.path.file_name().unwrap_or(file.path.as_os_str());
            let own = own.to_string_lossy().into_owned();
            let was = repository.files()?.contains(&own);
            versions.push(Version {
                path: slashed(&file.path),
                name: file.name,
                before: was.then(|| repository.read(&own)).transpose()?,
                after: Some(file.bytes),
            });
        }
    }
    Ok(different(versions))
}

fn different(versions: impl IntoIterator<Item = Version>) -> Vec<Version> {
    let versions = versions.into_iter();
    versions
        .filter(|version| version.before != version.after)
        .collect()
}

/// Whether a file below a folder is one that is looked at.
fn is_tree(name: &str) -> bool {
    let is_plain = name.split('/').all(|part| !part.starts_with('.'));
    is_plain && (name.ends_with(".json") || name.ends_with(".bt"))
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}
