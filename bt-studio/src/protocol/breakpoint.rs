//! The breakpoints of the project, which every game gets.

use bt_live::protocol::types::BreakpointSpec;

use super::types;

types! {
    /// Nothing.
    GetBreakpoints {}
    /// The breakpoints of the project from now on.
    PutBreakpoints {
        /// All of them.
        breakpoints: Vec<StoredBreakpoint>,
        /// True if a stop at one of them also sets the game's speed to 0.
        #[serde(default)]
        stop_all: bool,
    }
    /// The breakpoints of the project: `.bt-studio.json` in the first folder has them.
    Breakpoints {
        /// All of them.
        breakpoints: Vec<StoredBreakpoint>,
        /// True if a stop at one of them also sets the game's speed to 0.
        stop_all: bool,
        /// True if the file has them. With `--read-only` they are kept until the studio ends.
        saved: bool,
        /// The problem of the file, or of a breakpoint that a game refuses.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        problem: Option<String>,
    }
    /// A breakpoint of the project.
    StoredBreakpoint {
        /// True if games get it.
        enabled: bool,
        /// The place where agents are to stop. It names no agents: their ids are others in each run of a
        /// game.
        spec: BreakpointSpec,
        /// The name of the agent that it is for, with `*` for any letters; all agents if it is omitted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agents: Option<String>,
        /// The note that a person wrote on it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    }
}
