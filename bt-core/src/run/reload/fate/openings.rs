//! The places where the walk continues in the changed trees.

use super::{Fate, Fates, runs_many};
use crate::run::node_ref::At;
use crate::tree::plan::Plan;

/// The place where an interrupted walk continues.
#[derive(Debug, Clone, Copy)]
pub(in crate::run::reload) enum Opening {
    /// A node has lost its child, and that one stands there.
    Of(At, Option<u32>),
    /// A child that was added.
    Child(At),
}

impl Opening {
    /// The node whose children it is about.
    pub(in crate::run::reload) fn at(self, plan: &Plan) -> At {
        match self {
            Opening::Of(at, _) => at,
            Opening::Child(at) => At {
                node: plan.parent(at.node),
                ..at
            },
        }
    }
}

impl Fates<'_> {
    /// The new places that are to be entered, or to end, in the order in which nodes run: what has lost all
    /// that ran below it, and children that were added to such as run many.
    pub(in crate::run::reload) fn openings(&self, level: usize) -> Vec<Opening> {
        let range = self.level(level);
        let mut openings = Vec::new();
        for number in range.clone() {
            let Some(now) = self.now(number).filter(|_| self.all[number].entered) else {
                continue;
            };
            if runs_many(self.new.node(now.node).kind.behaviour()) {
                let was = self.all[number].at;
                openings.extend(self.added(now, |child| self.was_entered(was, child)));
                continue;
            }
            // Not the tree that a node calls: that goes with it.
            let is_child = |other: &usize| {
                let other = &self.all[*other];
                other.above == Some(number) && other.at.frame == now.frame
            };
            let mut below = range.clone().filter(is_child);
            if let Some(lost) = below
                .next_back()
                .filter(|_| !self.children.contains_key(&now))
            {
                let standing = self.standing(self.all[lost].at.node, now.node);
                openings.push(Opening::Of(now, standing));
            }
        }
        for (at, _) in self.adopted(level) {
            if runs_many(self.new.node(at.node).kind.behaviour()) {
                openings.extend(self.added(at, |_| false));
            }
        }
        self.sort(&mut openings, |opening| opening.at(self.new));
        openings
    }

    fn added(&self, parent: At, was_entered: impl Fn(u32) -> bool) -> Vec<Opening> {
        let place = |node| At { node, ..parent };
        let runs = |child: u32| self.runs_within(parent.frame, child..self.new.node(child).end);
        let children = self.new.children(parent.node);
        let added = children.filter(|child| !runs(*child) && !was_entered(*child));
        added.map(|child| Opening::Child(place(child))).collect()
    }

    /// Returns true if a child was there before, and is not to be entered again.
    fn was_entered(&self, parent: At, child: u32) -> bool {
        let was = self.map.was(child);
        let was = was.filter(|was| self.old.parent(*was) == parent.node);
        was.is_some_and(|node| {
            let number = self.number(At { node, ..parent });
            number.is_none_or(|number| self.all[number].fate != Fate::Again(child))
        })
    }
}
