//! Leaves of a reactive node that abort one another.

use bt_core::kinds::call::Argument;
use bt_core::kinds::{Caller, Group, Kind, Leaf, Node};
use bt_core::tree::Code;
use bt_core::tree::asset::AssetNode;

use super::linter::Linter;
use super::outcome::{Outcome, outcome};

/// Tells of two leaves in a row below a reactive node that can both wait: while the second one waits, each poll
/// starts the first again, and aborts the second where the first waits again. In a select nothing is said of a first
/// one that may fail at once, by its guard, its arguments or an error: that is how it lets the second run.
pub(super) fn restarting(linter: &mut Linter<'_, '_>, node: &AssetNode, said: &Node<'_>) {
    let Some(params) = &said.params else {
        return;
    };
    let instead = if params.kind() == Kind::ReactiveSequence {
        "`sequence`, in a script `SEQUENCE True`"
    } else if params.kind() == Kind::ReactiveSelect {
        "`select`, in a script `FALLBACK True`"
    } else {
        return;
    };
    let tree = linter.tree;
    for pair in node.children().windows(2) {
        let (Some(first), Some(second)) = (tree.node(pair[0]), tree.node(pair[1])) else {
            continue;
        };
        let outcome = waiting_leaf(linter, first);
        let is_restarted = outcome
            .is_some_and(|outcome| params.continues_after(outcome) == Some(true))
            && (params.kind() == Kind::ReactiveSequence || !may_fail_at_once(linter, first));
        if !is_restarted || waiting_leaf(linter, second).is_none() {
            continue;
        }
        let message = format!(
            "each poll starts node {} before it again, since `{}` is reactive, and aborts this one if that one waits",
            first.idx(),
            node.kind
        );
        let help = format!("to run them one after the other write {instead}");
        linter.report(Code::RestartedLeaf, second, "", message, &help);
    }
}

/// The outcomes of a node that is a leaf, runs no tree and can be running when a poll ends.
fn waiting_leaf(linter: &Linter<'_, '_>, node: &AssetNode) -> Option<Outcome> {
    let said = node.typed();
    let group = said.params.as_ref()?.kind().about().group;
    let is_leaf = matches!(group, Group::Leaf(leaf) if leaf != Leaf::Tree);
    let outcome = outcome(linter, &said, &[]);
    (is_leaf && outcome.waits).then_some(outcome)
}

/// Returns true if something besides the answer of its action makes a leaf fail.
fn may_fail_at_once(linter: &Linter<'_, '_>, node: &AssetNode) -> bool {
    let mut may = false;
    node.uses(&mut |_, used| {
        let Some((caller, call)) = used.call() else {
            return;
        };
        let method = linter.method(call.name);
        let is_plain = |argument: &_| Argument::plain(argument).is_some();
        may |= caller == Caller::Guard
            || method.is_none_or(|method| method.fallible)
            || call
                .args
                .all()
                .is_none_or(|args| !args.iter().all(is_plain));
    });
    may
}
