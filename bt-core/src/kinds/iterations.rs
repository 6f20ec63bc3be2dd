//! The common parts of kinds that run their child again and again.

use serde::{Deserialize, Serialize};

use super::number::{Amount, ONE};
use super::{Long, NodeContext, Remember, Slot, Step, Wait};

/// The iterations of a loop.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(from = "(u32, u32)", into = "(u32, u32)")]
pub(crate) struct Iterations {
    /// The number of runs that have ended.
    pub(super) done: u32,
    /// The number of the poll in which the last one began.
    pub(super) began: u32,
}

impl Remember for Iterations {
    const FORM: &'static str = "count";
}

impl From<(u32, u32)> for Iterations {
    fn from((done, began): (u32, u32)) -> Iterations {
        Iterations { done, began }
    }
}

impl From<Iterations> for (u32, u32) {
    fn from(iterations: Iterations) -> (u32, u32) {
        (iterations.done, iterations.began)
    }
}

/// The number of iterations; below zero: without limit. None if it could not be read: the node fails.
pub(super) fn limit(count: Amount<Long>, cx: &impl NodeContext, node: u32) -> Option<i64> {
    count.kept(cx, node, ONE).map(u64::cast_signed)
}

/// Begins the first iteration.
pub(super) fn first<K: Slot<State = Iterations>>(cx: &mut impl NodeContext, node: u32) -> Step {
    adopt::<K>(cx, node);
    Step::Enter(cx.child(node))
}

/// The first iteration has begun.
pub(super) fn adopt<K: Slot<State = Iterations>>(cx: &mut impl NodeContext, node: u32) {
    let (done, began) = (0, cx.poll());
    cx.set_state::<K>(node, Iterations { done, began });
}

/// Ends the loop if there were so many iterations already.
pub(super) fn end_if_over<K: Slot<State = Iterations>>(
    cx: &mut impl NodeContext,
    node: u32,
    count: Amount<Long>,
    success: bool,
) -> Step {
    let count = limit(count, cx, node).unwrap_or(-1);
    let iterations = cx.state::<K>(node);
    let is_over = iterations.is_some_and(|found| i64::from(found.done) >= count);
    if count < 0 || !is_over {
        return Step::Blocked;
    }
    cx.clear_state(node);
    cx.stop_waiting(node);
    cx.abort_below(node, success)
}

/// Counts an iteration that has ended; how many there were.
pub(super) fn count<K: Slot<State = Iterations>>(cx: &mut impl NodeContext, node: u32) -> u32 {
    cx.state_mut::<K>(node).map_or(1, |iterations| {
        iterations.done = iterations.done.saturating_add(1);
        iterations.done
    })
}

/// Ends the loop.
pub(super) fn last(cx: &mut impl NodeContext, node: u32, success: bool) -> Step {
    cx.clear_state(node);
    Step::Done(success)
}

/// Begins the next iteration: at once, if the loop is limited, or if the last one began in an earlier
/// poll; else in the next poll.
pub(super) fn next<K: Slot<State = Iterations>>(
    cx: &mut impl NodeContext,
    node: u32,
    is_limited: bool,
) -> Step {
    let poll = cx.poll();
    let began = cx
        .state::<K>(node)
        .map_or(poll, |iterations| iterations.began);
    if !is_limited && began == poll {
        cx.wait(node, Wait::Again);
        return Step::Blocked;
    }
    begin::<K>(cx, node)
}

/// Begins an iteration in this poll.
pub(super) fn begin<K: Slot<State = Iterations>>(cx: &mut impl NodeContext, node: u32) -> Step {
    let poll = cx.poll();
    if let Some(iterations) = cx.state_mut::<K>(node) {
        iterations.began = poll;
    }
    Step::Enter(cx.child(node))
}
