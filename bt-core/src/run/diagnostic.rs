//! Problems that occur while a tree runs, for people.

use std::fmt;
use std::time::Duration;

/// Something that went wrong while a tree ran: the agent lives on.
///
/// ```
/// use bt_core::builtin::ActionAgent;
/// use bt_core::tree::asset::spec::action;
/// use bt_core::{Runner, TreeAsset, TreeSet};
/// use std::time::Duration;
///
/// let mut trees = TreeSet::<ActionAgent>::new();
/// let add = action("number_add").arg("score").arg(1);
/// trees.add(TreeAsset::build("count", "action_agent", add));
/// let mut runner = Runner::new(&trees.build()?, "count")?;
/// runner.start();
/// runner.poll(&mut ActionAgent, Duration::ZERO);
/// runner.poll(&mut ActionAgent, Duration::from_secs(1));
/// for diagnostic in runner.take_diagnostics() {
///     println!("{diagnostic}"); // count: node 1 (action `number_add`): `score` is not set …
///     assert_eq!((diagnostic.tree(), diagnostic.node()), ("count", Some(1)));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub(crate) tree: Box<str>,
    pub(crate) node: Option<u32>,
    pub(crate) place: String,
    pub(crate) message: String,
    /// Of an action's reason; else empty.
    pub(crate) path: String,
    /// In nanoseconds.
    pub(crate) time: u64,
    pub(crate) poll: u32,
    /// It says why an action failed.
    pub(crate) is_failure: bool,
}

impl Diagnostic {
    /// The name of the tree.
    pub fn tree(&self) -> &str {
        &self.tree
    }

    /// The `idx` of the node in its file, where there is one.
    pub fn node(&self) -> Option<u32> {
        self.node
    }

    /// The problem in words.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns true if it is the reason that an action gave for its failure, its `Err`, by which the tree
    /// failed again in the poll in which it began.
    pub fn is_failure(&self) -> bool {
        self.is_failure
    }

    /// The nodes above the action whose reason it is, the outermost first, across the calls of trees:
    /// `main.json: 0 root > 1 select > 2 sequence`. Empty unless it [is a failure](Self::is_failure).
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The time of the poll, on the host's clock.
    pub fn time(&self) -> Duration {
        Duration::from_nanos(self.time)
    }

    /// The number of the poll, from 1.
    pub fn poll(&self) -> u32 {
        self.poll
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let failed = if self.is_failure { "failed: " } else { "" };
        write!(f, "{}: {failed}{}", self.place, self.message)?;
        match &*self.path {
            "" => Ok(()),
            path => write!(f, " (in {path})"),
        }
    }
}
