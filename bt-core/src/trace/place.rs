//! A node of a tree that runs, as a record names it.

use std::fmt;
use std::num::NonZeroU32;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::tree::plan::Plan;

/// A node of a tree that runs.
#[derive(Clone)]
pub struct Place<'a> {
    run: u32,
    node: Node<'a>,
}

#[derive(Clone)]
enum Node<'a> {
    Of(&'a Plan, u32),
    Copied(Box<Copied>),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(expecting = "a node: `at`, `tree`, `type` and `name`")]
struct Copied {
    at: (u32, u32),
    #[serde(default)]
    tree: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    line: Option<NonZeroU32>,
}

impl<'a> Place<'a> {
    pub(crate) fn of(plan: &'a Plan, run: u32, node: u32) -> Place<'a> {
        Place {
            run,
            node: Node::Of(plan, node),
        }
    }

    /// The same, for as long as anybody wants it.
    pub(crate) fn copied(plan: &Plan, run: u32, node: u32) -> Place<'static> {
        let here = Place::of(plan, run, node);
        let copied = Copied {
            at: (run, here.idx()),
            tree: here.tree().to_owned(),
            kind: here.kind().to_owned(),
            name: here.name().to_owned(),
            line: here.line(),
        };
        Place {
            run,
            node: Node::Copied(Box::new(copied)),
        }
    }

    /// A copy that stays.
    pub fn owned(&self) -> Place<'static> {
        match &self.node {
            Node::Of(plan, node) => Place::copied(plan, self.run, *node),
            Node::Copied(copied) => Place {
                run: self.run,
                node: Node::Copied(copied.clone()),
            },
        }
    }

    /// The node's number in a plan, if it is one of that.
    #[inline]
    pub(crate) fn node_of(&self, plan: &Plan) -> Option<u32> {
        match self.node {
            Node::Of(of, node) => std::ptr::eq(of, plan).then_some(node),
            Node::Copied(_) => None,
        }
    }

    /// The number of the run of its tree, from 0: trees may run more than once at a time.
    pub fn run(&self) -> u32 {
        self.run
    }

    /// Its `idx` in the file.
    pub fn idx(&self) -> u32 {
        match &self.node {
            Node::Of(plan, node) => plan.info(*node).idx,
            Node::Copied(copied) => copied.at.1,
        }
    }

    /// The run and the `idx`: what tells it from all other places.
    pub fn key(&self) -> (u32, u32) {
        (self.run, self.idx())
    }

    /// The name of its tree.
    pub fn tree(&self) -> &str {
        match &self.node {
            Node::Of(plan, node) => &plan.tree_of(*node).name,
            Node::Copied(copied) => &copied.tree,
        }
    }

    /// The file's word for its kind.
    pub fn kind(&self) -> &str {
        match &self.node {
            Node::Of(plan, node) => plan.info(*node).kind,
            Node::Copied(copied) => &copied.kind,
        }
    }

    /// The name of its action, event or tree; empty where it has none.
    pub fn name(&self) -> &str {
        match &self.node {
            Node::Of(plan, node) => &plan.info(*node).name,
            Node::Copied(copied) => &copied.name,
        }
    }

    /// Its line, if the file is a script.
    pub(crate) fn line(&self) -> Option<NonZeroU32> {
        match &self.node {
            Node::Of(plan, node) => plan.info(*node).line,
            Node::Copied(copied) => copied.line,
        }
    }
}

impl PartialEq for Place<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
            && self.tree() == other.tree()
            && self.kind() == other.kind()
            && self.name() == other.name()
    }
}

/// "hunt.json: node 3 (action `chase`)", of a script "hunt.bt: node 3, line 5 (action `chase`)".
impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: node {}", self.tree(), self.idx())?;
        if let Some(line) = self.line() {
            write!(f, ", line {line}")?;
        }
        write!(f, " ({}", self.kind())?;
        match self.name() {
            "" => f.write_str(")"),
            name => write!(f, " `{name}`)"),
        }
    }
}

impl fmt::Debug for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} #{}", self.run)
    }
}

impl Serialize for Place<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A format that says it beforehand, as MessagePack does, says how many fields there are.
        let fields = 3 + usize::from(!self.name().is_empty()) + usize::from(self.line().is_some());
        let mut place = serializer.serialize_struct("Place", fields)?;
        place.serialize_field("at", &self.key())?;
        place.serialize_field("tree", self.tree())?;
        place.serialize_field("type", self.kind())?;
        if !self.name().is_empty() {
            place.serialize_field("name", self.name())?;
        }
        if let Some(line) = self.line() {
            place.serialize_field("line", &line)?;
        }
        place.end()
    }
}

impl<'de> Deserialize<'de> for Place<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let copied = Box::<Copied>::deserialize(deserializer)?;
        Ok(Place {
            run: copied.at.0,
            node: Node::Copied(copied),
        })
    }
}
