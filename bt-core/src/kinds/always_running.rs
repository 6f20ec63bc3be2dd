//! `always_running`: no end.

use super::read::fields;
use super::{
    About, Behaviour, Call, Leaf, NodeContext, NodeKind, Nothing, Outcome, PlanContext, Planned,
    Runs, Step, Wait,
};

fields! {
    /// No end but by an abort.
    pub struct AlwaysRunning {}
}

impl<'t> NodeKind<'t> for AlwaysRunning {
    const ABOUT: About = About::leaf(
        "always_running",
        "…",
        "stays running until it is aborted",
        Leaf::Control,
    )
    .elsewhere(&["running", "idle", "forever", "alwaysrun"], "");

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::NEVER
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        AlwaysRunningNode.into()
    }
}

#[derive(Debug)]
pub(crate) struct AlwaysRunningNode;

impl Behaviour for AlwaysRunningNode {
    type State = Nothing;
    type Retained = Nothing;

    fn may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Timer
    }
}

impl<C: NodeContext> Runs<C> for AlwaysRunningNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        cx.wait(node, Wait::Timer);
        Step::Blocked
    }
}
