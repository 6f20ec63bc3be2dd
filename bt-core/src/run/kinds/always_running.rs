//! `always_running`: until it is aborted.

use super::Behaviour;
use crate::run::entries::Wait;
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct AlwaysRunning;

impl Behaviour for AlwaysRunning {
    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let at = walk.core.here(node);
        walk.core.wait(at, Wait::Timer);
        Step::Blocked
    }
}
