//! The common parts of kinds that choose one of their children, and may choose another one in each turn.

use serde_json::Value;

use super::{Behaviour, Ends, KeyProblem, NodeContext, Nothing, Path, Problems, Runs, Step, Wait};

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

/// A kind of which the child that is chosen on entry gives the result, but for one that is chosen in a later turn.
pub(super) trait Chooses {
    /// Returns true if it chooses again in each turn.
    fn is_reactive(&self) -> bool;

    /// The child to run, if there is one; `running` does so already.
    fn choose(&self, cx: &mut impl NodeContext, node: u32, running: Option<u32>) -> Option<u32>;
}

impl<T: Chooses> Behaviour for T {
    type State = Nothing;
    type Retained = Nothing;

    fn chooses_anew(&self) -> bool {
        self.is_reactive()
    }

    fn ends_below(&self, _: Option<&Nothing>) -> Option<Ends> {
        self.is_reactive().then_some(Ends::Choice)
    }

    fn may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Turn
    }

    fn may_resume(&self) -> bool {
        true
    }
}

impl<T: Chooses, C: NodeContext> Runs<C> for T {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        // Of a node without children nothing is evaluated.
        let any = cx.first_child(node).is_some();
        let Some(child) = any.then(|| self.choose(cx, node, None)).flatten() else {
            return Step::Done(false);
        };
        if self.is_reactive() {
            cx.wait(node, Wait::Turn);
        }
        Step::Enter(child)
    }

    fn child_done(&self, cx: &mut C, node: u32, _: u32, success: bool) -> Step {
        cx.drop_resume(node);
        cx.stop_waiting(node);
        Step::Done(success)
    }

    fn turn(&self, cx: &mut C, node: u32) -> Step {
        let Some(running) = running(cx, node, self.is_reactive()) else {
            return Step::Blocked;
        };
        match self.choose(cx, node, Some(running)) {
            Some(child) if child == running => Step::Blocked,
            Some(child) => cx.abort_and_enter(node, running, child),
            None => {
                cx.stop_waiting(node);
                cx.abort_below(node, false)
            }
        }
    }

    fn adopt(&self, cx: &mut C, node: u32, _: u32) {
        begins_turns(cx, node, self.is_reactive());
    }

    fn check_again(&self, cx: &mut C, node: u32) -> Step {
        match begins_turns(cx, node, self.is_reactive()) {
            true => self.turn(cx, node),
            false => Step::Blocked,
        }
    }
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

/// Changed trees may say otherwise of it: a node that is reactive since has its turn from now on.
pub(super) fn begins_turns(cx: &mut impl NodeContext, node: u32, is_reactive: bool) -> bool {
    let begins = is_reactive && !cx.is_waiting(node);
    if begins {
        cx.wait(node, Wait::Turn);
    }
    begins
}
