//! Changed trees that an agent is to move to, until it has.

use crate::Agent;
use crate::reload::{Changes, Node, Reload};
use crate::run::node_ref::At;

/// Changed trees that an agent is to move to, and what the last ones did.
pub(crate) struct Pending<A: Agent>(pub(super) Option<Box<State<A>>>);

pub(super) struct State<A: Agent> {
    pub(super) next: Option<Changes<A>>,
    /// The nodes that were aborted already, and the places of those of them that are entered again, by their
    /// old numbers.
    pub(super) aborted: Vec<Node>,
    pub(super) again: Vec<At>,
    pub(super) last: Option<Reload>,
    /// The number of those that are over.
    pub(super) over: u32,
    /// Changes that it has refused.
    pub(super) refused: Option<Changes<A>>,
    /// It was restored, and what is known of its trees is what was active of them: nothing else may run
    /// there. Nodes whose exit methods are gone, and what to say of each.
    pub(super) older: Option<Vec<(u32, String)>>,
}

impl<A: Agent> Default for Pending<A> {
    fn default() -> Pending<A> {
        Pending(None)
    }
}

impl<A: Agent> Pending<A> {
    pub(super) fn state(&mut self) -> &mut State<A> {
        self.0.get_or_insert_with(|| {
            Box::new(State {
                next: None,
                aborted: Vec::new(),
                again: Vec::new(),
                last: None,
                over: 0,
                refused: None,
                older: None,
            })
        })
    }

    /// It is over, so.
    pub(super) fn done(&mut self, mut reload: Reload) {
        let state = self.state();
        reload.aborted = std::mem::take(&mut state.aborted);
        state.again.clear();
        state.next = None;
        state.older = None;
        state.last = Some(reload);
        state.over = state.over.wrapping_add(1);
    }
}
