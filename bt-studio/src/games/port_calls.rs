//! The calls of a session to the port of a game, and the use of their answers.

use bt_live::protocol::Error;
use bt_live::protocol::envelope::Id;
use bt_live::protocol::types::{
    AgentEntry, AgentPage, AgentState, CatalogueText, Checked, ForcedList, ReloadReport, StatePage,
    Statistics, StopList, TreeText,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::News;
use super::history::History;
use super::session::Session;
use crate::protocol::{CalledGame, Failure, ForcedNode};

/// The request, and the client that it is for.
#[derive(Debug)]
pub(super) enum PortCall {
    /// A page asks for itself.
    Page {
        client: u64,
        id: Id,
        method: String,
    },
    /// A page wants a tree.
    Tree {
        client: u64,
        id: Id,
        name: String,
        /// The pages of it that there are.
        text: String,
    },
    /// A page wants to follow an agent: who is that?
    Known {
        client: u64,
        id: Id,
        agent: String,
    },
    /// The same, and it is followed.
    Followed {
        client: u64,
        id: Id,
        entry: Box<AgentEntry>,
    },
    /// An agent that was followed before the game was lost, by its name.
    Again {
        agent: String,
    },
    /// It is followed again.
    FollowedAgain {
        agent: String,
        entry: Box<AgentEntry>,
    },
    /// The check that the game answers, with the number of its agents.
    Statistics,
    Stops,
    Forced,
    /// A part of the table of agents.
    States,
    Breakpoints,
    /// The agents that breakpoints are for: those that were found, of these names.
    Fitting {
        names: String,
        ids: Vec<String>,
    },
    /// A tree that was saved.
    Reload {
        tree: String,
    },
    /// The outcome of a reload.
    Report {
        tree: String,
    },
    /// A text that belongs to a history which is saved.
    TextToSave {
        name: String,
        /// The pages of it that there are.
        text: String,
    },
    CatalogueToSave,
    /// Nobody waits for it.
    Nothing,
}

impl PortCall {
    /// The request of a page that waits for it.
    pub(super) fn of_page(&self) -> Option<(u64, &Id)> {
        match self {
            PortCall::Page { client, id, .. }
            | PortCall::Tree { client, id, .. }
            | PortCall::Known { client, id, .. }
            | PortCall::Followed { client, id, .. } => Some((*client, id)),
            PortCall::Again { .. }
            | PortCall::FollowedAgain { .. }
            | PortCall::Statistics
            | PortCall::Stops
            | PortCall::Forced
            | PortCall::States
            | PortCall::Breakpoints
            | PortCall::Fitting { .. }
            | PortCall::Reload { .. }
            | PortCall::Report { .. }
            | PortCall::TextToSave { .. }
            | PortCall::CatalogueToSave
            | PortCall::Nothing => None,
        }
    }
}

fn read<T: DeserializeOwned>(result: Result<Value, Error>) -> Result<T, Failure> {
    let value = result.map_err(Failure::from)?;
    serde_json::from_value(value)
        .map_err(|error| Failure::refused(format!("the game's answer is none: {error}")))
}

fn entry_of(state: &AgentState) -> AgentEntry {
    AgentEntry {
        id: state.id.clone(),
        name: state.name.clone(),
        agent_type: state.agent_type.clone(),
        tree: state.tree.clone(),
        running: state.running,
        paused: state.paused,
    }
}

impl Session {
    /// Asks the game for something; without one, whoever asks hears why.
    pub(super) fn ask(&mut self, method: &str, params: Value, ask: PortCall) {
        match &mut self.link {
            Some(link) => link.ask(method, params, ask),
            None => self.fail(ask),
        }
    }

    /// The game does not answer.
    pub(super) fn fail(&mut self, ask: PortCall) {
        if let Some((client, id)) = ask.of_page() {
            let (id, why) = (id.clone(), self.why_lost());
            self.answer::<()>(client, &id, Err(Failure::lost(why)));
        }
        match ask {
            PortCall::States => self.fail_table(),
            PortCall::Reload { tree } => self.not_reloaded(&tree, self.why_lost()),
            PortCall::Again { agent } | PortCall::FollowedAgain { agent, .. } => self.ended(&agent),
            // It is saved without.
            PortCall::TextToSave { name, .. } => self.text_to_save(&name, None),
            PortCall::CatalogueToSave => self.catalogue_to_save(Value::Null),
            PortCall::Page { .. }
            | PortCall::Tree { .. }
            | PortCall::Known { .. }
            | PortCall::Followed { .. }
            | PortCall::Statistics
            | PortCall::Stops
            | PortCall::Forced
            | PortCall::Breakpoints
            | PortCall::Fitting { .. }
            | PortCall::Report { .. }
            | PortCall::Nothing => {}
        }
    }

    /// The game has answered.
    pub(super) fn on_answer(&mut self, ask: PortCall, result: Result<Value, Error>) {
        match ask {
            PortCall::Page { client, id, method } => {
                let called = result.map(|result| CalledGame { result });
                let is_done = called.is_ok();
                self.answer(client, &id, called.map_err(Failure::from));
                if is_done && method == "agent.force" {
                    self.ask_forced();
                }
            }
            PortCall::Tree {
                client,
                id,
                name,
                text,
            } => match read::<TreeText>(result) {
                Ok(tree) => {
                    let text = text + &tree.text;
                    if let Some(page) = tree.next {
                        let params = json!({ "name": name, "page": page });
                        let call = PortCall::Tree {
                            client,
                            id,
                            name,
                            text,
                        };
                        return self.ask("tree.text", params, call);
                    }
                    self.texts.insert(name.clone(), text.clone());
                    self.say(News::Tree {
                        session: self.about.id,
                        client,
                        id,
                        name,
                        text: Some(text),
                    });
                }
                Err(failure) => self.answer::<()>(client, &id, Err(failure)),
            },
            PortCall::Known { client, id, agent } => self.known(client, &id, &agent, read(result)),
            PortCall::Followed { client, id, entry } => match read::<Value>(result) {
                Ok(_) => {
                    let agent = entry.id.clone();
                    self.begin(*entry);
                    self.follows(client, &id, &agent);
                }
                Err(failure) => self.answer::<()>(client, &id, Err(failure)),
            },
            PortCall::Again { agent } => self.found_again(&agent, read(result)),
            PortCall::FollowedAgain { agent, entry } => match result {
                Ok(_) => self.goes_on(&agent, *entry),
                Err(_) => self.ended(&agent),
            },
            PortCall::Statistics => {
                if let Ok(statistics) = read::<Statistics>(result) {
                    self.about.agents = statistics.agents as u32;
                }
            }
            PortCall::Stops => {
                if let Ok(list) = read::<StopList>(result) {
                    self.about.stops = list.stops;
                }
            }
            PortCall::Forced => {
                if let Ok(list) = read::<ForcedList>(result) {
                    let forced = list.forced.into_iter().map(|one| ForcedNode {
                        agent: one.agent,
                        tree: one.tree,
                        idx: one.idx,
                        forced: one.forced,
                    });
                    self.about.forced = forced.collect();
                }
            }
            PortCall::States => match read::<StatePage>(result) {
                Ok(page) => self.more_of_table(page),
                Err(_) => self.table.failed(),
            },
            PortCall::Breakpoints => {
                if let Err(error) = result {
                    let title = &self.about.title;
                    let why = format!("`{title}` refuses the breakpoints: {error}");
                    self.say(News::Breakpoints(why));
                }
            }
            PortCall::Fitting { names, ids } => self.fitting(names, ids, read(result)),
            PortCall::Reload { tree } => match read::<Checked>(result) {
                Ok(checked) => self.reloaded(tree, checked),
                Err(failure) => self.not_reloaded(&tree, failure.message),
            },
            PortCall::Report { tree } => {
                if let Ok(report) = read::<ReloadReport>(result) {
                    self.reported(&tree, report);
                }
            }
            PortCall::TextToSave { name, text } => match read::<TreeText>(result) {
                Ok(tree) => {
                    let text = text + &tree.text;
                    if let Some(page) = tree.next {
                        let params = json!({ "name": name, "page": page });
                        let call = PortCall::TextToSave { name, text };
                        return self.ask("tree.text", params, call);
                    }
                    self.text_to_save(&name, Some(text));
                }
                Err(_) => self.text_to_save(&name, None),
            },
            PortCall::CatalogueToSave => {
                let text = read::<CatalogueText>(result);
                self.catalogue_to_save(text.map_or(Value::Null, |it| it.catalogue));
            }
            PortCall::Nothing => {}
        }
    }

    pub(super) fn ask_forced(&mut self) {
        self.ask("agents.forced", json!({}), PortCall::Forced);
    }

    /// Asks who an agent is that a page wants to follow: the first after the id before its own.
    pub(super) fn ask_known(&mut self, client: u64, id: Id, agent: String) {
        let Ok(number) = agent.parse::<u64>() else {
            let why = format!("there is no agent {agent:?}");
            return self.answer::<()>(client, &id, Err(Failure::unknown(why)));
        };
        let params = match number.checked_sub(1) {
            Some(before) => json!({ "after": before.to_string(), "limit": 1 }),
            None => json!({ "limit": 1 }),
        };
        self.ask(
            "agents.states",
            params,
            PortCall::Known { client, id, agent },
        );
    }

    fn known(&mut self, client: u64, id: &Id, agent: &str, page: Result<StatePage, Failure>) {
        let found = page.map(|page| page.agents.into_iter().find(|state| state.id == agent));
        let state = match found {
            Ok(Some(state)) => state,
            Ok(None) => {
                let why = format!("there is no agent {agent:?}");
                return self.answer::<()>(client, id, Err(Failure::unknown(why)));
            }
            Err(failure) => return self.answer::<()>(client, id, Err(failure)),
        };
        let entry = Box::new(entry_of(&state));
        let id = id.clone();
        let params = json!({ "agent": agent, "recorded": true });
        self.ask(
            "agent.follow",
            params,
            PortCall::Followed { client, id, entry },
        );
    }

    /// Keeps what an agent does from now on.
    fn begin(&mut self, entry: AgentEntry) {
        let agent = entry.id.clone();
        let history = History::new(self.about.id, &agent, &entry.name, true);
        self.histories.entry(agent.clone()).or_insert(history);
        self.entries.insert(agent, entry);
    }

    /// Looks for the agents by name that were followed before the game was lost.
    pub(super) fn follow_again(&mut self) {
        let live = self.histories.iter().filter(|(_, history)| history.live);
        let live: Vec<_> = live
            .map(|(agent, history)| (agent.clone(), history.name.clone()))
            .collect();
        for (agent, name) in live {
            let params = json!({ "filter": name, "limit": 1000 });
            self.ask("agents.list", params, PortCall::Again { agent });
        }
    }

    fn found_again(&mut self, agent: &str, page: Result<AgentPage, Failure>) {
        let Some(history) = self.histories.get(agent) else {
            return;
        };
        let mut same: Vec<AgentEntry> = page.map(|page| page.agents).unwrap_or_default();
        same.retain(|entry| entry.name == history.name);
        same.sort_by_key(|entry| entry.id != agent);
        let Some(entry) = same.into_iter().next() else {
            return self.ended(agent);
        };
        let params = json!({ "agent": entry.id, "recorded": true });
        let (agent, entry) = (agent.to_owned(), Box::new(entry));
        self.ask(
            "agent.follow",
            params,
            PortCall::FollowedAgain { agent, entry },
        );
    }

    /// An agent is followed again: in the same run of the game its history continues, in another a new one begins, and
    /// what was stays under another id.
    fn goes_on(&mut self, agent: &str, entry: AgentEntry) {
        if entry.id != agent || self.is_other_run {
            self.put_aside(agent);
        }
        let followers = self.before.get(agent).cloned().unwrap_or_default();
        let id = entry.id.clone();
        self.begin(entry);
        if let Some(history) = self.histories.get_mut(&id) {
            history.reconnected();
            history.followers.extend(followers);
            history.is_news = true;
            if !history.followers.is_empty() {
                history.left = None;
            }
        }
        self.follows_changed();
    }

    /// No more records of an agent come.
    pub(super) fn ended(&mut self, agent: &str) {
        if let Some(history) = self.histories.get_mut(agent) {
            history.live = false;
            history.is_news = true;
        }
        self.follows_changed();
    }

    /// Keeps a history under another id: the next run of the game has agents of the same ids.
    pub(super) fn put_aside(&mut self, agent: &str) {
        let Some(mut history) = self.histories.remove(agent) else {
            return;
        };
        self.before
            .insert(agent.to_owned(), history.followers.clone());
        let mut ids = (1..).map(|number| format!("{agent}~{number}"));
        let Some(id) = ids.find(|id| !self.histories.contains_key(id)) else {
            return;
        };
        history.agent.clone_from(&id);
        history.live = false;
        history.is_news = true;
        if let Some(entry) = self.entries.get(agent).cloned() {
            self.entries.insert(
                id.clone(),
                AgentEntry {
                    id: id.clone(),
                    ..entry
                },
            );
        }
        for filter in &mut self.filters {
            if filter.asked.agent == agent {
                filter.asked.agent.clone_from(&id);
            }
        }
        self.histories.insert(id, history);
    }
}
