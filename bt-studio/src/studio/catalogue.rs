//! The catalogue: collected on another thread, and sent to all clients when it is there.

use std::sync::Arc;
use std::thread;

use bt_core::Registry;
use bt_core::kinds::node_defs;
use serde_json::{Value, json};

use super::{Message, Studio};
use crate::cards;
use crate::project::agents::Source;
use crate::protocol::{CatalogueChanged, Done, Event};

impl Studio {
    /// A file is read at once; a package is built while the page is shown.
    pub(super) fn collect_at_start(&mut self) {
        match &self.options.source {
            Source::Package(_) => {
                self.catalogue_problem = Some("the package is being built".to_owned());
                self.collect();
            }
            source => {
                self.catalogue_text = source.text().and_then(Result::ok);
                let collected = source.collect();
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
        let work = move || {
            // If nobody listens any more, nobody needs it.
            _ = post.send(Message::Collected(Box::new(source.collect())));
        };
        _ = thread::Builder::new()
            .name("catalogue".to_owned())
            .spawn(work);
    }

    pub(super) fn refresh_catalogue(&mut self) -> Done {
        self.collect();
        Done {}
    }

    pub(super) fn collected(&mut self, collected: Result<Registry, String>) {
        match collected {
            Ok(registry) => {
                self.registry = Some(Arc::new(registry));
                self.catalogue_problem = None;
                self.check_soon();
            }
            Err(problem) => self.catalogue_problem = Some(problem),
        }
        let event = Event::CatalogueChanged(CatalogueChanged {
            catalogue: self.catalogue(),
            agents: self.agents(),
            kinds: cards::kinds(self.registry.as_deref()),
            problem: self.catalogue_problem.clone(),
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

    /// The full names of the agents.
    pub(super) fn agents(&self) -> Vec<String> {
        let agents = self.registry.iter().flat_map(|registry| registry.agents());
        agents.map(|agent| agent.full_name().to_owned()).collect()
    }
}
