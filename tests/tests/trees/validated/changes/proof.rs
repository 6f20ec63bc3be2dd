//! The proof by trees of a change's effect.

use bt_core::registry::catalogue::{Catalogue, ValueEntry};
use bt_core::tree::Code;
use bt_core::tree::check::{Checker, Rules};
use bt_core::{Registry, TreeAsset};
use bt_meta::diff::{Change, What};
use serde_json::Value;

use super::change::About;
use super::users::find;

/// The verdict of a check on a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Valid,
    /// A schema alone does not tell, as of a field under an alias.
    InDoubt,
    Refused,
}

pub(super) fn verdicts(registry: &Registry, trees: &[TreeAsset]) -> Vec<Verdict> {
    let rules = Rules::default();
    let checker = Checker::new(trees, registry, &rules);
    let each = trees.iter().enumerate().map(|(at, tree)| {
        let checked = checker.check(at, tree);
        let warns = |codes: &[Code]| {
            checked
                .warnings
                .iter()
                .any(|one| codes.contains(&one.code()))
        };
        // Neither is refused, and neither works.
        let is_lost = warns(&[Code::UnknownEvent, Code::RunningEffect]);
        match checked.problems.is_empty() && !is_lost {
            false => Verdict::Refused,
            true if warns(&[Code::DoubtfulArgument]) => Verdict::InDoubt,
            true => Verdict::Valid,
        }
    });
    each.collect()
}

/// Returns true if a tree that it breaks may be valid still, and mean something else: other values go to
/// arguments, a key of a value is ignored, a blackboard key is read or written, or holds another type.
pub(super) fn changes_meaning(change: &Change, tree: &TreeAsset) -> bool {
    match change.change {
        What::Order | What::Passed => true,
        What::Removed => change.argument.is_some(),
        What::Type | What::Bounds if change.argument.is_none() || change.item == "event" => true,
        What::Type => {
            let nodes = tree.nodes().iter();
            let mut extras = nodes.flat_map(|node| node.extra.values());
            change.message.contains(" is gone")
                || tree.to_json().contains("blackboard")
                || extras.any(|extra| gives_array(extra, false))
        }
        _ => false,
    }
}

/// Returns true if an array is given, as a struct by position may be.
fn gives_array(of: &Value, is_given: bool) -> bool {
    match of {
        Value::Array(items) => is_given || items.iter().any(|item| gives_array(item, false)),
        Value::Object(map) => {
            let mut map = map.iter();
            map.any(|(key, value)| gives_array(value, is_given || key == "arg_value"))
        }
        _ => false,
    }
}

/// Returns true if its proof needs more than one tree, or more than trees: hosts set properties, the trees of
/// a base are called by those of a derived agent, and a definition stands behind properties and events too.
pub(super) fn is_proven_elsewhere(change: &Change, about: &About, old: &Catalogue) -> bool {
    let is_value = matches!(change.item, "property" | "event");
    matches!(change.change, What::ReadOnly | What::Base)
        || (change.item == "property" && change.change == What::Bounds)
        || is_written(change, about, old)
        || (is_value && matches!(about, About::Definition(_)))
}

/// Returns true if it is about the bounds of what a key holds, which only running trees show.
fn is_written(change: &Change, about: &About, old: &Catalogue) -> bool {
    let About::Method(at, name) = about else {
        return false;
    };
    let method = find(&old.agents[*at], name);
    let mut args = method.iter().flat_map(|method| &method.args);
    let is_it = |arg: &&ValueEntry| Some(&arg.name) == change.argument.as_ref();
    let arg = args.find(is_it);
    change.change == What::Bounds && arg.is_some_and(|arg| arg.ty.in_out.is_some())
}
