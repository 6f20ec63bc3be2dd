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
            entering: true,
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
        if self.rerun && children.counted != poll {
            children.succeeded = 0;
            children.failed = 0;
            children.counted = poll;
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
        let entering = children.entering;
        if self.any && is_first {
            walk.core.cold().deciding.push(at);
        }
        if entering {
            walk.core.drop_work(at);
            return self.enter_from(walk, at, walk.plan.node(child).end);
        }
        self.conclude(walk, at)
    }

    fn resume(&self, walk: &mut Walker<'_>, node: u32, child: u32) -> Step {
        let at = walk.core.here(node);
        self.enter_from(walk, at, walk.plan.node(child).end)
    }

    fn turn(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let at = walk.core.here(node);
        let poll = walk.core.poll;
        if let Some(Data::Parallel(children)) = walk.core.state(at) {
            if children.counted != poll {
                children.succeeded = 0;
                children.failed = 0;
                children.counted = poll;
            }
            children.entering = true;
        }
        self.enter_from(walk, at, node + 1)
    }
}

impl Parallel {
    /// Enters the next child that is not active, from that one on.
    fn enter_from(&self, walk: &mut Walker<'_>, at: At, mut child: u32) -> Step {
        let end = walk.plan.node(at.node).end;
        while child < end {
            let place = At {
                frame: at.frame,
                node: child,
            };
            if !self.rerun || !walk.core.is_active(walk.plan, place) {
                walk.core.push_work(at, child);
                return Step::Jump(place, Act::Enter);
            }
            child = walk.plan.node(child).end;
        }
        if let Some(Data::Parallel(children)) = walk.core.state(at) {
            children.entering = false;
        }
        self.conclude(walk, at)
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
            return Step::Blocked;
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
    walk.abort(at, false, Then::Go(at, Act::Done(success)))
}
