//! A tree while its lints run.

use bt_core::registry::catalogue::MethodEntry;
use bt_core::tree::Code;
use bt_core::tree::asset::{AssetNode, Problem, TreeAsset};
use bt_core::tree::check::Checker;

/// A tree under its lints.
pub(super) struct Linter<'c, 'k> {
    pub(super) tree: &'c TreeAsset,
    pub(super) checker: &'c Checker<'k>,
    pub(super) problems: Vec<Problem>,
}

impl<'c> Linter<'c, '_> {
    pub(super) fn method(&self, name: &str) -> Option<&'c MethodEntry> {
        self.checker.method(self.tree, name)
    }

    pub(super) fn report(
        &mut self,
        code: Code,
        node: &AssetNode,
        below: &str,
        message: String,
        help: &str,
    ) {
        let at = self.tree.pointer(node.idx()).unwrap_or_default();
        let problem = Problem::new(code, self.tree.name(), message)
            .of_node(node.idx())
            .at(format!("{at}{below}"))
            .with_help(help);
        self.problems.push(problem);
    }
}
