//! The files in a folder and below it, as many as one looks through in a moment.

use std::path::Path;

use cap_fs_ext::FileTypeExt as _;
use cap_std::fs::Dir;

use super::staged::{is_temporary, remove_abandoned};
use super::{open_root, step};

/// So many levels of folders are looked into, and so many entries.
const DEPTH: usize = 32;
const ENTRIES: usize = 100_000;

/// So many reasons are given in words; the others are counted.
const REASONS: usize = 3;

/// The files that were found, and what was passed over.
#[derive(Debug, Default)]
pub struct Walk {
    /// The names of the files, sorted, those of its folders with `/`.
    pub files: Vec<String>,
    /// The things that were passed over.
    pub passed: Passed,
    entries: usize,
}

/// The things that were passed over, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Passed {
    reasons: Vec<String>,
    count: usize,
}

impl Passed {
    /// Something was passed over.
    pub fn add(&mut self, why: impl Into<String>) {
        self.count += 1;
        if self.reasons.len() < REASONS {
            self.reasons.push(why.into());
        }
    }

    /// The same of another folder.
    pub fn extend(&mut self, other: Passed) {
        self.count += other.count;
        let left = REASONS - self.reasons.len();
        self.reasons.extend(other.reasons.into_iter().take(left));
    }

    /// All of it, for people; none if nothing was.
    pub fn in_words(&self) -> Option<String> {
        let reasons = self.reasons.join("; ");
        match self.count - self.reasons.len() {
            _ if self.count == 0 => None,
            0 => Some(format!("not shown: {reasons}")),
            more => Some(format!("not shown: {reasons}; and {more} more")),
        }
    }
}

/// Looks for files with names that are wanted. Nothing that begins with a dot is looked at, and no link is followed.
/// `sweeps`: whether files are removed that a program of this name left when it was killed.
pub fn walk(root: &Path, wanted: &dyn Fn(&str) -> bool, sweeps: bool) -> Walk {
    let mut walk = Walk::default();
    match open_root(root) {
        Ok(folder) => walk.look(&folder, "", wanted, sweeps),
        Err(why) => walk.passed.add(format!("`{}`: {why}", root.display())),
    }
    walk.files.sort();
    walk
}

impl Walk {
    fn look(&mut self, folder: &Dir, prefix: &str, wanted: &dyn Fn(&str) -> bool, sweeps: bool) {
        let entries = match folder.entries() {
            Ok(entries) => entries,
            Err(error) => return self.passed.add(format!("`{prefix}`: {error}")),
        };
        for entry in entries.flatten() {
            if self.entries == ENTRIES {
                let why = format!("all that comes after the first {ENTRIES} files and folders");
                self.passed.add(why);
            }
            self.entries += 1;
            if self.entries > ENTRIES {
                return;
            }
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let own = match entry.file_name().into_string() {
                Ok(own) => own,
                Err(own) if wanted(&own.to_string_lossy()) => {
                    let shown = own.to_string_lossy().into_owned();
                    self.passed
                        .add(format!("`{prefix}{shown}`: its name is not UTF-8"));
                    continue;
                }
                Err(_) => continue,
            };
            if own.starts_with('.') {
                if sweeps && is_temporary(&own) {
                    remove_abandoned(folder, &own);
                }
                continue;
            }
            let name = format!("{prefix}{own}");
            if kind.is_dir() {
                if prefix.matches('/').count() >= DEPTH {
                    self.passed
                        .add(format!("`{name}` is more than {DEPTH} folders deep"));
                    continue;
                }
                match step(folder, own.as_ref()) {
                    Ok(next) => self.look(&next, &format!("{name}/"), wanted, sweeps),
                    Err(why) => self.passed.add(format!("`{name}`: {why}")),
                }
            } else if kind.is_file() && wanted(&own) {
                self.files.push(name);
            } else if kind.is_symlink() && (wanted(&own) || !own.contains('.')) {
                self.passed.add(format!("`{name}` is a link"));
            } else if kind.is_fifo() && wanted(&own) {
                self.passed.add(format!("`{name}` is a pipe"));
            }
        }
    }
}
