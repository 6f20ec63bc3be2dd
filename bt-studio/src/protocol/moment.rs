//! The state at a moment of a history, and its causes.

use bt_live::protocol::types::AgentPicture;
use serde_json::Value;

use super::{Row, types, words};

types! {
    /// The moment to show.
    GetMoment {
        /// The session's id.
        session: u32,
        /// The agent's id.
        agent: String,
        /// The number of the last record that has happened; the last of all if it is not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<u64>,
    }
    /// The state after a record.
    Moment {
        /// The number of the record.
        at: u64,
        /// The number of its poll.
        poll: u32,
        /// The place of that poll.
        place: u64,
        /// Its time, in nanoseconds of the game's clock.
        ns: u64,
        /// The state of the agent. Of a past moment the stop and the forced nodes are not known, nor are
        /// properties before they were shown first.
        picture: AgentPicture,
        /// The active nodes, with since when.
        active: Vec<ActiveSince>,
        /// The nodes that ended in that poll up to then: how each ended last.
        results: Vec<NodeResult>,
        /// The keys and properties that were written in that poll up to then.
        written: Vec<Written>,
        /// The reasons why the agent waited, in words, if its records have them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        explain: Option<String>,
        /// The same for programs: what `bt-meta explain-run --json` prints.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        explanation: Option<Value>,
        /// The last record up to then after which a node was active: this one, or the last by which a node was entered.
        /// None if there is none among those that are kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ran: Option<u64>,
        /// True if nothing is known of what was before: records are missing, and no snapshot has come since.
        #[serde(default)]
        unknown: bool,
    }
    /// An active node.
    ActiveSince {
        /// The run of its tree.
        run: u32,
        /// Its tree.
        tree: String,
        /// Its `idx`.
        idx: u32,
        /// The time of its entry, in nanoseconds of the game's clock; omitted if that was before the first
        /// record.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since_ns: Option<u64>,
        /// The record by which it was entered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        no: Option<u64>,
        /// The reason for its wait, in words, if it is a leaf that waits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        waits: Option<String>,
    }
    /// The result of a node.
    NodeResult {
        /// The run of its tree.
        run: u32,
        /// Its tree.
        tree: String,
        /// Its `idx`.
        idx: u32,
        /// The result.
        result: EndedAs,
        /// The record that says so.
        no: u64,
    }
    /// A key or a property that was written.
    Written {
        /// The key, as the picture's blackboard has it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
        /// The property.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        property: Option<String>,
        /// The record that wrote it last.
        no: u64,
    }
    /// The expressions to evaluate over a moment. Nothing of the game runs for it: conditions and queries have no value.
    GetValues {
        /// The session's id.
        session: u32,
        /// The agent's id.
        agent: String,
        /// The number of the last record that has happened; the last of all if it is not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<u64>,
        /// The tree whose own keys are meant: those of its innermost run. Those of the innermost node that is active
        /// if it is not said, or does not run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tree: Option<String>,
        /// The expressions, at most 200. A key's name and an `@property` are some, too.
        texts: Vec<String>,
    }
    /// The values of expressions.
    Values {
        /// The number of the record.
        at: u64,
        /// One for each text.
        values: Vec<ValueOf>,
    }
    /// An expression and its value.
    ValueOf {
        /// The expression.
        text: String,
        /// Its value; omitted if there is a mistake.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<Value>,
        /// The reason why it has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mistake: Option<String>,
        /// The operands in it, from left to right, without literals.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        operands: Vec<ValueOf>,
    }
    /// The timeline of a history.
    GetTimeline {
        /// The session's id.
        session: u32,
        /// The agent's id.
        agent: String,
        /// The place of the first poll; the first that is kept if it is not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<u64>,
        /// The place after the last poll; after the last that there is if it is not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<u64>,
        /// Into how many parts it is divided, at most 4,000. There are fewer if there are fewer polls.
        buckets: u32,
    }
    /// A history in parts of as many polls each.
    Timeline {
        /// The place of the first poll.
        from: u64,
        /// The place after the last poll.
        to: u64,
        /// The parts, in order.
        buckets: Vec<Bucket>,
    }
    /// A part of a history.
    Bucket {
        /// The place of its first poll.
        place: u64,
        /// The number of its first record.
        first: u64,
        /// The time of its first poll, in nanoseconds of the game's clock.
        ns: u64,
        /// The number of its polls.
        polls: u32,
        /// The number of its records.
        records: u32,
        /// The number of nodes that failed.
        failures: u32,
        /// The number of nodes that were aborted.
        aborts: u32,
        /// The number of writes of keys and properties.
        writes: u32,
        /// The number of times that the agent was stopped at a breakpoint or by a step.
        stops: u32,
        /// The number of notes, of actions and of logpoints.
        notes: u32,
        /// The number of diagnostics.
        problems: u32,
    }
    /// The thing to explain: one of `key`, `property` and `node`.
    FindCause {
        /// The session's id.
        session: u32,
        /// The agent's id.
        agent: String,
        /// The number of the last record that has happened; the last of all if it is not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<u64>,
        /// The key whose last write is explained.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
        /// The property whose last change is explained.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        property: Option<String>,
        /// The node whose last failure, abort or refusal is explained.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node: Option<NodeOf>,
    }
    /// A node of a tree.
    NodeOf {
        /// The tree's name.
        tree: String,
        /// The node's `idx`.
        idx: u32,
        /// The nodes above it, the nearest first: by them it is found why it was not entered.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        above: Vec<NodeAbove>,
    }
    /// A node that is above another one.
    NodeAbove {
        /// Its `idx`.
        idx: u32,
        /// Its children, in order.
        children: Vec<u32>,
    }
    /// The cause.
    Cause {
        /// The record by which it came about: the write; the exit of the leaf by whose failure the node failed; the guard
        /// that did not hold; the node's own exit if it was aborted; what ran in its place if it was not entered. None if
        /// there is none among those that are kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row: Option<Row>,
        /// The reason: what the action said, which guard did not hold, or what happened right before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        because: Option<Row>,
        /// The exits from there up to the node, the leaf's first.
        path: Vec<Row>,
        /// It in words.
        text: String,
    }
}

words! {
    /// The result of a node.
    EndedAs {
        /// With success.
        Success,
        /// With failure.
        Failure,
        /// Something else took over before it ended.
        Aborted,
        /// In a way that the log does not say.
        Ended,
    }
}

#[allow(clippy::derivable_impls)]
impl Default for EndedAs {
    fn default() -> EndedAs {
        EndedAs::Success
    }
}
