//! `sequence` and `select`: children in order until one decides.

use super::memory::{Keeps, MemoryNode};
use super::read::fields;
use super::{
    About, Act, Behaviour, Call, NodeContext, NodeKind, Nothing, Outcome, PlanContext, Planned,
    Runs, Step, Wait, outcome,
};

fields! {
    /// Children in order until one fails.
    pub struct Sequence {
        /// after an abort, continue at the child that was running
        keep_place: bool = false => "keeps its place",
    }
}

impl<'t> NodeKind<'t> for Sequence {
    const ABOUT: About = About::composite(
        "sequence",
        "→",
        "runs its children in order until one fails",
    )
    .original(1, 20)
    .elsewhere(
        &["seq", "sequential"],
        ", which runs its children until one fails",
    );

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::sequence(children)
    }

    fn continues_after(&self, child: Outcome) -> Option<bool> {
        Some(child.success)
    }

    fn symbol(&self) -> &'static str {
        match self.keep_place {
            true => "→=",
            false => Self::ABOUT.symbol,
        }
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        match self.keep_place {
            true => MemoryNode {
                on: true,
                keeps: Keeps::Aborted,
            }
            .into(),
            false => Planned::Sequence,
        }
    }
}

fields! {
    /// Children in order until one succeeds.
    pub struct Select {
        /// after an abort, continue at the child that was running
        keep_place: bool = false => "keeps its place",
    }
}

impl<'t> NodeKind<'t> for Select {
    const ABOUT: About = About::composite(
        "select",
        "?",
        "runs its children in order until one succeeds",
    )
    .original(1, 20)
    .elsewhere(
        &["selector", "fallback", "priority", "selection"],
        ", which runs its children until one succeeds",
    )
    .lower_guards()
    .fails_empty()
    .behaviac("Selector");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::select(children)
    }

    fn continues_after(&self, child: Outcome) -> Option<bool> {
        Some(child.failure)
    }

    fn symbol(&self) -> &'static str {
        match self.keep_place {
            true => "?=",
            false => Self::ABOUT.symbol,
        }
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        match self.keep_place {
            true => MemoryNode {
                on: false,
                keeps: Keeps::Aborted,
            }
            .into(),
            false => Planned::Select,
        }
    }
}

/// `sequence` and `select`, `and` and `or`: children in order, cut short by a result.
#[derive(Debug)]
pub(crate) struct InOrderNode {
    /// The result after which the next child is entered: success for a sequence.
    pub(super) on: bool,
}

impl Behaviour for InOrderNode {
    type State = Nothing;
    type Retained = Nothing;

    /// A child of a select takes over.
    fn child_may_wait(&self, wait: Wait) -> bool {
        !self.on && wait == Wait::Parked(Act::TakeOver)
    }
}

impl<C: NodeContext> Runs<C> for InOrderNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        match cx.first_child(node) {
            Some(first) => Step::Enter(first),
            None => Step::Done(self.on),
        }
    }

    fn child_done(&self, cx: &mut C, node: u32, child: u32, success: bool) -> Step {
        match cx.next_child(node, child) {
            Some(next) if success == self.on => Step::Enter(next),
            _ => Step::Done(success),
        }
    }
}
