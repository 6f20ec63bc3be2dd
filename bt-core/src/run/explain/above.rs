//! The causes above a waiting node that would end it.

use super::Look;
use crate::explain::{Above, Condition};
use crate::kinds::Ends;
use crate::run::node_ref::At;
use crate::run::plain::Watch;
use crate::tree::plan::Ask;

impl Look<'_> {
    /// The causes that would end a wait at a place, from there upwards; `takes` is true where events are
    /// taken.
    pub(super) fn above(&self, at: At, takes: bool) -> Vec<Above> {
        let mut all = Vec::new();
        let places = std::iter::successors(Some(at), |at| self.core.above(self.plan, *at));
        let mut below = at;
        for place in places {
            self.kind(place, std::mem::replace(&mut below, place), &mut all);
            let Some(attached) = self.plan.attached(place.node) else {
                continue;
            };
            let guards = attached.guards.iter().zip(0..);
            let guards =
                guards.filter(|(guard, number)| guard.own && !self.is_idle(place, *number));
            for (guard, _) in guards {
                all.push(Above::Guard {
                    node: self.place(place),
                    condition: self.condition(place, &guard.ask),
                });
            }
            let cold = self.core.cold.as_ref();
            for (number, taken) in attached.events.iter().enumerate().filter(|_| takes) {
                let had = (place, number as u32);
                if taken.once && cold.is_some_and(|cold| cold.taken.contains(&had)) {
                    continue;
                }
                let mut events = self.plan.events.iter();
                let Some((event, _)) = events.find(|(_, number)| **number == taken.event) else {
                    continue;
                };
                all.push(Above::Event {
                    node: self.place(place),
                    event: event.to_string(),
                    tree: self.plan.trees[taken.tree as usize].name.to_string(),
                    comes_back: taken.comes_back,
                });
            }
        }
        all
    }

    /// Returns true if a guard of an active node follows no key, and is not evaluated every poll either: it
    /// aborts nothing.
    fn is_idle(&self, at: At, guard: u32) -> bool {
        let levels = self.core.suspended().iter();
        let watches = levels.flat_map(|level| &level.watches);
        let mut watches = watches.chain(self.core.observed());
        let is_its = |watch: &&Watch| watch.own && watch.at == at && watch.guard == guard;
        watches
            .find(is_its)
            .is_some_and(|watch| watch.is_idle(self.plan))
    }

    /// The effect of a node of that kind on the nodes below it: on the child that is `below`, or on itself.
    fn kind(&self, place: At, below: At, all: &mut Vec<Above>) {
        let cold = self.core.cold.as_ref();
        let state = cold.and_then(|cold| cold.states.of(place));
        let Some(ends) = self.plan.node(place.node).kind.ends_below(state) else {
            return;
        };
        let node = self.place(place);
        all.extend(match ends {
            Ends::Timer => self.core.timers.own_time(place).map(|time| Above::Timeout {
                node,
                until: self.moved(time),
            }),
            Ends::Poll(last) => Some(Above::Frames {
                node,
                // While its tree is suspended: if that continues in the next poll.
                until_poll: last.saturating_add(self.core.rested(place)),
            }),
            // Its first child has none before it.
            Ends::Choice => Some(Above::Choice { node }),
            Ends::Earlier => (below.node != place.node + 1).then_some(Above::Reactive { node }),
        });
    }

    pub(super) fn condition(&self, at: At, ask: &Ask) -> Condition {
        Condition {
            name: self.plan.calls[ask.call as usize].name.to_string(),
            not: ask.not,
            arguments: self.arguments(at, ask.call),
            expression: self.plan.calls[ask.call as usize].is_expression,
        }
    }
}
