//! A debugger's settings for one agent, and its observations.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::requests::Request;
use crate::blackboard::Blackboard;
use crate::debug::{Breakpoints, Forced, ForcedNode, On, Stop, Why};
use crate::expression::{Named, Target, evaluate, names, parse};
use crate::run::node_ref::{At, NOWHERE};
use crate::run::plain::{Moment, Stopped};
use crate::trace::{Place, Properties, What};
use crate::tree::plan::{NONE, Plan};

/// Something that happens: where, that place by name, and what.
type Seen<'a> = (At, Option<&'a Place<'a>>, &'a What<'a>);

/// The facts about an agent that a breakpoint is compared with.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    board: &'a Blackboard,
    /// As they were traced last.
    properties: &'a Properties,
}

impl<'a> Known<'a> {
    pub(super) fn new(board: &'a Blackboard, properties: &'a Properties) -> Known<'a> {
        Known { board, properties }
    }

    /// Returns true if the properties that are written in an expression have been read.
    fn knows_all_of(self, text: &str) -> bool {
        let names = names(text).into_iter();
        let mut properties = names.filter(|(named, ..)| *named == Named::Property);
        properties.all(|(_, name, _)| self.properties.contains_key(name.as_str()))
    }

    /// Returns true if an expression is true now, where that has just happened.
    fn holds(self, text: &str, what: Option<&What<'_>>) -> bool {
        let value = |target: &Target| match target {
            Target::Key(key) => self.board.peek(key).as_deref().cloned(),
            Target::Property(name) => {
                if let Some(What::PropertySet { property, value }) = what
                    && property == name
                {
                    return Some(value.clone().into_owned());
                }
                self.properties.get(name.as_str()).cloned()
            }
        };
        let value = |expr| evaluate(&expr, &value).ok();
        parse(text).ok().and_then(value) == Some(true.into())
    }
}

/// The stops of a debugger beside breakpoints.
#[derive(Debug, Clone, Default)]
pub(crate) enum Mode {
    #[default]
    Run,
    /// Whatever happens next, which the host requested.
    Asked,
    /// Whatever happens next.
    Record,
    /// A node that is entered or exited.
    Into,
    /// The same, but not below a node: in the runs of trees, by their frames, that it has called.
    Over(At, Vec<u32>),
    /// A node that is exited.
    Out(At),
    /// A poll of another number.
    Poll(u32),
    /// A node that is entered, by tree and number.
    To(String, u32),
}

/// Something that it stops on has happened.
#[derive(Debug, Clone)]
pub(crate) struct Hit {
    why: Why,
    at: At,
    tree: Option<String>,
    idx: Option<u32>,
    record: &'static str,
}

/// The debugger of one agent.
#[derive(Debug, Default)]
pub(crate) struct Debugger {
    breakpoints: Option<Arc<Breakpoints>>,
    /// The number of times that each of them was met that counts it, by its number.
    times: FxHashMap<u64, u64>,
    /// The truth of each breakpoint's expression when it was evaluated last, by the breakpoint's number.
    truths: FxHashMap<u64, bool>,
    mode: Mode,
    hit: Option<Hit>,
    /// The node that it stopped before the entry of.
    entering: Option<At>,
    /// The messages of logpoints.
    logs: Vec<(At, String)>,
    /// No walk can be stopped now.
    held: bool,
    /// The number of the last stop.
    number: u64,
    stopped: Option<Box<Stopped>>,
    /// It is to continue in the next poll.
    continues: bool,
    /// The host's request that waits for the end of the poll.
    asked: Option<Request>,
    forced: Vec<ForcedNode>,
    /// The same, by the numbers of the plan; [`NONE`] of one that it does not have.
    forced_nodes: Vec<(u32, Forced)>,
    /// The nodes that are as if they were not there: those that are disabled, and decorators around them.
    disabled: Vec<u32>,
}

impl Debugger {
    pub(crate) fn breakpoints(&self) -> Option<&Arc<Breakpoints>> {
        self.breakpoints.as_ref()
    }

    pub(crate) fn set_breakpoints(&mut self, all: Option<Arc<Breakpoints>>, known: Known<'_>) {
        let old = std::mem::replace(&mut self.breakpoints, all);
        let (new, old) = (self.breakpoints.as_deref(), old.as_deref());
        // One that stays as it is has been met as often as it was.
        self.times.retain(|id, _| {
            let [new, old] = [new, old].map(|all| all?.by_id(*id));
            new.is_some() && new == old
        });
        self.truths.retain(|id, _| {
            let [new, old] = [new, old].map(|all| all?.by_id(*id));
            new.is_some() && new == old
        });
        for one in new.into_iter().flat_map(Breakpoints::iter) {
            if let On::Expression { text } = &one.on
                && known.knows_all_of(text)
            {
                let is_true = || known.holds(text, None);
                self.truths.entry(one.id).or_insert_with(is_true);
            }
        }
    }

    /// Returns true if it wants nothing, and holds nothing.
    pub(crate) fn is_idle(&self) -> bool {
        self.breakpoints.is_none()
            && self.forced.is_empty()
            && self.stopped.is_none()
            && matches!(self.mode, Mode::Run)
            && self.hit.is_none()
            && self.asked.is_none()
    }

    /// Sees what happens.
    pub(crate) fn look(&mut self, plan: &Plan, moment: Moment, known: Known<'_>, seen: Seen<'_>) {
        let (at, place, what) = seen;
        if !is_step(what) {
            return;
        }
        let by_breakpoint = self.breakpoint(known, seen);
        if self.hit.is_some() {
            return;
        }
        let by_step = || {
            let why = if matches!(self.mode, Mode::Asked) {
                Why::Asked
            } else {
                Why::Step
            };
            self.is_met(plan, moment.poll, seen).then_some(why)
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
    fn breakpoint(&mut self, known: Known<'_>, (at, place, what): Seen<'_>) -> Option<Why> {
        let mut why = None;
        let all = self.breakpoints.as_ref()?;
        all.each_met(place, what, |found| {
            if let On::Expression { text } = &found.on {
                let is_true = known.holds(text, Some(what));
                let was_true = self.truths.insert(found.id, is_true);
                // Before this change, where properties were not read yet when it was set.
                if !is_true || was_true.unwrap_or_else(|| known.holds(text, None)) {
                    return;
                }
            }
            let holds = found.condition.as_ref().is_none_or(|condition| {
                let value = known.board.peek(&condition.key);
                condition.holds(value.as_deref())
            });
            if !holds {
                return;
            }
            if let Some(hits) = found.hits {
                let times = self.times.entry(found.id).or_default();
                *times += 1;
                if !hits.counts(*times) {
                    return;
                }
            }
            match &found.log {
                Some(text) => self.logs.push((at, text.clone())),
                None => why = why.or(Some(Why::Breakpoint(found.id))),
            }
        });
        why
    }

    /// Returns true if a step is done.
    fn is_met(&self, plan: &Plan, poll: u32, (at, place, what): Seen<'_>) -> bool {
        let is_node = matches!(what, What::NodeEnter | What::NodeLeave { .. });
        match &self.mode {
            Mode::Run => false,
            Mode::Asked | Mode::Record => true,
            Mode::Into => is_node,
            Mode::Over(top, runs) => is_node && (at == *top || !is_within(plan, at, *top, runs)),
            Mode::Out(top) => at == *top && matches!(what, What::NodeLeave { .. }),
            Mode::Poll(before) => poll != *before,
            Mode::To(tree, idx) => {
                let is_it = |place: &Place<'_>| place.idx() == *idx && place.tree() == tree;
                matches!(what, What::NodeEnter) && place.is_some_and(is_it)
            }
        }
    }

    /// A run of a tree begins in a frame.
    pub(crate) fn begin_run(&mut self, plan: &Plan, frame: u32, caller: At) {
        if let Mode::Over(top, runs) = &mut self.mode {
            let is_within = caller != NOWHERE && is_within(plan, caller, *top, runs);
            runs.retain(|run| *run != frame);
            if is_within {
                runs.push(frame);
            }
        }
    }

    /// Returns true if a node is about to be entered that it has not seen yet.
    pub(crate) fn enters(&mut self, at: At) -> bool {
        self.entering.take() != Some(at)
    }

    /// The walk stops before a node is entered, which it has seen.
    pub(crate) fn stop_entry(&mut self, at: At) {
        self.entering = Some(at);
    }

    pub(crate) fn take_logs(&mut self) -> Vec<(At, String)> {
        std::mem::take(&mut self.logs)
    }

    /// Returns true if the walk is to be stopped.
    pub(crate) fn is_hit(&self) -> bool {
        self.hit.is_some() && !self.held
    }

    /// Clears its hits and its pending stop.
    pub(crate) fn forget(&mut self) {
        self.hit = None;
        self.entering = None;
        self.asked = None;
    }

    pub(crate) fn hold(&mut self, held: bool) {
        self.held = held;
    }

    /// Stops at what it has met; whether it has met anything.
    pub(crate) fn stop(&mut self, poll: u32, state: impl FnOnce(Stop, At) -> Stopped) -> bool {
        let Some(hit) = self.hit.take() else {
            return false;
        };
        self.number += 1;
        self.mode = Mode::Run;
        self.continues = false;
        let stop = Stop {
            number: self.number,
            why: hit.why,
            tree: hit.tree,
            idx: hit.idx,
            record: hit.record.to_owned(),
            poll,
            waiting: Vec::new(),
        };
        self.stopped = Some(Box::new(state(stop, hit.at)));
        true
    }

    pub(crate) fn stopped(&self) -> Option<&Stopped> {
        self.stopped.as_deref()
    }

    pub(crate) fn stopped_mut(&mut self) -> Option<&mut Stopped> {
        self.stopped.as_deref_mut()
    }

    pub(crate) fn take_stopped(&mut self) -> Option<Box<Stopped>> {
        self.continues = false;
        self.stopped.take()
    }

    /// Continues a stopped agent in the next poll, until that.
    pub(crate) fn resume(&mut self, mode: Mode) {
        self.mode = mode;
        self.continues = true;
    }

    /// Returns true if what is stopped continues in the next poll.
    pub(crate) fn resumes(&self) -> bool {
        self.continues
    }

    /// Stops as soon as something happens.
    pub(crate) fn stop_next(&mut self) {
        self.mode = Mode::Asked;
    }

    /// Stops neither on request nor after a step any more.
    pub(crate) fn end_steps(&mut self) {
        self.mode = Mode::Run;
        _ = self
            .hit
            .take_if(|hit| !matches!(hit.why, Why::Breakpoint(_)));
    }

    /// Keeps what the host asks for until the poll is over.
    pub(crate) fn ask(&mut self, request: Request) {
        self.asked = Some(request);
    }

    pub(crate) fn asked(&self) -> Option<Request> {
        self.asked
    }

    pub(crate) fn take_requests(&mut self) -> Option<Request> {
        self.asked.take()
    }

    pub(crate) fn forced(&self) -> &[ForcedNode] {
        &self.forced
    }

    /// Forces a node, which has that number in the plan, or does not any more.
    pub(crate) fn force(&mut self, plan: &Plan, tree: &str, idx: u32, forced: Option<Forced>) {
        self.forced
            .retain(|known| known.tree != tree || known.idx != idx);
        if let Some(forced) = forced {
            let tree = tree.to_owned();
            self.forced.push(ForcedNode { tree, idx, forced });
        }
        self.find_forced(plan);
    }

    /// The trees are others now: what a node has become. A node that is gone is forced no more, and these words say
    /// so.
    pub(crate) fn carry(&mut self, plan: &Plan, node: impl Fn(u32) -> Option<u32>) -> Vec<String> {
        let mut lost = Vec::new();
        let nodes = std::mem::take(&mut self.forced_nodes).into_iter();
        let forced = std::mem::take(&mut self.forced).into_iter();
        for (mut known, (was, _)) in forced.zip(nodes) {
            let (tree, idx) = (&known.tree, known.idx);
            let now = match was {
                NONE => plan.node_of(tree, idx),
                was => node(was),
            };
            let Some(now) = now else {
                lost.push(format!(
                    "node {idx} of tree `{tree}` is gone, which was forced ({}): it is forced no more",
                    known.forced
                ));
                continue;
            };
            known.tree = plan.tree_of(now).name.to_string();
            known.idx = plan.info(now).idx;
            self.forced.push(known);
        }
        self.find_forced(plan);
        if matches!(self.mode, Mode::Over(..) | Mode::Out(_)) {
            self.mode = Mode::Into;
        }
        lost
    }

    fn find_forced(&mut self, plan: &Plan) {
        let found = self.forced.iter().map(|known| {
            let node = plan.node_of(&known.tree, known.idx);
            (node.unwrap_or(NONE), known.forced)
        });
        self.forced_nodes = found.collect();
        self.disabled.clear();
        let forced = self.forced_nodes.iter();
        for (node, _) in forced.filter(|(_, forced)| *forced == Forced::Disabled) {
            let around = std::iter::successors(Some(*node), |node| {
                let parent = plan.parent(*node);
                (parent != NONE && plan.is_decorator(parent)).then_some(parent)
            });
            self.disabled.extend(around);
        }
    }

    pub(crate) fn is_disabled(&self, node: u32) -> bool {
        self.disabled.contains(&node)
    }

    pub(crate) fn disables_any(&self) -> bool {
        !self.disabled.is_empty()
    }

    /// The nodes that are forced, by the numbers of the plan.
    pub(crate) fn forced_nodes(&self) -> impl Iterator<Item = (u32, Forced)> {
        let all = self.forced_nodes.iter().copied();
        all.filter(|(node, _)| *node != NONE)
    }

    /// The forced result of a node.
    pub(crate) fn forced_to(&self, node: u32) -> Option<Forced> {
        let mut all = self.forced_nodes.iter();
        all.find(|(known, _)| *known == node)
            .map(|(_, forced)| *forced)
    }
}

/// Returns true if a node is another one or below it, in its own run or in those.
fn is_within(plan: &Plan, at: At, top: At, runs: &[u32]) -> bool {
    let is_below = || (top.node..plan.node(top.node).end).contains(&at.node);
    at.frame == top.frame && is_below() || runs.contains(&at.frame)
}

/// Returns true if something is a step of what the agent does. The others are about it, or happen between
/// polls.
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
