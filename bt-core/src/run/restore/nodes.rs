//! What nodes remember, and what is due at a time.

use rustc_hash::FxHashSet;
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
            let data = self.data(at, &saved.is)?;
            states.push(State { at, data });
        }
        states.sort_unstable_by_key(|state| state.at);
        if let Some(twice) = states.windows(2).find(|two| two[0].at == two[1].at) {
            return Err(self.impossible(twice[0].at, "it remembers two things"));
        }
        for at in active.all() {
            let has_state = || states.binary_search_by_key(&at, |state| state.at).is_ok();
            // What is only waiting for its children to go has forgotten already.
            if remembers(&self.plan.node(at.node).kind) && !has_state() && !active.is_cancelling(at)
            {
                return Err(self.impossible(at, "it is active, and what it remembers is not there"));
            }
        }
        if !states.is_empty() {
            self.core.cold().states = states;
        }
        Ok(())
    }

    fn data(&self, at: At, saved: &format::Data) -> Result<Data> {
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
            (Kind::Parallel(_), format::Data::Parallel { .. }) => {
                Data::Parallel(self.parallel(at, saved)?)
            }
            (Kind::Reactive(_), format::Data::Reactive(running)) => Data::Reactive {
                running: self.names.child(at.node, *running)?,
            },
            (Kind::Timeout(_), format::Data::Since(order)) => Data::Since { order: *order },
            _ => return other(),
        })
    }

    fn parallel(&self, at: At, saved: &format::Data) -> Result<Children> {
        let format::Data::Parallel {
            succeeded,
            failed,
            entering,
            decided,
            ended,
            counted,
            ran,
        } = saved
        else {
            return Ok(Children::default());
        };
        let child = |idx: u32| self.names.child(at.node, idx);
        let count = self.plan.children(at.node).count() as u64;
        let ran: Result<ThinVec<u32>> = ran.iter().map(|idx| child(*idx)).collect();
        let ran = ran?;
        if u64::from(*succeeded) + u64::from(*failed) > count || ran.len() as u64 > count {
            return Err(self.impossible(at, "more of its children have ended than it has"));
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
            ran,
        })
    }

    /// What is due at a time.
    pub(super) fn timers(&mut self, active: &Active) -> Result<()> {
        let mut services = FxHashSet::default();
        let mut last = 0;
        for saved in &self.parts.timers {
            let at = self.names.at(saved.at)?;
            let purpose = purpose(saved.purpose);
            check_timer(self.plan, at, purpose, active)?;
            if saved.left < last {
                return Err(self.impossible(at, "its time is not listed in order"));
            }
            if let Purpose::Service(number) = purpose
                && !services.insert((at, number))
            {
                return Err(self.impossible(at, "a service of it is due twice"));
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
        Kind::Memory(_) => {
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

/// Refuses a timer that no node waits for.
pub(super) fn check_timer(plan: &Plan, at: At, purpose: Purpose, active: &Active) -> Result<()> {
    let fits = match purpose {
        Purpose::End(_) => matches!(
            active.wait(at),
            Some(Wait::Pending | Wait::Polled | Wait::Cancelling)
        ),
        Purpose::Node => match &plan.node(at.node).kind {
            Kind::Delay(_) => active.wait(at) == Some(Wait::Timer),
            Kind::Timeout(_) => active.is_entered(at),
            _ => false,
        },
        Purpose::Service(number) => {
            let services = plan
                .attached(at.node)
                .map_or(0, |found| found.services.len());
            (number as usize) < services && active.is_entered(at)
        }
    };
    if fits {
        return Ok(());
    }
    let place = plan.place(at.node);
    Err(RestoreError::malformed(format!(
        "{place}: it does not wait for a time like that"
    )))
}
