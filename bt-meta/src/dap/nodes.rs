//! The trees as sources: which file has which tree, and which node is at which line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bt_live::client::{Client, ClientError};
use bt_live::protocol::hash;
use bt_live::protocol::types::{ListTrees, NodePosition, TreeText};
use serde_json::{Value, json};

/// The texts of all trees that the game runs.
#[derive(Debug, Default)]
pub(super) struct Trees {
    all: BTreeMap<String, TreeText>,
    /// Where their files are.
    folder: PathBuf,
}

impl Trees {
    pub(super) fn of(client: &mut Client, folder: &Path) -> Result<Trees, ClientError> {
        let mut all = BTreeMap::new();
        for name in client.call(ListTrees {})?.trees.into_keys() {
            let tree = client.tree(&name)?;
            all.insert(name, tree);
        }
        let folder = folder.to_owned();
        Ok(Trees { all, folder })
    }

    /// The tree that a file has, and whether its text is what the game runs.
    pub(super) fn of_file(&self, path: &str) -> Option<(&TreeText, bool)> {
        let path = path.replace('\\', "/");
        let named = self.all.values();
        // The longest name that the path ends with: trees may be in folders.
        let tree = named
            .filter(|tree| path == tree.name || path.ends_with(&format!("/{}", tree.name)))
            .max_by_key(|tree| tree.name.len())?;
        let text = std::fs::read_to_string(&path);
        // Without the file there is the text that the game gives.
        let is_same = text.map_or(true, |text| hash(&text) == tree.hash);
        Some((tree, is_same))
    }

    fn node(&self, tree: &str, idx: u32) -> Option<&NodePosition> {
        let tree = self.all.get(tree)?;
        tree.nodes.iter().find(|node| node.idx == idx)
    }

    /// The file's word for a node's kind.
    pub(super) fn kind(&self, tree: &str, idx: u32) -> String {
        let node = self.node(tree, idx);
        node.map(|node| node.kind.clone()).unwrap_or_default()
    }

    /// Where a node is, as a frame says it.
    pub(super) fn place(&self, tree: &str, idx: u32) -> Value {
        let (line, column) = self
            .node(tree, idx)
            .map_or((0, 0), |node| (node.line, node.column));
        json!({ "source": self.source(tree), "line": line, "column": column })
    }

    pub(super) fn source(&self, tree: &str) -> Value {
        let path = self.folder.join(tree);
        match path.exists() {
            true => json!({ "name": tree, "path": path }),
            // The editor asks for the text.
            false => json!({ "name": tree, "sourceReference": self.reference(tree) }),
        }
    }

    fn reference(&self, tree: &str) -> usize {
        let mut names = self.all.keys();
        names.position(|name| name == tree).map_or(0, |at| at + 1)
    }

    /// The text of a source without a file.
    pub(super) fn text(&self, reference: u64) -> Option<&str> {
        let at = usize::try_from(reference).ok()?.checked_sub(1)?;
        Some(&self.all.values().nth(at)?.text)
    }

    pub(super) fn sources(&self) -> Vec<Value> {
        self.all.keys().map(|tree| self.source(tree)).collect()
    }

    /// What the file says of a node.
    pub(super) fn said(&self, tree: &str, idx: u32) -> Value {
        let asset = self
            .all
            .get(tree)
            .and_then(|tree| bt_core::TreeAsset::from_slice(&tree.name, tree.text.as_bytes()).ok());
        let node = asset.as_ref().and_then(|asset| asset.node(idx));
        node.map_or(Value::Null, |node| Value::Object(node.data().extra.clone()))
    }
}

/// The node that a line is in: the last one that begins before its end.
pub(super) fn node_at(tree: &TreeText, line: u64) -> Option<&NodePosition> {
    let nodes = tree.nodes.iter();
    let before = nodes.filter(|node| u64::from(node.line) <= line);
    before.max_by_key(|node| (node.line, node.column))
}
