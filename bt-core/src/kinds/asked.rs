//! The nodes whose method the agent has: it is asked what runs next, on entry and at each end of a child.

use serde::{Deserialize, Serialize};
use thin_vec::ThinVec;

use super::held::{Answer, Held, SavedHeld};
use super::{
    Behaviour, Caller, Ends, Found, Long, NodeContext, Nothing, Remember, Runs, Spare, Step,
    Translate, Wait, choice,
};
use crate::call::{Asked, Exit};
use crate::decode::is_default;

/// A `decorator` or a `composite`.
#[derive(Debug)]
pub(crate) struct AskedNode {
    pub(super) call: u32,
    /// It is asked in every turn, too.
    pub(super) running: bool,
    /// It has one child, which its answers do not name.
    pub(super) has_one: bool,
}

/// The last call of the method, and what has run.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "SavedConsulted", into = "SavedConsulted")]
pub(crate) struct Consulted {
    phase: Phase,
    /// The time of the last call, without pauses, in nanoseconds; [`NEVER`] if there was none.
    asked: Long,
    /// The children that have run in this run of the node, if it may have several; the one that runs next is the last.
    ran: ThinVec<u32>,
    pub(crate) held: Held,
}

/// The time of a call that was not made.
const NEVER: u64 = u64::MAX;

/// The part of a run that the node is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Phase {
    /// A child runs, which began in the poll of that number.
    Runs(u32),
    /// A child runs in the next poll, the last of those that have run: it has that number.
    Next(u32),
    /// A reload took the child that ran, or was to: it had that number.
    Lost(u32),
}

impl Remember for Consulted {
    const FORM: &'static str = "count";

    fn translate(&mut self, to: &mut dyn Translate) -> Result<(), String> {
        if self.asked() != NEVER {
            to.past(&mut self.asked);
        }
        self.ran.iter_mut().try_for_each(|child| to.child(child))
    }

    fn carry(&mut self, to: &dyn Fn(u32) -> Option<u32>) -> bool {
        if let Phase::Next(place) = self.phase
            && self.ran.last().is_some_and(|next| to(*next).is_none())
        {
            self.phase = Phase::Lost(place);
        }
        let ran = std::mem::take(&mut self.ran);
        self.ran = ran.into_iter().filter_map(to).collect();
        true
    }

    fn recycle(mut self, spare: &mut Spare) {
        self.ran.clear();
        spare.push(self.ran);
    }
}

/// Agents that were saved earlier have a count that is always 0, the poll, and perhaps how long ago it was asked.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum SavedConsulted {
    Now(SavedNow),
    Asked(u32, u32, Option<Long>),
    Earlier(u32, u32),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedNow {
    #[serde(flatten)]
    phase: Phase,
    #[serde(default, skip_serializing_if = "is_default")]
    asked: Option<Long>,
    #[serde(default, skip_serializing_if = "is_default")]
    ran: ThinVec<u32>,
    #[serde(default, skip_serializing_if = "is_default")]
    held: SavedHeld,
}

impl From<SavedConsulted> for Consulted {
    fn from(saved: SavedConsulted) -> Consulted {
        let (began, asked) = match saved {
            SavedConsulted::Now(saved) => {
                return Consulted {
                    phase: saved.phase,
                    asked: saved.asked.unwrap_or(NEVER.into()),
                    ran: saved.ran,
                    held: saved.held.into(),
                };
            }
            SavedConsulted::Asked(_, began, asked) => (began, asked),
            SavedConsulted::Earlier(_, began) => (began, None),
        };
        Consulted {
            asked: asked.unwrap_or(NEVER.into()),
            ..Consulted::new(began, ThinVec::new())
        }
    }
}

impl From<Consulted> for SavedConsulted {
    fn from(consulted: Consulted) -> SavedConsulted {
        let was_asked = consulted.asked() != NEVER;
        let Consulted {
            phase,
            asked,
            ran,
            held,
        } = consulted;
        let (held, asked) = (held.into(), was_asked.then_some(asked));
        match phase {
            Phase::Runs(began) if ran.is_empty() && is_default(&held) => {
                SavedConsulted::Asked(0, began, asked)
            }
            phase => SavedConsulted::Now(SavedNow {
                phase,
                asked,
                ran,
                held,
            }),
        }
    }
}

impl Consulted {
    fn new(began: u32, ran: ThinVec<u32>) -> Consulted {
        Consulted {
            phase: Phase::Runs(began),
            asked: NEVER.into(),
            ran,
            held: Held::default(),
        }
    }
}

impl Behaviour for AskedNode {
    type State = Consulted;
    type Retained = Nothing;

    fn call(&self) -> Option<u32> {
        Some(self.call)
    }

    fn chooses_anew(&self) -> bool {
        self.running
    }

    fn ends_below(&self, _: Option<&Consulted>) -> Option<Ends> {
        self.running.then_some(Ends::Choice)
    }

    fn may_wait(&self, wait: Wait) -> bool {
        matches!(wait, Wait::Again) || self.running && wait == Wait::Turn
    }

    fn may_resume(&self) -> bool {
        true
    }

    fn check(&self, state: &Consulted, _: &Found<'_>) -> Result<(), &'static str> {
        match state.phase {
            Phase::Next(_) if state.ran.is_empty() && !self.has_one => {
                Err("it does not say which of its children runs next")
            }
            Phase::Next(_) | Phase::Runs(_) | Phase::Lost(_) => Ok(()),
        }
    }
}

impl<C: NodeContext> Runs<C> for AskedNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        if cx.first_child(node).is_none() {
            return Step::Done(false);
        }
        self.begin(cx, node);
        self.consult(cx, node, Asked::Entry, None)
    }

    fn child_done(&self, cx: &mut C, node: u32, child: u32, success: bool) -> Step {
        cx.drop_resume(node);
        let child = place(cx, node, child);
        self.consult(cx, node, Asked::Ended { child, success }, None)
    }

    fn turn(&self, cx: &mut C, node: u32) -> Step {
        let phase = cx.state::<Self>(node).map(|state| state.phase);
        match phase {
            Some(Phase::Next(_)) => {
                let state = cx.state::<Self>(node);
                let next = state.and_then(|state| state.ran.last().copied());
                let next = next.unwrap_or_else(|| cx.child(node));
                self.runs(cx, node, next);
                Step::Enter(next)
            }
            Some(Phase::Lost(place)) => {
                let poll = cx.poll();
                if let Some(state) = cx.state_mut::<Self>(node) {
                    // It began in some earlier poll.
                    state.phase = Phase::Runs(poll.wrapping_sub(1));
                }
                let (child, success) = (place as usize, false);
                self.consult(cx, node, Asked::Ended { child, success }, None)
            }
            Some(Phase::Runs(_)) | None => {
                let Some(running) = choice::running(cx, node, self.running) else {
                    return Step::Blocked;
                };
                self.consult(cx, node, Asked::Running, Some(running))
            }
        }
    }

    fn adopt(&self, cx: &mut C, node: u32, child: u32) {
        self.begin(cx, node);
        self.runs(cx, node, child);
    }

    fn lost(&self, cx: &mut C, node: u32, standing: Option<u32>) -> bool {
        if self.has_one {
            return false;
        }
        let place = match standing {
            Some(child) => place(cx, node, child),
            None => cx.children(node).count(),
        };
        if let Some(state) = cx.state_mut::<Self>(node) {
            state.phase = Phase::Lost(place as u32);
        }
        cx.stop_waiting(node);
        cx.wait(node, Wait::Again);
        cx.turn_now(node);
        true
    }

    fn check_again(&self, cx: &mut C, node: u32) -> Step {
        match choice::begins_turns(cx, node, self.running) {
            true => self.turn(cx, node),
            false => Step::Blocked,
        }
    }

    fn aborted(&self, cx: &mut C, node: u32, _: Option<u32>) {
        self.exited(cx, node, Exit::Aborted);
    }

    fn exited(&self, cx: &mut C, node: u32, exit: Exit) {
        let now = cx.awake();
        let Some(state) = cx.state_mut::<Self>(node) else {
            return;
        };
        let (delta, mut held) = (state.delta(now), std::mem::take(&mut state.held));
        cx.clear_state(node);
        cx.exit_asked(node, self.call, exit, delta, &mut held);
    }
}

impl Consulted {
    fn asked(&self) -> u64 {
        self.asked.into()
    }

    /// The time since the last call.
    fn delta(&self, now: u64) -> u64 {
        match self.asked() {
            NEVER => 0,
            asked => now.wrapping_sub(asked),
        }
    }
}

/// The number of a child among those that are there.
fn place(cx: &impl NodeContext, node: u32, child: u32) -> usize {
    cx.children(node).take_while(|other| *other < child).count()
}

impl AskedNode {
    fn begin(&self, cx: &mut impl NodeContext, node: u32) {
        let (began, ran) = (cx.poll(), cx.spare_list());
        cx.set_state::<Self>(node, Consulted::new(began, ran));
    }

    fn ask(&self, cx: &mut impl NodeContext, node: u32, asked: Asked) -> Answer {
        let now = cx.awake();
        let Some(state) = cx.state_mut::<Self>(node) else {
            return Answer::Refused;
        };
        let (delta, mut held) = (state.delta(now), std::mem::take(&mut state.held));
        state.asked = now.into();
        let caller = match self.has_one {
            true => Caller::Decorator,
            false => Caller::Composite,
        };
        let answer = cx.ask_next(node, self.call, (caller, asked), delta, &mut held);
        if let Some(state) = cx.state_mut::<Self>(node) {
            state.held = held;
        }
        answer
    }

    /// A child begins to run.
    fn runs(&self, cx: &mut impl NodeContext, node: u32, child: u32) {
        let poll = cx.poll();
        if let Some(state) = cx.state_mut::<Self>(node) {
            state.phase = Phase::Runs(poll);
            if !self.has_one && !state.ran.contains(&child) {
                state.ran.push(child);
            }
        }
        choice::begins_turns(cx, node, self.running);
    }

    /// Asks the method, and does what it answers.
    fn consult(
        &self,
        cx: &mut impl NodeContext,
        node: u32,
        asked: Asked,
        running: Option<u32>,
    ) -> Step {
        let place = match self.ask(cx, node, asked) {
            Answer::Run(place) => place,
            Answer::Done(success) => return end(cx, node, success, running),
            Answer::Refused => {
                if asked == Asked::Entry {
                    // It never began.
                    cx.clear_state(node);
                }
                return end(cx, node, false, running);
            }
        };
        let Some(child) = cx.children(node).nth(place) else {
            let count = cx.children(node).count();
            let text = match count {
                1 => format!("it runs child {place}, and has one child, child 0"),
                count => format!("it runs child {place}, and has {count} children, from 0 on"),
            };
            cx.report(node, text);
            return end(cx, node, false, running);
        };
        if let Some(running) = running {
            if running == child {
                return Step::Blocked;
            }
            self.runs(cx, node, child);
            return cx.abort_and_enter(node, running, child);
        }
        let poll = cx.poll();
        let waits = cx.state_mut::<Self>(node).is_some_and(|state| {
            // As loops without a limit.
            let has_run = match self.has_one {
                true => asked != Asked::Entry,
                false => state.ran.contains(&child),
            };
            let waits = has_run && state.phase == Phase::Runs(poll);
            if waits {
                state.phase = Phase::Next(place as u32);
                state.ran.retain(|other| *other != child);
                if !self.has_one {
                    state.ran.push(child);
                }
            }
            waits
        });
        if waits {
            cx.stop_waiting(node);
            cx.wait(node, Wait::Again);
            return Step::Blocked;
        }
        self.runs(cx, node, child);
        Step::Enter(child)
    }
}

/// Ends the node; a child that runs is aborted first.
fn end(cx: &mut impl NodeContext, node: u32, success: bool, running: Option<u32>) -> Step {
    cx.stop_waiting(node);
    match running {
        Some(_) => cx.abort_below(node, success),
        None => Step::Done(success),
    }
}
