//! Sessions of games, as the studio knows them: requests are handed on, and what sessions say goes to the pages.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bt_live::client;
use bt_live::protocol::envelope::Id;
use serde_json::Value;

use super::Studio;
use super::plays::play_of;
use super::requests::{answer, to_value};
use crate::games::{self, Handle, News, Source, Start, ToSession};
use crate::project::door::{AsFailure as _, Place};
use crate::project::folders::RECORDINGS;
use crate::protocol::{
    AttachGame, DetachGame, Done, Event, Failure, GameFile, Games, Request, RunningGame, Session,
    SessionKind,
};

/// So many sessions there are at once.
const MOST: usize = 32;

/// The time that sessions are kept without a page.
const KEPT: Duration = Duration::from_secs(60);

/// So many recordings and logs are listed.
const LISTED: usize = 1_000;

/// The sessions.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    all: BTreeMap<u32, Handle>,
    next: u32,
    /// Since when there is no page, while there are sessions.
    alone: Option<Instant>,
    /// The reason why a game refused the breakpoints last.
    pub(super) refused: Option<String>,
}

impl Sessions {
    /// The time at which sessions end that no page follows.
    pub(super) fn due(&self) -> Option<Instant> {
        self.alone.map(|since| since + KEPT)
    }

    /// True if there is a session of that id.
    pub(super) fn has(&self, session: u32) -> bool {
        self.all.contains_key(&session)
    }

    pub(super) fn each(&self) -> impl Iterator<Item = &Handle> {
        self.all.values()
    }
}

/// The fate of a page's request.
pub(super) enum Answered {
    Now(Result<Value, Failure>),
    /// A session answers it.
    Later,
}

impl Studio {
    /// Attaches to what the studio was started with.
    pub(super) fn attach_at_start(&mut self) {
        for source in self.options.games.clone() {
            self.attach_to(source, None);
        }
    }

    /// Does what a page asks of games.
    pub(super) fn ask_game(&mut self, client: u64, id: &Id, request: Request) -> Answered {
        if request.changes() && self.options.read_only {
            return Answered::Now(Err(Failure::read_only()));
        }
        let result = match request {
            Request::ListGames(_) => to_value(self.games()),
            Request::AttachGame(asked) => match self.source(&asked) {
                Ok(source) => {
                    return match self.attach_to(source, Some((client, id.clone()))) {
                        Some(_) => Answered::Later,
                        None => Answered::Now(Err(Studio::too_many_sessions())),
                    };
                }
                Err(failure) => Err(failure),
            },
            Request::DetachGame(asked) => self.detach(asked.session).and_then(to_value),
            Request::StartPlay(asked) => return self.start_play(client, id, &asked),
            Request::GetBreakpoints(_) => to_value(self.breakpoints()),
            Request::PutBreakpoints(asked) => self.put_breakpoints(asked).and_then(to_value),
            request => {
                return match play_of(&request) {
                    Some(session) => self.ask_play(session, client, id, request),
                    None => self.hand_on(client, id, request),
                };
            }
        };
        Answered::Now(result)
    }

    pub(super) fn too_many_sessions() -> Failure {
        Failure::limit(format!(
            "there are {MOST} sessions, which is the most: detach some"
        ))
    }

    /// Hands a request to its session.
    fn hand_on(&mut self, client: u64, id: &Id, request: Request) -> Answered {
        let refused = |failure: Failure| Answered::Now(Err(failure));
        let Some(session) = session_of(&request) else {
            return refused(Failure::refused("the studio does not know this request"));
        };
        let id = id.clone();
        let message = match request {
            Request::SaveHistory(asked) => {
                let meant = self.options.folders.find_file(&asked.path, &RECORDINGS);
                match meant {
                    Ok(meant) => ToSession::Save {
                        client,
                        id,
                        place: meant.place,
                        shown: asked.path,
                        agents: asked.agents,
                    },
                    Err(failure) => return refused(failure),
                }
            }
            request => ToSession::Asked {
                client,
                id,
                request: Box::new(request),
            },
        };
        let Some(handle) = self.sessions.all.get(&session) else {
            return refused(unknown(session));
        };
        match handle.ask(message) {
            true => Answered::Later,
            false => refused(Failure::limit(
                "too many requests wait for the session: wait for their answers",
            )),
        }
    }

    /// The games to attach to, and the sessions that are attached.
    fn games(&self) -> Games {
        let mut running = client::games().unwrap_or_default();
        // The studio's own plays are sessions already.
        running.retain(|file| !self.plays.has(file));
        let attached = |file: &Path| {
            let mut all = self.sessions.all.iter();
            let found = all.find(|(_, handle)| handle.source == Source::Game(file.to_owned()));
            found.map(|(id, _)| *id)
        };
        Games {
            running: running
                .iter()
                .map(|file| RunningGame {
                    id: games::id_of(file),
                    game: games::game_of(file),
                    session: attached(file),
                })
                .collect(),
            sessions: self
                .sessions
                .each()
                .filter_map(|handle| handle.info.clone())
                .collect(),
            files: self.game_files(),
        }
    }

    /// The recordings and logs that the studio was started with, and those in the opened folders.
    fn game_files(&self) -> Vec<GameFile> {
        let mut files = Vec::new();
        for source in &self.options.games {
            if let Source::Recording(path) | Source::Log(path) = source {
                files.push(GameFile {
                    path: path.display().to_string(),
                    kind: source.kind(),
                    bytes: Place::of(path).look().map_or(0, |look| look.bytes),
                });
            }
        }
        for (path, bytes) in self.options.folders.recordings(LISTED) {
            files.push(GameFile {
                path,
                kind: SessionKind::Recording,
                bytes,
            });
        }
        for (path, file) in &self.files {
            // It comes first, or last.
            if is_log(&file.bytes) {
                files.push(GameFile {
                    path: path.clone(),
                    kind: SessionKind::Log,
                    bytes: file.bytes.len() as u64,
                });
            }
        }
        files
    }

    /// The source to attach to.
    fn source(&self, asked: &AttachGame) -> Result<Source, Failure> {
        match asked {
            AttachGame {
                game: Some(id),
                recording: None,
                log: None,
                listen: None,
            } => {
                let running = client::games().map_err(Failure::refused)?;
                let own = self.options.games.iter().filter_map(|source| match source {
                    Source::Game(file) => Some(file.clone()),
                    Source::Recording(_) | Source::Log(_) | Source::Listen(_) => None,
                });
                let mut all = running.into_iter().chain(own);
                let found = all.find(|file| games::id_of(file) == *id);
                let none = || {
                    let id: String = id.chars().take(60).collect();
                    Failure::unknown(format!("no game {id:?} runs with a port"))
                };
                found.map(Source::Game).ok_or_else(none)
            }
            AttachGame {
                game: None,
                recording: Some(path),
                log: None,
                listen: None,
            } => {
                let path = self.game_file(path, &Source::Recording, ".btrec")?;
                Ok(Source::Recording(path))
            }
            AttachGame {
                game: None,
                recording: None,
                log: Some(path),
                listen: None,
            } => Ok(Source::Log(self.game_file(path, &Source::Log, ".json")?)),
            AttachGame {
                game: None,
                recording: None,
                log: None,
                listen: Some(port),
            } => Ok(Source::Listen(*port)),
            _ => Err(Failure::refused(
                "expected exactly one of `game`, `recording`, `log` and `listen`",
            )),
        }
    }

    /// A file that a page may open: one that the studio was started with, or one below the opened folders.
    fn game_file(
        &self,
        path: &str,
        source: &dyn Fn(PathBuf) -> Source,
        ending: &str,
    ) -> Result<PathBuf, Failure> {
        let named = source(PathBuf::from(path));
        if self.options.games.contains(&named) {
            return Ok(PathBuf::from(path));
        }
        let place = self.options.folders.find_file(path, &[ending])?.place;
        place.look().map_err(|why| why.unread(path))?;
        Ok(place.path())
    }

    /// Attaches to something, and answers who asked; the session's id, unless there is no room.
    pub(super) fn attach_to(&mut self, source: Source, asked: Option<(u64, Id)>) -> Option<u32> {
        let is_it = |handle: &Handle| match (&handle.source, &handle.info) {
            // Which port it is is known when it is there.
            (Source::Listen(0), _) => false,
            (own, _) => *own == source,
        };
        let mut all = self.sessions.all.iter();
        let found = all.find(|(_, handle)| is_it(handle));
        let found = found.map(|(id, handle)| (*id, handle.clone()));
        let (session, handle) = match found {
            Some(found) => found,
            None if self.sessions.all.len() >= MOST => return None,
            None => {
                self.sessions.next += 1;
                let id = self.sessions.next;
                let handle = games::start(Start {
                    id,
                    breakpoints: self.enabled_breakpoints(),
                    nodes: self.nodes_for(&source),
                    writes: !self.options.read_only,
                    file: source.path().map(|path| self.options.folders.place(path)),
                    studio: self.post.clone(),
                    source,
                });
                self.sessions.all.insert(id, handle.clone());
                if self.clients.is_empty() {
                    self.sessions.alone = Some(Instant::now());
                }
                (id, handle)
            }
        };
        if let Some((client, id)) = asked {
            // One that has just ended says so.
            _ = handle.to.send(ToSession::Awaited { client, id });
        }
        Some(session)
    }

    fn detach(&mut self, session: u32) -> Result<Done, Failure> {
        let handle = self.sessions.all.get(&session);
        let handle = handle.ok_or_else(|| unknown(session))?;
        _ = handle.to.send(ToSession::Detach);
        Ok(Done {})
    }

    /// A session says something.
    pub(super) fn game_says(&mut self, news: News) {
        match news {
            News::Tell(client, text) => self.clients.send(client, text),
            News::TellAll(event) => self.clients.tell_all(&event),
            News::State(session) => self.stands(*session),
            News::Opened(session, client, id) => {
                let info = self.sessions.all.get(&session);
                let info = info.and_then(|handle| handle.info.clone());
                let result = info.ok_or_else(|| unknown(session)).and_then(to_value);
                self.clients.send(client, answer(Some(id), result));
            }
            News::Tree {
                session,
                client,
                id,
                name,
                text,
            } => {
                let result = self.game_tree(session, &name, text).and_then(to_value);
                self.clients.send(client, answer(Some(id), result));
            }
            News::Breakpoints(why) => {
                self.sessions.refused = Some(why);
                let event = Event::Breakpoints(self.breakpoints());
                self.clients.tell_all(&event);
            }
            News::Over(session) => {
                self.plays.end(session);
                if let Some(handle) = self.sessions.all.remove(&session) {
                    _ = handle.to.send(ToSession::Forgotten);
                    let event = Event::DetachGame(DetachGame { session });
                    self.clients.tell_all(&event);
                }
                if self.sessions.all.is_empty() {
                    self.sessions.alone = None;
                }
            }
        }
    }

    /// A session stands otherwise.
    pub(super) fn stands(&mut self, mut session: Session) {
        self.fill_in(&mut session);
        self.plays.fill_in(&mut session);
        let handle = self.sessions.all.get_mut(&session.id);
        if let Some(handle) = handle
            && handle.info.as_ref() != Some(&session)
        {
            handle.info = Some(session.clone());
            self.clients.tell_all(&Event::Session(session));
        }
    }

    /// A page has come.
    pub(super) fn joined_games(&mut self) {
        self.sessions.alone = None;
    }

    /// A page is gone.
    pub(super) fn left_games(&mut self, client: u64) {
        for handle in self.sessions.each() {
            _ = handle.to.send(ToSession::Left(client));
        }
        if self.clients.is_empty() && !self.sessions.all.is_empty() {
            self.sessions.alone = Some(Instant::now());
        }
    }

    /// Ends sessions that no page wants any more. Those that the studio was started with stay.
    pub(super) fn end_unwanted(&mut self) {
        self.sessions.alone = None;
        for handle in self.sessions.each() {
            if !self.options.games.contains(&handle.source) {
                _ = handle.to.send(ToSession::Detach);
            }
        }
    }

    /// Sends all sessions the breakpoints.
    pub(super) fn tell_breakpoints(&mut self) {
        let (all, stop_all) = self.enabled_breakpoints();
        for handle in self.sessions.each() {
            let message = ToSession::Breakpoints(all.clone(), stop_all);
            _ = handle.to.send(message);
        }
    }
}

/// Returns true if a file is a log of the original's debugger.
fn is_log(bytes: &[u8]) -> bool {
    let has = |part: &[u8]| {
        let key = b"\"debug_cmds\"";
        part.windows(key.len()).any(|window| window == key)
    };
    let ends = 4_096.min(bytes.len());
    has(&bytes[..ends]) || has(&bytes[bytes.len() - ends..])
}

pub(super) fn unknown(session: u32) -> Failure {
    Failure::unknown(format!(
        "there is no session {session}: attach with `game.attach`"
    ))
}

/// Returns true if a request is about games, and not about trees.
pub(super) fn is_about_games(request: &Request) -> bool {
    session_of(request).is_some()
        || play_of(request).is_some()
        || matches!(
            request,
            Request::ListGames(_)
                | Request::StartPlay(_)
                | Request::AttachGame(_)
                | Request::DetachGame(_)
                | Request::GetBreakpoints(_)
                | Request::PutBreakpoints(_)
        )
}

/// The session that a request is for.
fn session_of(request: &Request) -> Option<u32> {
    Some(match request {
        Request::CallGame(asked) => asked.session,
        Request::GetGameTree(asked) => asked.session,
        Request::ListAgents(asked) => asked.session,
        Request::FollowAgent(asked) => asked.session,
        Request::UnfollowAgent(asked) => asked.session,
        Request::GetPolls(asked) => asked.session,
        Request::GetRows(asked) => asked.session,
        Request::FilterRows(asked) => asked.session,
        Request::FindRow(asked) => asked.session,
        Request::GetMoment(asked) => asked.session,
        Request::GetValues(asked) => asked.session,
        Request::GetTimeline(asked) => asked.session,
        Request::FindCause(asked) => asked.session,
        Request::SaveHistory(asked) => asked.session,
        Request::CommentRow(asked) => asked.session,
        _ => return None,
    })
}
