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
