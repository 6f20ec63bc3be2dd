//! `always_seq`: all children whatever they return, then success.

use super::{Behaviour, Nothing};
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct AlwaysSeq;

impl Behaviour for AlwaysSeq {
    type State = Nothing;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        match walk.plan.children(node).next() {
            Some(first) => Step::Enter(first),
            None => Step::Done(true),
        }
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, child: u32, _: bool) -> Step {
        match walk.plan.next_child(node, child) {
            Some(next) => Step::Enter(next),
            None => Step::Done(true),
        }
    }
}
