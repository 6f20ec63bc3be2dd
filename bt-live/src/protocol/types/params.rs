//! The parameters of the methods.

use std::collections::BTreeMap;

use serde_json::Value;

params! {
    /// Begins a conversation.
    Hello {
        /// The token of the port, if the connection's header did not have it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<String>,
        /// The client's own name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client: Option<String>,
    }
    /// The agents to list.
    ListAgents {
        /// Only those whose name, type or tree contains this.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filter: Option<String>,
        /// Only those after that id: `next` of the page before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
        /// The number of agents, at most 1,000; the default is 100.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<u32>,
    }
    /// The agents to list.
    ListStates {
        /// Only those after that id: `next` of the page before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
        /// The number of agents, at most 1,000; the default is 100.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<u32>,
    }
    /// Nothing.
    ListForced {}
    /// Nothing.
    GetReloadReport {}
    /// Of which agent, and of a recording when.
    GetPicture {
        /// The agent's id.
        agent: String,
        /// Of a recording: the time, in nanoseconds of the game's clock; its end if it is not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<u64>,
    }
    /// The value of an agent, and the part of it.
    GetValue {
        /// The agent's id.
        agent: String,
        /// Its place in the agent's picture, as a JSON pointer: `/blackboard/KEY`, `/properties/NAME` or
        /// something in them; `/blackboard` for all keys.
        at: String,
        /// Only what comes after that: `next` of the page before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
    }
    /// The agent, and of a recording the time.
    Explain {
        /// The agent's id.
        agent: String,
        /// Of a recording: the time, in nanoseconds of the game's clock; its end if it is not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<u64>,
    }
    /// The agent, and the form of its records.
    Follow {
        /// The agent's id.
        agent: String,
        /// True if its records are kept, as in a recording: a snapshot comes every 2,000 records, and the
        /// records say why the agent waits whenever that changes.
        #[serde(default)]
        recorded: bool,
    }
    /// The agent.
    Unfollow {
        /// The agent's id.
        agent: String,
    }
    /// Nothing.
    ListTrees {}
    /// The tree.
    GetTree {
        /// Its name.
        name: String,
        /// The number of the page, from 0: `next` of the page before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        page: Option<u32>,
    }
    /// The texts.
    CheckTrees {
        /// By the names of the trees; those that are not named stay as they are.
        trees: BTreeMap<String, String>,
    }
    /// The texts.
    ReloadTrees {
        /// By the names of the trees; those that are not named stay as they are.
        trees: BTreeMap<String, String>,
    }
    /// Nothing.
    GetCatalogue {}
    /// Nothing.
    GetStatistics {}
    /// Of whom.
    StartProfile {
        /// The agents' ids, at most 10,000; all that there are without it, but no more than that.
        agents: Option<Vec<String>>,
    }
    /// Nothing.
    GetProfile {}
    /// Nothing.
    StopProfile {}
    /// The key.
    SetKey {
        /// The agent's id.
        agent: String,
        /// The key.
        key: String,
        /// The new value.
        value: Value,
    }
    /// The property.
    SetProperty {
        /// The agent's id.
        agent: String,
        /// The property's registered name.
        property: String,
        /// The new value.
        value: Value,
    }
    /// The action.
    CallAction {
        /// The agent's id.
        agent: String,
        /// The action's name.
        action: String,
        /// Its arguments: an array by position, or an object by name.
        #[serde(default)]
        args: Value,
    }
    /// The event.
    Fire {
        /// The agent's id.
        agent: String,
        /// The event's name.
        event: String,
        /// Its parameters, by name.
        #[serde(default)]
        params: BTreeMap<String, Value>,
    }
    /// The leaf, and its result.
    Finish {
        /// The agent's id.
        agent: String,
        /// The name of the leaf's tree.
        tree: String,
        /// The leaf's `idx` in the file.
        idx: u32,
        /// True if with success.
        success: bool,
    }
    /// The agent.
    Start {
        /// The agent's id.
        agent: String,
    }
    /// The agent.
    Stop {
        /// The agent's id.
        agent: String,
    }
    /// The agent.
    Reset {
        /// The agent's id.
        agent: String,
    }
    /// The tree.
    Load {
        /// The agent's id.
        agent: String,
        /// The tree's name.
        tree: String,
    }
    /// The agent.
    Pause {
        /// The agent's id.
        agent: String,
        /// True if it stays so when this client goes.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        keep: bool,
    }
    /// The agent.
    Resume {
        /// The agent's id.
        agent: String,
    }
    /// The breakpoints.
    SetBreakpoints {
        /// All breakpoints of this client from now on.
        breakpoints: Vec<BreakpointSpec>,
        /// True if a stop at one of them also sets the game's speed to 0.
        #[serde(default)]
        stop_all: bool,
    }
    /// The place where an agent is to stop.
    BreakpointSpec {
        /// On what: `enter`, `exit`, `success`, `failure` or `abort` of a node, `call` of a method, `guard`, `key`,
        /// `property`, `event`, `expression`: one over keys and properties that turns true.
        on: String,
        /// The node's tree: of the first five and `guard`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tree: Option<String>,
        /// The node's `idx`: of the first five and `guard`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        idx: Option<u32>,
        /// The name of the others; the text of an `expression`, such as `$health < 10`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// Of `guard`: only if the guard holds, or only if it does not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        holds: Option<bool>,
        /// Only if a key compares so with a JSON value, as in `health < 10`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        condition: Option<String>,
        /// Only at some hits of each agent: `>= 3`, or `% 10` for every tenth.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hits: Option<String>,
        /// A text that is noted in the records; then no agent stops.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        log: Option<String>,
        /// The ids of the agents; all of them, but no more than 10,000, if it is not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agents: Option<Vec<String>>,
    }
    /// Nothing.
    ListBreakpoints {}
    /// Nothing.
    ListStops {}
    /// The agent.
    Break {
        /// The agent's id.
        agent: String,
    }
    /// The agent, and the form of its records.
    Step {
        /// The agent's id.
        agent: String,
        /// The number of the stop that it is at.
        number: u64,
        /// `continue`; `record`, to the next place where it can stop; `into`, to the next node; `over`, not below this
        /// one; `out`, to the end of the node above; `poll`, to the next poll; `to` a node.
        step: String,
        /// Of `to`: the node's tree.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tree: Option<String>,
        /// Of `to`: the node's `idx`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        idx: Option<u32>,
    }
    /// The node, and its forced result.
    Force {
        /// The agent's id.
        agent: String,
        /// The node's tree.
        tree: String,
        /// The node's `idx`.
        idx: u32,
        /// `success`, `failure` or `disabled`; as before if it is not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        forced: Option<String>,
    }
    /// The speed.
    SetSpeed {
        /// From 0 to 16; 1 is normal.
        speed: f64,
        /// True if it stays so when this client goes.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        keep: bool,
    }
    /// Of whom.
    StartRecording {
        /// The file's name, without a folder: letters, digits, `-`, `_` and `.`.
        name: String,
        /// The agents' ids, at most 1,000.
        agents: Vec<String>,
        /// True if it continues when this client goes.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        keep: bool,
    }
    /// The recording.
    StopRecording {
        /// The file's name.
        name: String,
    }
    /// Nothing.
    ListRecordings {}
    /// The file, and the part of it.
    FetchRecording {
        /// The file's name.
        name: String,
        /// From which byte on.
        offset: u64,
    }
}
