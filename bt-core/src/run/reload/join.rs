//! New nodes around what runs, and where the walk continues, in the changed trees.

use super::carry::Carry;
use super::fate::{Opening, runs_many};
use super::same;
use crate::run::node_ref::At;
use crate::run::plain::{Due, KeySet, Wait, Watch};
use crate::run::state::timers::Purpose;
use crate::run::walk::{Act, Step, Walker};
use crate::trace::Role;
use crate::tree::plan::NONE;

impl Walker<'_> {
    /// Goes on with what has been carried over.
    pub(super) fn join(&mut self, carry: &Carry<'_>) {
        for level in 0..carry.fates.levels.len() {
            self.in_level(level, |walk| walk.join_level(carry, level));
        }
        self.core.interrupted.react();
    }

    fn join_level(&mut self, carry: &Carry<'_>, level: usize) {
        let fates = carry.fates;
        for (at, child) in fates.adopted(level) {
            if !self.adopt(at, child) {
                self.core.cold().rechecks.push(at);
            }
        }
        let openings = fates.openings(level);
        let mut parallels = Vec::new();
        for (was, now) in fates.stay(level) {
            let is_changed = self.change(carry, was, now);
            let is_lost = openings.iter().any(|opening| opening.at(self.plan) == now);
            let has_others = fates.has_other_children(was.node, now.node);
            let many = runs_many(self.plan.node(now.node).kind.behaviour());
            if many && (has_others || is_changed) {
                parallels.push(now);
            } else if has_others && !many && !is_lost {
                self.core.frame = now.frame;
                let kind = self.plan.node(now.node).kind.runs();
                kind.rejoin(self, now.node);
            }
            if is_changed || has_others {
                self.core.cold().rechecks.push(now);
            }
        }
        let mut rechecks = std::mem::take(&mut self.core.cold().rechecks);
        rechecks.sort_by(|a, b| self.core.order(*a, *b));
        self.core.cold().rechecks = rechecks;
        for opening in openings {
            self.open(opening);
        }
        for at in fates.parents(level) {
            self.watch_earlier(at);
        }
        // The innermost first: one that ends by it is no child that had ended before.
        parallels.sort_by(|a, b| self.core.order(*b, *a));
        for at in parallels {
            self.core.frame = at.frame;
            let kind = self.plan.node(at.node).kind.runs();
            kind.rejoin(self, at.node);
            if !self.core.any_below(self.plan, at) {
                // All that ran below it is gone: it decides, by the results of the children that it still has.
                let step = kind.check_again(self, at.node);
                if let Step::Jump(at, Act::Done(success)) = step {
                    self.end_later(at, success);
                }
            }
        }
    }

    /// Puts a new node around what runs: “entered without entry check, their clocks start now”.
    /// Returns true if its numbers could be read: else it fails in its turn.
    fn adopt(&mut self, at: At, child: u32) -> bool {
        self.core.frame = at.frame;
        if self.core.is_traced {
            self.core.trace_enter(self.plan, at);
        }
        self.watch_anew(at);
        if let Some(attached) = self.plan.attached(at.node) {
            for call in &attached.effects.enter {
                self.effect(at.node, *call, Role::Effect);
            }
        }
        self.core.frame = at.frame;
        let reads = self.read_changed(at);
        if let Some(attached) = self.plan.attached(at.node).filter(|_| reads) {
            for (service, number) in attached.services.iter().zip(0..) {
                self.serve(at, number, service);
            }
        }
        self.core.frame = at.frame;
        self.plan
            .node(at.node)
            .kind
            .runs()
            .adopt(self, at.node, child);
        reads
    }

    /// Applies the changed parameters of a node that stays active; returns true if there were any.
    fn change(&mut self, carry: &Carry<'_>, was: At, now: At) -> bool {
        let (old, new) = (carry.old, carry.new);
        if old.info(was.node).meaning == new.info(now.node).meaning {
            return false;
        }
        if !same::are_guards(old, old.guards(was.node), new, new.guards(now.node)) {
            self.watch_anew(now);
        }
        let services = |at: At, plan: &crate::tree::plan::Plan| {
            plan.attached(at.node)
                .map_or(0, |found| found.services.len() as u32)
        };
        let known = (0..services(was, old))
            .filter_map(|number| carry.service_now(was.node, now.node, number));
        let known: Vec<_> = known.collect();
        self.core.frame = now.frame;
        let reads = self.read_changed(now);
        let added = (0..services(now, new)).filter(|number| !known.contains(number) && reads);
        for number in added {
            let time = self.core.now();
            self.core.set_timer(time, now, Purpose::Service(number));
        }
        true
    }

    /// “Guards are evaluated anew in the next turn, one whose value is unknown counts as false”.
    fn watch_anew(&mut self, at: At) {
        for (guard, number) in self.plan.guards(at.node).iter().zip(0..) {
            if guard.own {
                self.watch_unknown(at, number, true);
            }
        }
    }

    fn watch_unknown(&mut self, at: At, guard: u32, own: bool) {
        let due = if own { Due::Turn } else { Due::Later };
        let mut watches: Vec<Watch> = self.core.cold().observers.suspend().into_iter().collect();
        watches.retain(|watch| !(watch.at == at && watch.own == own && watch.guard == guard));
        watches.push(Watch {
            at,
            guard,
            own,
            last: false,
            due,
            stamp: self.core.poll.wrapping_sub(1),
            keys: KeySet::default(),
        });
        watches.sort_by(|a, b| match a.at == b.at {
            true => (a.own, a.guard).cmp(&(b.own, b.guard)),
            false => self.core.order(a.at, b.at),
        });
        self.core
            .cold()
            .observers
            .restore(watches.into_iter().collect());
    }

    /// Observes the guards of children to the left of the one that runs, and of that, which may take over.
    fn watch_earlier(&mut self, at: At) {
        let (from, to) = self.core.below(self.plan, at);
        let below = self.core.entries[from..to].last();
        let Some(last) = below.and_then(|entry| self.core.lifted(entry.at, at.frame)) else {
            return;
        };
        let children: Vec<u32> = self.plan.children(at.node).collect();
        for node in children.into_iter().filter(|child| *child <= last.node) {
            let child = At { node, ..at };
            let takes_over = self.plan.guards(node).iter().any(|guard| guard.lower);
            let mut known = self.core.observed().iter();
            if takes_over && !known.any(|watch| watch.at == child && !watch.own) {
                self.watch_unknown(child, 0, false);
            }
        }
    }

    fn open(&mut self, opening: Opening) {
        let (at, standing) = match opening {
            Opening::Child(at) => return self.enter_later(at),
            Opening::Of(at, standing) => (at, standing),
        };
        self.core.frame = at.frame;
        let kind = &self.plan.node(at.node).kind;
        if kind.runs().lost(self, at.node, standing) {
            return;
        }
        match kind.runs().replace(self, at.node, standing) {
            Some(node) => self.enter_later(At { node, ..at }),
            None => {
                self.core.drop_entry(at);
                self.core.clear_state(at);
                self.end_later(at, self.plan.succeeds_empty(at.node));
            }
        }
    }

    /// Lets a node end when the walk continues.
    fn end_later(&mut self, at: At, success: bool) {
        self.core.wait(at, Wait::Parked(Act::Done(success)));
        self.core.push_continuation(at, NONE);
    }

    fn enter_later(&mut self, at: At) {
        if self.core.find(at).is_none() {
            self.core.wait(at, Wait::Due);
        }
    }
}
