//! The requests of pages to a session.

use std::time::Instant;

use bt_live::client::Client;
use bt_live::protocol::envelope::Id;
use bt_live::protocol::types::AgentEntry;
use bt_live::protocol::{Error, ErrorCode};
use bt_meta::values::{Valued, evaluated, operands};
use serde_json::json;

use super::News;
use super::filter::{Filter, Search, Searched};
use super::history::History;
use super::port_calls::PortCall;
use super::session::Session;
use crate::protocol::{
    CallGame, CalledGame, Done, Failure, FilterRows, FindRow, FoundRow, GetValues, Moment, Request,
    SessionKind, ValueOf, Values,
};

/// The methods that the studio calls at a game itself.
const OWN: [&str; 4] = ["hello", "agent.follow", "agent.unfollow", "breakpoints.set"];

/// So many filters there are at once.
const FILTERS: usize = 8;

/// So many searches wait at once.
const SEARCHES: usize = 32;

/// So many expressions are evaluated at once.
const EXPRESSIONS: usize = 200;

/// A search that a page waits for.
#[derive(Debug)]
pub(super) struct Searching {
    pub(super) client: u64,
    id: Id,
    agent: String,
    search: Search,
}

impl Session {
    pub(super) fn asked(&mut self, client: u64, id: Id, request: Request) {
        match request {
            Request::CallGame(asked) => self.call(client, id, asked),
            Request::GetGameTree(asked) => self.tree(client, id, asked.name),
            Request::ListAgents(asked) => self.ask_table(client, id, asked),
            Request::FollowAgent(asked) => self.follow(client, id, &asked.agent),
            Request::FindRow(asked) => self.find(client, id, &asked),
            request => {
                let result = self.looked_up(client, request);
                let text = crate::studio::answer(Some(id), result);
                self.say(News::Tell(client, text));
            }
        }
    }

    /// Answers a request that can be answered at once.
    fn looked_up(&mut self, client: u64, request: Request) -> Result<serde_json::Value, Failure> {
        fn value<T: serde::Serialize>(result: T) -> Result<serde_json::Value, Failure> {
            serde_json::to_value(result).map_err(Failure::refused)
        }
        match request {
            Request::UnfollowAgent(asked) => {
                if let Some(history) = self.histories.get_mut(&asked.agent) {
                    history.followers.remove(&client);
                    if history.followers.is_empty() {
                        self.unfollow(&asked.agent);
                    }
                }
                value(Done {})
            }
            Request::GetPolls(asked) => {
                let history = self.history(&asked.agent)?;
                value(history.poll_rows(asked.from, asked.at, asked.count))
            }
            Request::GetTimeline(asked) => {
                let history = self.history(&asked.agent)?;
                value(history.timeline(asked.from, asked.to, asked.buckets))
            }
            Request::GetRows(asked) => {
                self.history(&asked.agent)?;
                let mut file = self.file.as_mut().and_then(Client::recording);
                let Some(history) = self.histories.get_mut(&asked.agent) else {
                    return Err(unknown(&asked.agent));
                };
                let (from, at, count) = (asked.from, asked.at, asked.count);
                let Some(filter) = asked.filter else {
                    return value(history.rows(from, at, count, file)?);
                };
                let filter = filter_of(&self.filters, filter, &asked.agent)?;
                value(history.filtered_rows(filter, from, at, count, file.take())?)
            }
            Request::FilterRows(asked) => value(self.filter(client, asked)?),
            Request::GetMoment(asked) => {
                let stop = self
                    .about
                    .stops
                    .iter()
                    .find(|stop| stop.agent == asked.agent);
                let stop = stop.cloned().filter(|_| asked.at.is_none());
                let mut moment = self.moment(&asked.agent, asked.at)?;
                moment.picture.stop = stop;
                value(moment)
            }
            Request::GetValues(asked) => {
                let count = asked.texts.len();
                if count > EXPRESSIONS {
                    let why = format!(
                        "expected at most {EXPRESSIONS} expressions at once, found {count}"
                    );
                    return Err(Failure::limit(why));
                }
                let moment = self.moment(&asked.agent, asked.at)?;
                value(values(&moment, &asked))
            }
            Request::FindCause(asked) => {
                self.history(&asked.agent)?;
                let file = self.file.as_mut().and_then(Client::recording);
                let Some(history) = self.histories.get_mut(&asked.agent) else {
                    return Err(unknown(&asked.agent));
                };
                value(history.cause(&asked, file)?)
            }
            Request::CommentRow(asked) => value(self.comment(&asked)?),
            _ => Err(Failure::refused("this is not for a session")),
        }
    }

    fn call(&mut self, client: u64, id: Id, asked: CallGame) {
        let CallGame { method, params, .. } = asked;
        if OWN.contains(&method.as_str()) {
            let why = format!(
                "`{method}` is the studio's own to say: use `game.follow`, `game.unfollow` or `breakpoints.put`"
            );
            return self.answer::<()>(client, &id, Err(Failure::refused(why)));
        }
        if let Some(file) = &mut self.file {
            let result = file.call_by_name(&method, params);
            let result = result.map(|result| CalledGame { result });
            let result = result.map_err(|error| match error {
                bt_live::client::ClientError::Refused(error) => Failure::from(error),
                error => Failure::refused(error),
            });
            return self.answer(client, &id, result);
        }
        if self.about.kind != SessionKind::Game {
            let why = format!("this is a log: it has no `{method}`");
            let failure = Error::new(ErrorCode::ReadOnly, why).into();
            return self.answer::<()>(client, &id, Err(failure));
        }
        let ask = PortCall::Page {
            client,
            id,
            method: method.clone(),
        };
        self.ask(&method, params, ask);
    }

    fn tree(&mut self, client: u64, id: Id, name: String) {
        let known = self.texts.get(&name).cloned();
        if known.is_none() && self.about.kind == SessionKind::Game {
            let params = json!({ "name": name });
            let text = String::new();
            let call = PortCall::Tree {
                client,
                id,
                name,
                text,
            };
            return self.ask("tree.text", params, call);
        }
        self.say(News::Tree {
            session: self.about.id,
            client,
            id,
            name,
            text: known,
        });
    }

    fn moment(&mut self, agent: &str, at: Option<u64>) -> Result<Moment, Failure> {
        let entry = self.entry(agent);
        let file = self.file.as_mut().and_then(Client::recording);
        let history = self.histories.get_mut(agent);
        history
            .ok_or_else(|| unknown(agent))?
            .moment(at, file, entry)
    }

    fn history(&self, agent: &str) -> Result<&History, Failure> {
        self.histories.get(agent).ok_or_else(|| unknown(agent))
    }

    fn entry(&self, agent: &str) -> AgentEntry {
        let entry = self.entries.get(agent).cloned();
        entry.unwrap_or_else(|| AgentEntry {
            id: agent.to_owned(),
            name: agent.to_owned(),
            ..AgentEntry::default()
        })
    }

    fn follow(&mut self, client: u64, id: Id, agent: &str) {
        if self.histories.contains_key(agent) {
            return self.follows(client, &id, agent);
        }
        if self.about.kind == SessionKind::Game {
            return self.ask_known(client, id, agent.to_owned());
        }
        let entry = self.entries.get(agent).cloned();
        let number = agent.parse();
        let file = self.file.as_mut().and_then(Client::recording);
        let (Some(entry), Ok(number), Some(file)) = (entry, number, file) else {
            let why = format!("there is no agent {agent:?} in the file");
            return self.answer::<()>(client, &id, Err(Failure::unknown(why)));
        };
        let parts = file.parts(number);
        let mut history = History::of_parts(self.about.id, agent, &entry.name, parts);
        history.comments = self.kept_comments(agent);
        self.histories.insert(agent.to_owned(), history);
        self.follows(client, &id, agent);
    }

    /// A page follows an agent whose history there is.
    pub(super) fn follows(&mut self, client: u64, id: &Id, agent: &str) {
        let Some(history) = self.histories.get_mut(agent) else {
            return;
        };
        history.followers.insert(client);
        history.left = None;
        let shown = history.shown();
        self.follows_changed();
        self.answer(client, id, Ok(shown));
    }

    fn filter(
        &mut self,
        client: u64,
        asked: FilterRows,
    ) -> Result<crate::protocol::Filtered, Failure> {
        let agent = asked.agent.clone();
        self.history(&agent)?;
        if asked.include.len() + asked.exclude.len() + asked.cmds.len() > 100 {
            return Err(Failure::limit(
                "a filter has at most 100 texts and commands",
            ));
        }
        if self.filters.len() >= FILTERS {
            self.filters.pop_front();
        }
        let mut filter = Filter::new(self.next_filter, client, asked);
        self.next_filter += 1;
        let file = self.file.as_mut().and_then(Client::recording);
        let Some(history) = self.histories.get_mut(&agent) else {
            return Err(unknown(&agent));
        };
        let now = Instant::now();
        filter
            .look_on(history, file, now)
            .map_err(Failure::refused)?;
        let shown = filter.shown(history);
        self.filters.push_back(filter);
        Ok(shown)
    }

    fn find(&mut self, client: u64, id: Id, asked: &FindRow) {
        let search = self.history(&asked.agent).and_then(|history| {
            let filter = asked.filter;
            let filter = filter.map(|filter| filter_of(&self.filters, filter, &asked.agent));
            Ok(Search::new(asked, history, filter.transpose()?))
        });
        match search {
            Err(failure) => self.answer::<()>(client, &id, Err(failure)),
            Ok(_) if self.searches.len() >= SEARCHES => {
                let why = format!("{SEARCHES} searches are under way, which is the most");
                self.answer::<()>(client, &id, Err(Failure::limit(why)));
            }
            Ok(search) => {
                // Who asks again looks for something else.
                self.searches.retain(|other| other.client != client);
                self.searches.push(Searching {
                    client,
                    id,
                    agent: asked.agent.clone(),
                    search,
                });
            }
        }
    }

    /// Goes on with searches until a time.
    pub(super) fn search_on(&mut self, until: Instant) {
        let mut later = Vec::new();
        for mut searching in std::mem::take(&mut self.searches) {
            let (client, agent) = (searching.client, searching.agent.clone());
            let filter = searching.search.filter;
            let filter = filter.and_then(|id| self.filters.iter().find(|it| it.id == id));
            let mut file = self.file.as_mut().and_then(Client::recording);
            let Some(history) = self.histories.get_mut(&agent) else {
                self.answer::<()>(client, &searching.id, Err(unknown(&agent)));
                continue;
            };
            let looked = searching
                .search
                .look_on(history, filter, file.as_deref_mut(), until);
            let result = match looked {
                Ok(Searched::Later) => {
                    later.push(searching);
                    continue;
                }
                Ok(Searched::Nowhere) => Ok(FoundRow::default()),
                Ok(Searched::Found(no, place)) => history.row(no, file).map(|row| FoundRow {
                    row,
                    place: Some(place.unwrap_or(no)),
                }),
                Err(error) => Err(Failure::refused(error)),
            };
            self.answer(client, &searching.id, result);
        }
        self.searches.append(&mut later);
    }
}

/// The values of expressions at a moment, as a tree that runs then sees them.
fn values(moment: &Moment, asked: &GetValues) -> Values {
    let picture = &moment.picture;
    let of_tree = |tree: &String| {
        let mut active = picture.active.iter().rev();
        active.find(|node| node.tree == *tree).map(|node| node.run)
    };
    let run = asked.tree.as_ref().and_then(of_tree);
    let of = |text: &str, valued: Valued, operands: Vec<ValueOf>| {
        let text = text.to_owned();
        let (value, mistake) = match valued {
            Ok(value) => (Some(value), None),
            Err(mistake) => (None, Some(mistake)),
        };
        ValueOf {
            text,
            value,
            mistake,
            operands,
        }
    };
    let all = asked.texts.iter().map(|text| {
        let parts = operands(text, picture, run).into_iter();
        let parts = parts.map(|(part, valued)| of(&part, valued, Vec::new()));
        of(text, evaluated(text, picture, run), parts.collect())
    });
    Values {
        at: moment.at,
        values: all.collect(),
    }
}

fn unknown(agent: &str) -> Failure {
    let agent: String = agent.chars().take(60).collect();
    Failure::unknown(format!(
        "agent {agent:?} is not followed: ask for `game.follow` first"
    ))
}

fn filter_of<'f>(
    all: &'f std::collections::VecDeque<Filter>,
    id: u32,
    agent: &str,
) -> Result<&'f Filter, Failure> {
    let found = all.iter().find(|it| it.id == id && it.asked.agent == agent);
    found.ok_or_else(|| {
        Failure::unknown(format!(
            "filter {id} is gone, or of another agent: ask for `game.filter` again"
        ))
    })
}
