//! The answer to each request.

use bt_core::Outcome;
use bt_core::text::cut::weight;
use serde_json::Value;

use super::game::{Game, Subject, View};
use super::ledger::named;
use super::limits::WRITTEN_BYTES;
use super::task::{Answered, Step, done, steps, to_json};
use super::{Port, debugging, looks, pages, profiles, recorded, trees};
use crate::protocol::types::*;
use crate::protocol::{Error, ErrorCode, Request};

impl Port {
    /// Begins what a request asks for, and ends it if it takes no time.
    pub(super) fn begin(&mut self, client: u64, request: Request, game: &mut dyn Game) -> Step {
        self.try_begin(client, request, game)
            .unwrap_or_else(|error| Step::Done(Err(error)))
    }

    fn try_begin(
        &mut self,
        client: u64,
        request: Request,
        game: &mut dyn Game,
    ) -> Result<Step, Error> {
        let answer = match request {
            Request::Hello(_) => return Ok(trees::hello(self, game)),
            Request::ListAgents(asked) => return pages::list(asked),
            Request::ListStates(asked) => return pages::states(&asked),
            Request::ListForced(_) => return Ok(pages::forced()),
            Request::GetReloadReport(_) => return Ok(pages::report(self)),
            Request::GetPicture(asked) => return looks::picture(asked.agent, game),
            Request::GetValue(asked) => looks::value(&asked, game),
            Request::Explain(asked) => looks::explain(&asked.agent, game),
            Request::Follow(asked) => {
                let id = number(&asked.agent)?;
                self.watched.follow(client, id, asked.recorded, game)?;
                done()
            }
            Request::Unfollow(asked) => {
                self.watched.unfollow(client, number(&asked.agent)?);
                done()
            }
            Request::ListTrees(_) => return Ok(trees::list(game)),
            Request::GetTree(asked) => return Ok(trees::text(asked, game)),
            Request::CheckTrees(asked) => return trees::check(asked.trees, game),
            Request::ReloadTrees(asked) => return trees::reload(asked.trees, game),
            Request::GetCatalogue(_) => return Ok(trees::catalogue(game)),
            Request::GetStatistics(_) => to_json(&self.statistics()),
            Request::StartProfile(asked) => return profiles::start(client, asked),
            Request::GetProfile(_) => return profiles::get(self, false),
            Request::StopProfile(_) => return profiles::get(self, true),
            Request::SetKey(asked) => self.set_key(&asked, game),
            Request::SetProperty(asked) => self.set_property(&asked, game),
            Request::Fire(asked) => self.fire(&asked, game),
            Request::CallAction(asked) => call(&asked, game),
            Request::Finish(asked) => finish(&asked, game),
            Request::Start(asked) => change(&asked.agent, game, |it| it.start()).and_then(said),
            Request::Stop(asked) => change(&asked.agent, game, |it| it.stop()).and_then(said),
            Request::Reset(asked) => change(&asked.agent, game, |it| it.reset()).and_then(said),
            Request::Load(asked) => {
                change(&asked.agent, game, |it| it.load(&asked.tree))?.and_then(said)
            }
            Request::Pause(asked) => self.pause(client, &asked, game).and_then(said),
            Request::Resume(asked) => self.resume(&asked.agent, game).and_then(said),
            Request::SetBreakpoints(asked) => {
                let list = self.debugging.set(client, asked, game)?;
                let mut list = Some(to_json(&list));
                return Ok(steps(move |port, _, _| {
                    list.take_if(|_| port.debugging.is_placed())
                }));
            }
            Request::ListBreakpoints(_) => to_json(&self.debugging.list(client)),
            Request::ListStops(_) => return Ok(pages::stops()),
            Request::Break(asked) => {
                let id = number(&asked.agent)?;
                self.debugging.stop_next(client, id, game).and_then(said)
            }
            Request::Step(asked) => self.debugging.step(client, asked, game).and_then(said),
            Request::Force(asked) => self.force(&asked, game),
            Request::SetSpeed(asked) => self.change_speed(client, &asked).and_then(said),
            Request::StartRecording(asked) => return recorded::start(self, client, asked, game),
            Request::StopRecording(asked) => return recorded::stop(self, asked.name),
            Request::ListRecordings(_) | Request::FetchRecording(_) => {
                let why = "the sockets' thread answers this";
                Err(Error::new(ErrorCode::Internal, why))
            }
        };
        answer.map(|answer| Step::Done(Ok(answer)))
    }

    fn set_key(&mut self, asked: &SetKey, game: &mut dyn Game) -> Answered {
        named("a key", &asked.key)?;
        let bytes = weight(&asked.value, WRITTEN_BYTES);
        let what = format!("key {}", asked.key);
        self.ledger.put(number(&asked.agent)?, what, bytes, game)?;
        change(&asked.agent, game, |it| {
            it.set_key(&asked.key, asked.value.clone())
        })??;
        done()
    }

    fn set_property(&mut self, asked: &SetProperty, game: &mut dyn Game) -> Answered {
        named("a property", &asked.property)?;
        let bytes = weight(&asked.value, WRITTEN_BYTES);
        let what = format!("property {}", asked.property);
        self.ledger.put(number(&asked.agent)?, what, bytes, game)?;
        change(&asked.agent, game, |it| {
            it.set_property(&asked.property, &asked.value)
        })??;
        done()
    }

    fn fire(&mut self, asked: &Fire, game: &mut dyn Game) -> Answered {
        named("an event", &asked.event)?;
        let params = asked.params.iter();
        let bytes = params.map(|(name, value)| name.len() + weight(value, WRITTEN_BYTES));
        let bytes = bytes.sum::<usize>() + asked.event.len();
        self.ledger.fire(number(&asked.agent)?, bytes, game)?;
        change(&asked.agent, game, |it| {
            it.fire(&asked.event, &asked.params)
        })??;
        done()
    }

    fn force(&mut self, asked: &Force, game: &mut dyn Game) -> Answered {
        let forced = debugging::forced(asked.forced.as_deref())?;
        named("a tree", &asked.tree)?;
        let id = number(&asked.agent)?;
        let what = format!("node {} {}", asked.idx, asked.tree);
        if forced.is_some() {
            self.ledger.put(id, what.clone(), 0, game)?;
        }
        change(&asked.agent, game, |it| {
            it.force(&asked.tree, asked.idx, forced)
        })??;
        if forced.is_none() {
            self.ledger.remove(id, &what);
        }
        done()
    }
}

fn call(asked: &CallAction, game: &mut dyn Game) -> Answered {
    let none = Value::Array(Vec::new());
    let args = match &asked.args {
        Value::Null => &none,
        args => args,
    };
    let outcome = change(&asked.agent, game, |it| it.call(&asked.action, args))??;
    let outcome = match outcome {
        Outcome::Done(true) => "success",
        Outcome::Done(false) => "failure",
        Outcome::Pending | Outcome::Running | Outcome::Run => "pending",
    };
    let outcome = outcome.to_owned();
    to_json(&CallOutcome { outcome })
}

fn finish(asked: &Finish, game: &mut dyn Game) -> Answered {
    let finish = |it: &mut dyn Subject| it.finish(&asked.tree, asked.idx, asked.success);
    if change(&asked.agent, game, finish)? {
        return done();
    }
    let tree: String = asked.tree.chars().take(60).collect();
    let why = format!("node {} of `{tree}` is no leaf that waits", asked.idx);
    Err(Error::unknown(why))
}

fn said((): ()) -> Answered {
    done()
}

pub(super) fn number(id: &str) -> Result<u64, Error> {
    id.parse().map_err(|_| unknown_agent(id))
}

pub(super) fn unknown_agent(id: &str) -> Error {
    let id: String = id.chars().take(60).collect();
    Error::unknown(format!("there is no agent {id:?}"))
}

/// Lends an agent, to look at.
pub(super) fn look<T>(
    id: u64,
    game: &mut dyn Game,
    see: impl Fn(&dyn View) -> T,
) -> Result<T, Error> {
    let mut seen = None;
    game.look(id, &mut |view| seen = Some(see(view)));
    seen.ok_or_else(|| unknown_agent(&id.to_string()))
}

/// Lends an agent, to change.
pub(super) fn change<T>(
    agent: &str,
    game: &mut dyn Game,
    mut change: impl FnMut(&mut dyn Subject) -> T,
) -> Result<T, Error> {
    let mut changed = None;
    game.change(number(agent)?, &mut |subject| {
        changed = Some(change(subject));
    });
    changed.ok_or_else(|| unknown_agent(agent))
}
