//! Everything that the studio knows, on one thread: what clients ask is done one by one, and what needs time, such as
//! looking at all trees, is done by other threads, which send what they found.

mod breakpoints;
mod catalogue;
mod check;
mod clients;
mod document;
mod documents;
mod drafts;
mod game_trees;
mod games;
mod keys;
mod nodes;
mod plays;
mod rename;
mod requests;
mod review;
mod saving;
mod scenarios;
mod search;
mod snippets;
mod tree_files;
mod watch;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use bt_core::Registry;
use bt_live::protocol::envelope::Id;
use bt_meta::validate::Report;
use bt_meta::validate::levels::Levels;

use crate::games::{News, Source as GameSource};
use crate::project::agents::Source;
use crate::project::door::Passed;
use crate::project::files::{self, Files};
use crate::project::folders::Folders;
use crate::project::settings::Settings;
use crate::protocol::{Breakpoints, Building, Snippet};
use check::Checks;
use clients::Clients;
pub use clients::Outbox;
pub(crate) use clients::written;
use document::Document;
use drafts::Drafts;
pub use drafts::state_folder;
use games::Sessions;
pub(crate) use requests::{answer, read};
pub use review::Reviewed;
use watch::Watch;

/// The options of the studio.
#[derive(Debug, Clone)]
pub struct Options {
    /// The open folders.
    pub folders: Folders,
    /// The source of the agents.
    pub source: Source,
    /// True if no file is written.
    pub read_only: bool,
    /// The level of each code.
    pub levels: Levels,
    /// The trees that the host starts.
    pub starts: Vec<String>,
    /// The folder of drafts; none are kept without one.
    pub state: Option<std::path::PathBuf>,
    /// The games to attach to from the start.
    pub games: Vec<GameSource>,
}

/// A message to the studio.
#[derive(Debug)]
pub enum Message {
    /// A client has come, and shown the token.
    Join {
        /// Its number.
        client: u64,
        /// The channel for answers and events.
        outbox: Outbox,
    },
    /// A client asks for something.
    Request {
        /// Its number.
        client: u64,
        /// The request, as it came.
        text: String,
        /// Dropped when the request is answered.
        done: tokio::sync::oneshot::Sender<()>,
    },
    /// A client has left.
    Leave {
        /// Its number.
        client: u64,
    },
    /// Something has changed on the disk.
    Disk,
    /// A session of a game says something.
    Game(News),
    /// Cargo's status.
    Building(String),
    /// The agents were collected, or not.
    Collected(Box<Result<Registry, String>>),
    /// Another thread found out what a client asked.
    Reviewed {
        /// Its number.
        client: u64,
        /// The request.
        id: Id,
        /// The findings.
        found: Reviewed,
    },
    /// All trees were checked.
    Checked {
        /// Of which state.
        generation: u64,
        /// The report; none if the check failed.
        report: Option<Box<Report>>,
    },
}

/// Everything that the studio knows.
struct Studio {
    options: Options,
    clients: Clients,
    files: Files,
    /// The things in the folders that are not shown.
    passed: Passed,
    documents: BTreeMap<u32, Document>,
    next_document: u32,
    registry: Option<Arc<Registry>>,
    /// The reason why there is no catalogue, or why it is an old one.
    catalogue_problem: Option<String>,
    /// While the package is being built.
    building: Option<Building>,
    checks: Checks,
    watch: Watch,
    drafts: Drafts,
    settings: Settings,
    /// As clients know them, and why they cannot be read.
    snippets: Vec<Snippet>,
    snippets_problem: Option<String>,
    /// The paths by which clients know which tree a node calls.
    paths: Vec<String>,
    unsaved: documents::Unsaved,
    /// The text of the catalogue's file, as it was read last.
    catalogue_text: Option<String>,
    sessions: Sessions,
    plays: plays::Plays,
    /// So many versions of trees are being looked at.
    reviews: usize,
    /// The breakpoints, as the pages know them.
    told_breakpoints: Option<Breakpoints>,
    /// To itself, for other threads.
    post: Sender<Message>,
}

/// Starts the studio; it ends when nobody can send it anything any more.
pub fn start(options: Options) -> Sender<Message> {
    let (post, messages) = channel();
    let own = post.clone();
    let run = move || {
        // Before they are read: what changes meanwhile is read again.
        let (watch, problem) = Watch::of(&options.folders, options.source.file(), own.clone());
        if let Some(problem) = problem {
            eprintln!("note: {problem}");
        }
        let sweeps = !options.read_only;
        let (files, passed) = files::read(&options.folders, &Files::new(), sweeps);
        let mut studio = Studio {
            clients: Clients::default(),
            files,
            passed,
            reviews: 0,
            documents: BTreeMap::new(),
            next_document: 1,
            registry: None,
            catalogue_problem: None,
            building: None,
            checks: Checks::default(),
            watch,
            drafts: Drafts::of(options.state.clone()),
            settings: Settings::of(&options.folders, options.read_only),
            snippets: Vec::new(),
            snippets_problem: None,
            paths: Vec::new(),
            unsaved: BTreeMap::new(),
            catalogue_text: None,
            sessions: Sessions::default(),
            plays: plays::Plays::default(),
            told_breakpoints: None,
            post: own,
            options,
        };
        studio.read_snippets();
        studio.collect_at_start();
        studio.read_breakpoints_again();
        studio.attach_at_start();
        studio.run(&messages);
    };
    let spawned = thread::Builder::new().name("studio".to_owned()).spawn(run);
    if let Err(error) = spawned {
        eprintln!("cannot start a thread: {error}");
    }
    post
}

impl Studio {
    fn run(&mut self, messages: &Receiver<Message>) {
        loop {
            let due = self.due();
            let wait = due.map_or(Duration::from_secs(3600), |due| {
                due.saturating_duration_since(Instant::now())
            });
            match messages.recv_timeout(wait) {
                Ok(message) => self.take(message),
                Err(RecvTimeoutError::Timeout) => self.catch_up(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Join { client, outbox } => {
                self.clients.join(client, outbox);
                self.joined_games();
            }
            Message::Leave { client } => {
                self.leave(client);
                self.left_games(client);
            }
            Message::Game(news) => self.game_says(news),
            Message::Request { client, text, done } => {
                self.answer(client, &text);
                drop(done);
            }
            Message::Disk => self.watch.stir(),
            Message::Building(status) => self.is_building(status),
            Message::Collected(collected) => self.collected(*collected),
            Message::Reviewed { client, id, found } => self.reviewed(client, id, found),
            Message::Checked { generation, report } => self.checked(generation, report),
        }
        // A client that asks again and again does not keep the rest from being done.
        if self.due().is_some_and(|due| due <= Instant::now()) {
            self.catch_up();
        }
    }

    /// The time of the next work that nobody requests.
    fn due(&self) -> Option<Instant> {
        let all = [
            self.checks.due(),
            self.watch.due(),
            self.drafts.due(),
            self.sessions.due(),
        ];
        all.into_iter().flatten().min()
    }

    /// Does what is due.
    fn catch_up(&mut self) {
        let now = Instant::now();
        if self.checks.due().is_some_and(|due| due <= now) {
            self.check_all();
        }
        if self.watch.due().is_some_and(|due| due <= now) {
            self.read_disk();
        }
        if self.drafts.due().is_some_and(|due| due <= now) {
            self.keep_drafts();
        }
        if self.sessions.due().is_some_and(|due| due <= now) {
            self.end_unwanted();
        }
    }
}
