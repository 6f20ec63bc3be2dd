//! What is active, and what it waits for, for traces and tools.

use std::borrow::Cow;

use super::at::At;
use super::core::Core;
use super::entries::{Entry, Wait};
use super::kinds::Kind;
use super::timers::Purpose;
use crate::trace::{Names, Wait as Told};
use crate::tree::plan::Plan;

impl Core {
    /// What an entry waits for.
    pub(crate) fn told<'a>(&self, plan: &'a Plan, entry: &'a Entry) -> Told<'a> {
        let info = plan.info(entry.at.node);
        let mut events = Names::default();
        if entry.wait == Wait::Event && matches!(plan.node(entry.at.node).kind, Kind::WaitEvent(_))
        {
            events.push(Cow::Borrowed(&*info.name));
        }
        let more = entry.more.as_deref();
        let on = more.iter().flat_map(|more| &more.on);
        for (event, _) in on {
            events.push(Cow::Borrowed(event));
        }
        let mut timers = self.timers.iter().filter(|timer| timer.at == entry.at);
        let until = timers.find(|timer| !matches!(timer.purpose, Purpose::Service(_)));
        Told {
            since: entry.since,
            until: until.map(|timer| timer.time),
            until_poll: (entry.until != 0).then_some(entry.until),
            events,
            completion: more.is_some_and(|more| more.completion.is_some()),
            polled: matches!(entry.wait, Wait::Polled | Wait::Again | Wait::Due),
            cancelling: entry.wait == Wait::Cancelling,
        }
    }

    /// The places that are active, suspended trees included, in the order in which nodes run.
    pub(crate) fn active(&self, plan: &Plan, all: &mut Vec<At>) {
        let levels = self.cold.iter().flat_map(|cold| &cold.levels);
        for level in levels {
            self.active_of(plan, &level.entries, all);
        }
        self.active_of(plan, &self.entries, all);
    }

    fn active_of(&self, plan: &Plan, entries: &[Entry], all: &mut Vec<At>) {
        let mut before: Option<At> = None;
        for entry in entries {
            let mut at = Some(entry.at);
            if entry.wait == Wait::Due {
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
