//! The other end of a port, for tools: a connection to a running game, or a recording opened as if it were one.
//!
//! ```no_run
//! use bt_live::client::Client;
//! use bt_live::protocol::types::ListAgents;
//!
//! let mut client = Client::find()?;
//! for agent in client.call(ListAgents::default())?.agents {
//!     println!("{} runs {}", agent.name, agent.tree);
//! }
//! # Ok::<(), bt_live::client::ClientError>(())
//! ```

mod error;
mod message;

mod file;
mod socket;

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

pub use error::ClientError;
use file::File;
pub use message::{Incoming, Message};
use socket::Socket;

use crate::protocol::Call;
use crate::protocol::types::{GetTree, TreeText, Welcome};
use crate::recording::Recording;
use crate::token_folder::token_files;

/// A connection to a game, or a recording.
pub struct Client {
    end: End,
    welcome: Welcome,
}

enum End {
    Socket(Box<Socket>),
    File(Box<File>),
}

/// The token files of the games with a port that run as this user, in the order of their names: those in the folder
/// where ports leave them.
///
/// ```
/// for token_file in bt_live::client::games()? {
///     println!("{}", token_file.display());
/// }
/// # Ok::<(), bt_live::client::ClientError>(())
/// ```
///
/// # Errors
/// If that folder cannot be read.
pub fn games() -> Result<Vec<PathBuf>, ClientError> {
    let mut files = token_files().map_err(ClientError::TokenFile)?;
    // A game that was killed has left its file.
    files.retain(|file| is_running(file));
    Ok(files)
}

/// Returns true if somebody listens at the port that wrote a token file.
///
/// ```
/// assert!(!bt_live::client::is_running("/no/such/file.json"));
/// ```
pub fn is_running(token_file: impl AsRef<Path>) -> bool {
    socket::is_answered(token_file.as_ref())
}

impl Client {
    /// Attaches to the game that runs; its token is in this user's folder for that.
    ///
    /// # Errors
    /// If there is none, or more than one, or it cannot be reached.
    pub fn find() -> Result<Client, ClientError> {
        match &games()?[..] {
            [] => Err(ClientError::NoGame),
            [one] => Client::attach(one),
            many => Err(ClientError::ManyGames(many.to_vec())),
        }
    }

    /// Attaches to the game whose port wrote that token file.
    ///
    /// # Errors
    /// If the file cannot be read, or others could read it too; if the game cannot be reached.
    pub fn attach(token_file: impl AsRef<Path>) -> Result<Client, ClientError> {
        let mut socket = Box::new(Socket::attach(token_file.as_ref())?);
        let welcome = socket.hello()?;
        Ok(Client {
            end: End::Socket(socket),
            welcome,
        })
    }

    /// Opens a recording. What changes a game is refused.
    ///
    /// # Errors
    /// If it is none, or cannot be read.
    pub fn open(recording: impl AsRef<Path>) -> Result<Client, ClientError> {
        let file = std::fs::File::open(recording.as_ref()).map_err(ClientError::Recording)?;
        Client::of_recording(file)
    }

    /// The same of a file that is open already.
    ///
    /// # Errors
    /// If it is no recording, or cannot be read.
    pub fn of_recording(recording: std::fs::File) -> Result<Client, ClientError> {
        let file = File::of(recording)?;
        Ok(Client {
            welcome: file.welcome(),
            end: End::File(Box::new(file)),
        })
    }

    /// The game's greeting.
    pub fn welcome(&self) -> &Welcome {
        &self.welcome
    }

    /// Asks for something, and waits for the answer.
    ///
    /// # Errors
    /// If it is refused, or the game does not answer.
    pub fn call<C: Call>(&mut self, params: C) -> Result<C::Result, ClientError> {
        let params = serde_json::to_value(params).map_err(ClientError::Answer)?;
        let result = self.call_by_name(C::METHOD, params)?;
        serde_json::from_value(result).map_err(ClientError::Answer)
    }

    /// The same by the method's name, with parameters and result as JSON.
    ///
    /// # Errors
    /// If it is refused, or the game does not answer.
    pub fn call_by_name(&mut self, method: &str, params: Value) -> Result<Value, ClientError> {
        match &mut self.end {
            End::Socket(socket) => socket.call(method, params),
            End::File(file) => file.call(method, params).map_err(ClientError::Refused),
        }
    }

    /// The next message without a request; none if nothing arrives in that time. A recording gives all
    /// records of the agents that are followed, one after the other, without waiting.
    ///
    /// # Errors
    /// If the game is gone.
    pub fn next(&mut self, wait: Duration) -> Result<Option<Incoming>, ClientError> {
        let End::Socket(socket) = &mut self.end else {
            let next = self.hear(wait)?;
            return next.map_or(Ok(None), Message::read);
        };
        let until = Instant::now() + wait;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match socket.hear(left)? {
                None => return Ok(None),
                // Of a request that was not waited for.
                Some(Message::Answer(..)) => {}
                Some(message) => return message.read(),
            }
        }
    }

    /// Asks for something by the method's name, and does not wait: the answer comes by [`hear`](Client::hear), under the
    /// number that this gives. A port reads no more than 64 requests before it answers.
    ///
    /// # Errors
    /// If the game is gone.
    pub fn ask(&mut self, method: &str, params: Value) -> Result<u64, ClientError> {
        match &mut self.end {
            End::Socket(socket) => socket.ask(method, params),
            End::File(file) => Ok(file.ask(method, params)),
        }
    }

    /// The next message, answers as well, without reading it further; none if nothing arrives in that time.
    ///
    /// # Errors
    /// If the game is gone.
    pub fn hear(&mut self, wait: Duration) -> Result<Option<Message>, ClientError> {
        match &mut self.end {
            End::Socket(socket) => socket.hear(wait),
            End::File(file) => file.hear(),
        }
    }

    /// A tree with its text, all pages of it.
    ///
    /// # Errors
    /// If it is refused, or the game does not answer.
    pub fn tree(&mut self, name: &str) -> Result<TreeText, ClientError> {
        let page = |page| GetTree {
            name: name.to_owned(),
            page,
        };
        let mut whole = self.call(page(None))?;
        while let Some(next) = whole.next {
            let more = self.call(page(Some(next)))?;
            // It was replaced meanwhile.
            if more.hash != whole.hash {
                whole = self.call(page(None))?;
                continue;
            }
            whole.text += &more.text;
            whole.nodes.extend(more.nodes);
            whole.next = more.next;
        }
        Ok(whole)
    }

    /// The recording, if it is one.
    pub fn recording(&mut self) -> Option<&mut Recording> {
        match &mut self.end {
            End::Socket(_) => None,
            End::File(file) => Some(&mut file.recording),
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("welcome", &self.welcome)
            .finish_non_exhaustive()
    }
}
