//! `parallel`: all children at once, until enough of them have succeeded or failed.

use serde::{Deserialize, Serialize};

use super::{Behaviour, Found, Nothing, Remember, Translate};
use crate::run::abort::Then;
use crate::run::node_ref::At;
use crate::run::waits::Wait;
use crate::run::walk::{Act, Step, Walker};

/// How many children decide.
#[derive(Debug)]
pub(crate) struct Parallel {
    pub(crate) success: u32,
    pub(crate) failure: u32,
    /// Finished children are run again every poll.
    pub(crate) rerun: bool,
    /// It ends in the first pass in which a child ended, as the last of those.
    pub(crate) any: bool,
}

/// The results of its children.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Children {
    #[serde(skip_serializing_if = "is_default")]
    succeeded: u32,
    #[serde(skip_serializing_if = "is_default")]
    failed: u32,
    /// The one that is entered, while they are.
    #[serde(skip_serializing_if = "is_default")]
    entering: Option<u32>,
    #[serde(skip_serializing_if = "is_default")]
    decided: Option<bool>,
    /// The last child, by its place, that ended in this pass, and how.
    #[serde(skip_serializing_if = "is_default")]
    ended: Option<(u32, bool)>,
    /// The poll in which the ends were counted.
    #[serde(skip_serializing_if = "is_default")]
    counted: u32,
}

impl Remember for Children {
    const FORM: &'static str = "parallel";

    fn translate(&mut self, to: &mut dyn Translate) -> Result<(), String> {
        let ended = self.ended.iter_mut().map(|(child, _)| child);
        ended
            .chain(&mut self.entering)
            .try_for_each(|child| to.child(child))
    }
}

impl Children {
    /// Forgets the ends of earlier polls.
    fn count_anew(&mut self, poll: u32) {
        if self.counted != poll {
            self.succeeded = 0;
            self.failed = 0;
            self.counted = poll;
        }
    }
}

impl Behaviour for Parallel {
    type State = Children;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let at = walk.core.here(node);
        let children = Children {
            counted: walk.core.poll,
            ..Children::default()
        };
        walk.core.set_state::<Self>(at, children);
        self.enter_from(walk, at, node + 1)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, child: u32, success: bool) -> Step {
        let at = walk.core.here(node);
        let poll = walk.core.poll;
        let Some(children) = walk.core.state_mut::<Self>(at) else {
            return Step::Blocked;
        };
        if self.rerun {
            // The thresholds count this poll's ends only.
            children.count_anew(poll);
        }
        if success {
            children.succeeded += 1;
        } else {
            children.failed += 1;
        }
        if children.decided.is_none() && !self.any {
            if children.succeeded >= self.success {
                children.decided = Some(true);
            } else if children.failed >= self.failure {
                children.decided = Some(false);
            }
        }
        if self.any && children.ended.is_none_or(|(last, _)| child > last) {
            children.ended = Some((child, success));
        }
        let entering = children.entering;
        if self.rerun {
            let place = walk.core.here(child);
            walk.core.wait(place, Wait::Rerun);
        }
        match entering {
            Some(entered) if entered == child => {
                walk.core.drop_continuations(at);
                self.enter_from(walk, at, walk.plan.node(child).end)
            }
            // One that was entered before: the others are entered first.
            Some(_) => Step::Blocked,
            None => self.conclude(walk, at),
        }
    }

    fn resume(&self, walk: &mut Walker<'_>, node: u32, child: u32) -> Step {
        let at = walk.core.here(node);
        self.enter_from(walk, at, walk.plan.node(child).end)
    }

    /// What the children had to do in the pass in which it was decided is done.
    fn decide(&self, walk: &mut Walker<'_>, at: At) -> Step {
        let decided = walk.core.state::<Self>(at).and_then(|children| {
            let ended = children.ended.map(|(_, success)| success);
            ended.or(children.decided)
        });
        match decided {
            Some(success) => finish(walk, at, success),
            None => Step::Blocked,
        }
    }

    fn runs_many(&self) -> bool {
        true
    }

    fn counts_last(&self) -> bool {
        self.any
    }

    fn child_may_wait(&self, wait: Wait) -> bool {
        self.rerun && wait == Wait::Rerun
    }

    fn may_resume(&self) -> bool {
        true
    }

    fn check(&self, children: &Children, found: &Found<'_>) -> Result<(), &'static str> {
        let count = found.plan.children(found.node).count() as u64;
        let ends = u64::from(children.succeeded) + u64::from(children.failed);
        // With `rerun` those that have ended may run again.
        let running = if self.rerun { 0 } else { found.running };
        if ends + u64::from(running) > count {
            return Err("more of its children run or have ended than it has");
        }
        // The numbers of polls go round: what is not half of them behind is ahead.
        if found.poll.wrapping_sub(children.counted) > u32::MAX / 2 {
            return Err("it has counted ends of a poll still to come");
        }
        let is_decided = children.decided.is_some() || children.ended.is_some();
        if children.entering.is_some() && !found.continues || is_decided && !found.is_held {
            return Err("its children are not all entered, or have decided");
        }
        Ok(())
    }

    fn is_deciding(&self, children: &Children) -> bool {
        let is_decided = children.ended.is_some() || children.decided.is_some();
        is_decided && children.entering.is_none()
    }
}

impl Parallel {
    /// Enters the children, from that one on, one after another as each blocks or ends.
    fn enter_from(&self, walk: &mut Walker<'_>, at: At, mut child: u32) -> Step {
        let end = walk.plan.node(at.node).end;
        while child < end && walk.closes(at) {
            let place = walk.core.here(child);
            walk.core.wait(place, Wait::Due);
            child = walk.plan.node(child).end;
        }
        let next = (child < end).then_some(child);
        if let Some(children) = walk.core.state_mut::<Self>(at) {
            children.entering = next;
        }
        match next {
            Some(next) => {
                walk.core.push_continuation(at, next);
                Step::Enter(next)
            }
            None => self.conclude(walk, at),
        }
    }

    /// Ends if that is decided.
    fn conclude(&self, walk: &mut Walker<'_>, at: At) -> Step {
        let Some(children) = walk.core.state::<Self>(at) else {
            return Step::Blocked;
        };
        let (decided, ended) = (children.decided, children.ended.is_some());
        if !self.any && self.have_all_ended(walk, at) || !self.rerun && decided.is_some() {
            return finish(walk, at, decided.unwrap_or(false));
        }
        // What the other children have to do in this pass comes first.
        if ended || decided.is_some() {
            walk.core.cold().continuations.decide(at);
        }
        Step::Blocked
    }

    /// Whether all children have ended; with `rerun`, in this poll.
    fn have_all_ended(&self, walk: &Walker<'_>, at: At) -> bool {
        let (from, to) = walk.core.below(walk.plan, at);
        let poll = walk.core.poll;
        let mut below = walk.core.entries[from..to].iter();
        below.all(|entry| entry.wait == Wait::Rerun && entry.stamp == poll)
    }
}

/// Aborts the losers, then ends.
fn finish(walk: &mut Walker<'_>, at: At, success: bool) -> Step {
    walk.core.clear_state(at);
    walk.core.drop_continuations(at);
    walk.abort(at, at, false, Then::Go(at, Act::Done(success)))
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
