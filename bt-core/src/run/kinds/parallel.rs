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
            children.count_anew(poll);
            children.ran.push(child);
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
        let is_first = children.ended.is_none();
        if self.any && children.ended.is_none_or(|(last, _)| child > last) {
            children.ended = Some((child, success));
        }
        let (entering, decided) = (children.entering, children.decided.is_some());
        if self.any && is_first {
            walk.core.cold().deciding.push(at);
        }
        match (entering, walk.core.find(at)) {
            (Some(entered), _) if entered == child => {
                walk.core.drop_work(at);
                self.enter_from(walk, at, walk.plan.node(child).end)
            }
            // One that was entered before: the others are entered first.
            (Some(_), _) => Step::Blocked,
            // With `rerun` the others run again in this poll, and may decide.
            (None, Some(turn)) if !decided && walk.core.entries[turn].stamp != poll => {
                Step::Blocked
            }
            _ => self.conclude(walk, at),
        }
    }

    fn resume(&self, walk: &mut Walker<'_>, node: u32, child: u32) -> Step {
        let at = walk.core.here(node);
        self.enter_from(walk, at, walk.plan.node(child).end)
    }

    fn turn(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let at = walk.core.here(node);
        let poll = walk.core.poll;
        if let Some(Data::Parallel(children)) = walk.core.state(at) {
            children.count_anew(poll);
        }
        self.enter_from(walk, at, node + 1)
    }
}

impl Parallel {
    /// Enters the next child that is to run, from that one on.
    fn enter_from(&self, walk: &mut Walker<'_>, at: At, child: u32) -> Step {
        let next = self.next(walk, at, child);
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

    /// The next child that is to run; none if there is no more, or if it has decided after its first
    /// poll.
    fn next(&self, walk: &mut Walker<'_>, at: At, mut child: u32) -> Option<u32> {
        let end = walk.plan.node(at.node).end;
        if walk.core.find(at).is_none() {
            return (child < end).then_some(child);
        }
        while child < end {
            let place = walk.core.here(child);
            let is_active = walk.core.is_active(walk.plan, place);
            match walk.core.state(at) {
                Some(Data::Parallel(children)) if children.decided.is_none() => {
                    if !is_active && !children.ran.contains(&child) {
                        return Some(child);
                    }
                }
                _ => return None,
            }
            child = walk.plan.node(child).end;
        }
        None
    }

    /// Ends if that is decided.
    fn conclude(&self, walk: &mut Walker<'_>, at: At) -> Step {
        let decided = match walk.core.state(at) {
            Some(Data::Parallel(children)) => children.decided,
            _ => return Step::Blocked,
        };
        if decided.is_none() && walk.core.any_below(walk.plan, at) {
            if self.rerun && walk.core.find(at).is_none() {
                walk.core.wait(at, Wait::Turn);
            }
            return Step::Blocked;
        }
        if self.any {
            // No other can end in this pass.
            return self.decide(walk, at);
        }
        finish(walk, at, decided.unwrap_or(false))
    }

    /// At the end of a pass in which a child ended.
    pub(crate) fn decide(&self, walk: &mut Walker<'_>, at: At) -> Step {
        match walk.core.state(at) {
            Some(Data::Parallel(Children {
                ended: Some((_, success)),
                ..
            })) => {
                let success = *success;
                finish(walk, at, success)
            }
            _ => Step::Blocked,
        }
    }
}

/// Aborts the losers, then ends.
fn finish(walk: &mut Walker<'_>, at: At, success: bool) -> Step {
    walk.core.clear_state(at);
    walk.core.drop_entry(at);
    walk.core.drop_work(at);
    walk.abort(at, at, false, Then::Go(at, Act::Done(success)))
}
