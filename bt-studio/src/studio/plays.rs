//! Trees that are played without their game: each is a session as of a game, and a thread that has its time.

use std::collections::BTreeMap;
use std::path::Path;

use bt_core::TreeAsset;
use bt_core::tree::by_either_name;
use bt_live::port::Texts;
use bt_live::protocol::envelope::Id;
use bt_meta::play::{Played, TICK, for_agent};

use super::Studio;
use super::games::{Answered, unknown};
use crate::games::Source;
use crate::play::{self, Handle, REAL, ToPlay};
use crate::project::files::File;
use crate::project::folders::SCENARIOS;
use crate::protocol::{Failure, Request, Session, StartPlay};

/// The plays, by their sessions.
#[derive(Debug, Default)]
pub(super) struct Plays(BTreeMap<u32, Handle>);

impl Plays {
    /// Says of a session that it is a play, if it is one.
    pub(super) fn fill_in(&self, session: &mut Session) {
        if let Some(handle) = self.0.get(&session.id) {
            session.play = true;
            // Its agent is counted after the port has heard of the breakpoints.
            if session.agents > 0 {
                _ = handle.to.send(ToPlay::Begin);
            }
            session.title.clone_from(&handle.path);
            // It plays what is edited.
            for tree in session.trees.values_mut() {
                tree.same = tree.path.as_ref().map(|_| true);
            }
        }
    }

    /// Ends the play of a session, if it is one.
    pub(super) fn end(&mut self, session: u32) {
        self.0.remove(&session);
    }

    /// True if the token file is that of a play.
    pub(super) fn has(&self, token_file: &Path) -> bool {
        let mut all = self.0.values();
        all.any(|handle| handle.token_file == token_file)
    }
}

impl Studio {
    /// Plays a tree; whoever asks gets its session.
    pub(super) fn start_play(&mut self, client: u64, id: &Id, asked: &StartPlay) -> Answered {
        match self.new_play(client, asked) {
            Err(failure) => Answered::Now(Err(failure)),
            Ok(handle) => {
                let source = Source::Game(handle.token_file.clone());
                let Some(session) = self.attach_to(source, Some((client, id.clone()))) else {
                    return Answered::Now(Err(Studio::too_many_sessions()));
                };
                _ = handle.to.send(ToPlay::Session(session));
                self.plays.0.insert(session, handle);
                Answered::Later
            }
        }
    }

    fn new_play(&mut self, client: u64, asked: &StartPlay) -> Result<Handle, Failure> {
        let document = self.document(client, asked.doc)?;
        let path = document.path.clone();
        let no_tree = || Failure::refused("the text is no tree: put it right first");
        let tree = document.tree.as_ref().ok_or_else(no_tree)?;
        let agent = tree.agent().or(asked.agent.as_deref()).map(str::to_owned);
        let agent = agent.ok_or_else(|| {
            Failure::refused(format!("`{path}` names no agent: choose one at its root"))
        })?;
        if agent == REAL {
            return Err(Failure::refused(format!(
                "`{path}` is for `{REAL}`, whose methods are built in: choose an agent of the game at its root"
            )));
        }
        let name = tree.name().to_owned();
        let registry = self.known_agents()?;
        let catalogue = registry.catalogue().clone();
        let played = Played {
            tree: name,
            texts: self.texts_of(&path, &agent)?,
            agent,
            seed: asked.seed.into(),
            loops: asked.repeats,
            tick: TICK,
        };
        play::start(catalogue, played, path, self.post.clone())
    }

    /// The texts of a tree and of those that it leads to, as they are edited now.
    fn texts_of(&self, path: &str, agent: &str) -> Result<Texts, Failure> {
        let current = self.current();
        let find = |name: &str| {
            by_either_name(name, |name| {
                let mut all = current.values();
                all.find(|file| file.name == name)
            })
        };
        let read = |file: &File| {
            let read = TreeAsset::from_slice(&file.name, &file.bytes);
            read.map_err(|error| Failure::refused(error.to_string()))
        };
        let first = current.get(path);
        let first = first.ok_or_else(|| Failure::unknown(format!("there is no tree `{path}`")))?;
        let mut texts = Texts::new();
        let mut wanted = vec![first];
        while let Some(file) = wanted.pop() {
            if texts.contains_key(&file.name) {
                continue;
            }
            let tree = read(file)?;
            wanted.extend(tree.runs().filter_map(find));
            let text = file.text().unwrap_or_default().to_owned();
            texts.insert(file.name.clone(), for_agent(&tree, text, agent));
        }
        Ok(texts)
    }

    /// Gives plays the trees as they are edited now.
    pub(super) fn tell_plays(&mut self) {
        let mut changed = Vec::new();
        for (session, handle) in &self.plays.0 {
            // What is no tree in between is played once it is one again.
            if let Ok(texts) = self.texts_of(&handle.path, &handle.agent)
                && texts != handle.texts
            {
                changed.push((*session, texts));
            }
        }
        for (session, texts) in changed {
            if let Some(handle) = self.plays.0.get_mut(&session) {
                handle.texts.clone_from(&texts);
                _ = handle.to.send(ToPlay::Trees(texts));
            }
        }
    }

    /// Hands a request to its play.
    pub(super) fn ask_play(
        &self,
        session: u32,
        client: u64,
        id: &Id,
        request: Request,
    ) -> Answered {
        let refused = |failure: Failure| Answered::Now(Err(failure));
        let Some(handle) = self.plays.0.get(&session) else {
            return refused(match self.sessions.has(session) {
                true => Failure::refused(format!(
                    "session {session} is a game, and no play: start one with `play.start`"
                )),
                false => unknown(session),
            });
        };
        let id = id.clone();
        let message = match request {
            Request::SavePlay(asked) => {
                let place = match self.options.folders.find_file(&asked.path, &SCENARIOS) {
                    Ok(meant) => meant.place,
                    Err(failure) => return refused(failure),
                };
                let Some(tree) = from_folder_of(&asked.path, &handle.path) else {
                    return refused(Failure::refused(format!(
                        "`{}` is neither in the folder of `{}` nor above it: a scenario names its tree from its own folder down",
                        asked.path, handle.path
                    )));
                };
                if place.is_taken() {
                    return refused(Failure::refused(format!(
                        "`{}` is there already: choose another name",
                        asked.path
                    )));
                }
                ToPlay::Save {
                    client,
                    id,
                    place,
                    tree: tree.to_owned(),
                    shown: asked.path,
                }
            }
            request => ToPlay::Asked {
                client,
                id,
                request: Box::new(request),
            },
        };
        match handle.to.send(message) {
            Ok(()) => Answered::Later,
            Err(_) => refused(Failure::lost("the play has ended")),
        }
    }
}

/// The path of a file from the folder of another; none if it is not below that.
fn from_folder_of<'f>(other: &str, file: &'f str) -> Option<&'f str> {
    match other.rsplit_once('/') {
        Some((folder, _)) => file.strip_prefix(folder)?.strip_prefix('/'),
        None => Some(file),
    }
}

/// The play that a request is for.
pub(super) fn play_of(request: &Request) -> Option<u32> {
    Some(match request {
        Request::GetPlay(asked) => asked.session,
        Request::SetPlayPace(asked) => asked.session,
        Request::AnswerPlay(asked) => asked.session,
        Request::FinishPlay(asked) => asked.session,
        Request::SetInPlay(asked) => asked.session,
        Request::FirePlay(asked) => asked.session,
        Request::RestartPlay(asked) => asked.session,
        Request::GetPlayScenario(asked) => asked.session,
        Request::SavePlay(asked) => asked.session,
        _ => return None,
    })
}
