//! A recording that answers as a game does that nobody can change.

use std::collections::{BTreeSet, VecDeque};

use serde::Serialize;
use serde_json::Value;

use super::error::ClientError;
use super::message::Message;
use crate::protocol::types::*;
use crate::protocol::{Error, ErrorCode, Request, hash};
use crate::recording::{Part, Recording};
use crate::shown::{shown, tree};

pub(super) struct File {
    pub(super) recording: Recording,
    followed: BTreeSet<u64>,
    /// The parts that are still to be given of those.
    parts: VecDeque<Part>,
    /// The answers that were not received yet.
    answers: VecDeque<(u64, Result<Value, Error>)>,
    asked: u64,
}

impl File {
    pub(super) fn of(file: std::fs::File) -> Result<File, ClientError> {
        Ok(File {
            recording: Recording::of(file).map_err(ClientError::Recording)?,
            followed: BTreeSet::new(),
            parts: VecDeque::new(),
            answers: VecDeque::new(),
            asked: 0,
        })
    }

    pub(super) fn welcome(&self) -> Welcome {
        self.recording.about.welcome.clone()
    }

    pub(super) fn ask(&mut self, method: &str, params: Value) -> u64 {
        self.asked += 1;
        let answer = self.call(method, params);
        self.answers.push_back((self.asked, answer));
        self.asked
    }

    pub(super) fn hear(&mut self) -> Result<Option<Message>, ClientError> {
        if let Some((asked, answer)) = self.answers.pop_front() {
            return Ok(Some(Message::Answer(asked, answer)));
        }
        let part = self.parts.pop_front();
        let message = part.map(|part| self.recording.message(part)).transpose();
        let message = message.map_err(ClientError::Recording)?;
        Ok(message.map(Message::Records))
    }

    pub(super) fn call(&mut self, method: &str, params: Value) -> Result<Value, Error> {
        match Request::read(method, params)? {
            Request::Hello(_) => value(self.welcome()),
            Request::ListAgents(asked) => value(self.list(&asked)),
            Request::GetPicture(asked) => value(self.picture(&asked)?),
            Request::Explain(asked) => value(self.explain(&asked)?),
            Request::Follow(asked) => {
                let id = self.agent(&asked.agent)?;
                if self.followed.insert(id) {
                    self.parts.extend(self.recording.parts(id));
                }
                value(Done {})
            }
            Request::Unfollow(asked) => {
                let id = self.agent(&asked.agent)?;
                self.followed.remove(&id);
                self.parts.retain(|part| part.agent() != id);
                value(Done {})
            }
            Request::ListTrees(_) => value(TreeList {
                trees: self.welcome().trees,
            }),
            Request::GetTree(asked) => value(tree(&asked.name, &self.recording.about.texts)?),
            Request::GetCatalogue(_) => {
                let catalogue = self.recording.about.catalogue.clone();
                let hash = hash(&catalogue.to_string());
                value(CatalogueText { hash, catalogue })
            }
            Request::GetStatistics(_) => value(self.statistics()),
            _ => {
                let why = format!("this is a recording: it has no `{method}`");
                Err(Error::new(ErrorCode::ReadOnly, why))
            }
        }
    }

    fn agent(&self, id: &str) -> Result<u64, Error> {
        let number = id.parse().ok();
        let number = number.filter(|id| self.recording.agents.contains_key(id));
        number.ok_or_else(|| Error::unknown(format!("there is no agent {id:?} in the recording")))
    }

    fn list(&self, asked: &ListAgents) -> AgentPage {
        let filter = asked.filter.as_deref().unwrap_or("");
        let after: Option<u64> = asked.after.as_ref().and_then(|id| id.parse().ok());
        let limit = asked.limit.unwrap_or(100).clamp(1, 1_000) as usize;
        let later = self.recording.agents.iter();
        let later = later.filter(|(id, _)| after.is_none_or(|after| **id > after));
        let mut found = later.filter(|(_, agent)| {
            let texts = [&agent.name, &agent.agent_type, &agent.tree];
            texts.iter().any(|text| text.contains(filter))
        });
        let agents: Vec<_> = found
            .by_ref()
            .take(limit)
            .map(|(_, it)| it.clone())
            .collect();
        let next = found.next().and_then(|_| Some(agents.last()?.id.clone()));
        AgentPage { agents, next }
    }

    /// The time that is meant: the end of the agent's records if none is said.
    fn time(&self, agent: u64, at: Option<u64>) -> Result<u64, Error> {
        let (begin, end) = self.recording.times(agent).unwrap_or_default();
        let at = at.unwrap_or(end);
        if at >= begin {
            return Ok(at);
        }
        let [at, begin, end] = [at, begin, end].map(|ns| ns as f64 / 1e9);
        Err(Error::refused(format!(
            "nothing is recorded of the agent at {at} s: its records are from {begin} s to {end} s on the game's clock"
        )))
    }

    fn picture(&mut self, asked: &GetPicture) -> Result<AgentPicture, Error> {
        let id = self.agent(&asked.agent)?;
        let at = self.time(id, asked.at)?;
        let replay = self.recording.replay(id, at).map_err(Error::refused)?;
        let agent = self.recording.agents[&id].clone();
        Ok(shown(agent, replay.picture().clone()))
    }

    fn explain(&mut self, asked: &Explain) -> Result<Explained, Error> {
        let id = self.agent(&asked.agent)?;
        let at = self.time(id, asked.at)?;
        let explanation = self.recording.explain(id, at).map_err(Error::refused)?;
        let none = || Error::refused("the recording does not say why the agent waits then");
        let explanation = explanation.ok_or_else(none)?;
        Ok(Explained {
            text: explanation.to_string(),
            explanation: value(&explanation)?,
            cut: Vec::new(),
        })
    }

    fn statistics(&self) -> Statistics {
        let agents = self.recording.agents.keys();
        Statistics {
            agents: self.recording.agents.len() as u64,
            records: agents.map(|id| self.recording.count(*id)).sum(),
            ..Statistics::default()
        }
    }
}

fn value<T: Serialize>(result: T) -> Result<Value, Error> {
    serde_json::to_value(result).map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))
}
