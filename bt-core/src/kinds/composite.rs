//! `composite`: a method of the agent says which child runs.

use super::asked::AskedNode;
use super::read::fields;
use super::{
    About, Call, Caller, Certain, Children, NodeKind, Outcome, Path, PlanContext, Planned, Use,
};

fields! {
    /// A method of the agent says which child runs.
    pub struct Composite<'t> {
        /// the composite to call
        composite: Call<'t>,
    }
}

impl<'t> NodeKind<'t> for Composite<'t> {
    const ABOUT: About = About::composite(
        "composite",
        "◈",
        "lets a method of the agent decide which of its children runs",
    )
    .children(Children::SOME)
    .certain(Certain::None)
    .fails_empty();

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::ANY
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        report(path, Use::Call(Caller::Composite, &self.composite));
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        let (call, running) = cx.asked(&self.composite, Caller::Composite);
        let has_one = false;
        AskedNode {
            call,
            running,
            has_one,
        }
        .into()
    }
}
