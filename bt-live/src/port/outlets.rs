//! The targets of answers, events and records: clients, and recordings.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender};

use tungstenite::{Bytes, Message};

use super::inbox::{Backlog, ToSocket, Waiting};
use super::limits::{RECORDER_BYTES, RECORDING_BYTES, WAITING_BYTES};
use super::task::Answered;
use crate::protocol::types::AgentEntry;
use crate::protocol::{Error, Event, Id};
use crate::recording::{About, Recorder, Span};

/// Recordings are followers like clients; their numbers begin here.
const FIRST_RECORDING: u64 = 1 << 63;

/// All of them.
pub(super) struct Outlets {
    clients: BTreeMap<u64, Backlog>,
    recordings: BTreeMap<u64, Running>,
    /// It writes all recordings, from the first on.
    recorder: Option<Recorder>,
    /// The number of bytes that wait for it.
    waiting: Waiting,
    started: u64,
    to_sockets: Sender<ToSocket>,
    /// True if something was sent that the sockets' thread does not know of.
    sent: bool,
}

struct Running {
    name: String,
    /// The client with which it ends; none of one that is to last.
    owner: Option<u64>,
    bytes: u64,
}

impl Outlets {
    pub(super) fn new(to_sockets: Sender<ToSocket>) -> Outlets {
        Outlets {
            clients: BTreeMap::new(),
            recordings: BTreeMap::new(),
            recorder: None,
            waiting: Waiting::default(),
            started: 0,
            to_sockets,
            sent: false,
        }
    }

    pub(super) fn clients(&self) -> Vec<u64> {
        self.clients.keys().copied().collect()
    }

    pub(super) fn client_count(&self) -> usize {
        self.clients.len()
    }

    pub(super) fn join(&mut self, client: u64, backlog: Backlog) {
        self.clients.insert(client, backlog);
    }

    pub(super) fn leave(&mut self, client: u64) {
        self.clients.remove(&client);
    }

    /// Begins a recording: its number among the followers, and what says later whether it has begun. `prepare` finds
    /// out, on the thread that writes it, where it goes and what it says of the game.
    pub(super) fn record(
        &mut self,
        name: &str,
        owner: Option<u64>,
        prepare: impl FnOnce() -> io::Result<(PathBuf, About)> + Send + 'static,
    ) -> io::Result<(u64, Receiver<io::Result<()>>)> {
        let recorder = match &self.recorder {
            Some(recorder) => recorder,
            None => self.recorder.insert(Recorder::new()?),
        };
        let number = FIRST_RECORDING + self.started;
        let begun = recorder.begin(number, prepare);
        self.started += 1;
        let running = Running {
            name: name.to_owned(),
            owner,
            bytes: 0,
        };
        self.recordings.insert(number, running);
        Ok((number, begun))
    }

    pub(super) fn is_recording(follower: u64) -> bool {
        follower >= FIRST_RECORDING
    }

    /// The number of recordings that run.
    pub(super) fn recordings(&self) -> usize {
        self.recordings.len()
    }

    /// The running recording of that name.
    pub(super) fn recording(&self, name: &str) -> Option<u64> {
        let mut all = self.recordings.iter();
        all.find(|(_, running)| running.name == name)
            .map(|(number, _)| *number)
    }

    /// The recordings that end with a client; all of them if none is named.
    pub(super) fn recordings_of(&self, client: Option<u64>) -> Vec<u64> {
        let all = self.recordings.iter();
        let own = all.filter(|(_, running)| client.is_none() || running.owner == client);
        own.map(|(number, _)| *number).collect()
    }

    /// A recording could not begin.
    pub(super) fn forget(&mut self, recording: u64) {
        self.recordings.remove(&recording);
    }

    /// Ends a recording; how many bytes its file has is said later.
    pub(super) fn end(&mut self, recording: u64) -> Option<Receiver<io::Result<u64>>> {
        self.recordings.remove(&recording)?;
        Some(self.recorder.as_ref()?.end(recording))
    }

    /// A recording is to know an agent.
    pub(super) fn introduce(&self, recording: u64, agent: AgentEntry) {
        if let Some(recorder) = &self.recorder {
            recorder.agent(recording, agent);
        }
    }

    /// Returns true if a follower can take more.
    pub(super) fn has_room(&self, follower: u64) -> bool {
        match self.recordings.get(&follower) {
            Some(running) => {
                self.waiting.bytes() < RECORDER_BYTES / 2 && running.bytes < RECORDING_BYTES
            }
            None => {
                let backlog = self.clients.get(&follower);
                backlog.is_some_and(|backlog| backlog.records.bytes() < WAITING_BYTES / 2)
            }
        }
    }

    /// Hands records to a follower; whether it has room for them.
    pub(super) fn records(&mut self, follower: u64, span: Span, message: &Bytes) -> bool {
        let (Some(running), Some(recorder)) = (self.recordings.get_mut(&follower), &self.recorder)
        else {
            return self.push(follower, Message::Binary(message.clone()));
        };
        let bytes = message.len();
        if running.bytes >= RECORDING_BYTES || !self.waiting.add_within(bytes, RECORDER_BYTES) {
            return false;
        }
        running.bytes += bytes as u64;
        let waiting = self.waiting.clone();
        let written = move || waiting.remove(bytes);
        recorder.records(follower, span, message.clone(), written);
        true
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
        let Some(backlog) = self.clients.get(&client) else {
            return true;
        };
        if !backlog.records.add_within(message.len(), WAITING_BYTES) {
            return false;
        }
        self.send(client, message, false);
        true
    }

    /// Answers a request. How many there are is limited, so there is always room.
    pub(super) fn answer(&mut self, client: u64, id: &Id, answer: Answered) {
        let Some(backlog) = self.clients.get(&client) else {
            return;
        };
        let json = |error: &Error| serde_json::to_string(error).unwrap_or_default();
        let (what, said) = match answer {
            Ok(result) => ("result", result),
            Err(error) => ("error", json(&error)),
        };
        let id = serde_json::to_string(id).unwrap_or_default();
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"{what}":{said}}}"#);
        backlog.answers.add(text.len());
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

    /// Returns true if something was sent since this was asked last.
    pub(super) fn take_sent(&mut self) -> bool {
        std::mem::take(&mut self.sent)
    }
}
