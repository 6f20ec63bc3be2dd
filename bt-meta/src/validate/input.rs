//! Which files are looked at, and what other trees call them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// A tree's file, which is not read yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// What other trees call it.
    pub name: String,
    /// Where it is, and what messages call it.
    pub path: PathBuf,
}

impl Input {
    /// Its bytes.
    ///
    /// # Errors
    /// A failure if it cannot be read.
    pub fn read(&self) -> Result<Vec<u8>, Error> {
        fs::read(&self.path).map_err(|error| unreadable(&self.path, &error))
    }

    /// Its path with `/` between the parts, whatever the machine.
    pub fn shown(&self) -> String {
        parts(&self.path)
    }
}

/// A tree's file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// What other trees call it.
    pub name: String,
    /// What messages call it.
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
        let Input { name, path } = input;
        Ok(File { name, path, bytes })
    });
    read.collect()
}

/// The tree files that are meant: files by themselves, called by their file names; all `.json` files
/// below folders, called by their paths from there; and the files that a pattern such as
/// `trees/**/*.json` has, called by their paths from its first part that is no plain name.
///
/// # Errors
/// A failure for a path that is not there, a folder that cannot be read, a pattern that is none, or if
/// there is no file at all.
pub fn inputs(paths: &[PathBuf]) -> Result<Vec<Input>, Error> {
    let mut inputs = Vec::new();
    for path in paths {
        if path.is_dir() {
            for file in below(path)? {
                inputs.push(Input {
                    name: parts(file.strip_prefix(path).unwrap_or(&file)),
                    path: file,
                });
            }
        } else if path.exists() {
            let name = path.file_name().unwrap_or(path.as_os_str());
            inputs.push(Input {
                name: name.to_string_lossy().into_owned(),
                path: path.clone(),
            });
        } else {
            matching(path, &mut inputs)?;
        }
    }
    if inputs.is_empty() {
        return Err(Error::failure(
            "no `.json` file is below the folders that were named",
        ));
    }
    Ok(inputs)
}

/// The files of a pattern.
fn matching(pattern: &Path, inputs: &mut Vec<Input>) -> Result<(), Error> {
    let text = pattern.to_string_lossy();
    let is_wild = |part: &str| part.contains(['*', '?', '[']);
    if !is_wild(&text) {
        let error = std::io::Error::from(std::io::ErrorKind::NotFound);
        return Err(unreadable(pattern, &error));
    }
    let plain: PathBuf = pattern
        .components()
        .take_while(|part| !is_wild(&part.as_os_str().to_string_lossy()))
        .collect();
    let found = glob::glob(&text)
        .map_err(|error| Error::failure(format!("`{text}` is no pattern of files: {error}")))?;
    let before = inputs.len();
    for path in found {
        let path = path.map_err(|error| unreadable(error.path(), error.error()))?;
        if path.is_file() {
            let name = parts(path.strip_prefix(&plain).unwrap_or(&path));
            inputs.push(Input { name, path });
        }
    }
    match inputs.len() == before {
        true => Err(Error::failure(format!("no file is like `{text}`"))),
        false => Ok(()),
    }
}

fn parts(path: &Path) -> String {
    path.to_string_lossy()
        .replace(std::path::MAIN_SEPARATOR, "/")
}

fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    Error::failure(format!("cannot read {}: {error}", path.display()))
}

/// The `.json` files below a folder, sorted.
fn below(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| unreadable(&folder, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| unreadable(&folder, &error))?;
            let kind = entry
                .file_type()
                .map_err(|error| unreadable(&folder, &error))?;
            let path = entry.path();
            // A link to a folder could lead round in a circle.
            if kind.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "json") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
