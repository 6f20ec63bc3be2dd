//! Breakpoints as an editor knows them.

use bt_live::protocol::types::BreakpointSpec;
use serde_json::{Value, json};

use super::values::{BLACKBOARD, PROPERTIES};

/// Breakpoints of an editor: what it calls them, and what they are to the game.
#[derive(Default)]
pub(super) struct Breaks {
    /// By the path of the file.
    pub(super) lines: Vec<(String, Vec<(u64, BreakpointSpec)>)>,
    pub(super) functions: Vec<(u64, BreakpointSpec)>,
    pub(super) data: Vec<(u64, BreakpointSpec)>,
    last: u64,
    /// The editor's numbers, by the game's.
    pub(super) numbers: Vec<(u64, u64)>,
}

impl Breaks {
    pub(super) fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &(u64, BreakpointSpec)> {
        let lines = self.lines.iter().flat_map(|(_, all)| all);
        lines.chain(&self.functions).chain(&self.data)
    }

    /// Whether a node has one: for looking at what is recorded.
    pub(super) fn is_at(&self, tree: &str, idx: u32) -> bool {
        self.all()
            .any(|(_, spec)| spec.tree.as_deref() == Some(tree) && spec.idx == Some(idx))
    }
}

/// What an editor says of when a breakpoint counts.
pub(super) fn conditions(wanted: &Value, agent: &str) -> BreakpointSpec {
    let text = |name: &str| {
        let text = wanted[name].as_str().map(str::trim);
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    // A number alone is from which hit on.
    let hits = text("hitCondition").map(|hits| match hits.parse::<u64>() {
        Ok(number) => format!(">= {number}"),
        Err(_) => hits,
    });
    BreakpointSpec {
        condition: text("condition"),
        hits,
        log: text("logMessage"),
        agents: Some(vec![agent.to_owned()]),
        ..BreakpointSpec::default()
    }
}

pub(super) fn verified(all: &[(u64, BreakpointSpec)]) -> Value {
    let all = all.iter();
    let all = all.map(|(number, _)| json!({ "id": number, "verified": true }));
    json!({ "breakpoints": all.collect::<Vec<_>>() })
}

/// Which data a variable is, for a breakpoint on it.
pub(super) fn data_of(asked: &Value) -> Value {
    let name = asked["name"].as_str().unwrap_or_default();
    let (on, what) = match asked["variablesReference"].as_u64().unwrap_or_default() as usize {
        BLACKBOARD => ("key", "key"),
        PROPERTIES => ("property", "property"),
        _ => return json!({ "dataId": null, "description": "only keys and properties" }),
    };
    json!({
        "dataId": format!("{on}:{name}"),
        "description": format!("{what} {name}"),
        "accessTypes": ["write"],
    })
}
