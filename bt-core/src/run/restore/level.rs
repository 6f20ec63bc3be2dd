//! What the current tree and the suspended ones wait for.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::active::Active;
use super::{Restoring, Result, poll_or_none};
use crate::run::at::{At, Frame, NOWHERE};
use crate::run::core::{Level, Suspension};
use crate::run::entries::{Entry, Wait};
use crate::run::kinds::Kind;
use crate::run::leave::{Leaving, Then};
use crate::run::pending::More;
use crate::run::walk::Act;
use crate::run::watch::Watch;
use crate::snapshot::{RestoreError, format};
use crate::tree::plan::NONE;

impl Restoring<'_> {
    /// The runs of trees.
    pub(super) fn frames(&mut self) -> Result<()> {
        self.keys()?;
        let runs = &self.names.runs;
        if runs.len() == 1 && self.parts.frames[0].keys.is_none() {
            return Ok(());
        }
        for (run, frame) in runs.iter().zip(&self.parts.frames) {
            let board = self.frame_keys(run.tree, frame)?;
            self.core.frames.push(Frame {
                caller: run.caller,
                depth: run.depth,
                level: run.level,
                board,
            });
        }
        Ok(())
    }

    /// The entries of all trees that are there.
    pub(super) fn levels(&mut self) -> Result<()> {
        let mut orders = FxHashSet::default();
        let last = self.parts.levels.len() - 1;
        for (number, saved) in self.parts.levels.iter().enumerate() {
            let entries = self.entries(number as u32, saved, &mut orders)?;
            let turns = entries.iter().filter(|entry| entry.has_turn()).count() as u32;
            let base = self.names.bases[number];
            if number == last {
                self.core.began = poll_or_none(saved.began);
                self.core.entries = entries;
                self.core.turns = turns;
                self.core.frame = base;
                if base > 0 {
                    self.core.cold().base = base;
                }
                continue;
            }
            let root = self.plan.trees[self.names.base_tree(number) as usize].root;
            let why = self.suspension(saved)?;
            self.core.cold().levels.push(Level {
                root,
                base,
                began: poll_or_none(saved.began),
                turns,
                entries,
                watches: ThinVec::new(),
                leaving: ThinVec::new(),
                held: ThinVec::new(),
                why,
            });
        }
        Ok(())
    }

    /// What suspended a tree; its time is how long ago, until it is known what counts from.
    fn suspension(&self, saved: &format::Level) -> Result<Option<Suspension>> {
        let Some((by, which, ago)) = saved.why else {
            return Ok(None);
        };
        let by = self.names.at(by)?;
        let taken = self.plan.attached(by.node).map(|found| &found.events);
        let Some(taken) = taken.and_then(|taken| taken.get(which as usize)) else {
            let place = self.plan.place(by.node);
            return Err(RestoreError::malformed(format!(
                "{place} takes no event of the number {which}"
            )));
        };
        Ok(Some(Suspension {
            by,
            event: taken.event,
            since: ago,
        }))
    }

    fn entries(
        &self,
        level: u32,
        saved: &format::Level,
        orders: &mut FxHashSet<u32>,
    ) -> Result<SmallVec<[Entry; 1]>> {
        let mut entries: SmallVec<[Entry; 1]> = SmallVec::new();
        for entry in &saved.entries {
            let at = self.names.at(entry.at)?;
            let wrong = |why: &str| {
                let place = self.plan.place(at.node);
                Err(RestoreError::malformed(format!("{place}: {why}")))
            };
            if self.names.runs[at.frame as usize].level != level {
                return wrong("it waits, but not in its tree's turn");
            }
            if !fits(&self.plan.node(at.node).kind, entry.wait) {
                let wait = format!("it cannot wait as `{:?}`", entry.wait).to_lowercase();
                return wrong(&wait);
            }
            if !orders.insert(entry.order) {
                return wrong("another node that waits has the same order");
            }
            // The numbers go round: what is not half of them behind is ahead.
            if self.parts.order.wrapping_sub(entry.order) > u32::MAX / 2 {
                return wrong("its `order` is one that nodes still to be entered will have");
            }
            if let Some(last) = entries.last()
                && !self.core.is_before(last.at, at)
            {
                return wrong("it waits, and is not listed in the order in which nodes run");
            }
            entries.push(self.entry(at, entry)?);
        }
        Ok(entries)
    }

    fn entry(&self, at: At, saved: &format::Entry) -> Result<Entry> {
        let is_called = matches!(
            saved.wait,
            format::Wait::Pending | format::Wait::Polled | format::Wait::Cancelling
        );
        let kept = saved.kept.is_some();
        let has_more = kept || !saved.on.is_empty();
        let asks = has_more || saved.completion || saved.guards || saved.until.is_some();
        if asks && !is_called {
            let place = self.plan.place(at.node);
            let why = format!("{place}: only actions ask for more than their nodes do");
            return Err(RestoreError::malformed(why));
        }
        let more = has_more.then(|| {
            Box::new(More {
                on: saved.on.iter().cloned().collect(),
                kept: saved.kept.clone().map(Box::new),
                ..More::default()
            })
        });
        let (until, result) = saved.until.unwrap_or_default();
        Ok(Entry {
            at,
            order: saved.order,
            // Not the number of any poll to come soon, and none of one that is left out.
            stamp: match self.core.poll {
                0 => u32::MAX,
                poll => poll,
            },
            until,
            wait: wait(saved.wait),
            result,
            told: false,
            since: 0,
            more,
        })
    }

    /// Guards that are watched.
    pub(super) fn watched(&mut self, active: &Active) -> Result<()> {
        for (level, saved) in self.parts.levels.iter().enumerate() {
            let mut watches: ThinVec<Watch> = ThinVec::new();
            let mut seen = FxHashSet::default();
            for watch in &saved.watches {
                let found = self.watch(level as u32, watch, active)?;
                let sorted = watches
                    .last()
                    .is_none_or(|last| !self.core.is_before(found.at, last.at));
                if !sorted || !seen.insert((found.at, found.guard, found.own)) {
                    let place = self.plan.place(found.at.node);
                    let why = format!("{place}: its guards are not watched in order, or twice");
                    return Err(RestoreError::malformed(why));
                }
                watches.push(found);
            }
            if !watches.is_empty() {
                let cold = self.core.cold();
                match cold.levels.get_mut(level) {
                    Some(level) => level.watches = watches,
                    None => cold.watches = watches,
                }
            }
        }
        Ok(())
    }

    fn watch(&self, level: u32, saved: &format::Watch, active: &Active) -> Result<Watch> {
        let plan = self.plan;
        let at = self.names.at(saved.at)?;
        let guard = plan.guards(at.node).get(saved.guard as usize);
        let parent = At {
            frame: at.frame,
            node: plan.parent(at.node),
        };
        let is_watched = guard.is_some_and(|guard| match saved.own {
            true => guard.own && active.is_entered(at),
            false => guard.lower && parent.node != NONE && active.is_entered(parent),
        });
        if !is_watched || self.names.runs[at.frame as usize].level != level {
            let place = plan.place(at.node);
            let why = format!("{place}: it has no guard {} that is watched", saved.guard);
            return Err(RestoreError::malformed(why));
        }
        Ok(Watch {
            at,
            guard: saved.guard,
            own: saved.own,
            last: saved.last,
            due: saved.due,
            stamp: self.core.poll,
        })
    }

    /// What was aborted and is still cancelling.
    pub(super) fn left(&mut self, active: &Active) -> Result<()> {
        for (level, saved) in self.parts.levels.iter().enumerate() {
            let mut leaving = ThinVec::new();
            for one in &saved.leaving {
                leaving.push(self.one_leaving(level, one, active)?);
            }
            if !leaving.is_empty() {
                let cold = self.core.cold();
                match cold.levels.get_mut(level) {
                    Some(level) => level.leaving = leaving,
                    None => cold.leaving = leaving,
                }
            }
        }
        Ok(())
    }

    fn one_leaving(
        &self,
        level: usize,
        saved: &format::Leaving,
        active: &Active,
    ) -> Result<Leaving> {
        let plan = self.plan;
        let top = self.names.at(saved.top)?;
        let by = saved.by.map(|by| self.names.at(by)).transpose()?;
        let then = self.then(&saved.then)?;
        let is_below_reactive = || {
            let parent = plan.parent(top.node);
            parent != NONE && matches!(plan.node(parent).kind, Kind::Reactive(_))
        };
        let fits = match then {
            Then::Go(at, Act::Done(_)) => at == top && !saved.inclusive,
            Then::Go(at, Act::Left(_)) => at == top && saved.inclusive,
            // A sibling to the left takes over.
            Then::Go(at, Act::EnterChecked) => {
                let parent = plan.parent(top.node);
                let of_one = parent != NONE && plan.parent(at.node) == parent;
                saved.inclusive && of_one && at.frame == top.frame && at.node < top.node
            }
            Then::Go(_, Act::Enter) => false,
            Then::Enter(at) => at == top && saved.inclusive && is_below_reactive(),
            Then::Nothing => saved.inclusive && is_below_reactive(),
            Then::Start(_)
            | Then::Load(_)
            | Then::Transfer { .. }
            | Then::Restart { .. }
            | Then::Stop => {
                let base = self.names.bases[level];
                saved.inclusive && top.frame == base && plan.parent(top.node) == NONE
            }
        };
        let of_level = self.names.runs[top.frame as usize].level as usize == level;
        if !fits || !of_level || !active.is_cancelling(top) {
            let place = plan.place(top.node);
            let why = format!("{place}: it is not being left like that");
            return Err(RestoreError::malformed(why));
        }
        Ok(Leaving {
            top,
            inclusive: saved.inclusive,
            by: by.unwrap_or(NOWHERE),
            then,
        })
    }

    fn then(&self, saved: &format::Then) -> Result<Then> {
        Ok(match saved {
            format::Then::Go(at, act) => {
                let act = match act {
                    format::Act::Enter => Act::Enter,
                    format::Act::EnterChecked => Act::EnterChecked,
                    format::Act::Done(success) => Act::Done(*success),
                    format::Act::Left(success) => Act::Left(*success),
                };
                Then::Go(self.names.at(*at)?, act)
            }
            format::Then::Enter(at) => Then::Enter(self.names.at(*at)?),
            format::Then::Start(tree) => Then::Start(self.names.named(tree)?),
            format::Then::Load(tree) => Then::Load(self.names.named(tree)?),
            format::Then::Transfer(of, idx, tree) => {
                let from = self.names.node(self.names.named(of)?, *idx)?;
                let tree = self.names.named(tree)?;
                Then::Transfer { from, tree }
            }
            format::Then::Restart(clear) => Then::Restart { clear: *clear },
            format::Then::Stop => Then::Stop,
            format::Then::Nothing => Then::Nothing,
        })
    }
}

/// Whether a node of a kind may wait like that, between polls.
fn fits(kind: &Kind, wait: format::Wait) -> bool {
    use format::Wait;
    match wait {
        Wait::Pending | Wait::Polled => matches!(kind, Kind::Action(_) | Kind::Condition(_)),
        Wait::Cancelling => matches!(kind, Kind::Action(_)),
        Wait::Event => matches!(kind, Kind::WaitEvent(_)),
        Wait::Timer => matches!(kind, Kind::Delay(_) | Kind::AlwaysRunning(_)),
        Wait::Turn => match kind {
            Kind::Parallel(parallel) => parallel.rerun,
            kind => matches!(kind, Kind::Reactive(_) | Kind::Frames(_)),
        },
        Wait::Again => matches!(
            kind,
            Kind::Loop(_)
                | Kind::Repeat(_)
                | Kind::Until(_)
                | Kind::Decorator(_)
                | Kind::WhileLoop(_)
        ),
        Wait::Due => true,
        Wait::Begun | Wait::Ended => false,
    }
}

fn wait(saved: format::Wait) -> Wait {
    match saved {
        format::Wait::Pending => Wait::Pending,
        format::Wait::Polled => Wait::Polled,
        format::Wait::Event => Wait::Event,
        format::Wait::Timer => Wait::Timer,
        format::Wait::Turn => Wait::Turn,
        format::Wait::Again => Wait::Again,
        format::Wait::Due => Wait::Due,
        format::Wait::Cancelling => Wait::Cancelling,
        format::Wait::Begun => Wait::Begun,
        format::Wait::Ended => Wait::Ended,
    }
}
