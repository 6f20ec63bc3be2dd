//! The same memory under the keys of changed trees.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Blackboard, Flags, KeyError, KeyId, KeyTable, Scope, TreeFrame};

/// A run of a tree.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    /// The frame of its keys; none of a tree that declared no keys.
    pub(crate) frame: Option<TreeFrame>,
    /// The scope in which its tree declared keys before, and the one in which it does now.
    pub(crate) was: Scope,
    pub(crate) now: Scope,
    /// The places of keys in the frame, before and now.
    pub(crate) places: Vec<(u32, u32)>,
}

/// A blackboard with the keys of another table.
pub(crate) struct Moved {
    pub(crate) board: Blackboard,
    /// The frames of the runs, in their order.
    pub(crate) frames: Vec<TreeFrame>,
    /// The old and new ids of keys whose changes are noted.
    pub(crate) noted: Vec<(KeyId, KeyId)>,
    /// Values that their keys cannot hold any more.
    pub(crate) refused: Vec<KeyError>,
}

impl Blackboard {
    /// The blackboard under the keys of another table: “Values stay; a new key gets its initial value”; one
    /// whose type or scope changed keeps its value if it fits, else the new initial value.
    pub(crate) fn moved(&self, table: Arc<KeyTable>, runs: &[Run]) -> Moved {
        self.settle();
        let mut moved = Moved {
            board: Blackboard::with_slots(table),
            frames: Vec::with_capacity(runs.len()),
            noted: Vec::new(),
            refused: Vec::new(),
        };
        moved
            .board
            .flags
            .put(Flags::DECLARED, moved.board.table.declares());
        let mut ids = self.move_agent_keys(&mut moved);
        for run in runs {
            let frame = moved.board.open(run.now);
            self.move_frame(run, frame, &mut moved, &mut ids);
            moved.frames.push(frame);
        }
        self.move_to_trees(runs, &mut moved);
        self.move_to_agent(runs, &mut moved);
        self.move_notes(&mut moved, &ids);
        moved
    }

    /// Moves the agent's own keys; what each has become.
    fn move_agent_keys(&self, moved: &mut Moved) -> BTreeMap<KeyId, KeyId> {
        let board = &moved.board;
        let mut ids = BTreeMap::new();
        let mut unset = Vec::new();
        if let Some(rest) = self.rest.get() {
            for (id, declared) in &rest.own.borrow().declared {
                let Some(name) = self.name(*id) else { continue };
                let now = board.agent_key(&name);
                if board.table.agent_declared(now).is_none() {
                    board.flags.set(Flags::DECLARED);
                    let own = &board.rest().own;
                    own.borrow_mut().declared.insert(now, declared.clone());
                }
            }
        }
        for id in self.agent_ids() {
            let Some(name) = self.name(id) else { continue };
            let now = board.agent_key(&name);
            ids.insert(id, now);
            match self.read(id).as_deref() {
                Some(value) => {
                    let kept = board.restore_key(now, Some(value.clone()));
                    moved.refused.extend(kept.err());
                }
                None if self.is_declared(id) => unset.push(now),
                None => {}
            }
        }
        board.set_initial();
        for id in unset {
            board.store(id, None);
        }
        ids
    }

    /// Moves the keys of a run of a tree.
    fn move_frame(
        &self,
        run: &Run,
        frame: TreeFrame,
        moved: &mut Moved,
        ids: &mut BTreeMap<KeyId, KeyId>,
    ) {
        let (Some(before), board) = (run.frame, &moved.board) else {
            return;
        };
        let new = board.table.locals(run.now);
        for (was, place) in &run.places {
            let (was, now) = (before.key(*was), frame.key(*place));
            ids.insert(was, now);
            let value = self.read(was).map(|value| value.clone());
            if let Err(why) = board.restore_key(now, value) {
                moved.refused.push(why);
                board.store(now, new[*place as usize].declared.initial.clone());
            }
        }
    }

    /// A key of the agent that its tree declares for itself now: each run has the agent's value.
    fn move_to_trees(&self, runs: &[Run], moved: &mut Moved) {
        let board = &moved.board;
        let (old, new) = (&self.table, &board.table);
        for (run, frame) in runs.iter().zip(&moved.frames) {
            for place in new.own_locals(run.now) {
                let key = &new.locals(run.now)[place as usize].name;
                let is_new = old.own_local(run.was, key).is_none();
                let was = old.declared_of_agent(key).filter(|_| is_new);
                if let Some(was) = was
                    && new.declared_of_agent(key).is_none()
                {
                    let value = self.read(was).map(|value| value.clone());
                    let kept = board.restore_key(frame.key(place), value);
                    moved.refused.extend(kept.err());
                }
            }
        }
    }

    /// A key of a tree that is declared as the agent's now: the agent has its value, if one run has it.
    fn move_to_agent(&self, runs: &[Run], moved: &mut Moved) {
        let board = &moved.board;
        let (old, new) = (&self.table, &board.table);
        for (now, _) in new.all_declared() {
            let key = new.name(now).map_or("", |key| key);
            if old.declared_of_agent(key).is_some() {
                continue;
            }
            let leaves = runs
                .iter()
                .filter(|run| new.own_local(run.now, key).is_none());
            let mut had = leaves.filter_map(|run| {
                let place = old.own_local(run.was, key)?;
                Some(run.frame?.key(place))
            });
            let kept = match (had.next(), had.next()) {
                (None, _) => continue,
                (Some(_), Some(_)) => Err(KeyError::several(key)),
                (Some(was), None) => {
                    let value = self.read(was).map(|value| value.clone());
                    board.restore_key(now, value)
                }
            };
            moved.refused.extend(kept.err());
        }
    }

    /// Moves who hears of changes, and what is shared.
    fn move_notes(&self, moved: &mut Moved, ids: &BTreeMap<KeyId, KeyId>) {
        let board = &moved.board;
        board
            .flags
            .put(Flags::JOURNAL, self.flags.any(Flags::JOURNAL));
        let Some(rest) = self.rest.get() else { return };
        let now = |id: KeyId| ids.get(&id).copied();
        if self.flags.any(Flags::NOTING) {
            let notices = rest.notices.borrow();
            board.notice(|to| notices.move_to(to, &now));
            let noted = notices.noted();
            moved.noted = noted.filter_map(|id| Some((id, now(id)?))).collect();
        }
        if self.flags.any(Flags::JOURNAL) {
            let journal = rest.journal.borrow();
            let mut to = board.rest().journal.borrow_mut();
            to.extend(journal.iter().filter_map(|id| now(*id)));
        }
        if let Some(shared) = rest.sharing.shared() {
            let names = |board: &Blackboard| {
                let global = board.global().into_iter();
                global
                    .filter_map(|id| board.name(id))
                    .collect::<BTreeSet<_>>()
            };
            match names(self) == names(board) {
                true => board.rest().sharing.continue_from(&rest.sharing),
                false => board.share(&shared),
            }
            board.flags.set(Flags::DECLARED | Flags::SHARING);
        }
    }
}
