//! The trees as sources: which file has which tree, and which node is at which line.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use bt_live::client::{Client, ClientError};
use bt_live::protocol::hash;
use bt_live::protocol::types::{ListTrees, NodePosition, TreeText};
use serde_json::{Value, json};

use crate::error::did_you_mean;

/// The texts of all trees that the game runs.
#[derive(Debug, Default)]
pub(super) struct Trees {
    all: BTreeMap<String, TreeText>,
    /// The trees that there were, by the numbers that the editor knows them by, from 1.
    numbered: Vec<String>,
    /// The folder of their files.
    folder: PathBuf,
}

/// The meaning of the lines of a file, to the game.
pub(super) struct Spot {
    /// The tree of the file, or why its lines are nothing.
    tree: Result<TreeText, String>,
}

impl Trees {
    pub(super) fn of(client: &mut Client, folder: &Path) -> Result<Trees, ClientError> {
        let mut trees = Trees {
            // Editors know files by their whole paths.
            folder: std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()),
            ..Trees::default()
        };
        trees.load(client)?;
        Ok(trees)
    }

    /// Loads the texts that the game runs now.
    pub(super) fn load(&mut self, client: &mut Client) -> Result<(), ClientError> {
        let mut all = BTreeMap::new();
        for name in client.call(ListTrees {})?.trees.into_keys() {
            let tree = client.tree(&name)?;
            if !self.numbered.contains(&name) {
                self.numbered.push(name.clone());
            }
            all.insert(name, tree);
        }
        self.all = all;
        Ok(())
    }

    /// The texts, by the names of the trees.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.all.iter();
        all.map(|(name, tree)| (name.as_str(), tree.text.as_str()))
    }

    /// The meaning of the lines of a file.
    pub(super) fn spot(&self, path: &str) -> Spot {
        Spot {
            tree: self.of_file(path),
        }
    }

    /// The tree that a file has, if its text is what the game runs.
    fn of_file(&self, path: &str) -> Result<TreeText, String> {
        let path = path.replace('\\', "/");
        let named = self.all.values();
        // The longest name that the path ends with: trees may be in folders.
        let tree = named
            .filter(|tree| path == tree.name || path.ends_with(&format!("/{}", tree.name)))
            .max_by_key(|tree| tree.name.len());
        let tree = tree.ok_or_else(|| {
            let file = path.rsplit('/').next().unwrap_or_default();
            let near = did_you_mean(file, self.all.keys().map(String::as_str));
            let near = near.map_or_else(String::new, |near| format!("; {near}"));
            format!("the game runs no tree of this file{near}")
        })?;
        let path = Path::new(&path);
        // What is no file, such as a pipe, may never end.
        let text = match path.metadata() {
            Ok(found) if !found.is_file() => Err(io::Error::other("it is no file")),
            Ok(_) => crate::read::text(path),
            Err(error) => Err(error),
        };
        match text {
            Ok(text) if hash(&text) == tree.hash => Ok(tree.clone()),
            Ok(_) => Err("the game runs another text of this tree: save and reload it".to_owned()),
            // Without the file there is the text that the game gives.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(tree.clone()),
            Err(error) => Err(format!("the file cannot be read: {error}")),
        }
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

    /// The place of a node, as a frame has it.
    pub(super) fn place(&self, tree: &str, idx: u32) -> Value {
        let (line, column) = self
            .node(tree, idx)
            .map_or((0, 0), |node| (node.line, node.column));
        json!({ "source": self.source(tree), "line": line, "column": column })
    }

    pub(super) fn source(&self, tree: &str) -> Value {
        let path = self.folder.join(tree);
        match !self.folder.as_os_str().is_empty() && path.is_file() {
            true => json!({ "name": tree, "path": path }),
            // The editor asks for the text.
            false => json!({ "name": tree, "sourceReference": self.reference(tree) }),
        }
    }

    fn reference(&self, tree: &str) -> usize {
        let mut names = self.numbered.iter();
        names.position(|name| name == tree).map_or(0, |at| at + 1)
    }

    /// The text of a source without a file.
    pub(super) fn text(&self, reference: u64) -> Option<&str> {
        let at = usize::try_from(reference).ok()?.checked_sub(1)?;
        Some(&self.all.get(self.numbered.get(at)?)?.text)
    }

    pub(super) fn sources(&self) -> Vec<Value> {
        self.all.keys().map(|tree| self.source(tree)).collect()
    }

    /// The content of a node in its file.
    pub(super) fn said(&self, tree: &str, idx: u32) -> Value {
        let asset = self
            .all
            .get(tree)
            .and_then(|tree| bt_core::TreeAsset::from_slice(&tree.name, tree.text.as_bytes()).ok());
        let node = asset.as_ref().and_then(|asset| asset.node(idx));
        node.map_or(Value::Null, |node| Value::Object(node.data().extra.clone()))
    }
}

impl Spot {
    /// The node that a line is in: the last one that begins before its end. Its tree, its number, and the line where it
    /// begins.
    ///
    /// # Errors
    /// Why the line is in no node.
    pub(super) fn node_at(&self, line: u64) -> Result<(String, u32, u32), String> {
        let tree = self.tree.as_ref().map_err(|why| why.clone())?;
        let lines = tree.text.lines().count() as u64;
        if line > lines {
            return Err(format!("the file has {lines} lines"));
        }
        let nodes = tree.nodes.iter();
        let before = nodes.filter(|node| u64::from(node.line) <= line);
        let node = before.max_by_key(|node| (node.line, node.column));
        let node = node.ok_or("no node begins above this line")?;
        if let Some(end) = end_of(&tree.text, node)
            && line > end
        {
            return Err(format!(
                "no node is in this line: the last one ends in line {end}"
            ));
        }
        Ok((tree.name.clone(), node.idx, node.line))
    }
}

/// The line in which a node ends that is an object of JSON; none of one in a script.
fn end_of(text: &str, node: &NodePosition) -> Option<u64> {
    let mut depth = 0_u32;
    let mut text_is_open = false;
    let mut is_escaped = false;
    let lines = text.lines().enumerate().skip(node.line as usize - 1);
    for (at, line) in lines {
        let is_first = at + 1 == node.line as usize;
        let before = if is_first {
            node.column as usize - 1
        } else {
            0
        };
        for letter in line.chars().skip(before) {
            match letter {
                _ if is_escaped => is_escaped = false,
                '\\' if text_is_open => is_escaped = true,
                '"' => text_is_open = !text_is_open,
                _ if text_is_open => {}
                '{' => depth += 1,
                '}' => depth = depth.checked_sub(1)?,
                _ => {}
            }
            // A node of a script begins with a word.
            if depth == 0 {
                return (letter == '}').then_some(at as u64 + 1);
            }
        }
    }
    None
}
