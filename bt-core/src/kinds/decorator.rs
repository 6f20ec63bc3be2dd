//! `decorator`: a method of the agent says whether and how to run the child.

use super::iterations::Iterations;
use super::read::fields;
use super::{
    About, Behaviour, Call, Caller, NodeContext, NodeKind, Nothing, Outcome, Path, PlanContext,
    Planned, Runs, Step, Use, Wait, iterations,
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

impl Behaviour for DecoratorNode {
    type State = Iterations;
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
        match cx.ask_decorator(node, self.call, None) {
            None => iterations::first::<Self>(cx, node),
            Some(success) => Step::Done(success),
        }
    }

    fn child_done(&self, cx: &mut C, node: u32, _: u32, success: bool) -> Step {
        match cx.ask_decorator(node, self.call, Some(success)) {
            None => iterations::next::<Self>(cx, node, false),
            Some(success) => iterations::last(cx, node, success),
        }
    }

    fn turn(&self, cx: &mut C, node: u32) -> Step {
        iterations::begin::<Self>(cx, node)
    }

    fn adopt(&self, cx: &mut C, node: u32, _: u32) {
        iterations::adopt::<Self>(cx, node);
    }
}
