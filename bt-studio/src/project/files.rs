//! The tree files below the opened folders, as they are on the disk.

use std::collections::BTreeMap;
use std::sync::Arc;

use bt_core::TreeAsset;
use bt_live::protocol::hash;
use bt_meta::files::is_export;

use crate::cards::shape;

use super::door::{Passed, Refusal, walk};
use super::folders::{Folders, ResolvedPath, TREES};

/// The largest tree file that is opened, in bytes: a browser has to hold it as well.
pub const LARGEST: usize = 32 << 20;

/// So many trees are open, and all of them together have so many bytes, at most.
const MOST: usize = 20_000;
const TOGETHER: usize = 512 << 20;

/// A file as it was read last.
#[derive(Debug, Clone)]
pub struct File {
    /// Its name in other trees.
    pub name: String,
    /// Its bytes.
    pub bytes: Arc<Vec<u8>>,
    /// The content of its root.
    pub head: TreeAsset,
    /// The comment of its root, if it was read from the disk.
    pub comment: String,
    /// The form of its tree, as [`shape`] gives it, if it was read from the disk.
    pub shape: String,
    /// True if it may not be written.
    pub read_only: bool,
}

impl File {
    /// Of bytes.
    pub fn of(name: &str, bytes: Vec<u8>) -> File {
        File {
            name: name.to_owned(),
            head: TreeAsset::head(name, &bytes),
            comment: String::new(),
            shape: String::new(),
            read_only: false,
            bytes: Arc::new(bytes),
        }
    }

    /// Of bytes that are on the disk.
    pub fn on_disk(name: &str, bytes: Vec<u8>) -> File {
        let tree = TreeAsset::from_slice(name, &bytes).ok();
        let comment = tree.as_ref().map(|tree| tree.root().comment.clone());
        File {
            comment: comment.unwrap_or_default(),
            shape: tree.as_ref().map(shape).unwrap_or_default(),
            ..File::of(name, bytes)
        }
    }

    /// Its text; none if it is not UTF-8.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// The hash that it is known by.
    pub fn hash(&self) -> String {
        hash(&String::from_utf8_lossy(&self.bytes))
    }
}

/// The files by their paths.
pub type Files = BTreeMap<String, File>;

/// Reads all tree files, and says which are passed over. What did not change since `before` is not looked at again.
/// `sweeps`: whether files are removed that a studio left when it was killed.
pub fn read(folders: &Folders, before: &Files, sweeps: bool) -> (Files, Passed) {
    let wanted = |name: &str| TREES.iter().any(|ending| name.ends_with(ending)) && !is_export(name);
    let (mut files, mut passed) = (Files::new(), Passed::default());
    let mut bytes = 0;
    for folder in folders.all() {
        let walked = walk(&folder.path, &wanted, sweeps);
        passed.extend(walked.passed);
        for name in walked.files {
            let path = folders.path_of(folder, &name);
            if files.len() == MOST {
                passed.add(format!("all trees after the first {MOST}"));
                return (files, passed);
            }
            let meant = match folders.meant(&path, &TREES) {
                Ok(meant) => meant,
                Err(why) => {
                    passed.add(why.message);
                    continue;
                }
            };
            match read_one(&meant, before.get(&path)) {
                Ok(file) if bytes + file.bytes.len() <= TOGETHER => {
                    bytes += file.bytes.len();
                    files.insert(path, file);
                }
                Ok(_) => passed.add(format!(
                    "`{path}`: all trees together have more than {} MiB",
                    TOGETHER >> 20
                )),
                // It is gone by now.
                Err(Refusal::Missing) => {}
                Err(why) => passed.add(format!("`{path}`: {why}")),
            }
        }
    }
    (files, passed)
}

/// A file as it is on the disk; `before` as it was when it was read last.
///
/// # Errors
/// Why it cannot be read.
pub fn read_one(meant: &ResolvedPath, before: Option<&File>) -> Result<File, Refusal> {
    let read_only = meant.place.look()?.read_only;
    let bytes = meant.place.read(LARGEST as u64)?;
    let file = match before {
        Some(before) if *before.bytes == bytes => before.clone(),
        _ => File::on_disk(&meant.name, bytes),
    };
    Ok(File { read_only, ..file })
}
