//! What stands for explanations where the feature `explain` is off: no answer of a guard is kept.

use super::core::Core;
use super::node_ref::At;
use crate::tree::plan::Plan;

/// No guard's answer is kept.
#[derive(Debug, Default)]
pub(crate) struct Refusals;

impl Core {
    pub(crate) fn note_answer(&mut self, _: &Plan, _: At, _: u32, _: bool) {}
}

/// No tracer gets an explanation.
#[cfg(feature = "trace")]
#[derive(Debug)]
pub(crate) struct Explained;

#[cfg(feature = "trace")]
impl Explained {
    pub(crate) fn new(_: bool) -> Explained {
        Explained
    }

    pub(crate) fn forget(&mut self) {}

    pub(crate) fn changes(
        &mut self,
        _: &Plan,
        _: &Core,
        _: &crate::trace::Runs,
    ) -> Vec<crate::trace::Change> {
        Vec::new()
    }
}
