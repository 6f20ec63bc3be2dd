//! The files that are checked, and their names in other trees.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::Error;
use crate::paths;

/// A tree's file, which is not read yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Its name in other trees.
    pub name: String,
    /// Its path, and its name in messages.
    pub path: PathBuf,
    /// The bytes of what can be read once only, such as a pipe.
    held: Option<Arc<Vec<u8>>>,
}

impl Input {
    /// A file under a name.
    pub fn new(name: impl Into<String>, path: impl Into<PathBuf>) -> Input {
        Input {
            name: name.into(),
            path: path.into(),
            held: None,
        }
    }

    /// A text that is in memory, such as one that is being edited, under the path where it is to be.
    pub fn of_text(name: impl Into<String>, path: impl Into<PathBuf>, text: Arc<Vec<u8>>) -> Input {
        Input {
            held: Some(text),
            ..Input::new(name, path)
        }
    }

    /// Reads an input that is not a file, such as a pipe, at once.
    fn held(self) -> Result<Input, Error> {
        let held = Some(Arc::new(self.read()?));
        Ok(Input { held, ..self })
    }

    /// Returns true if it can be written as well.
    pub fn is_file(&self) -> bool {
        self.held.is_none()
    }

    /// Its bytes.
    ///
    /// # Errors
    /// A failure if it cannot be read.
    pub fn read(&self) -> Result<Vec<u8>, Error> {
        match &self.held {
            Some(bytes) => Ok(bytes.to_vec()),
            None => crate::read::bytes(&self.path).map_err(|error| unreadable(&self.path, &error)),
        }
    }

    /// Its path with `/` between the parts, whatever the machine.
    pub fn shown(&self) -> String {
        parts(&self.path)
    }
}

/// A tree's file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its name in other trees.
    pub name: String,
    /// Its name in messages.
    pub path: PathBuf,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Reads the [files that are meant](inputs).
///
/// # Errors
/// Those of [`inputs`], and a failure for a file that cannot be read.
pub fn read(paths: &[PathBuf]) -> Result<Vec<File>, Error> {
    let inputs = inputs(paths)?.into_iter();
    let read = inputs.map(|input| {
        let bytes = input.read()?;
        let Input { name, path, .. } = input;
        Ok(File { name, path, bytes })
    });
    read.collect()
}

/// The tree files that are meant: files by themselves, called by their file names; all `.json` and `.bt` files
/// below folders, called by their paths from there; and the files that a pattern such as
/// `trees/**/*.json` has, called by their paths from its first part that is no plain name. Below folders
/// and by patterns, what begins with a dot is passed over. A file that is meant twice is there once.
///
/// # Errors
/// A failure for a path that is not there or cannot be looked at, a pattern that is none, or if
/// there is no file at all.
pub fn inputs(paths: &[PathBuf]) -> Result<Vec<Input>, Error> {
    let mut inputs = Vec::new();
    for path in paths {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => {
                for file in below(path, &[".json", ".bt"])? {
                    let name = parts(file.strip_prefix(path).unwrap_or(&file));
                    inputs.push(Input::new(name, file));
                }
            }
            Ok(found) => {
                let name = path.file_name().unwrap_or(path.as_os_str());
                let input = Input::new(name.to_string_lossy(), path);
                inputs.push(match found.is_file() {
                    true => input,
                    false => input.held()?,
                });
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                matching(path, &error, &mut inputs)?;
            }
            Err(error) => return Err(unreadable(path, &error)),
        }
    }
    if inputs.is_empty() {
        return Err(Error::failure(
            "no `.json` or `.bt` file is below the folders that were named",
        ));
    }
    let mut seen = BTreeSet::new();
    inputs.retain(|input| seen.insert(paths::real(&input.path)));
    Ok(inputs)
}

/// The files of a pattern. `missing`: no file has its name.
fn matching(
    pattern: &Path,
    missing: &std::io::Error,
    inputs: &mut Vec<Input>,
) -> Result<(), Error> {
    let text = pattern.to_string_lossy();
    let is_wild = |part: &str| part.contains(['*', '?', '[']);
    if !is_wild(&text) {
        return Err(unreadable(pattern, missing));
    }
    let plain: PathBuf = pattern
        .components()
        .take_while(|part| !is_wild(&part.as_os_str().to_string_lossy()))
        .collect();
    let visible = glob::MatchOptions {
        require_literal_leading_dot: true,
        ..glob::MatchOptions::new()
    };
    let found = glob::glob_with(&text, visible)
        .map_err(|error| Error::failure(format!("`{text}` is no pattern of files: {error}")))?;
    let before = inputs.len();
    for path in found {
        let path = path.map_err(|error| unreadable(error.path(), error.error()))?;
        if is_file(&path)? {
            let name = parts(path.strip_prefix(&plain).unwrap_or(&path));
            inputs.push(Input::new(name, path));
        }
    }
    match inputs.len() == before {
        true => Err(Error::failure(format!("no file is like `{text}`"))),
        false => Ok(()),
    }
}

/// Returns whether it is a file, or a link to one.
fn is_file(path: &Path) -> Result<bool, Error> {
    let found = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    Ok(found.is_file())
}

pub(crate) fn parts(path: &Path) -> String {
    path.to_string_lossy()
        .replace(std::path::MAIN_SEPARATOR, "/")
}

fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    Error::failure(format!("cannot read {}: {error}", path.display()))
}

/// The files below a folder whose names end so, sorted; nothing whose name begins with a dot.
pub(crate) fn below(folder: &Path, endings: &[&str]) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| unreadable(&folder, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| unreadable(&folder, &error))?;
            let kind = entry
                .file_type()
                .map_err(|error| unreadable(&folder, &error))?;
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let path = entry.path();
            let name = entry.file_name();
            let ends = |ending: &&str| {
                let rest = name.as_encoded_bytes().strip_suffix(ending.as_bytes());
                rest.is_some_and(|rest| !rest.is_empty())
            };
            let is_meant = endings.iter().any(ends);
            // A link to a folder could lead round in a circle.
            if kind.is_dir() {
                folders.push(path);
            } else if is_meant && is_file(&path)? {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
