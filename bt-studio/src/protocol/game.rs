//! Running games, recordings and logs that the studio is attached to: sessions.

use std::collections::BTreeMap;

use bt_live::protocol::types::{StopEntry, TreeProblem};
use serde_json::Value;

use super::{View, types, words};

types! {
    /// Nothing.
    ListGames {}
    /// The games to attach to, and the sessions that are attached.
    Games {
        /// The games with a port that run as this user.
        running: Vec<RunningGame>,
        /// The sessions, of all pages.
        sessions: Vec<Session>,
        /// The recordings and logs that the studio was started with, and those in the opened folders.
        files: Vec<GameFile>,
    }
    /// A game with a port that runs as this user.
    RunningGame {
        /// The id for `game.attach`.
        id: String,
        /// Its name.
        game: String,
        /// The session that is attached to it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<u32>,
    }
    /// A recording or a log that can be opened.
    GameFile {
        /// The id for `game.attach`.
        path: String,
        /// The sort: `recording` or `log`.
        kind: SessionKind,
        /// The number of its bytes.
        bytes: u64,
    }
    /// The game to attach to: one of these.
    AttachGame {
        /// A running game, by its id.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        game: Option<String>,
        /// A recording, by its path: below the opened folders, or as the studio was started with it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        recording: Option<String>,
        /// A log of the original's debugger, by its path.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        log: Option<String>,
        /// The number of a port of this machine where `POST /post/ai_debug/` is listened for, as the original's
        /// debugger does; 0 for any that is free.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        listen: Option<u16>,
    }
    /// The session.
    DetachGame {
        /// Its id.
        session: u32,
    }
    /// A session of the studio. It outlives the page: several pages share it.
    Session {
        /// The id for requests.
        id: u32,
        /// The sort of session.
        kind: SessionKind,
        /// The name for people.
        title: String,
        /// The state, which says if the view is up to date.
        state: SessionState,
        /// Since when it is in that state, in milliseconds since 1970.
        since: u64,
        /// The reason why it is lost or has ended.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
        /// The game's own facts; of one that is lost, the last ones.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        game: Option<GameInfo>,
        /// Its trees by name. Those of a log are known by their names alone.
        trees: BTreeMap<String, SessionTree>,
        /// True if nothing can be changed.
        read_only: bool,
        /// The number of agents.
        agents: u32,
        /// The speed of the game's time: 1 is normal, 0 stops it.
        speed: f64,
        /// The agents whose histories there are.
        followed: Vec<Followed>,
        /// The agents that are stopped at breakpoints or by steps, as far as it is known now.
        stops: Vec<StopEntry>,
        /// The nodes whose result is forced, of all agents.
        forced: Vec<ForcedNode>,
        /// The number of times that the game was started anew since the session began.
        restarts: u32,
        /// True if a tree is played in it without its game.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        play: bool,
        /// Of `listen`: the address that takes the posts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
    }
    /// A game's own facts.
    GameInfo {
        /// Its name.
        game: String,
        /// The version of bt-live that it has.
        bt_live: String,
        /// The packages that registered agents.
        crates: Vec<String>,
        /// The hash of its catalogue.
        catalogue: String,
    }
    /// A tree that a game has.
    SessionTree {
        /// The hash of its text; empty where that is not known.
        hash: String,
        /// The path of the project's tree of that name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<String>,
        /// True if that has the same text on the disk. Of a log nobody knows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        same: Option<bool>,
    }
    /// An agent whose history there is.
    Followed {
        /// The id for requests.
        agent: String,
        /// The name for people.
        name: String,
        /// True if records still come. A history of a game before its restart continues under another id.
        live: bool,
    }
    /// A node of an agent whose result is forced.
    ForcedNode {
        /// The agent's id.
        agent: String,
        /// Its tree.
        tree: String,
        /// Its `idx`.
        idx: u32,
        /// `success`, `failure` or `disabled`.
        forced: String,
    }
    /// A request to a game: any method of its port but `hello`, `agent.follow`, `agent.unfollow` and
    /// `breakpoints.set`, which the studio says itself.
    CallGame {
        /// The session's id.
        session: u32,
        /// The method of the port.
        method: String,
        /// Its parameters.
        #[serde(default)]
        params: Value,
    }
    /// The game's answer.
    CalledGame {
        /// The method's result.
        result: Value,
    }
    /// Something that a game said unasked.
    GameEvent {
        /// The session's id.
        session: u32,
        /// The name of the port's event.
        event: String,
        /// Its parameters.
        params: Value,
    }
    /// The tree of a game.
    GetGameTree {
        /// The session's id.
        session: u32,
        /// The tree's name.
        name: String,
    }
    /// A tree as a game has it.
    GameTree {
        /// Its name.
        name: String,
        /// The hash of its text.
        hash: String,
        /// Its text. Of a log, which has none, that of the project's tree of that name.
        text: String,
        /// The path of the project's tree of that name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<String>,
        /// True if that has the same text on the disk. Of a log nobody knows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        same: Option<bool>,
        /// The view of it; null where the text is not a tree.
        view: Option<View>,
    }
    /// The agents to list, and their order.
    ListAgents {
        /// The session's id.
        session: u32,
        /// Only those whose id, name, type, tree, state or leaf contains this; upper and lower case are the same.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filter: Option<String>,
        /// By which column; by id if it is not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sort: Option<AgentColumn>,
        /// True if the largest comes first.
        #[serde(default)]
        descending: bool,
        /// From which row on, from 0.
        from: u32,
        /// The number of rows, at most 1,000.
        count: u32,
    }
    /// Rows of the table of agents.
    AgentTable {
        /// The number of rows that the filter takes.
        total: u32,
        /// The place of the first of these.
        from: u32,
        /// The rows.
        rows: Vec<AgentRow>,
        /// The time of the game's answer, in milliseconds since 1970. It is requested again when the table is
        /// requested, at most once a second.
        when: u64,
    }
    /// An agent in the table.
    AgentRow {
        /// The id for requests.
        id: String,
        /// The name for people.
        name: String,
        /// The registered name of its type; empty where that is not known.
        agent_type: String,
        /// Its current tree.
        tree: String,
        /// `runs`, `fails` (its tree failed in the last poll), `paused`, `stopped` at a breakpoint, `idle`, `ended`, or
        /// `unknown`.
        state: String,
        /// The leaf that waits; the first of them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        leaf: Option<AgentLeaf>,
        /// The number of leaves that wait.
        leaves: u32,
        /// For how long its tree has failed in every poll, as far as the studio has looked, in nanoseconds of the game's
        /// clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fails_for_ns: Option<u64>,
        /// The number of times that a node of it has failed since the profile was started; omitted where none
        /// runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failures: Option<u64>,
        /// The number of diagnostics, of the last 32.
        problems: u32,
        /// The number of its nodes that have a forced result.
        forced: u32,
        /// True if it is followed.
        followed: bool,
    }
    /// A leaf that waits.
    AgentLeaf {
        /// Its tree.
        tree: String,
        /// Its `idx`.
        idx: u32,
        /// The file's word for its kind.
        #[serde(rename = "type")]
        kind: String,
        /// The name of its action or event; empty where it has none.
        name: String,
        /// Since when it waits, in nanoseconds of the game's clock.
        since_ns: u64,
        /// For how long, in nanoseconds of the game's clock.
        for_ns: u64,
    }
    /// The effects of a tree that was saved while a game runs it.
    GameReloaded {
        /// The session's id.
        session: u32,
        /// The tree's name.
        tree: String,
        /// The problems of it among the game's trees; the game continues as before if there are any.
        problems: Vec<TreeProblem>,
        /// The number of agents that run other trees by now.
        moved: u32,
        /// The number of those that will, when they are polled next.
        waiting: u32,
        /// The number of those that continue with the old trees, because one that they run is gone.
        stayed: u32,
        /// The nodes that stayed active.
        kept: Vec<NodeCount>,
        /// New nodes around such.
        adopted: Vec<NodeCount>,
        /// The nodes that were exited, as they were before.
        aborted: Vec<NodeCount>,
        /// The nodes that were entered in their place.
        entered: Vec<NodeCount>,
        /// The values that could not be kept, in words.
        lost: Vec<String>,
        /// The reason why there is no answer of the game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    }
    /// A node, and of how many agents.
    NodeCount {
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

words! {
    /// The sort of a session.
    SessionKind {
        /// A running game.
        Game,
        /// A file of a port.
        Recording,
        /// A file of the original's debugger.
        Log,
        /// Posts as to the original's debugger.
        Listen,
    }
    /// The state of a session.
    SessionState {
        /// The view is up to date.
        Attached,
        /// The game does not answer: what is shown was so, and what is so now is not known. It is looked for every
        /// second.
        Lost,
        /// It does not come back.
        Ended,
    }
    /// A column of the table of agents.
    AgentColumn {
        /// The id.
        Id,
        /// The name.
        Name,
        /// The type.
        AgentType,
        /// The tree.
        Tree,
        /// The state.
        State,
        /// The leaf that waits.
        Leaf,
        /// By the time of their wait.
        Waits,
        /// The number of times that its nodes failed.
        Failures,
        /// By their diagnostics.
        Problems,
    }
}

#[allow(clippy::derivable_impls)]
impl Default for SessionKind {
    fn default() -> SessionKind {
        SessionKind::Game
    }
}

#[allow(clippy::derivable_impls)]
impl Default for SessionState {
    fn default() -> SessionState {
        SessionState::Attached
    }
}
