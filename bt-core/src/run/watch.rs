//! Guards that abort: when a condition's answer may have changed, it is asked again.

use super::at::At;
use super::leave::Then;
use super::walk::{Act, Step, Walker};
use crate::tree::plan::{Guard, NONE};

/// A guard that is watched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Watch {
    /// The guarded node.
    pub(crate) at: At,
    /// Which of its guards.
    pub(crate) guard: u32,
    /// Whether it watches over its own node, and not over the siblings to the right.
    pub(crate) own: bool,
    /// What it answered last.
    pub(crate) last: bool,
    /// Whether a key that it may look at has changed.
    pub(crate) due: bool,
    /// The number of the poll in which it was asked last.
    pub(crate) stamp: u32,
}

impl Walker<'_> {
    /// Whether one of a node's guards does not hold.
    pub(crate) fn refuses(&mut self, node: u32) -> bool {
        let plan = self.plan;
        let at = self.core.here(node);
        plan.guards(node).iter().enumerate().any(|(number, guard)| {
            let holds = self.ask_guard(node, number, guard);
            if guard.lower {
                self.watch(at, number as u32, false, holds);
            }
            !holds
        })
    }

    /// Asks those guards of a child that watch over what is to the right of it, without entering it.
    pub(crate) fn look_ahead(&mut self, node: u32) {
        let plan = self.plan;
        let at = self.core.here(node);
        for (number, guard) in plan.guards(node).iter().enumerate() {
            if guard.lower {
                let holds = self.ask_guard(node, number, guard);
                self.watch(at, number as u32, false, holds);
            }
        }
    }

    /// Watches over a node that is entered.
    pub(crate) fn watch_own(&mut self, at: At) {
        let plan = self.plan;
        for (number, guard) in plan.guards(at.node).iter().enumerate() {
            if guard.own {
                self.watch(at, number as u32, true, true);
            }
        }
    }

    /// Asks a guard. The keys that it looks at are observed from now on, if its answer matters later.
    fn ask_guard(&mut self, node: u32, number: usize, guard: &Guard) -> bool {
        let holds = self.ask_observed(node, guard);
        if self.core.looks {
            let at = self.core.here(node);
            self.core.note_answer(self.plan, at, number as u32, holds);
        }
        holds
    }

    fn ask_observed(&mut self, node: u32, guard: &Guard) -> bool {
        if guard.ask.every || !(guard.own || guard.lower) {
            return self.ask_condition(node, &guard.ask);
        }
        self.core.session.board().record_reads();
        let holds = self.ask_condition(node, &guard.ask);
        let mut keys = std::mem::take(&mut self.core.cold().scratch);
        let board = self.core.session.board();
        board.take_reads(&mut keys);
        keys.extend(&guard.ask.keys);
        for key in keys.drain(..) {
            board.observe(key);
        }
        self.core.cold().scratch = keys;
        holds
    }

    /// Notes a guard's answer, and watches it from now on.
    fn watch(&mut self, at: At, guard: u32, own: bool, last: bool) {
        let stamp = self.core.poll;
        let watches = std::mem::take(&mut self.core.cold().watches);
        let (mut watches, same) = (watches, |watch: &Watch| {
            watch.at == at && watch.guard == guard && watch.own == own
        });
        match watches.iter_mut().find(|watch| same(watch)) {
            Some(watch) => {
                watch.last = last;
                watch.due = false;
                watch.stamp = stamp;
            }
            None => {
                let before = |other: &Watch| !self.core.is_before(at, other.at);
                let position = watches.partition_point(before);
                let watch = Watch {
                    at,
                    guard,
                    own,
                    last,
                    due: false,
                    stamp,
                };
                watches.insert(position, watch);
            }
        }
        self.core.cold().watches = watches;
    }

    /// A node was left: its own watches end, and those of its children.
    pub(crate) fn unwatch(&mut self, at: At) {
        let plan = self.plan;
        if let Some(cold) = &mut self.core.cold {
            cold.watches.retain(|watch| {
                let is_child = watch.at.frame == at.frame && plan.parent(watch.at.node) == at.node;
                !(watch.own && watch.at == at || !watch.own && is_child)
            });
        }
    }

    /// Notes that keys which guards look at have changed: they are asked when watches are next.
    pub(super) fn stir(&mut self) {
        if !self.core.session.board().is_stirred() {
            return;
        }
        let Some(cold) = &mut self.core.cold else {
            return;
        };
        let mut keys = std::mem::take(&mut cold.scratch);
        self.core.session.board().take_stirred(&mut keys);
        keys.clear();
        cold.scratch = keys;
        for watch in &mut cold.watches {
            watch.due = true;
        }
    }

    /// Whether any guard may answer otherwise every poll.
    pub(crate) fn watches_every_poll(&self) -> bool {
        let Some(cold) = &self.core.cold else {
            return false;
        };
        let mut watches = cold.watches.iter();
        watches.any(|watch| {
            self.plan.guards(watch.at.node)[watch.guard as usize]
                .ask
                .every
        })
    }

    /// Asks the guards whose keys have changed, and with `every` those that are asked every poll; what
    /// happens then.
    pub(crate) fn ask_watches(&mut self, every: bool) -> Step {
        self.stir();
        let mut number = 0;
        while let Some(watch) = self.watch_number(number) {
            number += 1;
            let asked_every = self.plan.guards(watch.at.node)[watch.guard as usize]
                .ask
                .every;
            let asks = if asked_every {
                every && watch.stamp != self.core.poll
            } else {
                watch.due
            };
            if !asks || self.sleeps(watch) {
                continue;
            }
            let before = self.core.cold().watches.len();
            let step = self.ask_watch(number - 1, watch);
            if step != Step::Blocked {
                return step;
            }
            if self.core.cold().watches.len() != before {
                // Something was left: the others may have moved.
                number = 0;
            }
        }
        Step::Blocked
    }

    fn watch_number(&self, number: usize) -> Option<Watch> {
        self.core.cold.as_ref()?.watches.get(number).copied()
    }

    /// Whether nothing that a guard watches over runs.
    fn sleeps(&self, watch: Watch) -> bool {
        if self.is_leaving(watch.at) {
            return true;
        }
        !watch.own && self.running_sibling(watch.at).is_none()
    }

    /// Whether a node is being left, or its parent waits for a child to be left.
    fn is_leaving(&self, at: At) -> bool {
        let Some(cold) = &self.core.cold else {
            return false;
        };
        let parent = At {
            frame: at.frame,
            node: self.plan.parent(at.node),
        };
        cold.leaving.iter().any(|leaving| {
            self.core.is_within(self.plan, at, leaving.top)
                || parent.node != NONE
                    && leaving.top != parent
                    && leaving.top.frame == parent.frame
                    && self.plan.parent(leaving.top.node) == parent.node
        })
    }

    /// The sibling to the right of a node that runs.
    fn running_sibling(&self, at: At) -> Option<u32> {
        let parent = self.plan.parent(at.node);
        let of = At {
            frame: at.frame,
            node: parent,
        };
        let (from, to) = self.core.below(self.plan, of);
        let last = self.core.entries[from..to].last()?;
        let last = self.core.lifted(last.at, at.frame)?;
        (last.node >= self.plan.node(at.node).end)
            .then(|| self.plan.child_towards(parent, last.node))
    }

    /// Asks one guard again.
    fn ask_watch(&mut self, number: usize, watch: Watch) -> Step {
        let plan = self.plan;
        let guards = plan.guards(watch.at.node);
        let frame = std::mem::replace(&mut self.core.frame, watch.at.frame);
        let which = watch.guard as usize;
        let holds = self.ask_guard(watch.at.node, which, &guards[which]);
        self.core.frame = frame;
        let stamp = self.core.poll;
        if let Some(watch) = self.core.cold().watches.get_mut(number) {
            watch.last = holds;
            watch.due = false;
            watch.stamp = stamp;
        }
        if watch.own {
            if holds {
                return Step::Blocked;
            }
            let then = Then::Go(watch.at, Act::Left(false));
            return self.abort(watch.at, watch.at, true, then);
        }
        if !holds || watch.last {
            return Step::Blocked;
        }
        // It begins to hold: with all the others of its node it takes over.
        let frame = std::mem::replace(&mut self.core.frame, watch.at.frame);
        let mut others = guards.iter().enumerate();
        let all = others.all(|(other, guard)| {
            if other == watch.guard as usize {
                return true;
            }
            let holds = self.ask_guard(watch.at.node, other, guard);
            if guard.lower {
                // If this one keeps it from that, it may bring it about later.
                self.watch(watch.at, other as u32, false, holds);
            }
            holds
        });
        self.core.frame = frame;
        match self.running_sibling(watch.at) {
            Some(sibling) if all => {
                let sibling = At {
                    frame: watch.at.frame,
                    node: sibling,
                };
                self.abort(
                    watch.at,
                    sibling,
                    true,
                    Then::Go(watch.at, Act::EnterChecked),
                )
            }
            _ => Step::Blocked,
        }
    }
}
