//! The states of all agents, and the effects of a reload on them.

results! {
    /// The states of some agents.
    StatePage {
        /// The agents.
        agents: Vec<AgentState>,
        /// The start of the next page; none if this is the last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<String>,
        /// The time on the game's clock, in nanoseconds.
        now: u64,
    }
    /// The state of an agent.
    AgentState {
        /// The id for requests.
        id: String,
        /// The name for people.
        name: String,
        /// The registered name of its type.
        agent_type: String,
        /// Its current tree.
        tree: String,
        /// True if the tree runs, or is about to.
        running: bool,
        /// True if the tree failed in the last poll.
        failed: bool,
        /// True if it is paused.
        paused: bool,
        /// True if it is stopped at a breakpoint or by a step.
        stopped: bool,
        /// The first leaf that waits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        leaf: Option<LeafState>,
        /// The number of leaves that wait.
        leaves: u32,
        /// The number of times that a node of it failed since the profile was started; omitted where none
        /// runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failures: Option<u64>,
        /// The number of diagnostics, of the last 32.
        problems: u32,
        /// The number of its nodes that have a forced result.
        forced: u32,
    }
    /// A leaf that waits.
    LeafState {
        /// The name of its tree.
        tree: String,
        /// Its `idx` in the file.
        idx: u32,
        /// The file's word for its kind.
        #[serde(rename = "type")]
        kind: String,
        /// The name of its action or event; empty where it has none.
        name: String,
        /// Since when it waits, in nanoseconds of the game's clock.
        since: u64,
    }
    /// The nodes whose result is forced, of all agents.
    ForcedList {
        /// In the order of the agents' ids.
        forced: Vec<ForcedOf>,
    }
    /// A node of an agent whose result is forced.
    ForcedOf {
        /// The agent's id.
        agent: String,
        /// Its tree.
        tree: String,
        /// Its `idx`.
        idx: u32,
        /// `success`, `failure` or `disabled`.
        forced: String,
    }
    /// The effects of the last reload on all agents, but no more than 10,000.
    ReloadReport {
        /// The number of agents that run other trees by now.
        moved: u32,
        /// The number of those that will, when they are polled next.
        waiting: u32,
        /// The number of those that continue with the old trees, because one that they run is gone.
        stayed: u32,
        /// The nodes that stayed active.
        kept: Vec<ReloadedNode>,
        /// New nodes around such, active from then on.
        adopted: Vec<ReloadedNode>,
        /// The nodes that were exited, as they were before.
        aborted: Vec<ReloadedNode>,
        /// The nodes that were entered in their place.
        entered: Vec<ReloadedNode>,
        /// The values that could not be kept, in words; at most 100.
        problems: Vec<String>,
    }
    /// A node, and of how many agents.
    ReloadedNode {
        /// Its tree.
        tree: String,
        /// Its `idx`.
        idx: u32,
        /// The file's word for its kind.
        #[serde(rename = "type")]
        kind: String,
        /// The number of agents.
        agents: u32,
    }
}
