//! One connection: its handshake, the token, requests read and messages written, as far as the socket allows.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::Instant;

use mio::net::TcpStream;
use serde::Serialize;
use tungstenite::handshake::server::{
    Callback, ErrorResponse, Request as Opening, Response as Opened, ServerHandshake,
};
use tungstenite::handshake::{HandshakeError, MidHandshake};
use tungstenite::http::{HeaderMap, StatusCode};
use tungstenite::protocol::{WebSocket, WebSocketConfig};
use tungstenite::{Error as SocketError, Message};

use super::limits::{MESSAGE, REQUEST_BYTES, REQUESTS, STRANGER_MESSAGE};
use super::post::{FromSocket, ToSocket, Waiting, to_value};
use super::recordings;
use super::token::Token;
use crate::protocol::{Answer, Envelope, Error, ErrorCode, Id, Request};

/// Who is let in.
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
    /// Why a connection is refused by its headers; whether it has shown the token if it is not.
    fn admit(&self, headers: &HeaderMap) -> Result<bool, (StatusCode, String)> {
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

/// What looks at the headers.
struct Gate {
    rules: Arc<Rules>,
    /// Whether they had the token.
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

/// Whether a connection continues.
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
    Closed,
}

pub(super) struct Connection {
    id: u64,
    began: Instant,
    stage: Stage,
    rules: Arc<Rules>,
    has_token: Arc<AtomicBool>,
    /// Whether the game knows it: the token was shown.
    joined: bool,
    to_game: Sender<FromSocket>,
    refused: Arc<AtomicU64>,
    /// What is to be written.
    queue: VecDeque<ToSocket>,
    waiting: Waiting,
    /// The lengths of requests whose answers are not written yet.
    unanswered: VecDeque<usize>,
    /// Whether it is closed once everything is written.
    ends: bool,
}

impl Connection {
    pub(super) fn new(
        id: u64,
        stream: TcpStream,
        rules: Arc<Rules>,
        to_game: Sender<FromSocket>,
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
            waiting: Waiting::default(),
            unanswered: VecDeque::new(),
            ends: false,
        }
    }

    pub(super) fn began(&self) -> Instant {
        self.began
    }

    /// Whether the token was shown.
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
        let Stage::Socket(_) = self.stage else {
            return State::Open;
        };
        for _ in 0..REQUESTS {
            if self.write() == State::Over {
                return State::Over;
            }
            if self.ends {
                return match self.queue.is_empty() {
                    true => State::Over,
                    false => State::Open,
                };
            }
            if self.unanswered.len() >= REQUESTS
                || self.unanswered.iter().sum::<usize>() >= REQUEST_BYTES
            {
                return State::Open;
            }
            match self.read() {
                Ok(Some(message)) => self.hear(message),
                Ok(None) => return State::Open,
                Err(()) => return State::Over,
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
        // The port may be gone; then so is this, soon.
        _ = self
            .to_game
            .send(FromSocket::Joined(self.id, self.waiting.clone()));
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
            match next.is_answer {
                true => _ = self.unanswered.pop_front(),
                false => self.waiting.remove(bytes),
            }
            if written.is_err_and(|error| !would_block(&error)) {
                return State::Over;
            }
        }
    }

    /// The next message, if there is one.
    fn read(&mut self) -> Result<Option<Message>, ()> {
        let Stage::Socket(socket) = &mut self.stage else {
            return Err(());
        };
        match socket.read() {
            Ok(message) => Ok(Some(message)),
            Err(error) if would_block(&error) => Ok(None),
            Err(SocketError::Capacity(_) | SocketError::Protocol(_) | SocketError::Utf8(_)) => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                Err(())
            }
            Err(_) => Err(()),
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
                self.ends = true;
            }
            // Pings are answered, and a close is, by whoever reads and writes.
            _ => {}
        }
    }

    /// A request, which is the game's unless it is refused here.
    fn ask(&mut self, text: &str) {
        let asked: Envelope = match serde_json::from_str(text) {
            Ok(asked) => asked,
            Err(error) => {
                let code = match error.classify() {
                    serde_json::error::Category::Data => ErrorCode::Request,
                    _ => ErrorCode::Parse,
                };
                self.refuse(None, Error::new(code, format!("no request: {error}")));
                self.ends = !self.joined;
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
                self.ends = true;
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
                let list = recordings::list(self.rules.recordings.as_deref());
                self.reply(asked.id, list);
            }
            Ok(Request::FetchRecording(part)) => {
                let part = recordings::fetch(self.rules.recordings.as_deref(), &part);
                self.reply(asked.id, part);
            }
            Ok(request) => {
                let (client, id) = (self.id, asked.id);
                _ = self.to_game.send(FromSocket::Asked {
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
        self.send(&Answer::new(Some(id), result.and_then(to_value)));
    }

    fn refuse(&mut self, id: Option<Id>, error: Error) {
        self.send(&Answer::new(id, Err(error)));
    }

    fn send(&mut self, answer: &Answer) {
        let text = serde_json::to_string(answer).unwrap_or_default();
        self.queue.push_back(ToSocket {
            to: self.id,
            message: Message::text(text),
            is_answer: true,
        });
    }

    pub(super) fn close(&mut self, registry: &mio::Registry) {
        if self.joined {
            _ = self.to_game.send(FromSocket::Left(self.id));
        }
        match std::mem::replace(&mut self.stage, Stage::Closed) {
            Stage::Handshake(mut shake) => _ = registry.deregister(shake.get_mut().get_mut()),
            Stage::Socket(mut socket) => {
                // If it is not taken at once, the end of the connection says the same.
                _ = socket.close(None);
                _ = socket.flush();
                _ = registry.deregister(socket.get_mut());
            }
            Stage::Closed => {}
        }
    }
}

fn would_block(error: &SocketError) -> bool {
    matches!(error, SocketError::Io(error) if error.kind() == io::ErrorKind::WouldBlock)
}
