//! Tree files as they were and as they are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::revision::Revision;
use crate::error::Error;
use crate::validate;

/// A tree file that is not as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Its name in other trees.
    pub name: String,
    /// Its name in messages.
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
            versions.extend(since_in(path, revision)?);
            continue;
        }
        for file in validate::read(one)? {
            let folder = match file.path.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder,
                _ => Path::new("."),
            };
            let then = Revision::at(folder, revision)?;
            let own = file.path.file_name().unwrap_or(file.path.as_os_str());
            let own = own.to_string_lossy().into_owned();
            let was = then.files()?.contains_key(&own);
            versions.push(Version {
                path: slashed(&file.path),
                name: file.name,
                before: was.then(|| then.read(&own)).transpose()?,
                after: Some(file.bytes),
            });
        }
    }
    Ok(different(versions))
}

/// The same of a folder. Links are passed over: what they lead to is looked at where it is.
fn since_in(folder: &Path, revision: &str) -> Result<Vec<Version>, Error> {
    let then = Revision::at(folder, revision)?;
    let mut was = then.files()?;
    let one = [folder.to_owned()];
    // A folder may have lost all of its trees.
    let now = match was.is_empty() {
        true => validate::read(&one)?,
        false => validate::read(&one).unwrap_or_default(),
    };
    was.retain(|name, _| is_tree(name));
    let contents = then.contents(was.values())?;
    let mut before: BTreeMap<String, Option<Vec<u8>>> = BTreeMap::new();
    for ((name, blob), content) in was.into_iter().zip(contents) {
        before.insert(name, (!blob.is_link).then_some(content));
    }
    let mut versions = Vec::new();
    for file in now {
        let before = match before.remove(&file.name) {
            Some(None) => continue,
            Some(before) => before,
            None => None,
        };
        // A checkout may have written other ends of lines than git keeps.
        if before
            .as_deref()
            .is_some_and(|before| is_alike(before, &file.bytes))
        {
            continue;
        }
        versions.push(Version {
            path: slashed(&file.path),
            name: file.name,
            before,
            after: Some(file.bytes),
        });
    }
    let gone = before.into_iter();
    versions.extend(gone.filter_map(|(name, before)| {
        before.map(|before| Version {
            path: slashed(&folder.join(&name)),
            before: Some(before),
            after: None,
            name,
        })
    }));
    Ok(versions)
}

/// Returns true if two texts differ in the ends of their lines at most.
fn is_alike(one: &[u8], other: &[u8]) -> bool {
    let plain = |bytes: &[u8]| -> Vec<u8> {
        let ends = bytes.iter().zip(bytes.iter().skip(1).chain([&0]));
        let kept = ends.filter(|pair| *pair != (&b'\r', &b'\n'));
        kept.map(|(byte, _)| *byte).collect()
    };
    one == other || plain(one) == plain(other)
}

fn different(versions: impl IntoIterator<Item = Version>) -> Vec<Version> {
    let versions = versions.into_iter();
    versions
        .filter(|version| version.before != version.after)
        .collect()
}

/// Returns true if a file below a folder is one that is looked at.
fn is_tree(name: &str) -> bool {
    let is_plain = name.split('/').all(|part| !part.starts_with('.'));
    is_plain && (name.ends_with(".json") || name.ends_with(".bt"))
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}
