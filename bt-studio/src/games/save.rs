//! A history saved as a recording, with the trees that it is about.

use std::collections::BTreeSet;

use bt_live::client::Client;
use bt_live::protocol::envelope::Id;
use bt_live::protocol::types::{AgentEntry, Welcome};
use bt_live::recording::{About, Writer, with_agent};
use serde_json::{Value, json};

use super::port_calls::PortCall;
use super::session::Session;
use crate::project::door::{AsFailure as _, Place, Refusal};
use crate::protocol::{Failure, SavedHistory};

/// A history that is to be saved once all that belongs to it is known.
#[derive(Debug)]
pub(super) struct Saving {
    client: u64,
    id: Id,
    /// The path to save to, and its spelling for people.
    place: Place,
    shown: String,
    agents: Vec<String>,
    /// The trees whose texts are not known yet.
    missing: BTreeSet<String>,
    catalogue: Option<Value>,
}

/// Numbers of agents whose ids are none begin here.
const NUMBERED: u64 = 1 << 48;

impl Session {
    pub(super) fn save(
        &mut self,
        client: u64,
        id: Id,
        place: Place,
        shown: String,
        agents: Option<Vec<String>>,
    ) {
        let agents = agents.unwrap_or_else(|| self.histories.keys().cloned().collect());
        let unknown = agents
            .iter()
            .find(|agent| !self.histories.contains_key(*agent));
        let failure = match (unknown, agents.is_empty(), place.is_taken(), &self.saving) {
            (Some(agent), ..) => Some(format!(
                "agent {agent:?} is not followed: nothing of it is kept"
            )),
            (_, true, ..) => Some("no agent is followed: nothing is kept".to_owned()),
            (_, _, true, _) => Some(format!("`{shown}` is there already: choose another name")),
            (.., Some(_)) => Some("another history is being saved: try again".to_owned()),
            _ => None,
        };
        if let Some(why) = failure {
            return self.answer::<()>(client, &id, Err(Failure::refused(why)));
        }
        let names = self.about.trees.keys();
        let missing = names.filter(|name| !self.texts.contains_key(*name));
        let missing: BTreeSet<String> = missing.cloned().collect();
        let is_live = self.link.is_some();
        self.saving = Some(Saving {
            client,
            id,
            place,
            shown,
            agents,
            missing: if is_live {
                missing.clone()
            } else {
                BTreeSet::new()
            },
            catalogue: (!is_live).then(|| self.own_catalogue()),
        });
        if is_live {
            for name in missing {
                let params = json!({ "name": name });
                let text = String::new();
                self.ask("tree.text", params, PortCall::TextToSave { name, text });
            }
            self.ask("catalogue", json!({}), PortCall::CatalogueToSave);
        }
        self.save_if_known();
    }

    /// A text that is to be saved; none where the game did not give it.
    pub(super) fn text_to_save(&mut self, name: &str, text: Option<String>) {
        if let Some(text) = text {
            self.texts.insert(name.to_owned(), text);
        }
        if let Some(saving) = &mut self.saving {
            saving.missing.remove(name);
        }
        self.save_if_known();
    }

    pub(super) fn catalogue_to_save(&mut self, catalogue: Value) {
        if let Some(saving) = &mut self.saving {
            saving.catalogue = Some(catalogue);
        }
        self.save_if_known();
    }

    fn save_if_known(&mut self) {
        let is_known =
            |saving: &mut Saving| saving.missing.is_empty() && saving.catalogue.is_some();
        if let Some(saving) = self.saving.take_if(is_known) {
            let saved = self.write(&saving);
            self.answer(saving.client, &saving.id, saved.map_err(Failure::refused));
        }
    }

    fn own_catalogue(&mut self) -> Value {
        let recording = self.recording();
        recording.map_or(Value::Null, |it| it.about.catalogue.clone())
    }

    fn write(&mut self, saving: &Saving) -> Result<SavedHistory, String> {
        let game = self.about.game.clone().unwrap_or_default();
        let trees = self.about.trees.iter();
        let about = About {
            welcome: Welcome {
                version: bt_live::protocol::VERSION,
                game: game.game,
                bt_live: game.bt_live,
                crates: game.crates,
                catalogue: game.catalogue,
                trees: trees
                    .map(|(name, tree)| (name.clone(), tree.hash.clone()))
                    .collect(),
                read_only: true,
                recording: true,
                speed: 1.0,
            },
            texts: self.texts.clone(),
            catalogue: saving.catalogue.clone().unwrap_or_default(),
        };
        let shown = &saving.shown;
        let failed = |error: std::io::Error| format!("cannot write `{shown}`: {error}");
        let unwritten = |why: Refusal| why.unwritten(shown).message;
        // A part of a recording is none.
        let (staged, begun) = saving.place.begin().map_err(unwritten)?;
        let whole = begun.try_clone().map_err(failed)?;
        let mut file = Writer::over(begun, &about).map_err(failed)?;
        let mut records = 0;
        for (place, agent) in saving.agents.iter().enumerate() {
            let number = agent.parse().unwrap_or(NUMBERED + place as u64);
            let id = number.to_string();
            let entry = self.entries.get(agent).cloned().unwrap_or_default();
            let Some(history) = self.histories.get_mut(agent) else {
                continue;
            };
            let name = history.name.clone();
            let entry = AgentEntry {
                id: id.clone(),
                name,
                ..entry
            };
            file.agent(&entry).map_err(failed)?;
            let from = self.file.as_mut().and_then(Client::recording);
            let written = history.each_message(number, from, |span, bytes| match id == *agent {
                true => file.records(span, bytes),
                false => {
                    let bytes = with_agent(bytes, &id).map_err(std::io::Error::other)?;
                    file.records(span, &bytes)
                }
            });
            records += written.map_err(failed)?;
        }
        let bytes = file.end().map_err(failed)?;
        whole.sync_all().map_err(failed)?;
        drop(whole);
        staged.put().map_err(unwritten)?;
        Ok(SavedHistory {
            path: shown.clone(),
            bytes,
            records,
        })
    }
}
