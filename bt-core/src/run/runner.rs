//! One agent's running trees, as the host sees them.

use std::fmt;
use std::time::Duration;

use super::active::{ActiveLeaf, LeafState};
use super::core::{Core, Request};
use super::diagnostic::Diagnostic;
use super::node_ref::NOWHERE;
use super::plain::{Delivery, LeafId, Phase, Quiet};
#[cfg(feature = "save")]
use super::reload::Pending;
use crate::blackboard::{Blackboard, SharedBoard};
use crate::call::Session;
use crate::random::UNSEEDED;
use crate::text::suggest;
use crate::trace::{Control, What};
use crate::tree::plan::Plan;
use crate::tree::set::Trees;
use crate::{Agent, Event};

/// The rule for a tree that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// The tree begins again.
    Loop,
    /// The tree stays ended, and its result is kept.
    Once,
}

/// The state of one agent on its trees.
///
/// A runner holds no agent and no world: each poll borrows them. Events that happen to the agent are
/// [fired](Runner::fire) at its runner; what the agent starts and does not finish at once is finished
/// by a [`Completion`](crate::Completion), a time or an event.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_core::{Mode, Runner, TreeAsset, TreeSet};
/// use std::time::Duration;
///
/// #[derive(Agent)]
/// struct Cook { meals: u32 }
///
/// #[agent]
/// impl Cook {
///     #[action]
///     fn serve(&mut self) { self.meals += 1; }
/// }
///
/// let text = r#"{"nodes": [
///     {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "cook"}},
///     {"idx": 1, "type": "sequence", "children": [2, 3], "extra": {}},
///     {"idx": 2, "type": "action", "children": [], "extra": {"action_name": "wait_for_seconds",
///         "action_args": [{"arg_type": "plain", "arg_value": 1.5}]}},
///     {"idx": 3, "type": "action", "children": [], "extra": {"action_name": "serve"}}
/// ]}"#;
/// let mut trees = TreeSet::<Cook>::new();
/// trees.add(TreeAsset::from_json("dinner.json", text)?);
/// let trees = trees.build()?;
///
/// let mut runner = Runner::new(&trees, "dinner.json")?.mode(Mode::Once);
/// let mut cook = Cook { meals: 0 };
/// runner.start();
/// let poll = runner.poll(&mut cook, Duration::from_secs(10));
/// assert_eq!(poll.status, Status::Running);
/// assert_eq!(poll.next_wake, Some(Duration::from_millis(11_500)));
/// let poll = runner.poll(&mut cook, Duration::from_secs(12));
/// assert_eq!(poll.status, Status::Success);
/// assert_eq!(cook.meals, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub struct Runner<A: Agent> {
    pub(super) trees: Trees<A>,
    pub(super) core: Core,
    #[cfg(feature = "save")]
    pub(super) pending: Pending<A>,
}

impl<A: Agent> Runner<A> {
    /// Makes a runner for a tree. It runs once it is [started](Runner::start).
    ///
    /// # Errors
    /// [`TreeError`] if the set has no such tree.
    pub fn new(trees: &Trees<A>, tree: &str) -> Result<Runner<A>, TreeError> {
        let plan = &trees.0.plan;
        let root = plan.trees[find(plan, tree)? as usize].root;
        let board = Blackboard::with_keys(plan.keys.clone());
        let core = Core::new(Session::with_board(UNSEEDED, board), root);
        Ok(Runner::of(trees.clone(), core))
    }

    /// A runner with a state that there is already.
    pub(super) fn of(trees: Trees<A>, core: Core) -> Runner<A> {
        Runner {
            trees,
            core,
            #[cfg(feature = "save")]
            pending: Pending::default(),
        }
    }

    /// Sets the seed of the random stream; 0 by default, so runners that have no other draw alike. A
    /// [pool](crate::pool::Pool::set_seed) gives those that have none seeds of their own.
    pub fn seed(mut self, seed: u64) -> Runner<A> {
        self.set_seed(seed);
        self
    }

    /// Restarts the random stream with a seed.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::tree::asset::spec::action;
    /// use bt_core::{Runner, TreeAsset, TreeSet};
    /// use std::time::Duration;
    ///
    /// #[derive(Agent)]
    /// struct Gambler;
    ///
    /// let mut trees = TreeSet::<Gambler>::new();
    /// let draw = action("random_int").arg(1).arg(1_000_000).arg("drawn");
    /// trees.add(TreeAsset::build("draw.json", "gambler", draw));
    /// let mut runner = Runner::new(&trees.build()?, "draw.json")?;
    /// let mut drawn = |seed| {
    ///     runner.set_seed(seed);
    ///     runner.start();
    ///     runner.poll(&mut Gambler, Duration::ZERO);
    ///     runner.blackboard().get("drawn")
    /// };
    /// let first = drawn(7);
    /// assert_ne!(drawn(8), first);
    /// assert_eq!(drawn(7), first);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_seed(&mut self, seed: u64) {
        self.core.session.seed(seed);
        if self.core.is_traced {
            self.core.trace_seed(&self.trees.0.plan);
        }
    }

    /// Sets whether the tree begins again when it has ended, whatever its file says.
    pub fn mode(mut self, mode: Mode) -> Runner<A> {
        self.set_mode(mode);
        self
    }

    /// Sets whether the tree begins again when it ends next, whatever its file says. One that has ended stays so
    /// until it is [started](Runner::start).
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::tree::asset::spec::action;
    /// use bt_core::{Mode, Runner, TreeAsset, TreeSet};
    /// use std::time::Duration;
    ///
    /// #[derive(Agent)]
    /// struct Drummer;
    ///
    /// let mut trees = TreeSet::<Drummer>::new();
    /// trees.add(TreeAsset::build("drum.json", "drummer", action("nop")));
    /// let mut runner = Runner::new(&trees.build()?, "drum.json")?;
    /// runner.start();
    /// runner.poll(&mut Drummer, Duration::ZERO);
    /// assert!(runner.is_running(), "it begins again");
    /// runner.set_mode(Mode::Once);
    /// runner.poll(&mut Drummer, Duration::ZERO);
    /// assert_eq!(runner.result(), Some(true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_mode(&mut self, mode: Mode) {
        self.core.again = Some(mode == Mode::Loop);
    }

    /// Sets how many nodes one poll may enter; 10,000 by default. When the budget is exceeded, the poll
    /// ends with a [diagnostic](Runner::diagnostics), and the agent continues in the next poll.
    pub fn budget(mut self, nodes: u32) -> Runner<A> {
        self.set_budget(nodes);
        self
    }

    /// Sets how many events may be queued; 1,024 by default. More are refused, with one
    /// [diagnostic](Runner::diagnostics) a poll. The limit is the host's and is not saved: set it again for
    /// a restored agent.
    pub fn queue_limit(mut self, events: u32) -> Runner<A> {
        self.set_queue_limit(events);
        self
    }

    /// Returns true if events wait for the next poll, or for a part of the tree that is closed.
    pub fn has_queued_events(&self) -> bool {
        let inbox = self.core.cold.as_ref().map(|cold| &cold.inbox);
        inbox.is_some_and(|inbox| inbox.has_queued() || !inbox.held().is_empty())
    }

    /// Sets how many events may be queued. Those that are queued already stay.
    pub fn set_queue_limit(&mut self, events: u32) {
        self.core.cold().inbox.set_limit(events);
    }

    /// Sets how many nodes may be entered in one poll, from the next poll on; at least 1.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::tree::asset::spec::{action, sequence};
    /// use bt_core::{Mode, Runner, TreeAsset, TreeSet};
    /// use std::time::Duration;
    ///
    /// #[derive(Agent)]
    /// struct Snail;
    ///
    /// let mut trees = TreeSet::<Snail>::new();
    /// let steps = sequence(vec![action("nop"); 20]);
    /// trees.add(TreeAsset::build("creep.json", "snail", steps));
    /// let mut runner = Runner::new(&trees.build()?, "creep.json")?.mode(Mode::Once);
    /// runner.set_budget(10);
    /// runner.start();
    /// let poll = runner.poll(&mut Snail, Duration::ZERO);
    /// assert_eq!(poll.status, Status::Running);
    /// runner.set_budget(1_000);
    /// let poll = runner.poll(&mut Snail, Duration::ZERO);
    /// assert_eq!(poll.status, Status::Success);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_budget(&mut self, nodes: u32) {
        self.core.max_budget = nodes.max(1);
    }

    /// Sets whether each node's last result is kept, for [`node_status`](Runner::node_status). It costs
    /// memory for each node that has ended.
    pub fn keep_results(mut self, keep: bool) -> Runner<A> {
        self.set_keep_results(keep);
        self
    }

    /// Sets whether each node's last result is kept from now on. If not, those that were kept are
    /// dropped.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::tree::asset::spec::action;
    /// use bt_core::{NodeStatus, Runner, TreeAsset, TreeSet};
    /// use std::time::Duration;
    ///
    /// #[derive(Agent)]
    /// struct Postman;
    ///
    /// let mut trees = TreeSet::<Postman>::new();
    /// trees.add(TreeAsset::build("round.json", "postman", action("nop")));
    /// let mut runner = Runner::new(&trees.build()?, "round.json")?;
    /// runner.start();
    /// runner.set_keep_results(true);
    /// runner.poll(&mut Postman, Duration::ZERO);
    /// assert_eq!(runner.node_status("round.json", 1), NodeStatus::Success);
    /// runner.set_keep_results(false);
    /// assert_eq!(runner.node_status("round.json", 1), NodeStatus::Idle);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_keep_results(&mut self, keep: bool) {
        self.core.cold().results.keep(keep);
        self.core.update_is_traced();
    }

    /// The agent's blackboard.
    pub fn blackboard(&self) -> &Blackboard {
        self.core.session.blackboard()
    }

    /// Shares the keys that trees declare global with other agents.
    pub fn share(&mut self, board: &SharedBoard) {
        self.core.session.blackboard().share(board);
    }

    /// Starts the current tree in the next poll, if it does not run already.
    pub fn start(&mut self) {
        self.trace_control(Control::Start);
        self.core.set_started();
        match self.core.phase {
            Phase::Idle | Phase::Succeeded | Phase::Failed => {
                self.core.phase = Phase::Due;
                self.core.quiet = Quiet::No;
            }
            // It starts when what is being stopped has gone.
            Phase::Stopping => self.core.cold().requests.set_starts_again(true),
            Phase::Due | Phase::Active => {}
        }
        self.trace_explanation();
    }

    /// Pauses the agent until it is [resumed](Runner::resume). What waits for a time waits as much longer
    /// as the pause lasts; what arrives is kept.
    pub fn pause(&mut self) {
        if self.core.pause_stopped(true) {
            return self.trace_control(Control::Pause);
        }
        if !self.core.paused {
            self.trace_control(Control::Pause);
            self.core.paused = true;
            // What has ended did not end in the next poll, which does nothing.
            self.core.last = None;
            let now = self.core.now();
            // It may have been resumed, and not polled since: it is the same pause.
            self.core.cold().pauses.begin(now);
            self.trace_explanation();
        }
    }

    /// [Pauses](Runner::pause) the agent at a time of the host's clock that may be later than that of its
    /// last poll: an agent that waits may have been polled long ago. A time before that counts as that
    /// of the last poll.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::tree::asset::spec::action;
    /// use bt_core::{Runner, TreeAsset, TreeSet};
    /// use std::time::Duration;
    ///
    /// #[derive(Agent)]
    /// struct Guest;
    ///
    /// let mut trees = TreeSet::<Guest>::new();
    /// let stay = action("wait_for_seconds").arg(10);
    /// trees.add(TreeAsset::build("stay.json", "guest", stay));
    /// let mut runner = Runner::new(&trees.build()?, "stay.json")?;
    /// runner.start();
    /// runner.poll(&mut Guest, Duration::ZERO);
    /// runner.pause_at(Duration::from_secs(8));
    /// runner.resume();
    /// let poll = runner.poll(&mut Guest, Duration::from_secs(20));
    /// assert_eq!(poll.next_wake, Some(Duration::from_secs(22)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pause_at(&mut self, now: Duration) {
        self.set_now(now);
        self.pause();
    }

    /// Resumes after a [pause](Runner::pause), in the next poll.
    pub fn resume(&mut self) {
        if self.core.pause_stopped(false) {
            return self.trace_control(Control::Resume);
        }
        if self.core.paused {
            self.trace_control(Control::Resume);
        }
        self.core.paused = false;
        self.core.quiet = Quiet::No;
        self.trace_explanation();
    }

    /// Returns true if the agent is paused.
    pub fn is_paused(&self) -> bool {
        self.core.is_paused_by_host()
    }

    /// Aborts everything, clears the blackboard and starts the current tree, in the next poll.
    ///
    /// One request is pending at a time: of `reset`, [`load`](Runner::load) and [`stop`](Runner::stop)
    /// the later counts, and those of the host outrank those of actions and `reset` nodes. `stop` is
    /// given the agent, so it aborts at once; `reset` and `load` are not, so they abort in the next poll.
    pub fn reset(&mut self) {
        self.trace_control(Control::Reset);
        self.core.set_started();
        self.ask(Request::Reset(true));
        self.trace_explanation();
    }

    /// Runs another tree, from the next poll on; what runs now is aborted first, and if that takes more
    /// than one poll, the new tree starts in the poll in which it is complete. The same tree starts again.
    /// The blackboard stays. [`reset`](Runner::reset) says which of several requests counts. Of a runner that was not started, or was stopped, it is the tree that
    /// [`start`](Runner::start) will start.
    ///
    /// # Errors
    /// [`TreeError`] if the set has no such tree.
    pub fn load(&mut self, tree: &str) -> Result<(), TreeError> {
        let tree = find(&self.trees.0.plan, tree)?;
        self.trace_control(Control::Load);
        self.ask(Request::Load(tree));
        self.trace_explanation();
        Ok(())
    }

    /// The same as [`load`](Runner::load), but the blackboard is cleared, as a [`reset`](Runner::reset) does, before the
    /// new tree starts.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::tree::asset::spec::action;
    /// use bt_core::{Runner, TreeAsset, TreeSet};
    /// use std::time::Duration;
    ///
    /// #[derive(Agent)]
    /// struct Actor;
    ///
    /// let mut trees = TreeSet::<Actor>::new();
    /// for name in ["first", "second"] {
    ///     trees.add(TreeAsset::build(name, "actor", action("wait_for_seconds").arg(60)));
    /// }
    /// let mut runner = Runner::new(&trees.build()?, "first")?;
    /// runner.blackboard().set("line", "to be");
    /// runner.start();
    /// runner.poll(&mut Actor, Duration::ZERO);
    /// runner.load_afresh("second")?;
    /// runner.poll(&mut Actor, Duration::ZERO);
    /// assert_eq!(runner.tree(), "second");
    /// assert!(runner.blackboard().get("line").is_null());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TreeError`] if the set has no such tree.
    pub fn load_afresh(&mut self, tree: &str) -> Result<(), TreeError> {
        let tree = find(&self.trees.0.plan, tree)?;
        self.trace_control(Control::Load);
        self.ask(Request::Afresh(tree));
        self.trace_explanation();
        Ok(())
    }

    /// Requests something of the next poll; of one that a debugger has stopped, of the poll after that.
    fn ask(&mut self, request: Request) {
        if !self.core.ask_stopped(request) {
            self.core.request(NOWHERE, request);
        }
    }

    /// Queues an event for the next poll. Events are delivered in the order of arrival. Those before the
    /// first start are kept; when the tree has ended, was stopped or is being stopped, they are dropped. The
    /// queue has a [limit](Runner::queue_limit).
    ///
    /// The parameters of an event that the agent or a base of it registers are checked: where one is
    /// missing, unknown, or of another type, a [diagnostic](Runner::diagnostics) says so, and the
    /// event is not delivered. The same holds for events that actions [fire](crate::Context::fire).
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::tree::asset::spec::wait_event;
    /// use bt_core::{Runner, TreeAsset, TreeSet};
    ///
    /// #[derive(Agent)]
    /// struct Sheep;
    ///
    /// #[agent]
    /// impl Sheep {
    ///     /// A dog barked.
    ///     #[event]
    ///     fn barked(times: u32);
    /// }
    ///
    /// let mut trees = TreeSet::<Sheep>::new();
    /// trees.add(TreeAsset::build("graze.json", "sheep", wait_event("barked")));
    /// let mut runner = Runner::new(&trees.build()?, "graze.json")?;
    /// runner.fire(Sheep::barked(2));
    /// assert!(runner.diagnostics().is_empty());
    /// runner.fire(Event::new("barked").with("times", "twice"));
    /// let refused = runner.diagnostics()[0].to_string();
    /// assert!(refused.contains("event `barked` is not delivered: parameter `times`"), "{refused}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fire(&mut self, event: Event) {
        self.arrived();
        self.core.fire(&self.trees.0.plan, event);
        self.trace_explanation();
    }

    /// Finishes a waiting action from outside. The result is delivered in the next poll. If the action has
    /// exited by then, nothing happens; of two results the first counts.
    pub fn finish(&mut self, leaf: LeafId, success: bool) {
        self.arrived();
        if self.core.can_finish(leaf.0) {
            self.core.deliver(Delivery::Finished(leaf.0, success));
        }
        self.trace_explanation();
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

    pub(super) fn trace_control(&mut self, asked: Control) {
        if self.core.is_traced {
            let what = What::Control { asked };
            self.core.trace(&self.trees.0.plan, NOWHERE, what);
        }
    }

    /// A trace says what the host has changed in why the agent waits.
    pub(super) fn trace_explanation(&mut self) {
        if self.core.is_traced {
            self.core.trace_explanation(&self.trees.0.plan);
        }
    }

    /// Takes in the completions that arrived before, to keep them in order.
    fn arrived(&mut self) {
        if self.core.session.has_arrived() {
            self.core.queue_completions();
        }
    }

    /// The name of the current tree.
    pub fn tree(&self) -> &str {
        &self.trees.0.plan.tree_of(self.core.root).name
    }

    /// The set of trees that the agent runs.
    pub fn trees(&self) -> &Trees<A> {
        &self.trees
    }

    /// Returns true if the tree runs, or is about to.
    pub fn is_running(&self) -> bool {
        matches!(
            self.core.phase,
            Phase::Due | Phase::Active | Phase::Stopping
        )
    }

    /// The tree's result, if it has ended and does not begin again.
    pub fn result(&self) -> Option<bool> {
        self.core.phase.result()
    }

    /// Returns true if the tree failed: in the last poll, after which it begins again, or for good.
    pub fn has_failed(&self) -> bool {
        self.core.phase == Phase::Failed || self.core.last == Some(false)
    }

    /// The time of the next poll, as of now: see [`Poll::next_wake`](super::Poll::next_wake).
    pub fn next_wake(&self) -> Option<Duration> {
        self.core.next_wake()
    }

    /// The last 32 things that went wrong, the newest last. Each also goes to the log
    /// (`tracing`, target `bt`).
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.core
            .cold
            .as_ref()
            .map_or(&[], |cold| cold.reports.diagnostics())
    }

    /// Takes the diagnostics, and leaves none.
    pub fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        match &mut self.core.cold {
            Some(cold) => cold.reports.take_diagnostics(),
            None => Vec::new(),
        }
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Core>() <= 240, "there are many agents");

impl<A: Agent> fmt::Debug for Runner<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner")
            .field("tree", &self.tree())
            .field("phase", &self.core.phase)
            .finish_non_exhaustive()
    }
}

/// There is no tree of that name.
///
/// ```
/// use bt_core::builtin::ActionAgent;
/// use bt_core::tree::asset::spec::action;
/// use bt_core::{Runner, TreeAsset, TreeSet};
///
/// let mut trees = TreeSet::<ActionAgent>::new();
/// trees.add(TreeAsset::build("patrol", "action_agent", action("nop")));
/// let error = Runner::new(&trees.build()?, "patrl").unwrap_err();
/// assert_eq!(error.to_string(), "there is no tree `patrl`; did you mean `patrol`?");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct TreeError {
    name: String,
    near: String,
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no tree `{}`{}", self.name, self.near)
    }
}

/// As it is displayed, because this is what `main` and `unwrap` show of an error.
impl fmt::Debug for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for TreeError {}

fn find(plan: &Plan, name: &str) -> Result<u32, TreeError> {
    plan.tree_named(name).ok_or_else(|| TreeError {
        name: crate::text::name(name).into_owned(),
        near: suggest(name, plan.trees.iter().map(|tree| &*tree.name)),
    })
}
