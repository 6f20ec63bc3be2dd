//! Between two steps of a walk: what actions asked for, keys that have changed, what is gone on with.

use super::at::{At, NOWHERE};
use super::core::{Phase, Wish};
use super::entries::Wait;
use super::kinds::Kind;
use super::leave::Then;
use super::walk::{Act, Step, Walker};
use crate::trace::Switch;
use crate::tree::plan::NONE;

impl Walker<'_> {
    /// What was entered waits: where the walk goes on, if anywhere.
    pub(crate) fn blocked(&mut self) -> Option<Step> {
        loop {
            let step = if self.core.interrupted {
                self.react()
            } else if let Some(work) = self.core.cold.as_mut().and_then(|cold| cold.work.pop()) {
                self.core.frame = work.at.frame;
                self.resume(work.at, work.child)
            } else if let Some(at) = self.next_deciding() {
                self.core.frame = at.frame;
                self.decide(at)
            } else {
                return None;
            };
            if step != Step::Blocked {
                return Some(step);
            }
        }
    }

    /// A parallel that is to decide, at the end of a pass: what is below another one ends before it.
    fn next_deciding(&mut self) -> Option<At> {
        let cold = self.core.cold.as_ref()?;
        if cold.ends_more {
            return None;
        }
        let (core, plan, mut first) = (&*self.core, self.plan, 0);
        for (number, at) in cold.deciding.iter().enumerate().skip(1) {
            let other = cold.deciding[first];
            let is_below = core.is_within(plan, *at, other);
            if is_below || core.is_before(*at, other) && !core.is_within(plan, other, *at) {
                first = number;
            }
        }
        let deciding = &mut self.core.cold.as_mut()?.deciding;
        (first < deciding.len()).then(|| deciding.remove(first))
    }

    /// Carries out what was asked for, then asks the guards whose keys have changed.
    fn react(&mut self) -> Step {
        let wish = self.core.cold.as_mut().and_then(|cold| {
            let wish = cold.wishes.first().copied();
            if wish.is_some() {
                cold.wishes.remove(0);
            }
            wish
        });
        if let Some(wish) = wish {
            return self.grant(wish.1, wish.0);
        }
        let step = self.ask_watches(false);
        if step == Step::Blocked {
            let board = self.core.session.board();
            self.core.interrupted = board.is_stirred() || self.has_wish();
        }
        step
    }

    fn has_wish(&self) -> bool {
        let cold = self.core.cold.as_ref();
        cold.is_some_and(|cold| !cold.wishes.is_empty())
    }

    /// Does what an action, or the host, asked for.
    pub(crate) fn grant(&mut self, by: At, wish: Wish) -> Step {
        if !matches!(self.core.phase, Phase::Active | Phase::Stopping) {
            return self.grant_idle(by, wish);
        }
        match wish {
            Wish::Stop => {
                self.core.phase = Phase::Stopping;
                let step = self.abort_tree(by, Then::Stop);
                if self.core.looks && by != NOWHERE && self.core.phase == Phase::Stopping {
                    self.core.trace_stands(self.plan);
                }
                step
            }
            Wish::Reset(clear) => self.abort_tree(by, Then::Restart { clear }),
            Wish::Load(tree) => self.abort_tree(by, Then::Load(tree)),
        }
    }

    /// The same where no tree runs.
    fn grant_idle(&mut self, by: At, wish: Wish) -> Step {
        match wish {
            Wish::Stop => self.core.phase = Phase::Idle,
            Wish::Reset(clear) => return self.carry_out(by, Then::Restart { clear }),
            Wish::Load(tree) => {
                let root = self.plan.trees[tree as usize].root;
                self.trace_switch(by, self.core.root, root, Switch::Load);
                self.core.root = root;
                if matches!(self.core.phase, Phase::Ended(_)) {
                    self.core.phase = Phase::Due;
                }
            }
        }
        Step::Blocked
    }

    /// Goes on with a node when what it entered waits, or was interrupted.
    fn resume(&mut self, at: At, child: u32) -> Step {
        if child == NONE {
            let Some(position) = self.core.find(at) else {
                return Step::Blocked;
            };
            return match self.core.entries[position].wait {
                Wait::Begun => {
                    self.core.take_entry(position);
                    let step = self.begin(at.node);
                    self.placed(at, step)
                }
                Wait::Ended => {
                    let success = self.core.take_entry(position).result;
                    Step::Jump(at, Act::Left(success))
                }
                _ => Step::Blocked,
            };
        }
        let step = self.plan.node(at.node).kind.resume(self, at.node, child);
        self.placed(at, step)
    }

    /// A step of a node, with the place that it is about.
    pub(crate) fn placed(&self, at: At, step: Step) -> Step {
        let place = |node| At {
            frame: at.frame,
            node,
        };
        match step {
            Step::Enter(node) => Step::Jump(place(node), Act::Enter),
            Step::Done(success) => Step::Jump(at, Act::Done(success)),
            step => step,
        }
    }

    /// A parallel without thresholds decides at the end of a pass.
    fn decide(&mut self, at: At) -> Step {
        match &self.plan.node(at.node).kind {
            Kind::Parallel(parallel) => parallel.decide(self, at),
            _ => Step::Blocked,
        }
    }

    /// The budget of the poll is spent: a node that was to be entered waits for the next one.
    #[cold]
    pub(crate) fn exhausted(&mut self, node: u32) -> Step {
        let at = self.core.here(node);
        if !self.core.is_spent() {
            self.core.set_spent(true);
            let mut path = vec![self.plan.info(node).idx.to_string()];
            let mut above = Some(at);
            while let Some(next) = above.and_then(|at| self.core.above(self.plan, at))
                && path.len() < 8
            {
                path.push(self.plan.info(next.node).idx.to_string());
                above = Some(next);
            }
            path.reverse();
            let most = self.core.max_budget;
            let text = format!(
                "{most} nodes were entered in this poll, which is the most there may be: is there a \
                 loop below whose children end at once? It was about to be entered (nodes {}); the \
                 agent goes on from here in the next poll",
                path.join(" > ")
            );
            self.report(Some(node), text);
        }
        self.core.wait(at, Wait::Due);
        Step::Blocked
    }
}

impl Walker<'_> {
    /// Stops the tree from outside.
    pub(crate) fn stop(&mut self) {
        if let Some(cold) = &mut self.core.cold {
            cold.wishes.clear();
        }
        let step = self.grant(NOWHERE, Wish::Stop);
        self.walk_on(step);
        if self.core.looks {
            self.core.trace_waits(self.plan);
        }
        self.core.quiet = false;
    }
}
