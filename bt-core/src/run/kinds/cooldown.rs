//! `cooldown`: failure for a while after the child has ended.

use super::Behaviour;
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct Cooldown {
    /// In nanoseconds.
    pub(crate) nanos: u64,
    /// Only a success starts it.
    pub(crate) on_success: bool,
}

impl Behaviour for Cooldown {
    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        match walk.core.kept(node) {
            Some(until) if walk.core.now_awake() < until => Step::Done(false),
            _ => Step::Enter(node + 1),
        }
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, _: u32, success: bool) -> Step {
        if success || !self.on_success {
            let until = walk.core.now_awake().saturating_add(self.nanos);
            walk.core.keep(node, until);
        }
        Step::Done(success)
    }
}
