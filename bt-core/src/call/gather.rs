//! Everything that an agent and its bases register, typed.

use std::any::TypeId;
use std::sync::Arc;

use super::action::Action;
use super::fallback::{self, Answers};
use super::names::{Kind, Names};
use super::property::{self, Reach};
use super::reach::Reached;
use crate::agent::{Agent, Here, Path};
use crate::registry::descriptor::{Registration, Site, Table};
use crate::registry::members::PropertyDesc;
use crate::registry::{Registry, RegistryError};

/// What [`Agent::gather`] finds, nearest agent first.
pub struct Members<A: Agent> {
    pub(super) actions: Vec<Action<A>>,
    pub(super) properties: Vec<PropertyPart<A>>,
    /// The nearest agent's.
    pub(super) fallback: Option<Arc<dyn Answers<A>>>,
    pub(super) names: Names,
}

/// A getter, a setter, or both.
pub(super) struct PropertyPart<A: Agent> {
    pub(super) desc: PropertyDesc,
    /// How many bases away the agent is that registers it.
    pub(super) depth: usize,
    pub(super) reach: Arc<dyn Reach<A>>,
}

impl<A: Agent> Members<A> {
    /// Collects them from every linked crate: the one downcast.
    pub(crate) fn collect() -> Result<Members<A>, &'static RegistryError> {
        Registry::global()?;
        let mut members = Members {
            actions: Vec::new(),
            properties: Vec::new(),
            fallback: None,
            names: Names::default(),
        };
        A::gather::<Here<A>>(&mut members);
        Ok(members)
    }
}

impl<A: Agent> std::fmt::Debug for Members<A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Members").finish_non_exhaustive()
    }
}

/// Hands over what the blocks of one agent on the way register.
pub(crate) fn gather_own<P: Path>(members: &mut Members<P::Root>) {
    for (site, table) in tables::<P::Leaf>() {
        for method in table.methods {
            let reach = Box::new(Reached::<P>::new(method));
            members.names.add(&method.item, method.kind.into());
            members
                .actions
                .push(Action::new(method.desc(), reach, site));
        }
        for property in table.properties {
            let desc = property.desc();
            members.names.add(&desc.item, Kind::Property);
            members.properties.push(PropertyPart {
                desc,
                depth: P::DEPTH,
                reach: Arc::new(property::Reached::<P>::new(property)),
            });
        }
        if let (None, Some(fallback)) = (&members.fallback, &table.fallback) {
            members.fallback = Some(Arc::new(fallback::Reached::<P>(fallback)));
        }
        for event in table.events {
            members.names.add(&event.item, Kind::Event);
        }
    }
}

/// The tables of all blocks of one agent, in no particular order.
fn tables<A: Agent>() -> impl Iterator<Item = (Site, &'static Table<A>)> {
    let tables = inventory::iter::<Registration>().flat_map(|registration| {
        let (id, table, parts) = match registration {
            Registration::Agent(agent) => {
                let own = (agent.site, agent.table);
                (Some(agent.id), Some(own), agent.parts)
            }
            Registration::Block(block) => {
                let own = (block.site, block.table);
                (Some(block.id), Some(own), &[][..])
            }
            Registration::Generic(_) => (None, None, &[][..]),
        };
        let own = id.is_some_and(|id| id() == TypeId::of::<A>());
        let parts = parts.iter().flatten().map(|part| (part.site, part.table));
        table.into_iter().chain(parts).filter(move |_| own)
    });
    tables.filter_map(|(site, table)| Some((site, table.as_any().downcast_ref()?)))
}
