//! The common parts of kinds that choose one of their children, and may choose another one in each turn.

use serde_json::Value;

use super::{KeyProblem, NodeContext, Path, Problems, Step, Wait};

/// Reports a list that has no entry for each child; `what` is an entry, `or` says what else would do.
pub(super) fn check_entries(
    key: &str,
    [what, or]: [&str; 2],
    found: usize,
    children: usize,
    path: &Path<'_>,
    problems: &mut Problems<'_>,
) {
    let expected = &format_args!("{what} for each of its {children} children{or}");
    let found = &found;
    problems(&path.key(key), KeyProblem::OutOfRange { expected, found });
}

/// A list without the entries of disabled children; `stays` says of each child whether it is none of them.
pub(super) fn without(
    key: &'static str,
    entries: impl IntoIterator<Item = Value>,
    stays: &[bool],
) -> Vec<(&'static str, Value)> {
    // A list of no child is none.
    if !stays.contains(&true) {
        return Vec::new();
    }
    let all = entries.into_iter().zip(stays);
    let left = all.filter(|(_, stays)| **stays).map(|(entry, _)| entry);
    vec![(key, left.collect())]
}

/// Enters the child that was chosen on entry. If it is reactive, the node has a turn in every poll.
pub(super) fn enter(
    cx: &mut impl NodeContext,
    node: u32,
    chosen: Option<u32>,
    is_reactive: bool,
) -> Step {
    let Some(child) = chosen else {
        return Step::Done(false);
    };
    if is_reactive {
        cx.wait(node, Wait::Turn);
    }
    Step::Enter(child)
}

/// Ends with the result of the child.
pub(super) fn child_done(cx: &mut impl NodeContext, node: u32, success: bool) -> Step {
    cx.drop_resume(node);
    cx.stop_waiting(node);
    Step::Done(success)
}

/// The child that runs, if the node chooses anew in this turn.
pub(super) fn running(cx: &mut impl NodeContext, node: u32, is_reactive: bool) -> Option<u32> {
    if !is_reactive {
        // Changed trees say so.
        cx.stop_waiting(node);
        return None;
    }
    if cx.is_closed_for_children(node) {
        return None;
    }
    cx.listed(node).find(|child| cx.is_active(*child))
}

/// Lets the child that was chosen in the turn take over from the one that runs; fails if that is none.
pub(super) fn take_over(
    cx: &mut impl NodeContext,
    node: u32,
    running: u32,
    chosen: Option<u32>,
) -> Step {
    match chosen {
        Some(child) if child == running => Step::Blocked,
        Some(child) => cx.abort_and_enter(node, running, child),
        None => {
            cx.stop_waiting(node);
            cx.abort_below(node, false)
        }
    }
}

/// Changed trees may say otherwise of it: a node that is reactive since has its turn from now on.
pub(super) fn begins_turns(cx: &mut impl NodeContext, node: u32, is_reactive: bool) -> bool {
    let begins = is_reactive && !cx.is_waiting(node);
    if begins {
        cx.wait(node, Wait::Turn);
    }
    begins
}
