//! Counts of nodes: their runs, their results and their time.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::trace::{Leave, Record, Tracer, What};

/// Counts and times for each node of each tree, of one agent or of many.
///
/// ```
/// use bt_core::debug::{Profile, Profiler};
/// use bt_core::builtin::ActionAgent;
/// use bt_core::tree::asset::spec::{action, sequence};
/// use bt_core::{Mode, Runner, TreeAsset, TreeSet};
/// use std::time::{Duration, Instant};
///
/// let mut trees = TreeSet::<ActionAgent>::new();
/// trees.add(TreeAsset::build("idle.json", "action_agent", sequence([action("nop")])));
/// let began = Instant::now();
/// let mut runner = Runner::new(&trees.build()?, "idle.json")?
///     .mode(Mode::Once)
///     .tracing(Profiler::new(move || began.elapsed()));
/// runner.start();
/// runner.poll(&mut ActionAgent, Duration::ZERO);
///
/// let mut all = Profile::default();
/// all.merge(runner.tracer::<Profiler>().expect("it is there").profile());
/// // The root, the sequence and the action.
/// assert_eq!(all.tree("idle.json").entered, 3);
/// assert_eq!(all.nodes().map(|(_, idx, node)| (idx, node.calls)).collect::<Vec<_>>(), [(0, 0), (1, 0), (2, 1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    trees: BTreeMap<String, BTreeMap<u32, NodeProfile>>,
    #[serde(skip)]
    last: Option<Last>,
}

/// The last record, if it was about a node.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Last {
    tree: String,
    idx: u32,
    poll: u32,
    clock: Duration,
}

/// Counts of a node: its runs, its results and its time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeProfile {
    /// The number of times that it was entered.
    pub entered: u64,
    /// The number of times that it ended with success.
    pub succeeded: u64,
    /// The number of times that it ended with failure.
    pub failed: u64,
    /// The number of times that it was aborted.
    pub aborted: u64,
    /// The number of calls that were made for it, those of its guards included.
    pub calls: u64,
    /// The time of its own calls and decisions by the host's clock, without those of its children.
    pub time: Duration,
}

impl NodeProfile {
    fn add(&mut self, other: &NodeProfile) {
        self.entered += other.entered;
        self.succeeded += other.succeeded;
        self.failed += other.failed;
        self.aborted += other.aborted;
        self.calls += other.calls;
        self.time += other.time;
    }
}

impl Profile {
    /// Counts a record, which was made at that time of any clock that does not go back. What passes between two
    /// records of a poll is the time of the first one's node.
    pub fn record(&mut self, record: &Record<'_>, clock: Duration) {
        let last = self.last.take();
        let Some(at) = &record.at else { return };
        if let Some(last) = last.as_ref().filter(|last| last.poll == record.poll) {
            self.node(&last.tree, last.idx).time += clock.saturating_sub(last.clock);
        }
        let node = self.node(at.tree(), at.idx());
        let what = &record.what;
        node.entered += u64::from(matches!(what, What::NodeEnter));
        node.calls += u64::from(matches!(what, What::NodeAction { .. } | What::Guard { .. }));
        if let What::NodeLeave { result, .. } = what {
            match result {
                Leave::Success => node.succeeded += 1,
                Leave::Failure => node.failed += 1,
                Leave::Aborted => node.aborted += 1,
            }
        }
        // After the end of a poll.
        if matches!(what, What::Waits(_)) {
            return;
        }
        let tree = match last {
            Some(last) if last.tree == at.tree() => last.tree,
            _ => at.tree().to_owned(),
        };
        self.last = Some(Last {
            tree,
            idx: at.idx(),
            poll: record.poll,
            clock,
        });
    }

    /// Adds what was counted elsewhere.
    pub fn merge(&mut self, other: &Profile) {
        for (tree, idx, node) in other.nodes() {
            self.node(tree, idx).add(&node);
        }
    }

    /// The nodes that occurred, by tree and number.
    pub fn nodes(&self) -> impl Iterator<Item = (&str, u32, NodeProfile)> {
        let trees = self.trees.iter();
        trees.flat_map(|(tree, nodes)| nodes.iter().map(|(idx, node)| (&**tree, *idx, *node)))
    }

    /// The sum of a tree's nodes; nothing for a tree that did not run.
    pub fn tree(&self, tree: &str) -> NodeProfile {
        let mut sum = NodeProfile::default();
        let nodes = self.trees.get(tree).into_iter().flatten();
        nodes.for_each(|(_, node)| sum.add(node));
        sum
    }

    fn node(&mut self, tree: &str, idx: u32) -> &mut NodeProfile {
        if !self.trees.contains_key(tree) {
            self.trees.insert(tree.to_owned(), BTreeMap::new());
        }
        let nodes = self.trees.get_mut(tree).expect("it was put there");
        nodes.entry(idx).or_default()
    }
}

/// A tracer that profiles, and keeps no records.
pub struct Profiler {
    profile: Profile,
    clock: Box<dyn Fn() -> Duration + Send + Sync>,
}

impl Profiler {
    /// Profiles by a clock of the host's, which may be any that does not go back.
    pub fn new(clock: impl Fn() -> Duration + Send + Sync + 'static) -> Profiler {
        Profiler {
            profile: Profile::default(),
            clock: Box::new(clock),
        }
    }

    /// The counts so far.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }
}

impl Tracer for Profiler {
    fn record(&mut self, record: &Record<'_>) {
        let now = (self.clock)();
        self.profile.record(record, now);
    }
}

impl std::fmt::Debug for Profiler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Profiler").field(&self.profile).finish()
    }
}
