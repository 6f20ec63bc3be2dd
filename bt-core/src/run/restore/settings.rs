//! Settings that are restored whatever the agent's tree does.

use crate::run::core::Core;
use crate::run::diagnostic::Diagnostic;
use crate::run::plain::{Quiet, Restored};
use crate::snapshot::{RestoreError, format};
use crate::tree::plan::{NONE, Plan};

/// More entries than an agent ever has, and half of what there are numbers for.
pub(super) const MOST_ENTRIES: u64 = 1 << 39;

pub(super) type Result<T> = std::result::Result<T, RestoreError>;

/// Times are times left, as in a pause that began at 0.
pub(super) fn wait_for_the_clock(core: &mut Core, restored: Restored) {
    let cold = core.cold();
    cold.pauses.begin(0);
    cold.restored = Some(Box::new(restored));
    core.quiet = Quiet::No;
}

/// Restores the runner's settings, whatever runs.
pub(super) fn settings(core: &mut Core, parts: &format::Parts) -> Result<()> {
    let digits = parts.random.len() == 16 && parts.random.bytes().all(|b| b.is_ascii_hexdigit());
    let state = u64::from_str_radix(&parts.random, 16)
        .ok()
        .filter(|_| digits);
    let Some(state) = state else {
        let found = crate::text::name(&parts.random);
        return Err(RestoreError::malformed(format!(
            "`random`: expected 16 hexadecimal digits, found `{found}`"
        )));
    };
    core.session.seed(state);
    core.poll = parts.poll;
    if parts.order <= MOST_ENTRIES {
        core.set_last_order(parts.order);
    }
    core.again = parts.again;
    if parts.started {
        core.set_started();
    }
    if parts.starts_again || parts.keeps_results {
        let cold = core.cold();
        cold.requests.set_starts_again(parts.starts_again);
        cold.results.keep(parts.keeps_results);
    }
    core.paused = parts.paused;
    core.interrupted.set_reacts(parts.interrupted);
    core.last = parts.last;
    core.update_is_traced();
    core.max_budget = parts.budget.unwrap_or(core.max_budget).max(1);
    if !parts.unknown_events.is_empty() {
        let known = parts.unknown_events.iter().map(String::as_str);
        core.cold().reports.restore_events(known);
    }
    Ok(())
}

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

/// The number of a poll that may be none.
pub(super) fn poll_or_none(poll: Option<u32>) -> u32 {
    poll.unwrap_or(NONE)
}
