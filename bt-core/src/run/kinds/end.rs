//! `end`: the tree ends at once, so.

use super::{Behaviour, Nothing};
use crate::run::abort::Then;
use crate::run::node_ref::At;
use crate::run::waits::Wait;
use crate::run::walk::{Act, Step, Walker};

#[derive(Debug)]
pub(crate) struct End {
    pub(crate) status: bool,
    /// The agent's current tree, not only the one that it stands in.
    pub(crate) outside: bool,
}

impl Behaviour for End {
    type State = Nothing;
    type Retained = Nothing;

    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        let at = walk.core.here(node);
        if walk.plan.node(node).attached || walk.core.looks {
            walk.ended(node, self.status);
        }
        walk.core.wait(at, Wait::Parked(Act::Left(self.status)));
        let root = if self.outside {
            walk.core.base_root()
        } else {
            At {
                frame: at.frame,
                node: walk.plan.tree_of(node).root,
            }
        };
        walk.abort(at, root, false, Then::Go(root, Act::Done(self.status)))
    }
}
