//! What a trace says of the agent as a whole: control, trees that others replace, events, words.

use std::collections::VecDeque;

use super::{Explainer, Key};
use crate::explain::{EventNote, Fate, Said, Suspended, TreeState};
use crate::trace::{Control, Place, Record, Stands, Switch, What};

/// How many of the last things of each sort are kept.
const LAST: usize = 5;

fn keep<T>(all: &mut VecDeque<T>, new: T) {
    if all.len() == LAST {
        all.pop_front();
    }
    all.push_back(new);
}

impl Explainer {
    /// What is about the agent.
    pub(super) fn whole(&mut self, record: &Record<'_>) {
        match &record.what {
            What::Control { asked } => self.control(record, *asked),
            What::Stands(stands) => self.stands(stands),
            What::Reset => {
                self.state = Some(TreeState::Due);
                self.forget_unless_active();
            }
            What::TreeSwitched { from, to, how } => self.switched(record, from, to, *how),
            What::EventFired { event, .. } => {
                self.queued.push(event.to_string());
                self.event(record, event, Fate::Fired);
            }
            What::EventDropped { event } => self.event(record, event, Fate::Dropped),
            What::EventKept { event } => self.event(record, event, Fate::Kept),
            _ => {}
        }
    }

    fn control(&mut self, record: &Record<'_>, asked: Control) {
        let is_over = !matches!(
            self.state,
            Some(TreeState::Due | TreeState::Running | TreeState::Stopping)
        );
        match asked {
            Control::Start if self.state == Some(TreeState::Stopping) => self.starts_again = true,
            Control::Start | Control::Reset if is_over => self.state = Some(TreeState::Due),
            Control::Load if matches!(self.state, Some(TreeState::Ended(_))) => {
                self.state = Some(TreeState::Due);
            }
            Control::Stop => {
                // What is set from now on, in a pause, counts from now.
                self.end_pause(record);
                self.paused_at = self.paused.then_some(record.ns);
                self.starts_again = false;
                // What is waited for in a pause counts from the stop.
                if self.paused {
                    self.paused_at = Some(record.ns);
                }
                self.state = Some(match self.replay.picture().active.is_empty() {
                    true if !self.ran => TreeState::NeverStarted,
                    true => TreeState::Stopped,
                    false => TreeState::Stopping,
                });
                self.forget_unless_active();
            }
            Control::Pause => {
                self.paused = true;
                self.last_end = None;
                self.paused_at.get_or_insert(record.ns);
            }
            Control::Resume => self.paused = false,
            Control::Start | Control::Reset | Control::Load => {}
        }
    }

    fn stands(&mut self, stands: &Stands<'_>) {
        self.current = stands.current.to_string();
        self.state = Some(stands.state);
        self.ran |= !matches!(stands.state, TreeState::NeverStarted | TreeState::Due);
        self.paused = stands.paused.is_some();
        self.paused_at = stands.paused;
        self.suspended.clone_from(&stands.suspended);
        if !matches!(stands.state, TreeState::Running | TreeState::Stopping) {
            self.forget_unless_active();
        }
    }

    /// If nothing is active, nothing waits either: what was to be entered is not left.
    fn forget_unless_active(&mut self) {
        if self.replay.picture().active.is_empty() {
            self.begins = false;
            self.waits.clear();
        }
    }

    /// Nothing is active any more.
    pub(super) fn ended(&mut self) {
        let stops = self.state == Some(TreeState::Stopping);
        self.state = Some(match stops && !self.starts_again {
            true => TreeState::Stopped,
            // If it does not begin again, a record says so.
            false => TreeState::Due,
        });
        self.starts_again = false;
        self.forget_unless_active();
    }

    fn switched(&mut self, record: &Record<'_>, from: &str, to: &str, how: Switch) {
        match how {
            Switch::Suspend => {
                let (event, by) = self.taken.take().unzip();
                let active = self.replay.picture().active.keys();
                // What is to be entered is not active.
                let active = active.chain(self.waits.keys());
                let already: Vec<u32> = self
                    .suspended
                    .iter()
                    .flat_map(|one| one.runs.clone())
                    .collect();
                let mut runs: Vec<u32> = active
                    .map(|(run, _)| *run)
                    .filter(|run| !already.contains(run))
                    .collect();
                runs.sort_unstable();
                runs.dedup();
                self.suspended.push(Suspended {
                    current: from.to_owned(),
                    event,
                    by,
                    since: Some(record.ns),
                    runs,
                });
            }
            Switch::Resume => {
                let resumed = self.suspended.pop();
                let below = &self.suspended;
                // Of the tree that has ended nothing waits. What is due in the one that goes on may
                // have its turn in this poll; if not, that is told again.
                self.waits.retain(|(run, _), (_, _, wait)| {
                    let is_of = |one: &Suspended| one.runs.contains(run);
                    below.iter().any(is_of) || !wait.due && resumed.iter().any(is_of)
                });
            }
            _ => self.forget_unless_active(),
        }
        self.current = to.to_owned();
    }

    /// A node took an event. One that leaves it to others, too, is not the only one.
    pub(super) fn taken(&mut self, event: &str, by: Key) {
        match &mut self.handing {
            Some((handing, takers)) if handing == event && !takers.contains(&by) => takers.push(by),
            _ => {
                self.delivered(event);
                self.handing = Some((event.to_owned(), vec![by]));
            }
        }
    }

    /// An event has left the queue.
    fn delivered(&mut self, event: &str) {
        if let Some(found) = self.queued.iter().position(|queued| queued == event) {
            self.queued.remove(found);
        }
    }

    pub(super) fn event(&mut self, record: &Record<'_>, event: &str, fate: Fate) {
        if matches!(fate, Fate::Dropped | Fate::Kept) {
            self.delivered(event);
        }
        let note = EventNote {
            at: record.ns,
            poll: record.poll,
            event: event.to_owned(),
            fate,
            node: record.at.as_ref().map(Place::owned),
        };
        keep(&mut self.events, note);
    }

    /// What was said.
    pub(super) fn said(&mut self, record: &Record<'_>) {
        let (message, into) = match &record.what {
            What::Diagnostic { message } => (message, &mut self.diagnostics),
            What::Because { why } => (why, &mut self.failures),
            _ => return,
        };
        let place = record.at.as_ref().map(ToString::to_string);
        let said = Said {
            at: record.ns,
            poll: record.poll,
            place: place.unwrap_or_else(|| self.current.clone()),
            message: message.to_string(),
            times: 1,
        };
        said.join(into);
        into.drain(..into.len().saturating_sub(LAST));
    }
}
