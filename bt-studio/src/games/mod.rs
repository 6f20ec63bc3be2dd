//! Running games, recordings and logs: each is a session on a thread of its own, which answers the page's requests when
//! it can. A game that does not answer keeps nobody else from working.
//!
//! A `session` has a `link` to a `game`'s port, or a file, and keeps a `history` of each agent that is followed: the
//! messages of records as they came, with an `index`. `rows`, `filter`, `moment` and `cause` look into it.
//! `requests` are what the page asks, `port_calls` what the session calls of a game. `table` is all agents at once, `reload`
//! what came of trees that were saved. `log` and `listen` take what is made for the original's debugger, as `log_rows` says.

mod cause;
mod comments;
mod filter;
mod game;
mod history;
mod index;
mod link;
mod listen;
mod log;
mod log_rows;
mod moment;
mod points;
mod port_calls;
mod reload;
mod requests;
mod rows;
mod save;
mod session;
mod table;
mod texts;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;

use bt_live::client::{Client, ClientError};
use bt_live::protocol::envelope::Id;

use crate::project::door::Place;
use crate::protocol::{Event, Request, Session, SessionKind, StoredBreakpoint};
pub(crate) use log_rows::Nodes;
pub(crate) use session::{Start, start};

/// The source of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A running game, by its token file.
    Game(PathBuf),
    /// A recording.
    Recording(PathBuf),
    /// A log of the original's debugger.
    Log(PathBuf),
    /// Posts to a port of this machine; any that is free for 0.
    Listen(u16),
}

impl Source {
    pub(crate) fn kind(&self) -> SessionKind {
        match self {
            Source::Game(_) => SessionKind::Game,
            Source::Recording(_) => SessionKind::Recording,
            Source::Log(_) => SessionKind::Log,
            Source::Listen(_) => SessionKind::Listen,
        }
    }

    /// The file, if it is one that stays.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Source::Recording(path) | Source::Log(path) => Some(path),
            Source::Game(_) | Source::Listen(_) => None,
        }
    }

    /// The name for people.
    pub(crate) fn title(&self) -> String {
        match self {
            Source::Game(file) => game_of(file),
            Source::Recording(file) | Source::Log(file) => {
                let name = file.file_name().unwrap_or(file.as_os_str());
                name.to_string_lossy().into_owned()
            }
            Source::Listen(_) => "POST /post/ai_debug/".to_owned(),
        }
    }
}

/// The id of a game that runs: the name of its token file.
pub(crate) fn id_of(token_file: &Path) -> String {
    let stem = token_file.file_stem().unwrap_or(token_file.as_os_str());
    stem.to_string_lossy().into_owned()
}

/// The name of a game, from its token file, whose name ends in the port's number.
pub(crate) fn game_of(token_file: &Path) -> String {
    let id = id_of(token_file);
    match id.rsplit_once('-') {
        Some((game, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => game.to_owned(),
        _ => id,
    }
}

/// A message to a session.
pub(crate) enum ToSession {
    /// A page asks for something.
    Asked {
        client: u64,
        id: Id,
        request: Box<Request>,
    },
    /// A page wants what is kept to be saved.
    Save {
        client: u64,
        id: Id,
        place: Place,
        shown: String,
        agents: Option<Vec<String>>,
    },
    /// A page waits for the session to be there.
    Awaited { client: u64, id: Id },
    /// A page is gone.
    Left(u64),
    /// The breakpoints from now on.
    Breakpoints(Vec<StoredBreakpoint>, bool),
    /// Trees that were saved: the one that a person saved, and all that the game is to have anew.
    Saved {
        tree: String,
        trees: Vec<(String, String)>,
    },
    /// The game was reached, or not.
    Connected(Result<Connected, ClientError>),
    /// Rows for the original's debugger have come.
    Posted(log_rows::Posted),
    /// It ends.
    Detach,
    /// The studio knows that it has ended.
    Forgotten,
}

/// A game that was reached.
pub(crate) struct Connected {
    pub(crate) client: Client,
    pub(crate) token_file: PathBuf,
    /// The content of its token file; a game that was started anew has another one.
    pub(crate) said: String,
}

/// A message from a session.
#[derive(Debug)]
pub enum News {
    /// A text for one page.
    Tell(u64, String),
    /// Something for all pages.
    TellAll(Box<Event>),
    /// The state of the session, without what only the project knows.
    State(Box<Session>),
    /// A page gets the session as the answer to a request.
    Opened(u32, u64, Id),
    /// A page gets a tree of the session as the answer to a request.
    Tree {
        /// The session's id.
        session: u32,
        /// The page.
        client: u64,
        /// Its request.
        id: Id,
        /// The tree's name.
        name: String,
        /// Its text; none if nobody knows it.
        text: Option<String>,
    },
    /// A game refuses the breakpoints.
    Breakpoints(String),
    /// The session is over.
    Over(u32),
}

/// A session, as the studio knows it.
#[derive(Debug, Clone)]
pub(crate) struct Handle {
    pub(crate) source: Source,
    pub(crate) to: Sender<ToSession>,
    /// The state of the session; none until it is known.
    pub(crate) info: Option<Session>,
    waiting: Arc<AtomicUsize>,
}

/// So many requests wait for a session, at most.
const WAITING: usize = 1_000;

impl Handle {
    pub(crate) fn new(source: Source, to: Sender<ToSession>, waiting: Arc<AtomicUsize>) -> Handle {
        Handle {
            source,
            to,
            info: None,
            waiting,
        }
    }

    /// Hands it a request; whether it has room for it.
    pub(crate) fn ask(&self, message: ToSession) -> bool {
        if self.waiting.load(Ordering::Relaxed) >= WAITING {
            return false;
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // One that is over has said so, or does it next.
        self.to.send(message).is_ok()
    }
}
