//! The parameters of the methods.

use std::collections::BTreeMap;

use serde_json::Value;

params! {
    /// Begins a conversation.
    Hello {
        /// The token of the port, if the connection's header did not have it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<String>,
        /// What the client calls itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client: Option<String>,
    }
    /// Which agents.
    ListAgents {
        /// Only those whose name, type or tree contains this.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filter: Option<String>,
        /// Only those after that id: `next` of the page before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
        /// How many, at most 1,000; 100 if it is not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<u32>,
    }
    /// Which agents.
    ListStates {
        /// Only those after that id: `next` of the page before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
        /// How many, at most 1,000; 100 if it is not said.
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
    /// Which value of an agent, and which part of it.
    GetValue {
        /// The agent's id.
        agent: String,
        /// Where it is in the agent's picture, as a JSON pointer: `/blackboard/KEY`, `/properties/NAME` or something in
        /// them; `/blackboard` for all keys.
        at: String,
        /// Only what comes after that: `next` of the page before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
    }
    /// Which agent, and of a recording when.
    Explain {
        /// The agent's id.
        agent: String,
        /// Of a recording: the time, in nanoseconds of the game's clock; its end if it is not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<u64>,
    }
    /// Which agent, and how.
    Follow {
        /// The agent's id.
        agent: String,
        /// Whether its records are kept, as in a recording: a snapshot comes every 2,000 records, and the records say
        /// why the agent waits whenever that changes.
        #[serde(default)]
        recorded: bool,
    }
    /// Which agent.
    Unfollow {
        /// The agent's id.
        agent: String,
    }
    /// Nothing.
    ListTrees {}
    /// Which tree.
    GetTree {
        /// Its name.
        name: String,
        /// Which page of it, from 0: `next` of the page before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        page: Option<u32>,
    }
    /// Which texts.
    CheckTrees {
        /// By the names of the trees; those that are not named stay as they are.
        trees: BTreeMap<String, String>,
    }
    /// Which texts.
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
    /// Which key.
    SetKey {
        /// The agent's id.
        agent: String,
        /// The key.
        key: String,
        /// What it is to hold.
        value: Value,
    }
    /// Which property.
    SetProperty {
        /// The agent's id.
        agent: String,
        /// The property's registered name.
        property: String,
        /// What it is to hold.
        value: Value,
    }
    /// Which action.
    CallAction {
        /// The agent's id.
        agent: String,
        /// The action's name.
        action: String,
        /// Its arguments: an array by position, or an object by name.
        #[serde(default)]
        args: Value,
    }
    /// Which event.
    Fire {
        /// The agent's id.
        agent: String,
        /// The event's name.
        event: String,
        /// Its parameters, by name.
        #[serde(default)]
        params: BTreeMap<String, Value>,
    }
    /// Which leaf, and how.
    Finish {
        /// The agent's id.
        agent: String,
        /// The name of the leaf's tree.
        tree: String,
        /// The leaf's `idx` in the file.
        idx: u32,
        /// Whether with success.
        success: bool,
    }
    /// Which agent.
    Start {
        /// The agent's id.
        agent: String,
    }
    /// Which agent.
    Stop {
        /// The agent's id.
        agent: String,
    }
    /// Which agent.
    Reset {
        /// The agent's id.
        agent: String,
    }
    /// Which tree.
    Load {
        /// The agent's id.
        agent: String,
        /// The tree's name.
        tree: String,
    }
    /// Which agent.
    Pause {
        /// The agent's id.
        agent: String,
        /// Whether it stays so when this client goes.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        keep: bool,
    }
    /// Which agent.
    Resume {
        /// The agent's id.
        agent: String,
    }
    /// Which breakpoints.
    SetBreakpoints {
        /// All breakpoints of this client from now on.
        breakpoints: Vec<BreakpointSpec>,
        /// Whether a stop at one of them also sets the game's speed to 0.
        #[serde(default)]
        stop_all: bool,
    }
    /// Where an agent is to stop.
    BreakpointSpec {
        /// On what: `enter`, `exit`, `success`, `failure` or `abort` of a node, `call` of a method, `guard`, `key`,
        /// `property`, `event`.
        on: String,
        /// The node's tree: of the first five and `guard`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tree: Option<String>,
        /// The node's `idx`: of the first five and `guard`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        idx: Option<u32>,
        /// The name of the others.
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
    /// Which agent.
    Break {
        /// The agent's id.
        agent: String,
    }
    /// Which agent, and how.
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
    /// Which node, and to what.
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
    /// How fast.
    SetSpeed {
        /// From 0 to 16; 1 is normal.
        speed: f64,
        /// Whether it stays so when this client goes.
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
    /// Which recording.
    StopRecording {
        /// The file's name.
        name: String,
    }
    /// Nothing.
    ListRecordings {}
    /// Which part of which file.
    FetchRecording {
        /// The file's name.
        name: String,
        /// From which byte on.
        offset: u64,
    }
}
