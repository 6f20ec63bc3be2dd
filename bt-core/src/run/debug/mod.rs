//! Stopping an agent in the middle of a poll, and what the host asks of one that is stopped.

mod debugger;
#[cfg(feature = "save")]
mod saved;
mod stop;

use std::sync::Arc;

use super::core::{Core, Request};
use super::node_ref::NOWHERE;
use super::poll::{Begun, Poll};
use super::runner::Runner;
use super::walk::Walker;
use crate::Agent;
use crate::debug::{Breakpoints, DebugError, Forced, ForcedNode, Step, Stop};
use crate::trace::What;
pub(in crate::run) use debugger::Debugger;
use debugger::{Mode, above, node_of};
pub(in crate::run) use stop::Next;

impl<A: Agent> Runner<A> {
    /// Sets the breakpoints, in place of those that there were. They may be shared with other agents; how often
    /// each was met is counted for each agent, from now on. What is stopped stays so.
    ///
    /// An agent with breakpoints runs as slowly as one that is [traced](Runner::set_tracer).
    pub fn set_breakpoints(&mut self, all: Option<Arc<Breakpoints>>) {
        if all.is_none() && self.core.debugger().is_none() {
            return;
        }
        let plan = &self.trees.0.plan;
        self.core.need_debugger(plan).set_breakpoints(all);
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
            self.core.need_debugger(plan).mode = Mode::Asked;
        }
    }

    /// Where the agent is stopped, if it is.
    pub fn stopped(&self) -> Option<&Stop> {
        let stopped = self.core.debugger()?.stopped.as_ref()?;
        Some(&stopped.stop)
    }

    /// Lets a stopped agent continue, in its next poll, up to where the step is done or a breakpoint is met. The
    /// stop is named by its [number](Stop::number): whoever asks knows where the agent is.
    ///
    /// # Errors
    /// [`DebugError`] if the agent is not stopped, or at another stop by now.
    pub fn step(&mut self, number: u64, step: Step) -> Result<(), DebugError> {
        let plan = &self.trees.0.plan;
        let stopped = self
            .core
            .debugger()
            .and_then(|debugger| debugger.stopped.as_ref());
        let Some(stopped) = stopped.filter(|_| !self.core.continues()) else {
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
            Step::Over if at != NOWHERE => Mode::Over(at),
            Step::Over => Mode::Into,
            Step::Out => match above(plan, &self.core, at) {
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
            debugger.mode = mode;
            debugger.continues = true;
        }
        Ok(())
    }

    /// Forces what a node ends as whenever it is to be entered from now on; none lets it run again. One that is
    /// active stays so. The trace has a [note](crate::trace::What::Note) of the name `forced`, now and each time.
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
    /// [`DebugError`] if there is no such node.
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
        let at = super::node_ref::At { frame, node };
        self.core.trace(plan, at, note);
        self.core.rest_debugger();
        Ok(())
    }

    /// The nodes whose results are forced, in the order in which that was asked for.
    pub fn forced(&self) -> Vec<ForcedNode> {
        let debugger = self.core.debugger();
        debugger.map_or_else(Vec::new, |debugger| debugger.forced().to_vec())
    }

    /// A poll of an agent that is stopped.
    #[cold]
    pub(super) fn poll_while_stopped(&mut self) -> Begun {
        self.core.trace_writes(&self.trees.0.plan);
        match self.core.continues() {
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
            && let Some(asked) = debugger.asked.take()
        {
            self.core.request(NOWHERE, asked);
        }
        self.core.rest_debugger();
        self.summary()
    }
}

impl Core {
    /// Whether it is stopped, and continues in the next poll.
    pub(crate) fn continues(&self) -> bool {
        let debugger = self.debugger();
        debugger.is_some_and(|debugger| {
            let stopped = debugger.stopped.as_ref();
            debugger.continues && stopped.is_some_and(|stopped| !stopped.paused)
        })
    }

    /// Drops a debugger that wants nothing any more.
    fn rest_debugger(&mut self) {
        if self.debugger().is_some_and(Debugger::is_idle) {
            self.drop_debugger();
        }
    }

    /// Whether the host has paused it.
    pub(super) fn is_paused_by_host(&self) -> bool {
        let debugger = self.debugger();
        let stopped = debugger.and_then(|debugger| debugger.stopped.as_ref());
        stopped.map_or(self.paused, |stopped| stopped.paused)
    }

    /// Pauses, or resumes, an agent that is stopped, for when it continues; whether it is.
    pub(super) fn pause_stopped(&mut self, paused: bool) -> bool {
        let stopped = self
            .debugger_mut()
            .and_then(|debugger| debugger.stopped.as_mut());
        let Some(stopped) = stopped else { return false };
        stopped.paused = paused;
        true
    }

    /// A reload waits for the end of the poll in which the agent is stopped.
    pub(super) fn note_reload(&mut self) {
        let stopped = self
            .debugger_mut()
            .and_then(|debugger| debugger.stopped.as_mut());
        if let Some(stopped) = stopped {
            stopped.wait_for_end("reload");
        }
    }

    /// Keeps what the host asks for until the poll is over in which the agent is stopped; whether it is.
    pub(super) fn ask_stopped(&mut self, request: Request) -> bool {
        let Some(debugger) = self.debugger_mut() else {
            return false;
        };
        let Some(stopped) = &mut debugger.stopped else {
            return false;
        };
        let word = match request {
            Request::Stop => "stop",
            Request::Reset(_) => "reset",
            Request::Load(_) => "load",
        };
        stopped.wait_for_end(word);
        debugger.asked = Some(request);
        true
    }
}

impl Walker<'_> {
    /// What a node that is to be entered is forced to end as.
    pub(crate) fn forced(&mut self, node: u32) -> Option<bool> {
        let forced = self.core.debugger()?.forced_to(node)?;
        let success = match forced {
            Forced::Success => true,
            Forced::Failure => false,
            Forced::Disabled => match self.plan.parent(node) {
                crate::tree::plan::NONE => true,
                parent => self.plan.node(parent).kind.behaviour().without_child(),
            },
        };
        let at = self.core.here(node);
        self.unwatch_own(at);
        self.core.decided(node, false);
        let note = What::Note {
            note: "forced".into(),
            value: std::borrow::Cow::Owned(forced.to_string().into()),
        };
        self.trace(at, note);
        Some(success)
    }
}

fn find(plan: &crate::tree::plan::Plan, tree: &str, idx: u32) -> Result<u32, DebugError> {
    if plan.tree_named(tree).is_none() {
        let names = plan.trees.iter().map(|tree| &*tree.name);
        let near = crate::text::suggest(tree, names);
        return Err(DebugError::no_tree(tree, &near));
    }
    node_of(plan, tree, idx).ok_or_else(|| DebugError::no_node(tree, idx))
}
