//! `sub_tree`: another tree.

use super::call::Handed;
use super::read::{choices, fields};
use super::values::Name;
use super::{About, Call, Leaf, NodeKind, Outcome, Path, Use};

choices! {
    /// How another tree runs.
    pub enum SubTreeMode {
        /// Its result is the node's.
        Call = "call",
        /// It takes the place of the tree.
        Transfer = "transfer",
    }
}

fields! {
    /// Another tree.
    pub struct SubTree<'t> {
        /// the tree to run
        sub_tree_name: Option<Name<'t>> = None,
        /// the blackboard key that holds the tree's name
        name_key: Option<Name<'t>> = None,
        /// come back afterwards, or go over to it
        mode: SubTreeMode = SubTreeMode::Call,
        /// what is written to the tree's declared keys
        args: Handed<'t> = Handed::default(),
    }
}

impl<'t> NodeKind<'t> for SubTree<'t> {
    const ABOUT: About = About::leaf(
        "sub_tree",
        "⊞",
        "runs another tree and takes its result",
        Leaf::Tree,
    )
    .original(0, 0)
    .elsewhere(
        &[
            "tree",
            "runtree",
            "behaviortree",
            "behaviourtree",
            "referencebehavior",
            "reference",
            "include",
        ],
        " with a `sub_tree_name`",
    );
    const ONE_OF: &'static [&'static str] = &["sub_tree_name", "name_key"];

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::ANY
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        report(
            path,
            Use::Tree(self.sub_tree_name.unwrap_or_default(), &self.args),
        );
    }
}
