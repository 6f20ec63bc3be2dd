//! Events: who waits for one, who takes one, and the trees that they start.

use serde_json::{Map, Value};
use thin_vec::ThinVec;

use super::node_ref::{At, NOWHERE};
use super::plain::{Delivery, Due, Entry, Level, Order, Phase, Suspension, Then, Wait};
use super::walk::{Act, Step, Walker};
use crate::Event;
use crate::blackboard::KeyId;
use crate::trace::{Switch, What};
use crate::tree::plan::Taken;

/// An entry that waits for an event.
#[derive(Debug, Clone, Copy)]
struct Waiter {
    order: Order,
    position: usize,
    /// The result.
    success: bool,
    /// True if it leaves the event to others, too.
    broadcast: bool,
}

/// The keys for an event's parameters.
pub(crate) type Params = [(Box<str>, KeyId)];

impl Walker<'_> {
    /// Gives an event to the first who waits for it, else to a node that takes it.
    pub(crate) fn hand_event(&mut self, event: Event) {
        let number = self.plan.events.get(event.name()).copied();
        let Some(first) = self.first_waiter(&event, number) else {
            if self.core.phase == Phase::Stopping {
                return self.core.drop_event(self.plan, &event);
            }
            if self.leaves_tree().is_some() {
                // It is for the tree that follows.
                return self.core.cold().inbox.hold(Delivery::Event(event));
            }
            match number {
                Some(number) if self.take_event(&event, number) => {}
                Some(number) if self.plan.latched[number as usize] => {
                    let name = event.name().into();
                    self.trace(NOWHERE, What::EventKept { event: name });
                    self.core.cold().inbox.latch(number, event);
                }
                _ => self.core.drop_event(self.plan, &event),
            }
            return;
        };
        if self.holds(first.position) {
            return self.core.cold().inbox.hold(Delivery::Event(event));
        }
        self.hand_params(first, &event);
        if !first.broadcast {
            return self.end_waiting(first.position, first.success);
        }
        let mut waiters = vec![first];
        let mut last = first;
        while last.broadcast
            && let Some(next) = self.waiter(&event, number, |entry| entry.order > last.order)
        {
            self.hand_params(next, &event);
            waiters.push(next);
            last = next;
        }
        // They end in the order in which nodes run, in one pass.
        waiters.sort_unstable_by_key(|waiter| waiter.position);
        let orders = waiters.iter().map(|waiter| waiter.order);
        self.core.cold().continuations.begin_ending(orders);
        let waiters = waiters.into_iter();
        let mut waiters = waiters.map(|waiter| (waiter.order, waiter.success));
        while let Some((order, success)) = waiters.next() {
            self.end_waiter(order, success);
            if self.core.is_stopped() {
                return self.core.leave_waiters(waiters.collect());
            }
        }
    }

    /// Ends one of several that waited for an event.
    pub(super) fn end_waiter(&mut self, order: Order, success: bool) {
        self.core.cold().continuations.end(order);
        // One in a part of the tree that is closed by now ends once that is open.
        let mut entries = self.core.entries.iter();
        if let Some(position) = entries.position(|entry| entry.order == order) {
            match self.holds(position) {
                true => {
                    let held = Delivery::Finished(order, success);
                    self.core.cold().inbox.hold(held);
                }
                false => self.end_waiting(position, success),
            }
        }
    }

    /// The waiter for an event that has waited longest. If that is in a closed part of the tree, what is
    /// cancelling goes first: that part may be closed until this event has come.
    fn first_waiter(&self, event: &Event, number: Option<u32>) -> Option<Waiter> {
        let first = self.waiter(event, number, |_| true)?;
        let cancels = |entry: &Entry| entry.wait == Wait::Cancelling;
        match self.holds(first.position) {
            true => self.waiter(event, number, cancels).or(Some(first)),
            false => Some(first),
        }
    }

    /// The waiter for an event that has waited longest of those that pass the test.
    fn waiter(
        &self,
        event: &Event,
        number: Option<u32>,
        test: impl Fn(&Entry) -> bool,
    ) -> Option<Waiter> {
        let mut first: Option<Waiter> = None;
        for (position, entry) in self.core.entries.iter().enumerate() {
            let order = entry.order;
            if !test(entry) || first.is_some_and(|first| first.order < order) {
                continue;
            }
            let found = match &entry.more {
                _ if entry.wait == Wait::Event => {
                    let kind = self.plan.node(entry.at.node).kind.behaviour();
                    let broadcast = number.and_then(|number| kind.awaits(number));
                    broadcast.map(|broadcast| (true, broadcast))
                }
                Some(more) => {
                    let mut on = more.on.iter();
                    let found = on.find(|(name, _)| name == event.name());
                    found.map(|(_, success)| (*success, false))
                }
                None => None,
            };
            if let Some((success, broadcast)) = found {
                first = Some(Waiter {
                    order,
                    position,
                    success,
                    broadcast,
                });
            }
        }
        first
    }

    /// Writes an event's parameters for who waited for it.
    fn hand_params(&mut self, waiter: Waiter, event: &Event) {
        let at = self.core.entries[waiter.position].at;
        self.trace_consumed(at, event, false);
        let kind = self.plan.node(at.node).kind.behaviour();
        self.write_params(at, kind.event_params(), event);
    }

    /// Writes an event's parameters under their keys, as a node sees them.
    pub(crate) fn write_params(&mut self, at: At, params: &Params, event: &Event) {
        if params.is_empty() {
            return;
        }
        let frame = std::mem::replace(&mut self.core.frame, at.frame);
        if self.plan.scoped {
            self.core.enter_scope(self.plan, at.node);
        }
        for (param, key) in params {
            // One that the event does not have leaves its key as it is.
            if let Some(value) = event.get(param) {
                self.core.session.board().put(*key, Some(value.clone()));
            }
        }
        self.core.frame = frame;
        // No action wrote them: guards see them in the turn.
        self.stir(Due::Turn);
        self.report_refused(at.node);
    }

    /// Reports what was written to keys of another type.
    pub(crate) fn report_refused(&mut self, node: u32) {
        for why in self.core.session.board().take_refused() {
            self.report(Some(node), why.to_string());
        }
    }

    /// Lets the deepest active node that takes an event take it; whether there is one.
    fn take_event(&mut self, event: &Event, number: u32) -> bool {
        if !self.plan.takes_events {
            return false;
        }
        let Some((at, which)) = self.taker(number) else {
            return false;
        };
        if self.is_closed(at) {
            self.core.cold().inbox.hold(Delivery::Event(event.clone()));
            return true;
        }
        let plan = self.plan;
        let Some(attached) = plan.attached(at.node) else {
            return false;
        };
        let taken = &attached.events[which as usize];
        self.trace_consumed(at, event, false);
        if taken.once {
            self.core.cold().taken.push((at, which));
        }
        self.write_params(at, &taken.params, event);
        let step = self.switch(at, taken, event);
        self.walk_on(step);
        true
    }

    /// The deepest active node that takes an event, then the first; which of its events that is.
    fn taker(&self, number: u32) -> Option<(At, u32)> {
        let mut best: Option<(u32, At, u32)> = None;
        let mut last: Option<At> = None;
        for entry in &self.core.entries {
            if entry.wait == Wait::Cancelling {
                continue;
            }
            let mut at = Some(entry.at);
            if !entry.wait.is_entered() {
                at = self.core.above(self.plan, entry.at);
            }
            while let Some(place) = at {
                if let Some(which) = self.takes(place, number) {
                    let depth = self.core.depth(self.plan, place);
                    if best.is_none_or(|(deepest, ..)| depth > deepest) {
                        best = Some((depth, place, which));
                    }
                    // What stands above it is less deep.
                    break;
                }
                at = self.core.above(self.plan, place);
                if at.is_some() && at == last {
                    break;
                }
            }
            last = self.core.above(self.plan, entry.at);
        }
        best.map(|(_, at, which)| (at, which))
    }

    /// The number of a node's event, if it takes that event now.
    fn takes(&self, at: At, number: u32) -> Option<u32> {
        let events = &self.plan.attached(at.node)?.events;
        let had = |which: u32| {
            let cold = self.core.cold.as_ref();
            cold.is_some_and(|cold| cold.taken.contains(&(at, which)))
        };
        let mut events = events.iter().enumerate();
        let takes = |(which, taken): &(usize, &Taken)| {
            taken.event == number && !(taken.once && had(*which as u32))
        };
        events.find(takes).map(|(which, _)| which as u32)
    }

    /// Starts an event's tree.
    fn switch(&mut self, by: At, taken: &Taken, event: &Event) -> Step {
        let own = taken.own.iter();
        let own = own.filter_map(|(param, key)| Some((key.to_string(), event.get(param)?.clone())));
        let own: Map<_, _> = own.collect();
        // They wait there for the tree to start, which an abort may put off.
        let handed = (!own.is_empty()).then_some(Value::Object(own));
        let handed = handed.into_iter().collect();
        self.core.cold().requests.hand_over(handed);
        if !taken.comes_back {
            return self.abort_tree(by, Then::Start(taken.tree));
        }
        if self.core.level() >= super::context::DEEPEST {
            let root = self.core.root;
            let name = &self.plan.trees[taken.tree as usize].name;
            let text = format!("`{name}` does not start: too many trees are suspended below it");
            self.report(Some(root), text);
            return Step::Blocked;
        }
        if self.core.is_traced {
            // What waits by now gets no more events.
            self.core.trace_waits(self.plan);
        }
        self.suspend(Suspension {
            by,
            event: taken.event,
            since: self.core.now(),
        });
        self.start_with_params(by, taken.tree, Switch::Suspend)
    }

    /// Starts an event's tree, with the parameters that go to keys of its own.
    pub(crate) fn start_with_params(&mut self, by: At, tree: u32, how: Switch) -> Step {
        let step = self.start_tree(by, tree, how);
        let handed = self.core.cold().requests.take_handed();
        if let Some(Value::Object(values)) = handed.into_iter().next() {
            self.write_own(self.core.base_root(), values);
        }
        step
    }

    /// Writes keys of a run of a tree, as its root sees them.
    pub(crate) fn write_own(
        &mut self,
        root: At,
        values: impl IntoIterator<Item = (impl AsRef<str>, Value)>,
    ) {
        let frame = std::mem::replace(&mut self.core.frame, root.frame);
        self.enter_scope(root.node);
        for (key, value) in values {
            self.core.session.board().set(key.as_ref(), value);
        }
        self.core.frame = frame;
        self.report_refused(root.node);
    }

    /// Suspends the current tree where it stands.
    fn suspend(&mut self, why: Suspension) {
        let core = &mut *self.core;
        let level = core.level();
        let base = core.new_frame(super::node_ref::Frame {
            tree: (),
            caller: super::node_ref::NOWHERE,
            depth: 0,
            level: level + 1,
            board: None,
        });
        let suspended = Level {
            root: core.root,
            base: core.base(),
            began: core.began,
            turns: core.turns,
            entries: std::mem::take(&mut core.entries),
            watches: core.cold().observers.suspend(),
            leaving: std::mem::take(&mut core.cold().leaving),
            held: core.cold().inbox.take_held(),
            why: Some(why),
        };
        core.cold().suspended.push(suspended, base);
        core.turns = 0;
    }

    /// Goes on with the tree that was suspended last, in place of the current one, which has ended.
    pub(crate) fn back_to_suspended(&mut self) {
        let core = &mut *self.core;
        let Some((level, base)) = core.cold().suspended.pop() else {
            return;
        };
        let ended = std::mem::replace(&mut core.root, level.root);
        core.cold().closed_frames.push(base);
        core.frame = level.base;
        core.began = level.began;
        core.turns = level.turns;
        core.entries = level.entries;
        core.phase = Phase::Active;
        let cold = core.cold();
        cold.observers.resume(level.watches);
        cold.leaving = level.leaving;
        cold.inbox.put_first(level.held.into_iter());
        core.interrupted.react();
        self.skip_polls();
        self.omit_resumed();
        self.restart_turn();
        self.trace_switch(NOWHERE, ended, self.core.root, Switch::Resume);
    }

    /// Polls in which a tree was suspended count for none of its nodes.
    fn skip_polls(&mut self) {
        let core = &mut *self.core;
        // The next poll that counts is this one, unless its turn is over, or it has none.
        let counts = !core.is_turned() && core.its_pace().is_none_or(|pace| !pace.omitted().turn);
        let last = core.poll.saturating_sub(u32::from(counts));
        for number in 0..core.entries.len() {
            let (at, stamp) = (core.entries[number].at, core.entries[number].stamp);
            if let Some(cold) = &mut core.cold {
                cold.states.skip_polls(at, last.saturating_sub(stamp));
            }
        }
    }

    /// A node took an event.
    pub(crate) fn trace_consumed(&mut self, at: At, event: &Event, kept: bool) {
        let event = event.name().into();
        self.trace(at, What::EventConsumed { event, kept });
    }

    /// The frame of a tree that has ended is closed; the node that called it, if one did, and its result.
    #[inline(never)]
    fn leave_frame(&mut self, root: u32, success: bool) -> Option<(At, bool)> {
        let frame = self.core.frame;
        let caller = self.core.frame(frame).caller;
        let caller = (caller != NOWHERE).then_some(caller);
        let fits = caller.is_none_or(|caller| self.take_results(root, caller, success));
        self.close_frame(frame);
        let caller = caller?;
        if !success {
            self.core.note_called_failed(caller.node);
        }
        Some((caller, success && fits))
    }

    /// Writes what keys of a tree that has ended hold to those of the node that called it, all or none; whether they
    /// fit. A key that is unset leaves the other as it is.
    fn take_results(&mut self, root: u32, caller: At, success: bool) -> bool {
        let plan = self.plan;
        let results = plan.node(caller.node).kind.behaviour();
        let results = results.tree_results(success);
        if results.is_empty() {
            return true;
        }
        let tree = plan.tree_of(root);
        self.core.enter_scope(plan, root);
        let board = self.core.session.board();
        let mut taken = ThinVec::with_capacity(results.len());
        let mut wrong = None;
        for (key, own) in results {
            match plan.keys.find(tree.scope, key) {
                Some(id) if plan.keys.is_own(tree.scope, key) => {
                    taken.extend(board.value(id).map(|value| (key, *own, value)));
                }
                // Its name came from a key.
                Some(_) | None => {
                    let text = "is declared by no key of scope `tree` at the root of";
                    wrong.get_or_insert_with(|| format!("result `{key}` {text} `{}`", tree.name));
                }
            }
        }
        self.core.frame = caller.frame;
        self.core.enter_scope(plan, caller.node);
        let board = self.core.session.board();
        for (key, own, value) in &taken {
            if let Err(why) = board.can_put(*own, value) {
                wrong.get_or_insert_with(|| format!("result `{key}` of `{}`: {why}", tree.name));
            }
        }
        if let Some(why) = wrong {
            self.report(Some(caller.node), why);
            return false;
        }
        for (_, own, value) in taken {
            board.put(own, Some(value));
        }
        // Guards that follow the keys react before the walk continues.
        let stirs = board.has_pending_changes();
        self.core.interrupted.react_if(stirs);
        true
    }

    /// The root of a tree has ended, and was exited.
    pub(crate) fn tree_ended(&mut self, root: u32, success: bool) -> Step {
        if !self.core.frames.is_empty()
            && let Some((caller, success)) = self.leave_frame(root, success)
        {
            return Step::Jump(caller, Act::Done(success));
        }
        if self.core.level() > 0 {
            self.back_to_suspended();
            return Step::Blocked;
        }
        self.core.last = Some(success);
        if !success && self.core.began == self.core.poll {
            self.core.note_tree_failed(self.plan);
        }
        let again = self.plan.tree_of(root).again;
        if !self.core.again.unwrap_or(again) {
            self.core.phase = Phase::ended(success);
            if self.core.is_traced {
                self.core.trace_stands(self.plan);
            }
            return Step::Blocked;
        }
        // A run that began in this poll is followed by the next one in the next.
        if self.core.began == self.core.poll {
            self.core.phase = Phase::Due;
            return Step::Blocked;
        }
        self.begin_root()
    }
}
