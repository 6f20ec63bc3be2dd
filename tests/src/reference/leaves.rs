//! Leaves: what they do when they are entered, what ends them, and how they are left.

use bt_core::LeafState;

use super::{Active, Arrival, Id, News, Next, Reference, Request};
use crate::cases::{Act, FIRES, Kind, Node, Script};
use crate::probe::Reply;

impl<'t> Reference<'t> {
    /// The next step of a leaf.
    pub(super) fn leaf(&mut self, id: Id, active: &mut Active<'t>, news: News) -> Next {
        match (&active.node.kind, news) {
            (Kind::Now(script) | Kind::Polled(script) | Kind::Starts(script), News::Entered) => {
                self.log.push(format!("enter {}", script.name));
                self.call(id, active, script)
            }
            (Kind::Polled(script), News::Turn) => {
                self.log.push(format!("tick {}", script.name));
                self.call(id, active, script)
            }
            (Kind::Draws, News::Entered) => {
                let drawn = self.random.int(0..=99);
                self.log.push(format!("draw {drawn}"));
                Next::Done(drawn % 2 == 0)
            }
            // “0: S at once, in the same pass, never R.”
            (Kind::Wait(0) | Kind::WaitFrames(0), News::Entered) => Next::Done(true),
            (Kind::More(key), News::Entered) => {
                let number = self.key_of(active, key) + 1;
                self.log.push(format!("{key} {number}"));
                self.write_of(id, active, key, number);
                Next::Done(true)
            }
            (Kind::Set(key), News::Entered) => {
                let number = self.key_of(active, key) + 1;
                self.write_of(id, active, key, number);
                Next::Done(true)
            }
            (Kind::Wait(time), News::Entered) => {
                self.wait(active, LeafState::Pending, true);
                self.set_timer(active, *time);
                Next::Wait
            }
            (Kind::WaitFrames(polls), News::Entered) => self.wait_polls(active, *polls, true),
            // “Option latch (kept for the next waiter, the newest only).”
            (Kind::WaitEvent { event, latch, .. }, News::Entered) => {
                if *latch && let Some(kept) = self.latched.iter().position(|kept| kept == event) {
                    self.latched.remove(kept);
                    return Next::Done(true);
                }
                self.wait(active, LeafState::Event, true);
                active.own.event = Some(*event);
                Next::Wait
            }
            (_, News::Timer) => self.ends(active, active.own.success),
            (_, News::Turn) if active.own.until.is_some_and(|until| until <= self.poll) => {
                self.ends(active, active.own.success)
            }
            _ => Next::Wait,
        }
    }

    fn wait(&mut self, active: &mut Active<'t>, state: LeafState, success: bool) {
        active.own.waits = Some(state);
        active.own.success = success;
    }

    /// “The poll a wait is entered in counts.”
    fn wait_polls(&mut self, active: &mut Active<'t>, polls: u64, success: bool) -> Next {
        self.wait(active, LeafState::Pending, success);
        let until = self.poll + polls.max(1) - 1;
        active.own.until = Some(until);
        match until == self.poll {
            true => self.ends(active, success),
            false => Next::Wait,
        }
    }

    /// Calls a scripted leaf.
    fn call(&mut self, id: Id, active: &mut Active<'t>, script: &'t Script) -> Next {
        let name = &*script.name;
        active.own.called = true;
        // “Time since this node's method last ran in this run of the node, else 0.”
        let delta = active.own.last_call.map_or(0, |last| self.now - last);
        active.own.last_call = Some(self.now);
        self.does(id, active, script, delta);
        let replies = self.replies.get_mut(name);
        let waits = !matches!(active.node.kind, Kind::Polled(_));
        let otherwise = match active.node.kind {
            Kind::Now(_) => Reply::End(true),
            _ => Reply::On,
        };
        let reply = replies.and_then(std::collections::VecDeque::pop_front);
        let reply = reply.unwrap_or(otherwise);
        if let Reply::End(success) = reply {
            return self.ends(active, success);
        }
        // “A panic in an action is that node's F.”
        if reply == Reply::Panic {
            return self.ends(active, false);
        }
        if !waits {
            self.wait(active, LeafState::Polled, false);
            return Next::Wait;
        }
        self.waiting.insert(name, id);
        match reply {
            Reply::After(seconds, success) => {
                self.wait(active, LeafState::Pending, success);
                self.set_timer(active, (seconds * 4.0) as u64);
            }
            Reply::Polls(polls, success) => return self.wait_polls(active, polls.into(), success),
            Reply::Event(event, success) => {
                self.wait(active, LeafState::Pending, success);
                active.own.event = Some(event);
            }
            _ => self.wait(active, LeafState::Pending, false),
        }
        Next::Wait
    }

    /// “Blackboard writes take effect at once … `fire` … queued and delivered in this poll … `load`,
    /// `reset`, `stop` act when the leaf returns.”
    fn does(&mut self, id: Id, active: &mut Active<'t>, script: &'t Script, delta: u64) {
        let name = &*script.name;
        let calls = self.calls.entry(name).or_default();
        *calls += 1;
        match script.act {
            Act::Delta => self.log.push(format!("{name} after {delta}")),
            Act::Set(key, on) => {
                let on = on != calls.is_multiple_of(3);
                self.write_of(id, active, key, on.into());
            }
            Act::Fire(event) if *calls <= FIRES => self.arrived.push_back(Arrival::Event(event)),
            Act::Fire(_) | Act::Nothing => {}
            Act::Stop => self.own_request = Some(Request::Stop),
            Act::Reset => self.own_request = Some(Request::Reset { clear: true }),
            Act::Load(tree) => self.own_request = Some(Request::Load(tree)),
        }
    }

    /// A leaf ends: its exit method runs.
    fn ends(&mut self, active: &Active<'t>, success: bool) -> Next {
        let how = if success { "success" } else { "failure" };
        self.exit(active.node, how);
        Next::Done(success)
    }

    /// Ends a leaf that waits.
    pub(super) fn end_leaf(&mut self, id: Id, success: bool) {
        if let Some(active) = self.active.get(&id) {
            let how = if success { "success" } else { "failure" };
            self.exit(active.node, how);
            self.ended(id, success);
        }
    }

    /// The exit method of a leaf that is aborted runs. *Chosen*: not if a guard reacted to what the leaf's
    /// enter effect wrote, before its action was called.
    pub(super) fn abort_leaf(&mut self, node: &Node, called: bool) {
        if called {
            self.exit(node, "aborted");
        }
    }

    fn exit(&mut self, node: &Node, how: &str) {
        if let Some(script) = node.kind.script() {
            self.log.push(format!("exit {} {how}", script.name));
        }
    }
}

impl Active<'_> {
    pub(super) fn is_polled(&self) -> bool {
        self.own.waits == Some(LeafState::Polled)
    }

    /// The wait of a node that nothing is active below.
    pub(super) fn state(&self) -> LeafState {
        match self.node.kind {
            _ if self.is_due => LeafState::Due,
            Kind::AlwaysRunning | Kind::Delay(_) => LeafState::Waiting,
            _ => self.own.waits.unwrap_or(LeafState::Due),
        }
    }
}
