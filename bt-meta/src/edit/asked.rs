//! The edits that there are.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A change of a tree. Everything in the text that it need not change stays as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Edit {
    /// Makes a new node below another.
    Insert {
        /// The node that it is below.
        parent: u32,
        /// Its place among the children, from 0; the last if it is omitted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<u32>,
        /// Its kind.
        kind: String,
        /// The name of what its kind calls: an action, a condition, a decorator, an event or a tree.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// Further keys of its `extra`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        extra: Option<Map<String, Value>>,
    },
    /// Makes a new node between nodes that are siblings, next to each other, and the node above them.
    Wrap {
        /// The nodes.
        nodes: Vec<u32>,
        /// The new node's kind.
        kind: String,
        /// The keys of its `extra`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        extra: Option<Map<String, Value>>,
    },
    /// Removes nodes, and all that is below them.
    Remove {
        /// The nodes.
        nodes: Vec<u32>,
        /// True if what is below them takes their places instead.
        #[serde(default)]
        keep_children: bool,
    },
    /// Moves nodes below another.
    Move {
        /// The nodes, in the order in which they are to stand.
        nodes: Vec<u32>,
        /// The node that they are below afterwards.
        parent: u32,
        /// Their place among its other children, from 0, those that move not counted; the last if it is omitted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<u32>,
    },
    /// Makes a node one of another kind. Its children stay, and of its `extra` what the new kind takes.
    Kind {
        /// The node.
        node: u32,
        /// Its new kind.
        kind: String,
        /// The name of what the new kind calls.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// Writes a value. Objects around it that are missing are made.
    Set {
        /// The node; without one the pointer is of the file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node: Option<u32>,
        /// A JSON pointer, such as `/extra/action_args/0/arg_value`. Its last part may be `-`: then the value
        /// comes last in an array.
        at: String,
        /// A JSON text.
        value: String,
    },
    /// Removes a key of an object, or an item of an array.
    Unset {
        /// The node; without one the pointer is of the file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node: Option<u32>,
        /// A JSON pointer.
        at: String,
    },
    /// Renames a key of an object.
    Key {
        /// The node; without one the pointer is of the file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node: Option<u32>,
        /// The JSON pointer of its value.
        at: String,
        /// Its new name.
        to: String,
    },
    /// Makes nodes from a text that `doc.fragment` gave.
    Paste {
        /// The node that they are below.
        parent: u32,
        /// Their place among its children, from 0; the last if it is omitted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<u32>,
        /// The text.
        text: String,
        /// True if the nodes keep their numbers, as those that were cut from this tree do. They get new ones
        /// where one of them is taken.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        keep: bool,
    },
    /// Makes a copy of each node, with what is below it, right behind it.
    Duplicate {
        /// The nodes.
        nodes: Vec<u32>,
    },
    /// Makes a new tree of a node and what is below it; a call of that tree takes its place.
    Extract {
        /// The node.
        node: u32,
        /// The path where the new tree is to be saved.
        path: String,
    },
    /// Puts the nodes of a tree in the place of a call of it.
    Inline {
        /// The node, a `sub_tree`.
        node: u32,
    },
    /// Numbers the nodes from 0, each before those below it.
    Renumber {},
    /// Does what a finding says.
    Fix {
        /// The JSON pointer of the finding.
        pointer: String,
        /// Its code.
        code: String,
    },
}
