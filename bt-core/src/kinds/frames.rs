//! `frames`: a number of polls.

use serde::{Deserialize, Serialize};

use super::iterations::Iterations;
use super::number::{Amount, Number, ONE, When};
use super::read::fields;
use super::values::AtLeast;
use super::{
    About, Behaviour, Call, Ends, Long, NodeContext, NodeKind, Nothing, Outcome, Path, PlanContext,
    Planned, Remember, Runs, Step, Translate, Use, Wait,
};

fields! {
    /// Its child for a number of polls.
    pub struct Frames<'t> {
        /// how many
        count: Number<'t, AtLeast<0>> => "× {}",
    }
}

impl<'t> NodeKind<'t> for Frames<'t> {
    const ABOUT: About = About::decorator(
        "frames",
        "#",
        "runs its child for a number of polls, then succeeds",
    )
    .behaviac("DecoratorFrames");

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        self.count.may_fail(Outcome::new(true, false, true))
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        self.count.uses("count", &path.key("count"), report);
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        let count = self.count.plan(cx, "count", When::Entered);
        FramesNode { count }.into()
    }
}

#[derive(Debug)]
pub(crate) struct FramesNode {
    count: Amount<Long>,
}

/// The polls of the child. What is done is the number of the one in which it has ended.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Polls(Iterations);

impl Remember for Polls {
    const FORM: &'static str = Iterations::FORM;

    fn translate(&mut self, to: &mut dyn Translate) -> Result<(), String> {
        to.counted_from(&mut self.0.began);
        Ok(())
    }

    fn skip_polls(&mut self, polls: u32) {
        self.0.began = self.0.began.saturating_add(polls);
    }
}

impl Behaviour for FramesNode {
    type State = Polls;
    type Retained = Nothing;

    /// The child still runs in the last poll where there was no budget left for it.
    fn decides_later(&self) -> bool {
        false
    }

    fn ends_below(&self, polls: Option<&Polls>) -> Option<Ends> {
        let (began, Amount::Known(count)) = (polls?.0.began, self.count) else {
            return None;
        };
        Some(Ends::Poll(
            began.saturating_add(short(count.into()).saturating_sub(1)),
        ))
    }

    fn may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Turn
    }

    fn may_resume(&self) -> bool {
        true
    }
}

impl<C: NodeContext> Runs<C> for FramesNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        match self.count.kept(cx, node, ONE) {
            None => return Step::Done(false),
            Some(0) => return Step::Done(true),
            Some(_) => self.begin(cx, node),
        }
        self.enter_child(cx, node)
    }

    fn child_done(&self, cx: &mut C, node: u32, _: u32, _: bool) -> Step {
        cx.drop_resume(node);
        if self.count.kept(cx, node, ONE).is_none() {
            cx.clear_state(node);
            cx.stop_waiting(node);
            return Step::Done(false);
        }
        let poll = cx.poll();
        if let Some(polls) = cx.state_mut::<Self>(node) {
            polls.0.done = poll;
        }
        self.end_in_turn(cx, node)
    }

    /// The child was entered: on entry, in the turn, or where one is gone from changed trees. Then the turn is to come.
    fn resume(&self, cx: &mut C, node: u32, _: u32) -> Step {
        self.end_in_turn(cx, node)
    }

    fn turn(&self, cx: &mut C, node: u32) -> Step {
        if !cx.any_below(node) {
            let poll = cx.poll();
            let state = cx.state::<Self>(node);
            if state.is_some_and(|polls| polls.0.done == poll) {
                return self.end_if_over(cx, node);
            }
            return self.enter_child(cx, node);
        }
        if self.is_over(cx, node) {
            // The child runs in the last poll, too.
            cx.decide_later(node);
        }
        Step::Blocked
    }

    /// In the last poll: the child has run.
    fn decide(&self, cx: &mut C, node: u32) -> Step {
        match cx.is_spent() {
            true => Step::Blocked,
            false => self.end_if_over(cx, node),
        }
    }

    /// It counts this poll, though nothing below it is entered.
    fn adopt(&self, cx: &mut C, node: u32, _: u32) {
        self.begin(cx, node);
        cx.turn_now(node);
    }
}

impl FramesNode {
    /// Its first poll is this one.
    fn begin(&self, cx: &mut impl NodeContext, node: u32) {
        let (done, began) = (0, cx.poll());
        cx.set_state::<Self>(node, Polls(Iterations { done, began }));
        cx.wait(node, Wait::Turn);
    }

    fn enter_child(&self, cx: &mut impl NodeContext, node: u32) -> Step {
        let child = cx.child(node);
        cx.resume_after(node, child);
        Step::Enter(child)
    }

    fn is_over(&self, cx: &impl NodeContext, node: u32) -> bool {
        let poll = cx.poll();
        // In changed trees a number that cannot be read ends it otherwise.
        let count = self.count.kept(cx, node, ONE).map_or(u32::MAX, short);
        let polls = cx.state::<Self>(node);
        polls.is_some_and(|polls| poll.wrapping_sub(polls.0.began).saturating_add(1) >= count)
    }

    /// Ends in its last poll, if it has had its turn there, or was entered there.
    fn end_in_turn(&self, cx: &mut impl NodeContext, node: u32) -> Step {
        match cx.had_turn(node) {
            true => self.end_if_over(cx, node),
            false => Step::Blocked,
        }
    }

    /// Ends in its last poll.
    fn end_if_over(&self, cx: &mut impl NodeContext, node: u32) -> Step {
        if !self.is_over(cx, node) {
            return Step::Blocked;
        }
        cx.clear_state(node);
        cx.stop_waiting(node);
        cx.abort_below(node, true)
    }
}

/// A number of polls: more than a `u32` are as good as for ever.
fn short(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
