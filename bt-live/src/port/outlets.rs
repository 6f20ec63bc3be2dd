//! Where answers, events and records go: to clients, and into recordings.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::mpsc::Sender;

use serde_json::Value;
use tungstenite::{Bytes, Message};

use super::limits::{RECORDER_BYTES, WAITING_BYTES};
use super::post::{ToSocket, Waiting};
use crate::protocol::types::AgentEntry;
use crate::protocol::{Answer, Error, Event, Id};
use crate::recording::{About, Recorder, Span};

/// Recordings are followers like clients; their numbers begin here.
const FIRST_RECORDING: u64 = 1 << 63;

/// All of them.
pub(super) struct Outlets {
    clients: BTreeMap<u64, Waiting>,
    recordings: BTreeMap<u64, Running>,
    started: u64,
    to_sockets: Sender<ToSocket>,
    /// Whether something was sent that the sockets' thread does not know of.
    sent: bool,
}

struct Running {
    name: String,
    recorder: Recorder,
    waiting: Waiting,
}

impl Outlets {
    pub(super) fn new(to_sockets: Sender<ToSocket>) -> Outlets {
        Outlets {
            clients: BTreeMap::new(),
            recordings: BTreeMap::new(),
            started: 0,
            to_sockets,
            sent: false,
        }
    }

    pub(super) fn clients(&self) -> usize {
        self.clients.len()
    }

    /// All clients and recordings.
    pub(super) fn followers(&self) -> Vec<u64> {
        let all = self.clients.keys().chain(self.recordings.keys());
        all.copied().collect()
    }

    pub(super) fn join(&mut self, client: u64, waiting: Waiting) {
        self.clients.insert(client, waiting);
    }

    pub(super) fn leave(&mut self, client: u64) {
        self.clients.remove(&client);
    }

    /// Begins a recording; its number among the followers.
    pub(super) fn record(&mut self, name: &str, path: &Path, about: &About) -> io::Result<u64> {
        let recorder = Recorder::begin(path, about)?;
        let number = FIRST_RECORDING + self.started;
        self.started += 1;
        let running = Running {
            name: name.to_owned(),
            recorder,
            waiting: Waiting::default(),
        };
        self.recordings.insert(number, running);
        Ok(number)
    }

    pub(super) fn is_recording(follower: u64) -> bool {
        follower >= FIRST_RECORDING
    }

    /// The running recording of that name.
    pub(super) fn recording(&self, name: &str) -> Option<u64> {
        let mut all = self.recordings.iter();
        all.find(|(_, running)| running.name == name)
            .map(|(number, _)| *number)
    }

    /// Ends a recording; how many bytes its file has.
    pub(super) fn end(&mut self, recording: u64) -> io::Result<u64> {
        let running = self.recordings.remove(&recording);
        running.map_or(Ok(0), |running| running.recorder.end())
    }

    /// A recording is to know an agent.
    pub(super) fn introduce(&self, recording: u64, agent: AgentEntry) {
        if let Some(running) = self.recordings.get(&recording) {
            running.recorder.agent(agent);
        }
    }

    /// Whether a follower that missed something has room for a snapshot.
    pub(super) fn has_room(&self, follower: u64) -> bool {
        match self.recordings.get(&follower) {
            Some(running) => running.waiting.bytes() < RECORDER_BYTES / 2,
            None => {
                let waiting = self.clients.get(&follower);
                waiting.is_some_and(|waiting| waiting.bytes() < WAITING_BYTES / 2)
            }
        }
    }

    /// Hands records to a follower; whether it has room for them.
    pub(super) fn records(&mut self, follower: u64, span: Span, message: &Bytes) -> bool {
        match self.recordings.get(&follower) {
            Some(running) => {
                let waiting = running.waiting.clone();
                let bytes = message.len();
                if waiting.bytes() + bytes > RECORDER_BYTES {
                    return false;
                }
                waiting.add(bytes);
                let written = move || waiting.remove(bytes);
                running.recorder.records(span, message.to_vec(), written);
                true
            }
            None => self.push(follower, Message::Binary(message.clone())),
        }
    }

    /// Sends an event to a client; whether it has room for it. A recording gets none.
    pub(super) fn tell(&mut self, follower: u64, event: &Event) -> bool {
        if Outlets::is_recording(follower) {
            return true;
        }
        let mut text = serde_json::to_value(event).unwrap_or_default();
        text["jsonrpc"] = "2.0".into();
        self.push(follower, Message::text(text.to_string()))
    }

    pub(super) fn tell_all(&mut self, event: &Event) {
        let clients: Vec<u64> = self.clients.keys().copied().collect();
        for client in clients {
            self.tell(client, event);
        }
    }

    fn push(&mut self, client: u64, message: Message) -> bool {
        let Some(waiting) = self.clients.get(&client) else {
            return true;
        };
        let bytes = message.len();
        if waiting.bytes() + bytes > WAITING_BYTES {
            return false;
        }
        waiting.add(bytes);
        self.send(client, message, false);
        true
    }

    /// Answers a request. How many there are is limited, so there is always room.
    pub(super) fn answer(&mut self, client: u64, id: Id, result: Result<Value, Error>) {
        let answer = Answer::new(Some(id), result);
        let text = serde_json::to_string(&answer).unwrap_or_default();
        self.send(client, Message::text(text), true);
    }

    fn send(&mut self, to: u64, message: Message, is_answer: bool) {
        let message = ToSocket {
            to,
            message,
            is_answer,
        };
        // The thread is there as long as the port is.
        _ = self.to_sockets.send(message);
        self.sent = true;
    }

    /// Whether something was sent since this was asked last.
    pub(super) fn take_sent(&mut self) -> bool {
        std::mem::take(&mut self.sent)
    }
}
