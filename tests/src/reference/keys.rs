//! The scopes of keys.

use super::{Active, Id, Keys, Reference};
use crate::cases::{When, place, put_line};

impl<'t> Reference<'t> {
    /// The owner of a key, as seen from an active node: the run of a node (“visible to what is below it”),
    /// the run of the tree, or none, the agent. Declarations of a caller's nodes are not seen.
    pub(super) fn owner(&self, id: Option<Id>, key: &str) -> Option<Id> {
        let active = self.active.get(&id?)?;
        match active.keys.contains_key(key) {
            true => id,
            false if active.is_root() => None,
            false => self.owner(active.above.map(|(above, _)| above), key),
        }
    }

    /// The value of a key, as seen from an active node.
    pub(super) fn key(&self, id: Option<Id>, key: &str) -> i64 {
        let owner = self.owner(id, key);
        let owner = owner.and_then(|owner| self.active.get(&owner));
        value(owner.map_or(&self.keys, |owner| &owner.keys), key)
    }

    /// The same of a node that is at work, which does not stand among the others meanwhile.
    pub(super) fn key_of(&self, active: &Active<'t>, key: &str) -> i64 {
        match active.keys.contains_key(key) {
            true => value(&active.keys, key),
            false => self.key(active.above.map(|(above, _)| above), key),
        }
    }

    pub(super) fn write(&mut self, id: Option<Id>, key: &'t str, number: i64) {
        let owner = self.owner(id, key);
        if owner.is_some() {
            self.count("writes of keys of a node's or a tree's own");
        }
        let keys = owner.and_then(|owner| self.active.get_mut(&owner));
        let keys = keys.map_or(&mut self.keys, |owner| &mut owner.keys);
        // A write that changes nothing is none: guards have nothing to react to.
        if keys.insert(key, number) != Some(number) {
            self.wrote.insert((owner, key));
        }
    }

    /// The same by a node that is at work.
    pub(super) fn write_of(&mut self, id: Id, active: &mut Active<'t>, key: &'t str, number: i64) {
        match active.keys.get_mut(key) {
            Some(own) => {
                if std::mem::replace(own, number) != number {
                    self.wrote.insert((Some(id), key));
                }
            }
            None => self.write(active.above.map(|(above, _)| above), key, number),
        }
    }

    /// “`results` … from keys that the callee's root declares with scope `tree`, read after its exits, written before the
    /// parent sees the result. `results_on`: `all` (S, F) or `success`.”
    pub(super) fn give_results(&mut self, caller: Id, keys: &Keys<'t>, success: bool) {
        let Some(active) = self.active.get(&caller) else {
            return;
        };
        let node = active.node;
        if active.ended || node.results_on_success && !success {
            return;
        }
        for [key, own] in &node.results {
            if let Some(number) = keys.get(key) {
                self.count("results of called trees");
                self.write(Some(caller), own, *number);
            }
        }
    }

    /// Effects that write.
    pub(super) fn put(&mut self, id: Id, when: When) {
        let Some(active) = self.active.get(&id) else {
            return;
        };
        let node = active.node;
        let place = place(self.trees[active.tree].name, node.idx);
        for put in node.puts.iter().filter(|put| put.when == when) {
            if !self.active.contains_key(&id) {
                return;
            }
            self.log.push(put_line(put, &place));
            self.write(Some(id), put.key, put.on.into());
            // “A call that wrote … is followed at once.” What a node writes on its way out comes when it is
            // out.
            if when == When::Enter {
                self.after_call(id);
            }
        }
    }
}

fn value(keys: &Keys<'_>, key: &str) -> i64 {
    keys.get(key).copied().unwrap_or(0)
}
