//! The state of nodes.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Saving;
use crate::kinds::{Long, Translate};
use crate::run::core::Cold;
use crate::run::node_ref::At;
use crate::run::plain::{Order, Renumber};
use crate::run::state::memory::{Retained, State};
use crate::run::state::numbers::KeptNumber;

/// From the runner's numbers to a saved agent's.
struct ToSaved<'s> {
    saving: &'s Saving<'s>,
    /// For how many polls the node has had no turn: its tree is suspended.
    rested: u32,
}

impl Translate for ToSaved<'_> {
    fn child(&mut self, child: &mut u32) -> Result<(), String> {
        *child = self.saving.idx(*child);
        Ok(())
    }

    fn time(&mut self, time: &mut Long) -> Result<(), String> {
        let awake = self.saving.core.awake_at(self.saving.now);
        let left = u64::from(*time).saturating_sub(awake);
        *time = left.into();
        match left {
            0 => Err("it is over".to_owned()),
            _ => Ok(()),
        }
    }

    fn past(&mut self, time: &mut Long) {
        *time = self.saving.ran(u64::from(*time)).into();
    }

    /// A restored tree has rested for no polls yet.
    fn counted_from(&mut self, poll: &mut u32) {
        *poll = poll.saturating_add(self.rested);
    }

    fn order(&mut self, _: &mut Order) -> Result<(), String> {
        Ok(())
    }
}

impl Saving<'_> {
    pub(super) fn states(&self, cold: &Cold) -> Vec<State<BTreeMap<String, Value>>> {
        let mut states: Vec<_> = cold.states.iter().collect();
        states.sort_by_key(|state| {
            let at = state.at();
            (self.numbers.get(&at.frame), at.node)
        });
        let state = |state: &State| {
            let mut to = ToSaved {
                saving: self,
                rested: self.core.rested(state.at()),
            };
            let (form, is) = state.data().save(&mut to)?;
            state.map(self, [(form.to_owned(), is)].into()).ok()
        };
        states.into_iter().filter_map(state).collect()
    }

    pub(super) fn kept_numbers(&self, cold: &Cold) -> Vec<KeptNumber> {
        let numbers = cold.numbers.iter();
        let mut numbers: Vec<_> = numbers.collect();
        numbers.sort_by_key(|number| {
            let at = number.at();
            (self.numbers.get(&at.frame), at.node, number.slot())
        });
        let number = |number: &KeptNumber| {
            KeptNumber::new(
                self.place(number.at()),
                number.slot(),
                number.value().clone(),
            )
        };
        numbers.into_iter().map(number).collect()
    }

    /// A retained counter; none of a cooldown that is over.
    pub(super) fn retained(&self, found: &Retained) -> Option<(u32, u32, Value)> {
        let mut to = ToSaved {
            saving: self,
            rested: 0,
        };
        let saved = found.data().save(&mut to)?;
        let (tree, idx) = self.listed(found.node());
        Some((tree, idx, saved))
    }

    pub(super) fn failed_guards(&self, cold: &Cold) -> Vec<(u32, u32)> {
        let nodes = cold.observers.failed_guards().iter();
        nodes.map(|node| self.listed(*node)).collect()
    }

    /// The names of the keys that guards of children follow which are passed over the next time.
    pub(super) fn followed_later(&self, cold: &Cold) -> Vec<(u32, u32, Vec<String>)> {
        let followed = cold.observers.each_followed().map(|(node, names)| {
            let (tree, idx) = self.listed(node);
            let names = names.iter().map(|name| name.to_string());
            (tree, idx, names.collect())
        });
        followed.collect()
    }

    pub(super) fn taken(&self, cold: &Cold) -> Vec<(At, u32)> {
        let taken = cold.taken.iter();
        let mut taken: Vec<_> = taken.map(|(at, which)| (self.place(*at), *which)).collect();
        taken.sort_unstable();
        taken
    }

    pub(super) fn stuck(&self, cold: &Cold) -> BTreeMap<String, Vec<u32>> {
        let mut stuck = BTreeMap::<_, Vec<u32>>::new();
        if cold.reports.stuck().is_empty() {
            return stuck;
        }
        for (found, node) in self.plan.nodes.iter().zip(0..) {
            if let Some(call) = found.kind.action()
                && cold.reports.stuck().contains(&call)
            {
                let (tree, idx) = self.named(node);
                stuck.entry(tree).or_default().push(idx);
            }
        }
        stuck
    }

    pub(super) fn unread(&self, cold: &Cold) -> BTreeMap<String, Vec<u32>> {
        let mut unread = BTreeMap::<_, Vec<u32>>::new();
        for node in cold.reports.unread() {
            let (tree, idx) = self.named(node);
            unread.entry(tree).or_default().push(idx);
        }
        unread.values_mut().for_each(|all| all.sort_unstable());
        unread
    }

    pub(super) fn results(&self, cold: &Cold) -> BTreeMap<String, Vec<(u32, bool)>> {
        let mut results = BTreeMap::<_, Vec<_>>::new();
        for (node, success) in cold.results.iter() {
            let (tree, idx) = self.named(node);
            results.entry(tree).or_default().push((idx, success));
        }
        results.values_mut().for_each(|all| all.sort_unstable());
        results
    }
}
