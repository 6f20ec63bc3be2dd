//! `cooldown`: failure for a while after a run.

use serde::{Deserialize, Serialize};

use super::number::{Amount, Number, ONE, When};
use super::read::{choices, fields};
use super::values::Seconds;
use super::{
    About, Behaviour, Call, Long, NodeContext, NodeKind, Nothing, Outcome, Path, PlanContext,
    Planned, RefusedBy, Remember, Runs, Step, Translate, Use, outcome,
};

choices! {
    /// The ends that start a cooldown.
    pub enum CooldownOn {
        /// Both.
        All = "all",
        /// Success.
        Success = "success",
    }
}

fields! {
    /// Failure for a while after its child has ended.
    pub struct Cooldown<'t> {
        /// how long it fails after its child has ended
        seconds: Number<'t, Seconds> => "{}",
        /// which ends start it
        on: CooldownOn = CooldownOn::All => "on {}",
    }
}

impl<'t> NodeKind<'t> for Cooldown<'t> {
    const ABOUT: About = About::decorator(
        "cooldown",
        "◷",
        "fails for a while after its child has ended",
    );
    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::child(children).may_fail()
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        self.seconds.uses("seconds", &path.key("seconds"), report);
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        let node = CooldownNode {
            nanos: self.seconds.plan(cx, "seconds", When::Needed),
            on_success: self.on == CooldownOn::Success,
        };
        node.into()
    }
}

#[derive(Debug)]
pub(crate) struct CooldownNode {
    /// In nanoseconds.
    nanos: Amount<Long>,
    /// Only a success starts it.
    on_success: bool,
}

/// The time until which it fails, without pauses, in nanoseconds.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Until(Long);

impl Remember for Until {
    fn translate(&mut self, to: &mut dyn Translate) -> Result<(), String> {
        to.time(&mut self.0)
    }
}

impl Behaviour for CooldownNode {
    type State = Nothing;
    type Retained = Until;

    fn refuses(&self, until: &Until, awake: u64) -> Option<RefusedBy> {
        let left = u64::from(until.0).saturating_sub(awake);
        (left > 0).then_some(RefusedBy::Cooldown(left))
    }
}

impl<C: NodeContext> Runs<C> for CooldownNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        match cx.retained::<Self>(node) {
            Some(Until(until)) if cx.awake() < until.into() => Step::Done(false),
            _ => Step::Enter(cx.child(node)),
        }
    }

    fn child_done(&self, cx: &mut C, node: u32, _: u32, success: bool) -> Step {
        if success || !self.on_success {
            let Some(nanos) = self.nanos.now(cx, node, ONE) else {
                return Step::Done(false);
            };
            let until = cx.awake().saturating_add(nanos);
            cx.retain::<Self>(node, Until(until.into()));
        }
        Step::Done(success)
    }
}
