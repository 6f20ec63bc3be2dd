//! One agent's running trees, as the host sees them.

use std::fmt;
use std::time::Duration;

use super::active::LeafId;
use super::core::{Core, Phase, Request};
use super::delivery::Delivery;
use super::diagnostic::Diagnostic;
use super::node_ref::NOWHERE;
use super::walk::{Hosted, Walk};
use crate::blackboard::{Blackboard, Scope, SharedBoard, TreeFrame};
use crate::call::{Session, Status};
use crate::registry::lookup::suggest;
use crate::trace::{Control, What};
use crate::tree::plan::Plan;
use crate::tree::set::Trees;
use crate::{Agent, Event};

/// What happens when the agent's tree has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// It begins again.
    Loop,
    /// It stays ended, and its result is kept.
    Once,
}

/// What a poll came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Poll {
    /// Running, or how the tree ended; a failure before it was started, and after it was stopped. Of a tree that begins again this is its last end, if that was
    /// in this poll and nothing of it has begun since.
    pub status: Status,
    /// When the agent wants to be polled again, if nothing happens before: the time of this poll for
    /// as soon as there is a next one, none for not until an event or a completion arrives.
    pub next_wake: Option<Duration>,
}

/// One agent's state on its trees.
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
}

impl<A: Agent> Runner<A> {
    /// An agent that is to run a tree; it does so once it is [started](Runner::start).
    ///
    /// # Errors
    /// [`TreeError`] if the set has no such tree.
    pub fn new(trees: &Trees<A>, tree: &str) -> Result<Runner<A>, TreeError> {
        let plan = &trees.0.plan;
        let root = plan.trees[find(plan, tree)? as usize].root;
        let board = Blackboard::with_keys(plan.keys.clone());
        Ok(Runner {
            trees: trees.clone(),
            core: Core::new(Session::with_board(0, board), root),
        })
    }

    /// With the random stream of a seed; 0 otherwise.
    pub fn seed(mut self, seed: u64) -> Runner<A> {
        self.set_seed(seed);
        self
    }

    /// Begins the random stream of a seed.
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
        *self.core.session.random() = crate::Random::new(seed);
    }

    /// With what happens when the tree has ended, whatever its file says.
    pub fn mode(mut self, mode: Mode) -> Runner<A> {
        self.set_mode(mode);
        self
    }

    /// Says what happens when the tree ends next, whatever its file says. One that has ended stays so
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

    /// With another number of nodes that may be entered in one poll; 10,000 otherwise. When they are
    /// used up the poll ends, a [diagnostic](Runner::diagnostics) says so, and the agent goes on in
    /// the next poll.
    pub fn budget(mut self, nodes: u32) -> Runner<A> {
        self.set_budget(nodes);
        self
    }

    /// With another number of events that may be queued; 1,024 otherwise. More are refused: one
    /// [diagnostic](Runner::diagnostics) a poll says so.
    pub fn queue_limit(mut self, events: u32) -> Runner<A> {
        self.set_queue_limit(events);
        self
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

    /// Whether each node's last result is kept, for [`node_status`](Runner::node_status). It costs
    /// memory for each node that has ended.
    pub fn keep_results(mut self, keep: bool) -> Runner<A> {
        self.set_keep_results(keep);
        self
    }

    /// Says whether each node's last result is kept from now on. Where they are not, those that were
    /// kept are forgotten.
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
        self.core.looks_again();
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
                self.core.quiet = false;
            }
            // It starts when what is being stopped has gone.
            Phase::Stopping => self.core.cold().requests.set_starts_again(true),
            Phase::Due | Phase::Active => {}
        }
    }

    /// From now on nothing runs, until it is [resumed](Runner::resume). What waits for a time waits
    /// as much longer as it is paused; what arrives is kept.
    pub fn pause(&mut self) {
        if !self.core.paused {
            self.trace_control(Control::Pause);
            self.core.paused = true;
            // What has ended did not end in the next poll, which does nothing.
            self.core.last = None;
            let now = self.core.now();
            // It may have been resumed, and not polled since: it is the same pause.
            self.core.cold().pauses.begin(now);
        }
    }

    /// Goes on after a [pause](Runner::pause).
    pub fn resume(&mut self) {
        if self.core.paused {
            self.trace_control(Control::Resume);
        }
        self.core.paused = false;
        self.core.quiet = false;
    }

    /// Whether it is paused.
    pub fn is_paused(&self) -> bool {
        self.core.paused
    }

    /// Aborts everything, clears the blackboard and starts the current tree, in the next poll.
    ///
    /// One request is pending at a time: of `reset`, [`load`](Runner::load) and [`stop`](Runner::stop)
    /// the later counts, and those of the host outrank those of actions and `reset` nodes. `stop` is
    /// given the agent, so it aborts at once; `reset` and `load` are not, so they abort in the next poll.
    pub fn reset(&mut self) {
        self.trace_control(Control::Reset);
        self.core.set_started();
        self.core.request(NOWHERE, Request::Reset(true));
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
        self.core.request(NOWHERE, Request::Load(tree));
        Ok(())
    }

    /// Something happened to the agent: delivered in the next poll, in the order of arrival. What is
    /// fired before the first start is kept; where the tree has ended, was stopped or is being stopped it is
    /// dropped. There is a [limit](Runner::queue_limit) to what is queued.
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
    }

    /// Finishes an action that waits, from outside: delivered in the next poll. If it has been exited,
    /// then or now, nothing happens; of two answers the first counts.
    pub fn finish(&mut self, leaf: LeafId, success: bool) {
        self.arrived();
        if self.core.can_finish(leaf.0) {
            self.core.deliver(Delivery::Finished(leaf.0, success));
        }
    }

    fn trace_control(&mut self, asked: Control) {
        if self.core.looks {
            let what = What::Control { asked };
            self.core.trace(&self.trees.0.plan, NOWHERE, what);
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

    /// The trees that it runs.
    pub fn trees(&self) -> &Trees<A> {
        &self.trees
    }

    /// Whether the tree runs, or is about to.
    pub fn is_running(&self) -> bool {
        matches!(
            self.core.phase,
            Phase::Due | Phase::Active | Phase::Stopping
        )
    }

    /// How the tree ended, if it did and does not begin again.
    pub fn result(&self) -> Option<bool> {
        self.core.phase.result()
    }

    /// When it wants to be polled again, as of now: see [`Poll::next_wake`].
    pub fn next_wake(&self) -> Option<Duration> {
        let core = &self.core;
        if core.paused || core.phase.is_at_rest() {
            return None;
        }
        if !core.quiet || core.session.has_arrived() || core.session.board().has_news() {
            return Some(Duration::from_nanos(core.now()));
        }
        core.next_alarm()
    }

    /// What went wrong while it ran: the last 32, the newest last. Each also goes to the log
    /// (`tracing`, target `bt`).
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.core
            .cold
            .as_ref()
            .map_or(&[], |cold| cold.reports.diagnostics())
    }

    /// The same, and forgets them.
    pub fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        match &mut self.core.cold {
            Some(cold) => cold.reports.take_diagnostics(),
            None => Vec::new(),
        }
    }

    /// Lets the agent do what is to be done at a time, counted from wherever the host counts it. One
    /// that goes back counts as unchanged, and [`explain`](Runner::explain) says so.
    #[inline]
    pub fn poll_in<'w, 's>(
        &mut self,
        agent: &mut A,
        world: &mut A::World<'w, 's>,
        now: Duration,
    ) -> Poll {
        match self.begin_poll(now) {
            Some(poll) => poll,
            None => self.poll_awake(agent, world),
        }
    }

    /// Looks at the clock; what the poll says, if it has nothing else to do.
    #[inline(always)]
    fn begin_poll(&mut self, now: Duration) -> Option<Poll> {
        let core = &mut self.core;
        if core.session.goes_back(now) {
            core.note_back(now);
        }
        if core.paused {
            return Some(self.poll_paused());
        }
        core.poll = core.poll.wrapping_add(1);
        core.is_quiet().then(|| Poll {
            status: core.status(),
            next_wake: core.next_alarm(),
        })
    }

    /// A poll while it is paused: a trace shows what was written meanwhile.
    #[cold]
    fn poll_paused(&mut self) -> Poll {
        // One that was restored knows the host's clock from now on.
        self.core.land();
        self.core.trace_writes(&self.trees.0.plan);
        // What ended in an earlier poll did not end in this one.
        self.core.last = None;
        self.summary()
    }

    /// Does what is to be done in a poll that has something to do.
    #[inline(never)]
    fn poll_awake<'w, 's>(&mut self, agent: &mut A, world: &mut A::World<'w, 's>) -> Poll {
        let set = &*self.trees.0;
        let mut host = Hosted::new(set, agent, world);
        let mut walk = Walk {
            plan: &set.plan,
            core: &mut self.core,
            host: &mut host,
        };
        walk.any().poll();
        self.end_walk();
        self.summary()
    }

    /// Stops the tree: everything is aborted, exit methods are called. What is still cancelling is
    /// waited for in the following polls. What outlives a tree's end, such as cooldowns, stays. A reset
    /// or a load that was asked for, and has not happened yet, does not happen.
    pub fn stop_in<'w, 's>(&mut self, agent: &mut A, world: &mut A::World<'w, 's>, now: Duration) {
        self.core.session.set_now(now);
        self.trace_control(Control::Stop);
        self.core.land();
        self.core.split_pause();
        if let Some(cold) = &mut self.core.cold {
            cold.requests.set_starts_again(false);
        }
        let set = &*self.trees.0;
        let mut host = Hosted::new(set, agent, world);
        let mut walk = Walk {
            plan: &set.plan,
            core: &mut self.core,
            host: &mut host,
        };
        walk.any().stop();
        self.end_walk();
    }

    /// The agent is not lent any more.
    fn end_walk(&mut self) {
        let set = &*self.trees.0;
        if self.core.looks {
            self.core.trace_waits(&set.plan);
        }
        if set.plan.scoped {
            // The host sees the agent's own keys, wherever the walk was last.
            let board = self.core.session.board();
            board.enter(TreeFrame::default(), Scope::AGENT);
        }
    }

    fn summary(&self) -> Poll {
        let core = &self.core;
        let waits = core.paused || core.phase.is_at_rest();
        let next_wake = match core.quiet {
            _ if waits => None,
            true => self.next_wake(),
            false => Some(Duration::from_nanos(core.now())),
        };
        Poll {
            status: core.status(),
            next_wake,
        }
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Core>() <= 232, "there are many agents");

impl Core {
    #[inline]
    fn status(&self) -> Status {
        match (self.phase, self.last) {
            (Phase::Succeeded, _) => Status::Success,
            (Phase::Failed, _) => Status::Failure,
            (Phase::Idle, _) => Status::Failure,
            (Phase::Due, Some(success)) => success.into(),
            _ => Status::Running,
        }
    }

    /// A poll is about to begin whose time lies before an earlier one's.
    #[cold]
    fn note_back(&mut self, now: Duration) {
        let time = u64::try_from(now.as_nanos()).unwrap_or(u64::MAX);
        let poll = self.poll.wrapping_add(u32::from(!self.paused));
        self.cold().went_back = Some((time, poll));
    }

    /// When the next timer is due, at the earliest now.
    #[inline]
    fn next_alarm(&self) -> Option<Duration> {
        let time = self.timers.next_time();
        (time != u64::MAX).then(|| Duration::from_nanos(time.max(self.now())))
    }
}

impl<A> Runner<A>
where
    A: for<'w, 's> Agent<World<'w, 's> = ()>,
{
    /// [`poll_in`](Runner::poll_in) for an agent that acts on no world.
    #[inline]
    pub fn poll(&mut self, agent: &mut A, now: Duration) -> Poll {
        match self.begin_poll(now) {
            Some(poll) => poll,
            None => self.poll_awake(agent, &mut ()),
        }
    }

    /// [`stop_in`](Runner::stop_in) for an agent that acts on no world.
    pub fn stop(&mut self, agent: &mut A, now: Duration) {
        self.stop_in(agent, &mut (), now);
    }
}

impl<A: Agent> fmt::Debug for Runner<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner")
            .field("tree", &self.tree())
            .field("phase", &self.core.phase)
            .finish_non_exhaustive()
    }
}

/// There is no tree of that name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeError {
    name: String,
    near: String,
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no tree `{}`{}", self.name, self.near)
    }
}

impl std::error::Error for TreeError {}

fn find(plan: &Plan, name: &str) -> Result<u32, TreeError> {
    plan.tree_named(name).ok_or_else(|| TreeError {
        name: crate::text::name(name).into_owned(),
        near: suggest(name, plan.trees.iter().map(|tree| &*tree.name)),
    })
}
