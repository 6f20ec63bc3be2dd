//! `decorator`: a method of the agent says whether and how to run the child.

use super::read::fields;
use super::{About, Call, Caller, NodeKind, Outcome, Path, Use};

fields! {
    /// A method of the agent says whether and how to run the child.
    pub struct Decorator<'t> {
        /// the decorator to ask
        decorator: Call<'t>,
    }
}

impl<'t> NodeKind<'t> for Decorator<'t> {
    const ABOUT: About = About::decorator(
        "decorator",
        "◇",
        "asks a method of the agent whether and how to run its child",
    );

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::ANY
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        report(path, Use::Call(Caller::Decorator, &self.decorator));
    }
}
