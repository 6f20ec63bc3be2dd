//! Stopping an agent in the middle of a poll, and what the host asks of one that is stopped.

#[cfg(feature = "save")]
mod saved;
mod stop;

use std::sync::Arc;

use super::core::{Core, Request};
use super::node_ref::{At, NOWHERE};
use super::plain::{Stopped, Then, Wait};
use super::poll::{Begun, Poll};
use super::runner::Runner;
use super::state::debugger::{Debugger, Mode};
use super::state::trace::Trace;
use super::walk::{Act, Step as Walk, Walker};
use crate::Agent;
use crate::debug::{Breakpoints, DebugError, Forced, ForcedNode, Step, Stop};
use crate::trace::What;
use crate::tree::plan::{NONE, Plan};

impl<A: Agent> Runner<A> {
    /// Sets the breakpoints, in place of those that there were. They may be shared with other agents; how often
    /// each was met is counted for each agent: from now on, or on from before if the same one was there. What is
    /// stopped stays so.
    ///
    /// An agent with breakpoints runs as slowly as one that is [traced](Runner::set_tracer).
    pub fn set_breakpoints(&mut self, all: Option<Arc<Breakpoints>>) {
        if all.is_none() && self.core.debugger().is_none() {
            return;
        }
        let plan = &self.trees.0.plan;
        self.core.need_debugger(plan);
        let set = |trace: &mut Trace, core: &Core| trace.set_breakpoints(all, core.board());
        self.core.with_trace(plan, set);
        self.core.rest_debugger();
    }

    /// The breakpoints, if there are any.
    pub fn breakpoints(&self) -> Option<&Arc<Breakpoints>> {
        self.core.debugger()?.breakpoints()
    }

    /// Stops the agent as soon as something happens to it.
    pub fn stop_next(&mut self) {
        if !self.core.is_stopped() {
            let plan = &self.trees.0.plan;
            self.core.need_debugger(plan).stop_next();
        }
    }

    /// Takes back a [request](Runner::stop_next) to stop, and a [step](Runner::step) that is not done: the agent runs, or
    /// continues in its next poll, until it meets a breakpoint. One that is stopped, and nobody has let it continue,
    /// stays so.
    ///
    /// ```
    /// use bt_core::builtin::ActionAgent;
    /// use bt_core::tree::asset::spec::action;
    /// use bt_core::{Mode, Runner, TreeAsset, TreeSet};
    /// use std::time::Duration;
    ///
    /// let mut trees = TreeSet::<ActionAgent>::new();
    /// trees.add(TreeAsset::build("rest.json", "action_agent", action("nop")));
    /// let mut runner = Runner::new(&trees.build()?, "rest.json")?.mode(Mode::Once);
    /// runner.start();
    /// runner.stop_next();
    /// runner.end_steps();
    /// runner.poll(&mut ActionAgent, Duration::ZERO);
    /// assert!(runner.stopped().is_none());
    /// assert_eq!(runner.result(), Some(true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn end_steps(&mut self) {
        if let Some(debugger) = self.core.debugger_mut() {
            debugger.end_steps();
            self.core.hold_stops(false);
            self.core.rest_debugger();
        }
    }

    /// The place where the agent is stopped, if it is.
    pub fn stopped(&self) -> Option<&Stop> {
        Some(&self.core.debugger()?.stopped()?.stop)
    }

    /// Lets a stopped agent continue, in its next poll, up to where the step is done or a breakpoint is met. The
    /// stop is named by its [number](Stop::number): whoever asks knows where the agent is.
    ///
    /// # Errors
    /// [`DebugError`] if the agent is not stopped, or at another stop by now.
    pub fn step(&mut self, number: u64, step: Step) -> Result<(), DebugError> {
        let plan = &self.trees.0.plan;
        let stopped = self.core.debugger().and_then(Debugger::stopped);
        let Some(stopped) = stopped.filter(|_| !self.core.resumes()) else {
            return Err(DebugError::not_stopped());
        };
        if stopped.stop.number != number {
            return Err(DebugError::stale(number, stopped.stop.number));
        }
        let (at, poll) = (stopped.at, stopped.stop.poll);
        let mode = match step {
            Step::Continue => Mode::Run,
            Step::Record => Mode::Record,
            Step::Into => Mode::Into,
            Step::Over if at != NOWHERE => Mode::Over(at, self.core.runs_below(plan, at)),
            Step::Over => Mode::Into,
            Step::Out if at == NOWHERE => Mode::Poll(poll),
            Step::Out => match self.core.above(plan, at) {
                Some(above) => Mode::Out(above),
                None => Mode::Poll(poll),
            },
            Step::Poll => Mode::Poll(poll),
            Step::To { tree, idx } => {
                find(plan, &tree, idx)?;
                Mode::To(tree, idx)
            }
        };
        if let Some(debugger) = self.core.debugger_mut() {
            debugger.resume(mode);
        }
        Ok(())
    }

    /// Forces what a node ends as whenever it is to be entered from now on; none lets it run again. One that is
    /// active stays so, unless it is disabled below a reactive node. The trace has a
    /// [note](crate::trace::What::Note) of the name `forced`, now and each time that it ends so.
    ///
    /// ```
    /// use bt_core::builtin::ActionAgent;
    /// use bt_core::debug::Forced;
    /// use bt_core::tree::asset::spec::{action, sequence};
    /// use bt_core::{Mode, Runner, TreeAsset, TreeSet};
    /// use std::time::Duration;
    ///
    /// let mut trees = TreeSet::<ActionAgent>::new();
    /// let wait = sequence([action("wait_for_seconds").arg(60), action("nop")]);
    /// trees.add(TreeAsset::build("wait.json", "action_agent", wait));
    /// let mut runner = Runner::new(&trees.build()?, "wait.json")?.mode(Mode::Once);
    /// runner.force("wait.json", 2, Some(Forced::Success))?;
    /// runner.start();
    /// runner.poll(&mut ActionAgent, Duration::ZERO);
    /// assert_eq!(runner.result(), Some(true));
    ///
    /// let error = runner.force("wait.json", 9, None).unwrap_err();
    /// assert_eq!(error.to_string(), "tree `wait.json` has no node 9");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DebugError`] if there is no such node, or the tree's file disables it.
    pub fn force(
        &mut self,
        tree: &str,
        idx: u32,
        forced: Option<Forced>,
    ) -> Result<(), DebugError> {
        let plan = &self.trees.0.plan;
        let node = find(plan, tree, idx)?;
        self.core.need_debugger(plan).force(plan, tree, idx, forced);
        let value = forced.map_or_else(|| "no".to_owned(), |forced| forced.to_string());
        let note = What::Note {
            note: "forced".into(),
            value: std::borrow::Cow::Owned(value.into()),
        };
        let frame = self.core.base();
        let at = At { frame, node };
        self.core.trace(plan, at, note);
        self.core.trace_explanation(plan);
        self.core.rest_debugger();
        Ok(())
    }

    /// The nodes whose results are forced, in the order of the requests.
    pub fn forced(&self) -> Vec<ForcedNode> {
        let debugger = self.core.debugger();
        debugger.map_or_else(Vec::new, |debugger| debugger.forced().to_vec())
    }

    /// A poll of an agent that is stopped.
    #[cold]
    pub(super) fn poll_while_stopped(&mut self) -> Begun {
        self.core.trace_writes(&self.trees.0.plan);
        match self.core.will_step() {
            true => Begun::Stopped,
            false => Begun::Over(self.summary()),
        }
    }

    /// Continues a poll that was stopped.
    #[cold]
    pub(super) fn poll_stopped<'w, 's>(
        &mut self,
        agent: &mut A,
        world: &mut A::World<'w, 's>,
    ) -> Poll {
        self.core.end_pause();
        if let Some(stopped) = self.core.unstop() {
            let is_over = stopped.is_over();
            self.walking(agent, world, |walk| walk.continue_poll(*stopped));
            if self.may_move() && !is_over {
                self.move_after_walk(agent, world);
            }
            if !is_over {
                self.end_walk();
            }
        }
        if !self.core.is_stopped()
            && let Some(debugger) = self.core.debugger_mut()
            && let Some(asked) = debugger.take_requests()
        {
            self.core.request(NOWHERE, asked);
        }
        self.core.rest_debugger();
        self.summary()
    }
}

impl Core {
    fn stopped(&self) -> Option<&Stopped> {
        self.debugger()?.stopped()
    }

    fn stopped_mut(&mut self) -> Option<&mut Stopped> {
        self.debugger_mut()?.stopped_mut()
    }

    /// Returns true if the host lets it continue that is stopped.
    fn resumes(&self) -> bool {
        self.debugger().is_some_and(Debugger::resumes)
    }

    /// Returns true if it is stopped, and continues in the next poll.
    pub(crate) fn will_step(&self) -> bool {
        self.resumes() && self.stopped().is_some_and(|stopped| !stopped.paused)
    }

    /// The nodes whose result is forced, by the numbers of the plan, and to what.
    pub(crate) fn forced_nodes(&self) -> Vec<(u32, String)> {
        let all = self.debugger().into_iter().flat_map(Debugger::forced_nodes);
        all.map(|(node, forced)| (node, forced.to_string()))
            .collect()
    }

    /// Returns true if a node is as if it were not there: a debugger disabled it, or what a decorator is
    /// around.
    #[inline]
    pub(crate) fn is_disabled(&self, node: u32) -> bool {
        self.is_traced
            && self
                .debugger()
                .is_some_and(|debugger| debugger.is_disabled(node))
    }

    /// Returns true if any node is.
    #[inline]
    pub(crate) fn disables_any(&self) -> bool {
        self.is_traced && self.debugger().is_some_and(Debugger::disables_any)
    }

    /// A child of a node, or the next one that is there.
    #[inline]
    pub(crate) fn past_disabled(&self, plan: &Plan, parent: u32, child: u32) -> Option<u32> {
        if !self.disables_any() {
            return Some(child);
        }
        let mut children =
            std::iter::successors(Some(child), |child| plan.next_child(parent, *child));
        children.find(|child| !self.is_disabled(*child))
    }

    /// The runs of trees, by their frames, that a node has called.
    fn runs_below(&self, plan: &Plan, top: At) -> Vec<u32> {
        let frames = 0..self.frames.len() as u32;
        let is_below = |frame: &u32| {
            let root = At {
                frame: *frame,
                node: 0,
            };
            *frame != top.frame && self.is_within(plan, root, top)
        };
        frames.filter(is_below).collect()
    }

    /// Drops a debugger that wants nothing any more.
    fn rest_debugger(&mut self) {
        if self.debugger().is_some_and(Debugger::is_idle) {
            self.drop_debugger();
        }
    }

    /// Returns true if the host has paused it.
    pub(super) fn is_paused_by_host(&self) -> bool {
        self.stopped().map_or(self.paused, |stopped| stopped.paused)
    }

    /// Pauses, or resumes, an agent that is stopped, for when it continues; whether it is.
    pub(super) fn pause_stopped(&mut self, paused: bool) -> bool {
        let stopped = self.stopped_mut();
        stopped.map(|stopped| stopped.paused = paused).is_some()
    }

    /// A reload waits for the end of the poll in which the agent is stopped.
    pub(super) fn note_reload(&mut self) {
        if let Some(stopped) = self.stopped_mut() {
            stopped.wait_for_end("reload");
        }
    }

    /// Keeps what the host asks for until the poll is over in which the agent is stopped; whether it is.
    pub(super) fn ask_stopped(&mut self, request: Request) -> bool {
        let Some(stopped) = self.stopped_mut() else {
            return false;
        };
        stopped.wait_for_end(match request {
            Request::Stop => "stop",
            Request::Reset(_) => "reset",
            Request::Load(_) | Request::Afresh(_) => "load",
        });
        if let Some(debugger) = self.debugger_mut() {
            debugger.ask(request);
        }
        true
    }
}

impl Walker<'_> {
    /// The next step of the walk at a node that is to be entered, if its result is forced, or it is disabled.
    pub(crate) fn forced(&mut self, node: u32) -> Option<Walk> {
        let forced = self.core.debugger()?.forced_to(node);
        let success = match forced {
            _ if self.core.is_disabled(node) => return Some(self.pass_over(node)),
            Some(Forced::Success) => true,
            Some(Forced::Failure) => false,
            Some(Forced::Disabled) | None => return None,
        };
        let at = self.core.here(node);
        self.unwatch_own(at);
        self.core.decided(node, false);
        let value = forced.map(|forced| forced.to_string());
        let note = What::Note {
            note: "forced".into(),
            value: std::borrow::Cow::Owned(value.into()),
        };
        self.trace(at, note);
        Some(Walk::Jump(at, Act::Left(success)))
    }

    /// A node is to be entered that was disabled after its parent had come to it: that goes on. A decorator around it
    /// is not there, either: it is aborted.
    fn pass_over(&mut self, node: u32) -> Walk {
        let mut top = node;
        while self.core.is_disabled(self.plan.parent(top)) {
            top = self.plan.parent(top);
        }
        let success = match self.plan.parent(top) {
            NONE => true,
            parent => self.plan.succeeds_empty(parent),
        };
        let at = self.core.here(node);
        self.unwatch_own(at);
        self.core.decided(node, false);
        let left = Act::Left(success);
        if top == node {
            return Walk::Jump(at, left);
        }
        self.core.wait(at, Wait::Parked(left));
        let top = self.core.here(top);
        self.abort(top, top, true, Then::Go(top, left))
    }
}

fn find(plan: &Plan, tree: &str, idx: u32) -> Result<u32, DebugError> {
    if plan.tree_named(tree).is_none() {
        let names = plan.trees.iter().map(|tree| &*tree.name);
        let near = crate::text::suggest(tree, names);
        return Err(DebugError::no_tree(tree, &near));
    }
    plan.node_of(tree, idx).ok_or_else(|| {
        let number = plan.tree_named(tree);
        match number.is_some_and(|number| plan.is_left_out(number, idx)) {
            true => DebugError::left_out(tree, idx),
            false => DebugError::no_node(tree, idx),
        }
    })
}
