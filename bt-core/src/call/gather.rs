//! Everything that an agent and its bases register, typed.

use std::any::TypeId;
use std::sync::Arc;

use super::action::Action;
use super::fallback::{self, FallbackHandler};
use super::names::{Kind, Names};
use super::property::{self, Reach};
use super::reach::Reached;
use crate::agent::{Agent, Gather, Here, Path};
use crate::call::table::descriptor::{Registration, Site, Table};
use crate::call::table::members::PropertyDesc;

/// The members that [`Agent::gather`] finds, nearest agent first.
pub(crate) struct Members<A: Agent> {
    pub(super) actions: Vec<Action<A>>,
    pub(super) properties: Vec<PropertyPart<A>>,
    /// The nearest agent's.
    pub(super) fallback: Option<Arc<dyn FallbackHandler<A>>>,
    pub(super) names: Names,
}

/// A getter, a setter, or both.
pub(super) struct PropertyPart<A: Agent> {
    pub(super) desc: PropertyDesc,
    /// The number of bases to the agent that registers it.
    pub(super) depth: usize,
    pub(super) reach: Arc<dyn Reach<A>>,
}

impl<A: Agent> Members<A> {
    /// Everything that `A` and its bases register in every linked crate: the one downcast.
    pub(crate) fn gathered() -> Members<A> {
        let mut members = Members::none();
        A::gather::<Here<A>>(&mut members);
        members
    }

    pub(crate) fn none() -> Members<A> {
        Members {
            actions: Vec::new(),
            properties: Vec::new(),
            fallback: None,
            names: Names::default(),
        }
    }
}

impl<A: Agent> std::fmt::Debug for Members<A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Members").finish_non_exhaustive()
    }
}

impl<A: Agent> Gather<A> for Members<A> {
    fn own<P: Path<Root = A>>(&mut self) {
        for (site, table) in tables::<P::Leaf>() {
            for method in table.methods {
                let reach = Box::new(Reached::<P>::new(method));
                self.names.add(&method.item, method.kind.into());
                self.actions.push(Action::new(method.desc(), reach, site));
            }
            for property in table.properties {
                let desc = property.desc();
                self.names.add(&desc.item, Kind::Property);
                self.properties.push(PropertyPart {
                    desc,
                    depth: P::DEPTH,
                    reach: Arc::new(property::Reached::<P>::new(property)),
                });
            }
            if let (None, Some(fallback)) = (&self.fallback, &table.fallback) {
                self.fallback = Some(Arc::new(fallback::Reached::<P>(fallback)));
            }
            for event in table.events {
                self.names.add(&event.item, Kind::Event);
            }
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
