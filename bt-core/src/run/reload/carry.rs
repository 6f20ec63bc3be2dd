//! From the numbers of one set of trees to those of another: nothing is called, and nothing begins.

use serde_json::Value;
use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::fate::Fates;
use super::same;
use crate::blackboard::{KeyId, Moved, Run, TreeFrame};
use crate::expression::means_the_same;
use crate::kinds::number::ONE;
use crate::kinds::{Amount, Long, NumberSlot};
use crate::reload::Map;
use crate::run::core::Core;
use crate::run::node_ref::At;
use crate::run::plain::{Delivery, Due, Entry, KeySet, Leaving, Renumber, Wait, Watch};
use crate::run::state::timers::{Purpose, Timer, Timers};
use crate::tree::plan::{Arg, NONE, Plan, PlanTree};

/// Moves a runner's state to changed trees, of which it is known what becomes of each active node.
pub(super) struct Carry<'a> {
    pub(super) old: &'a Plan,
    pub(super) new: &'a Plan,
    pub(super) map: &'a Map,
    pub(super) fates: &'a Fates<'a>,
}

impl Carry<'_> {
    /// Moves all of it; what could not be kept, and the timers in the order in which they were due.
    pub(super) fn carry(&self, core: &mut Core) -> (Vec<String>, Vec<(At, Purpose)>) {
        let keys = self.board(core);
        let due = self.timers(core);
        self.frames(core);
        self.levels(core, &keys.noted);
        self.memory(core);
        let mut problems: Vec<_> = keys.refused.iter().map(ToString::to_string).collect();
        self.rest(core, &mut problems);
        (problems, due)
    }

    /// Puts the blackboard under the keys of the changed trees. Frames are still the old ones.
    fn board(&self, core: &mut Core) -> Moved {
        let mut runs = Vec::new();
        let mut frames = Vec::new();
        for number in 0..core.frames.len() as u32 {
            let Some((before, now)) = self.tree_of(number) else {
                continue;
            };
            let (before, now) = (
                &self.old.trees[before as usize],
                &self.new.trees[now as usize],
            );
            if before.scoped || now.scoped {
                frames.push((number, now.scoped));
                runs.push(Run {
                    frame: core.frame(number).board,
                    was: before.scope,
                    now: now.scope,
                    places: self.places(before, now),
                });
            }
        }
        // A tree that had no keys of its own runs without a frame while nothing calls another.
        if core.frames.is_empty()
            && let Some((before, now)) = self.tree_of(0)
            && self.new.trees[now as usize].scoped
        {
            let base = core.frame(0);
            core.frames.push(base);
            frames.push((0, true));
            runs.push(Run {
                frame: None,
                was: self.old.trees[before as usize].scope,
                now: self.new.trees[now as usize].scope,
                places: Vec::new(),
            });
        }
        let board = core.session.board();
        board.enter(TreeFrame::default(), crate::blackboard::Scope::AGENT);
        let mut moved = board.moved(self.new.keys.clone(), &runs);
        for ((number, is_scoped), frame) in frames.iter().zip(&moved.frames) {
            core.frames[*number as usize].board = is_scoped.then_some(*frame);
        }
        let board = std::mem::take(&mut moved.board);
        core.session.set_board(board);
        moved
    }

    /// The places of a tree's keys in its frame, before and now: those of the tree, and of each node that is the same.
    fn places(&self, was: &PlanTree, is: &PlanTree) -> Vec<(u32, u32)> {
        let (old, new) = (self.old, self.new);
        let same = |before, now| old.keys.same_locals(before, &new.keys, now);
        let declares = |plan: &Plan, tree: &PlanTree, node: u32| {
            let scope = plan.info(node).scope;
            (scope != tree.scope && scope != plan.outer_scope(node)).then_some(scope)
        };
        let of_nodes = new.nodes_of(is).filter_map(|node| {
            let before = declares(old, was, self.map.was(node)?)?;
            Some((before, declares(new, is, node)?))
        });
        let scopes = std::iter::once((was.scope, is.scope)).chain(of_nodes);
        scopes.flat_map(|(before, now)| same(before, now)).collect()
    }

    /// The tree that runs in a frame, before and now.
    fn tree_of(&self, frame: u32) -> Option<(u32, u32)> {
        let mut all = self.fates.all.iter().enumerate();
        let (number, active) = all.find(|(_, active)| active.at.frame == frame)?;
        let now = self.fates.now(number)?;
        let (before, now) = (self.old.info(active.at.node), self.new.info(now.node));
        Some((before.tree, now.tree))
    }

    fn frames(&self, core: &mut Core) {
        for frame in &mut core.frames {
            if let Some(caller) = self.fates.place(frame.caller) {
                frame.caller = caller;
            }
        }
    }

    /// Carries the timers: “Durations count from the original entry”, services from their last run. “What is due at
    /// the same time only since then comes in the order in which it was due before”: that order.
    fn timers(&self, core: &mut Core) -> Vec<(At, Purpose)> {
        let timers = std::mem::take(&mut core.timers);
        let mut due = Vec::new();
        let mut moved = Timers::default();
        for timer in timers.iter() {
            if let Some(timer) = self.timer(core, timer) {
                due.push((timer.at(), timer.purpose()));
                moved.set(timer);
            }
        }
        core.timers = moved;
        due
    }

    fn timer(&self, core: &Core, timer: &Timer) -> Option<Timer> {
        let (at, purpose) = (timer.at(), timer.purpose());
        let now = self.fates.entered(at)?;
        let (was, is) = (self.old.node(at.node), self.new.node(now.node));
        let time = match purpose {
            Purpose::Node => match (was.kind.behaviour().nanos(), is.kind.behaviour().nanos()) {
                (Some(was), Some(is)) => {
                    self.shifted(core, timer, (at, was), (now, is), (ONE, ONE))?
                }
                _ => timer.time(),
            },
            Purpose::End(_) => self.deadline(core, at, now, timer.time()),
            Purpose::Service(number) => {
                let every = |plan: &Plan, node: u32, number: u32| {
                    let services = &plan.attached(node)?.services;
                    Some(services.get(number as usize)?.every)
                };
                let number_now = self.service_now(at.node, now.node, number)?;
                let slots = (NumberSlot::service(number), NumberSlot::service(number_now));
                let is = every(self.new, now.node, number_now)?;
                let was = every(self.old, at.node, number)?;
                self.shifted(core, timer, (at, was), (now, is), slots)?
            }
        };
        Some(Timer::new(time, now, self.purpose(at, now, purpose)?))
    }

    /// The time of a timer that was counted with one number, counted with another: of one that is still to be
    /// [read](crate::run::walk::Walker::read_changed), with none. None of a node that fails.
    fn shifted(
        &self,
        core: &Core,
        timer: &Timer,
        (at, was): (At, Amount<Long>),
        (now, is): (At, Amount<Long>),
        slots: (NumberSlot, NumberSlot),
    ) -> Option<u64> {
        let was = match was {
            Amount::Known(was) => was.into(),
            Amount::Read => {
                let value = core.cold.as_ref()?.numbers.get(at, slots.0)?;
                let number = self.old.number(at.node, slots.0)?;
                number.wanted.read(value).ok()?
            }
        };
        let is = match is {
            Amount::Known(is) => is.into(),
            Amount::Read if self.is_number(at.node, slots.0, now.node, slots.1) => was,
            Amount::Read => 0,
        };
        Some(shifted(timer.time(), was, is))
    }

    /// Returns true if a number that an active node has read means the same in the changed trees.
    fn is_number(&self, was: u32, before: NumberSlot, is: u32, now: NumberSlot) -> bool {
        let (was, is) = (self.old.number(was, before), self.new.number(is, now));
        was.zip(is).is_some_and(|(was, is)| {
            was.is_kept && is.is_kept && means_the_same(&was.text, &is.text)
        })
    }

    /// The number of a node, or of a service of it, in the changed trees, if its value stays.
    fn number_now(&self, at: At, now: At, slot: NumberSlot) -> Option<NumberSlot> {
        let slot_now = match slot.as_service() {
            Some(number) => NumberSlot::service(self.service_now(at.node, now.node, number)?),
            None => slot,
        };
        self.is_number(at.node, slot, now.node, slot_now)
            .then_some(slot_now)
    }

    /// The purpose of a timer in the changed trees.
    fn purpose(&self, at: At, now: At, purpose: Purpose) -> Option<Purpose> {
        Some(match purpose {
            Purpose::Service(number) => {
                Purpose::Service(self.service_now(at.node, now.node, number)?)
            }
            Purpose::Node | Purpose::End(_) => purpose,
        })
    }

    /// The number of a service: the same call of the same place among such, else the same method.
    pub(super) fn service_now(&self, was: u32, is: u32, number: u32) -> Option<u32> {
        let (old, new) = (
            &self.old.attached(was)?.services,
            &self.new.attached(is)?.services,
        );
        let name = |plan: &Plan, call: u32| plan.calls[call as usize].name.clone();
        let method = name(self.old, old.get(number as usize)?.call);
        let is_same = |plan: &Plan, call: u32| name(plan, call) == method;
        let before = old[..number as usize].iter();
        let nth = before
            .filter(|service| is_same(self.old, service.call))
            .count();
        let mut same = new
            .iter()
            .zip(0..)
            .filter(|(service, _)| is_same(self.new, service.call));
        same.nth(nth).map(|(_, number)| number)
    }

    /// The time at which a waiting action ends.
    fn deadline(&self, core: &Core, at: At, now: At, time: u64) -> u64 {
        let nanos = |seconds: f64| {
            let time = std::time::Duration::try_from_secs_f64(seconds);
            time.map_or(0, |time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
        };
        let entry = same::entry(core, at);
        match entry.and_then(|entry| self.clock(core, entry, at, now)) {
            Some((was, is)) => shifted(time, nanos(was), nanos(is)),
            None => time,
        }
    }

    /// The old and the new duration of an action's wait, if they differ.
    fn clock(&self, core: &Core, entry: &Entry, at: At, now: At) -> Option<(f64, f64)> {
        let was = self.old.node(at.node).kind.action()?;
        let is = self.new.node(now.node).kind.action()?;
        let (was, is) = (&self.old.calls[was as usize], &self.new.calls[is as usize]);
        if same::are_args(was, is) || !same::is_clock(entry, was) {
            return None;
        }
        let value = |call: &crate::tree::plan::Call| {
            let value = match call.args.first()? {
                Arg::Literal(value) => value.as_f64(),
                Arg::Key(name, _) | Arg::Property(name, _) => core.board().get(name).as_f64(),
                Arg::Expression(computed) => core.board().value(computed.slot)?.as_f64(),
            };
            value.filter(|value| *value >= 0.0)
        };
        Some((value(was)?, value(is)?))
    }

    /// Carries all that runs: the current tree, and suspended ones.
    fn levels(&self, core: &mut Core, keys: &[(KeyId, KeyId)]) {
        let entries = std::mem::take(&mut core.entries);
        (core.entries, core.turns) = self.entries(core, entries);
        core.root = self.root_now(core.root);
        if core.cold.is_none() {
            return;
        }
        let watches = core.cold().observers.suspend();
        let watches = self.watches(core, &watches, keys);
        core.cold().observers.restore(watches);
        let leaving = std::mem::take(&mut core.cold().leaving);
        core.cold().leaving = self.all_leaving(&leaving);
        let mut suspended = core.cold().suspended.take();
        for level in &mut suspended {
            let entries = std::mem::take(&mut level.entries);
            (level.entries, level.turns) = self.entries(core, entries);
            level.watches = self.watches(core, &level.watches, keys);
            level.leaving = self.all_leaving(&level.leaving);
            level.root = self.root_now(level.root);
            level.why = level.why.and_then(|why| why.map(self.fates).ok());
        }
        core.cold().suspended.give_back(suspended);
    }

    /// The entries that stay, and how many of them have a turn.
    fn entries(&self, core: &Core, entries: SmallVec<[Entry; 1]>) -> (SmallVec<[Entry; 1]>, u32) {
        let entries = entries.into_iter();
        let mut moved: Vec<Entry> = entries
            .filter_map(|entry| self.entry(core, entry))
            .collect();
        moved.sort_by(|a, b| core.order(a.at, b.at));
        let turns = moved.iter().filter(|entry| entry.has_turn()).count();
        (moved.into_iter().collect(), turns as u32)
    }

    fn watches(&self, core: &Core, watches: &[Watch], keys: &[(KeyId, KeyId)]) -> ThinVec<Watch> {
        let watches = watches.iter();
        let mut moved: ThinVec<Watch> = watches
            .filter_map(|watch| self.watch(watch, keys))
            .collect();
        // Those of the siblings come before the node's own.
        moved.sort_by(|a, b| match a.at == b.at {
            true => (a.own, a.guard).cmp(&(b.own, b.guard)),
            false => core.order(a.at, b.at),
        });
        moved
    }

    fn all_leaving(&self, leaving: &[Leaving]) -> ThinVec<Leaving> {
        let leaving = leaving.iter();
        leaving
            .filter_map(|leaving| self.fates.leaving(leaving))
            .collect()
    }

    fn root_now(&self, root: u32) -> u32 {
        let tree = self.tree_now(root);
        tree.map_or(root, |tree| self.new.trees[tree as usize].root)
    }

    /// The tree of an old root.
    fn tree_now(&self, root: u32) -> Option<u32> {
        self.map.tree_now(self.old.info(root).tree)
    }

    fn entry(&self, core: &Core, mut entry: Entry) -> Option<Entry> {
        let was = entry.at;
        let now = self.fates.place(was)?;
        if entry.wait == Wait::Rerun && !self.reruns(now.node) {
            return None;
        }
        let mut until = entry.until;
        if let Some((frames, now)) = self.clock(core, &entry, was, now)
            && until != 0
        {
            let moved = i64::from(until) + now as i64 - frames as i64;
            until = u32::try_from(moved.max(1)).unwrap_or(u32::MAX);
        }
        let more = entry.more.take();
        let mut entry = entry.map(self.fates, entry.order, until, more).ok()?;
        if matches!(entry.wait, Wait::Pending | Wait::Polled) {
            self.keep_args(&mut entry, was.node);
        }
        Some(entry)
    }

    /// Returns true if a node runs again when it has ended.
    fn reruns(&self, node: u32) -> bool {
        let parent = self.new.nodes.get(self.new.parent(node) as usize);
        parent.is_some_and(|parent| parent.kind.behaviour().child_may_wait(Wait::Rerun))
    }

    /// An exit method gets the arguments of the call that it ends.
    fn keep_args(&self, entry: &mut Entry, was: u32) {
        let action = |plan: &Plan, node: u32| plan.node(node).kind.action();
        let calls = (action(self.old, was), action(self.new, entry.at.node));
        let (Some(was), Some(is)) = calls else { return };
        let (was, is) = (&self.old.calls[was as usize], &self.new.calls[is as usize]);
        let is_kept = entry
            .more
            .as_ref()
            .is_some_and(|more| !more.args.is_empty());
        if !was.exit_takes || is_kept || same::are_args(was, is) {
            return;
        }
        let args: Option<ThinVec<Value>> = was
            .args
            .iter()
            .map(|arg| match arg {
                Arg::Literal(value) => Some(value.clone()),
                Arg::Key(..) | Arg::Property(..) | Arg::Expression(_) => None,
            })
            .collect();
        if let Some(args) = args {
            entry.more.get_or_insert_default().args = args;
        }
    }

    /// Guards that are observed, where they mean what they did.
    fn watch(&self, watch: &Watch, keys: &[(KeyId, KeyId)]) -> Option<Watch> {
        let now = self.fates.near(watch.at).ok()?;
        let (was, is) = (self.old.guards(watch.at.node), self.new.guards(now.node));
        if !same::are_guards(self.old, was, self.new, is) {
            return None;
        }
        let (keys, due) = match self.sees_same_keys(watch.at.node, now.node) {
            true => (moved_keys(&watch.keys, keys), watch.due),
            false => (KeySet::default(), Due::Turn),
        };
        watch.map(self.fates, due, keys).ok()
    }

    /// Returns true if names are the same keys for the guards of a node as before: of the same nodes.
    fn sees_same_keys(&self, was: u32, is: u32) -> bool {
        let seen = |plan: &Plan, node: u32| {
            let names = plan.keys.locals_seen(plan.outer_scope(node));
            names.into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        let before = declaring(self.old, was).map(|node| self.map.node(node));
        before.eq(declaring(self.new, is).map(Some)) && seen(self.old, was) == seen(self.new, is)
    }

    /// Carries the state of nodes, of this run and beyond.
    fn memory(&self, core: &mut Core) {
        let (old, new, map) = (self.old, self.new, self.map);
        let fates = self.fates;
        let Some(cold) = &mut core.cold else { return };
        cold.numbers.carry(|at, slot| {
            let now = fates.place(at)?;
            Some((now, self.number_now(at, now, slot)?))
        });
        cold.states.carry(|at, state| {
            let number = fates.number(at)?;
            let now = fates.now(number)?;
            let child = |child: u32| fates.child(number, child);
            state.carry(&child).then_some(now)
        });
        cold.counters.carry(|node, retained| {
            let now = map.node(node)?;
            let standing = |child: u32| {
                let child = (old.parent(child) == node).then_some(child)?;
                fates
                    .standing(child, now)
                    .or_else(|| new.children(now).next())
            };
            // A node that keeps its place no more has none.
            let keeps = retained.carry(&standing) && new.node(now).kind.retains(retained);
            keeps.then_some(now)
        });
    }

    fn rest(&self, core: &mut Core, problems: &mut Vec<String>) {
        let (map, fates) = (self.map, self.fates);
        core.decided = map.node(core.decided).unwrap_or(NONE);
        core.frame = core.base();
        let Some(cold) = &mut core.cold else { return };
        let guarded = |node: u32| {
            let now = map.node(node)?;
            let (was, is) = (self.old.guards(node), self.new.guards(now));
            same::are_guards(self.old, was, self.new, is).then_some(now)
        };
        cold.observers.carry(guarded);
        cold.continuations.carry(fates);
        let taken = cold.taken.iter();
        cold.taken = taken
            .filter_map(|(at, which)| self.taken(*at, *which))
            .collect();
        let mut inbox = std::mem::take(&mut cold.inbox);
        let mut suspended = cold.suspended.take();
        let number = |event: &str| {
            let number = self.new.latched_event(event);
            number.map_err(|why| problems.push(why)).ok()
        };
        inbox.carry(|delivery| self.delivery(delivery), number);
        for level in &mut suspended {
            level.held.retain_mut(|held| self.delivery(held));
        }
        let cold = core.cold();
        cold.inbox = inbox;
        cold.suspended.give_back(suspended);
        cold.requests.carry(|tree| map.tree_now(tree));
        cold.results.carry(|node| map.node(node));
        #[cfg(feature = "trace")]
        {
            cold.refusals = Default::default();
        }
        let calls = &self.old.nodes;
        let call = |call: u32| {
            let mut nodes = calls.iter().zip(0..);
            let (_, node) = nodes.find(|(node, _)| node.kind.action() == Some(call))?;
            self.new.node(map.node(node)?).kind.action()
        };
        cold.reports.carry(call, |node| map.node(node));
    }

    /// Returns true if something that has come can still be delivered.
    fn delivery(&self, delivery: &mut Delivery) -> bool {
        if let Delivery::Timer(at, purpose) = delivery {
            let now = self.fates.entered(*at);
            let moved = now.and_then(|now| Some((now, self.purpose(*at, now, *purpose)?)));
            match moved {
                Some(moved) => (*at, *purpose) = moved,
                None => return false,
            }
        }
        true
    }

    /// An event that an active node took, which it takes once.
    fn taken(&self, at: At, which: u32) -> Option<(At, u32)> {
        let now = self.fates.place(at)?;
        let was = self.old.attached(at.node)?.events.get(which as usize)?;
        let event = self.fates.event(at, was.event).ok()?;
        let mut events = self.new.attached(now.node)?.events.iter();
        let same = events.position(|taken| taken.event == event)?;
        Some((now, same as u32))
    }
}

/// The nodes above one that declare keys for themselves.
fn declaring(plan: &Plan, node: u32) -> impl Iterator<Item = u32> {
    let above = move |node: u32| Some(plan.parent(node)).filter(|above| *above != NONE);
    let all = std::iter::successors(above(node), move |node| above(*node));
    all.filter(|node| plan.info(*node).scope != plan.outer_scope(*node))
}

/// A time that was counted with `was`, counted with `is`.
fn shifted(time: u64, was: u64, is: u64) -> u64 {
    time.saturating_sub(was).saturating_add(is)
}

/// The keys that guards follow, as they are numbered now.
fn moved_keys(set: &KeySet, keys: &[(KeyId, KeyId)]) -> KeySet {
    if *set == KeySet::All {
        return KeySet::All;
    }
    let mut moved = KeySet::default();
    for (_, now) in keys.iter().filter(|(was, _)| set.has(*was)) {
        moved.add(*now);
    }
    moved
}
