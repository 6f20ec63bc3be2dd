//! The root of a tree, read without the rest of the file.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::TreeAsset;
use crate::tree::is_script;

#[derive(Deserialize)]
struct File<'t> {
    #[serde(borrow, default)]
    nodes: Vec<Node<'t>>,
}

#[derive(Deserialize)]
struct Node<'t> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'t RawValue>,
    #[serde(borrow)]
    extra: Option<&'t RawValue>,
}

/// The root alone; one that says nothing where there is none to be found.
pub(super) fn of(name: &str, bytes: &[u8]) -> TreeAsset {
    let mut head = TreeAsset::of_root(name);
    if is_script(name) {
        let tree = TreeAsset::from_slice(name, bytes);
        let root = tree.map(|tree| tree.root().extra.clone());
        if let (Ok(extra), Some(root)) = (root, head.node_mut(head.nodes.root)) {
            root.extra = extra;
        }
        return head;
    }
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let file: File<'_> = match serde_json::from_slice(bytes) {
        Ok(file) => file,
        Err(_) => return head,
    };
    let is_root = |node: &&Node<'_>| node.kind.is_some_and(|kind| kind.get() == "\"root\"");
    let extra = file.nodes.iter().find(is_root).and_then(|root| root.extra);
    let extra = extra.and_then(|extra| serde_json::from_str(extra.get()).ok());
    let root = head.nodes.root;
    if let (Some(extra), Some(root)) = (extra, head.node_mut(root)) {
        root.extra = extra;
    }
    head
}
