//! Why an agent stands still, as its runner and as its trace say it, compared.

use std::fmt::Debug;

use bt_core::explain::{CallArgument, Condition, Explanation, Refusal, Waiting, Why};
use serde_json::Value;

/// Checks that what both know is the same: a trace does not say what is above what waits, where
/// arguments come from, and what cools down before that has refused.
///
/// # Panics
/// If it is not.
pub fn agree(live: &Explanation, traced: &Explanation) {
    let faults = faults(live, traced);
    assert!(
        faults.is_empty(),
        "{}\nthe runner:\n{live}the trace:\n{traced}",
        faults.join("\n")
    );
}

fn faults(live: &Explanation, traced: &Explanation) -> Vec<String> {
    let mut faults = Vec::new();
    let mut same = |what: &str, live: &dyn Debug, traced: &dyn Debug| {
        let (live, traced) = (format!("{live:?}"), format!("{traced:?}"));
        if live != traced {
            faults.push(format!("{what}: {live}, and {traced}"));
        }
    };
    same("tree", &live.tree, &traced.tree);
    same("state", &live.state, &traced.state);
    same("at", &live.at, &traced.at);
    same("paused", &live.paused, &traced.paused);
    same("spent", &live.spent, &traced.spent);
    same("how it ended", &live.ended, &traced.ended);
    same("queued", &live.queued, &traced.queued);
    same("suspended", &live.suspended, &traced.suspended);
    // The runner's are taken from it now and then.
    let said = |of: &Explanation| -> Vec<_> {
        let all = of.diagnostics.iter();
        all.map(|said| (said.at, said.poll, said.place.clone(), said.message.clone()))
            .collect()
    };
    let known = said(traced).ends_with(&said(live));
    same("whether diagnostics are the same", &known, &true);
    let waiting = |leaf: &&Waiting| (leaf.node.clone(), leaf.wait.clone(), leaf.suspended);
    let all = |of: &[&Waiting]| of.iter().map(waiting).collect::<Vec<_>>();
    let (live_leaves, traced_leaves) = (in_order(live), in_order(traced));
    let (one, other) = (all(&live_leaves), all(&traced_leaves));
    let more: Vec<_> = one.iter().filter(|leaf| !other.contains(leaf)).collect();
    let less: Vec<_> = other.iter().filter(|leaf| !one.contains(leaf)).collect();
    same("what waits", &more, &less);
    for (live, traced) in live_leaves.iter().zip(traced_leaves) {
        let seen =
            |of: &Waiting| -> Vec<_> { of.arguments.iter().map(CallArgument::to_value).collect() };
        // A trace that began later does not know of the call.
        if !traced.arguments.is_empty() {
            same("arguments", &seen(live).len(), &seen(traced).len());
        }
    }
    let guards = |of: &Explanation| -> Vec<_> { of.refusals.iter().filter_map(guard).collect() };
    same("guards", &guards(live), &guards(traced));
    // The trace knows when a cooldown or a limit has refused, and not whether it still would.
    let once = |of: &&Refusal| matches!(of.why, Why::Once);
    for refusal in traced.refusals.iter().filter(once) {
        let as_well = |other: &Refusal| {
            other.node == refusal.node
                && std::mem::discriminant(&other.why) == std::mem::discriminant(&refusal.why)
        };
        let known = live.refusals.iter().any(as_well);
        same(&format!("what {} refuses", refusal.node), &known, &true);
    }
    faults
}

/// What waits, by its place: a trace does not always know in which order nodes run.
fn in_order(explanation: &Explanation) -> Vec<&Waiting> {
    let mut leaves: Vec<_> = explanation.waiting.iter().collect();
    leaves.sort_by_key(|leaf| leaf.node.key());
    leaves
}

/// What is known of a guard: its node, itself, what it saw, whether its node ran, and when.
fn guard(refusal: &Refusal) -> Option<String> {
    let Why::Guard {
        condition: Condition { name, not, .. },
        saw: Some(saw),
        aborted,
        ..
    } = &refusal.why
    else {
        return None;
    };
    let (node, at, poll) = (&refusal.node, refusal.at, refusal.poll);
    let saw = Value::from(saw.clone());
    Some(format!(
        "{node}: {name} not={not} {saw} {aborted} {at:?} {poll:?}"
    ))
}
