//! `reset`: everything is aborted, and the root starts again in the next poll.

use super::{Behaviour, Nothing};
use crate::run::abort::Then;
use crate::run::waits::Wait;
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct Reset {
    pub(crate) keep_blackboard: bool,
}

impl Behaviour for Reset {
    type State = Nothing;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let at = walk.core.here(node);
        walk.core.wait(at, Wait::Timer);
        let clear = !self.keep_blackboard;
        walk.abort_tree(at, Then::Restart { clear })
    }
}
