//! The state of nodes.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Saving;
use crate::kinds::{Long, Translate};
use crate::run::core::Cold;
use crate::run::plain::Order;
use crate::run::state::memory::{Retained, State};
use crate::snapshot::{Place, format};

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
        let (now, cold) = (self.saving.now, self.saving.core.cold.as_ref());
        let awake = cold.map_or(now, |cold| cold.pauses.awake(now));
        let left = u64::from(*time).saturating_sub(awake);
        *time = left.into();
        match left {
            0 => Err("it is over".to_owned()),
            _ => Ok(()),
        }
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
    pub(super) fn states(&self, cold: &Cold) -> Vec<format::State> {
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
            Some(format::State {
                at: self.place(state.at()),
                is: [(form.to_owned(), is)].into(),
            })
        };
        states.into_iter().filter_map(state).collect()
    }

    /// A retained counter; none of a cooldown that is over.
    pub(super) fn retained(&self, found: &Retained) -> Option<(u32, u32, Value)> {
        let info = self.plan.info(found.node());
        let mut to = ToSaved {
            saving: self,
            rested: 0,
        };
        let saved = found.data().save(&mut to)?;
        Some((self.tree(info.tree), info.idx, saved))
    }

    pub(super) fn failed_guards(&self, cold: &Cold) -> Vec<(u32, u32)> {
        let nodes = cold
            .observers
            .failed_guards()
            .iter()
            .map(|node| self.plan.info(*node));
        nodes.map(|info| (self.tree(info.tree), info.idx)).collect()
    }

    /// The keys that guards of children follow which are passed over the next time, where all have names.
    pub(super) fn followed_later(&self, cold: &Cold) -> Vec<(u32, u32, Vec<format::Followed>)> {
        let of_node = |(node, keys)| {
            let info = self.plan.info(node);
            (self.tree(info.tree), info.idx, keys)
        };
        self.each_followed(cold).map(of_node).collect()
    }

    /// The same by the numbers of the nodes.
    pub(super) fn each_followed(
        &self,
        cold: &Cold,
    ) -> impl Iterator<Item = (u32, Vec<format::Followed>)> {
        let named = |(node, keys)| {
            let (keys, is_all) = self.followed(keys);
            is_all.then_some((node, keys))
        };
        cold.observers.each_followed().filter_map(named)
    }

    /// The nodes of which a retained counter is saved.
    pub(super) fn retaining(&self, cold: &Cold) -> impl Iterator<Item = u32> {
        let saved = |found: &&Retained| self.retained(found).is_some();
        cold.counters.iter().filter(saved).map(Retained::node)
    }

    pub(super) fn taken(&self, cold: &Cold) -> Vec<(Place, u32)> {
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
        for (found, info) in self.plan.nodes.iter().zip(&self.plan.infos) {
            if let Some(call) = found.kind.action()
                && cold.reports.stuck().contains(&call)
            {
                stuck
                    .entry(self.tree_name(info.tree))
                    .or_default()
                    .push(info.idx);
            }
        }
        stuck
    }

    pub(super) fn results(&self, cold: &Cold) -> BTreeMap<String, Vec<(u32, bool)>> {
        let mut results = BTreeMap::<_, Vec<_>>::new();
        for (node, success) in cold.results.iter() {
            let info = self.plan.info(node);
            let of_tree = results.entry(self.tree_name(info.tree)).or_default();
            of_tree.push((info.idx, success));
        }
        results.values_mut().for_each(|all| all.sort_unstable());
        results
    }
}
