//! The keys of running trees: each time a tree begins it has a frame of its own.

use serde_json::Value;

use super::keys::Local;
use super::{Blackboard, Flags, KeyId, Rest, Scope};

/// The slots of one running tree's own keys, from [`Blackboard::open`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TreeFrame {
    first: u32,
    len: u32,
}

impl TreeFrame {
    /// The key at a place in it.
    pub(super) fn key(self, at: u32) -> KeyId {
        KeyId(self.first + at)
    }

    /// Returns true if a key is in it.
    pub(crate) fn contains(self, id: KeyId) -> bool {
        id.0.wrapping_sub(self.first) < self.len
    }

    pub(crate) fn keys(self) -> impl Iterator<Item = KeyId> {
        (self.first..self.first + self.len).map(KeyId)
    }

    pub(crate) fn overlaps(self, other: TreeFrame) -> bool {
        self.first < other.first + other.len && other.first < self.first + self.len
    }
}

/// All frames that were opened, in the order of their slots.
#[derive(Default)]
pub(super) struct Frames {
    all: Vec<Place>,
    /// The number of closed frames, to be used again.
    closed: u32,
}

struct Place {
    frame: TreeFrame,
    /// The tree that has it, or had it last.
    tree: Scope,
    open: bool,
}

impl Frames {
    /// A closed frame of that length, opened again for a tree.
    fn reopen(&mut self, len: u32, tree: Scope) -> Option<TreeFrame> {
        if self.closed == 0 {
            return None;
        }
        let fits = |place: &&mut Place| !place.open && place.frame.len == len;
        let place = self.all.iter_mut().find(fits)?;
        self.closed -= 1;
        (place.tree, place.open) = (tree, true);
        Some(place.frame)
    }

    fn push(&mut self, frame: TreeFrame, tree: Scope) {
        let open = true;
        self.all.push(Place { frame, tree, open });
    }

    fn close(&mut self, frame: TreeFrame) {
        let at = |place: &Place| place.frame.first;
        if let Ok(at) = self.all.binary_search_by_key(&frame.first, at)
            && std::mem::replace(&mut self.all[at].open, false)
        {
            self.closed += 1;
        }
    }

    /// The tree of the frame that a key is in, and the key's place there.
    pub(super) fn place(&self, id: KeyId) -> Option<(Scope, usize)> {
        let after = self.all.partition_point(|place| place.frame.first <= id.0);
        let place = self.all.get(after.checked_sub(1)?)?;
        let at = id.0 - place.frame.first;
        (at < place.frame.len).then_some((place.tree, at as usize))
    }
}

impl Blackboard {
    /// Gives a tree that begins its own keys, with their initial values. They are seen once the
    /// frame is [entered](Blackboard::enter).
    pub fn open(&self, tree: Scope) -> TreeFrame {
        let locals = self.table.locals(tree);
        if locals.is_empty() {
            return TreeFrame { first: 0, len: 0 };
        }
        self.flags.set(Flags::DECLARED);
        let frame = self.frame_for(tree, locals.len() as u32);
        for (at, local) in locals.iter().enumerate() {
            let id = KeyId(frame.first + at as u32);
            self.begin_with(id, local.declared.initial.clone());
        }
        frame
    }

    /// Gives a key the value with which it begins. One that has none and is to have none is not written.
    fn begin_with(&self, id: KeyId, value: Option<Value>) {
        let has_one = self.read(id).is_some();
        if has_one || value.is_some() {
            self.put(id, value);
        }
    }

    /// Gives the keys that a node declares for itself their initial values, in a frame of its tree.
    pub(crate) fn reset_scope(&self, frame: TreeFrame, scope: Scope) {
        let locals = self.table.locals(scope);
        for at in self.table.own_locals(scope).filter(|at| *at < frame.len) {
            let initial = locals[at as usize].declared.initial.clone();
            self.begin_with(frame.key(at), initial);
        }
    }

    fn frame_for(&self, tree: Scope, len: u32) -> TreeFrame {
        let mut frames = self.rest().frames.borrow_mut();
        if let Some(frame) = frames.reopen(len, tree) {
            return frame;
        }
        let first = self.add_slots(len);
        let frame = TreeFrame { first, len };
        frames.push(frame, tree);
        frame
    }

    /// Takes names from a scope on, and its keys from a frame that was opened for its tree. Gives
    /// what was so before, to be entered again.
    pub fn enter(&self, frame: TreeFrame, scope: Scope) -> (TreeFrame, Scope) {
        let before = TreeFrame {
            first: self.frame.replace(frame.first),
            len: self.table.locals(self.scope.get()).len() as u32,
        };
        (before, self.scope.replace(scope))
    }

    /// Ends a tree: its own keys are gone.
    pub fn close(&self, frame: TreeFrame) {
        if frame.len == 0 {
            return;
        }
        for at in 0..frame.len {
            self.begin_with(KeyId(frame.first + at), None);
        }
        self.rest().frames.borrow_mut().close(frame);
    }

    /// A key in a frame.
    pub(super) fn local(&self, rest: &Rest, id: KeyId) -> Option<&Local> {
        let (tree, at) = rest.frames.borrow().place(id)?;
        self.table.locals(tree).get(at)
    }
}
