//! A port into a running game, for tools on the same machine.
//!
//! The host opens a [`Port`] and polls it once a frame, with its agents. Clients connect by WebSocket and speak
//! the [protocol](crate::protocol): they list agents, see and follow them, write keys and properties, fire
//! events, replace trees. A thread of the port moves bytes; everything that concerns the game happens in
//! [`Port::poll`].
//!
//! A port accepts connections of this machine only, and only from who knows its token, which stands in a file that
//! only this user can read. What a client can ask for is limited, in size and number, so that none can stop the
//! game or fill its memory.

mod game;
mod options;
mod sources;

mod inbox;
mod limits;
mod lines;
mod task;

mod answers;
mod breakpoints;
mod debugging;
mod frozen;
mod ledger;
mod looks;
mod pages;
mod profiles;
mod recorded;
mod trees;

mod encode;
mod outlets;
mod tracer;
mod watched;

mod connection;
mod server;
mod token;

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use mio::net::TcpListener;
use mio::{Interest, Poll, Waker};

pub use game::{AgentsGame, Borrowed, Build, Built, Game, PoolGame, Subject, View};
pub use options::Options;
pub use sources::{Sources, Texts, build};

use connection::Rules;
use debugging::Debugging;
use frozen::Frozen;
use inbox::Inbox;
use ledger::Ledger;
use limits::{DEBUG_TIME, STREAM_TIME};
use lines::Line;
use outlets::Outlets;
use pages::Before;
use server::{LISTENER, Server, WAKER};
use task::{Clock, Worker};
use token::{Token, TokenFile};
use watched::Watched;

use crate::protocol::types::Statistics;
use crate::token_folder::make_token_folder;

/// A port into a running game: see the [module](self).
///
/// ```
/// use bt_core::pool::Pool;
/// use bt_core::prelude::*;
/// use bt_live::port::{Options, Port, PoolGame};
/// use std::time::Duration;
///
/// #[derive(Agent)]
/// struct Owl;
///
/// # let folder = tempfile::tempdir()?;
/// let file = folder.path().join("owls.json");
/// let mut port = Port::open(Options::new("owls").token_file(&file))?;
/// println!("look at it: {}", port.url());
/// let mut pool = Pool::<Owl>::new();
/// for frame in 0..3 {
///     pool.poll(Duration::from_millis(16 * frame));
///     port.poll(&mut PoolGame::new(&mut pool, &mut ()));
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Port {
    options: Options,
    url: String,
    token: Token,
    inbox: Inbox,
    lines: VecDeque<Line>,
    outlets: Outlets,
    watched: Watched,
    debugging: Debugging,
    frozen: Frozen,
    ledger: Ledger,
    /// The agents' states before the last reload.
    reloaded: Before,
    /// The worker that reads the texts of trees, and the one that builds trees of them.
    reader: Worker,
    builder: Worker,
    statistics: Statistics,
    refused: Arc<AtomicU64>,
    is_open: Arc<AtomicBool>,
    waker: Arc<Waker>,
    server: Option<JoinHandle<()>>,
    /// Removed when the port is closed.
    file: TokenFile,
}

impl Port {
    /// Opens a port on this machine, and writes its token to a file.
    ///
    /// # Errors
    /// If the number is taken, or the file cannot be written.
    pub fn open(options: Options) -> io::Result<Port> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
        let mut listener = TcpListener::bind(address)?;
        let number = listener.local_addr()?.port();
        let poll = Poll::new()?;
        poll.registry()
            .register(&mut listener, LISTENER, Interest::READABLE)?;
        let waker = Arc::new(Waker::new(poll.registry(), WAKER)?);
        let token = Token::random()?;
        let url = format!("ws://127.0.0.1:{number}/");
        let path = match &options.token_file {
            Some(path) => path.clone(),
            None => make_token_folder()?.join(file_name(&options.game, number)),
        };
        let file = TokenFile::write(&path, &url, &token)?;
        let rules = Arc::new(Rules {
            token: token.clone(),
            port: number,
            origins: options.origins.clone(),
            read_only: options.read_only,
            recordings: options.recordings.clone(),
        });
        let inbox = Inbox::default();
        let (to_sockets, from_game) = mpsc::channel();
        let is_open = Arc::new(AtomicBool::new(true));
        let refused = Arc::new(AtomicU64::new(0));
        let server = Server {
            poll,
            listener,
            rules,
            to_game: inbox.clone(),
            from_game,
            is_open: is_open.clone(),
            refused: refused.clone(),
        };
        let server = thread::Builder::new()
            .name("bt-live port".to_owned())
            .spawn(move || server.run())?;
        Ok(Port {
            frozen: Frozen::new(options.speed),
            options,
            url,
            token,
            inbox,
            lines: VecDeque::new(),
            outlets: Outlets::new(to_sockets),
            watched: Watched::default(),
            debugging: Debugging::default(),
            ledger: Ledger::default(),
            reloaded: Before::default(),
            reader: Worker::new("bt-live reader"),
            builder: Worker::new("bt-live builder"),
            statistics: Statistics::default(),
            refused,
            is_open,
            waker,
            server: Some(server),
            file,
        })
    }

    /// The address, with the token behind the `#`, where no browser sends it. Show it to this user only.
    pub fn url(&self) -> String {
        format!("{}#{}", self.url, self.token.as_str())
    }

    /// The speed of the game's time that clients want: 1 is normal, 0 stops it. The host multiplies its time
    /// by it.
    pub fn speed(&self) -> f64 {
        self.frozen.speed
    }

    /// The file with its token.
    pub fn token_file(&self) -> &Path {
        self.file.path()
    }

    /// The port's statistics so far.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            clients: self.outlets.client_count() as u32,
            followed: self.watched.len() as u32,
            refused: self.refused.load(Ordering::Relaxed),
            ..self.statistics.clone()
        }
    }

    /// Answers the clients' requests, and hands them the records of the agents that they follow.
    ///
    /// Call it once a frame, when no agent is being polled. Where nobody is connected, that takes next to no time. What
    /// clients ask for may take many polls, each of them some milliseconds at most, but for the game's own code.
    pub fn poll(&mut self, game: &mut dyn Game) {
        self.statistics.polls += 1;
        self.hear(game);
        self.answer_all(game);
        self.statistics.agents = game.count() as u64;
        self.hand_out(game, Clock::of(STREAM_TIME));
        self.debug(game, Clock::of(DEBUG_TIME));
        if self.outlets.take_sent() {
            // Without it, what was sent waits for a quarter of a second.
            _ = self.waker.wake();
        }
    }

    /// Closes the port, and lets all agents go: none is followed, recorded, paused by a client, or stopped at a breakpoint
    /// any more.
    ///
    /// A port that is dropped cannot do that: an agent that is stopped then stays so.
    pub fn close(mut self, game: &mut dyn Game) {
        self.hand_out(game, Clock::endless());
        for client in self.outlets.clients() {
            self.leave(client, game);
        }
        for recording in self.outlets.recordings_of(None) {
            self.end_recording(recording);
        }
        self.hand_out(game, Clock::endless());
        self.debug(game, Clock::endless());
    }

    /// A client is gone: what it followed is followed no more, what it has made stand still runs again, and its
    /// recordings end.
    fn leave(&mut self, client: u64, game: &dyn Game) {
        self.lines.retain(|line| line.client() != client);
        self.outlets.leave(client);
        self.watched.leave(client);
        self.debugging.leave(client, game);
        for recording in self.outlets.recordings_of(Some(client)) {
            self.end_recording(recording);
        }
        if self.frozen.leave(client) {
            self.tell_speed();
        }
    }

    fn hand_out(&mut self, game: &mut dyn Game, clock: Clock) {
        let outlets = &mut self.outlets;
        self.watched
            .hand_out(game, outlets, &mut self.statistics, clock);
    }

    /// Brings agents to what clients want of them.
    fn debug(&mut self, game: &mut dyn Game, clock: Clock) {
        let stops_all = self.debugging.sweep(game, &mut self.outlets, clock);
        if stops_all.is_some() {
            self.set_speed(0.0, stops_all);
        }
        self.frozen.thaw(game, clock);
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        self.is_open.store(false, Ordering::Release);
        _ = self.waker.wake();
        if let Some(server) = self.server.take() {
            // It has nothing to say that matters now.
            _ = server.join();
        }
    }
}

impl fmt::Debug for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not its token.
        f.debug_struct("Port")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

/// The name of a token file. A game's name may be anything.
fn file_name(game: &str, number: u16) -> String {
    let safe = |letter: char| match letter.is_ascii_alphanumeric() {
        true => letter,
        false => '_',
    };
    let game: String = game.chars().take(40).map(safe).collect();
    format!("{game}-{number}.json")
}
