//! An agent whose trees have changed: what does not depend on them is restored, and its tree starts anew.

use super::board;
use super::names::{ByIdx, check_agent, find, named};
use super::nodes::retained;
use super::problems::{Result, report};
use super::queue::latched;
use crate::blackboard::Blackboard;
use crate::call::Session;
use crate::run::core::Core;
use crate::run::node_ref::NOWHERE;
use crate::run::plain::{Delivery, Phase, Restored};
use crate::run::save::settings::hash_text;
use crate::run::state::memory::{Retained, RetainedCounters};
use crate::snapshot::{RestoreError, format};
use crate::tree::plan::Plan;

/// The state of an agent that is about to start its outermost tree.
pub(super) fn restart(
    plan: &Plan,
    agent: &str,
    parts: &format::Parts,
    why: &RestoreError,
) -> Result<Core> {
    check_agent(agent, parts)?;
    board::check_count(plan, parts)?;
    let tree = named(plan, outermost(parts)?)?;
    let keys = Blackboard::with_keys(plan.keys.clone());
    let mut refused = Vec::new();
    board::agent_keys(&keys, parts, |why| refused.push(why));
    let mut core = Core::new(Session::with_board(0, keys), plan.trees[tree as usize].root);
    parts.settings.apply(&mut core)?;
    core.interrupted.set_reacts(false);
    core.phase = match parts.settings.phase {
        Phase::Active | Phase::Due => Phase::Due,
        Phase::Stopping if parts.requests.starts_again() => Phase::Due,
        Phase::Stopping => Phase::Idle,
        over @ (Phase::Idle | Phase::Succeeded | Phase::Failed) => over,
    };
    let name = &plan.trees[tree as usize].name;
    let text = if core.phase == Phase::Due {
        format!("{}; `{name}` starts anew", why.what())
    } else {
        why.what().to_owned()
    };
    report(&mut core, plan, None, text);
    for refused in refused {
        report(&mut core, plan, None, refused.to_string());
    }
    keep_what_is_unchanged(&mut core, plan, parts);
    latched(&mut core, plan, parts);
    let held = parts.levels.iter().flat_map(|level| &level.held);
    for delivery in held.chain(&parts.queue) {
        if let Delivery::Event(saved) = delivery {
            core.deliver(Delivery::Event(saved.into()));
        }
    }
    let request = parts.requests.saved();
    let request = request.map(|request| request.map(|tree| named(plan, tree)));
    if let Some(Ok(request)) = request {
        core.request(NOWHERE, request);
    }
    let settings = &parts.settings;
    settings.wait_for_the_clock(&mut core, Restored::default());
    Ok(core)
}

/// The name of its outermost tree.
pub(super) fn outermost(parts: &format::Parts) -> Result<&str> {
    let first = parts.frames.iter().find(|frame| frame.caller.is_none());
    let name = first.and_then(|frame| parts.trees.get(frame.tree as usize));
    let name = name.map(|(name, _)| name.as_str());
    name.ok_or_else(|| RestoreError::malformed("it names no tree that it runs"))
}

/// Keeps what outlives the nodes of trees whose meaning is unchanged.
fn keep_what_is_unchanged(core: &mut Core, plan: &Plan, parts: &format::Parts) {
    let tree = |(name, hash): &(String, String)| {
        let tree = plan.tree_named(name)?;
        (hash_text(plan.trees[tree as usize].hash) == *hash).then_some(tree)
    };
    let trees: Vec<_> = parts.trees.iter().map(tree).collect();
    let by_idx = ByIdx::default();
    let mut kept = Vec::new();
    for (tree, idx, value) in &parts.kept {
        let tree = trees.get(*tree as usize).copied().flatten();
        let node = tree.and_then(|tree| find(plan, &by_idx, tree, *idx));
        if let Some(node) = node
            && let Some(data) = retained(plan, &by_idx, node, value)
        {
            kept.push(Retained::new(node, data));
        }
    }
    kept.sort_by_key(Retained::node);
    kept.dedup_by_key(|retained| retained.node());
    if !kept.is_empty() {
        let counters = RetainedCounters::new(kept.into());
        core.cold().counters = counters.unwrap_or_default();
    }
}
