//! `root`: the top of a tree.

use super::attached::Declarations;
use super::outcome;
use super::read::{choices, fields};
use super::values::Name;
use super::{About, Call, NodeKind, Outcome};

choices! {
    /// What happens when a tree has ended.
    pub enum RootMode {
        /// It begins again.
        Loop = "loop",
        /// Nothing.
        Once = "once",
    }
}

fields! {
    /// The top of a tree.
    pub struct Root<'t> {
        /// the agent that this tree is for
        agent_name: Name<'t>,
        /// what happens when the tree has ended
        mode: RootMode = RootMode::Loop,
        /// the keys that the tree declares
        blackboard: Declarations<'t> = Declarations::default(),
    }
}

impl<'t> NodeKind<'t> for Root<'t> {
    const ABOUT: About = About::root(
        "root",
        "◉",
        "where a tree begins: names its agent and holds one child",
    )
    .original(0, 1);

    fn outcome(&self, children: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        outcome::child(children)
    }
}
