//! The catalogue: collected on another thread, and sent to all clients when it is there.

use std::sync::Arc;
use std::thread;

use bt_core::Registry;
use bt_core::kinds::node_defs;
use serde_json::{Value, json};

use super::{Message, Studio};
use crate::cards;
use crate::project::agents::{self, Source};
use crate::protocol::{Building, CatalogueChanged, Done, Event, Failure};

impl Studio {
    /// A file is read at once; a package is built while the page is shown, with the agents that are known already.
    pub(super) fn collect_at_start(&mut self) {
        match &self.options.source {
            Source::Package(_) => {
                let state = self.options.state.as_deref();
                let known = agents::last_known(&self.options.source, &self.options.folders, state);
                let (registry, known_from) = known.unzip();
                self.registry = registry.map(Arc::new);
                self.building = Some(Building {
                    status: String::new(),
                    known_from,
                });
                self.check_soon();
                self.collect();
            }
            source => {
                self.catalogue_text = source.text().and_then(Result::ok);
                let collected = source.collect(|_| ());
                self.collected(collected);
            }
        }
    }

    /// Reads the catalogue again if its file is another one.
    pub(super) fn read_catalogue_again(&mut self) {
        let text = self.options.source.text().and_then(Result::ok);
        if text.is_some() && text != self.catalogue_text {
            self.catalogue_text = text;
            self.collect();
        }
    }

    /// Collects the agents on another thread.
    pub(super) fn collect(&self) {
        let (source, post) = (self.options.source.clone(), self.post.clone());
        let keep = agents::kept(
            &source,
            &self.options.folders,
            self.options.state.as_deref(),
        );
        let work = move || {
            let tell = post.clone();
            // If nobody listens any more, nobody needs it.
            let collected = source.collect(move |status| {
                _ = tell.send(Message::Building(status.to_owned()));
            });
            if let (Some(path), Ok(registry)) = (keep, &collected) {
                agents::keep(&path, registry);
            }
            _ = post.send(Message::Collected(Box::new(collected)));
        };
        _ = thread::Builder::new()
            .name("catalogue".to_owned())
            .spawn(work);
    }

    pub(super) fn refresh_catalogue(&mut self) -> Done {
        if self.options.source.package().is_some() {
            let known_from = self.registry.is_some().then(String::new);
            self.building.get_or_insert(Building {
                status: String::new(),
                known_from,
            });
        }
        self.collect();
        Done {}
    }

    /// Cargo is at something else.
    pub(super) fn is_building(&mut self, status: String) {
        let Some(building) = &mut self.building else {
            return;
        };
        building.status = status;
        let event = Event::Building(building.clone());
        self.clients.tell_all(&event);
    }

    pub(super) fn collected(&mut self, collected: Result<Registry, String>) {
        self.building = None;
        // What was not claimed as long as it was not known is looked at again.
        self.check_soon();
        match collected {
            Ok(registry) => {
                self.registry = Some(Arc::new(registry));
                self.catalogue_problem = None;
            }
            Err(problem) => self.catalogue_problem = Some(problem),
        }
        let event = Event::CatalogueChanged(CatalogueChanged {
            catalogue: self.catalogue(),
            agents: self.agents(),
            kinds: cards::kinds(self.registry.as_deref()),
            problem: self.catalogue_problem.clone(),
            building: self.building.clone(),
        });
        self.clients.tell_all(&event);
    }

    /// The catalogue as JSON. Without one, forms of attachments and declarations need their definitions all the same.
    pub(super) fn catalogue(&self) -> Value {
        let catalogue = self.registry.as_deref().map(Registry::catalogue);
        catalogue
            .and_then(|catalogue| serde_json::to_value(catalogue).ok())
            .unwrap_or_else(|| json!({"$defs": node_defs()}))
    }

    /// The agents, if any are known.
    pub(super) fn known_agents(&self) -> Result<Arc<Registry>, Failure> {
        self.registry.clone().ok_or_else(|| {
            Failure::refused(
                "no agents are known, so nothing can answer: start the studio with `--package NAME` or `--catalogue agents.json`",
            )
        })
    }

    /// The full names of the agents.
    pub(super) fn agents(&self) -> Vec<String> {
        let agents = self.registry.iter().flat_map(|registry| registry.agents());
        agents.map(|agent| agent.full_name().to_owned()).collect()
    }
}
