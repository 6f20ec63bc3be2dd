//! `decorator`: a method of the agent says whether and how to run the child.

use super::asked::AskedNode;
use super::read::fields;
use super::{About, Call, Caller, NodeKind, Outcome, Path, PlanContext, Planned, Use};

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
        let (call, running) = cx.asked(&self.decorator, Caller::Decorator);
        let has_one = true;
        AskedNode {
            call,
            running,
            has_one,
        }
        .into()
    }
}
