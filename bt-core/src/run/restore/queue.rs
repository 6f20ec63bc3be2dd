//! The queued deliveries, and the requests of the host.

use rustc_hash::FxHashSet;

use super::active::Active;
use super::problems::{Result, report};
use super::restoring::Restoring;
use crate::decode::is_default;
use crate::run::core::Core;
use crate::run::node_ref::NOWHERE;
use crate::run::plain::{Delivery, Renumber, SavedDelivery, Wait};
use crate::run::state::memory::State;
use crate::snapshot::{RestoreError, format};
use crate::tree::plan::{NONE, Plan};

impl Restoring<'_> {
    /// The queued deliveries, and the requests of the host.
    pub(super) fn queued(&mut self, active: &Active) -> Result<()> {
        let parts = self.parts;
        let plan = self.plan;
        let mut dropped = Vec::new();
        let mut queue = Vec::with_capacity(parts.queue.len());
        for delivery in &parts.queue {
            queue.push(self.delivery(delivery, active, &mut dropped)?);
        }
        for (level, saved) in parts.levels.iter().enumerate() {
            let mut held = Vec::new();
            for delivery in &saved.held {
                held.push(self.delivery(delivery, active, &mut dropped)?);
            }
            match self.core.cold().suspended.levels_mut().get_mut(level) {
                Some(level) => level.held.extend(held),
                None => held
                    .into_iter()
                    .for_each(|held| self.core.cold().inbox.hold(held)),
            }
        }
        for node in dropped {
            let text = "it failed: the last `Completion` of its call was dropped unused";
            report(&mut self.core, plan, Some(node), text.to_owned());
        }
        latched(&mut self.core, plan, parts);
        for delivery in queue {
            self.core.cold().inbox.push(delivery);
        }
        if !is_default(&parts.requests) {
            let request = parts.requests.saved();
            let request = request.map(|request| request.map(|tree| self.names.named(tree)));
            let request = request.transpose()?.map(|request| (request, NOWHERE));
            self.core.cold().requests = parts.requests.with(true, request);
        }
        Ok(())
    }

    /// Restores the continuations of walks in an open part of a tree.
    pub(super) fn work(&mut self, active: &Active) -> Result<()> {
        let is_parked = |at| matches!(active.wait(at), Some(Wait::Parked(_)));
        let mut parked = FxHashSet::default();
        for saved in &self.parts.work {
            let next = saved.map(self)?;
            let (at, child) = (next.at(), next.child());
            let kind = self.plan.node(at.node).kind.behaviour();
            let fits = match child {
                NONE => is_parked(at) && parked.insert(at),
                _ => kind.may_resume() && active.is_entered(at),
            };
            if !fits {
                return Err(self.impossible(at, "no walk continues there"));
            }
            self.core.push_continuation(at, child);
        }
        if let Some(at) = active.parked().find(|at| !parked.contains(at)) {
            return Err(self.impossible(at, "no walk continues there, and it waits for one"));
        }
        self.deciding();
        Ok(())
    }

    /// Nodes that are still to decide.
    fn deciding(&mut self) {
        let Some(cold) = &mut self.core.cold else {
            return;
        };
        let plan = self.plan;
        let decides = |state: &&State| plan.node(state.at().node).kind.is_deciding(state.data());
        let states = cold.states.iter().filter(decides);
        for at in states.map(|state| state.at()) {
            cold.continuations.decide(at);
        }
    }

    fn delivery(
        &mut self,
        delivery: &SavedDelivery,
        active: &Active,
        dropped: &mut Vec<u32>,
    ) -> Result<Delivery> {
        Ok(match delivery {
            Delivery::Event(saved) => Delivery::Event(saved.into()),
            Delivery::Finished(order, answer) => {
                let Some(node) = self.waiting.get(order) else {
                    let why = format!("nothing waits that has the order {order}");
                    return Err(RestoreError::malformed(why));
                };
                if answer.is_none() {
                    dropped.push(*node);
                }
                Delivery::Finished(self.order(*order), answer.unwrap_or(false))
            }
            // None is saved: what it ends is.
            Delivery::Completed(ticket, answer) => Delivery::Completed(*ticket, *answer),
            Delivery::Timer(at, purpose) => {
                let at = self.place(*at)?;
                self.check_timer(at, *purpose, active)?;
                Delivery::Timer(at, *purpose)
            }
        })
    }
}

/// Events that are kept for who waits next, if somebody may.
pub(super) fn latched(core: &mut Core, plan: &Plan, parts: &format::Parts) {
    for saved in &parts.latched {
        match plan.latched_event(&saved.name) {
            Ok(number) => core.cold().inbox.latch(number, saved.into()),
            Err(why) => report(core, plan, None, why),
        }
    }
}
