//! What is not entered: guards that do not hold, cooldowns, limits.

use super::{Look, Refused};
use crate::explain::{Refusal, Why};
use crate::run::node_ref::At;
use crate::run::observers::Watch;
use crate::tree::plan::NONE;

impl Look<'_> {
    /// By tree and `idx`.
    pub(super) fn refusals(&self) -> Vec<Refusal> {
        let Some(cold) = &self.core.cold else {
            return Vec::new();
        };
        let over = |watch: &&Watch| !watch.own && !watch.last;
        let watched: Vec<_> = cold.observers.all().iter().filter(over).collect();
        let began = self.began();
        let mut all = Vec::new();
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
        for found in cold.counters.iter() {
            let kind = &self.plan.node(found.node()).kind;
            let why = kind.refuses(found.data(), self.awake());
            let node = self.place(At {
                frame: NONE,
                node: found.node(),
            });
            all.extend(why.map(|why| Refusal {
                node,
                why,
                at: None,
                poll: None,
            }));
        }
        all.sort_by(|a, b| (a.node.tree(), a.node.idx()).cmp(&(b.node.tree(), b.node.idx())));
        all
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
        let Some(cold) = &self.core.cold else {
            return self.at;
        };
        let since = cold.pauses.since();
        let now = since.map_or(self.at, |since| since.min(self.at));
        cold.pauses.awake(now)
    }
}
