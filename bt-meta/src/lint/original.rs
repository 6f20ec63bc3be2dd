//! Constructs that the original's editor does not know, loses when it saves, refuses or crashes on. Off by
//! default: it matters to whoever still opens trees there.

use bt_core::kinds::call::Call;
use bt_core::kinds::values::Weight;
use bt_core::kinds::{Caller, Node, Params, Path, Use};
use bt_core::text;
use bt_core::tree::Code;
use bt_core::tree::asset::AssetNode;

use super::linter::Linter;
use crate::view_trees::kept;

const HELP: &str = "`bt-meta export --view-trees` writes copies that open there, for looking at";

/// Tells what of a node the original's editor does not take.
pub(super) fn editor(linter: &mut Linter<'_, '_>, node: &AssetNode, said: &Node<'_>) {
    let mut problems: Vec<(&str, String)> = Vec::new();
    let kind = said.params.as_ref().map(Params::kind);
    let original = kind.map(|kind| kind.about().original);
    if original == Some(None) {
        let what = format!("it does not know the type `{}`", node.kind);
        problems.push(("/type", what));
    } else {
        let extra = node.extra.keys();
        let kept = kind.map_or(&[][..], kept);
        let lost = extra.filter(|key| !kept.contains(&key.as_str()));
        let lost = deletes(lost.chain(node.others.keys()));
        problems.extend(lost.map(|what| ("/extra", what)));
    }
    if node.parent().is_none() {
        let keys = linter.tree.keys().keys();
        let lost = deletes(keys.filter(|key| !FILE.contains(&key.as_str())));
        problems.extend(lost.map(|what| ("", format!("{what}, of the file itself"))));
    }
    if let Some(Some([least, most])) = original {
        let (kind, count) = (&node.kind, node.children().len());
        if !(least as usize..=most as usize).contains(&count) {
            let what = format!(
                "it takes {least} to {most} children of a node of type `{kind}`, found {count}"
            );
            problems.push(("/children", what));
        }
    }
    if let Some(Params::Probability(chances)) = &said.params
        && chances.prob.0.iter().any(|weight| {
            weight
                .literal()
                .is_some_and(|Weight(weight)| weight.fract() != 0.0)
        })
    {
        problems.push((
            "/extra/prob",
            "it refuses weights with fractions".to_owned(),
        ));
    }
    said.uses(&Path::TOP, &mut |_, used| {
        if let Use::Call(Caller::Action | Caller::Condition, call) = used {
            problems.extend(arguments(linter, call).map(|what| ("/extra/action_args", what)));
        }
    });
    for (below, what) in problems {
        let message = format!("the original editor cannot edit this: {what}");
        linter.report(Code::OriginalEditor, node, below, message, HELP);
    }
}

/// The keys of a file besides its nodes that the original's editor keeps.
const FILE: [&str; 4] = ["name", "extra", "tree_type", "signature"];

/// The number of keys that a message names.
const NAMED: usize = 8;

/// The fault of keys that are not kept, if there are any.
fn deletes<'k>(lost: impl Iterator<Item = &'k String>) -> Option<String> {
    let lost: Vec<_> = lost.collect();
    let named = lost.iter().take(NAMED);
    let named: Vec<_> = named.map(|key| format!("`{}`", text::name(key))).collect();
    let more = match lost.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more keys"),
    };
    let named = named.join(", ");
    (!lost.is_empty()).then(|| format!("it deletes {named}{more} when it saves"))
}

/// The fault of a call's arguments for that editor.
fn arguments(linter: &Linter<'_, '_>, call: &Call<'_>) -> Option<String> {
    let given = call.args.all()?;
    if given.iter().any(|arg| arg.property().is_some()) {
        return Some("it refuses arguments from properties".to_owned());
    }
    if given.iter().any(|arg| arg.expression().is_some()) {
        return Some("it refuses arguments that are expressions".to_owned());
    }
    if given.iter().any(|arg| arg.name().is_some()) {
        return Some(
            "it drops the names of arguments, so their values go to other parameters".to_owned(),
        );
    }
    let takes = linter.method(call.name)?.args.len();
    (given.is_empty() && takes > 0)
        .then(|| "it crashes on an action without its arguments".to_owned())
}
