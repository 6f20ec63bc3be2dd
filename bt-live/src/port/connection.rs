//! One connection: its handshake, the token, requests read and messages written, as far as the socket allows.

use std::collections::VecDeque;
use std::io::{self, Read as _};
use std::net::Shutdown;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use mio::net::TcpStream;
use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use tungstenite::handshake::server::{
    Callback, ErrorResponse, Request as Opening, Response as Opened, ServerHandshake,
};
use tungstenite::handshake::{HandshakeError, MidHandshake};
use tungstenite::http::{HeaderMap, StatusCode};
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, WebSocket, WebSocketConfig};
use tungstenite::{Error as SocketError, Message};

use super::inbox::{Backlog, Inbox, News, ToSocket};
use super::limits::{
    ANSWER_BYTES, FAREWELL, MESSAGE, REQUEST_BYTES, REQUESTS, STRANGER_MESSAGE, TIMEOUT, VALUES,
};
use super::recorded;
use super::token::Token;
use crate::protocol::{Answer, Envelope, Error, ErrorCode, Id, Request};

/// The rules of admission.
pub(super) struct Rules {
    pub(super) token: Token,
    /// The port's number: it is part of the hosts that a browser may name.
    pub(super) port: u16,
    /// The origins of pages that the host allows beside its own.
    pub(super) origins: Vec<String>,
    pub(super) read_only: bool,
    /// The folder of recordings.
    pub(super) recordings: Option<PathBuf>,
}

impl Rules {
    /// Checks the headers of a connection; returns true if it has shown the token.
    fn admit(&self, headers: &HeaderMap) -> Result<bool, (StatusCode, String)> {
        // Of two of them, whoever stands between may have looked at the other.
        let is_twice = |name: &&str| headers.get_all(*name).iter().nth(1).is_some();
        if let Some(name) = ["host", "origin", "authorization"]
            .iter()
            .find(|it| is_twice(it))
        {
            let why = format!("there is more than one header `{name}`");
            return Err((StatusCode::BAD_REQUEST, why));
        }
        let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or(""));
        let own = ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{}", self.port));
        let refused = |why: String| Err((StatusCode::FORBIDDEN, why));
        // A name that leads here by a foreign domain name server is not this machine's.
        let host = text("host").unwrap_or("");
        if !own.iter().any(|own| own == host) {
            return refused(format!("the host is not one of `{}`", own.join("`, `")));
        }
        if let Some(origin) = text("origin") {
            let is_own = own.iter().any(|own| origin == format!("http://{own}"));
            if !is_own && !self.origins.iter().any(|allowed| allowed == origin) {
                return refused("pages of that origin are not allowed".to_owned());
            }
        }
        match text("authorization") {
            None => Ok(false),
            Some(said) => match said.strip_prefix("Bearer ") {
                Some(token) if self.token.is(token) => Ok(true),
                _ => Err((StatusCode::UNAUTHORIZED, "the token is wrong".to_owned())),
            },
        }
    }
}

/// The check of the headers.
struct Gate {
    rules: Arc<Rules>,
    /// True once they had the token.
    has_token: Arc<AtomicBool>,
}

impl Callback for Gate {
    fn on_request(self, request: &Opening, response: Opened) -> Result<Opened, ErrorResponse> {
        match self.rules.admit(request.headers()) {
            Ok(has_token) => {
                self.has_token.store(has_token, Ordering::Relaxed);
                Ok(response)
            }
            Err((status, why)) => {
                let mut refusal = ErrorResponse::new(Some(why + "\n"));
                *refusal.status_mut() = status;
                Err(refusal)
            }
        }
    }
}

/// The state of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Open,
    /// There may be more to read, after the others.
    More,
    Over,
}

enum Stage {
    /// The headers are being read, or their answer written.
    Handshake(Box<MidHandshake<ServerHandshake<TcpStream, Gate>>>),
    Socket(Box<WebSocket<TcpStream>>),
    /// The reason for the end is being written. What comes is read over until then: an end with something unread would
    /// keep the other side from the reason.
    Farewell(Box<WebSocket<TcpStream>>, Instant),
    Closed,
}

/// The longest id of a request, in bytes: the answer repeats it.
const LONGEST_ID: usize = 256;

/// The reason for the end of a connection, as WebSocket says it.
type Reason = (CloseCode, &'static str);

const TOO_LONG: Reason = (
    CloseCode::Size,
    "a message has at most 4 MiB, 4 KiB before the token is shown",
);
const BROKEN: Reason = (CloseCode::Protocol, "this is no WebSocket");
const NO_TEXT: Reason = (CloseCode::Invalid, "this is no UTF-8");
const BINARY: Reason = (CloseCode::Unsupported, "requests are texts");
const NO_TOKEN: Reason = (CloseCode::Policy, "the token was not shown");

pub(super) struct Connection {
    id: u64,
    began: Instant,
    stage: Stage,
    rules: Arc<Rules>,
    has_token: Arc<AtomicBool>,
    /// True if the game knows it: the token was shown.
    joined: bool,
    to_game: Inbox,
    refused: Arc<AtomicU64>,
    /// The frames to be written.
    queue: VecDeque<ToSocket>,
    backlog: Backlog,
    /// The lengths of requests whose answers are not written yet.
    unanswered: VecDeque<usize>,
    /// The reason for which it is closed once everything is written.
    ends: Option<Reason>,
}

impl Connection {
    pub(super) fn new(
        id: u64,
        stream: TcpStream,
        rules: Arc<Rules>,
        to_game: Inbox,
        refused: Arc<AtomicU64>,
    ) -> Connection {
        let has_token = Arc::default();
        let gate = Gate {
            rules: rules.clone(),
            has_token: Arc::clone(&has_token),
        };
        let config = WebSocketConfig::default()
            .read_buffer_size(16 << 10)
            .max_message_size(Some(STRANGER_MESSAGE))
            .max_frame_size(Some(STRANGER_MESSAGE));
        Connection {
            id,
            began: Instant::now(),
            stage: Stage::Handshake(Box::new(ServerHandshake::start(stream, gate, Some(config)))),
            rules,
            has_token,
            joined: false,
            to_game,
            refused,
            queue: VecDeque::new(),
            backlog: Backlog::default(),
            unanswered: VecDeque::new(),
            ends: None,
        }
    }

    /// Returns true if it has had time enough to show the token.
    pub(super) fn is_late(&self, now: Instant) -> bool {
        let leaves = matches!(self.stage, Stage::Farewell(..));
        !self.joined && !leaves && now.duration_since(self.began) > TIMEOUT
    }

    /// Returns true if the token was shown.
    pub(super) fn is_client(&self) -> bool {
        self.joined
    }

    pub(super) fn push(&mut self, message: ToSocket) {
        self.queue.push_back(message);
    }

    /// Reads and writes as much as there is, or as much as is fair.
    pub(super) fn work(&mut self) -> State {
        if let Stage::Handshake(_) = self.stage
            && self.shake() == State::Over
        {
            return State::Over;
        }
        if let Stage::Farewell(..) = self.stage {
            return self.take_leave();
        }
        let Stage::Socket(_) = self.stage else {
            return State::Open;
        };
        for _ in 0..REQUESTS {
            if self.write() == State::Over {
                return State::Over;
            }
            if let Some(reason) = self.ends {
                return match self.queue.is_empty() {
                    true => self.bid_farewell(reason),
                    false => State::Open,
                };
            }
            if self.unanswered.len() >= REQUESTS
                || self.unanswered.iter().sum::<usize>() >= REQUEST_BYTES
                || self.backlog.answers.bytes() >= ANSWER_BYTES
            {
                return State::Open;
            }
            match self.read() {
                Ok(Some(message)) => self.hear(message),
                Ok(None) => return State::Open,
                Err(Some(reason)) => return self.bid_farewell(reason),
                Err(None) => return State::Over,
            }
        }
        State::More
    }

    /// Goes on with the headers.
    fn shake(&mut self) -> State {
        let Stage::Handshake(shake) = std::mem::replace(&mut self.stage, Stage::Closed) else {
            return State::Over;
        };
        match shake.handshake() {
            Ok(socket) => {
                self.stage = Stage::Socket(Box::new(socket));
                if self.has_token.load(Ordering::Relaxed) {
                    self.admit();
                }
                State::Open
            }
            Err(HandshakeError::Interrupted(shake)) => {
                self.stage = Stage::Handshake(Box::new(shake));
                State::Open
            }
            Err(HandshakeError::Failure(_)) => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                State::Over
            }
        }
    }

    /// The token was shown.
    fn admit(&mut self) {
        self.joined = true;
        if let Stage::Socket(socket) = &mut self.stage {
            socket.set_config(|config| {
                config.max_message_size = Some(MESSAGE);
                config.max_frame_size = Some(MESSAGE);
            });
        }
        self.to_game
            .send(News::Joined(self.id, self.backlog.clone()));
    }

    /// The game has nothing more to do with it.
    fn leave_game(&mut self) {
        if std::mem::take(&mut self.joined) {
            self.to_game.send(News::Left(self.id));
        }
    }

    /// Writes what the socket takes.
    fn write(&mut self) -> State {
        let Stage::Socket(socket) = &mut self.stage else {
            return State::Over;
        };
        loop {
            // What the socket did not take before comes first: it is kept there, and has no limit.
            match socket.flush() {
                Ok(()) => {}
                Err(error) if would_block(&error) => return State::Open,
                Err(_) => return State::Over,
            }
            let Some(next) = self.queue.pop_front() else {
                return State::Open;
            };
            let bytes = next.message.len();
            let written = socket.write(next.message);
            if next.is_answer {
                self.backlog.answers.remove(bytes);
                self.unanswered.pop_front();
            } else {
                self.backlog.records.remove(bytes);
            }
            if written.is_err_and(|error| !would_block(&error)) {
                return State::Over;
            }
        }
    }

    /// The next message, if there is one; why there is none any more, if that can be said.
    fn read(&mut self) -> Result<Option<Message>, Option<Reason>> {
        let Stage::Socket(socket) = &mut self.stage else {
            return Err(None);
        };
        let error = match socket.read() {
            Ok(message) => return Ok(Some(message)),
            Err(error) if would_block(&error) => return Ok(None),
            Err(error) => error,
        };
        let reason = match error {
            SocketError::Capacity(_) => TOO_LONG,
            SocketError::Protocol(_) => BROKEN,
            SocketError::Utf8(_) => NO_TEXT,
            _ => return Err(None),
        };
        self.refused.fetch_add(1, Ordering::Relaxed);
        Err(Some(reason))
    }

    /// Says why it ends.
    fn bid_farewell(&mut self, (code, why): Reason) -> State {
        self.leave_game();
        let Stage::Socket(mut socket) = std::mem::replace(&mut self.stage, Stage::Closed) else {
            return State::Over;
        };
        let reason = why.into();
        if socket.close(Some(CloseFrame { code, reason })).is_err() {
            return State::Over;
        }
        self.stage = Stage::Farewell(socket, Instant::now() + FAREWELL);
        self.take_leave()
    }

    /// Waits until the other side has closed, too.
    fn take_leave(&mut self) -> State {
        let Stage::Farewell(socket, until) = &mut self.stage else {
            return State::Over;
        };
        match socket.flush() {
            // Nothing follows: a client that waits for the end of the connection has it now.
            Ok(()) => _ = socket.get_mut().shutdown(Shutdown::Write),
            Err(error) if would_block(&error) => {}
            Err(_) => return State::Over,
        }
        let mut unread = [0; 16 << 10];
        for _ in 0..REQUESTS {
            match socket.get_mut().read(&mut unread) {
                Ok(0) => return State::Over,
                Ok(_) => {}
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => return State::Over,
                Err(_) if Instant::now() >= *until => return State::Over,
                Err(_) => return State::Open,
            }
        }
        match Instant::now() >= *until {
            true => State::Over,
            false => State::More,
        }
    }

    fn hear(&mut self, message: Message) {
        match message {
            Message::Text(text) => {
                self.unanswered.push_back(text.len());
                self.ask(&text);
            }
            Message::Binary(_) => {
                self.unanswered.push_back(0);
                let why = "requests are texts, and this is a binary message";
                self.refuse(None, Error::new(ErrorCode::Request, why));
                self.ends = Some(BINARY);
            }
            // Pings are answered, and a close is, by whoever reads and writes.
            _ => {}
        }
    }

    /// A request, which is the game's unless it is refused here.
    fn ask(&mut self, text: &str) {
        let asked = match read_request(text) {
            Ok(asked) => asked,
            Err(error) => {
                self.refuse(None, error);
                self.ends = (!self.joined).then_some(NO_TOKEN);
                return;
            }
        };
        let request = Request::read(&asked.method, asked.params);
        if !self.joined {
            let token = match &request {
                Ok(Request::Hello(hello)) => hello.token.as_deref(),
                _ => None,
            };
            if !token.is_some_and(|token| self.rules.token.is(token)) {
                let why = "the token is missing or wrong: say `hello` with it first";
                self.refused.fetch_add(1, Ordering::Relaxed);
                self.refuse(Some(asked.id), Error::new(ErrorCode::Token, why));
                self.ends = Some(NO_TOKEN);
                return;
            }
            self.admit();
        }
        match request {
            Ok(request) if request.changes() && self.rules.read_only => {
                let why = format!("the port is read-only: `{}` changes the game", asked.method);
                self.refuse(Some(asked.id), Error::new(ErrorCode::ReadOnly, why));
            }
            Ok(Request::ListRecordings(_)) => {
                let list = recorded::list(self.rules.recordings.as_deref());
                self.reply(asked.id, list);
            }
            Ok(Request::FetchRecording(part)) => {
                let part = recorded::fetch(self.rules.recordings.as_deref(), &part);
                self.reply(asked.id, part);
            }
            Ok(request) => {
                let (client, id) = (self.id, asked.id);
                self.to_game.send(News::Asked {
                    client,
                    id,
                    request,
                });
            }
            Err(error) => self.refuse(Some(asked.id), error),
        }
    }

    /// Answers what is no concern of the game.
    fn reply<T: Serialize>(&mut self, id: Id, result: Result<T, Error>) {
        let result = result.and_then(|result| {
            serde_json::to_value(result)
                .map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))
        });
        self.send(&Answer::new(Some(id), result));
    }

    fn refuse(&mut self, id: Option<Id>, error: Error) {
        self.send(&Answer::new(id, Err(error)));
    }

    fn send(&mut self, answer: &Answer) {
        let text = serde_json::to_string(answer).unwrap_or_default();
        self.backlog.answers.add(text.len());
        self.queue.push_back(ToSocket {
            to: self.id,
            message: Message::text(text),
            is_answer: true,
        });
    }

    pub(super) fn close(&mut self, registry: &mio::Registry, code: CloseCode) {
        self.leave_game();
        match std::mem::replace(&mut self.stage, Stage::Closed) {
            Stage::Handshake(mut shake) => _ = registry.deregister(shake.get_mut().get_mut()),
            Stage::Socket(mut socket) => {
                // If it is not taken at once, the end of the connection says the same.
                let reason = "".into();
                _ = socket.close(Some(CloseFrame { code, reason }));
                _ = socket.flush();
                _ = registry.deregister(socket.get_mut());
            }
            Stage::Farewell(mut socket, _) => _ = registry.deregister(socket.get_mut()),
            Stage::Closed => {}
        }
    }
}

/// Reads a request, as far as it is one.
fn read_request(text: &str) -> Result<Envelope, Error> {
    let no_request = |why: &str| Error::new(ErrorCode::Request, format!("no request: {why}"));
    let no_json = |error: serde_json::Error| {
        let why = format!("no request: {error}");
        Error::new(ErrorCode::Parse, why)
    };
    let values = values_in(text);
    if values > VALUES {
        serde_json::from_str::<IgnoredAny>(text).map_err(no_json)?;
        let why = format!("a message has at most {VALUES} JSON values, and this one has {values}");
        return Err(Error::new(ErrorCode::Limit, why));
    }
    if !text.trim_start().starts_with('{') {
        let value: Value = serde_json::from_str(text).map_err(no_json)?;
        return Err(no_request(match value {
            Value::Array(_) => "batches are not taken: each request is a message of its own",
            _ => "a request is an object",
        }));
    }
    let asked: Envelope = serde_json::from_str(text).map_err(|error| {
        let is_json = serde_json::from_str::<Value>(text).is_ok();
        match is_json {
            true => no_request(&error.to_string()),
            false => no_json(error),
        }
    })?;
    match &asked.id {
        Id::Text(id) if id.len() > LONGEST_ID => {
            let why = format!("an id has at most {LONGEST_ID} bytes");
            Err(no_request(&why))
        }
        Id::Text(_) | Id::Number(_) => Ok(asked),
    }
}

/// The number of JSON values that a text has, or more: as many as it has commas and openings outside of
/// texts.
fn values_in(text: &str) -> usize {
    let (mut values, mut in_text, mut escaped) = (1, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_text,
            b'"' => in_text = !in_text,
            b',' | b'[' | b'{' if !in_text => values += 1,
            _ => {}
        }
    }
    values
}

fn would_block(error: &SocketError) -> bool {
    matches!(error, SocketError::Io(error) if error.kind() == io::ErrorKind::WouldBlock)
}
