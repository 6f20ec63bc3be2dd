//! A connection to a running game.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, Read as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::Value;
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::HandshakeError;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error as SocketError, Message as Frame, WebSocket};

use super::error::ClientError;
use super::message::Message;
use crate::protocol::types::{Hello, Welcome};
use crate::protocol::{Answer, Call, Envelope, Id};

/// The time limit of an answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The longest message of a game: a catalogue, a picture.
const LONGEST: usize = 256 << 20;

/// The longest token file, in bytes.
const LONGEST_TOKEN: u64 = 1 << 16;

pub(super) struct Socket {
    socket: WebSocket<TcpStream>,
    next: u64,
    /// Messages that arrived during the wait for an answer. Records are not read yet: those that are read
    /// stay on their thread.
    unread: VecDeque<Message>,
}

#[derive(Deserialize)]
struct Said {
    url: String,
    token: String,
}

impl Said {
    fn address(&self) -> &str {
        let address = self.url.strip_prefix("ws://").unwrap_or(&self.url);
        address.split('/').next().unwrap_or_default()
    }
}

/// Returns true if somebody listens at the port that wrote a token file.
pub(super) fn is_answered(token_file: &Path) -> bool {
    read(token_file).is_ok_and(|said| TcpStream::connect(said.address()).is_ok())
}

impl Socket {
    pub(super) fn attach(token_file: &Path) -> Result<Socket, ClientError> {
        let said = read(token_file).map_err(ClientError::TokenFile)?;
        let mut request = said.url.as_str().into_client_request()?;
        let bearer = format!("Bearer {}", said.token).parse();
        let bearer = bearer
            .map_err(|_| not_a_token_file())
            .map_err(ClientError::TokenFile)?;
        request.headers_mut().insert("authorization", bearer);
        let stream = TcpStream::connect(said.address()).map_err(SocketError::Io)?;
        stream
            .set_read_timeout(Some(TIMEOUT))
            .map_err(SocketError::Io)?;
        stream
            .set_write_timeout(Some(TIMEOUT))
            .map_err(SocketError::Io)?;
        stream.set_nodelay(true).map_err(SocketError::Io)?;
        let config = WebSocketConfig::default()
            .max_message_size(Some(LONGEST))
            .max_frame_size(Some(LONGEST));
        let opened = tungstenite::client::client_with_config(request, stream, Some(config));
        let (socket, _) = opened.map_err(|error| match error {
            HandshakeError::Failure(error) => ClientError::Socket(error),
            HandshakeError::Interrupted(_) => ClientError::NoAnswer,
        })?;
        Ok(Socket {
            socket,
            next: 0,
            unread: VecDeque::new(),
        })
    }

    pub(super) fn hello(&mut self) -> Result<Welcome, ClientError> {
        let hello = Hello {
            token: None,
            client: Some(format!("bt-live {}", env!("CARGO_PKG_VERSION"))),
        };
        let params = serde_json::to_value(hello).map_err(ClientError::Answer)?;
        let welcome = self.call(Hello::METHOD, params)?;
        serde_json::from_value(welcome).map_err(ClientError::Answer)
    }

    /// Asks for something; the answer comes by [`hear`](Socket::hear), under that number.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> Result<u64, ClientError> {
        self.next += 1;
        let request = Envelope::new(Id::Number(self.next), method, params);
        let text = serde_json::to_string(&request).map_err(ClientError::Answer)?;
        self.socket.send(Frame::text(text))?;
        Ok(self.next)
    }

    pub(super) fn call(&mut self, method: &str, params: Value) -> Result<Value, ClientError> {
        let own = self.ask(method, params)?;
        let until = Instant::now() + TIMEOUT;
        loop {
            match self.read(until)? {
                None => return Err(ClientError::NoAnswer),
                Some(Message::Answer(id, result)) if id == own => {
                    return result.map_err(ClientError::Refused);
                }
                Some(unread) => self.unread.push_back(unread),
            }
        }
    }

    /// The next message, answers as well, if one arrives in that time.
    pub(super) fn hear(&mut self, wait: Duration) -> Result<Option<Message>, ClientError> {
        match self.unread.pop_front() {
            Some(unread) => Ok(Some(unread)),
            None => self.read(Instant::now() + wait),
        }
    }

    /// The next message that means something, if one comes by then.
    fn read(&mut self, until: Instant) -> Result<Option<Message>, ClientError> {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            // None at all would mean for ever.
            let left = left.max(Duration::from_millis(1));
            let stream = self.socket.get_ref();
            stream
                .set_read_timeout(Some(left))
                .map_err(SocketError::Io)?;
            match self.socket.read() {
                Ok(Frame::Text(text)) => {
                    let value: Value = serde_json::from_str(&text).map_err(ClientError::Answer)?;
                    if value.get("method").is_none() {
                        let answer: Answer =
                            serde_json::from_value(value).map_err(ClientError::Answer)?;
                        return self.answered(answer).map(Some);
                    }
                    // A later version may say more.
                    if let Ok(event) = serde_json::from_value(value) {
                        return Ok(Some(Message::Event(event)));
                    }
                }
                Ok(Frame::Binary(bytes)) => {
                    return Ok(Some(Message::Records(bytes.to_vec())));
                }
                // What comes after it, such as an answer that nobody takes, says nothing more.
                Ok(Frame::Close(_)) => return Err(SocketError::ConnectionClosed.into()),
                Ok(_) => {}
                Err(SocketError::Io(error)) if is_late(&error) => {
                    if Instant::now() >= until {
                        return Ok(None);
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn answered(&self, answer: Answer) -> Result<Message, ClientError> {
        let id = match answer.id {
            Some(Id::Number(id)) => id,
            // What could not be read is what was asked last.
            Some(Id::Text(_)) | None => self.next,
        };
        Ok(Message::Answer(
            id,
            match answer.error {
                Some(error) => Err(error),
                None => Ok(answer.result.unwrap_or_default()),
            },
        ))
    }
}

fn is_late(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}

/// Reads a token file, if nobody else could have read or written it.
fn read(path: &Path) -> io::Result<Said> {
    let named =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    // A pipe would be waited for.
    if !fs::metadata(path).map_err(named)?.is_file() {
        return Err(named(not_a_token_file()));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let mode = fs::metadata(path).map_err(named)?.mode();
        if mode & 0o077 != 0 {
            let why = format!("{}: other users can read it", path.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        }
    }
    let mut text = String::new();
    let file = fs::File::open(path).map_err(named)?;
    file.take(LONGEST_TOKEN)
        .read_to_string(&mut text)
        .map_err(named)?;
    serde_json::from_str(&text)
        .map_err(|_| not_a_token_file())
        .map_err(named)
}

fn not_a_token_file() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "this is no token file of a port",
    )
}
