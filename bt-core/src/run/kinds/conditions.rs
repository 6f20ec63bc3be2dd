//! `and`, `or`: of conditions, asked in order and cut short.

use super::{Behaviour, Nothing};
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct Conditions {
    /// What makes it go on: success for `and`.
    pub(crate) on: bool,
}

impl Behaviour for Conditions {
    type State = Nothing;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        match walk.plan.children(node).next() {
            Some(first) => Step::Enter(first),
            None => Step::Done(self.on),
        }
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, child: u32, success: bool) -> Step {
        match walk.plan.next_child(node, child) {
            Some(next) if success == self.on => Step::Enter(next),
            _ => Step::Done(success),
        }
    }
}
