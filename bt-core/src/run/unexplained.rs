//! A stand-in for explanations where the feature `explain` is off: no answer of a guard is kept.

use super::core::Core;
use super::node_ref::At;
use crate::tree::plan::Plan;

impl Core {
    pub(crate) fn note_answer(&mut self, _: &Plan, _: At, _: u32, _: bool) {}

    #[cfg(feature = "trace")]
    pub(crate) fn trace_explanation(&mut self, plan: &Plan) {
        self.trace_writes(plan);
    }
}
