//! The tree files below the opened folders, as they are on the disk.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use bt_core::TreeAsset;
use bt_live::protocol::hash;
use bt_meta::validate::input;

use super::folders::Folders;

/// The largest tree file that is opened, in bytes: a browser has to hold it as well.
pub const LARGEST: usize = 32 << 20;

/// A file as it was read last.
#[derive(Debug, Clone)]
pub struct File {
    /// What other trees call it.
    pub name: String,
    /// Its bytes.
    pub bytes: Arc<Vec<u8>>,
    /// What its root says.
    pub head: TreeAsset,
    /// The comment of its root, if it was read from the disk.
    pub comment: String,
}

impl File {
    /// Of bytes.
    pub fn of(name: &str, bytes: Vec<u8>) -> File {
        File {
            name: name.to_owned(),
            head: TreeAsset::head(name, &bytes),
            comment: String::new(),
            bytes: Arc::new(bytes),
        }
    }

    /// Of bytes that are on the disk.
    pub fn on_disk(name: &str, bytes: Vec<u8>) -> File {
        let tree = TreeAsset::from_slice(name, &bytes);
        let comment = tree.map_or_else(|_| String::new(), |tree| tree.root().comment.clone());
        File {
            comment,
            ..File::of(name, bytes)
        }
    }

    /// Its text; none if it is not UTF-8.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// What it is known by.
    pub fn hash(&self) -> String {
        hash(&String::from_utf8_lossy(&self.bytes))
    }
}

/// The files by their paths.
pub type Files = BTreeMap<String, File>;

/// Reads all tree files. One that cannot be read is passed over.
pub fn read(folders: &Folders) -> Files {
    let mut files = Files::new();
    for folder in folders.all() {
        // A folder without trees is none.
        let inputs = input::inputs(&[PathBuf::from(&folder.path)]).unwrap_or_default();
        for input in inputs {
            let path = folders.path_of(folder, &input.name);
            if is_other(&input.name) || folders.find(&path).is_err() {
                continue;
            }
            if let Some(bytes) = read_one(&input.path) {
                files.insert(path, File::on_disk(&input.name, bytes));
            }
        }
    }
    files
}

/// The bytes of a file, if it can be read and is not too large.
pub fn read_one(path: &std::path::Path) -> Option<Vec<u8>> {
    let found = std::fs::metadata(path).ok()?;
    if !found.is_file() || found.len() > LARGEST as u64 {
        return None;
    }
    std::fs::read(path).ok()
}

/// Files with that ending that `bt-meta export` writes, and no trees.
fn is_other(name: &str) -> bool {
    let own = name.rsplit('/').next().unwrap_or(name);
    let exported = [
        "agents.json",
        "agents.schema.json",
        "trees.schema.json",
        "action_types.json",
        "agent_hierarchy.json",
        "node_types.json",
    ];
    exported.contains(&own)
}
