//! What ends what waits from above it.

use super::Look;
use crate::explain::{Above, Condition};
use crate::run::at::At;
use crate::run::kinds::Kind;
use crate::run::state::Data;
use crate::run::timers::Purpose;
use crate::tree::plan::Ask;

impl Look<'_> {
    /// What would end what waits at a place, from there upwards; `takes` says whether events are taken.
    pub(super) fn above(&self, at: At, takes: bool) -> Vec<Above> {
        let mut all = Vec::new();
        let places = std::iter::successors(Some(at), |at| self.core.above(self.plan, *at));
        for place in places {
            self.kind(place, &mut all);
            let Some(attached) = self.plan.attached(place.node) else {
                continue;
            };
            for guard in attached.guards.iter().filter(|guard| guard.own) {
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

    /// What a node of that kind does with what is below it.
    fn kind(&self, place: At, all: &mut Vec<Above>) {
        match &self.plan.node(place.node).kind {
            Kind::Timeout(_) => {
                let mut timers = self.core.timers.iter();
                let timer =
                    timers.find(|timer| timer.at == place && timer.purpose == Purpose::Node);
                if let Some(timer) = timer {
                    all.push(Above::Timeout {
                        node: self.place(place),
                        until: self.moved(timer.time),
                    });
                }
            }
            Kind::Frames(frames) => {
                let states = self.core.cold.iter().flat_map(|cold| &cold.states);
                for state in states.filter(|state| state.at == place) {
                    if let Data::Count { began, .. } = state.data {
                        // While its tree is suspended: if that goes on in the next poll.
                        let began = began.saturating_add(self.core.rested(place));
                        all.push(Above::Frames {
                            node: self.place(place),
                            until_poll: began.saturating_add(frames.count.saturating_sub(1)),
                        });
                    }
                }
            }
            Kind::Reactive(_) => all.push(Above::Reactive {
                node: self.place(place),
            }),
            _ => {}
        }
    }

    pub(super) fn condition(&self, at: At, ask: &Ask) -> Condition {
        Condition {
            name: self.plan.calls[ask.call as usize].name.to_string(),
            not: ask.not,
            arguments: self.arguments(at, ask.call),
        }
    }
}
