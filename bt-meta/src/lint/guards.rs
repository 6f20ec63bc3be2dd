//! Guards that are to abort and that nothing makes ask again.

use serde_json::Value;

use super::Linter;
use super::keys::{is_built_in, names_a_key};
use bt_core::registry::catalogue::MethodEntry;
use bt_core::tree::Code;
use bt_core::tree::asset::AssetNode;
use bt_core::tree::asset::objects;

/// Tells of the guards of a node that watch nothing: a condition without a receiver is asked again when
/// a key changes that it reads, and these read none for certain.
pub(super) fn idle(linter: &mut Linter<'_, '_>, node: &AssetNode) {
    let mut idle = Vec::new();
    for (at, guard) in objects(node.extra.get("guards")) {
        let word = |key: &str| guard.get(key).and_then(Value::as_str);
        let aborts = matches!(word("abort"), Some("self" | "lower" | "both"));
        let name = word("condition_name").unwrap_or_default();
        let Some(method) = linter.method(name) else {
            continue;
        };
        let args = guard.get("condition_args");
        if aborts && word("mode") != Some("poll") && watches_nothing(method, args) {
            idle.push((at, name.to_owned()));
        }
    }
    for (at, name) in idle {
        let message = format!(
            "condition `{name}` reads no key and no agent: what it says is only asked on entry, and never \
             aborts"
        );
        let help = "let it take a key or `&self`, say `\"mode\": \"poll\"`, or leave `abort` out";
        let below = format!("/extra/guards/{at}/abort");
        linter.report(Code::IdleGuard, node, &below, message, help);
    }
}

fn watches_nothing(method: &MethodEntry, args: Option<&Value>) -> bool {
    let is_plain =
        |arg: &serde_json::Map<String, Value>| arg.get("arg_type").is_some_and(|ty| ty == "plain");
    let names_keys = method.args.iter().any(|arg| names_a_key(method, &arg.name));
    // One of an agent's own may take the context, which the catalogue does not say, and read keys there.
    let known = method.is_static && is_built_in(method);
    known && !names_keys && objects(args).all(|(_, arg)| is_plain(arg))
}
