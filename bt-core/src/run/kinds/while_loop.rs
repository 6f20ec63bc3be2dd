//! `while_loop`: the body again and again, as long as the condition before it succeeds.

use super::loops::Count;
use super::{Behaviour, Nothing};
use crate::run::waits::Wait;
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct WhileLoop;

impl Behaviour for WhileLoop {
    type State = Count;
    type Retained = Nothing;

    fn enter(&self, _: &mut Walker<'_>, node: u32) -> Step {
        Step::Enter(node + 1)
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, child: u32, success: bool) -> Step {
        let at = walk.core.here(node);
        let poll = walk.core.poll;
        if child != node + 1 {
            let began = walk.iteration::<Self>(at).unwrap_or(poll);
            if began == poll {
                walk.core.wait(at, Wait::Again);
                return Step::Blocked;
            }
            return Step::Enter(node + 1);
        }
        match walk.plan.next_child(node, child) {
            Some(body) if success => {
                let (done, began) = (0, poll);
                walk.core.set_state::<Self>(at, Count { done, began });
                Step::Enter(body)
            }
            _ => {
                walk.core.clear_state(at);
                Step::Done(true)
            }
        }
    }

    fn turn(&self, _: &mut Walker<'_>, node: u32) -> Step {
        Step::Enter(node + 1)
    }
    fn may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Again
    }

    /// Only while its body runs.
    fn remembers(&self) -> bool {
        false
    }
}
