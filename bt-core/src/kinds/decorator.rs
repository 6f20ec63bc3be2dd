//! `decorator`: a method of the agent says whether and how to run the child.

use serde::{Deserialize, Serialize};

use super::read::fields;
use super::{
    About, Behaviour, Call, Caller, Long, NodeContext, NodeKind, Nothing, Outcome, Path,
    PlanContext, Planned, Remember, Runs, Step, Translate, Use, Wait,
};

fields! {
    /// A method of the agent says whether and how to run the child.
    pub struct Decorator<'t> {
        /// the decorator to call
        decorator: Call<'t>,
    }
}

impl<'t> NodeKind<'t> for Decorator<'t> {
    const ABOUT: About = About::decorator(
        "decorator",
        "◇",
        "lets a method of the agent decide whether and how to run its child",
    );

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::ANY
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        report(path, Use::Call(Caller::Decorator, &self.decorator));
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        let call = cx.call(&self.decorator, Caller::Decorator);
        DecoratorNode { call }.into()
    }
}

/// It is called on entry, and at each end of its child.
#[derive(Debug)]
pub(crate) struct DecoratorNode {
    call: u32,
}

/// The last call of a decorator, and the last run of its child.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(from = "SavedConsulted", into = "SavedConsulted")]
pub(crate) struct Consulted {
    /// The number of the poll in which the last run of the child began.
    began: u32,
    /// The time of the last call, without pauses, in nanoseconds; none if there was none.
    asked: Option<Long>,
}

impl Remember for Consulted {
    const FORM: &'static str = "count";

    fn translate(&mut self, to: &mut dyn Translate) -> Result<(), String> {
        self.asked.iter_mut().for_each(|asked| to.past(asked));
        Ok(())
    }
}

/// A count that is always 0, the poll, and how long ago it was asked, which agents that were saved earlier do not have.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum SavedConsulted {
    Asked(u32, u32, Option<Long>),
    Earlier(u32, u32),
}

impl From<SavedConsulted> for Consulted {
    fn from(saved: SavedConsulted) -> Consulted {
        let (began, asked) = match saved {
            SavedConsulted::Asked(_, began, asked) => (began, asked),
            SavedConsulted::Earlier(_, began) => (began, None),
        };
        Consulted { began, asked }
    }
}

impl From<Consulted> for SavedConsulted {
    fn from(consulted: Consulted) -> SavedConsulted {
        SavedConsulted::Asked(0, consulted.began, consulted.asked)
    }
}

impl Behaviour for DecoratorNode {
    type State = Consulted;
    type Retained = Nothing;

    fn call(&self) -> Option<u32> {
        Some(self.call)
    }

    fn may_wait(&self, wait: Wait) -> bool {
        wait == Wait::Again
    }
}

impl<C: NodeContext> Runs<C> for DecoratorNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        if let Some(success) = cx.ask_decorator(node, self.call, None, 0) {
            return Step::Done(success);
        }
        let (began, asked) = (cx.poll(), Some(cx.awake().into()));
        cx.set_state::<Self>(node, Consulted { began, asked });
        Step::Enter(cx.child(node))
    }

    fn child_done(&self, cx: &mut C, node: u32, _: u32, success: bool) -> Step {
        let (poll, now) = (cx.poll(), cx.awake());
        let last = cx.state::<Self>(node).copied();
        let asked = last.and_then(|last| last.asked);
        let delta = asked.map_or(0, |asked| now.wrapping_sub(asked.into()));
        if let Some(success) = cx.ask_decorator(node, self.call, Some(success), delta) {
            cx.clear_state(node);
            return Step::Done(success);
        }
        if let Some(consulted) = cx.state_mut::<Self>(node) {
            consulted.asked = Some(now.into());
        }
        // As loops without a limit.
        if last.is_none_or(|last| last.began == poll) {
            cx.wait(node, Wait::Again);
            return Step::Blocked;
        }
        self.turn(cx, node)
    }

    fn turn(&self, cx: &mut C, node: u32) -> Step {
        let poll = cx.poll();
        if let Some(consulted) = cx.state_mut::<Self>(node) {
            consulted.began = poll;
        }
        Step::Enter(cx.child(node))
    }

    fn adopt(&self, cx: &mut C, node: u32, _: u32) {
        let began = cx.poll();
        cx.set_state::<Self>(node, Consulted { began, asked: None });
    }
}
