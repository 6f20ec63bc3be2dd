//! A poll: what the host asked for, the root, deliveries, turns.

use bt_core::Status;

use super::{Arrival, Id, Phase, Reference, Request, Wake};
use crate::cases::{Kind, Op, ends};

impl<'t> Reference<'t> {
    /// The host does something; how the tree stands after a poll.
    pub fn act(&mut self, op: Op, scripts: &[&'t str]) -> Option<Status> {
        match op {
            Op::Poll(quarters) => return Some(self.poll(quarters)),
            // “After an end or a stop … it is dropped.” *Chosen*: what is fired while a `load` or `reset`
            // is asked for, after which a tree runs, is kept.
            Op::Fire(event) => {
                let begins = match self.request {
                    Some(Request::Reset { .. }) => true,
                    Some(Request::Load(_)) => self.phase != Phase::Idle,
                    _ => false,
                };
                if begins || !matches!(self.phase, Phase::Idle | Phase::Ended(_)) {
                    self.arrived.push_back(Arrival::Event(event));
                }
            }
            Op::End(number, success) => {
                let name = scripts.get(number % scripts.len().max(1));
                if let Some(waiting) = name.and_then(|name| self.waiting.get(name)) {
                    self.arrived.push_back(Arrival::Finished(*waiting, success));
                }
            }
            Op::Finish(number, success) => {
                let leaves = self.leaves().into_iter();
                let leaves = leaves.filter(|(_, leaf)| ends(leaf.state()));
                let leaves: Vec<_> = leaves.map(|(id, _)| id).collect();
                if !leaves.is_empty() {
                    let leaf = leaves[number % leaves.len()];
                    self.arrived.push_back(Arrival::Finished(leaf, success));
                }
            }
            Op::Key(key, on) => {
                if self.keys.insert(key, on.into()) != Some(on.into()) {
                    self.host_wrote.insert((None, key));
                }
            }
            Op::Flag(flag, on) => {
                self.flags.insert(flag, on);
            }
            Op::Pause => (self.paused, self.was_paused) = (true, true),
            Op::Resume => self.paused = false,
            Op::Stop => {
                self.request = None;
                // It gets the time, as a poll does: a pause that was resumed is over.
                self.was_paused = self.paused;
                self.stop();
            }
            Op::Start => {
                if matches!(self.phase, Phase::Idle | Phase::Ended(_)) {
                    self.phase = Phase::Due;
                }
            }
            // “Among equals the later counts.”
            Op::Reset => self.request = Some(Request::Reset { clear: true }),
            Op::Load(tree) => self.request = Some(Request::Load(tree)),
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
        self.in_turn = false;
        // *Chosen*: nothing is called between a request and what it leads to, so it comes first.
        self.apply_request();
        self.move_to_newest();
        // “What the host wrote since the last poll reacts before the first delivery.”
        let is_due = self.phase == Phase::Due;
        let wrote = std::mem::take(&mut self.host_wrote);
        self.react(&wrote);
        // “A root that is due starts before the first delivery of a poll.”
        match is_due {
            true => self.begin_root(),
            false => self.enter_due(),
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

    /// Applies the request of the host.
    fn apply_request(&mut self) {
        match self.request.take() {
            // *Chosen*: asked for between two polls, “the next poll” is the second of them.
            Some(Request::Reset { clear }) => {
                self.abort_all();
                self.reset(clear);
            }
            Some(Request::Load(tree)) => {
                self.abort_all();
                self.tree = tree;
                if matches!(self.phase, Phase::Active | Phase::Ended(_)) {
                    self.phase = Phase::Due;
                }
            }
            _ => {}
        }
    }

    /// “`reset` and `load` keep what is queued.” “Latched events are cleared by `reset` and `stop`.”
    pub(super) fn reset(&mut self, clear: bool) {
        self.kept.clear();
        self.last_known.clear();
        self.latched.clear();
        if clear {
            self.keys.clear();
        }
        self.phase = Phase::Due;
    }

    /// “After an end or a stop … it is dropped.”
    pub(super) fn stop(&mut self) {
        self.abort_all();
        self.phase = Phase::Idle;
        self.latched.clear();
        self.arrived.clear();
    }

    pub(super) fn abort_all(&mut self) {
        if let Some(root) = self.root.take() {
            self.abort(root);
        }
        self.wrote.clear();
    }

    pub(super) fn begin_root(&mut self) {
        self.phase = Phase::Active;
        self.began = self.poll;
        let root = &self.trees[self.tree].root;
        self.enter((self.tree, root, 0), None);
    }

    /// Hands down a delivery.
    fn wake_root(&mut self, all: &[(Id, Wake)]) {
        if let Some(root) = self.root {
            self.wake(root, all);
        }
    }

    /// “The agent keeps its state and goes on next poll.”
    fn enter_due(&mut self) {
        let wake = |active: &super::Active<'_>| match active.over {
            Some(success) => Some(Wake::Over(success)),
            None => active.is_due.then_some(Wake::Due),
        };
        let all = self.all().into_iter();
        let all: Vec<_> = all
            .filter_map(|(id, active)| Some((id, wake(active)?)))
            .collect();
        if !all.is_empty() {
            self.wake_root(&all);
        }
    }

    /// “Mode `loop` starts it again, in the same poll only if the run that ended had blocked … Mode
    /// `once` stops and keeps the result.”
    pub(super) fn tree_ended(&mut self, success: bool) {
        self.root = None;
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
            let all = self.active.iter();
            let timers = all.flat_map(|(id, active)| {
                let timers = active.timers.iter();
                timers.map(|(time, order, _)| (*time, *order, *id))
            });
            match timers.min() {
                Some((time, order, id)) if time <= self.now => {
                    self.wake_root(&[(id, Wake::Timer(order))]);
                }
                _ => return,
            }
        }
    }

    fn deliver(&mut self, arrival: Arrival<'t>) {
        let event = match arrival {
            Arrival::Finished(order, success) => {
                return self.wake_root(&[(order, Wake::Ends(success))]);
            }
            Arrival::Event(event) => event,
        };
        // “Consumed by the first waiter in the order they were entered; option broadcast.”
        let all = self.active.iter();
        let mut waiters: Vec<_> = all
            .filter(|(_, active)| active.own.event == Some(event))
            .collect();
        waiters.sort_by_key(|(id, _)| **id);
        let is_broadcast = |(_, active): &(&Id, &super::Active<'t>)| {
            matches!(
                active.node.kind,
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
            .map(|(id, active)| (**id, Wake::Ends(active.own.success)))
            .collect();
        if ends.is_empty() {
            // “An event nobody takes is dropped …; option latch.”
            if self.is_latched(event) {
                self.latched.retain(|kept| *kept != event);
                self.latched.push(event);
            }
            return;
        }
        self.wake_root(&ends);
    }

    /// Returns true if a waiter of some tree takes events that came before.
    pub(super) fn is_latched(&self, event: &str) -> bool {
        fn waits(node: &crate::cases::Node, event: &str) -> bool {
            matches!(node.kind, Kind::WaitEvent { event: of, latch: true, .. } if of == event)
                || node.children.iter().any(|child| waits(child, event))
        }
        self.trees.iter().any(|tree| waits(&tree.root, event))
    }

    /// “After the last delivery comes the *turn*.”
    fn take_turns(&mut self) {
        self.in_turn = true;
        if !self.spent
            && let Some(root) = self.root
        {
            self.visit(root);
        }
        self.in_turn = false;
    }
}
