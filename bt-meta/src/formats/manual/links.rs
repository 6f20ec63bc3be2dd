//! The targets of a manual's links.

use std::collections::BTreeMap;

use crate::catalogue::{AgentEntry, Catalogue};
use crate::formats::ids::Ids;
use crate::layout::Agents;

/// The targets of links: made before what the links stand in.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Of agents by full name.
    pub(super) agents: BTreeMap<String, String>,
    /// Of an agent's members by its full name, their sort and their name.
    pub(super) members: BTreeMap<(String, Sort, String), String>,
    /// Of definitions by name.
    pub(super) types: BTreeMap<String, String>,
}

/// The sorts of members that have names of their own: a property may be called as an action is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    Method,
    Property,
    Event,
}

impl Marks {
    pub(super) fn of(
        catalogue: &Catalogue,
        agents: &Agents<'_>,
        selected: &[&AgentEntry],
        ids: &mut Ids,
    ) -> Marks {
        let mut marks = Marks::default();
        for agent in selected {
            let key = agents.key(agent);
            marks.agents.insert(agent.full_name.clone(), ids.of(key));
            let methods = agent
                .methods
                .iter()
                .map(|method| (Sort::Method, &method.item));
            let properties = agent.properties.iter();
            let properties = properties.map(|property| (Sort::Property, &property.item));
            let events = agent.events.iter().map(|event| (Sort::Event, &event.item));
            for (sort, item) in methods.chain(properties).chain(events) {
                let id = match sort {
                    Sort::Method => ids.of(&format!("{key}.{}", item.name)),
                    Sort::Property => ids.of(&format!("{key}.property.{}", item.name)),
                    Sort::Event => ids.of(&format!("{key}.event.{}", item.name)),
                };
                let of = (agent.full_name.clone(), sort, item.name.clone());
                marks.members.insert(of, id);
            }
        }
        for name in catalogue.defs.keys() {
            marks
                .types
                .insert(name.clone(), ids.of(&format!("type.{name}")));
        }
        marks
    }

    pub(super) fn member(&self, agent: &AgentEntry, sort: Sort, name: &str) -> Option<&String> {
        let of = (agent.full_name.clone(), sort, name.to_owned());
        self.members.get(&of)
    }
}
