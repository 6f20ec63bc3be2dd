//! Guards that are to abort and that nothing makes ask again.

use super::keys::{is_built_in, names_a_key};
use super::linter::Linter;
use bt_core::kinds::Node;
use bt_core::kinds::attached::Abort;
use bt_core::kinds::call::{Argument, Arguments};
use bt_core::registry::catalogue::MethodEntry;
use bt_core::tree::Code;
use bt_core::tree::asset::AssetNode;

/// Tells of the guards of a node that watch nothing: a condition without a receiver is evaluated again when
/// a key changes that it reads, and these read none for certain.
pub(super) fn idle(linter: &mut Linter<'_, '_>, node: &AssetNode, said: &Node<'_>) {
    for (at, guard) in said.attachments.guards.iter().enumerate() {
        let name = guard.condition.name;
        let waits = guard.abort != Abort::None && guard.mode.is_none();
        let watches = |method| !watches_nothing(method, &guard.condition.args);
        if !waits || linter.method(name).is_none_or(watches) {
            continue;
        }
        let message = format!(
            "condition `{name}` reads no key and no agent: it is evaluated on entry only, and never \
             aborts"
        );
        let help = "let it take a key or `&self`, say `\"mode\": \"poll\"`, or leave `abort` out";
        let below = format!("/extra/guards/{at}/abort");
        linter.report(Code::IdleGuard, node, &below, message, help);
    }
}

fn watches_nothing(method: &MethodEntry, args: &Arguments<'_>) -> bool {
    let is_plain = |args: &[Argument<'_>]| args.iter().all(|arg| arg.plain().is_some());
    let names_keys = method.args.iter().any(|arg| names_a_key(method, &arg.name));
    // One of an agent's own may take the context, which the catalogue does not say, and read keys there.
    let known = method.is_static && is_built_in(method);
    known && !names_keys && args.all().is_some_and(is_plain)
}
