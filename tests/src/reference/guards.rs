//! Guards: “checked before entry”, and what they abort when their answer changes. In the cases that
//! the reference covers that is between polls only, so it does not matter whether a guard is asked
//! because a key has changed or because a poll has come.

use std::collections::BTreeMap;

use super::walk::Entered;
use super::{Active, News, Reference};
use crate::cases::{Guard, Kind, Node};

/// Which guards of an active node watch over it, and when they were asked last.
pub(super) type Own = BTreeMap<usize, u64>;

/// What is known of the guards that watch over siblings to the right, by the child and its guard.
pub(super) type Lower = BTreeMap<(usize, usize), Answer>;

/// What a guard said, and in which poll.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer {
    holds: bool,
    poll: u64,
}

/// A guard that aborts, by the order of an active node.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fired {
    /// “Aborts the node (F) when the condition turns false.”
    Own(u64),
    /// “Aborts the running sibling to its right when it turns true”: the child that takes over.
    Lower(u64, usize),
}

impl<'t> Reference<'t> {
    fn holds(&mut self, guard: &Guard) -> bool {
        self.ask(guard.about) != guard.not
    }

    /// Asks the guards of a child, and notes the answers of those that watch over its siblings.
    fn ask_in_order(&mut self, node: &Node, child: usize, lower: &mut Lower, but: usize) -> bool {
        node.guards.iter().enumerate().all(|(number, guard)| {
            if number == but {
                return true;
            }
            let holds = self.holds(guard);
            self.answer(guard, (child, number), holds, lower);
            holds
        })
    }

    fn answer(&self, guard: &Guard, of: (usize, usize), holds: bool, lower: &mut Lower) {
        if guard.abort.is_lower() {
            let poll = self.poll;
            lower.insert(of, Answer { holds, poll });
        }
    }

    /// “All must hold, checked in order.”
    pub(super) fn refuses(&mut self, node: &Node, child: usize, lower: &mut Lower) -> bool {
        !self.ask_in_order(node, child, lower, usize::MAX)
    }

    /// The guards that watch over a node from now on.
    pub(super) fn watched(&self, node: &Node) -> Own {
        let guards = node.guards.iter().enumerate();
        let own = guards.filter(|(_, guard)| guard.abort.is_own());
        own.map(|(number, _)| (number, self.poll)).collect()
    }

    /// A `memory_select` that goes on where it was: those before may take over later.
    pub(super) fn watch_passed(&mut self, active: &mut Active<'t>, first: usize) {
        if !matches!(active.node.kind, Kind::MemorySelect) {
            return;
        }
        for (child, node) in active.node.children[..first].iter().enumerate() {
            for (number, guard) in node.guards.iter().enumerate() {
                if guard.abort.is_lower() {
                    let holds = self.holds(guard);
                    self.answer(guard, (child, number), holds, &mut active.lower);
                }
            }
        }
    }

    /// Asks the guards of what is active that were not asked in this poll, each node's before those
    /// below it, until one aborts.
    pub(super) fn ask_guards(&mut self, active: &mut Active<'t>) -> Option<Fired> {
        if active.is_due {
            return None;
        }
        let poll = self.poll;
        for (number, asked) in &mut active.own_guards {
            if std::mem::replace(asked, poll) != poll && !self.holds(&active.node.guards[*number]) {
                return Some(Fired::Own(active.order));
            }
        }
        for child in 0..active.node.children.len().max(1) {
            if let Some(fired) = self.ask_lower(active, child) {
                return Some(fired);
            }
            if let Some(below) = active.below.get_mut(&child)
                && let Some(fired) = self.ask_guards(below)
            {
                return Some(fired);
            }
        }
        None
    }

    /// “Conditions of `lower` are evaluated only while a sibling to the right runs, and act on a change
    /// from false (the last known value) to true.”
    fn ask_lower(&mut self, active: &mut Active<'t>, child: usize) -> Option<Fired> {
        active.below.range(child + 1..).next()?;
        let node = active.node.children.get(child)?;
        for (number, guard) in node.guards.iter().enumerate() {
            let Some(last) = active.lower.get(&(child, number)).copied() else {
                continue;
            };
            if last.poll == self.poll {
                continue;
            }
            let holds = self.holds(guard);
            self.answer(guard, (child, number), holds, &mut active.lower);
            if holds && !last.holds && self.ask_in_order(node, child, &mut active.lower, number) {
                return Some(Fired::Lower(active.order, child));
            }
        }
        None
    }

    /// A guard aborts; how the node ended.
    pub(super) fn fire_guard(&mut self, active: &mut Active<'t>, fired: &Fired) -> Option<bool> {
        match fired {
            Fired::Own(order) if *order == active.order => {
                self.abort(active);
                Some(false)
            }
            // “Completely, before the guarded node is entered”; “the evaluation in which it takes over
            // is also its check on entry”.
            Fired::Lower(order, child) if *order == active.order => {
                self.abort_below(active);
                let node = &active.node.children[*child];
                let entered = self.begin(active.tree, node, active.depth);
                let news = match entered {
                    Entered::Ended(success) => News::Ended(*child, success),
                    Entered::Waits(entered) => {
                        active.below.insert(*child, *entered);
                        News::Waits(*child)
                    }
                };
                self.go_on(active, news)
            }
            _ => None,
        }
    }
}
