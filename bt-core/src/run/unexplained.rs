//! What stands for explanations where the feature `explain` is off: no answer of a guard is kept.

use super::at::At;
use super::core::Core;
use crate::tree::plan::Plan;

/// No guard's answer is kept.
#[derive(Debug)]
pub(crate) enum Refused {}

impl Core {
    pub(crate) fn note_answer(&mut self, _: &Plan, _: At, _: u32, _: bool) {}
}
