//! Problems: what keeps an agent from being restored, and what is reported of one that is.

use crate::run::core::Core;
use crate::run::diagnostic::Diagnostic;
use crate::snapshot::RestoreError;
use crate::tree::plan::Plan;

pub(super) type Result<T> = std::result::Result<T, RestoreError>;

/// Notes what went wrong, before there is a walk.
pub(super) fn report(core: &mut Core, plan: &Plan, node: Option<u32>, message: String) {
    let tree = plan.tree_of(node.unwrap_or(core.root));
    let place = node.map_or_else(|| tree.name.to_string(), |node| plan.place(node));
    tracing::warn!(target: "bt", "{place}: {message}");
    let diagnostic = Diagnostic {
        tree: (&*tree.name).into(),
        node: node.map(|node| plan.info(node).idx),
        place,
        message,
        path: String::new(),
        time: core.now(),
        poll: core.poll,
        is_failure: false,
    };
    core.cold().reports.keep(diagnostic);
}
