//! `reactive_sequence` and `reactive_select`: earlier children run again every poll.

use serde::{Deserialize, Serialize};

use super::read::fields;
use super::{
    About, Behaviour, Call, Ends, NodeContext, NodeKind, Nothing, Outcome, PlanContext, Planned,
    Remember, Runs, Step, Translate, Wait, outcome,
};

fields! {
    /// A sequence whose earlier children run again every poll.
    pub struct ReactiveSequence {}
}

impl<'t> NodeKind<'t> for ReactiveSequence {
    const ABOUT: About = About::composite(
        "reactive_sequence",
        "→!",
        "a sequence that runs its earlier children again every poll",
    )
    .elsewhere(&["dynamicsequence", "activesequence"], "");

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::sequence(children)
    }

    fn continues_after(&self, child: Outcome) -> Option<bool> {
        Some(child.success)
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        ReactiveNode { on: true }.into()
    }
}

fields! {
    /// A select whose earlier children run again every poll.
    pub struct ReactiveSelect {}
}

impl<'t> NodeKind<'t> for ReactiveSelect {
    const ABOUT: About = About::composite(
        "reactive_select",
        "?!",
        "a select that runs its earlier children again every poll",
    )
    .elsewhere(
        &[
            "reactivefallback",
            "reactiveselector",
            "dynamicselector",
            "activeselector",
        ],
        "",
    )
    .fails_empty();

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::select(children)
    }

    fn continues_after(&self, child: Outcome) -> Option<bool> {
        Some(child.failure)
    }

    fn plan(self, _: &mut dyn PlanContext) -> Planned {
        ReactiveNode { on: false }.into()
    }
}

#[derive(Debug)]
pub(crate) struct ReactiveNode {
    /// The result after which the next child is entered: success for a sequence.
    on: bool,
}

/// The child that runs.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Running(u32);

impl Running {
    pub(crate) fn child(self) -> u32 {
        self.0
    }
}

impl Remember for Running {
    const FORM: &'static str = "reactive";

    fn translate(&mut self, to: &mut dyn Translate) -> Result<(), String> {
        to.child(&mut self.0)
    }
}

impl Behaviour for ReactiveNode {
    type State = Running;
    type Retained = Nothing;

    fn is_reactive(&self) -> bool {
        true
    }

    fn runs_many(&self) -> bool {
        true
    }

    fn ends_below(&self, _: Option<&Running>) -> Option<Ends> {
        Some(Ends::Earlier)
    }

    fn may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Turn
    }

    fn may_resume(&self) -> bool {
        true
    }
}

impl<C: NodeContext> Runs<C> for ReactiveNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        match cx.first_child(node) {
            Some(first) => self.try_child(cx, node, first),
            None => Step::Done(self.on),
        }
    }

    fn child_done(&self, cx: &mut C, node: u32, child: u32, success: bool) -> Step {
        let running = self.running(cx, node);
        if running == Some(child) {
            cx.clear_state(node);
        }
        if cx.entering(node).is_some_and(|entered| entered != child) {
            // The running child ended while an earlier one is evaluated, which continues.
            return Step::Blocked;
        }
        cx.drop_resume(node);
        if success != self.on {
            return finish(cx, node, success);
        }
        match cx.next_child(node, child) {
            // The others let it go on.
            Some(next) if running == Some(next) => Step::Blocked,
            Some(next) => self.try_child(cx, node, next),
            None => finish(cx, node, success),
        }
    }

    fn resume(&self, cx: &mut C, node: u32, child: u32) -> Step {
        let before = self.running(cx, node);
        cx.set_state::<Self>(node, Running(child));
        if !cx.is_waiting(node) {
            cx.wait(node, Wait::Turn);
        }
        match before {
            Some(loser) if loser != child => cx.abort_child(node, loser),
            _ => Step::Blocked,
        }
    }

    fn turn(&self, cx: &mut C, node: u32) -> Step {
        let running = self.running(cx, node);
        if running.is_none() || cx.is_closed_for_children(node) {
            return Step::Blocked;
        }
        match cx.first_child(node) {
            None => finish(cx, node, self.on),
            first if first == running => Step::Blocked,
            Some(first) => self.try_child(cx, node, first),
        }
    }

    fn adopt(&self, cx: &mut C, node: u32, child: u32) {
        cx.set_state::<Self>(node, Running(child));
        cx.wait(node, Wait::Turn);
    }
}

impl ReactiveNode {
    /// Enters a child, once what was aborted there is gone.
    fn try_child(&self, cx: &mut impl NodeContext, node: u32, child: u32) -> Step {
        if cx.is_active(child) {
            return cx.abort_and_enter(node, child, child);
        }
        cx.resume_after(node, child);
        Step::Enter(child)
    }

    /// The child that runs.
    fn running(&self, cx: &impl NodeContext, node: u32) -> Option<u32> {
        cx.state::<Self>(node).map(|running| running.0)
    }
}

/// Ends, once all that runs below is gone.
fn finish(cx: &mut impl NodeContext, node: u32, success: bool) -> Step {
    cx.clear_state(node);
    cx.stop_waiting(node);
    if cx.any_below(node) {
        return cx.abort_below(node, success);
    }
    Step::Done(success)
}
