//! A poll: what the host asked for, the root, deliveries, turns.

use bt_core::Status;

use super::guards::Lower;
use super::walk::Entered;
use super::{Active, Arrival, Interrupt, Phase, Reference, Wake};
use crate::cases::{Kind, Op, ends};

impl<'t> Reference<'t> {
    /// The host does something; how the tree stands after a poll.
    pub fn act(&mut self, op: Op, scripts: &[&'t str]) -> Option<Status> {
        match op {
            Op::Poll(quarters) => return Some(self.poll(quarters)),
            Op::Fire(event) => self.arrived.push_back(Arrival::Event(event)),
            Op::End(number, success) => {
                let name = scripts.get(number % scripts.len().max(1));
                if let Some(waiting) = name.and_then(|name| self.waiting.get(name)) {
                    self.arrived.push_back(Arrival::Finished(*waiting, success));
                }
            }
            Op::Finish(number, success) => {
                let all = self.all().into_iter();
                let leaves = all.filter(|active| active.below.is_empty() && ends(active.state()));
                let leaves: Vec<_> = leaves.map(|leaf| leaf.order).collect();
                if !leaves.is_empty() {
                    let leaf = leaves[number % leaves.len()];
                    self.arrived.push_back(Arrival::Finished(leaf, success));
                }
            }
            Op::Key(key, on) => {
                self.keys.insert(key, on);
            }
            Op::Flag(flag, on) => {
                self.flags.insert(flag, on);
            }
            Op::Pause => (self.paused, self.was_paused) = (true, true),
            Op::Resume => self.paused = false,
            Op::Stop => {
                self.wish = None;
                self.abort_all();
                self.phase = Phase::Idle;
            }
            Op::Start => {
                if matches!(self.phase, Phase::Idle | Phase::Ended(_)) {
                    self.phase = Phase::Due;
                }
            }
            Op::Reset => self.wish = Some(Interrupt::Reset { clear: true }),
            Op::Load(tree) => self.wish = Some(Interrupt::Load(tree)),
        }
        None
    }

    fn poll(&mut self, quarters: i8) -> Status {
        // “One that goes back counts as unchanged.”
        let passed = quarters.max(0).unsigned_abs();
        // “Paused: nothing runs, time waited is not lost.”
        self.last = None;
        if self.paused {
            return self.status();
        }
        if !std::mem::take(&mut self.was_paused) {
            self.now += u64::from(passed);
        }
        self.poll += 1;
        self.budget = self.max_budget;
        self.spent = false;
        self.grant();
        // “A root that is due starts before the first delivery of a poll.”
        match self.phase {
            Phase::Due => self.begin_root(),
            _ => self.wake_root(&Wake::Due),
        }
        self.make_deliveries();
        self.take_turns();
        self.make_deliveries();
        if matches!(self.phase, Phase::Idle | Phase::Ended(_)) {
            self.arrived.clear();
        }
        self.status()
    }

    fn status(&self) -> Status {
        match (self.phase, self.last) {
            (Phase::Ended(success), _) | (Phase::Due, Some(success)) => success.into(),
            (Phase::Idle, _) => Status::Failure,
            _ => Status::Running,
        }
    }

    /// Does what the host asked for: “what runs now is aborted first”.
    fn grant(&mut self) {
        match self.wish.take() {
            Some(Interrupt::Reset { clear }) => {
                self.abort_all();
                self.reset(clear);
            }
            Some(Interrupt::Load(tree)) => {
                self.abort_all();
                self.tree = tree;
                if matches!(self.phase, Phase::Active | Phase::Ended(_)) {
                    self.phase = Phase::Due;
                }
            }
            _ => {}
        }
    }

    fn reset(&mut self, clear: bool) {
        self.kept.clear();
        self.latched.clear();
        if clear {
            self.keys.clear();
        }
        self.phase = Phase::Due;
    }

    fn abort_all(&mut self) {
        if let Some(mut root) = self.root.take() {
            self.abort(&mut root);
        }
    }

    fn begin_root(&mut self) {
        self.phase = Phase::Active;
        self.began = self.poll;
        self.enter_root();
    }

    fn enter_root(&mut self) {
        let root = &self.trees[self.tree].root;
        match self.enter((self.tree, root, 0), 0, &mut Lower::new()) {
            Entered::Ended(success) => self.tree_ended(success),
            Entered::Waits(mut root) => match self.pass_over(&mut root) {
                Some(success) => self.tree_ended(success),
                None => self.settle(*root),
            },
        }
    }

    /// Hands down what has happened.
    fn wake_root(&mut self, wake: &Wake) {
        let Some(mut root) = self.root.take() else {
            return;
        };
        if root.is_due && matches!(wake, Wake::Due) {
            return self.enter_root();
        }
        match self.wake(&mut root, wake) {
            Some(success) => self.tree_ended(success),
            None => self.settle(root),
        }
    }

    /// The walk is over: what interrupted it, if anything, happens.
    fn settle(&mut self, mut root: Active<'t>) {
        match self.interrupt.take() {
            None => self.root = Some(root),
            Some(Interrupt::End { success, .. }) => {
                self.end(&mut root, success);
                self.tree_ended(success);
            }
            Some(Interrupt::Stop) => {
                self.abort(&mut root);
                self.phase = Phase::Idle;
            }
            Some(Interrupt::Reset { clear }) => {
                self.abort(&mut root);
                self.reset(clear);
            }
            Some(Interrupt::Load(tree)) => {
                self.abort(&mut root);
                self.tree = tree;
                self.begin_root();
            }
        }
    }

    /// “Mode `loop` starts it again, in the same poll only if the run that ended had blocked … Mode
    /// `once` stops and keeps the result.”
    fn tree_ended(&mut self, success: bool) {
        self.last = Some(success);
        if !self.looping {
            self.phase = Phase::Ended(success);
        } else if self.began == self.poll {
            self.phase = Phase::Due;
        } else {
            self.begin_root();
        }
    }

    /// “Deliveries are made one at a time: queued events and completions in the order they arrived,
    /// then due timers in the order of their times (ties in the order they were set).” “Budget spent:
    /// undelivered events stay queued.”
    fn make_deliveries(&mut self) {
        while self.root.is_some() && !self.spent {
            if let Some(arrival) = self.arrived.pop_front() {
                self.deliver(arrival);
                continue;
            }
            let all = self.all().into_iter().filter(|active| !active.is_due);
            let timers = all.flat_map(|active| &active.timers);
            let next = timers.map(|(time, order, _)| (*time, *order)).min();
            match next {
                Some((time, order)) if time <= self.now => self.wake_root(&Wake::Timer(order)),
                _ => return,
            }
        }
    }

    fn deliver(&mut self, arrival: Arrival<'t>) {
        let event = match arrival {
            Arrival::Finished(order, success) => {
                return self.wake_root(&Wake::Ends(vec![(order, success)]));
            }
            Arrival::Event(event) => event,
        };
        // “Consumed by the first waiter in the order they were entered; option broadcast.”
        let all = self.all().into_iter();
        let mut waiters: Vec<_> = all
            .filter(|active| active.own.event == Some(event))
            .collect();
        waiters.sort_by_key(|waiter| waiter.order);
        let is_broadcast = |waiter: &&Active<'t>| {
            matches!(
                waiter.node.kind,
                Kind::WaitEvent {
                    broadcast: true,
                    ..
                }
            )
        };
        let last = waiters.iter().position(|waiter| !is_broadcast(waiter));
        waiters.truncate(last.map_or(waiters.len(), |last| last + 1));
        let ends: Vec<_> = waiters
            .iter()
            .map(|waiter| (waiter.order, waiter.own.success))
            .collect();
        if ends.is_empty() {
            // “An event nobody takes is dropped …; option latch.”
            if self.is_latched(event) {
                self.latched.retain(|kept| *kept != event);
                self.latched.push(event);
            }
            return;
        }
        self.many_end = ends.len() > 1;
        self.wake_root(&Wake::Ends(ends));
        if std::mem::take(&mut self.many_end) {
            self.wake_root(&Wake::PassOver);
        }
    }

    /// Whether a waiter of some tree takes events that came before.
    fn is_latched(&self, event: &str) -> bool {
        fn waits(node: &crate::cases::Node, event: &str) -> bool {
            matches!(node.kind, Kind::WaitEvent { event: of, latch: true, .. } if of == event)
                || node.children.iter().any(|child| waits(child, event))
        }
        self.trees.iter().any(|tree| waits(&tree.root, event))
    }

    /// “After the last delivery, polled leaves, reactive nodes and watched conditions have their turn,
    /// once.”
    fn take_turns(&mut self) {
        while !self.spent
            && let Some(mut root) = self.root.take()
        {
            let fired = self.ask_guards(&mut root);
            self.root = Some(root);
            match fired {
                Some(fired) => self.wake_root(&Wake::Guard(fired)),
                None => break,
            }
        }
        if !self.spent {
            self.wake_root(&Wake::Turn);
        }
    }
}
