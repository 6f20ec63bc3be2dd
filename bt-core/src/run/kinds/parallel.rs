//! `parallel`: all children at once, until enough of them have succeeded or failed.

use super::Behaviour;
use crate::run::at::At;
use crate::run::entries::Wait;
use crate::run::leave::Then;
use crate::run::state::{Children, Data};
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

impl Behaviour for Parallel {
    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let at = walk.core.here(node);
        let children = Children {
            counted: walk.core.poll,
            ..Children::default()
        };
        walk.core.set_state(at, Data::Parallel(children));
        self.enter_from(walk, at, node + 1)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, child: u32, success: bool) -> Step {
        let at = walk.core.here(node);
        let poll = walk.core.poll;
        let Some(Data::Parallel(children)) = walk.core.state(at) else {
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
                walk.core.drop_work(at);
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
        if let Some(Data::Parallel(children)) = walk.core.state(at) {
            children.entering = next;
        }
        match next {
            Some(next) => {
                walk.core.push_work(at, next);
                Step::Enter(next)
            }
            None => self.conclude(walk, at),
        }
    }

    /// Ends if that is decided.
    fn conclude(&self, walk: &mut Walker<'_>, at: At) -> Step {
        let (decided, ended) = match walk.core.state(at) {
            Some(Data::Parallel(children)) => (children.decided, children.ended.is_some()),
            _ => return Step::Blocked,
        };
        if !self.any && self.have_all_ended(walk, at) || !self.rerun && decided.is_some() {
            return finish(walk, at, decided.unwrap_or(false));
        }
        // What the other children have to do in this pass comes first.
        if (ended || decided.is_some()) && !walk.core.cold().deciding.contains(&at) {
            walk.core.cold().deciding.push(at);
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

    /// What the children had to do in the pass in which it was decided is done.
    pub(crate) fn decide(&self, walk: &mut Walker<'_>, at: At) -> Step {
        let decided = match walk.core.state(at) {
            Some(Data::Parallel(children)) => {
                let ended = children.ended.map(|(_, success)| success);
                ended.or(children.decided)
            }
            _ => None,
        };
        match decided {
            Some(success) => finish(walk, at, success),
            None => Step::Blocked,
        }
    }
}

/// Aborts the losers, then ends.
fn finish(walk: &mut Walker<'_>, at: At, success: bool) -> Step {
    walk.core.clear_state(at);
    walk.core.drop_work(at);
    walk.abort(at, at, false, Then::Go(at, Act::Done(success)))
}
