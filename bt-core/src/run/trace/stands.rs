//! The state of the tree, and the trees that are suspended.

use std::borrow::Cow;

use crate::run::core::{Core, Request};
use crate::run::plain::{Level, Phase};
use crate::trace::{Place, Runs, Stands, Suspended, TreeState};
use crate::tree::plan::{NONE, Plan};

impl Core {
    fn tree_state(&self) -> TreeState {
        let request = self.requested();
        let resets = request == Some(Request::Reset(true));
        let loads = matches!(request, Some(Request::Load(_) | Request::Afresh(_)));
        match self.phase {
            Phase::Idle if resets => TreeState::Due,
            Phase::Idle if self.began == NONE => TreeState::NeverStarted,
            Phase::Idle => TreeState::Stopped,
            Phase::Due => TreeState::Due,
            Phase::Active => TreeState::Running,
            Phase::Stopping => TreeState::Stopping,
            Phase::Succeeded | Phase::Failed if resets || loads => TreeState::Due,
            Phase::Succeeded => TreeState::Ended(true),
            Phase::Failed => TreeState::Ended(false),
        }
    }

    /// The state of the tree.
    pub(crate) fn stands<'a>(&self, plan: &'a Plan, runs: &Runs) -> Stands<'a> {
        let paused_at = self.paused_since();
        // One that was restored does not know since when until it is polled.
        let paused_at = paused_at.unwrap_or_else(|| self.now());
        let levels = self.suspended().iter();
        Stands {
            current: Cow::Borrowed(&*plan.tree_of(self.root).name),
            state: self.tree_state(),
            paused: self.paused.then_some(paused_at),
            suspended: levels
                .map(|level| self.suspended_tree(plan, runs, level))
                .collect(),
        }
    }

    /// The same, if a snapshot does not say it all; `in_poll` is whether a poll begins with it.
    pub(crate) fn stands_unseen<'a>(
        &self,
        plan: &'a Plan,
        runs: &Runs,
        in_poll: bool,
    ) -> Option<Stands<'a>> {
        let is_seen = !self.paused
            && self.level() == 0
            && match self.phase {
                Phase::Idle => self.began == NONE,
                Phase::Active => !self.entries.is_empty(),
                // It is entered next.
                Phase::Due => in_poll,
                Phase::Stopping | Phase::Succeeded | Phase::Failed => false,
            };
        (!is_seen).then(|| self.stands(plan, runs))
    }

    fn suspended_tree(&self, plan: &Plan, runs: &Runs, level: &Level) -> Suspended {
        let event = |number: u32| {
            let mut names = plan.events.iter();
            let found = names.find(|(_, other)| **other == number)?;
            Some(found.0.to_string())
        };
        let mut of_trees = Vec::new();
        for entry in &level.entries {
            let mut at = Some(entry.at);
            while let Some(place) = at {
                let run = runs.run(plan, place);
                if !of_trees.contains(&run) {
                    of_trees.push(run);
                }
                at = self.above(plan, place);
            }
        }
        of_trees.sort_unstable();
        Suspended {
            current: plan.tree_of(level.root).name.to_string(),
            event: level.why.and_then(|why| event(why.event)),
            by: level
                .why
                .map(|why| Place::copied(plan, runs.run(plan, why.by), why.by.node)),
            since: level.why.map(|why| why.since),
            runs: of_trees,
        }
    }
}
