//! The outcomes of a node, as far as its tree determines them.

use super::linter::Linter;
use bt_core::kinds::call::Call;
use bt_core::kinds::{Group, Leaf, Node, Params};
use bt_core::registry::catalogue::{MethodEntry, ReturnKind};
use bt_core::tree::asset::AssetNode;

pub(super) use bt_core::kinds::Outcome;

/// The outcomes of a node, by those of its children.
pub(super) fn outcome(linter: &Linter<'_, '_>, said: &Node<'_>, children: &[Outcome]) -> Outcome {
    let own = unguarded(linter, said, children);
    // A guard that does not hold is a failure.
    match said.attachments.guards.is_empty() {
        true => own,
        false => own.may_fail(),
    }
}

/// The same without its guards.
pub(super) fn unguarded(linter: &Linter<'_, '_>, said: &Node<'_>, children: &[Outcome]) -> Outcome {
    let params = said.params.as_ref();
    params.map_or(Outcome::ANY, |params| by_kind(linter, params, children))
}

fn by_kind(linter: &Linter<'_, '_>, params: &Params<'_>, children: &[Outcome]) -> Outcome {
    params.outcome(children, &|call| match linter.method(call.name) {
        Some(method) => of_method(method, call),
        None => Outcome::ANY,
    })
}

fn of_method(method: &MethodEntry, call: &Call<'_>) -> Outcome {
    let result = match method.result {
        ReturnKind::Unit => Outcome::SUCCESS,
        ReturnKind::Bool | ReturnKind::Value => Outcome::INSTANT,
        ReturnKind::Async | ReturnKind::Status | ReturnKind::Next | ReturnKind::NextChild => {
            Outcome::ANY
        }
    };
    // A key that is not set is a failure, and so is a property that cannot be read.
    let looks_up = call
        .args
        .all()
        .is_none_or(|args| args.iter().any(|argument| argument.plain().is_none()));
    match method.fallible || looks_up {
        true => result.may_fail(),
        false => result,
    }
}

/// Returns true if a node by itself can be running when a poll ends, whatever is below it. What a sub-tree
/// does is not asked here.
pub(super) fn waits(linter: &Linter<'_, '_>, node: &AssetNode, said: &Node<'_>) -> bool {
    let children: Vec<_> = node.children().iter().map(|_| Outcome::INSTANT).collect();
    said.params.as_ref().is_none_or(|params| {
        params.kind().about().group != Group::Leaf(Leaf::Tree)
            && by_kind(linter, params, &children).waits
    })
}

/// The first child that cannot be reached, the one before it, and what that one cannot do.
pub(super) fn first_unreachable(
    node: &AssetNode,
    said: &Node<'_>,
    children: &[Outcome],
) -> Option<(u32, u32, &'static str)> {
    let params = said.params.as_ref()?;
    let is_stuck = |child: &Outcome| params.continues_after(*child) == Some(false);
    let stuck = children.iter().position(is_stuck)?;
    let before = *node.children().get(stuck)?;
    let child = *node.children().get(stuck + 1)?;
    let outcome = children[stuck];
    let cannot = match (outcome.success, outcome.failure) {
        (false, false) if outcome.waits => "never ends",
        (false, false) => "ends the tree",
        (true, _) => "always succeeds",
        (false, true) => "always fails",
    };
    Some((child, before, cannot))
}
