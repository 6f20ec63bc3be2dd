//! What nodes remember.

use std::collections::BTreeMap;

use super::Saving;
use crate::run::core::Cold;
use crate::run::kinds::Kind;
use crate::run::state::{Data, Kept, State};
use crate::snapshot::{Place, format};

impl Saving<'_> {
    pub(super) fn states(&self, cold: &Cold) -> Vec<format::State> {
        let mut states: Vec<_> = cold.states.iter().collect();
        states.sort_by_key(|state| (self.numbers.get(&state.at.frame), state.at.node));
        let state = |state: &State| format::State {
            at: self.place(state.at),
            is: match (&state.data, &self.plan.node(state.at.node).kind) {
                // A restored tree has rested for no polls yet.
                (Data::Count { done, began }, Kind::Frames(_)) => {
                    format::Data::Count(*done, began.saturating_add(self.core.rested(state.at)))
                }
                (data, _) => self.data(data),
            },
        };
        states.into_iter().map(state).collect()
    }

    pub(super) fn data(&self, data: &Data) -> format::Data {
        let all = |nodes: &[u32]| nodes.iter().map(|node| self.idx(*node)).collect();
        match data {
            Data::Count { done, began } => format::Data::Count(*done, *began),
            Data::Order { order, done } => format::Data::Order(all(order), *done),
            Data::Parallel(children) => format::Data::Parallel {
                succeeded: children.succeeded,
                failed: children.failed,
                entering: children.entering.map(|child| self.idx(child)),
                decided: children.decided,
                ended: children
                    .ended
                    .map(|(child, success)| (self.idx(child), success)),
                counted: children.counted,
            },
            Data::Reactive { running } => format::Data::Reactive(self.idx(*running)),
            Data::Since { order } => format::Data::Since(order.number()),
        }
    }

    /// What a node keeps; none of a cooldown that is over.
    pub(super) fn kept_value(&self, kept: &Kept) -> Option<u64> {
        match &self.plan.node(kept.node).kind {
            Kind::Cooldown(_) => {
                let paused = self.core.cold.as_ref().map_or(0, |cold| cold.paused_for);
                let awake = self.now.saturating_sub(paused);
                kept.value.checked_sub(awake).filter(|left| *left > 0)
            }
            Kind::Memory(_) | Kind::KeepPlace(_) => Some(self.idx(kept.value as u32).into()),
            _ => Some(kept.value),
        }
    }

    pub(super) fn kept(&self, kept: &Kept) -> Option<(u32, u32, u64)> {
        let info = self.plan.info(kept.node);
        Some((self.tree(info.tree), info.idx, self.kept_value(kept)?))
    }

    pub(super) fn unheld(&self, cold: &Cold) -> Vec<(u32, u32)> {
        let nodes = cold.unheld.iter().map(|node| self.plan.info(*node));
        nodes.map(|info| (self.tree(info.tree), info.idx)).collect()
    }

    pub(super) fn taken(&self, cold: &Cold) -> Vec<(Place, u32)> {
        let taken = cold.taken.iter();
        let mut taken: Vec<_> = taken.map(|(at, which)| (self.place(*at), *which)).collect();
        taken.sort_unstable();
        taken
    }

    pub(super) fn stuck(&self, cold: &Cold) -> BTreeMap<String, Vec<u32>> {
        let mut stuck = BTreeMap::<_, Vec<u32>>::new();
        if cold.stuck.is_empty() {
            return stuck;
        }
        for (found, info) in self.plan.nodes.iter().zip(&self.plan.infos) {
            if let Kind::Action(call) = &found.kind
                && cold.stuck.contains(call)
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
        for (node, success) in &cold.results {
            let info = self.plan.info(*node);
            let of_tree = results.entry(self.tree_name(info.tree)).or_default();
            of_tree.push((info.idx, *success));
        }
        results.values_mut().for_each(|all| all.sort_unstable());
        results
    }
}
