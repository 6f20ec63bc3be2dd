//! What is active, for traces and tools.

use super::at::At;
use super::core::Core;
use super::entries::Entry;
use crate::tree::plan::Plan;

impl Core {
    /// The places that are active, suspended trees included, in the order in which nodes run.
    pub(crate) fn active(&self, plan: &Plan, all: &mut Vec<At>) {
        let levels = self.suspended().iter();
        for level in levels {
            self.active_of(plan, &level.entries, all);
        }
        self.active_of(plan, &self.entries, all);
    }

    fn active_of(&self, plan: &Plan, entries: &[Entry], all: &mut Vec<At>) {
        let mut before: Option<At> = None;
        for entry in entries {
            let mut at = Some(entry.at);
            if !entry.wait.is_entered() {
                at = self.above(plan, entry.at);
            }
            let (start, first) = (at, all.len());
            while let Some(place) = at
                && !before.is_some_and(|before| self.is_within(plan, before, place))
            {
                all.push(place);
                at = self.above(plan, place);
            }
            all[first..].reverse();
            before = start.or(before);
        }
    }
}
