//! `once`: one run, whose result is repeated.

use serde::{Deserialize, Serialize};

use super::read::fields;
use super::{
    About, Behaviour, Call, Certain, NodeContext, NodeKind, Nothing, Outcome, PlanContext, Planned,
    RefusedBy, Remember, Runs, Step, outcome,
};

fields! {
    /// One run, whose result is repeated.
    pub struct Once {}
}

impl<'t> NodeKind<'t> for Once {
    const ABOUT: About = About::decorator(
        "once",
        "1",
        "runs its child to its end once and repeats that result",
    )
    .elsewhere(&["oneshot", "runonce", "onlyonce"], "")
    .certain(Certain::First);
    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::child(children)
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        OnceNode.into()
    }
}

#[derive(Debug)]
pub(crate) struct OnceNode;

/// Its first result; a number when it is saved.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub(crate) struct First(bool);

impl Remember for First {}

impl TryFrom<u64> for First {
    type Error = &'static str;

    fn try_from(saved: u64) -> Result<First, &'static str> {
        match saved {
            0 => Ok(First(false)),
            1 => Ok(First(true)),
            _ => Err("it is no result"),
        }
    }
}

impl From<First> for u64 {
    fn from(first: First) -> u64 {
        first.0.into()
    }
}

impl Behaviour for OnceNode {
    type State = Nothing;
    type Retained = First;

    fn refuses(&self, first: &First, _: u64) -> Option<RefusedBy> {
        (!first.0).then_some(RefusedBy::Once)
    }
}

impl<C: NodeContext> Runs<C> for OnceNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        match cx.retained::<Self>(node) {
            Some(First(result)) => Step::Done(result),
            None => Step::Enter(cx.child(node)),
        }
    }

    fn child_done(&self, cx: &mut C, node: u32, _: u32, success: bool) -> Step {
        cx.retain::<Self>(node, First(success));
        Step::Done(success)
    }
}
