//! The active nodes, for debuggers, logs, traces and tests.

use std::borrow::Cow;
use std::fmt;

use super::core::Core;
use super::node_ref::At;
use super::plain::{Delivery, Entry, LeafId, Wait};
use super::runner::Runner;
use super::state::timers::{Purpose, Timer};
use crate::node::NodeRef;
use crate::tree::plan::Plan;
use crate::{Agent, trace};

impl From<NodeRef> for ActiveNode {
    fn from(node: NodeRef) -> ActiveNode {
        ActiveNode {
            tree: node.tree().to_owned(),
            idx: node.idx(),
        }
    }
}

/// The reason for which an active leaf waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LeafState {
    /// Its own request: a completion, a time, an event.
    Pending,
    /// Its next call.
    Polled,
    /// An event.
    Event,
    /// Its time, or its abort.
    Waiting,
    /// It was aborted, and its clean-up takes its time.
    Cancelling,
    /// The next poll, in which it is to be entered or to continue.
    Due,
}

/// A node that is active.
///
/// ```
/// use bt_core::builtin::ActionAgent;
/// use bt_core::tree::asset::spec::{action, sequence};
/// use bt_core::{LeafState, Runner, TreeAsset, TreeSet};
/// use std::time::Duration;
///
/// let mut trees = TreeSet::<ActionAgent>::new();
/// let nap = sequence([action("nop"), action("wait_for_seconds").arg(5)]);
/// trees.add(TreeAsset::build("nap", "action_agent", nap));
/// let mut runner = Runner::new(&trees.build()?, "nap")?;
/// runner.start();
/// runner.poll(&mut ActionAgent, Duration::ZERO);
///
/// let nodes: Vec<u32> = runner.active_nodes().into_iter().map(|node| node.idx).collect();
/// assert_eq!(nodes, [0, 1, 3]); // the root, the sequence, the wait
/// let leaf = &runner.active_leaves()[0];
/// assert_eq!((leaf.idx, leaf.state), (3, LeafState::Pending));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveNode {
    /// The name of its tree.
    pub tree: String,
    /// Its `idx` in the file.
    pub idx: u32,
}

/// A leaf that is active, or a node that waits in place of one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ActiveLeaf {
    /// For [`Runner::finish`].
    pub id: LeafId,
    /// The name of its tree.
    pub tree: String,
    /// Its `idx` in the file.
    pub idx: u32,
    /// The file's word for its kind.
    pub kind: String,
    /// The name of its action, event or decorator; empty where it has none.
    pub name: String,
    /// The reason for which it waits.
    pub state: LeafState,
    /// True if an event suspended its tree: what it waits for ends the wait only once that continues.
    pub suspended: bool,
    /// Since when it waits, and what would end that. A time is that which holds if the agent is paused
    /// no longer.
    pub wait: trace::Wait<'static>,
}

/// "hunt.json: node 3 (action `chase`): since 10 s, until 15 s".
impl fmt::Display for ActiveLeaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tree, idx, kind) = (&self.tree, self.idx, &self.kind);
        write!(f, "{tree}: node {idx} ({kind}")?;
        match self.name.as_str() {
            "" => f.write_str("): ")?,
            name => write!(f, " `{name}`): ")?,
        }
        if self.suspended {
            f.write_str("suspended, ")?;
        }
        if self.state == LeafState::Cancelling {
            f.write_str("cancelling, ")?;
        }
        f.write_str(&trace::in_a_line(&self.wait))
    }
}

/// The state of a node, and the result of its last run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodeStatus {
    /// It is not active, and no result of it is known.
    Idle,
    /// It is active.
    Running,
    /// It ended with success the last time.
    Success,
    /// It ended with failure the last time.
    Failure,
}

impl<A: Agent> Runner<A> {
    /// The leaves that are active, in the order in which nodes run. Those of trees that an event
    /// suspended come first, and are marked [so](ActiveLeaf::suspended): they wait, but only continue
    /// once their tree does.
    pub fn active_leaves(&self) -> Vec<ActiveLeaf> {
        let plan = &self.trees.0.plan;
        let levels = self.core.suspended().iter();
        let levels = levels.map(|level| (&*level.entries, Some(&*level.held)));
        let all = levels.chain([(&*self.core.entries, None)]);
        all.flat_map(|(entries, held)| {
            let leaves = self.core.leaves(plan, entries);
            leaves.map(move |entry| self.leaf(entry, held))
        })
        .collect()
    }

    /// Finishes every action of that name that waits for its own end; how many there were. It is for hosts that keep
    /// no [`Completion`](crate::Completion) of the call, such as one that was restored: a completion is not saved. What
    /// [`finish`](Runner::finish) says holds for each of them.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::tree::asset::spec::action;
    /// use bt_core::{Mode, Runner, TreeAsset, TreeSet};
    /// use std::time::Duration;
    ///
    /// #[derive(Agent)]
    /// struct Ferry;
    ///
    /// #[agent]
    /// impl Ferry {
    ///     #[action]
    ///     fn cross(&mut self, cx: &mut Context) -> Option<bool> {
    ///         cx.finish_after(Duration::from_secs(3600), false);
    ///         None
    ///     }
    /// }
    ///
    /// let mut trees = TreeSet::<Ferry>::new();
    /// trees.add(TreeAsset::build("cross.json", "ferry", action("cross")));
    /// let mut runner = Runner::new(&trees.build()?, "cross.json")?.mode(Mode::Once);
    /// runner.start();
    /// runner.poll(&mut Ferry, Duration::ZERO);
    /// assert_eq!(runner.finish_pending("land", true), 0);
    /// assert_eq!(runner.finish_pending("cross", true), 1);
    /// runner.poll(&mut Ferry, Duration::from_secs(1));
    /// assert_eq!(runner.result(), Some(true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn finish_pending(&mut self, action: &str, success: bool) -> usize {
        let leaves = self.active_leaves();
        let is_meant = |leaf: &&ActiveLeaf| leaf.state == LeafState::Pending && leaf.name == action;
        let pending = leaves.iter().filter(is_meant);
        pending.map(|leaf| self.finish(leaf.id, success)).count()
    }

    /// A leaf of the current tree, or of a suspended one with what is held for that.
    fn leaf(&self, entry: &Entry, held: Option<&[Delivery]>) -> ActiveLeaf {
        let plan = &self.trees.0.plan;
        let info = plan.info(entry.at.node);
        let state = match entry.wait {
            Wait::Pending => LeafState::Pending,
            Wait::Polled => LeafState::Polled,
            Wait::Event => LeafState::Event,
            Wait::Timer => LeafState::Waiting,
            Wait::Cancelling => LeafState::Cancelling,
            Wait::Again | Wait::Turn | Wait::Rerun | Wait::Due | Wait::Parked(_) => LeafState::Due,
        };
        let mut wait = self
            .core
            .wait_of(plan, entry, held.unwrap_or_default())
            .into_owned();
        let paused_at = self.core.paused_since();
        if let (Some(until), Some(since)) = (&mut wait.until, paused_at) {
            // If it continues now.
            *until = until.saturating_add(self.core.now().saturating_sub(since));
        }
        ActiveLeaf {
            id: LeafId(entry.order),
            tree: plan.tree_of(entry.at.node).name.to_string(),
            idx: info.idx,
            kind: info.kind.to_owned(),
            name: info.name.to_string(),
            state,
            suspended: held.is_some(),
            wait,
        }
    }

    /// The nodes that are active, entered and not exited yet, each before what is below it; those of
    /// trees that an event suspended come first.
    pub fn active_nodes(&self) -> Vec<ActiveNode> {
        let plan = &self.trees.0.plan;
        self.active()
            .into_iter()
            .map(|at| ActiveNode {
                tree: plan.tree_of(at.node).name.to_string(),
                idx: plan.info(at.node).idx,
            })
            .collect()
    }

    fn active(&self) -> Vec<At> {
        let mut all = Vec::new();
        self.core.active(&self.trees.0.plan, &mut all);
        all
    }

    /// The status of a node of a tree, by its `idx` in the file. Results are known where they are
    /// [kept](Runner::keep_results).
    pub fn node_status(&self, tree: &str, idx: u32) -> NodeStatus {
        let plan = &self.trees.0.plan;
        let Some(node) = plan.node_of(tree, idx) else {
            return NodeStatus::Idle;
        };
        if self.active().iter().any(|at| at.node == node) {
            return NodeStatus::Running;
        }
        let cold = self.core.cold.as_ref();
        match cold.and_then(|cold| cold.results.of(node)) {
            Some(true) => NodeStatus::Success,
            Some(false) => NodeStatus::Failure,
            None => NodeStatus::Idle,
        }
    }
}

impl Core {
    /// The places that are active, suspended trees included, in the order in which nodes run.
    pub(crate) fn active(&self, plan: &Plan, all: &mut Vec<At>) {
        let levels = self.suspended().iter();
        for level in levels {
            self.active_of(plan, &level.entries, all);
        }
        self.active_of(plan, &self.entries, all);
    }

    fn active_of(&self, plan: &Plan, entries: &[Entry], all: &mut Vec<At>) {
        let mut before: Option<At> = None;
        for entry in entries {
            let mut at = Some(entry.at);
            if !entry.wait.is_entered() {
                at = self.above(plan, entry.at);
            }
            let (start, first) = (at, all.len());
            while let Some(place) = at
                && !before.is_some_and(|before| self.is_within(plan, before, place))
            {
                all.push(place);
                at = self.above(plan, place);
            }
            all[first..].reverse();
            before = start.or(before);
        }
    }

    /// The leaves among entries, and nodes that wait in place of one.
    pub(crate) fn leaves<'e>(
        &'e self,
        plan: &'e Plan,
        entries: &'e [Entry],
    ) -> impl Iterator<Item = &'e Entry> {
        let below = move |top: &Entry| {
            let mut others = entries.iter();
            others.any(|entry| entry.at != top.at && self.is_within(plan, entry.at, top.at))
        };
        entries
            .iter()
            .filter(|entry| entry.wait != Wait::Rerun)
            .filter(move |entry| entry.wait != Wait::Turn || !below(entry))
    }

    /// The reason for which a waiting node waits; `held` is what arrived for its tree while that is
    /// suspended.
    pub(crate) fn wait_of<'a>(
        &self,
        plan: &'a Plan,
        entry: &'a Entry,
        held: &[Delivery],
    ) -> trace::Wait<'a> {
        let info = plan.info(entry.at.node);
        let mut events = trace::Names::default();
        if entry.wait == Wait::Event {
            events.push(Cow::Borrowed(&*info.name));
        }
        let more = entry.more.as_deref();
        let on = more.iter().flat_map(|more| &more.on);
        for (event, _) in on {
            events.push(Cow::Borrowed(event));
        }
        let mut timers = self.timers.iter().filter(|timer| timer.at() == entry.at);
        let until = timers.find(|timer| !matches!(timer.purpose(), Purpose::Service(_)));
        let held = held.iter().any(|held| held.is_for(entry));
        let (goes_on, ends) = match held {
            true => (None, false),
            false => self.continues(entry.order),
        };
        trace::Wait {
            since: match self.knows_clock() {
                true => entry.since,
                false => 0,
            },
            until: until.map(Timer::time),
            until_poll: (entry.until != 0).then_some(entry.until),
            events,
            completion: more.is_some_and(|more| more.completion.is_some()),
            polled: entry.wait == Wait::Polled,
            due: ends
                || matches!(
                    entry.wait,
                    Wait::Again | Wait::Due | Wait::Turn | Wait::Parked(_)
                ),
            cancelling: entry.wait == Wait::Cancelling,
            held,
            goes_on,
        }
    }
}
