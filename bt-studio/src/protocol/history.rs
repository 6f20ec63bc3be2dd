//! The history of an agent: its records by number, its polls by place.

use serde_json::Value;

use super::types;

types! {
    /// The agent whose records are to be kept.
    FollowAgent {
        /// The session's id.
        session: u32,
        /// The agent's id.
        agent: String,
    }
    /// The agent whose records are no longer needed.
    UnfollowAgent {
        /// The session's id.
        session: u32,
        /// The agent's id.
        agent: String,
    }
    /// The records that are kept of an agent. Records have numbers from 0, polls places from 0: they stay as
    /// they are when the oldest are dropped.
    History {
        /// The session's id.
        session: u32,
        /// The agent's id.
        agent: String,
        /// The name for people.
        name: String,
        /// The number of the first record that is kept.
        first: u64,
        /// The number of records that are kept: the last has the number `first + records - 1`.
        records: u64,
        /// The place of the first poll that is kept.
        first_poll: u64,
        /// The number of polls that are kept.
        polls: u64,
        /// The time of the first record, in nanoseconds of the game's clock.
        from_ns: u64,
        /// The time of the last record.
        to_ns: u64,
        /// The number of the oldest records that were dropped to make room.
        dropped: u64,
        /// The number of records that never arrived: the game had no room for them.
        missed: u64,
        /// True if all that there is was read. A large recording takes a moment.
        complete: bool,
        /// True if more records come: the game runs.
        live: bool,
    }
    /// The polls to fetch.
    GetPolls {
        /// The session's id.
        session: u32,
        /// The agent's id.
        agent: String,
        /// The place of the first.
        #[serde(default)]
        from: u64,
        /// The poll of that record, and those around it, in place of `from`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<u64>,
        /// The number of polls, at most 1,000.
        count: u32,
    }
    /// Some polls.
    PollPage {
        /// The place after the last poll that there is.
        total: u64,
        /// The place of the first of these.
        from: u64,
        /// The polls.
        polls: Vec<PollRow>,
    }
    /// A poll, and what was done in it.
    PollRow {
        /// Its number, as the agent counts them.
        number: u32,
        /// Its time, in nanoseconds of the game's clock.
        ns: u64,
        /// The number of its first record.
        first: u64,
        /// The number of its records.
        records: u32,
        /// The number of nodes that failed.
        failures: u32,
        /// The number of nodes that were aborted.
        aborts: u32,
        /// The number of writes of keys and properties.
        writes: u32,
        /// The number of notes, of actions and of logpoints.
        notes: u32,
        /// The number of diagnostics.
        problems: u32,
        /// The comment that a person wrote on one of its records.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        comment: Option<String>,
    }
    /// The records to fetch.
    GetRows {
        /// The session's id.
        session: u32,
        /// The agent's id.
        agent: String,
        /// Only those that a filter leaves.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filter: Option<u32>,
        /// The first: its number, or with a filter its place among those that it leaves.
        #[serde(default)]
        from: u64,
        /// The record of that number, or the next one that the filter leaves, and those around it, in place of `from`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<u64>,
        /// The number of polls, at most 1,000.
        count: u32,
    }
    /// Some records.
    RowPage {
        /// The number after the last record that there is; with a filter, how many it leaves.
        total: u64,
        /// The number, or the place, of the first of these.
        from: u64,
        /// The records.
        rows: Vec<Row>,
        /// Of `at`: the place of that record among these rows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        here: Option<u32>,
    }
    /// A record.
    Row {
        /// Its number.
        no: u64,
        /// Its time, in nanoseconds of the game's clock.
        ns: u64,
        /// The number of its poll.
        poll: u32,
        /// The run of the node's tree.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run: Option<u32>,
        /// The node's tree.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tree: Option<String>,
        /// The node's `idx`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        idx: Option<u32>,
        /// The sort of record, as a trace has it: `node_enter`, `bb_set` …
        cmd: String,
        /// The same in words.
        text: String,
        /// All of the record.
        detail: Value,
        /// Of a write: the method of the agent that made it, if it was one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        /// True if a node failed or was aborted, or something went wrong.
        failed: bool,
        /// The comment that a person wrote on it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        comment: Option<String>,
    }
    /// The records that a filter takes. All conditions have to hold.
    FilterRows {
        /// The session's id.
        session: u32,
        /// The agent's id.
        agent: String,
        /// One of these texts is in the row's words; upper and lower case are the same.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        include: Vec<String>,
        /// None of these is.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        exclude: Vec<String>,
        /// It is one of these: `node_enter`, `bb_set` …
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cmds: Vec<String>,
        /// It is about a node of that tree.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tree: Option<String>,
        /// It is about the node of that `idx`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        idx: Option<u32>,
        /// It writes or unsets that key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
        /// It is a new value of that property.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        property: Option<String>,
        /// It has a comment.
        #[serde(default)]
        commented: bool,
    }
    /// The records that a filter has taken so far. There are eight at a time in a session: the oldest goes.
    Filtered {
        /// The session's id.
        session: u32,
        /// The agent's id.
        agent: String,
        /// The id of the filter for requests.
        filter: u32,
        /// The number of records that it takes.
        total: u64,
        /// True if all records were read.
        complete: bool,
    }
    /// The next record with a text.
    FindRow {
        /// The session's id.
        session: u32,
        /// The agent's id.
        agent: String,
        /// The text, which is in the row's words; upper and lower case are the same.
        text: String,
        /// The number of the first record that is read.
        from: u64,
        /// True if the search goes to earlier records from there, not to later ones.
        #[serde(default)]
        back: bool,
        /// Only among those that a filter leaves.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filter: Option<u32>,
    }
    /// The place of the text.
    FoundRow {
        /// The record, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row: Option<Row>,
        /// Its place: its number, or with a filter its place among those that it leaves.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<u64>,
    }
    /// The path to save a history to.
    SaveHistory {
        /// The session's id.
        session: u32,
        /// The path of the new file, which ends in `.btrec`.
        path: String,
        /// The agents; all that are followed if it is not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agents: Option<Vec<String>>,
    }
    /// It was saved.
    SavedHistory {
        /// The path of the file.
        path: String,
        /// The number of its bytes.
        bytes: u64,
        /// The number of its records.
        records: u64,
    }
    /// The comment for a record.
    CommentRow {
        /// The session's id.
        session: u32,
        /// The agent's id.
        agent: String,
        /// The number of the record.
        no: u64,
        /// The text; empty to remove it.
        text: String,
    }
    /// The comments of a history.
    Comments {
        /// By the numbers of the records.
        comments: Vec<Comment>,
        /// The file that keeps them, beside the recording; none if they are kept until the session ends.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
    }
    /// The comment that a person wrote on a record.
    Comment {
        /// The number of the record.
        no: u64,
        /// The text.
        text: String,
    }
}
