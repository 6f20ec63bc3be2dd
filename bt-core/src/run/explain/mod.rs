//! The reasons why an agent stands still, as its runner knows them.

mod above;
mod refusals;
mod refused;

use std::time::Duration;

use serde_json::Value;

use super::core::{Cold, Core};
use super::node_ref::{At, NOWHERE};
use super::plain::{Delivery, Entry, Phase, Quiet, Wait};
use super::runner::Runner;
use crate::Agent;
use crate::clock::nanos;
use crate::explain::{CallArgument, Explanation, ForcedEnd, Said, TreeState, Waiting};
use crate::text::cut::Room;
use crate::trace::{Place, Runs, What};
use crate::tree::plan::{Arg, NONE, Plan};

/// The number of diagnostics that are shown.
const SAID: usize = 5;

/// The number of bytes that are shown of an argument.
const SHOWN: usize = 4 << 10;

impl<A: Agent> Runner<A> {
    /// Explains why the agent stands still, as of the last poll: what runs, what it waits for, and what would
    /// wake it. The search visits everything: it is for debuggers, logs and tests.
    pub fn explain(&self) -> Explanation {
        self.explain_at(Duration::ZERO)
    }

    /// The same as of a time on the host's clock, at the earliest the last poll's: it also says whether
    /// the agent wanted to be polled since.
    pub fn explain_at(&self, now: Duration) -> Explanation {
        let plan = &self.trees.0.plan;
        let mut active = Vec::new();
        self.core.active(plan, &mut active);
        let look = Look {
            plan,
            core: &self.core,
            runs: &self.core.runs(plan, &active),
        };
        look.explanation().at_time(nanos(now))
    }
}

impl Core {
    /// Reports what changed in why the agent waits, if the tracer wants it.
    #[cold]
    pub(crate) fn trace_explanation(&mut self, plan: &Plan) {
        let now = self.explanation_to_trace(plan);
        self.with_trace(plan, |trace, core| {
            let changes = now.map_or_else(Vec::new, |now| trace.explained().changes(now));
            if !changes.is_empty() {
                trace.send(
                    plan,
                    core.moment(),
                    core.board(),
                    NOWHERE,
                    What::Explains { changes },
                );
            }
        });
    }

    /// Explains why the agent waits, where its tracer records that. Nothing leaves its place meanwhile:
    /// results that a debugger forces stand beside the tracer.
    fn explanation_to_trace(&self, plan: &Plan) -> Option<Explanation> {
        let trace = self.trace_ref()?;
        let look = Look {
            plan,
            core: self,
            runs: trace.runs(),
        };
        trace.wants_explanations().then(|| look.explanation())
    }
}

/// An agent that is looked at.
struct Look<'a> {
    plan: &'a Plan,
    core: &'a Core,
    runs: &'a Runs,
}

impl Look<'_> {
    /// As of the last poll.
    fn explanation(&self) -> Explanation {
        let (plan, core) = (self.plan, self.core);
        let stands = core.stands(plan, self.runs);
        let cold = core.cold.as_deref();
        // What has come for a closed part of the tree is not delivered yet, either.
        let arrived = cold.into_iter();
        let arrived = arrived.flat_map(|cold| cold.inbox.held().iter().chain(cold.inbox.queue()));
        let queued = arrived.filter_map(|delivery| match delivery {
            Delivery::Event(event) => Some(event.name().to_owned()),
            Delivery::Completed(..) | Delivery::Finished(..) | Delivery::Timer(..) => None,
        });
        let diagnostics = cold.map_or(&[][..], |cold| cold.reports.diagnostics());
        let failures = cold.map_or(&[][..], |cold| cold.reports.failures());
        let failures = failures.iter().map(|failure| Said {
            at: failure.last().time,
            poll: failure.last().poll,
            place: failure.last().place.clone(),
            message: failure.last().message.clone(),
            times: failure.times(),
        });
        let mut said = Vec::new();
        for diagnostic in diagnostics.iter().filter(|one| !one.is_failure) {
            let reported = Said {
                at: diagnostic.time,
                poll: diagnostic.poll,
                place: diagnostic.place.clone(),
                message: diagnostic.message.clone(),
                times: 1,
            };
            reported.join(&mut said);
        }
        said.drain(..said.len().saturating_sub(SAID));
        let is_back = |cold: &&Cold| cold.went_back.is_some_and(|poll| poll.get() >= core.poll);
        let back = cold.filter(is_back);
        let ended = core.last.filter(|_| stands.state == TreeState::Due);
        let has_failed = self.has_failed();
        Explanation {
            agent: None,
            tree: stands.current.into_owned(),
            state: stands.state,
            at: core.now(),
            poll: core.poll,
            polled_at: core.now(),
            went_back: back.map(|cold| cold.went_back_to),
            clock_stands: core.stands_still(),
            trace_end: None,
            next_wake: core.next_wake().map(nanos),
            next_turn: core
                .its_pace()
                .filter(|_| core.quiet == Quiet::Paced && core.knows_clock())
                .and_then(|pace| pace.next())
                .map(|next| self.moved(next)),
            paused: stands.paused,
            resumed: core.paused_since().filter(|_| !core.paused),
            stopped: core.is_stopped() && !core.is_paused_by_host(),
            spent: self.is_spent(),
            queued: queued.collect(),
            suspended: stands.suspended,
            waiting: self.waiting(),
            refusals: self.refusals(),
            forced: self.forced(),
            diagnostics: said,
            ended,
            failed: match has_failed {
                true => self.failed(),
                false => Vec::new(),
            },
            failed_path: match has_failed {
                true => self.failed_path(),
                false => Vec::new(),
            },
            failures: failures.collect(),
            events: Vec::new(),
        }
    }

    /// The nodes whose result a debugger forces.
    fn forced(&self) -> Vec<ForcedEnd> {
        let all = self.core.forced_nodes().into_iter();
        let named = all.map(|(node, result)| ForcedEnd {
            node: self.place(At { frame: NONE, node }),
            result,
        });
        named.collect()
    }

    /// Returns true if the tree has ended with failure, and not begun again.
    fn has_failed(&self) -> bool {
        match self.core.phase {
            Phase::Due => self.core.last == Some(false),
            phase => phase.result() == Some(false),
        }
    }

    /// The node by which the tree failed, where it is known.
    fn decided(&self) -> Option<At> {
        let node = self.core.decided;
        let is_known = node != NONE && self.core.began != NONE;
        is_known.then_some(At { frame: NONE, node })
    }

    /// The nodes above the one by which the tree failed, the outermost first.
    fn failed_path(&self) -> Vec<Place<'static>> {
        let Some(At { node, frame }) = self.decided() else {
            return Vec::new();
        };
        let above = |node: &u32| Some(self.plan.parent(*node)).filter(|node| *node != NONE);
        let path = std::iter::successors(above(&node), above);
        let mut path: Vec<_> = path.map(|node| self.place(At { frame, node })).collect();
        path.reverse();
        path
    }

    /// The leaves whose last result is a failure where results are kept; otherwise the node by which the
    /// tree failed.
    fn failed(&self) -> Vec<Place<'static>> {
        let is_kept = self.core.cold.iter().any(|cold| cold.results.are_kept());
        if !is_kept {
            let decided = self.decided().filter(|_| !self.core.was_refused());
            return decided.map(|at| self.place(at)).into_iter().collect();
        }
        let results = self.core.cold.iter().flat_map(|cold| cold.results.iter());
        let is_leaf = |node: u32| {
            let found = self.plan.node(node);
            found.end == node + 1 && found.kind.behaviour().call().is_some()
        };
        let failed = results.filter(|(node, success)| !success && is_leaf(*node));
        let mut nodes: Vec<u32> = failed.map(|(node, _)| node).collect();
        nodes.sort_unstable();
        let frame = NONE;
        let places = nodes.iter().map(|node| At { frame, node: *node });
        places.map(|at| self.place(at)).collect()
    }

    /// Returns true if something is entered in the next poll only.
    fn is_spent(&self) -> bool {
        let levels = self.core.suspended().iter();
        let entries = levels.flat_map(|level| &level.entries);
        let mut entries = entries.chain(&self.core.entries);
        self.core.is_spent() && entries.any(|entry| entry.wait == Wait::Due)
    }

    /// The waiting nodes, those of suspended trees first.
    fn waiting(&self) -> Vec<Waiting> {
        let mut all = Vec::new();
        let levels = self.core.suspended().iter();
        for (number, level) in levels.enumerate() {
            let leaves = self.core.leaves(self.plan, &level.entries);
            let number = Some(number as u32);
            all.extend(leaves.map(|entry| self.leaf(entry, number, &level.held)));
        }
        let current = self.core.leaves(self.plan, &self.core.entries);
        all.extend(current.map(|entry| self.leaf(entry, None, &[])));
        all
    }

    fn leaf(&self, entry: &Entry, suspended: Option<u32>, held: &[Delivery]) -> Waiting {
        let mut wait = self.core.wait_of(self.plan, entry, held).into_owned();
        wait.until = wait.until.map(|until| self.moved(until));
        let mut path: Vec<_> = std::iter::successors(self.core.above(self.plan, entry.at), |at| {
            self.core.above(self.plan, *at)
        })
        .map(|at| self.place(at))
        .collect();
        path.reverse();
        let call = self.plan.node(entry.at.node).kind.behaviour().call();
        let arguments = call.map_or_else(Vec::new, |call| self.arguments(entry.at, call));
        let above = match wait.cancelling {
            true => Vec::new(),
            false => self.above(entry.at, suspended.is_none()),
        };
        let unknown = wait.events().filter_map(|name| {
            let near = self.plan.not_registered(name)?;
            Some(format!("`{}`{near}", crate::text::name(name)))
        });
        let unknown_events = unknown.collect();
        Waiting {
            unknown_events,
            node: self.place(entry.at),
            path,
            arguments,
            wait,
            suspended,
            above,
        }
    }

    fn place(&self, at: At) -> Place<'static> {
        Place::copied(self.plan, self.runs.run(self.plan, at), at.node)
    }

    /// A time that is waited for. After a pause it is later, from the next poll on.
    fn moved(&self, until: u64) -> u64 {
        match self.core.paused_since() {
            Some(since) if !self.core.paused => {
                until.saturating_add(self.core.now().saturating_sub(since))
            }
            _ => until,
        }
    }

    /// The arguments of a call with what they are now, as a node sees them.
    fn arguments(&self, at: At, call: u32) -> Vec<CallArgument> {
        let board = self.core.session.board();
        let frame = self.core.frame(at.frame).board.unwrap_or_default();
        let (frame, scope) = board.enter(frame, self.plan.info(at.node).scope);
        let args = self.plan.calls[call as usize].args.iter();
        let arguments = args.map(|arg| match arg {
            Arg::Literal(value) => CallArgument::literal(shown(value)),
            Arg::Key(key, id) => CallArgument::key(key, board.lent(*id).as_deref().map(shown)),
            Arg::Property(name, _) => CallArgument::property(name),
            Arg::Expression(computed) => {
                let value = board.lent(computed.slot).as_deref().map(shown);
                CallArgument::expression(&computed.text, value)
            }
        });
        let arguments = arguments.collect();
        board.enter(frame, scope);
        arguments
    }
}

/// As much of a value as people read of it.
fn shown(value: &Value) -> Value {
    Room::new(SHOWN, SHOWN).show("", value).into_owned()
}
