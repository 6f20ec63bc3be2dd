//! The same from a trace alone.

mod agent;
mod runs;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use super::{CallArgument, Condition, EventNote, Explanation, Fate, Refusal, Said};
use super::{Suspended, TreeState, Waiting, Why};
use crate::trace::{Leave, Place, Record, Replay, ReplayError, Role, Wait, What};

type Key = (u32, u32);

/// The tree and `idx` of a node that refuses; of a guard which of the node's it is.
type Refused = (String, u32, Option<u32>);

fn refused(place: &Place<'_>, guard: Option<u32>) -> Refused {
    (place.tree().to_owned(), place.idx(), guard)
}

/// What a node refuses by, other than a guard.
fn refuses(kind: &str) -> Option<Why> {
    match kind {
        "cooldown" => Some(Why::Cooldown { left: None }),
        "run_limit" => Some(Why::RunLimit { runs: None }),
        "once" => Some(Why::Once),
        _ => None,
    }
}

/// Goes through the records of one agent's trace, and explains how the agent stands after them.
#[derive(Debug, Clone, Default)]
pub struct Explainer {
    replay: Replay,
    current: String,
    state: Option<TreeState>,
    /// Whether it is paused, and when it was paused, until a poll has made up for that.
    paused: bool,
    paused_at: Option<u64>,
    starts_again: bool,
    /// Whether anything ran.
    ran: bool,
    spent: bool,
    /// A poll begins with what a snapshot shows.
    scene: bool,
    /// The poll in which the run of the tree began, or the last one.
    began: u32,
    /// Its root is yet to be entered.
    begins: bool,
    waits: BTreeMap<Key, (u32, Place<'static>, Wait<'static>)>,
    calls: BTreeMap<Key, Vec<CallArgument>>,
    refusals: BTreeMap<Refused, Refusal>,
    /// The node that was entered last, if it may refuse and nothing happened below it.
    entered: Option<Place<'static>>,
    /// The `sub_tree` node that was entered last, if nothing happened since; and those that called runs.
    calling: Option<Place<'static>>,
    callers: BTreeMap<u32, Place<'static>>,
    suspended: Vec<Suspended>,
    /// The last event that a node took.
    taken: Option<(String, Place<'static>)>,
    queued: Vec<String>,
    /// The event that is being handed over, maybe to more than one, and who has taken it.
    handing: Option<(String, Vec<Key>)>,
    diagnostics: Vec<Said>,
    failures: Vec<Said>,
    /// How the tree ended in the last poll, and the leaves that failed in it.
    last_end: Option<bool>,
    failed: Vec<Place<'static>>,
    events: VecDeque<EventNote>,
}

impl Explainer {
    /// Before the first record.
    pub fn new() -> Explainer {
        Explainer::default()
    }

    /// What there is now.
    pub fn replay(&self) -> &Replay {
        &self.replay
    }

    /// Goes on by one record.
    ///
    /// # Errors
    /// As [`Replay::apply`].
    pub fn apply(&mut self, record: &Record<'_>) -> Result<(), ReplayError> {
        let was_active = !self.replay.picture().active.is_empty();
        let poll_before = self.replay.poll().0;
        if let What::Snapshot(_) = record.what {
            let before = self.replay.picture().clone();
            self.scene = self.replay.has_begun() && record.poll != poll_before;
            if self.scene {
                self.last_end = None;
                self.failed.clear();
            }
            self.replay.apply(record)?;
            self.count_anew(&before);
            self.see_all();
            return Ok(());
        }
        self.replay.apply(record)?;
        if !self.replay.has_begun() {
            return Ok(());
        }
        if record.poll != poll_before || matches!(record.what, What::PollBegin) {
            self.begin_poll(record);
        } else if self.scene && !matches!(record.what, What::Stands(_) | What::Waits(_)) {
            self.scene = false;
            self.forget_due(record);
        }
        let is_active = !self.replay.picture().active.is_empty();
        match &record.at {
            Some(place) => self.node(record, place, was_active, is_active),
            None => self.whole(record),
        }
        self.said(record);
        let hands_on = matches!(
            record.what,
            What::EventConsumed { .. }
                | What::BbSet { .. }
                | What::BbRemove { .. }
                | What::PropertySet { .. }
                | What::Diagnostic { .. }
        );
        if !hands_on {
            self.handing = None;
        }
        Ok(())
    }

    /// A snapshot: what waits is told anew after it.
    fn see_all(&mut self) {
        let picture = self.replay.picture();
        self.waits.clear();
        self.entered = None;
        self.calling = None;
        self.suspended.clear();
        self.paused = false;
        self.paused_at = None;
        self.spent = false;
        self.current = picture.trees.first().cloned().unwrap_or_default();
        self.state = Some(match (picture.active.is_empty(), self.state) {
            (true, None) => TreeState::NeverStarted,
            (true, Some(TreeState::Running)) => TreeState::Due,
            (false, Some(TreeState::Stopping)) => TreeState::Stopping,
            (true, Some(before)) => before,
            (false, _) => TreeState::Running,
        });
        self.ran |= !picture.active.is_empty();
    }

    fn begin_poll(&mut self, record: &Record<'_>) {
        self.scene = false;
        self.spent = false;
        self.last_end = None;
        self.failed.clear();
        self.forget_due(record);
        if !self.paused {
            self.end_pause(record);
        }
    }

    /// What waits for a time waits as much longer as it was paused.
    fn end_pause(&mut self, record: &Record<'_>) {
        let Some(since) = self.paused_at.take() else {
            return;
        };
        for (_, _, wait) in self.waits.values_mut() {
            let until = wait.until.iter_mut();
            until.for_each(|until| *until = until.saturating_add(record.ns.saturating_sub(since)));
        }
    }

    /// What was to go on in a later poll than it was told in has done so.
    fn forget_due(&mut self, record: &Record<'_>) {
        let suspended = &self.suspended;
        self.waits.retain(|(run, _), (poll, _, wait)| {
            let is_suspended = suspended.iter().any(|one| one.runs.contains(run));
            !wait.due || *poll == record.poll || is_suspended
        });
    }

    /// What is about a node.
    fn node(&mut self, record: &Record<'_>, place: &Place<'_>, was_active: bool, is_active: bool) {
        let key = place.key();
        match &record.what {
            What::NodeEnter => {
                let begins = std::mem::take(&mut self.begins);
                if !was_active && !begins {
                    self.began = record.poll;
                }
                self.runs();
                self.below(key);
                self.called(place);
                self.entered = refuses(place.kind()).map(|_| place.owned());
            }
            What::NodeLeave { result, .. } => {
                self.waits.remove(&key);
                self.calls.remove(&key);
                self.calling = None;
                let entered = self.entered.take();
                if let Some(why) = refuses(place.kind())
                    && *result == Leave::Failure
                    && entered.is_some_and(|entered| entered.key() == key)
                {
                    self.refuse(record, place, None, why);
                }
                let is_leaf = matches!(place.kind(), "action" | "condition");
                if is_leaf && *result == Leave::Failure {
                    self.failed.push(place.owned());
                }
                if !is_active {
                    self.last_end = match result {
                        Leave::Aborted => self.last_end,
                        ended => Some(*ended == Leave::Success),
                    };
                    self.ended();
                }
            }
            What::NodeAction { args, role, .. } => {
                if !matches!(role, Role::Effect | Role::Service) {
                    let values = args.values().into_iter().map(CallArgument::told);
                    self.calls.insert(key, values.collect());
                }
            }
            What::Guard {
                call,
                args,
                not,
                number,
                holds,
            } => {
                self.below(key);
                let condition = Condition {
                    name: call.to_string(),
                    not: *not,
                    arguments: args.values().into_iter().map(CallArgument::told).collect(),
                };
                self.guard(record, place, *number, condition, *holds);
            }
            What::Waits(wait) => {
                if wait.due && !self.replay.picture().active.contains_key(&key) {
                    self.spent |= !self.scene;
                    if !is_active && !self.begins {
                        self.begins = true;
                        self.began = record.poll;
                    }
                    self.runs();
                }
                let told = record.poll.saturating_sub(u32::from(self.scene));
                let wait = wait.clone().into_owned();
                self.waits.insert(key, (told, place.owned(), wait));
            }
            What::Woken { .. } => {
                self.waits.remove(&key);
            }
            What::EventFired { event, .. } => {
                self.queued.push(event.to_string());
                self.event(record, event, Fate::Fired);
            }
            What::EventConsumed { event, kept } => {
                self.taken = Some((event.to_string(), place.owned()));
                if !kept {
                    self.taken(event, key);
                }
                self.event(record, event, Fate::Consumed);
            }
            _ => self.whole(record),
        }
    }

    fn runs(&mut self) {
        self.ran = true;
        if self.state != Some(TreeState::Stopping) {
            self.state = Some(TreeState::Running);
        }
    }

    /// Something happened at a node: if that is not the one that was entered last, that one lets in.
    fn below(&mut self, key: Key) {
        if let Some(entered) = self.entered.take_if(|entered| entered.key() != key) {
            self.refusals.remove(&refused(&entered, None));
        }
    }

    fn refuse(&mut self, record: &Record<'_>, place: &Place<'_>, guard: Option<u32>, why: Why) {
        let refusal = Refusal {
            node: place.owned(),
            why,
            at: Some(record.ns),
            poll: Some(record.poll),
        };
        self.refusals.insert(refused(place, guard), refusal);
    }

    fn guard(
        &mut self,
        record: &Record<'_>,
        place: &Place<'_>,
        number: u32,
        condition: Condition,
        holds: bool,
    ) {
        let is_active = self.replay.picture().active.contains_key(&place.key());
        if is_active && place.kind() == "run_limit" {
            // It starts the count afresh.
            return;
        }
        let which = Some(number);
        if holds {
            self.refusals.remove(&refused(place, which));
            return;
        }
        let saw = condition
            .arguments
            .iter()
            .map(CallArgument::to_value)
            .collect();
        let why = Why::Guard {
            condition,
            saw: Some(saw),
            aborted: is_active,
            takes_over: false,
            on_entry: false,
        };
        self.refuse(record, place, which, why);
    }

    /// How the agent stands after the records so far, as of a time on the host's clock, at the earliest
    /// the last record's. If there was no snapshot among them, nothing of it is known.
    pub fn explain_at(&self, now: Duration) -> Option<Explanation> {
        let (poll, polled_at) = self.replay.poll();
        let polled_at = u64::try_from(polled_at.as_nanos()).unwrap_or(u64::MAX);
        let at = u64::try_from(now.as_nanos())
            .unwrap_or(u64::MAX)
            .max(polled_at);
        let mut explanation = Explanation {
            agent: None,
            tree: self.current.clone(),
            state: self.state?,
            at,
            poll,
            polled_at,
            went_back: None,
            trace_end: None,
            next_wake: None,
            paused: self.paused_at.filter(|_| self.paused),
            spent: self.is_spent(),
            queued: self.queued.clone(),
            suspended: self.suspended.clone(),
            waiting: self.waiting(at),
            refusals: Vec::new(),
            diagnostics: self.diagnostics.clone(),
            ended: None,
            failed: Vec::new(),
            failures: self.failures.clone(),
            events: self.events.iter().cloned().collect(),
        };
        explanation.next_wake = next_wake(&explanation);
        if explanation.state == TreeState::Due {
            explanation.ended = self.last_end;
        }
        if explanation.ended == Some(false) {
            explanation.failed.clone_from(&self.failed);
        }
        let refusals = self.refusals.values();
        let known = refusals.filter(|one| one.poll.is_none_or(|poll| poll >= self.began));
        explanation.refusals = known.cloned().collect();
        explanation
            .refusals
            .sort_by(|a, b| (a.node.tree(), a.node.idx()).cmp(&(b.node.tree(), b.node.idx())));
        Some(explanation)
    }

    /// Whether something is entered in the next poll only.
    fn is_spent(&self) -> bool {
        let active = &self.replay.picture().active;
        let mut waits = self.waits.iter();
        self.spent && waits.any(|(key, (_, _, wait))| wait.due && !active.contains_key(key))
    }

    fn waiting(&self, at: u64) -> Vec<Waiting> {
        let waits = self.waits.iter();
        let mut all: Vec<_> = waits
            .map(|(key, (_, node, wait))| {
                let mut levels = self.suspended.iter();
                let suspended = levels.position(|level| level.runs.contains(&key.0));
                let mut wait = wait.clone();
                if let Some(since) = self.paused_at.filter(|_| !self.paused) {
                    wait.until = wait
                        .until
                        .map(|until| until.saturating_add(at.saturating_sub(since)));
                }
                Waiting {
                    node: node.clone(),
                    path: self.path(key.0),
                    arguments: self.calls.get(key).cloned().unwrap_or_default(),
                    wait,
                    suspended: suspended.map(|level| level as u32),
                    above: None,
                }
            })
            .collect();
        // As nodes run, as far as a trace knows: files mostly count them in that order.
        all.sort_by_cached_key(|leaf| {
            let above = leaf.path.iter().map(Place::idx);
            let here: Vec<u32> = above.chain([leaf.node.idx()]).collect();
            let outermost = leaf.path.first().unwrap_or(&leaf.node).run();
            let suspended = leaf.suspended.unwrap_or(u32::MAX);
            (suspended, outermost, here, leaf.node.run())
        });
        all
    }
}

/// When it wants to be polled next, as far as what waits says so.
fn next_wake(explanation: &Explanation) -> Option<u64> {
    if explanation.paused.is_some() {
        return None;
    }
    let asap = match explanation.state {
        TreeState::Due => true,
        TreeState::Running | TreeState::Stopping => {
            explanation.spent || !explanation.queued.is_empty()
        }
        _ => return None,
    };
    let running = explanation
        .waiting
        .iter()
        .filter(|leaf| leaf.suspended.is_none());
    if asap
        || running.clone().any(|leaf| {
            leaf.wait.goes_on.is_some()
                || leaf.wait.polled
                || leaf.wait.due
                || leaf.wait.until_poll.is_some()
        })
    {
        return Some(explanation.polled_at);
    }
    running.filter_map(|leaf| leaf.wait.until).min()
}
