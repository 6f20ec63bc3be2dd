//! Names and texts in trees: where they are, and others in their place. The studio and the MCP server find by it.
//!
//! `usages` finds the mentions of a thing, `text` what has a text, `renames` plans other names.

mod renames;
mod text;
mod usages;

use bt_core::TreeAsset;
use bt_core::tree::asset::positions;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::draw::heading;
use crate::mentions::ThingKind;
use crate::text::json::Json;

pub use renames::{Changes, Other, changes, only_in_code, renames};
pub use text::{matches, names_a_key, node_of, pattern, shown};
pub use usages::{Known, mentions_of};

/// Something with a name that trees use.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Thing {
    /// The sort of thing.
    pub kind: ThingKind,
    /// Its name; of a tree, what other trees call it.
    pub name: String,
    /// The agent that it belongs to, if others may have the same name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Of a key: the path of the tree that it is looked for in; all trees if it is omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// The places to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FindIn {
    /// The names of actions, conditions, events and trees, and kinds.
    Name,
    /// Texts, numbers and expressions of arguments and guards.
    Argument,
    /// Comments.
    Comment,
    /// Keys of the blackboard and properties.
    Key,
    /// All other texts and numbers.
    Other,
}

/// A place in a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The node, if it is in one.
    pub node: Option<u32>,
    /// The JSON pointer in the file.
    pub pointer: String,
    /// The line, from 1.
    pub line: u32,
    /// The node there, for people.
    pub shown: String,
}

/// The places of pointers in a tree's text, with their lines.
pub fn places(text: &str, tree: Option<&TreeAsset>, pointers: &[String]) -> Vec<Place> {
    let json = Json::read(text);
    let lines = positions(text, pointers.iter().map(String::as_str));
    let place = |(pointer, line): (&String, Option<_>)| {
        let idx = json.as_ref().and_then(|json| node_of(json, pointer));
        let node = idx.and_then(|idx| tree?.node(idx));
        Place {
            node: idx,
            pointer: pointer.clone(),
            line: line.map_or(1, |at: bt_core::tree::asset::Position| {
                u32::try_from(at.line).unwrap_or(u32::MAX)
            }),
            shown: node.map_or_else(String::new, heading),
        }
    };
    pointers.iter().zip(lines).map(place).collect()
}
