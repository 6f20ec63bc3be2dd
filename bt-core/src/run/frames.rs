//! Places compared across the calls of trees, and the runs of trees that they belong to.

use super::core::Core;
use super::node_ref::{At, Frame, NOWHERE};
use crate::tree::plan::{NONE, Plan};

impl Core {
    pub(crate) fn frame(&self, frame: u32) -> Frame {
        self.frames.get(frame as usize).copied().unwrap_or(Frame {
            tree: (),
            caller: NOWHERE,
            depth: 0,
            level: 0,
            board: None,
        })
    }

    /// The number of open runs of trees, the outermost among them.
    pub(crate) fn open_frames(&self) -> usize {
        let closed = self
            .cold
            .as_ref()
            .map_or(0, |cold| cold.closed_frames.len());
        self.frames.len() - closed
    }

    /// A frame that nothing uses.
    pub(crate) fn new_frame(&mut self, frame: Frame) -> u32 {
        if self.frames.is_empty() {
            let base = self.frame(0);
            self.frames.push(base);
        }
        match self.cold().closed_frames.pop() {
            Some(closed) => {
                self.frames[closed as usize] = frame;
                closed
            }
            None => {
                self.frames.push(frame);
                self.frames.len() as u32 - 1
            }
        }
    }

    /// The place right above, across the call of a tree; none above the outermost root.
    pub(crate) fn above(&self, plan: &Plan, at: At) -> Option<At> {
        let parent = plan.parent(at.node);
        if parent != NONE {
            return Some(At {
                frame: at.frame,
                node: parent,
            });
        }
        let caller = self.frame(at.frame).caller;
        (caller != NOWHERE).then_some(caller)
    }

    /// The place in `frame` that `at` is, or is below of.
    pub(crate) fn lifted(&self, mut at: At, frame: u32) -> Option<At> {
        while at.frame != frame {
            let from = self.frame(at.frame);
            if from.depth <= self.frame(frame).depth {
                return None;
            }
            at = from.caller;
        }
        Some(at)
    }

    /// Returns true if `at` is `top` or below it.
    pub(crate) fn is_within(&self, plan: &Plan, at: At, top: At) -> bool {
        if at.frame == top.frame {
            return (top.node..plan.node(top.node).end).contains(&at.node);
        }
        match self.lifted(at, top.frame) {
            Some(at) => (top.node..plan.node(top.node).end).contains(&at.node),
            None => false,
        }
    }

    /// Returns true if `a` comes before `b` in the order in which nodes run: an ancestor before what is below
    /// it, siblings in order.
    pub(crate) fn is_before(&self, a: At, b: At) -> bool {
        if a.frame == b.frame {
            return a.node < b.node;
        }
        let (mut x, mut y) = (a, b);
        while x.frame != y.frame {
            let (from_x, from_y) = (self.frame(x.frame), self.frame(y.frame));
            if from_x.depth >= from_y.depth {
                x = from_x.caller;
            } else {
                y = from_y.caller;
            }
            if x == NOWHERE || y == NOWHERE {
                return a < b;
            }
        }
        match x.node.cmp(&y.node) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            // One is below the other.
            std::cmp::Ordering::Equal => self.frame(a.frame).depth < self.frame(b.frame).depth,
        }
    }

    /// Compares two places by the order of the walk.
    pub(crate) fn order(&self, a: At, b: At) -> std::cmp::Ordering {
        match self.is_before(a, b) {
            true => std::cmp::Ordering::Less,
            false if a == b => std::cmp::Ordering::Equal,
            false => std::cmp::Ordering::Greater,
        }
    }

    /// The number of nodes from the outermost root down to `at`.
    pub(crate) fn depth(&self, plan: &Plan, at: At) -> u32 {
        let above = std::iter::successors(Some(at), |at| self.above(plan, *at));
        above.count() as u32
    }
}
