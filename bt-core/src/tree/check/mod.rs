//! The one validator of trees: for the runtime, which builds what it has passed, for command lines
//! and for editors.
//!
//! It needs no agent's type: it asks [`Knows`]. A [`Registry`](crate::Registry), even one of a
//! catalogue from a file, looks at arguments by their JSON Schemas; [`Typed`] binds them.

mod arguments;
mod board;
mod calls;
mod expressions;
mod index;
mod keys;
mod knows;
mod passed;
mod report;
mod schema;
mod set;
mod trees;
mod walk;
mod words;

use std::fmt;

use super::asset::{AssetError, MAX_DEPTH, MAX_NODES, Problem, TreeAsset};
use crate::describe::catalogue::MethodEntry;
#[doc(hidden)]
pub use arguments::sources;
pub(crate) use board::declared_as;
#[doc(hidden)]
pub use board::{Declared, Owner, declared};
#[doc(hidden)]
pub use knows::Taken;
pub use knows::{Arguments, Knows, RunBy, Typed};
use report::Report;
#[doc(hidden)]
#[cfg(feature = "dynamic")]
pub(crate) use schema::decodes;
pub use schema::{loses_forms, loses_taker, takes};

/// The problems of trees that may call each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use]
pub struct Checked {
    /// The problems that prevent a build, in the order of the trees and of their nodes from the root
    /// downwards; the first 1,000.
    pub problems: Vec<Problem>,
    /// The warnings, which do not prevent a build, in the same order; the first 1,000.
    pub warnings: Vec<Problem>,
    /// The number of further problems.
    pub unlisted: usize,
    /// The number of further warnings.
    pub unlisted_warnings: usize,
}

impl Checked {
    /// The warnings, if nothing is wrong.
    ///
    /// # Errors
    /// The problems, if there are any.
    pub fn into_result(self) -> Result<Vec<Problem>, AssetError> {
        match AssetError::of(self.problems, self.unlisted) {
            None => Ok(self.warnings),
            Some(error) => Err(error),
        }
    }
}

/// The strictness of a check.
///
/// ```
/// use bt_core::builtin::ActionAgent;
/// use bt_core::tree::asset::spec::sequence;
/// use bt_core::tree::check::{Limits, Rules};
/// use bt_core::{TreeAsset, TreeSet};
///
/// let mut trees = TreeSet::<ActionAgent>::new();
/// trees.rules(Rules::in_code().limits(Limits { nodes: 100, depth: 10 }));
/// trees.add(TreeAsset::build("empty", "action_agent", sequence([])));
/// assert!(trees.build().is_ok()); // refused without `in_code`
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use]
pub struct Rules {
    /// The limits on the size of trees.
    pub limits: Limits,
    empty: bool,
}

impl Rules {
    /// For trees that are made in code: a composite that takes any number of children may have
    /// none. Sequences succeed then, selects fail.
    pub fn in_code() -> Rules {
        Rules {
            empty: true,
            ..Rules::default()
        }
    }

    /// With other limits.
    pub fn limits(mut self, limits: Limits) -> Rules {
        self.limits = limits;
        self
    }
}

/// The limits on the size of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The number of its nodes at most.
    pub nodes: usize,
    /// The number of nodes at most from the root down to a leaf, both counted.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            nodes: MAX_NODES,
            depth: MAX_DEPTH,
        }
    }
}

/// Looks for everything that is wrong with trees that may call each other by their names.
///
/// Problems have JSON pointers; [`locate`](super::asset::locate) makes lines and columns of them.
///
/// ```
/// use bt_core::tree::asset::spec::{action, sequence};
/// use bt_core::tree::check::{Rules, check};
/// use bt_core::{Registry, TreeAsset};
///
/// let top = sequence([action("nop"), action("wait_for_second").arg(2)]);
/// let tree = TreeAsset::build("rest.json", "action_agent", top);
/// let checked = check(&[tree], Registry::global()?, &Rules::default());
/// assert_eq!(
///     checked.problems[0].to_string(),
///     "rest.json: node 3: agent `action_agent` has no action `wait_for_second`; \
///      did you mean `wait_for_seconds`?"
/// );
/// assert_eq!(checked.problems[0].pointer(), "/nodes/3/extra/action_name");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(trees: &[TreeAsset], knows: &dyn Knows, rules: &Rules) -> Checked {
    let checker = Checker::new(trees, knows, rules);
    let mut report = Report::default();
    for (at, tree) in trees.iter().enumerate() {
        walk::walk(&checker.set, at, tree, &mut report);
    }
    report.into()
}

/// [`check`] for so many trees that not all of them are to be in memory, or by several threads.
///
/// ```
/// use bt_core::tree::check::{Checker, Rules};
/// use bt_core::{Registry, TreeAsset};
///
/// let text = r#"{"nodes": [
///     {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "action_agent"}},
///     {"idx": 1, "type": "sub_tree", "children": [], "extra": {"sub_tree_name": "rest"}}
/// ]}"#;
/// let heads = [TreeAsset::head("day", text.as_bytes()), TreeAsset::head("rest", b"{}")];
/// let rules = Rules::default();
/// let checker = Checker::new(&heads, Registry::global()?, &rules);
/// let checked = checker.check(0, &TreeAsset::from_json("day", text)?);
/// assert_eq!(checked.problems, []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Checker<'c> {
    set: set::Set<'c>,
}

impl<'c> Checker<'c> {
    /// Of trees that may call each other: `heads` are they, or of each what its
    /// [root](TreeAsset::head) says.
    pub fn new(heads: &'c [TreeAsset], knows: &'c dyn Knows, rules: &'c Rules) -> Checker<'c> {
        Checker {
            set: set::Set::of(heads, knows, rules),
        }
    }

    /// Looks at one of the trees, which is the `at`-th of the heads.
    pub fn check(&self, at: usize, tree: &TreeAsset) -> Checked {
        let mut report = Report::default();
        walk::walk(&self.set, at, tree, &mut report);
        report.into()
    }

    /// As [`check`](Checker::check), but every problem and every warning is listed, however many there are.
    pub fn check_all(&self, at: usize, tree: &TreeAsset) -> Checked {
        let mut report = Report::of_all();
        walk::walk(&self.set, at, tree, &mut report);
        report.into()
    }

    /// The method of that name or alias that the agent of a tree has, its bases' among them; none if the
    /// agent is unknown.
    pub fn method(&self, tree: &TreeAsset, name: &str) -> Option<&MethodEntry> {
        Some(self.set.agent(tree)?.method(name)?.entry)
    }
}

impl fmt::Debug for Checker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checker").finish_non_exhaustive()
    }
}

impl From<Report> for Checked {
    fn from(report: Report) -> Checked {
        Checked {
            problems: report.problems.found,
            warnings: report.warnings.found,
            unlisted: report.problems.unlisted,
            unlisted_warnings: report.warnings.unlisted,
        }
    }
}

#[cfg(test)]
mod tests;
