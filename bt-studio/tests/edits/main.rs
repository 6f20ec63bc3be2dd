//! Edits of trees: what they do, and that the rest of the file stays as it is.

mod kinds;
mod parts;
mod random;

use std::fs;
use std::path::{Path, PathBuf};

use bt_core::TreeAsset;
use bt_core::tree::asset::Fix;
use bt_meta::text::splices::{Splice, apply};
use bt_studio::edit::{Around, edit};
use bt_studio::protocol::Edit;

/// A project without other trees.
struct Alone;

impl Around for Alone {
    fn fix(&self, _: &str, _: &str, _: &str) -> Option<Fix> {
        None
    }

    fn tree(&self, name: &str) -> Option<TreeAsset> {
        let text = r#"{"nodes": [{"idx": 4, "type": "root", "children": [2]}, {"idx": 2, "type": "action", "children": [], "extra": {"action_name": "rest"}}]}"#;
        (name == "rest.json").then(|| TreeAsset::from_json(name, text).unwrap())
    }

    fn new_tree(&self, path: &str) -> Result<String, String> {
        Ok(path.to_owned())
    }
}

/// Edits as JSON.
fn edits(json: serde_json::Value) -> Vec<Edit> {
    serde_json::from_value(json).unwrap()
}

/// The text after edits, which can be undone.
fn edited(text: &str, edits: &[Edit]) -> Result<String, String> {
    let tree = TreeAsset::from_json("t.json", text).unwrap();
    let done = edit(&tree, text, edits, &Alone)?;
    let after = apply(text, &done.splices);
    assert_eq!(apply(&after, &inverse(text, &done.splices)), text);
    Ok(after)
}

/// The splices that undo others.
fn inverse(text: &str, splices: &[Splice]) -> Vec<Splice> {
    let mut moved = 0_isize;
    let mut last = 0;
    let splices = splices.iter().map(|splice| {
        assert!(last <= splice.at.start, "splices overlap");
        last = splice.at.end;
        let start = splice.at.start.checked_add_signed(moved).unwrap();
        moved += splice.with.len().cast_signed() - splice.at.len().cast_signed();
        Splice {
            at: start..start + splice.with.len(),
            with: text[splice.at.clone()].to_owned(),
        }
    });
    splices.collect()
}

/// All tree files below a folder of the repository.
fn trees(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(folder);
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}
