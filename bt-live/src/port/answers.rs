//! What is done for each request.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bt_core::tree::asset::Problem;
use bt_core::{Outcome, Registry};
use serde_json::Value;

use super::game::{Game, Subject, View};
use super::limits::{LOOKED_AT, PAGE};
use super::post::to_value;
use super::recordings;
use super::sources::Texts;
use super::states::{self, Before};
use super::watched::unknown_agent;
use super::{Port, debugging};
use crate::protocol::types::*;
use crate::protocol::{Error, ErrorCode, Event, Request, VERSION, hash};
use crate::recording::About;
use crate::shown::{hashes, shown, tree};

impl Port {
    /// Does what a request asks for. A panic of the game's code is an error.
    pub(super) fn answer_whole(
        &mut self,
        client: u64,
        request: Request,
        game: &mut dyn Game,
    ) -> Result<Value, Error> {
        let answer = AssertUnwindSafe(|| self.answer(client, request, game));
        catch_unwind(answer).unwrap_or_else(|_| {
            let why = "code of the game panicked; the message is in its log";
            Err(Error::new(ErrorCode::Internal, why))
        })
    }

    fn answer(
        &mut self,
        client: u64,
        request: Request,
        game: &mut dyn Game,
    ) -> Result<Value, Error> {
        match request {
            Request::Hello(_) => to_value(self.welcome(game)),
            Request::ListAgents(asked) => to_value(list(&asked, game)?),
            Request::ListStates(asked) => to_value(self.states(&asked, game)?),
            Request::ListForced(_) => to_value(states::forced(game)),
            Request::GetReloadReport(_) => to_value(self.reloaded.report(game)),
            Request::GetPicture(asked) => to_value(picture(&asked.agent, game)?),
            Request::Explain(asked) => to_value(explain(&asked.agent, game)?),
            Request::Follow(asked) => {
                let id = number(&asked.agent)?;
                self.watched.follow(client, id, asked.recorded, game)?;
                done()
            }
            Request::Unfollow(asked) => {
                self.watched.unfollow(client, number(&asked.agent)?, game);
                done()
            }
            Request::ListTrees(_) => to_value(TreeList {
                trees: hashes(&game.texts()),
            }),
            Request::GetTree(asked) => to_value(tree(&asked.name, &game.texts())?),
            Request::CheckTrees(asked) => {
                let problems = game.check(&replaced(game, asked.trees)?);
                to_value(checked(&problems, 0))
            }
            Request::ReloadTrees(asked) => to_value(self.reload(asked, game)?),
            Request::GetCatalogue(_) => to_value(catalogue()?),
            Request::GetStatistics(_) => to_value(self.statistics()),
            Request::StartProfile(asked) => self.start_profile(client, asked, game),
            Request::GetProfile(_) => to_value(self.profile()?),
            Request::StopProfile(_) => {
                let profile = self.profile()?;
                self.watched.stop_profile(game);
                to_value(profile)
            }
            Request::SetSpeed(asked) => {
                if !(0.0..=16.0).contains(&asked.speed) {
                    let why = format!("a speed is a number from 0 to 16, not {}", asked.speed);
                    return Err(Error::new(ErrorCode::Params, why));
                }
                self.set_speed(asked.speed);
                done()
            }
            Request::SetBreakpoints(asked) => to_value(self.debugging.set(client, asked, game)?),
            Request::ListBreakpoints(_) => to_value(self.debugging.list(client)),
            Request::ListStops(_) => to_value(self.debugging.stops(game)),
            Request::Break(asked) => {
                let id = number(&asked.agent)?;
                self.debugging.stop_next(client, id, game)?;
                done()
            }
            Request::Step(asked) => {
                self.debugging.step(client, asked, game)?;
                done()
            }
            Request::StartRecording(asked) => self.start_recording(&asked, game),
            Request::StopRecording(asked) => self.stop_recording(&asked.name, game),
            request => change_agent(request, game),
        }
    }

    fn welcome(&self, game: &dyn Game) -> Welcome {
        let registry = Registry::global().ok();
        let crates = registry.map(Registry::crates).unwrap_or_default();
        Welcome {
            version: VERSION,
            game: self.options.game.clone(),
            bt_live: env!("CARGO_PKG_VERSION").to_owned(),
            crates: crates.iter().map(|one| one.package.clone()).collect(),
            catalogue: catalogue().map(|it| it.hash).unwrap_or_default(),
            trees: hashes(&game.texts()),
            read_only: self.options.read_only,
            recording: false,
            speed: self.speed,
        }
    }

    fn reload(&mut self, asked: ReloadTrees, game: &mut dyn Game) -> Result<Checked, Error> {
        let texts = replaced(game, asked.trees)?;
        let trees = hashes(&texts);
        let before = Before::now(game);
        match game.reload(texts) {
            Ok(moved) => {
                self.reloaded = before;
                self.outlets.tell_all(&Event::Reloaded(Reloaded { trees }));
                Ok(checked(&[], moved))
            }
            Err(problems) => Ok(checked(&problems, 0)),
        }
    }

    fn start_profile(
        &mut self,
        client: u64,
        asked: StartProfile,
        game: &mut dyn Game,
    ) -> Result<Value, Error> {
        let ids = match asked.agents {
            None => game.ids(None, LOOKED_AT),
            Some(agents) => {
                let known = |id: &String| number(id).and_then(|id| look(id, game, |_| id));
                agents.iter().map(known).collect::<Result<_, _>>()?
            }
        };
        self.watched.profile(client, ids, game);
        done()
    }

    fn profile(&self) -> Result<ProfileTable, Error> {
        let nothing = || Error::refused("nothing is counted: `profile.start` begins it");
        let (agents, profile) = self.watched.profiled().ok_or_else(nothing)?;
        let nodes = profile.nodes().map(|(tree, idx, node)| ProfiledNode {
            tree: tree.to_owned(),
            idx,
            entered: node.entered,
            succeeded: node.succeeded,
            failed: node.failed,
            aborted: node.aborted,
            calls: node.calls,
            ns: u64::try_from(node.time.as_nanos()).unwrap_or(u64::MAX),
        });
        Ok(ProfileTable {
            agents: agents as u32,
            nodes: nodes.collect(),
        })
    }

    fn start_recording(
        &mut self,
        asked: &StartRecording,
        game: &mut dyn Game,
    ) -> Result<Value, Error> {
        let path = recordings::path(self.options.recordings.as_deref(), &asked.name)?;
        let ids = asked.agents.iter().map(|id| number(id));
        let ids = ids.collect::<Result<Vec<_>, _>>()?;
        let mut agents = Vec::new();
        for id in &ids {
            agents.push(entry_of(*id, game)?);
        }
        let about = About {
            welcome: Welcome {
                recording: true,
                read_only: true,
                ..self.welcome(game)
            },
            texts: game.texts(),
            catalogue: catalogue()?.catalogue,
        };
        let number =
            self.outlets
                .record(&asked.name, &path, &about)
                .map_err(|error| match error.kind() {
                    std::io::ErrorKind::AlreadyExists => {
                        Error::refused(format!("there is a recording `{}` already", asked.name))
                    }
                    _ => Error::refused(format!("cannot write `{}`: {error}", asked.name)),
                })?;
        for (id, agent) in ids.into_iter().zip(agents) {
            self.outlets.introduce(number, agent);
            self.watched.follow(number, id, true, game)?;
        }
        done()
    }

    fn stop_recording(&mut self, name: &str, game: &mut dyn Game) -> Result<Value, Error> {
        let unknown = || Error::unknown(format!("no recording `{name}` is running"));
        let number = self.outlets.recording(name).ok_or_else(unknown)?;
        // What there is by now belongs to it.
        self.hand_out(game);
        self.watched.leave(number, game);
        let bytes = self.outlets.end(number);
        let bytes = bytes.map_err(|error| Error::refused(format!("cannot write it: {error}")))?;
        to_value(RecordingEntry {
            name: name.to_owned(),
            bytes,
        })
    }

    pub(super) fn hand_out(&mut self, game: &mut dyn Game) {
        let outlets = &mut self.outlets;
        self.watched.hand_out(game, outlets, &mut self.statistics);
    }
}

/// What concerns one agent alone.
fn change_agent(request: Request, game: &mut dyn Game) -> Result<Value, Error> {
    match request {
        Request::SetKey(asked) => {
            let SetKey { agent, key, value } = asked;
            change(&agent, game, |it| it.set_key(&key, value.clone()))??;
        }
        Request::SetProperty(asked) => {
            let SetProperty {
                agent,
                property,
                value,
            } = asked;
            change(&agent, game, |it| it.set_property(&property, &value))??;
        }
        Request::CallAction(asked) => {
            let args = match asked.args {
                Value::Null => Value::Array(Vec::new()),
                args => args,
            };
            let outcome = change(&asked.agent, game, |it| it.call(&asked.action, &args))??;
            let outcome = match outcome {
                Outcome::Done(true) => "success",
                Outcome::Done(false) => "failure",
                _ => "pending",
            };
            let outcome = outcome.to_owned();
            return to_value(CallOutcome { outcome });
        }
        Request::Fire(asked) => {
            change(&asked.agent, game, |it| {
                it.fire(&asked.event, &asked.params)
            })??;
        }
        Request::Finish(asked) => {
            let finish = |it: &mut dyn Subject| it.finish(&asked.tree, asked.idx, asked.success);
            if !change(&asked.agent, game, finish)? {
                let tree: String = asked.tree.chars().take(60).collect();
                let why = format!("node {} of `{tree}` is no leaf that waits", asked.idx);
                return Err(Error::unknown(why));
            }
        }
        Request::Force(asked) => {
            let forced = debugging::forced(asked.forced.as_deref())?;
            change(&asked.agent, game, |it| {
                it.force(&asked.tree, asked.idx, forced)
            })??;
        }
        Request::Start(asked) => change(&asked.agent, game, |it| it.start())?,
        Request::Stop(asked) => change(&asked.agent, game, |it| it.stop())?,
        Request::Reset(asked) => change(&asked.agent, game, |it| it.reset())?,
        Request::Load(asked) => change(&asked.agent, game, |it| it.load(&asked.tree))??,
        Request::Pause(asked) => change(&asked.agent, game, |it| it.pause())?,
        Request::Resume(asked) => change(&asked.agent, game, |it| it.resume())?,
        // The sockets' thread answers these.
        _ => return Err(Error::new(ErrorCode::Internal, "nobody answers this here")),
    }
    done()
}

fn done() -> Result<Value, Error> {
    to_value(Done {})
}

pub(super) fn number(id: &str) -> Result<u64, Error> {
    id.parse().map_err(|_| unknown_agent(id))
}

/// Lends an agent, to look at.
pub(super) fn look<T>(id: u64, game: &dyn Game, see: impl Fn(&dyn View) -> T) -> Result<T, Error> {
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
        changed = Some(change(subject))
    });
    changed.ok_or_else(|| unknown_agent(agent))
}

fn entry(id: u64, name: String, view: &dyn View) -> AgentEntry {
    AgentEntry {
        id: id.to_string(),
        name,
        agent_type: view.agent_type().to_owned(),
        tree: view.tree().to_owned(),
        running: view.is_running(),
        paused: view.is_paused(),
    }
}

fn entry_of(id: u64, game: &dyn Game) -> Result<AgentEntry, Error> {
    let name = game.name(id);
    look(id, game, |view| entry(id, name.clone(), view))
}

fn list(asked: &ListAgents, game: &dyn Game) -> Result<AgentPage, Error> {
    let after = asked.after.as_deref().map(number).transpose()?;
    let limit = asked.limit.unwrap_or(PAGE.1).clamp(1, PAGE.0) as usize;
    let filter = asked.filter.as_deref().unwrap_or("");
    let ids = game.ids(after, LOOKED_AT);
    let mut page = AgentPage::default();
    for (looked_at, id) in ids.iter().enumerate() {
        let entry = entry_of(*id, game)?;
        let texts = [&entry.name, &entry.agent_type, &entry.tree];
        if texts.iter().any(|text| text.contains(filter)) {
            page.agents.push(entry);
        }
        let is_last = looked_at + 1 == ids.len() && ids.len() < LOOKED_AT;
        if !is_last && (page.agents.len() == limit || looked_at + 1 == LOOKED_AT) {
            page.next = Some(id.to_string());
            break;
        }
    }
    Ok(page)
}

fn picture(agent: &str, game: &mut dyn Game) -> Result<AgentPicture, Error> {
    let id = number(agent)?;
    let name = game.name(id);
    change(agent, game, |subject| {
        let properties = subject.properties();
        let view = subject.view();
        let agent = entry(id, name.clone(), view);
        let leaves = view.leaves();
        let leaves = leaves.iter().map(|leaf| WaitingLeaf {
            tree: leaf.tree.clone(),
            idx: leaf.idx,
            waits: leaf.to_string(),
        });
        AgentPicture {
            leaves: leaves.collect(),
            properties,
            diagnostics: view.diagnostics(),
            stop: view.stopped().map(|stop| debugging::entry(id, &stop)),
            forced: debugging::forced_entries(view),
            ..shown(agent, view.picture())
        }
    })
}

fn explain(agent: &str, game: &dyn Game) -> Result<Explained, Error> {
    let now = game.now();
    let explanation = look(number(agent)?, game, |view| view.explain(now))?;
    Ok(Explained {
        text: explanation.to_string(),
        explanation: to_value(&explanation)?,
    })
}

/// All texts, with some of them replaced.
fn replaced(game: &dyn Game, new: BTreeMap<String, String>) -> Result<Texts, Error> {
    let mut texts = game.texts();
    if texts.is_empty() {
        return Err(Error::refused(
            "the host gives no texts of its trees (`PoolGame::sources`), so none can be replaced",
        ));
    }
    texts.extend(new);
    Ok(texts)
}

fn checked(problems: &[Problem], moved: usize) -> Checked {
    let problems = problems.iter().map(|problem| TreeProblem {
        code: problem.code().to_string(),
        file: problem.file().to_owned(),
        message: problem.message().to_owned(),
        help: problem.help().map(str::to_owned),
        node: problem.node(),
        line: problem.position().map(|position| position.line as u32),
        column: problem.position().map(|position| position.column as u32),
    });
    Checked {
        problems: problems.collect(),
        moved: moved as u32,
    }
}

fn catalogue() -> Result<CatalogueText, Error> {
    let registry = Registry::global().map_err(Error::refused)?;
    let catalogue = to_value(registry.catalogue())?;
    Ok(CatalogueText {
        hash: hash(&catalogue.to_string()),
        catalogue,
    })
}
