//! Everything that there is at a moment: which trees run, the blackboard, the active nodes.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;

use serde::ser::{SerializeMap, SerializeSeq, SerializeStruct};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::blackboard::{Blackboard, KeyId, TreeFrame};
use crate::kinds::step::At;
use crate::tree::plan::Plan;

/// The state of an agent at a moment.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(expecting = "an object of what there is")]
pub struct Picture {
    /// The names of the trees, by the numbers of their runs.
    pub trees: Vec<String>,
    /// The blackboard; a key of a running tree's own is `key@run`.
    pub blackboard: BTreeMap<String, Value>,
    /// The agent's properties, as a trace saw them last; none where there was no trace.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, Value>,
    /// The nodes that are active, entered and not left, by run and `idx`. In JSON
    /// `[run, idx, type, name]` of each.
    #[serde(with = "listed")]
    pub active: BTreeMap<(u32, u32), NodeName>,
    /// The state of the agent's random stream, in a snapshot of a trace: [`Random::new`](crate::Random::new) of it
    /// draws what the agent draws from there on. In JSON 16 hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "digits")]
    pub random: Option<u64>,
}

/// The owner of a value of a [`Picture`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held<'a> {
    /// A key of the blackboard, called as the picture calls it.
    Key(&'a str),
    /// A property.
    Property(&'a str),
}

impl Picture {
    /// The same with other values: what `shown` makes of each, none to leave it out.
    pub(super) fn with(&self, shown: &mut dyn FnMut(Held<'_>, &Value) -> Option<Value>) -> Picture {
        let mut of = |values: &BTreeMap<String, Value>, held: fn(&str) -> Held<'_>| {
            let values = values.iter();
            let shown = values.filter_map(|(name, value)| {
                let value = shown(held(name), value)?;
                Some((name.clone(), value))
            });
            shown.collect()
        };
        Picture {
            blackboard: of(&self.blackboard, |name| Held::Key(name)),
            properties: of(&self.properties, |name| Held::Property(name)),
            trees: self.trees.clone(),
            active: self.active.clone(),
            random: self.random,
        }
    }
}

/// The name of a node for people.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[doc(hidden)]
pub struct NodeName {
    /// The file's word for its kind.
    pub kind: String,
    /// The name of its action, event or tree; empty where it has none.
    pub name: String,
}

/// A number of 64 bits as text: not all who read JSON have such numbers.
mod digits {
    use serde::{Deserialize, Deserializer, Serializer, de};

    #[expect(clippy::ref_option, reason = "serde gives a reference")]
    pub(super) fn serialize<S: Serializer>(number: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{:016x}", number.unwrap_or_default()))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
        let text = String::deserialize(from)?;
        let number = u64::from_str_radix(&text, 16);
        let number = number.map_err(|_| de::Error::custom("expected 16 hexadecimal digits"))?;
        Ok(Some(number))
    }
}

/// The active nodes as a list.
mod listed {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer};

    use super::NodeName;

    type Active = BTreeMap<(u32, u32), NodeName>;

    pub(super) fn serialize<S: Serializer>(active: &Active, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(
            active
                .iter()
                .map(|((run, idx), node)| (run, idx, &node.kind, &node.name)),
        )
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Active, D::Error> {
        let list: Vec<(u32, u32, String, String)> = Vec::deserialize(from)?;
        let node = |(run, idx, kind, name)| ((run, idx), NodeName { kind, name });
        Ok(list.into_iter().map(node).collect())
    }
}

/// The numbers of the runs of trees, by which a trace knows them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Runs {
    /// The run and its tree, by frame.
    frames: Vec<Option<(u32, u32)>>,
    /// The trees, by run.
    trees: Vec<u32>,
    /// Runs in whose frames other trees have begun since.
    over: Vec<u32>,
    /// The blackboards of running trees.
    boards: Vec<(TreeFrame, u32)>,
}

impl Runs {
    /// Counts anew: the runs of `roots`, each a frame and its tree; `board` is where the keys of a frame
    /// are.
    pub(crate) fn count(
        &mut self,
        roots: impl Iterator<Item = (u32, u32)>,
        board: impl Fn(u32) -> Option<TreeFrame>,
    ) {
        self.frames.clear();
        self.trees.clear();
        self.over.clear();
        for (frame, tree) in roots {
            if self.of_frame(frame).is_none() {
                self.add(frame, tree);
            }
        }
        self.find_boards(board);
    }

    /// The trees are others now, and so are the places of their keys.
    pub(crate) fn carry(
        &mut self,
        tree: impl Fn(u32) -> Option<u32>,
        board: impl Fn(u32) -> Option<TreeFrame>,
    ) {
        let frames = self.frames.iter_mut().flatten().map(|(_, tree)| tree);
        for old in frames.chain(&mut self.trees) {
            *old = tree(*old).unwrap_or_default();
        }
        self.find_boards(board);
    }

    fn find_boards(&mut self, board: impl Fn(u32) -> Option<TreeFrame>) {
        self.boards.clear();
        for (frame, run) in self.frames.iter().enumerate() {
            if let (Some((run, _)), Some(board)) = (run, board(frame as u32)) {
                self.boards.push((board, *run));
            }
        }
        self.boards.sort_unstable_by_key(|(_, run)| *run);
    }

    fn add(&mut self, frame: u32, tree: u32) {
        let run = self.trees.len() as u32;
        self.trees.push(tree);
        self.put(frame, run, tree);
    }

    fn put(&mut self, frame: u32, run: u32, tree: u32) {
        let frame = frame as usize;
        if self.frames.len() <= frame {
            self.frames.resize(frame + 1, None);
        }
        if let Some((before, _)) = self.frames[frame].replace((run, tree)) {
            self.over.push(before);
        }
    }

    fn of_frame(&self, frame: u32) -> Option<(u32, u32)> {
        self.frames.get(frame as usize).copied().flatten()
    }

    /// A tree begins in a frame; whether its run has a number that nobody knows yet. The number of a run
    /// of the same tree will do that is over.
    pub(crate) fn begin(&mut self, frame: u32, tree: u32) -> bool {
        if self.of_frame(frame).is_some_and(|(_, last)| last == tree) {
            return false;
        }
        let mut over = self.over.iter();
        match over.position(|run| self.trees[*run as usize] == tree) {
            Some(position) => {
                let run = self.over.swap_remove(position);
                self.put(frame, run, tree);
                false
            }
            None => {
                self.add(frame, tree);
                true
            }
        }
    }

    /// The run of a frame has keys of its own.
    pub(crate) fn open(&mut self, frame: u32, board: TreeFrame) {
        if let Some((run, _)) = self.of_frame(frame) {
            self.boards.retain(|(other, _)| !other.overlaps(board));
            self.boards.push((board, run));
        }
    }

    /// The number of the run that a place belongs to.
    pub(crate) fn run(&self, plan: &Plan, at: At) -> u32 {
        let tree = plan.info(at.node).tree;
        match self.of_frame(at.frame) {
            Some((run, found)) if found == tree => run,
            // A record from outside of the walk may have no frame.
            _ => {
                let found = self.trees.iter().rposition(|other| *other == tree);
                found.unwrap_or_default() as u32
            }
        }
    }

    /// Writes what a key is called; whether it has a name.
    pub(crate) fn label(&self, board: &Blackboard, id: KeyId, into: &mut String) -> bool {
        into.clear();
        let Some((name, place)) = board.called(id) else {
            return false;
        };
        into.push_str(&name);
        if let Some(place) = place {
            let mut boards = self.boards.iter();
            let run = boards.find(|(frame, _)| frame.contains(id));
            let run = run.map_or(0, |(_, run)| *run);
            let written = match place {
                None => write!(into, "@{run}"),
                Some(place) => write!(into, "@{run}.{place}"),
            };
            debug_assert!(written.is_ok());
        }
        !name.is_empty()
    }
}

/// The values of properties as read last, by name.
pub(crate) type Properties = BTreeMap<&'static str, Value>;

/// A running agent, to be shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Live<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) board: &'a Blackboard,
    pub(crate) runs: &'a Runs,
    pub(crate) active: &'a [At],
    pub(crate) properties: &'a Properties,
    /// For the names of keys, one at a time.
    pub(crate) label: &'a RefCell<String>,
    /// The state of the random stream, in a trace.
    pub(crate) random: Option<u64>,
}

impl Live<'_> {
    fn each_key(&self, mut show: impl FnMut(&str, &Value)) {
        let label = &mut *self.label.borrow_mut();
        let board = self.board;
        let mut look = |id, value: &Value| {
            if self.runs.label(board, id, label) {
                show(label, value);
            }
        };
        board.each_held(&mut look);
        for (frame, _) in &self.runs.boards {
            board.each_held_in(*frame, &mut look);
        }
    }

    pub(crate) fn picture_with(
        &self,
        shown: &mut dyn FnMut(Held<'_>, &Value) -> Option<Value>,
    ) -> Picture {
        let mut blackboard = BTreeMap::new();
        self.each_key(|key, value| {
            if let Some(value) = shown(Held::Key(key), value) {
                blackboard.insert(key.to_owned(), value);
            }
        });
        let properties = self.properties.iter().filter_map(|(name, value)| {
            let value = shown(Held::Property(name), value)?;
            Some(((*name).to_owned(), value))
        });
        let trees = self.runs.trees.iter();
        let active = self.active.iter().map(|at| {
            let info = self.plan.info(at.node);
            let node = NodeName {
                kind: info.kind.to_owned(),
                name: info.name.to_string(),
            };
            ((self.runs.run(self.plan, *at), info.idx), node)
        });
        Picture {
            trees: trees
                .map(|tree| self.plan.trees[*tree as usize].name.to_string())
                .collect(),
            blackboard,
            properties: properties.collect(),
            active: active.collect(),
            random: self.random,
        }
    }
}

impl Serialize for Live<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields =
            3 + usize::from(!self.properties.is_empty()) + usize::from(self.random.is_some());
        let mut picture = serializer.serialize_struct("Picture", fields)?;
        picture.serialize_field("trees", &TreeNames(self))?;
        picture.serialize_field("blackboard", &Keys(self))?;
        if !self.properties.is_empty() {
            picture.serialize_field("properties", self.properties)?;
        }
        picture.serialize_field("active", &Active(self))?;
        if let Some(random) = self.random {
            picture.serialize_field("random", &format_args!("{random:016x}"))?;
        }
        picture.end()
    }
}

struct TreeNames<'l, 'a>(&'l Live<'a>);

impl Serialize for TreeNames<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let trees = self.0.runs.trees.iter();
        serializer.collect_seq(trees.map(|tree| &*self.0.plan.trees[*tree as usize].name))
    }
}

struct Keys<'l, 'a>(&'l Live<'a>);

impl Serialize for Keys<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let mut failed = None;
        self.0.each_key(|key, value| {
            if failed.is_none() {
                failed = map.serialize_entry(key, value).err();
            }
        });
        match failed {
            Some(error) => Err(error),
            None => map.end(),
        }
    }
}

struct Active<'l, 'a>(&'l Live<'a>);

impl Serialize for Active<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.active.len()))?;
        for at in self.0.active {
            let info = self.0.plan.info(at.node);
            let run = self.0.runs.run(self.0.plan, *at);
            list.serialize_element(&(run, info.idx, info.kind, &*info.name))?;
        }
        list.end()
    }
}
