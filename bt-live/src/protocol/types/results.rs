//! Results and events.

use std::collections::BTreeMap;

use serde_json::Value;

use super::BreakpointSpec;

results! {
    /// It is done.
    Done {}
    /// The game's greeting.
    Welcome {
        /// The version of the protocol.
        version: u32,
        /// The game's name.
        game: String,
        /// The version of bt-live.
        bt_live: String,
        /// The packages that registered agents.
        crates: Vec<String>,
        /// The hash of the catalogue's text.
        catalogue: String,
        /// The hashes of the trees' texts, by name.
        trees: BTreeMap<String, String>,
        /// True if methods that change the game are refused.
        read_only: bool,
        /// True if this is a recording, and no game.
        recording: bool,
        /// The speed of the game's time: 1 is normal.
        speed: f64,
    }
    /// Some agents.
    AgentPage {
        /// The agents.
        agents: Vec<AgentEntry>,
        /// The start of the next page; none if this is the last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<String>,
    }
    /// An agent.
    AgentEntry {
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
        /// True if it is paused.
        paused: bool,
    }
    /// The state of an agent.
    AgentPicture {
        /// The agent.
        agent: AgentEntry,
        /// The names of the trees, by the numbers of their runs.
        trees: Vec<String>,
        /// The nodes that are active, in the order of their runs and `idx`.
        active: Vec<ActiveNode>,
        /// The leaves that wait.
        leaves: Vec<WaitingLeaf>,
        /// The blackboard; a key of a running tree's own is `key@run`.
        blackboard: BTreeMap<String, Value>,
        /// The properties.
        properties: BTreeMap<String, Value>,
        /// The diagnostics, the newest last.
        diagnostics: Vec<String>,
        /// The stop of the agent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stop: Option<StopEntry>,
        /// The nodes whose result is forced.
        forced: Vec<ForcedEntry>,
        /// The parts that had no room. `agent.value` shows values whole, a page at a time.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cut: Vec<Cut>,
    }
    /// Something that had no room, and is shown in part: texts, arrays and objects say at their end how much is missing.
    Cut {
        /// Its place, as a JSON pointer.
        at: String,
        /// The number of bytes of a text, items or entries that are missing.
        missing: u64,
    }
    /// A page of a value.
    ValuePage {
        /// A part of a text, some items of an array, some entries of an object; or all of it.
        value: Value,
        /// The parts that had no room in this page: they have pages of their own. The places are in `value`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cut: Vec<Cut>,
        /// The start of the next page; none if this is the last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<String>,
    }
    /// The place of an agent's stop, and its reason.
    StopEntry {
        /// The agent's id.
        agent: String,
        /// The number of the stop, which a step names.
        number: u64,
        /// `breakpoint`, `step`, or `requested`.
        why: String,
        /// The id of the breakpoint.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        breakpoint: Option<u64>,
        /// The tree of the node that it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tree: Option<String>,
        /// The `idx` of the node that it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        idx: Option<u32>,
        /// The command of the record that stopped it, such as `node_enter`.
        record: String,
        /// The number of the poll.
        poll: u32,
        /// The requests that wait for the end of the poll: `load`, `reset`, `reload`.
        waiting: Vec<String>,
    }
    /// A node whose result is forced.
    ForcedEntry {
        /// Its tree.
        tree: String,
        /// Its `idx`.
        idx: u32,
        /// `success`, `failure` or `disabled`.
        forced: String,
    }
    /// The breakpoints of all clients, or those that were set.
    BreakpointList {
        /// In the order in which they were set.
        breakpoints: Vec<BreakpointEntry>,
    }
    /// A breakpoint.
    BreakpointEntry {
        /// Its id, which no other of this port has.
        id: u64,
        /// True if it is this client's.
        own: bool,
        /// The breakpoint.
        spec: BreakpointSpec,
    }
    /// The agents that are stopped.
    StopList {
        /// In the order of their ids.
        stops: Vec<StopEntry>,
    }
    /// An agent that was stopped continues.
    Continued {
        /// Its id.
        agent: String,
    }
    /// An active node.
    ActiveNode {
        /// The number of the run of its tree.
        run: u32,
        /// The name of its tree.
        tree: String,
        /// Its `idx` in the file.
        idx: u32,
        /// The file's word for its kind.
        #[serde(rename = "type")]
        kind: String,
        /// The name of its action, event or tree; empty where it has none.
        name: String,
    }
    /// A leaf that waits.
    WaitingLeaf {
        /// The name of its tree.
        tree: String,
        /// Its `idx` in the file.
        idx: u32,
        /// The leaf and the reason for its wait, in words.
        waits: String,
    }
    /// The reasons why an agent waits.
    Explained {
        /// For people.
        text: String,
        /// For programs: what `bt-meta explain-run --json` prints.
        explanation: Value,
        /// The parts that had no room.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cut: Vec<Cut>,
    }
    /// The outcome of a call.
    CallOutcome {
        /// `success`, `failure`, or `pending` if it has begun something that takes its time.
        outcome: String,
    }
    /// The trees.
    TreeList {
        /// Their hashes, by name.
        trees: BTreeMap<String, String>,
    }
    /// A tree.
    TreeText {
        /// Its name.
        name: String,
        /// The hash of its text.
        hash: String,
        /// Its text.
        text: String,
        /// The places of its nodes.
        nodes: Vec<NodePosition>,
        /// The number of the next page, of a tree that is too long for one: its text and nodes are what these have, one
        /// after the other.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<u32>,
    }
    /// The place of a node.
    NodePosition {
        /// Its `idx`.
        idx: u32,
        /// The file's word for its kind.
        #[serde(rename = "type")]
        kind: String,
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
    }
    /// The problems of trees.
    Checked {
        /// Everything that is wrong, as `bt-meta validate` says it; nothing was changed if there is something.
        problems: Vec<TreeProblem>,
        /// The number of agents that move to other trees.
        moved: u32,
    }
    /// Something that is wrong with a tree.
    TreeProblem {
        /// The code, such as `BT0034`.
        code: String,
        /// The tree's name.
        file: String,
        /// The problem.
        message: String,
        /// The advice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        help: Option<String>,
        /// The node's `idx`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node: Option<u32>,
        /// The line in the text, from 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        line: Option<u32>,
        /// The column in the text, from 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        column: Option<u32>,
    }
    /// The catalogue.
    CatalogueText {
        /// The hash of its text.
        hash: String,
        /// The content of `agents.json`.
        catalogue: Value,
    }
    /// The port's statistics.
    Statistics {
        /// The number of agents.
        agents: u64,
        /// The number of clients that are connected.
        clients: u32,
        /// The number of agents that are followed or recorded.
        followed: u32,
        /// The number of times that the host polled the port.
        polls: u64,
        /// The number of requests that it answered.
        requests: u64,
        /// The number of records that were sent.
        records: u64,
        /// The number of bytes of the records that were sent.
        bytes: u64,
        /// The number of records that were dropped, because a buffer was full.
        dropped: u64,
        /// The number of connections that were refused.
        refused: u64,
    }
    /// The counts of nodes.
    ProfileTable {
        /// The number of agents that are counted.
        agents: u32,
        /// The nodes that ran, by tree and number.
        nodes: Vec<ProfiledNode>,
    }
    /// The counts of a node.
    ProfiledNode {
        /// Its tree.
        tree: String,
        /// Its number.
        idx: u32,
        /// The number of times that it was entered.
        entered: u64,
        /// The number of times that it ended with success.
        succeeded: u64,
        /// The number of times that it ended with failure.
        failed: u64,
        /// The number of times that it was aborted.
        aborted: u64,
        /// The number of calls that were made for it, those of its guards included.
        calls: u64,
        /// The time of its own calls and decisions, without those of its children, in nanoseconds.
        ns: u64,
    }
    /// The recordings.
    RecordingList {
        /// In the order of their names.
        recordings: Vec<RecordingEntry>,
    }
    /// A recording.
    RecordingEntry {
        /// The file's name.
        name: String,
        /// The number of its bytes.
        bytes: u64,
    }
    /// A part of a file.
    Fetched {
        /// The bytes, in Base64; none at the end of the file.
        base64: String,
        /// The present number of bytes of the file.
        bytes: u64,
    }
    /// Records were dropped.
    Dropped {
        /// The agent's id.
        agent: String,
        /// The number of records.
        records: u64,
    }
    /// An agent is no more.
    Despawned {
        /// Its id.
        agent: String,
    }
    /// Trees were replaced.
    Reloaded {
        /// The new hashes of all trees, by name.
        trees: BTreeMap<String, String>,
    }
    /// Time passes at another speed.
    SpeedChanged {
        /// The speed; 1 is normal.
        speed: f64,
    }
}
