//! The state of nodes, and their timers.

use std::collections::BTreeMap;

use serde_json::Value;
use thin_vec::ThinVec;

use super::active::Active;
use super::names::{ByIdx, child};
use super::problems::Result;
use super::restoring::Restoring;
use crate::kinds::{self, Found, Long, Timed, Translate};
use crate::run::node_ref::At;
use crate::run::plain::{Order, Wait};
use crate::run::state::continuations::Continuation;
use crate::run::state::memory::{Retained, RetainedCounters, State, States};
use crate::run::state::timers::{Purpose, Timer};
use crate::snapshot::RestoreError;
use crate::tree::plan::{NONE, Plan};

impl Restoring<'_> {
    /// Restores the state of active nodes.
    pub(super) fn states(&mut self, active: &Active) -> Result<()> {
        let mut states: ThinVec<State> = ThinVec::with_capacity(self.parts.states.len());
        for saved in &self.parts.states {
            let at = self.names.at(saved.at())?;
            if !active.is_entered(at) {
                return Err(self.impossible(at, "it remembers something, and is not active"));
            }
            let data = self.data(at, saved, active)?;
            states.push(saved.map(self, data)?);
        }
        let states = States::new(states);
        let states = states.map_err(|at| self.impossible(at, "it remembers two things"))?;
        let resumed: Result<Vec<Continuation>> = self
            .parts
            .work
            .iter()
            .map(|saved| saved.map(self))
            .collect();
        let resumed = resumed?;
        for at in active.all() {
            let has_state = || states.has(at);
            let kind = &self.plan.node(at.node).kind;
            // What is only waiting for its children to go has forgotten already; a reactive node remembers no child before
            // the walk that entered it comes back.
            let has_none = || {
                let is_resumed = || {
                    resumed
                        .iter()
                        .any(|next| next.at() == at && next.child() != NONE)
                };
                self.is_left(at, true)
                    || kind.behaviour().is_reactive() && (active.is_cancelling(at) || is_resumed())
            };
            if kind.remembers() && !has_state() && !has_none() {
                return Err(self.impossible(at, "it is active, and what it remembers is not there"));
            }
        }
        if !states.is_empty() {
            self.core.cold().states = states;
        }
        Ok(())
    }

    /// Restores the numbers that active nodes have read.
    pub(super) fn kept_numbers(&mut self, active: &Active) -> Result<()> {
        for saved in &self.parts.numbers {
            let (at, slot) = (self.names.at(saved.at())?, saved.slot());
            let number = self.plan.number(at.node, slot);
            let number = number.filter(|number| number.is_kept && active.is_entered(at));
            let Some(number) = number else {
                return Err(self.impossible(at, "it has no such number, or is not active"));
            };
            let value = saved.value();
            match value.is_null() {
                // It could not be read when the agent moved: the node fails.
                true => self.core.cold().rechecks.push(at),
                false if number.wanted.read(value).is_ok() => {}
                false => {
                    return Err(self.impossible(at, "a number that it read is none that it takes"));
                }
            }
            if self.core.cold().numbers.get(at, slot).is_some() {
                return Err(self.impossible(at, "it has read a number twice"));
            }
            self.core.cold().numbers.set(at, slot, value.clone());
        }
        let mut rechecks = std::mem::take(&mut self.core.cold().rechecks);
        rechecks.sort_by(|a, b| self.core.order(*a, *b));
        self.core.cold().rechecks = rechecks;
        let Some(cold) = &self.core.cold else {
            return Ok(());
        };
        for at in active.all().filter(|at| cold.states.has(*at)) {
            let own = self.plan.numbers(at.node).iter();
            let mut own = own.filter(|number| number.is_kept && number.slot.as_service().is_none());
            if own.any(|number| cold.numbers.get(at, number.slot).is_none()) {
                return Err(
                    self.impossible(at, "it is active, and a number that it read is not there")
                );
            }
        }
        Ok(())
    }

    fn data(
        &self,
        at: At,
        saved: &State<BTreeMap<String, Value>>,
        active: &Active,
    ) -> Result<kinds::State> {
        let kind = &self.plan.node(at.node).kind;
        let mut saved = saved.data().iter();
        let (Some((form, is)), None) = (saved.next(), saved.next()) else {
            return Err(self.impossible(at, "it remembers two things"));
        };
        let mut from = FromSaved {
            plan: self.plan,
            by_idx: &self.names.by_idx,
            node: at.node,
            order: &|order| {
                (order.number() <= self.parts.settings.order).then(|| self.order(order.number()))
            },
        };
        let state = kind.read_state(form, is, &mut from);
        let state = state.map_err(RestoreError::malformed)?;
        let mut work = self.parts.work.iter();
        let mut levels = self.parts.levels.iter();
        let continues = work.any(|next| self.names.at(next.at()).is_ok_and(|other| other == at));
        let children: Vec<u32> = self.plan.children(at.node).collect();
        let found = Found {
            children: &children,
            running: active.children(at),
            poll: self.parts.settings.poll,
            // An abort may have come while its children were entered: then none is entered any more.
            continues: continues || self.is_left(at, false),
            is_held: levels.any(|level| {
                let mut entries = level.entries.iter();
                !level.leaving.is_empty() || entries.any(|entry| entry.wait == Wait::Due)
            }),
        };
        let checked = kind.check(&state, &found);
        checked.map_err(|why| self.impossible(at, why))?;
        Ok(state)
    }

    /// Restores timers.
    pub(super) fn timers(&mut self, active: &Active) -> Result<()> {
        let mut last = 0;
        for saved in &self.parts.timers {
            let (at, left) = (self.names.at(saved.at())?, saved.time());
            self.check_timer(at, saved.purpose(), active)?;
            if self.is_left(at, false) && active.wait(at) != Some(Wait::Cancelling) {
                return Err(self.impossible(at, "it is being aborted, and waits for a time"));
            }
            if left < last {
                return Err(self.impossible(at, "its time is not listed in order"));
            }
            last = left;
            self.core.timers.set(Timer::new(left, at, saved.purpose()));
        }
        Ok(())
    }

    /// Refuses a timer that no node waits for, and a second one for the same.
    pub(super) fn check_timer(&mut self, at: At, purpose: Purpose, active: &Active) -> Result<()> {
        let plan = self.plan;
        let fits = match purpose {
            Purpose::End(_) => matches!(
                active.wait(at),
                Some(Wait::Pending | Wait::Polled | Wait::Cancelling)
            ),
            Purpose::Node => match plan.node(at.node).kind.behaviour().timed() {
                Timed::Never => false,
                Timed::Waiting => active.wait(at) == Some(Wait::Timer),
                Timed::Remembering => self
                    .core
                    .cold
                    .as_ref()
                    .is_some_and(|cold| cold.states.has(at)),
            },
            Purpose::Service(number) => {
                let services = plan
                    .attached(at.node)
                    .map_or(0, |found| found.services.len());
                (number as usize) < services && active.is_entered(at)
            }
        };
        if !fits {
            return Err(self.impossible(at, "it does not wait for a time like that"));
        }
        let service = match purpose {
            Purpose::Service(number) => Some(number),
            Purpose::End(_) | Purpose::Node => None,
        };
        match self.due.insert((at, service)) {
            true => Ok(()),
            false => Err(self.impossible(at, "it waits for a time twice")),
        }
    }

    /// Events that nodes took, which they take once.
    pub(super) fn taken(&mut self, active: &Active) -> Result<()> {
        let plan = self.plan;
        for (place, which) in &self.parts.taken {
            let at = self.names.at(*place)?;
            let events = plan.attached(at.node).map(|found| &found.events);
            let event = events.and_then(|events| events.get(*which as usize));
            if !event.is_some_and(|event| event.once) || !active.is_entered(at) {
                return Err(self.impossible(
                    at,
                    "it has no event with `once` at this index, or is not active",
                ));
            }
            self.core.cold().taken.push((at, *which));
        }
        Ok(())
    }

    /// Restores the counters that outlive the ends of nodes.
    pub(super) fn kept(&mut self) -> Result<()> {
        let by_idx = ByIdx::default();
        let mut kept: ThinVec<Retained> = ThinVec::with_capacity(self.parts.kept.len());
        for (tree, idx, value) in &self.parts.kept {
            let node = self.names.listed(*tree, *idx)?;
            let Some(data) = retained(self.plan, &by_idx, node, value) else {
                let place = self.plan.place(node);
                let why = format!("{place}: it cannot keep {value}");
                return Err(RestoreError::malformed(why));
            };
            kept.push(Retained::new(node, data));
        }
        if !kept.is_empty() {
            let counters = RetainedCounters::new(kept);
            self.core.cold().counters = counters.map_err(|node| {
                let place = self.plan.place(node);
                RestoreError::malformed(format!("{place}: it has two retained counters"))
            })?;
        }
        for (tree, idx) in &self.parts.failed_guards {
            let node = self.passed_over(*tree, *idx)?;
            self.core.cold().observers.set_failed_guards(node, true);
        }
        for (tree, idx, names) in &self.parts.followed {
            let node = self.passed_over(*tree, *idx)?;
            let names = names.iter().map(|name| name.as_str().into());
            self.core.cold().observers.set_followed(node, names);
        }
        Ok(())
    }

    /// A node whose guards are known before they are evaluated.
    fn passed_over(&self, tree: u32, idx: u32) -> Result<u32> {
        let node = self.names.listed(tree, idx)?;
        if self.plan.guards(node).iter().any(|guard| guard.lower) {
            return Ok(node);
        }
        let place = self.plan.place(node);
        let why = format!("{place}: it takes over from no sibling");
        Err(RestoreError::malformed(why))
    }
}

/// A retained counter, if the node has such a one.
pub(super) fn retained(
    plan: &Plan,
    by_idx: &ByIdx,
    node: u32,
    saved: &Value,
) -> Option<kinds::Retained> {
    let mut from = FromSaved {
        plan,
        by_idx,
        node,
        order: &|_| None,
    };
    plan.node(node).kind.read_retained(saved, &mut from).ok()
}

/// From a saved agent's numbers to the runner's, of a node.
struct FromSaved<'p> {
    plan: &'p Plan,
    by_idx: &'p ByIdx,
    node: u32,
    order: &'p dyn Fn(Order) -> Option<Order>,
}

impl Translate for FromSaved<'_> {
    fn child(&mut self, idx: &mut u32) -> std::result::Result<(), String> {
        let found = child(self.plan, self.by_idx, self.node, *idx);
        *idx = found.ok_or_else(|| format!("{} has no child {idx}", self.plan.place(self.node)))?;
        Ok(())
    }

    /// The clock begins at 0 for an agent that is restored.
    fn time(&mut self, _: &mut Long) -> std::result::Result<(), String> {
        Ok(())
    }

    /// The clock of a restored agent without pauses begins at 0, so this is before its beginning.
    fn past(&mut self, time: &mut Long) {
        *time = 0_u64.wrapping_sub(u64::from(*time)).into();
    }

    fn counted_from(&mut self, _: &mut u32) {}

    fn order(&mut self, order: &mut Order) -> std::result::Result<(), String> {
        let found = (self.order)(*order);
        *order = found.ok_or_else(|| self.other())?;
        Ok(())
    }

    fn other(&self) -> String {
        let place = self.plan.place(self.node);
        format!("{place}: it remembers what its kind does not")
    }
}
