//! `agent_hierarchy.json`: which agent is based on which.

use serde_json::{Map, Value};

use super::Agents;
use crate::catalogue::AgentEntry;

/// Child to parent, the empty string for none.
///
/// Only `selected` agents are named, so that every name also stands in `action_types.json`.
pub fn agent_hierarchy(agents: &Agents<'_>, selected: &[&AgentEntry]) -> Value {
    let key_of_base = |agent: &AgentEntry| {
        agents
            .base(agent)
            .filter(|base| {
                selected
                    .iter()
                    .any(|other| other.full_name == base.full_name)
            })
            .map_or("", |base| agents.key(base))
    };
    let pairs = selected.iter().map(|agent| {
        (
            agents.key(agent).to_owned(),
            Value::from(key_of_base(agent)),
        )
    });
    Value::Object(pairs.collect::<Map<_, _>>())
}
