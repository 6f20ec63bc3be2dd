//! The things that clients make stand still: they run again when the clients go.

use std::collections::{BTreeMap, BTreeSet};

use super::Port;
use super::answers::{change, look, number};
use super::game::Game;
use super::limits::LOOKED_AT;
use super::task::Clock;
use crate::protocol::types::{Pause, SetSpeed, SpeedChanged};
use crate::protocol::{Error, ErrorCode, Event};

/// The speed at which time passes, and the agents that are paused.
#[derive(Debug)]
pub(super) struct Frozen {
    /// The speed at which clients want the game's time to pass.
    pub(super) speed: f64,
    /// The speed at which it passes once the client is gone that wants another speed.
    lasting: f64,
    /// The client that wants another speed.
    setter: Option<u64>,
    /// The agents that clients have paused, each with these.
    paused: BTreeMap<u64, BTreeSet<u64>>,
    /// Those whose clients are gone.
    to_resume: Vec<u64>,
}

impl Frozen {
    pub(super) fn new(speed: f64) -> Frozen {
        Frozen {
            speed,
            lasting: speed,
            setter: None,
            paused: BTreeMap::new(),
            to_resume: Vec::new(),
        }
    }

    /// A client is gone; whether time passes at another speed.
    pub(super) fn leave(&mut self, client: u64) -> bool {
        let gone = self.paused.extract_if(.., |_, clients| {
            clients.remove(&client) && clients.is_empty()
        });
        self.to_resume.extend(gone.map(|(agent, _)| agent));
        self.setter
            .take_if(|setter| *setter == client)
            .is_some_and(|_| {
                let differs = self.speed.to_bits() != self.lasting.to_bits();
                self.speed = self.lasting;
                differs
            })
    }

    /// Resumes the agents whose clients are gone.
    pub(super) fn thaw(&mut self, game: &mut dyn Game, clock: Clock) {
        while let Some(agent) = self.to_resume.pop() {
            game.change(agent, &mut |subject| {
                if subject.view().is_paused() {
                    subject.resume();
                }
            });
            if clock.is_over() {
                return;
            }
        }
    }
}

impl Port {
    /// Lets time pass at another speed, for as long as the client is there that wants it, or for good.
    pub(super) fn set_speed(&mut self, speed: f64, client: Option<u64>) {
        self.frozen.speed = speed;
        self.frozen.setter = client;
        if client.is_none() {
            self.frozen.lasting = speed;
        }
        self.tell_speed();
    }

    pub(super) fn tell_speed(&mut self) {
        let speed = self.frozen.speed;
        self.outlets
            .tell_all(&Event::SpeedChanged(SpeedChanged { speed }));
    }

    pub(super) fn change_speed(&mut self, client: u64, asked: &SetSpeed) -> Result<(), Error> {
        if !(0.0..=16.0).contains(&asked.speed) {
            let why = format!("a speed is a number from 0 to 16, not {}", asked.speed);
            return Err(Error::new(ErrorCode::Params, why));
        }
        self.set_speed(asked.speed, (!asked.keep).then_some(client));
        Ok(())
    }

    pub(super) fn pause(
        &mut self,
        client: u64,
        asked: &Pause,
        game: &mut dyn Game,
    ) -> Result<(), Error> {
        let id = number(&asked.agent)?;
        let is_paused = look(id, game, |view| view.is_paused())?;
        let paused = &mut self.frozen.paused;
        // One that the host has paused, or a client for good, stays so.
        let is_own = !asked.keep && (!is_paused || paused.contains_key(&id));
        if is_own && paused.len() >= LOOKED_AT {
            paused.retain(|id, _| game.look(*id, &mut |_| {}));
        }
        if is_own && paused.len() >= LOOKED_AT && !paused.contains_key(&id) {
            let why = format!(
                "clients have paused {LOOKED_AT} agents: no more than that is possible, but with `keep`"
            );
            return Err(Error::new(ErrorCode::Limit, why));
        }
        change(&asked.agent, game, |it| it.pause())?;
        match is_own {
            true => _ = paused.entry(id).or_default().insert(client),
            false => _ = asked.keep.then(|| paused.remove(&id)),
        }
        Ok(())
    }

    pub(super) fn resume(&mut self, agent: &str, game: &mut dyn Game) -> Result<(), Error> {
        change(agent, game, |it| it.resume())?;
        self.frozen.paused.remove(&number(agent)?);
        Ok(())
    }
}
