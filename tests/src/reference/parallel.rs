//! `parallel`, with thresholds and without.

use super::{Active, Id, News, Next, Reference, State};
use crate::cases::{Abort, FLAGS, Guard, Kind, Node};

use News::{Ended, Entered, TurnOver, Waits};
use Next::{Busy, Done, Enter, Wait};

impl<'t> Reference<'t> {
    /// “`success = M` (default N), `failure = K` (default N-M+1) … Decided in completion order.”
    pub(super) fn parallel(&mut self, active: &mut Active<'t>, kind: &Kind, news: News) -> Next {
        let Kind::Parallel {
            success,
            failure,
            rerun,
            ..
        } = kind
        else {
            return Wait;
        };
        let count = active.node.children.len() as u32;
        let (most, failures) = thresholds(*success, *failure, count);
        let state = &mut active.own;
        match news {
            Entered => {
                self.count_anew(state, *rerun);
                state.working = Some(0);
                Enter(0)
            }
            Ended(child, has_succeeded) => {
                self.count_anew(state, *rerun);
                state.ran.push(child);
                state.results.push((child, has_succeeded));
                match has_succeeded {
                    true => state.succeeded += 1,
                    false => state.failed += 1,
                }
                if state.decided.is_none() && state.succeeded >= most {
                    state.decided = Some(true);
                } else if state.decided.is_none() && state.failed >= failures {
                    state.decided = Some(false);
                }
                if state.working.is_some() {
                    return next_child(active, child);
                }
                // “Until a threshold is met: nothing to its right is entered or called in that turn.” As long as
                // none is, those that have ended before run again in this poll's turn.
                let all_ran = state.ran.len() == active.node.children.len();
                let is_to_come = state.reruns || active.stamp != self.poll;
                if *rerun && state.decided.is_none() && !all_ran && is_to_come {
                    return Busy;
                }
                concluded(active)
            }
            Waits(child) if state.working.is_some() => next_child(active, child),
            TurnOver if *rerun => {
                self.count_anew(state, true);
                concluded(active)
            }
            _ => Wait,
        }
    }

    /// “With `rerun` the thresholds count this poll's ends only.”
    fn count_anew(&self, state: &mut State, rerun: bool) {
        if rerun && state.began != self.poll {
            (state.succeeded, state.failed) = (0, 0);
            state.ran.clear();
            state.results.clear();
            state.began = self.poll;
        }
    }

    /// “With `rerun` the turn goes through all children in index order, ended ones entered anew (not those
    /// that ended in this poll), running ones continued, until a threshold is met.”
    pub(super) fn rerun(&mut self, id: Id) {
        let poll = self.poll;
        let Some(active) = self.active.get_mut(&id) else {
            return;
        };
        active.own.reruns = true;
        active.stamp = poll;
        active.visited = poll;
        active.walks += 1;
        let node = active.node;
        for child in 0..node.children.len() {
            let Some(active) = self.active.get_mut(&id) else {
                return;
            };
            match active.below.get(&child) {
                Some(below) => {
                    let below = *below;
                    self.visit(below);
                }
                None if active.own.began == poll && active.own.ran.contains(&child) => {}
                // What there is no budget for runs in the next poll's turn.
                None if self.spent => {}
                None => {
                    self.count("reruns");
                    self.enter_child(id, child);
                }
            }
        }
        if let Some(active) = self.active.get_mut(&id) {
            active.own.reruns = false;
            active.walks -= 1;
            if !self.spent {
                self.go_on(id, TurnOver);
            }
        }
    }

    /// Without thresholds: “ends in the first pass in which a child ended, with the result of the
    /// highest-indexed child that ended in it.”
    pub(super) fn any_finish(active: &mut Active<'t>, news: News) -> Next {
        let count = active.node.children.len();
        let state = &mut active.own;
        if let Ended(child, success) = news
            && state.last.is_none_or(|(last, _)| child > last)
        {
            state.last = Some((child, success));
        }
        match news {
            Entered => {
                state.working = Some(0);
                Enter(0)
            }
            Ended(child, _) | Waits(child) => match state.working {
                Some(at) if at != child => Busy,
                Some(at) if at + 1 < count => {
                    state.working = Some(at + 1);
                    Enter(at + 1)
                }
                // “On entry: all have been entered.”
                Some(_) => {
                    state.working = None;
                    state.last.map_or(Wait, |(_, success)| Done(success))
                }
                None => Wait,
            },
            _ => Wait,
        }
    }

    /// “It decides when the last of its children that had something to do in that pass has done it (…; the
    /// turn is one pass), and before its parent goes on.”
    pub(super) fn decide(&mut self, id: Id) {
        let Some(active) = self.active.get(&id) else {
            return;
        };
        let is_to_come = self.in_turn && active.visited != self.poll && self.has_turn_below(id);
        let is_due = |child: &Id| self.active.get(child).is_some_and(|child| child.is_due);
        let is_to_enter = !self.spent && active.below.values().any(is_due);
        let is_over =
            active.walks == 0 && active.own.working.is_none() && !is_to_come && !is_to_enter;
        if matches!(active.node.kind, Kind::AnyFinish)
            && is_over
            && let Some((_, success)) = active.own.last
        {
            self.count("decisions of parallels without thresholds, after their entry");
            self.ended(id, success);
        }
    }

    /// Returns true if anything below a node has something to do in the turn: its kind, or a guard that is
    /// evaluated every poll.
    fn has_turn_below(&self, id: Id) -> bool {
        let mut all = Vec::new();
        self.collect(id, &mut all);
        let mut all = all.into_iter().filter(|(at, _)| *at != id);
        all.any(|(_, active)| active.has_turn() && active.stamp != self.poll)
    }
}

impl Active<'_> {
    fn has_turn(&self) -> bool {
        let is_asked = |guard: &Guard| guard.abort == Abort::Poll || FLAGS.contains(&guard.about);
        let own = |guard: &Guard| guard.abort.is_own() && is_asked(guard);
        let lower = |node: &Node| {
            let mut guards = node.guards.iter();
            guards.any(|guard| guard.abort.is_lower()) && node.guards.iter().any(is_asked)
        };
        let last = self.below.last_key_value().map_or(0, |(last, _)| *last);
        self.is_polled()
            || self.own.until.is_some()
            || self.own.again
            || self.is_reactive()
            || matches!(
                self.node.kind,
                Kind::Frames(_) | Kind::Parallel { rerun: true, .. }
            )
            || self.node.guards.iter().any(own)
            || self.node.children.iter().take(last).any(lower)
    }
}

impl<'t> Reference<'t> {
    /// “Thresholds and limits are checked in the next turn.” *Chosen*: with `rerun` the turn itself counts anew.
    pub(super) fn check_again(&mut self, id: Id) {
        let Some(active) = self.active.get_mut(&id) else {
            return;
        };
        if !std::mem::take(&mut active.recheck) {
            return;
        }
        let done = active.own.done;
        let kind = match active.own.number {
            Some(number) => active.node.kind.with_number(number, usize::MAX),
            None => Some(active.node.kind.clone()),
        };
        let over = match kind.as_ref().unwrap_or(&active.node.kind) {
            _ if active.fails => Some(false),
            Kind::Parallel {
                success,
                failure,
                rerun: false,
                ..
            } => {
                let count = active.node.children.len() as u32;
                let (most, failures) = thresholds(*success, *failure, count);
                let state = &mut active.own;
                state.decided = match (state.succeeded >= most, state.failed >= failures) {
                    (true, _) => Some(true),
                    (false, failed) => failed.then_some(false),
                };
                match concluded(active) {
                    Done(success) => Some(success),
                    _ => None,
                }
            }
            Kind::Repeat(limit) | Kind::Loop(limit) => {
                (*limit >= 0 && done >= *limit).then_some(true)
            }
            Kind::Retry(limit) | Kind::UntilSuccess(limit) | Kind::UntilFailure(limit) => {
                (*limit >= 0 && done >= *limit).then_some(false)
            }
            _ => None,
        };
        if let Some(success) = over {
            self.count("ends by a limit or threshold that changed");
            self.ended(id, success);
        }
    }
}

/// “`success = M` (default N), `failure = K` (default N-M+1).” *Chosen*: one that was read for more children than
/// there are now is all of them.
fn thresholds(success: Option<u32>, failure: Option<u32>, count: u32) -> (u32, u32) {
    let most = success.unwrap_or(count).min(count);
    (most, failure.unwrap_or(count + 1 - most).min(count.max(1)))
}

/// “All children are entered in index order in the first poll even if the first decides.”
fn next_child(active: &mut Active<'_>, child: usize) -> Next {
    let state = &mut active.own;
    if state.working != Some(child) {
        return Busy;
    }
    // “Children right of the decider are not started on entry.”
    let stops = matches!(active.node.kind, Kind::Parallel { stops: true, .. });
    if stops && state.decided.is_some() {
        state.working = None;
        return concluded(active);
    }
    if child + 1 < active.node.children.len() {
        state.working = Some(child + 1);
        return Enter(child + 1);
    }
    state.working = None;
    concluded(active)
}

/// “All ended and neither reached: F.”
fn concluded(active: &Active<'_>) -> Next {
    match active.own.decided {
        Some(success) => Done(success),
        None if active.below.is_empty() => Done(false),
        None => Wait,
    }
}
