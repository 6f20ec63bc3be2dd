//! `if_else`: a condition once, then the branch that it chose.

use super::{Behaviour, Nothing};
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct IfElse;

impl Behaviour for IfElse {
    type State = Nothing;
    type Retained = Nothing;

    fn enter(&self, _: &mut Walker<'_>, node: u32) -> Step {
        Step::Enter(node + 1)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, child: u32, success: bool) -> Step {
        if child != node + 1 {
            return Step::Done(success);
        }
        let then = walk.plan.next_child(node, child);
        let branch = match success {
            true => then,
            false => then.and_then(|then| walk.plan.next_child(node, then)),
        };
        match branch {
            Some(branch) => Step::Enter(branch),
            None => Step::Done(false),
        }
    }
}
