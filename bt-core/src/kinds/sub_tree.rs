//! `sub_tree`: another tree.

use rustc_hash::FxHashSet;
use serde_json::Value;
use thin_vec::ThinVec;

use super::call::Handed;
use super::read::{choices, fields};
use super::values::{Name, Parameters};
use super::{
    About, Behaviour, Call, Given, KeyProblem, Leaf, NodeContext, NodeKind, Nothing, Outcome, Path,
    PlanContext, Planned, Problems, Runs, Step, Use,
};
use crate::blackboard::KeyId;
use crate::text;

choices! {
    /// The way in which another tree runs.
    pub enum SubTreeMode {
        /// Its result is the node's.
        Call = "call",
        /// It takes the place of the tree.
        Transfer = "transfer",
    }
}

choices! {
    /// The ends of another tree after which its results are written.
    pub enum ResultsOn {
        /// Both.
        All = "all",
        /// Success.
        Success = "success",
    }
}

fields! {
    /// Another tree.
    pub struct SubTree<'t> {
        /// the tree to run
        sub_tree_name: Option<Name<'t>> = None,
        /// the blackboard key that holds the tree's name
        name_key: Option<Name<'t>> = None,
        /// return afterwards, or transfer to it
        mode: SubTreeMode = SubTreeMode::Call => "{}",
        /// what is written to the tree's declared keys
        args: Handed<'t> = Handed::default(),
        /// which keys take what the tree's own keys hold when it has ended
        results: Parameters<'t> = Parameters::default() => "gives {}",
        /// the ends after which results are written
        results_on: ResultsOn = ResultsOn::All => "on {}",
    }
}

impl<'t> SubTree<'t> {
    /// The tree, if the file names it, and no key does.
    pub fn named(&self) -> Option<&'t str> {
        match (self.name_key, self.sub_tree_name) {
            (None, Some(Name(name))) => Some(name),
            _ => None,
        }
    }

    /// Returns true if the tree that calls it continues afterwards.
    pub fn comes_back(&self) -> bool {
        self.mode == SubTreeMode::Call
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
    )
    .behaviac("ReferencedBehavior")
    .waits_for_aborts();
    const ONE_OF: &'static [&'static str] = &["sub_tree_name", "name_key"];

    fn outcome(&self, _: &[Outcome], _: &dyn Fn(&Call<'t>) -> Outcome) -> Outcome {
        Outcome::ANY
    }

    fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>)) {
        report(path, Use::Tree(self));
    }

    fn check(&self, _: usize, path: &Path<'_>, problems: &mut Problems<'_>) {
        let results = &self.results.0;
        if !self.comes_back() && !results.is_empty() {
            let expected = &"`call` where there are `results`, which a transfer never gives";
            let found = &format_args!("`{}`", self.mode);
            problems(
                &path.key("mode"),
                KeyProblem::OutOfRange { expected, found },
            );
        }
        let mut seen = FxHashSet::default();
        let twice = |(_, Name(own)): &&(&str, Name<'t>)| !own.is_empty() && !seen.insert(*own);
        for (key, Name(own)) in results.iter().filter(twice) {
            let expected = &"a key that takes no other result";
            let found = &format_args!("`{}`", text::name(own));
            let path = path.key("results");
            problems(&path.key(key), KeyProblem::OutOfRange { expected, found });
        }
    }

    fn plan(self, cx: &mut dyn PlanContext) -> Planned {
        let Name(name) = self.sub_tree_name.unwrap_or_default();
        cx.name(name);
        let target = match self.name_key {
            Some(Name(key)) => Target::Key(key.into(), cx.key(key)),
            None => Target::Tree(cx.tree(name, format_args!("/sub_tree_name"))),
        };
        let args = self.args.0.into_iter().filter_map(|(key, argument)| {
            let place = format_args!("/args/{key}/arg_value");
            Some((key.into(), cx.given(argument?.source(), place)))
        });
        let args = args.collect();
        let results = self.results.0.into_iter();
        let node = SubTreeNode {
            target,
            transfer: self.mode == SubTreeMode::Transfer,
            args,
            results: results
                .map(|(key, Name(own))| (key.into(), cx.key(own)))
                .collect(),
            results_on: self.results_on,
        };
        node.into()
    }
}

#[derive(Debug)]
pub(crate) struct SubTreeNode {
    target: Target,
    /// It takes over, and does not come back.
    transfer: bool,
    /// The values of the tree's keys, by the keys' names.
    args: Box<[(Box<str>, Given)]>,
    /// The keys that take those of the tree, by the names of these.
    results: Box<[(Box<str>, KeyId)]>,
    results_on: ResultsOn,
}

/// The tree that is run.
#[derive(Debug)]
enum Target {
    Tree(u32),
    /// The key that holds its name.
    Key(Box<str>, KeyId),
}

impl Behaviour for SubTreeNode {
    type State = Nothing;
    type Retained = Nothing;

    fn tree_args(&self) -> &[(Box<str>, Given)] {
        &self.args
    }

    fn tree_results(&self, success: bool) -> &[(Box<str>, KeyId)] {
        match self.results_on == ResultsOn::All || success {
            true => &self.results,
            false => &[],
        }
    }

    fn may_call(&self, tree: u32) -> bool {
        let is_target = match &self.target {
            Target::Tree(target) => *target == tree,
            Target::Key(..) => true,
        };
        !self.transfer && is_target
    }
}

impl<C: NodeContext> Runs<C> for SubTreeNode {
    fn enter(&self, cx: &mut C, node: u32) -> Step {
        let Some(tree) = self.find(cx, node) else {
            return Step::Done(false);
        };
        let Some(values) = self.values(cx, node) else {
            return Step::Done(false);
        };
        match self.transfer {
            true => cx.transfer(node, tree, values),
            false => cx.call_tree(node, tree, &self.args, values),
        }
    }
}

impl SubTreeNode {
    fn find(&self, cx: &mut impl NodeContext, node: u32) -> Option<u32> {
        let (key, id) = match &self.target {
            Target::Tree(tree) => return Some(*tree),
            Target::Key(key, id) => (key, id),
        };
        let value = cx.value(node, *id);
        let text = match &value {
            Some(Value::String(name)) => match cx.tree_named(name) {
                Ok(tree) => return Some(tree),
                Err(near) => {
                    format!("key `{key}` names the tree `{name}`, which does not exist{near}")
                }
            },
            Some(other) => format!("key `{key}` holds {other}, expected a tree's name"),
            None => format!("key `{key}`, which names the tree, is not set"),
        };
        cx.report(node, text);
        None
    }

    /// The values of its arguments, as the caller sees them.
    fn values(&self, cx: &mut impl NodeContext, node: u32) -> Option<ThinVec<Value>> {
        let mut values = ThinVec::with_capacity(self.args.len());
        for (name, given) in &self.args {
            match cx.given(node, given) {
                Ok(value) => values.push(value),
                Err(why) => {
                    cx.report(node, format!("argument `{name}`: {why}"));
                    return None;
                }
            }
        }
        Some(values)
    }
}
