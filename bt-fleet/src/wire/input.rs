//! Everything that reaches an agent from outside of its shard.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::key::Key;

/// One message of the stream of inputs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Input {
    One {
        /// The sender, who learns of it if it is refused.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
        key: Key,
        what: What,
    },
    /// Effects of agents of another shard, in their order.
    Effects {
        from: u32,
        /// The number of the first; the others follow.
        first: u64,
        all: Vec<(Key, What)>,
    },
}

/// Something that is done to an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum What {
    Spawn {
        tree: String,
        args: Value,
    },
    Despawn,
    Fire {
        event: String,
        params: Value,
    },
    /// Waiting actions of that name end.
    Finish {
        action: String,
        success: bool,
    },
    /// A key of its blackboard.
    Write {
        name: String,
        value: Value,
    },
    Control(Control),
}

/// Control of an agent's run, from outside: [`Fleet::control`](crate::Fleet::control).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Control {
    /// Its clock stands.
    Pause,
    /// Its clock runs again.
    Resume,
    /// Its tree starts, if it does not run.
    Start,
    /// Its tree is stopped: what is active exits.
    Stop,
    /// Its tree starts anew, with an empty blackboard.
    Reset,
    /// Another tree takes the place of the current one.
    Load(String),
}
