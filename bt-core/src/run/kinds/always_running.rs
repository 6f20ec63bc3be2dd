//! `always_running`: until it is aborted.

use super::{Behaviour, Nothing};
use crate::run::waits::Wait;
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct AlwaysRunning;

impl Behaviour for AlwaysRunning {
    type State = Nothing;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let at = walk.core.here(node);
        walk.core.wait(at, Wait::Timer);
        Step::Blocked
    }
    fn may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Timer
    }
}
