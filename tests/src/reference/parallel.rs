//! `parallel` with thresholds.

use super::{Active, News, Next, Reference, State};
use crate::cases::Kind;

use News::{Ended, Entered, Turn, Waits};
use Next::{Done, Enter, Wait};

impl<'t> Reference<'t> {
    /// “`success = M` (default N), `failure = K` (default N-M+1) … Decided in completion order.”
    pub(super) fn parallel(&mut self, active: &mut Active<'t>, news: News) -> Next {
        let Kind::Parallel {
            success,
            failure,
            rerun,
        } = &active.node.kind
        else {
            return Wait;
        };
        let count = active.node.children.len() as u32;
        let most = success.unwrap_or(count);
        let failures = failure.unwrap_or(count + 1 - most);
        let state = &mut active.own;
        match news {
            Turn if !rerun => Wait,
            Entered | Turn => {
                state.entering = true;
                self.count_anew(state, *rerun);
                next_child(active, 0)
            }
            Ended(child, has_succeeded) => {
                self.count_anew(state, *rerun);
                state.ran.push(child);
                match has_succeeded {
                    true => state.succeeded += 1,
                    false => state.failed += 1,
                }
                if state.decided.is_none() && state.succeeded >= most {
                    state.decided = Some(true);
                } else if state.decided.is_none() && state.failed >= failures {
                    state.decided = Some(false);
                }
                if state.entering {
                    return next_child(active, child + 1);
                }
                // With `rerun` the others run again in this poll's turn, and may decide.
                if *rerun && state.decided.is_none() && active.stamp != self.poll {
                    return Wait;
                }
                concluded(active)
            }
            Waits(child) => next_child(active, child + 1),
            _ => Wait,
        }
    }

    /// “With `rerun` the thresholds count this poll's ends only.”
    fn count_anew(&self, state: &mut State, rerun: bool) {
        if rerun && state.began != self.poll {
            (state.succeeded, state.failed) = (0, 0);
            state.ran.clear();
            state.began = self.poll;
        }
    }
}

/// “All children are entered in index order in the first poll even if the first decides”; a parallel
/// “that has decided calls no further child after its first poll”.
fn next_child(active: &mut Active<'_>, from: usize) -> Next {
    let state = &active.own;
    let is_next = |child: &usize| {
        let runs = active.below.contains_key(child) || state.ran.contains(child);
        !state.entered || !runs && state.decided.is_none()
    };
    match (from..active.node.children.len()).find(is_next) {
        Some(next) => Enter(next),
        None => {
            active.own.entering = false;
            active.own.entered = true;
            concluded(active)
        }
    }
}

/// “All ended and neither reached: F.”
fn concluded(active: &Active<'_>) -> Next {
    match active.own.decided {
        Some(success) => Done(success),
        None if active.below.is_empty() => Done(false),
        None => Wait,
    }
}
