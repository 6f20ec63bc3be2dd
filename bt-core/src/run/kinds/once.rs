//! `once`: the first result, again and again.

use super::Behaviour;
use crate::run::walk::{Step, Walker};

#[derive(Debug)]
pub(crate) struct Once;

impl Behaviour for Once {
    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        match walk.core.kept(node) {
            Some(result) => Step::Done(result != 0),
            None => Step::Enter(node + 1),
        }
    }

    fn child_done(&self, walk: &mut Walker<'_>, node: u32, _: u32, success: bool) -> Step {
        walk.core.keep(node, success.into());
        Step::Done(success)
    }
}
