//! What a debugger wants of one agent, and what it has seen of it.

use std::sync::Arc;

use super::stop::Stopped;
use crate::debug::{Breakpoints, Forced, ForcedNode, Stop, Why};
use crate::run::core::{Core, Request};
use crate::run::node_ref::{At, NOWHERE};
use crate::trace::{Place, What};
use crate::tree::plan::{NONE, Plan};

/// What it stops on beside breakpoints.
#[derive(Debug, Clone, Default)]
pub(super) enum Mode {
    #[default]
    Run,
    /// Whatever happens next, which the host asked for.
    Asked,
    /// Whatever happens next.
    Record,
    /// A node that is entered or exited.
    Into,
    /// The same, but not below a node.
    Over(At),
    /// A node that is exited.
    Out(At),
    /// A poll of another number.
    Poll(u32),
    /// A node that is entered, by tree and number.
    To(String, u32),
}

/// Something that it stops on has happened.
#[derive(Debug, Clone)]
pub(super) struct Hit {
    pub(super) why: Why,
    pub(super) at: At,
    pub(super) tree: Option<String>,
    pub(super) idx: Option<u32>,
    pub(super) record: &'static str,
}

/// The debugger of one agent.
#[derive(Debug, Default)]
pub(crate) struct Debugger {
    breakpoints: Option<Arc<Breakpoints>>,
    /// How often each of them was met.
    times: Vec<u64>,
    pub(super) mode: Mode,
    hit: Option<Hit>,
    /// The node that it stopped before the entry of.
    entering: Option<At>,
    /// What logpoints have to say.
    logs: Vec<(At, String)>,
    /// No walk can be stopped now.
    held: bool,
    /// The number of the last stop.
    number: u64,
    pub(super) stopped: Option<Box<Stopped>>,
    /// It is to continue in the next poll.
    pub(super) continues: bool,
    /// What the host asked for that waits for the end of the poll.
    pub(super) asked: Option<Request>,
    forced: Vec<ForcedNode>,
    /// The same, by the numbers of the plan.
    forced_nodes: Vec<(u32, Forced)>,
}

impl Debugger {
    pub(super) fn breakpoints(&self) -> Option<&Arc<Breakpoints>> {
        self.breakpoints.as_ref()
    }

    pub(super) fn set_breakpoints(&mut self, all: Option<Arc<Breakpoints>>) {
        self.times = vec![0; all.as_ref().map_or(0, |all| all.len())];
        self.breakpoints = all;
    }

    /// Whether it wants nothing, and holds nothing.
    pub(super) fn is_idle(&self) -> bool {
        self.breakpoints.is_none()
            && self.forced.is_empty()
            && self.stopped.is_none()
            && matches!(self.mode, Mode::Run)
            && self.hit.is_none()
            && self.asked.is_none()
    }

    /// Sees what happens.
    pub(in crate::run) fn look(
        &mut self,
        plan: &Plan,
        core: &Core,
        at: At,
        place: Option<&Place<'_>>,
        what: &What<'_>,
    ) {
        if !is_step(what) {
            return;
        }
        let by_breakpoint = self.breakpoint(core, at, place, what);
        if self.hit.is_some() {
            return;
        }
        let by_step = || match self.mode {
            Mode::Asked => self
                .is_met(plan, core, at, place, what)
                .then_some(Why::Asked),
            _ => self
                .is_met(plan, core, at, place, what)
                .then_some(Why::Step),
        };
        if let Some(why) = by_breakpoint.or_else(by_step) {
            self.hit = Some(Hit {
                why,
                at,
                tree: place.map(|place| place.tree().to_owned()),
                idx: place.map(Place::idx),
                record: what.command(),
            });
        }
    }

    /// The breakpoint that is met, if it stops. All that are met are counted.
    fn breakpoint(
        &mut self,
        core: &Core,
        at: At,
        place: Option<&Place<'_>>,
        what: &What<'_>,
    ) -> Option<Why> {
        let mut why = None;
        for (found, times) in self
            .breakpoints
            .iter()
            .flat_map(|all| all.iter())
            .zip(&mut self.times)
        {
            let holds = || {
                found.condition.as_ref().is_none_or(|condition| {
                    let value = core.board().peek(&condition.key);
                    condition.holds(value.as_ref())
                })
            };
            if !found.on.is_met(place, what) || !holds() {
                continue;
            }
            *times += 1;
            if found.hits.is_some_and(|hits| !hits.counts(*times)) {
                continue;
            }
            match &found.log {
                Some(text) => self.logs.push((at, text.clone())),
                None => why = why.or(Some(Why::Breakpoint(found.id))),
            }
        }
        why
    }

    /// Whether a step is done.
    fn is_met(
        &self,
        plan: &Plan,
        core: &Core,
        at: At,
        place: Option<&Place<'_>>,
        what: &What<'_>,
    ) -> bool {
        let is_node = matches!(what, What::NodeEnter | What::NodeLeave { .. });
        match &self.mode {
            Mode::Run => false,
            Mode::Asked | Mode::Record => true,
            Mode::Into => is_node,
            Mode::Over(top) => is_node && (at == *top || !core.is_within(plan, at, *top)),
            Mode::Out(top) => at == *top && matches!(what, What::NodeLeave { .. }),
            Mode::Poll(poll) => core.poll != *poll,
            Mode::To(tree, idx) => {
                let is_it = |place: &Place<'_>| place.idx() == *idx && place.tree() == tree;
                matches!(what, What::NodeEnter) && place.is_some_and(is_it)
            }
        }
    }

    /// Whether a node is about to be entered that it has not seen yet.
    pub(super) fn enters(&mut self, at: At) -> bool {
        self.entering.take() != Some(at)
    }

    /// The walk stops before a node is entered, which it has seen.
    pub(super) fn stop_entry(&mut self, at: At) {
        self.entering = Some(at);
    }

    pub(in crate::run) fn take_logs(&mut self) -> Vec<(At, String)> {
        std::mem::take(&mut self.logs)
    }

    /// Whether the walk is to be stopped.
    pub(in crate::run) fn is_hit(&self) -> bool {
        self.hit.is_some() && !self.held
    }

    pub(super) fn take_hit(&mut self) -> Option<Hit> {
        self.hit.take()
    }

    /// What it has met, and what waits for it to continue, does not count any more.
    pub(super) fn forget(&mut self) {
        self.hit = None;
        self.entering = None;
        self.asked = None;
    }

    pub(super) fn hold(&mut self, held: bool) {
        self.held = held;
    }

    /// What it says of a stop.
    pub(super) fn describe(&mut self, hit: &Hit, poll: u32) -> Stop {
        self.number += 1;
        Stop {
            number: self.number,
            why: hit.why,
            tree: hit.tree.clone(),
            idx: hit.idx,
            record: hit.record.to_owned(),
            poll,
            waiting: Vec::new(),
        }
    }

    pub(super) fn forced(&self) -> &[ForcedNode] {
        &self.forced
    }

    /// Forces a node, which has that number in the plan, or does not any more.
    pub(super) fn force(&mut self, plan: &Plan, tree: &str, idx: u32, forced: Option<Forced>) {
        self.forced
            .retain(|known| known.tree != tree || known.idx != idx);
        if let Some(forced) = forced {
            let tree = tree.to_owned();
            self.forced.push(ForcedNode { tree, idx, forced });
        }
        self.find_forced(plan);
    }

    /// The trees are others now.
    pub(in crate::run) fn carry(&mut self, plan: &Plan) {
        self.find_forced(plan);
        if matches!(self.mode, Mode::Over(_) | Mode::Out(_)) {
            self.mode = Mode::Into;
        }
    }

    fn find_forced(&mut self, plan: &Plan) {
        let found = self.forced.iter().filter_map(|known| {
            let node = node_of(plan, &known.tree, known.idx)?;
            Some((node, known.forced))
        });
        self.forced_nodes = found.collect();
    }

    /// What a node is forced to.
    pub(super) fn forced_to(&self, node: u32) -> Option<Forced> {
        let mut all = self.forced_nodes.iter();
        all.find(|(known, _)| *known == node)
            .map(|(_, forced)| *forced)
    }
}

/// The number that a node has in a plan.
pub(super) fn node_of(plan: &Plan, tree: &str, idx: u32) -> Option<u32> {
    let root = plan.trees[plan.tree_named(tree)? as usize].root;
    let end = plan.node(root).end;
    (root..end).find(|node| plan.info(*node).idx == idx)
}

/// The node above another one; none for a root that nothing called.
pub(super) fn above(plan: &Plan, core: &Core, at: At) -> Option<At> {
    match at == NOWHERE || at.node == NONE {
        true => None,
        false => core.above(plan, at),
    }
}

/// Whether something is a step of what the agent does. The others are about it, or happen between polls.
fn is_step(what: &What<'_>) -> bool {
    match what {
        What::PollBegin
        | What::NodeEnter
        | What::NodeLeave { .. }
        | What::NodeAction { .. }
        | What::BbSet { .. }
        | What::BbRemove { .. }
        | What::BbClear
        | What::PropertySet { .. }
        | What::Guard { .. }
        | What::Because { .. }
        | What::Woken { .. }
        | What::EventFired { .. }
        | What::EventConsumed { .. }
        | What::EventDropped { .. }
        | What::EventKept { .. }
        | What::TreeSwitched { .. }
        | What::Note { .. } => true,
        What::Snapshot(_)
        | What::PushTree { .. }
        | What::Reset
        | What::Waits(_)
        | What::Control { .. }
        | What::Stands(_)
        | What::Explains { .. }
        | What::Reload { .. }
        | What::Diagnostic { .. } => false,
    }
}
