//! Snippets: kept in the project's settings, and offered to all clients.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Studio;
use crate::protocol::{
    Done, Event, Failure, Notice, RemoveSnippet, SaveSnippet, Snippet, SnippetsChanged,
};

/// The key of the settings: an object of names, each with nodes as `doc.fragment` gives them.
const KEY: &str = "snippets";

/// The longest name, in characters.
const LONGEST: usize = 100;

type Kept = BTreeMap<String, Value>;

impl Studio {
    /// The snippets as clients know them.
    pub(super) fn snippets(&self) -> Vec<Snippet> {
        self.snippets.clone()
    }

    pub(super) fn save_snippet(
        &mut self,
        client: u64,
        asked: &SaveSnippet,
    ) -> Result<Done, Failure> {
        let name = asked.name.trim();
        let length = name.chars().count();
        if name.is_empty() || length > LONGEST || name.chars().any(char::is_control) {
            return Err(Failure::refused(format!(
                "a snippet has a name of 1 to {LONGEST} characters on one line: found {length}"
            )));
        }
        let text = self.fragment_of(client, asked.doc, &asked.nodes)?;
        let value: Value = serde_json::from_str(&text)
            .map_err(|error| Failure::refused(format!("the nodes are no JSON: {error}")))?;
        let mut kept = self.kept()?;
        kept.insert(name.to_owned(), value);
        self.keep(&kept)
    }

    pub(super) fn remove_snippet(&mut self, asked: &RemoveSnippet) -> Result<Done, Failure> {
        let mut kept = self.kept()?;
        if kept.remove(&asked.name).is_none() {
            return Err(Failure::unknown(format!(
                "there is no snippet `{}`",
                asked.name
            )));
        }
        self.keep(&kept)
    }

    fn kept(&self) -> Result<Kept, Failure> {
        self.settings.get(KEY).map_err(Failure::refused)
    }

    fn keep(&mut self, kept: &Kept) -> Result<Done, Failure> {
        self.settings.put(KEY, kept).map_err(Failure::refused)?;
        self.read_snippets();
        Ok(Done {})
    }

    /// Tells a client that has come why there are no snippets.
    pub(super) fn tell_of_settings(&mut self, client: u64) {
        if let Some(notice) = self.notice() {
            self.clients.tell(client, &notice);
        }
    }

    fn notice(&self) -> Option<Event> {
        let text = self.snippets_problem.clone()?;
        let level = "error".to_owned();
        Some(Event::Notice(Notice { level, text }))
    }

    /// Reads the snippets again, and announces them if they are others.
    pub(super) fn read_snippets(&mut self) {
        let read = self.settings.get::<Kept>(KEY);
        let problem = read.as_ref().err().cloned();
        if problem != self.snippets_problem {
            self.snippets_problem = problem;
            if let Some(notice) = self.notice() {
                self.clients.tell_all(&notice);
            }
        }
        let Ok(kept) = read else {
            return;
        };
        let snippets: Vec<Snippet> = kept.iter().map(shown).collect();
        if snippets != self.snippets {
            self.snippets.clone_from(&snippets);
            self.clients
                .tell_all(&Event::SnippetsChanged(SnippetsChanged { snippets }));
        }
    }
}

fn shown((name, value): (&String, &Value)) -> Snippet {
    let nodes = value["nodes"].as_array().map_or(0, Vec::len);
    Snippet {
        name: name.clone(),
        nodes: u32::try_from(nodes).unwrap_or(u32::MAX),
        text: value.to_string(),
    }
}
