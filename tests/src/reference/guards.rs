//! Guards: “checked before entry”, and what they abort when their answer changes.
//!
//! All guards of what is active are evaluated in the turn, those that follow keys too: nobody sees that, and what
//! they said last is known then, whatever was written while nobody looked.

use std::collections::BTreeMap;

use super::{Active, Id, Reference, Wrote};
use crate::cases::{Abort, Guard, Kind, Node};

/// The knowledge of the children whose guards may take over.
pub(super) type Lower = BTreeMap<usize, Known>;

/// True if all guards of a child held, and in which poll that was.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub(super) holds: bool,
    pub(super) poll: u64,
}

/// The poll of a guard that a reload has put there: “guards are evaluated anew in the next turn”. *Chosen*: what was
/// written before does not count for it.
pub(super) const UNKNOWN: u64 = u64::MAX;

/// The guards that are evaluated: those that are due in the turn, or those that follow written keys.
#[derive(Debug, Clone, Copy)]
pub(super) enum Which<'k, 't> {
    Due,
    Following(&'k Wrote<'t>),
}

/// Returns true if a node may take over from a sibling to its right.
pub(super) fn takes_over(node: &Node) -> bool {
    node.guards.iter().any(|guard| guard.abort.is_lower())
}

impl<'t> Reference<'t> {
    /// Keys of a node's own are there “from after its guards”: a guard sees those from above.
    fn holds(&mut self, guard: &Guard, above: Option<Id>) -> bool {
        self.ask(guard.about, |reference| reference.key(above, guard.about)) != guard.not
    }

    /// “A condition without a receiver is watched through the keys.” *Chosen*: a guard that is evaluated
    /// every poll is not.
    fn follows(&self, guard: &Guard, above: Option<Id>, keys: &Wrote<'_>) -> bool {
        guard.abort != Abort::Poll && keys.contains(&(self.owner(above, guard.about), guard.about))
    }

    /// “All must hold, checked in order.” What a `select` learns by it is kept.
    pub(super) fn all_hold(&mut self, node: &Node, child: usize, above: Option<Id>) -> bool {
        let holds = node.guards.iter().all(|guard| self.holds(guard, above));
        self.learn(node, child, above, holds);
        holds
    }

    fn learn(&mut self, node: &Node, child: usize, above: Option<Id>, holds: bool) {
        let poll = self.poll;
        if takes_over(node)
            && let Some(active) = above.and_then(|above| self.active.get(&above))
        {
            let place = (active.tree, node.idx);
            self.last_known.insert(place, Known { holds, poll });
        }
        if takes_over(node)
            && let Some(above) = above.and_then(|above| self.active.get_mut(&above))
        {
            above.lower.insert(child, Known { holds, poll });
        }
    }

    /// Evaluates the guards of an active node that abort it; whether it is still there.
    ///
    /// “`self` aborts the node (F) when the condition turns false.”
    pub(super) fn own_guards(&mut self, id: Id, which: Which<'_, '_>) -> bool {
        let poll = self.poll;
        let Some(active) = self.active.get(&id) else {
            return false;
        };
        let (node, above) = (active.node, active.above);
        for (number, guard) in node.guards.iter().enumerate() {
            let over = above.map(|(above, _)| above);
            let follows = match which {
                Which::Due => false,
                Which::Following(keys) => self.follows(guard, over, keys),
            };
            let Some(active) = self.active.get_mut(&id) else {
                return false;
            };
            let is_due = matches!(which, Which::Due) && active.evaluated[number] != poll;
            let is_known = active.evaluated[number] != UNKNOWN;
            if !guard.abort.is_own() || !(is_due || follows && is_known) {
                continue;
            }
            active.evaluated[number] = poll;
            if self.holds(guard, over) {
                continue;
            }
            self.count(match which {
                Which::Due => "aborts by a guard in its turn",
                Which::Following(_) => "aborts by a guard after a write",
            });
            if self.is_below_reactive(id) {
                self.count("aborts by a guard below a reactive node");
            }
            // “`both` uses one answer for both.”
            if let Some((above, child)) = above {
                self.learn(node, child, Some(above), false);
            }
            self.leave(id);
            self.left(id, false);
            return false;
        }
        self.learn_unknown(id);
        true
    }

    /// “`both` uses one answer for both”, of guards that changed trees have put there.
    fn learn_unknown(&mut self, id: Id) {
        let Some(Active {
            node,
            above: Some((above, child)),
            evaluated,
            ..
        }) = self.active.get(&id)
        else {
            return;
        };
        let (node, above, child) = (*node, *above, *child);
        let is_evaluated = !evaluated.contains(&UNKNOWN);
        let known = self
            .active
            .get(&above)
            .and_then(|above| above.lower.get(&child));
        if is_evaluated
            && known.is_some_and(|known| known.poll == UNKNOWN)
            && node.guards.iter().all(|guard| guard.abort.is_own())
        {
            self.learn(node, child, Some(above), true);
        }
    }

    /// Evaluates the guards of the children to the left of the one that runs, in index order, until one
    /// takes over; whether the node is still there.
    ///
    /// “Conditions of `lower` are evaluated only while a sibling to the right runs, and act on a change
    /// from false (the last known value) to true.” “A node takes over when all its guards hold and did not
    /// all hold before.”
    ///
    /// *Chosen*: whichever guard of a child is due, all of the child are evaluated, in order. Of a child that
    /// was skipped on entry the last known value is that of an earlier run of the node; it outlives ends, aborts
    /// and restarts, as the place does.
    pub(super) fn lower_guards(&mut self, id: Id, which: Which<'_, '_>) -> bool {
        let Some(active) = self.active.get(&id) else {
            return false;
        };
        let node = active.node;
        let was_entered = active.entered == self.poll;
        if !matches!(node.kind, Kind::Select { .. } | Kind::MemorySelect { .. }) {
            return true;
        }
        for (child, left) in node.children.iter().enumerate() {
            let Some(active) = self.active.get(&id) else {
                return false;
            };
            if active.below.range(child + 1..).next().is_none() {
                return true;
            }
            let known = active.lower.get(&child).copied();
            let place = (active.tree, left.idx);
            let is_due = match which {
                // “What was entered … in this poll has had its turn.”
                // An adopted node was not: its guards are “evaluated anew in the next turn”.
                Which::Due => match known {
                    Some(known) if known.poll == UNKNOWN => true,
                    known => !was_entered && known.is_none_or(|known| known.poll != self.poll),
                },
                Which::Following(keys) => {
                    self.may_follow(active, child) && self.any_follows(left, Some(id), keys)
                }
            };
            if !takes_over(left) || !is_due {
                continue;
            }
            let last_known = self.last_known.get(&place).copied();
            let held = known.or(last_known).map(|known| known.holds);
            let holds = self.all_hold(left, child, Some(id));
            if !holds || held.unwrap_or(true) {
                continue;
            }
            self.count(match which {
                Which::Due => "takeovers in the turn",
                Which::Following(_) => "takeovers after a write",
            });
            // “Completely, before the guarded node is entered”; “the evaluation in which it takes over is
            // also its check on entry”.
            self.abort_below(id);
            // “Each write to a key it follows, evaluates it anew.” “Writes of exits react when the abort is
            // complete.”
            let wrote = self.wrote.clone();
            self.after_call(id);
            if self.any_follows(left, Some(id), &wrote)
                && self.active.contains_key(&id)
                && !self.all_hold(left, child, Some(id))
            {
                if let Some(active) = self.active.get_mut(&id) {
                    active.own.at = Some(child);
                }
                self.go_on(id, super::News::Ended(child, false));
                return self.active.contains_key(&id);
            }
            if let Some(active) = self.active.get_mut(&id) {
                active.own.at = Some(child);
                let (tree, depth) = (active.tree, active.depth);
                self.begin((tree, left, depth), Some((id, child)));
            }
            return self.active.contains_key(&id);
        }
        true
    }

    /// “A call that wrote … is followed at once, before its parent sees the result and before anything
    /// else is entered, by the reaction of the guards that follow its keys, in the turn's order.”
    pub(super) fn react(&mut self, keys: &Wrote<'t>) {
        if let Some(root) = self.root {
            self.react_at(root, keys, self.order);
        }
    }

    /// Notes that a node, entered after the `newest`, knows the written keys.
    fn react_at(&mut self, id: Id, keys: &Wrote<'t>, newest: Id) {
        let Some(active) = self.active.get(&id) else {
            return;
        };
        if active.is_due || active.ended || id > newest {
            return;
        }
        let which = Which::Following(keys);
        if !self.own_guards(id, which) || !self.lower_guards(id, which) {
            return;
        }
        // “A reactive ancestor whose turn is still to come takes it first.” *Chosen*: it takes its turn
        // there and then, and has had it.
        if let Some(active) = self.active.get_mut(&id)
            && active.stamp != self.poll
            && active.evaluates_again()
            && self.follows_below(id, keys)
        {
            self.count("turns of reactive nodes taken first after a write");
            self.turn_of(id);
        }
        self.walk_below(id, |walk, child| walk.react_at(child, keys, newest));
    }

    /// Returns true if the guards of a child that may take over follow keys yet.
    fn may_follow(&self, active: &Active<'_>, child: usize) -> bool {
        let place = (active.tree, active.node.children[child].idx);
        let known = active.lower.get(&child);
        let known = known.or_else(|| self.last_known.get(&place));
        known.is_none_or(|known| known.poll != UNKNOWN)
    }

    fn any_follows(&self, node: &Node, above: Option<Id>, keys: &Wrote<'_>) -> bool {
        let mut guards = node.guards.iter();
        guards.any(|guard| self.follows(guard, above, keys))
    }

    /// Returns true if a guard of what is active below follows the keys.
    fn follows_below(&self, id: Id, keys: &Wrote<'_>) -> bool {
        let own = |active: &Active<'_>| {
            let above = active.above.map(|(above, _)| above);
            let mut guards = active.node.guards.iter().zip(&active.evaluated);
            guards.any(|(guard, poll)| {
                guard.abort.is_own() && *poll != UNKNOWN && self.follows(guard, above, keys)
            })
        };
        let lower = |at: Id, active: &Active<'_>| {
            let last = active.below.last_key_value().map_or(0, |(last, _)| *last);
            let mut left = active.node.children.iter().enumerate().take(last);
            left.any(|(child, left)| {
                takes_over(left)
                    && self.may_follow(active, child)
                    && self.any_follows(left, Some(at), keys)
            })
        };
        let mut all = Vec::new();
        self.collect(id, &mut all);
        let mut all = all.into_iter();
        all.any(|(at, active)| at != id && !active.ended && own(active) || lower(at, active))
    }

    fn is_below_reactive(&self, id: Id) -> bool {
        let mut above = self.active.get(&id).and_then(|active| active.above);
        while let Some(active) = above.and_then(|(above, _)| self.active.get(&above)) {
            if active.is_reactive() {
                return true;
            }
            above = active.above;
        }
        false
    }
}

impl Active<'_> {
    pub(super) fn is_root(&self) -> bool {
        matches!(self.node.kind, Kind::Root)
    }

    pub(super) fn is_reactive(&self) -> bool {
        matches!(
            self.node.kind,
            Kind::ReactiveSequence | Kind::ReactiveSelect
        )
    }

    /// A reactive node that has children before the one that runs.
    fn evaluates_again(&self) -> bool {
        self.is_reactive() && self.own.running.is_some_and(|running| running > 0)
    }
}
