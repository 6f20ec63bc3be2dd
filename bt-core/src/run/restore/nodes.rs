//! What nodes remember, and what is due at a time.

use thin_vec::ThinVec;

use super::active::Active;
use super::names::{ByIdx, child};
use super::{Restoring, Result};
use crate::run::at::At;
use crate::run::entries::Wait;
use crate::run::kinds::Kind;
use crate::run::state::{Children, Data, Kept, State};
use crate::run::timers::{Purpose, Timer};
use crate::snapshot::{RestoreError, format};
use crate::tree::plan::Plan;

impl Restoring<'_> {
    /// What active nodes remember.
    pub(super) fn states(&mut self, active: &Active) -> Result<()> {
        let mut states: ThinVec<State> = ThinVec::with_capacity(self.parts.states.len());
        for saved in &self.parts.states {
            let at = self.names.at(saved.at)?;
            if !active.is_entered(at) {
                return Err(self.impossible(at, "it remembers something, and is not active"));
            }
            let data = self.data(at, &saved.is, active)?;
            states.push(State { at, data });
        }
        states.sort_unstable_by_key(|state| state.at);
        if let Some(twice) = states.windows(2).find(|two| two[0].at == two[1].at) {
            return Err(self.impossible(twice[0].at, "it remembers two things"));
        }
        for at in active.all() {
            let has_state = || states.binary_search_by_key(&at, |state| state.at).is_ok();
            let kind = &self.plan.node(at.node).kind;
            // What is only waiting for its children to go has forgotten already.
            let has_forgotten = || {
                self.is_left(at, true)
                    || matches!(kind, Kind::Reactive(_)) && active.is_cancelling(at)
            };
            if remembers(kind) && !has_state() && !has_forgotten() {
                return Err(self.impossible(at, "it is active, and what it remembers is not there"));
            }
        }
        if !states.is_empty() {
            self.core.cold().states = states;
        }
        Ok(())
    }

    fn data(&self, at: At, saved: &format::Data, active: &Active) -> Result<Data> {
        let kind = &self.plan.node(at.node).kind;
        let other = || Err(self.impossible(at, "it remembers what its kind does not"));
        let children = |all: &[u32]| -> Result<ThinVec<u32>> {
            let children = all.iter().map(|idx| self.names.child(at.node, *idx));
            children.collect()
        };
        Ok(match (kind, saved) {
            (
                Kind::Repeat(_)
                | Kind::Until(_)
                | Kind::Loop(_)
                | Kind::Decorator(_)
                | Kind::Frames(_)
                | Kind::WhileLoop(_),
                format::Data::Count(done, began),
            ) => Data::Count {
                done: *done,
                began: *began,
            },
            (Kind::Random(_), format::Data::Order(order, done)) => {
                let order = children(order)?;
                let mut sorted: Vec<_> = order.to_vec();
                sorted.sort_unstable();
                let all = self.plan.children(at.node);
                if !all.eq(sorted.iter().copied()) || *done as usize >= sorted.len() {
                    let why = "its order is not one of all its children";
                    return Err(self.impossible(at, why));
                }
                Data::Order { order, done: *done }
            }
            (Kind::Parallel(kind), format::Data::Parallel { .. }) => {
                // With `rerun` those that have ended may run again.
                let running = if kind.rerun { 0 } else { active.children(at) };
                Data::Parallel(self.parallel(at, saved, running)?)
            }
            (Kind::Reactive(_), format::Data::Reactive(running)) => Data::Reactive {
                running: self.names.child(at.node, *running)?,
            },
            (Kind::Timeout(_), format::Data::Since(order)) if *order <= self.parts.order => {
                let order = self.order(*order);
                Data::Since { order }
            }
            _ => return other(),
        })
    }

    fn parallel(&self, at: At, saved: &format::Data, running: u32) -> Result<Children> {
        let format::Data::Parallel {
            succeeded,
            failed,
            entering,
            decided,
            ended,
            counted,
        } = saved
        else {
            return Ok(Children::default());
        };
        let child = |idx: u32| self.names.child(at.node, idx);
        let count = self.plan.children(at.node).count() as u64;
        let ends = u64::from(*succeeded) + u64::from(*failed);
        if ends + u64::from(running) > count {
            return Err(self.impossible(at, "more of its children run or have ended than it has"));
        }
        // The numbers of polls go round: what is not half of them behind is ahead.
        if self.parts.poll.wrapping_sub(*counted) > u32::MAX / 2 {
            return Err(self.impossible(at, "it has counted ends of a poll still to come"));
        }
        // A walk is there, and continues once that part of the tree is open.
        let mut work = self.parts.work.iter();
        let continues = work.any(|(place, _)| self.names.at(*place).is_ok_and(|other| other == at));
        let mut levels = self.parts.levels.iter();
        let is_held = levels.any(|level| {
            let mut entries = level.entries.iter();
            !level.leaving.is_empty() || entries.any(|entry| entry.wait == format::Wait::Due)
        });
        let is_decided = decided.is_some() || ended.is_some();
        // An abort may have come while they were entered: then none is entered any more.
        let enters = entering.is_some() && !self.is_left(at, false);
        if enters && !continues || is_decided && !is_held {
            let why = "its children are not all entered, or have decided";
            return Err(self.impossible(at, why));
        }
        let ended = match ended {
            Some((idx, success)) => Some((child(*idx)?, *success)),
            None => None,
        };
        Ok(Children {
            succeeded: *succeeded,
            failed: *failed,
            entering: entering.map(child).transpose()?,
            decided: *decided,
            ended,
            counted: *counted,
        })
    }

    /// What is due at a time.
    pub(super) fn timers(&mut self, active: &Active) -> Result<()> {
        let mut last = 0;
        for saved in &self.parts.timers {
            let at = self.names.at(saved.at)?;
            let purpose = purpose(saved.purpose);
            self.check_timer(at, purpose, active)?;
            if self.is_left(at, false) && active.wait(at) != Some(Wait::Cancelling) {
                return Err(self.impossible(at, "it is being left, and waits for a time"));
            }
            if saved.left < last {
                return Err(self.impossible(at, "its time is not listed in order"));
            }
            last = saved.left;
            self.core.timers.push(Timer {
                time: saved.left,
                at,
                purpose,
            });
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
            Purpose::Node => match &plan.node(at.node).kind {
                Kind::Delay(_) => active.wait(at) == Some(Wait::Timer),
                Kind::Timeout(_) => self.core.since(at).is_some(),
                _ => false,
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
                return Err(self.impossible(at, "it takes no such event once"));
            }
            self.core.cold().taken.push((at, *which));
        }
        Ok(())
    }

    /// What outlives nodes' ends.
    pub(super) fn kept(&mut self) -> Result<()> {
        let by_idx = ByIdx::default();
        let mut kept: ThinVec<Kept> = ThinVec::with_capacity(self.parts.kept.len());
        for (tree, idx, value) in &self.parts.kept {
            let node = self.names.listed(*tree, *idx)?;
            let Some(value) = kept_value(self.plan, &by_idx, node, *value) else {
                let place = self.plan.place(node);
                let why = format!("{place}: it cannot keep {value}");
                return Err(RestoreError::malformed(why));
            };
            kept.push(Kept { node, value });
        }
        kept.sort_unstable_by_key(|kept| kept.node);
        if let Some(twice) = kept.windows(2).find(|two| two[0].node == two[1].node) {
            let place = self.plan.place(twice[0].node);
            return Err(RestoreError::malformed(format!(
                "{place}: it keeps two things"
            )));
        }
        if !kept.is_empty() {
            self.core.cold().kept = kept;
        }
        for (tree, idx) in &self.parts.unheld {
            let node = self.names.listed(*tree, *idx)?;
            if !self.plan.guards(node).iter().any(|guard| guard.lower) {
                let place = self.plan.place(node);
                let why = format!("{place}: it takes over from no sibling");
                return Err(RestoreError::malformed(why));
            }
            self.core.cold().set_unheld(node, true);
        }
        Ok(())
    }
}

/// Whether an active node of a kind always has something to remember.
fn remembers(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Repeat(_)
            | Kind::Until(_)
            | Kind::Loop(_)
            | Kind::Decorator(_)
            | Kind::Frames(_)
            | Kind::Random(_)
            | Kind::Parallel(_)
            | Kind::Reactive(_)
            | Kind::Timeout(_)
    )
}

/// What a node keeps, if it is of a kind that does.
pub(super) fn kept_value(plan: &Plan, by_idx: &ByIdx, node: u32, value: u64) -> Option<u64> {
    match &plan.node(node).kind {
        Kind::Cooldown(_) | Kind::RunLimit(_) | Kind::SuccessUntil(_) => Some(value),
        Kind::Once(_) => (value <= 1).then_some(value),
        Kind::Memory(_) | Kind::KeepPlace(_) => {
            let idx = u32::try_from(value).ok()?;
            child(plan, by_idx, node, idx).map(u64::from)
        }
        _ => None,
    }
}

pub(super) fn purpose(saved: format::Purpose) -> Purpose {
    match saved {
        format::Purpose::End(success) => Purpose::End(success),
        format::Purpose::Node => Purpose::Node,
        format::Purpose::Service(number) => Purpose::Service(number),
    }
}
