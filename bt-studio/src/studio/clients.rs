//! The connected clients, and their messages.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;
use tokio::sync::mpsc;

use crate::protocol::Event;

/// The channel for a client's messages; it is closed when a client takes none for too long.
pub type Outbox = mpsc::Sender<String>;

/// The connected clients.
#[derive(Debug, Default)]
pub(super) struct Clients(BTreeMap<u64, Outbox>);

impl Clients {
    pub(super) fn join(&mut self, client: u64, outbox: Outbox) {
        self.0.insert(client, outbox);
    }

    pub(super) fn leave(&mut self, client: u64) {
        self.0.remove(&client);
    }

    /// Returns true if nobody is connected.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sends a client a text. One whose outbox is full is no longer served.
    pub(super) fn send(&mut self, client: u64, text: String) {
        let Some(outbox) = self.0.get(&client) else {
            return;
        };
        if outbox.try_send(text).is_err() {
            self.0.remove(&client);
        }
    }

    /// Tells a client of something.
    pub(super) fn tell(&mut self, client: u64, event: &Event) {
        self.send(client, written(event));
    }

    /// Tells all clients of something.
    pub(super) fn tell_all(&mut self, event: &Event) {
        let text = written(event);
        let all: Vec<u64> = self.0.keys().copied().collect();
        for client in all {
            self.send(client, text.clone());
        }
    }
}

/// An event as it travels.
pub(crate) fn written(event: &Event) -> String {
    #[derive(Serialize)]
    struct Notification<'e> {
        jsonrpc: &'static str,
        #[serde(flatten)]
        event: &'e Event,
    }
    let notification = Notification {
        jsonrpc: "2.0",
        event,
    };
    serde_json::to_string(&notification).unwrap_or_else(|_| json!({}).to_string())
}
