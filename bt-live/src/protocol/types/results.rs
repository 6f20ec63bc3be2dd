//! Results and events.

use std::collections::BTreeMap;

use serde_json::Value;

use super::BreakpointSpec;

results! {
    /// It is done.
    Done {}
    /// Who answers.
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
        /// Whether methods that change the game are refused.
        read_only: bool,
        /// Whether this is a recording, and no game.
        recording: bool,
        /// How fast the game's time passes: 1 is normal.
        speed: f64,
    }
    /// Some agents.
    AgentPage {
        /// The agents.
        agents: Vec<AgentEntry>,
        /// What the next page comes after; none if this is the last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<String>,
    }
    /// An agent.
    AgentEntry {
        /// What requests call it.
        id: String,
        /// What people call it.
        name: String,
        /// The registered name of its type.
        agent_type: String,
        /// Its current tree.
        tree: String,
        /// Whether the tree runs, or is about to.
        running: bool,
        /// Whether it is paused.
        paused: bool,
    }
    /// What there is in an agent.
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
        /// What went wrong, the newest last.
        diagnostics: Vec<String>,
        /// Where it is stopped.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stop: Option<StopEntry>,
        /// The nodes whose result is forced.
        forced: Vec<ForcedEntry>,
        /// What had no room. `agent.value` shows values whole, a page at a time.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cut: Vec<Cut>,
    }
    /// Something that had no room, and is shown in part: texts, arrays and objects say at their end how much is missing.
    Cut {
        /// Where it is, as a JSON pointer.
        at: String,
        /// How many bytes of a text, items or entries are missing.
        missing: u64,
    }
    /// A page of a value.
    ValuePage {
        /// A part of a text, some items of an array, some entries of an object; or all of it.
        value: Value,
        /// What had no room in this page: it has pages of its own. The places are in `value`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cut: Vec<Cut>,
        /// What the next page comes after; none if this is the last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<String>,
    }
    /// Where and why an agent is stopped.
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
        /// What waits for the end of the poll: `load`, `reset`, `reload`.
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
        /// Whether it is this client's.
        own: bool,
        /// Where agents are to stop.
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
        /// What it is and what it waits for, in words.
        waits: String,
    }
    /// Why an agent waits.
    Explained {
        /// For people.
        text: String,
        /// For programs: what `bt-meta explain-run --json` prints.
        explanation: Value,
        /// What had no room.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cut: Vec<Cut>,
    }
    /// How a call ended.
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
        /// Where its nodes are.
        nodes: Vec<NodePosition>,
        /// The number of the next page, of a tree that is too long for one: its text and nodes are what these have, one
        /// after the other.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<u32>,
    }
    /// Where a node is.
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
    /// What is wrong with trees.
    Checked {
        /// Everything that is wrong, as `bt-meta validate` says it; nothing was changed if there is something.
        problems: Vec<TreeProblem>,
        /// How many agents move to other trees.
        moved: u32,
    }
    /// Something that is wrong with a tree.
    TreeProblem {
        /// The code, such as `BT0034`.
        code: String,
        /// The tree's name.
        file: String,
        /// What is wrong.
        message: String,
        /// What to write instead.
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
        /// What `agents.json` holds.
        catalogue: Value,
    }
    /// What the port has done.
    Statistics {
        /// How many agents there are.
        agents: u64,
        /// How many clients are connected.
        clients: u32,
        /// How many agents are followed or recorded.
        followed: u32,
        /// How often the host polled the port.
        polls: u64,
        /// How many requests it answered.
        requests: u64,
        /// How many records were sent.
        records: u64,
        /// How many bytes of records were sent.
        bytes: u64,
        /// How many records were dropped, because a buffer was full.
        dropped: u64,
        /// How many connections were refused.
        refused: u64,
    }
    /// What was counted of nodes.
    ProfileTable {
        /// How many agents are counted.
        agents: u32,
        /// The nodes that ran, by tree and number.
        nodes: Vec<ProfiledNode>,
    }
    /// What was counted of a node.
    ProfiledNode {
        /// Its tree.
        tree: String,
        /// Its number.
        idx: u32,
        /// How often it was entered.
        entered: u64,
        /// How often it ended with success.
        succeeded: u64,
        /// How often it ended with failure.
        failed: u64,
        /// How often it was aborted.
        aborted: u64,
        /// How many calls were made for it, those of its guards included.
        calls: u64,
        /// How long its own calls and decisions took, without those of its children, in nanoseconds.
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
        /// How many bytes it has.
        bytes: u64,
    }
    /// A part of a file.
    Fetched {
        /// The bytes, in Base64; none at the end of the file.
        base64: String,
        /// How many bytes the file has now.
        bytes: u64,
    }
    /// Records were dropped.
    Dropped {
        /// The agent's id.
        agent: String,
        /// How many.
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
