//! The effects of a reload, in words of its report.

use super::Fates;
use super::openings::Opening;
use crate::reload::{Node, Reload};
use crate::run::node_ref::At;
use crate::tree::plan::Plan;

impl Fates<'_> {
    fn named(&self, plan: &Plan, node: u32) -> Node {
        let (tree, info) = (plan.tree_of(node), plan.info(node));
        Node::new(&tree.name, info.idx, info.kind)
    }

    /// The nodes that are exited.
    pub(in crate::run::reload) fn aborted(&self) -> Vec<Node> {
        let all = (0..self.all.len()).filter(|number| self.now(*number).is_none());
        let all = all.filter(|number| self.all[*number].entered);
        all.map(|number| self.named(self.old, self.all[number].at.node))
            .collect()
    }

    /// All nodes that are active.
    pub(in crate::run::reload) fn everything(&self) -> Vec<Node> {
        let all = self.all.iter().filter(|active| active.entered);
        all.map(|active| self.named(self.old, active.at.node))
            .collect()
    }

    /// Says what stays, what is put around it, and where the walk continues: `again` are places of what was aborted
    /// before, and is to be entered again.
    pub(in crate::run::reload) fn report(&self, reload: &mut Reload, again: &[At]) {
        let name = |at: At| self.named(self.new, at.node);
        for level in 0..self.levels.len() {
            reload
                .kept
                .extend(self.stay(level).into_iter().map(|(_, now)| name(now)));
            reload
                .adopted
                .extend(self.adopted(level).into_iter().map(|(at, _)| name(at)));
            let openings = self.openings(level).into_iter();
            let opened = openings.filter_map(|opening| match opening {
                Opening::Child(at) => Some(at),
                Opening::Of(at, node) => Some(At { node: node?, ..at }),
            });
            let range = self.level(level);
            let again = again.iter().filter_map(|at| self.number(*at));
            let again = again.filter(|number| range.contains(number));
            let mut entered: Vec<At> = opened
                .chain(again.filter_map(|number| self.now(number)))
                .collect();
            self.sort(&mut entered, |at| *at);
            reload.entered.extend(entered.into_iter().map(name));
        }
    }
}
