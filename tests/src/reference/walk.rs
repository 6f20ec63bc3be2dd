//! From the root down to what is woken, and back up from what has ended.

use std::collections::BTreeMap;

use super::guards::Lower;
use super::{Active, Interrupt, News, Next, Reference, State, Wake};
use crate::cases::{Kind, Node, place};

/// What entering a node came to.
pub(super) enum Entered<'t> {
    /// It has ended, and was left.
    Ended(bool),
    Waits(Box<Active<'t>>),
}

impl<'t> Reference<'t> {
    pub(super) fn next_order(&mut self) -> u64 {
        self.order += 1;
        self.order
    }

    /// Writes a line about a node whose effects do.
    fn note(&mut self, what: &str, tree: usize, node: &Node) {
        if node.logged {
            let place = place(self.trees[tree].name, node.idx);
            self.log.push(format!("{what} {place}"));
        }
    }

    fn activate(&mut self, tree: usize, node: &'t Node, depth: u32) -> Active<'t> {
        Active {
            node,
            tree,
            depth,
            order: self.next_order(),
            stamp: self.poll,
            is_due: false,
            timers: Vec::new(),
            below: BTreeMap::new(),
            own: State::default(),
            own_guards: self.watched(node),
            lower: Lower::new(),
        }
    }

    /// Enters a node, which is that child of its parent; how it ended, or the active node if it waits.
    pub(super) fn enter(
        &mut self,
        (tree, node, depth): (usize, &'t Node, u32),
        child: usize,
        lower: &mut Lower,
    ) -> Entered<'t> {
        if self.budget == 0 {
            // “When it is used up the poll ends … the agent … goes on next poll.”
            self.spent = true;
            let mut active = self.activate(tree, node, depth);
            active.is_due = true;
            return Entered::Waits(Box::new(active));
        }
        self.budget -= 1;
        // “Checked before entry, false: F, nothing entered.”
        if self.refuses(node, child, lower) {
            return Entered::Ended(false);
        }
        self.begin(tree, node, depth)
    }

    /// Enters a node whose guards hold: “effects … services”, then what it is.
    pub(super) fn begin(&mut self, tree: usize, node: &'t Node, depth: u32) -> Entered<'t> {
        let mut active = self.activate(tree, node, depth);
        self.note("enter", tree, node);
        if let Some(every) = node.service {
            self.serve(&mut active, every);
        }
        match self.go_on(&mut active, News::Entered) {
            Some(success) => Entered::Ended(success),
            None => Entered::Waits(Box::new(active)),
        }
    }

    /// “Run at entry, then every t while the branch below is active, no catching up.”
    fn serve(&mut self, active: &mut Active<'t>, every: u64) {
        let place = place(self.trees[active.tree].name, active.node.idx);
        self.log.push(format!("service {place}"));
        let order = self.next_order();
        active.timers.push((self.now + every, order, Some(every)));
    }

    /// Enters a child; how it ended, none if it waits.
    fn enter_child(&mut self, above: &mut Active<'t>, child: usize) -> Option<bool> {
        let entered = match above.node.kind {
            Kind::SubTree(tree) => {
                let root = &self.trees[tree].root;
                self.enter((tree, root, above.depth + 1), 0, &mut Lower::new())
            }
            _ => {
                let node = &above.node.children[child];
                self.enter((above.tree, node, above.depth), child, &mut above.lower)
            }
        };
        match entered {
            Entered::Ended(success) => Some(success),
            Entered::Waits(active) => {
                above.below.insert(child, *active);
                None
            }
        }
    }

    /// Goes on with a node until it waits or ends; how it ended, and it was left then.
    pub(super) fn go_on(&mut self, active: &mut Active<'t>, mut news: News) -> Option<bool> {
        loop {
            if self.interrupt.is_some() {
                return self.interrupted(active);
            }
            news = match self.next(active, news) {
                Next::Wait => return None,
                Next::Done(success) => return Some(self.end(active, success)),
                Next::Enter(child) => match self.enter_child(active, child) {
                    Some(success) => News::Ended(child, success),
                    None => News::Waits(child),
                },
            };
        }
    }

    /// Ends a node: what is below it is aborted first.
    pub(super) fn end(&mut self, active: &mut Active<'t>, success: bool) -> bool {
        self.abort_below(active);
        // “Success or failure runs before exit.”
        let how = if success { "success" } else { "failure" };
        self.note(how, active.tree, active.node);
        self.note("exit", active.tree, active.node);
        success
    }

    /// A walk that is interrupted goes back to the root of the tree that an `end` ends; anything else
    /// goes back to the poll.
    fn interrupted(&mut self, active: &mut Active<'t>) -> Option<bool> {
        match (&active.node.kind, self.interrupt) {
            (
                Kind::Root,
                Some(Interrupt::End {
                    success,
                    outside: false,
                }),
            ) => {
                self.abort_below(active);
                self.interrupt = None;
                Some(self.end(active, success))
            }
            _ => None,
        }
    }

    /// “Innermost first; siblings in reverse order; every node entered gets exactly one exit.”
    pub(super) fn abort(&mut self, active: &mut Active<'t>) {
        self.abort_below(active);
        if active.is_due {
            return;
        }
        self.abort_leaf(active);
        if matches!(active.node.kind, Kind::MemorySequence | Kind::MemorySelect) {
            // “Cleared when the node … is aborted.”
            self.kept.remove(&(active.tree, active.node.idx));
        }
        // “Abort counts as failure.”
        self.note("failure", active.tree, active.node);
        self.note("exit", active.tree, active.node);
    }

    pub(super) fn abort_below(&mut self, active: &mut Active<'t>) {
        while let Some((_, mut child)) = active.below.pop_last() {
            self.abort(&mut child);
        }
    }

    /// Hands down what has happened, first to a node and then to what is below it, in index order; how
    /// the node ended.
    pub(super) fn wake(&mut self, active: &mut Active<'t>, wake: &Wake) -> Option<bool> {
        let ended = self.wake_itself(active, wake);
        let ended = ended.or_else(|| self.pass_over(active));
        if let Some(success) = ended.or_else(|| self.wake_below(active, wake)) {
            return Some(success);
        }
        if self.interrupt.is_some() {
            return self.interrupted(active);
        }
        match wake {
            Wake::Turn if !self.spent => self.go_on(active, News::TurnOver),
            Wake::PassOver => self.go_on(active, News::PassOver),
            _ => None,
        }
    }

    pub(super) fn wake_below(&mut self, active: &mut Active<'t>, wake: &Wake) -> Option<bool> {
        let children: Vec<usize> = active.below.keys().copied().collect();
        for child in children {
            if self.interrupt.is_some() || self.spent && matches!(wake, Wake::Turn | Wake::Due) {
                return None;
            }
            let Some(mut found) = active.below.remove(&child) else {
                continue;
            };
            let ended = if found.is_due && matches!(wake, Wake::Due) && found.stamp != self.poll {
                self.enter_child(active, child)
            } else {
                let ended = self.wake(&mut found, wake);
                if ended.is_none() {
                    active.below.insert(child, found);
                }
                ended
            };
            let ended = ended.and_then(|success| self.go_on(active, News::Ended(child, success)));
            if let Some(success) = ended.or_else(|| self.pass_over(active)) {
                return Some(success);
            }
        }
        None
    }

    /// Each thing that wakes a leaf begins a pass, which is over when all that it set in motion waits.
    pub(super) fn pass_over(&mut self, active: &mut Active<'t>) -> Option<bool> {
        match self.undecided && !self.many_end {
            true => {
                self.undecided = false;
                self.wake(active, &Wake::PassOver)
            }
            false => None,
        }
    }

    /// What a node itself does about what has happened.
    fn wake_itself(&mut self, active: &mut Active<'t>, wake: &Wake) -> Option<bool> {
        if active.is_due {
            return None;
        }
        match wake {
            Wake::Ends(all) => {
                let (_, success) = all.iter().find(|(order, _)| *order == active.order)?;
                Some(self.end_leaf(active, *success))
            }
            Wake::Timer(order) => {
                let mut timers = active.timers.iter();
                let timer = timers.position(|(_, other, _)| other == order)?;
                match active.timers.remove(timer).2 {
                    Some(every) => {
                        self.serve(active, every);
                        None
                    }
                    None => {
                        if matches!(active.node.kind, Kind::Timeout(_))
                            && let Some(success) = self.wake_below(active, &Wake::Polled)
                        {
                            return Some(success);
                        }
                        self.go_on(active, News::Timer)
                    }
                }
            }
            Wake::Turn if active.stamp != self.poll && !self.spent => {
                active.stamp = self.poll;
                self.go_on(active, News::Turn)
            }
            // “What a delivery entered has had its turn.”
            Wake::Polled if active.stamp != self.poll && active.is_polled() => {
                active.stamp = self.poll;
                self.go_on(active, News::Turn)
            }
            Wake::Guard(fired) => self.fire_guard(active, fired),
            _ => None,
        }
    }
}
