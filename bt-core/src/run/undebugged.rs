//! A stand-in for a debugger where the feature `debug` is off: nobody stops a walk.

use super::core::{Core, Request};
use super::node_ref::At;
use super::plain::{Next, Order};
use super::poll::Begun;
use super::runner::Runner;
use super::walk::{Step, Walker};
use crate::Agent;
use crate::tree::plan::Plan;

impl<A: Agent> Runner<A> {
    pub(super) fn poll_while_stopped(&mut self) -> Begun {
        Begun::Over(self.summary())
    }
}

impl Core {
    pub(crate) fn stops(&mut self, _: Next) -> bool {
        false
    }

    pub(crate) fn stops_at_writes(&mut self, _: &Plan) -> bool {
        false
    }

    pub(crate) fn stops_at_entry(&mut self, _: &Plan, _: At) -> bool {
        false
    }

    pub(crate) fn forced_nodes(&self) -> Vec<(u32, String)> {
        Vec::new()
    }

    pub(crate) fn will_step(&self) -> bool {
        false
    }

    pub(super) fn is_paused_by_host(&self) -> bool {
        self.paused
    }

    pub(super) fn pause_stopped(&mut self, _: bool) -> bool {
        false
    }

    pub(super) fn ask_stopped(&mut self, _: Request) -> bool {
        false
    }

    pub(super) fn note_reload(&mut self) {}

    pub(super) fn asked(&self) -> Option<Request> {
        None
    }

    pub(super) fn saved_forced(&self) -> Vec<(String, u32, String)> {
        Vec::new()
    }

    /// Forced results are dropped, and a diagnostic says so.
    #[cfg(feature = "save")]
    pub(super) fn restore_forced(
        &mut self,
        plan: &Plan,
        forced: &[(String, u32, String)],
    ) -> Result<(), crate::RestoreError> {
        if !forced.is_empty() {
            let count = forced.len();
            let text = format!(
                "it was saved with forced results ({count} nodes): they run as usual, because \
                 the feature `debug` is off"
            );
            self.report(plan, super::node_ref::NOWHERE, text);
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn is_disabled(&self, _: u32) -> bool {
        false
    }

    #[inline]
    pub(crate) fn disables_any(&self) -> bool {
        false
    }

    #[inline]
    pub(crate) fn past_disabled(&self, _: &Plan, _: u32, child: u32) -> Option<u32> {
        Some(child)
    }

    pub(crate) fn hold_stops(&mut self, _: bool) {}

    pub(crate) fn leave_stop(&mut self) {}

    pub(crate) fn leave_level(&mut self, _: u32) {}

    pub(crate) fn leave_due(&mut self) {}

    pub(crate) fn leave_start(&mut self) {}

    pub(crate) fn leave_deadline(&mut self, _: At) {}

    pub(crate) fn leave_waiters(&mut self, _: Vec<(Order, bool)>) {}
}

impl Walker<'_> {
    pub(crate) fn forced(&mut self, _: u32) -> Option<Step> {
        None
    }
}

#[cfg(all(test, feature = "save"))]
mod tests {
    use crate::builtin::ActionAgent;
    use crate::tree::asset::spec::action;
    use crate::{Runner, Saved, TreeAsset, TreeSet};

    #[test]
    fn forced_results_of_a_saved_agent_are_dropped_and_reported() {
        let mut trees = TreeSet::<ActionAgent>::new();
        trees.add(TreeAsset::build("main", "action_agent", action("nop")));
        let trees = trees.build().expect("they are right");
        let saved = Runner::new(&trees, "main")
            .expect("it is there")
            .save()
            .to_json();
        let mut saved: serde_json::Value = serde_json::from_str(&saved).expect("it is JSON");
        saved["forced"] = serde_json::json!([["main", 1, "success"]]);
        let saved = Saved::from_json(&saved.to_string()).expect("it is one");
        let runner = Runner::restore(&trees, &saved).expect("it is sound");
        let found = runner.diagnostics()[0].to_string();
        let expected =
            "forced results (1 nodes): they run as usual, because the feature `debug` is off";
        assert!(found.contains(expected), "{found}");
    }
}
