//! A stand-in for [`Core`]'s trace, and for explanations, where the feature `trace` is off: nothing is reported, and no
//! answer of a guard is kept.

use serde_json::Value;

use super::core::Core;
use super::node_ref::At;
use super::walk::Host;
use crate::Event;
use crate::trace::{Leave, Role, What};
use crate::tree::plan::{Ask, Plan};

impl Core {
    /// Says whether nodes are to be entered one at a time.
    pub(crate) fn update_is_traced(&mut self) {
        let cold = self.cold.as_ref();
        self.is_traced = cold.is_some_and(|cold| cold.results.are_kept());
    }

    pub(crate) fn trace(&mut self, _: &Plan, _: At, _: What<'_>) {}

    pub(crate) fn trace_enter(&mut self, _: &Plan, _: At) {}

    pub(crate) fn trace_leave(&mut self, _: &Plan, _: At, _: Leave, _: At) {}

    pub(crate) fn trace_call(&mut self, _: &Plan, _: At, _: u32, _: Role) {}

    pub(crate) fn trace_resumed(&mut self, _: &Plan, _: At, _: u32) {}

    pub(crate) fn trace_guard(&mut self, _: &Plan, _: At, _: &Ask, _: Option<u32>, _: bool) {}

    pub(crate) fn trace_value(&mut self, _: &Plan, _: At, _: &str, _: &Value) {}

    pub(crate) fn trace_fired(&mut self, _: &Plan, _: At, _: &Event) {}

    pub(crate) fn trace_properties(&mut self, _: &Plan, _: &mut dyn Host, _: At) {}

    pub(crate) fn trace_poll(&mut self, _: &Plan) {}

    pub(crate) fn trace_seed(&mut self, _: &Plan) {}

    pub(crate) fn trace_reloaded(
        &mut self,
        _: &Plan,
        _: impl Fn(u32) -> Option<u32>,
        _: impl Fn(u32) -> Option<u32>,
    ) -> Vec<String> {
        Vec::new()
    }

    pub(crate) fn trace_moved(&mut self, _: &Plan) {}

    pub(crate) fn trace_writes(&mut self, _: &Plan) {}

    pub(crate) fn trace_run(&mut self, _: &Plan, _: u32, _: u32) {}

    pub(crate) fn trace_clear(&mut self, _: &Plan) {}

    pub(crate) fn trace_stands(&mut self, _: &Plan) {}

    pub(crate) fn trace_waits(&mut self, _: &Plan) {}

    pub(crate) fn trace_explanation(&mut self, _: &Plan) {}

    pub(crate) fn note_answer(&mut self, _: &Plan, _: At, _: u32, _: bool) {}

    pub(crate) fn trace_held(&mut self, _: &Plan, _: usize) {}
}
