//! A session of a running game: what the game says, how it is lost and found again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bt_live::client::{ClientError, Message};
use bt_live::protocol::Event as PortEvent;
use bt_live::protocol::types::Welcome;
use bt_live::recording::Scan;
use serde_json::json;

use super::history::{History, Refused};
use super::link::{Link, connect_later};
use super::port_calls::PortCall;
use super::session::{Session, now};
use super::{Connected, News, Source};
use crate::protocol::{self, Failure, GameEvent, GameInfo, SessionState, SessionTree};

/// The time that a session waits for a game before it looks for requests.
const WAIT: Duration = Duration::from_millis(5);

/// The number of times that a game is checked for an answer.
const PULSE: Duration = Duration::from_secs(1);

impl Session {
    pub(super) fn welcome(&mut self, welcome: Welcome) {
        let trees = welcome.trees.into_iter();
        self.about.trees = trees
            .map(|(name, hash)| {
                let tree = SessionTree {
                    hash,
                    ..SessionTree::default()
                };
                (name, tree)
            })
            .collect();
        self.about.read_only = welcome.read_only;
        self.about.speed = welcome.speed;
        self.about.game = Some(GameInfo {
            game: welcome.game,
            bt_live: welcome.bt_live,
            crates: welcome.crates,
            catalogue: welcome.catalogue,
        });
    }

    /// The game was reached.
    pub(super) fn connected(&mut self, connected: Connected) {
        let run = (connected.token_file.clone(), connected.said.clone());
        let before = self.last_run.replace(run.clone());
        self.is_other_run = before.as_ref().is_some_and(|before| *before != run);
        let link = Link::new(connected);
        self.welcome(link.client().welcome().clone());
        self.link = Some(link);
        self.texts.clear();
        self.about.stops.clear();
        self.about.forced.clear();
        self.table.forget();
        self.points.forget();
        self.about.restarts += u32::from(self.is_other_run);
        self.stands(SessionState::Attached, None);
        self.set_breakpoints();
        self.ask("statistics", json!({}), PortCall::Statistics);
        self.ask("agents.stopped", json!({}), PortCall::Stops);
        self.ask_forced();
        if before.is_some() {
            self.follow_again();
        }
        self.is_there();
    }

    /// The game is gone: it is looked for.
    pub(super) fn lost(&mut self, why: &str) {
        self.stands(SessionState::Lost, Some(why.to_owned()));
        if let Some(link) = self.link.take() {
            for ask in link.end() {
                // Those that were looked for again are looked for when it is back.
                if !matches!(ask, PortCall::Again { .. } | PortCall::FollowedAgain { .. }) {
                    self.fail(ask);
                }
            }
        }
        self.about.stops.clear();
        for history in self.histories.values_mut() {
            history.is_news = true;
        }
        if let Source::Game(token_file) = &self.source {
            let (file, own) = (token_file.clone(), self.own());
            _ = connect_later(file, true, own, Arc::downgrade(&self.alive));
        }
    }

    pub(super) fn why_lost(&self) -> String {
        let why = self.about.why.as_deref().unwrap_or("it is not there");
        format!("the game `{}` does not answer: {why}", self.about.title)
    }

    pub(super) fn stands(&mut self, state: SessionState, why: Option<String>) {
        if self.about.state != state {
            self.about.since = now();
        }
        (self.about.state, self.about.why) = (state, why);
    }

    /// Takes what the game says.
    pub(super) fn listen(&mut self) {
        let has_work = self.has_work();
        let Some(link) = &mut self.link else { return };
        let until = Instant::now() + WAIT;
        let mut wait = if has_work { Duration::ZERO } else { WAIT };
        let mut heard = link.send().map(|()| Vec::new());
        while let (Ok(all), Some(link)) = (&mut heard, &mut self.link) {
            match link.hear(wait) {
                Ok(Some(message)) => all.push(message),
                Ok(None) => break,
                Err(error) => {
                    let before = std::mem::take(all);
                    self.hear_all(before);
                    heard = Err(error);
                    break;
                }
            }
            wait = Duration::ZERO;
            if Instant::now() >= until || all.len() >= 1_000 {
                break;
            }
        }
        match heard {
            Ok(all) => self.hear_all(all),
            Err(error) => self.lost(&gone(&error)),
        }
    }

    fn hear_all(&mut self, all: Vec<Message>) {
        for message in all {
            match message {
                Message::Event(event) => self.event(&event),
                Message::Records(bytes) => self.records(bytes),
                Message::Answer(number, result) => {
                    let ask = self.link.as_mut().and_then(|link| link.answered(number));
                    if let Some(ask) = ask {
                        self.on_answer(ask, result);
                    }
                }
            }
        }
    }

    fn records(&mut self, bytes: Vec<u8>) {
        let agent = Scan::of(&bytes).map(|scan| scan.agent().to_owned());
        let Ok(agent) = agent else { return };
        let Some(history) = self.histories.get_mut(&agent) else {
            return;
        };
        if history.add(bytes.clone()) == Err(Refused::Restarted) {
            self.put_aside(&agent);
            if let Some(entry) = self.entries.get(&agent).cloned() {
                let mut history = History::new(self.about.id, &agent, &entry.name, true);
                history.followers = self.before.get(&agent).cloned().unwrap_or_default();
                history.left = None;
                _ = history.add(bytes);
                self.histories.insert(agent, history);
            }
            self.follows_changed();
        }
    }

    fn event(&mut self, event: &PortEvent) {
        match event {
            PortEvent::StopEntry(stop) => {
                self.about.stops.retain(|other| other.agent != stop.agent);
                self.about.stops.push(stop.clone());
                if let Some(history) = self.histories.get_mut(&stop.agent) {
                    history.stopped();
                }
            }
            PortEvent::Continued(continued) => {
                self.about
                    .stops
                    .retain(|stop| stop.agent != continued.agent);
            }
            PortEvent::Despawned(gone) => {
                self.about.stops.retain(|stop| stop.agent != gone.agent);
                self.ended(&gone.agent);
            }
            PortEvent::Dropped(dropped) => {
                if let Some(history) = self.histories.get_mut(&dropped.agent) {
                    history.missed(dropped.records);
                }
            }
            PortEvent::Reloaded(reloaded) => {
                self.texts.clear();
                self.about.trees = reloaded
                    .trees
                    .iter()
                    .map(|(name, hash)| {
                        let tree = SessionTree {
                            hash: hash.clone(),
                            ..SessionTree::default()
                        };
                        (name.clone(), tree)
                    })
                    .collect();
                self.ask_forced();
            }
            PortEvent::SpeedChanged(changed) => self.about.speed = changed.speed,
            _ => {}
        }
        let Ok(mut said) = serde_json::to_value(event) else {
            return;
        };
        let event = GameEvent {
            session: self.about.id,
            event: said["method"].as_str().unwrap_or_default().to_owned(),
            params: said["params"].take(),
        };
        self.say(News::TellAll(Box::new(protocol::Event::GameEvent(event))));
    }

    /// Asks the game whether it is there, and notices when it is not.
    pub(super) fn look_after_game(&mut self, now: Instant) {
        let Some(link) = &mut self.link else { return };
        let late = link.late();
        let silence = link.silence();
        let is_idle = link.is_idle();
        if is_idle && now >= self.next_pulse {
            self.next_pulse = now + PULSE;
            self.ask("statistics", json!({}), PortCall::Statistics);
            // One that dies while it is stopped says nothing, unless it is followed.
            if !self.about.stops.is_empty() {
                self.ask("agents.stopped", json!({}), PortCall::Stops);
            }
            self.ask_fitting();
        }
        for ask in late {
            match ask.of_page() {
                Some((client, id)) => {
                    let failure = Failure::lost(ClientError::NoAnswer);
                    self.answer::<()>(client, id, Err(failure));
                }
                None => self.fail(ask),
            }
        }
        match silence {
            Some(_) if self.about.state == SessionState::Attached => {
                let why = "it may stand in a debugger, or not poll its port";
                self.stands(SessionState::Lost, Some(why.to_owned()));
            }
            None if self.about.state == SessionState::Lost => {
                self.stands(SessionState::Attached, None);
            }
            _ => {}
        }
    }
}

/// The reason why a game is gone, in words.
fn gone(error: &ClientError) -> String {
    match error {
        ClientError::Socket(_) => "it has ended, or closed its port".to_owned(),
        error => error.to_string(),
    }
}
