//! The nodes that are not entered: their guards do not hold, they cool down, their limits are reached.

use super::Look;
use crate::explain::{Refusal, Why};
use crate::run::core::Cold;
use crate::run::node_ref::At;
use crate::run::plain::{Phase, Refused, Watch};
use crate::tree::plan::NONE;

impl Look<'_> {
    /// By tree and `idx`.
    pub(super) fn refusals(&self) -> Vec<Refusal> {
        let mut all = Vec::new();
        if let Some(cold) = &self.core.cold {
            self.guards(cold, &mut all);
            self.counters(cold, &mut all);
        }
        self.refused_tree(&mut all);
        all.sort_by(|a, b| (a.node.tree(), a.node.idx()).cmp(&(b.node.tree(), b.node.idx())));
        all
    }

    /// The guards that do not hold.
    fn guards(&self, cold: &Cold, all: &mut Vec<Refusal>) {
        let over = |watch: &&Watch| !watch.own && !watch.last;
        let watched: Vec<_> = cold.observers.all().iter().filter(over).collect();
        let began = self.began();
        for watch in &watched {
            let same = |noted: &&Refused| noted.at == watch.at && noted.guard == watch.guard;
            let noted = cold.refusals.iter().find(same);
            // A child that was skipped on entry was refused in an earlier run, if at all.
            if noted.is_none_or(|noted| noted.poll >= began) {
                all.push(self.guard(watch.at, watch.guard, noted, Some(watch)));
            }
        }
        for noted in cold.refusals.iter().filter(|noted| noted.poll >= began) {
            let same = |watch: &&Watch| noted.at == watch.at && noted.guard == watch.guard;
            if !watched.iter().copied().any(|watch| same(&watch)) {
                all.push(self.guard(noted.at, noted.guard, Some(noted), None));
            }
        }
    }

    /// The decorators that refuse by what they retain.
    fn counters(&self, cold: &Cold, all: &mut Vec<Refusal>) {
        for found in cold.counters.iter() {
            let kind = &self.plan.node(found.node()).kind;
            let why = kind.refuses(found.data(), self.awake());
            let node = self.place(At {
                frame: NONE,
                node: found.node(),
            });
            all.extend(why.map(|why| Refusal {
                node,
                why: why.into(),
                at: None,
                poll: None,
            }));
        }
    }

    /// The node whose guard made the tree fail, if no answer of that guard was noted.
    fn refused_tree(&self, all: &mut Vec<Refusal>) {
        let failed = self.has_failed() && self.core.was_refused();
        let Some(at) = self.decided().filter(|_| failed) else {
            return;
        };
        let node = self.place(at);
        if all.iter().any(|refusal| refusal.node == node) {
            return;
        }
        // What a key of a tree that has ended held is not known any more.
        let why = match self.plan.guards(at.node).len() {
            1 if !self.plan.scoped => self.guard(at, 0, None, None).why,
            _ => Why::Other {
                words: "one of its guards did not hold".to_owned(),
            },
        };
        // One that does not begin again may have ended in an earlier poll.
        let is_now = self.core.phase == Phase::Due;
        all.push(Refusal {
            node,
            why,
            at: is_now.then_some(self.core.now()),
            poll: is_now.then_some(self.core.poll),
        });
    }

    fn guard(&self, at: At, guard: u32, noted: Option<&Refused>, watch: Option<&Watch>) -> Refusal {
        let guard = &self.plan.guards(at.node)[guard as usize];
        let ask = &guard.ask;
        Refusal {
            node: self.place(at),
            why: Why::Guard {
                condition: self.condition(at, ask),
                saw: noted.map(|noted| noted.saw.clone()),
                aborted: noted.is_some_and(|noted| noted.aborted),
                takes_over: watch.is_some(),
                on_entry: !guard.own && !guard.lower,
            },
            at: noted.map(|noted| noted.time),
            poll: noted
                .map(|noted| noted.poll)
                .or(watch.map(|watch| watch.stamp)),
        }
    }

    /// The poll in which the first of the trees that run began, or the last one that ran.
    fn began(&self) -> u32 {
        let levels = self.core.suspended().iter();
        let first = levels.map(|level| level.began).min();
        first.unwrap_or(u32::MAX).min(self.core.began)
    }

    /// The time without the time for which the agent was paused: what cooldowns count by.
    fn awake(&self) -> u64 {
        let now = self.core.now();
        let Some(cold) = &self.core.cold else {
            return now;
        };
        let since = cold.pauses.since();
        cold.pauses.awake(since.map_or(now, |since| since.min(now)))
    }
}
