//! What the game's thread and the sockets' thread hand each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;
use serde_json::Value;
use tungstenite::Message;

use crate::protocol::{Error, ErrorCode, Id, Request};

/// For the game.
pub(super) enum FromSocket {
    /// A client has shown the token.
    Joined(u64, Waiting),
    /// A client asks for something.
    Asked {
        client: u64,
        id: Id,
        request: Request,
    },
    /// A client is gone.
    Left(u64),
}

/// For a client.
pub(super) struct ToSocket {
    pub(super) to: u64,
    pub(super) message: Message,
    /// Whether it answers a request.
    pub(super) is_answer: bool,
}

/// How many bytes of records and events wait for a client.
#[derive(Debug, Clone, Default)]
pub(super) struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    pub(super) fn bytes(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(super) fn remove(&self, bytes: usize) {
        self.0.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// A result as it travels.
pub(super) fn to_value<T: Serialize>(result: T) -> Result<Value, Error> {
    serde_json::to_value(result).map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))
}
