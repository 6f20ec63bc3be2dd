//! The common view of a running game and a recording: the texts of trees, and the state of an agent.

use std::collections::BTreeMap;

use bt_core::TreeAsset;
use bt_core::trace::Picture;
use bt_core::tree::Code;
use bt_core::tree::asset::{Problem, locate};

use crate::protocol::types::{ActiveNode, AgentEntry, AgentPicture, NodePosition, TreeText};
use crate::protocol::{Error, hash};

/// The hashes of texts, by name.
#[cfg(feature = "port")]
pub(crate) fn hashes(texts: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let texts = texts.iter();
    texts
        .map(|(name, text)| (name.clone(), hash(text)))
        .collect()
}

/// A tree with the places of its nodes.
pub(crate) fn tree(name: &str, texts: &BTreeMap<String, String>) -> Result<TreeText, Error> {
    let text = texts.get(name).ok_or_else(|| {
        let name: String = name.chars().take(60).collect();
        Error::unknown(format!("there is no tree {name:?}"))
    })?;
    Ok(TreeText {
        name: name.to_owned(),
        hash: hash(text),
        text: text.clone(),
        nodes: nodes(name, text),
        next: None,
    })
}

fn nodes(name: &str, text: &str) -> Vec<NodePosition> {
    let Ok(asset) = TreeAsset::from_slice(name, text.as_bytes()) else {
        return Vec::new();
    };
    // A problem of each node has the place that is looked for, in scripts too.
    let place = |idx| {
        let pointer = asset.pointer(idx).unwrap_or_default();
        Problem::new(Code::Contradiction, name, "").at(pointer)
    };
    let mut places: Vec<Problem> = asset.nodes().iter().map(|node| place(node.idx())).collect();
    locate(&mut places, text);
    let nodes = asset.nodes().iter().zip(places);
    let found = nodes.filter_map(|(node, place)| {
        let position = place.position()?;
        Some(NodePosition {
            idx: node.idx(),
            kind: node.data().kind.clone(),
            line: position.line as u32,
            column: position.column as u32,
        })
    });
    found.collect()
}

/// The state of an agent, as far as its picture shows it.
pub(crate) fn shown(agent: AgentEntry, picture: Picture) -> AgentPicture {
    let tree = |run: u32| picture.trees.get(run as usize).cloned();
    let active = picture.active.iter().map(|((run, idx), node)| ActiveNode {
        run: *run,
        tree: tree(*run).unwrap_or_default(),
        idx: *idx,
        kind: node.kind.clone(),
        name: node.name.clone(),
    });
    AgentPicture {
        agent,
        active: active.collect(),
        leaves: Vec::new(),
        trees: picture.trees,
        blackboard: picture.blackboard,
        properties: picture.properties,
        diagnostics: Vec::new(),
        stop: None,
        forced: Vec::new(),
        cut: Vec::new(),
    }
}
