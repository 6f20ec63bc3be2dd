//! The one thread of a port: it accepts connections and moves bytes, and knows nothing of the game.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use mio::net::TcpListener;
use mio::{Events, Interest, Poll, Registry, Token as Key};
use tungstenite::protocol::frame::coding::CloseCode;

use super::connection::{Connection, Rules, State};
use super::inbox::{Inbox, ToSocket};
use super::limits::{CLIENTS, STRANGERS};

/// The keys of the listener and the waker among the connections.
pub(super) const LISTENER: Key = Key(0);
pub(super) const WAKER: Key = Key(1);

/// The number of times that deadlines are checked.
const TICK: Duration = Duration::from_millis(250);

pub(super) struct Server {
    pub(super) poll: Poll,
    pub(super) listener: TcpListener,
    pub(super) rules: Arc<Rules>,
    pub(super) to_game: Inbox,
    pub(super) from_game: Receiver<ToSocket>,
    pub(super) is_open: Arc<AtomicBool>,
    pub(super) refused: Arc<AtomicU64>,
}

impl Server {
    /// Serves until the port is dropped.
    pub(super) fn run(mut self) {
        let mut events = Events::with_capacity(256);
        let mut connections = Connections::default();
        while self.is_open.load(Ordering::Acquire) {
            let wait = if std::mem::take(&mut connections.has_more) {
                Duration::ZERO
            } else {
                TICK
            };
            if let Err(error) = self.poll.poll(&mut events, Some(wait))
                && error.kind() != io::ErrorKind::Interrupted
            {
                return;
            }
            for event in &events {
                if event.token() == LISTENER {
                    self.accept(&mut connections);
                }
            }
            for message in self.from_game.try_iter() {
                connections.take(message);
            }
            // All of them: one may read again because its answers were written.
            connections.work_all(self.poll.registry());
        }
        // Clients tell a game that ends from one that breaks down.
        connections.close_all(self.poll.registry());
    }

    fn accept(&self, connections: &mut Connections) {
        loop {
            let mut stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                // All were accepted, or one was gone by then. Of an error that stays there is another event.
                Err(_) => return,
            };
            if connections.clients() >= CLIENTS {
                self.refused.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            if connections.strangers() >= STRANGERS {
                self.refused.fetch_add(1, Ordering::Relaxed);
                connections.close_oldest_stranger(self.poll.registry());
            }
            connections.next += 1;
            let id = connections.next + WAKER.0 as u64;
            let interest = Interest::READABLE | Interest::WRITABLE;
            let key = Key(id as usize);
            if self
                .poll
                .registry()
                .register(&mut stream, key, interest)
                .is_ok()
            {
                let connection = Connection::new(
                    id,
                    stream,
                    self.rules.clone(),
                    self.to_game.clone(),
                    self.refused.clone(),
                );
                connections.all.insert(id, connection);
                connections.work(id, self.poll.registry());
            }
        }
    }
}

/// All connections, by their numbers: an older one has a smaller number.
#[derive(Default)]
struct Connections {
    all: BTreeMap<u64, Connection>,
    next: u64,
    /// True if one of them has more to read.
    has_more: bool,
}

impl Connections {
    fn clients(&self) -> usize {
        self.all.values().filter(|it| it.is_client()).count()
    }

    fn strangers(&self) -> usize {
        self.all.len() - self.clients()
    }

    fn close_oldest_stranger(&mut self, registry: &Registry) {
        let mut all = self.all.iter();
        let oldest = all.find(|(_, connection)| !connection.is_client());
        if let Some(id) = oldest.map(|(id, _)| *id) {
            self.close(id, registry, CloseCode::Again);
        }
    }

    /// A message of the game for a client, which may be gone.
    fn take(&mut self, message: ToSocket) {
        if let Some(connection) = self.all.get_mut(&message.to) {
            connection.push(message);
        }
    }

    /// Reads and writes as much as there is.
    fn work(&mut self, id: u64, registry: &Registry) {
        let Some(connection) = self.all.get_mut(&id) else {
            return;
        };
        match connection.work() {
            State::Open => {}
            State::More => self.has_more = true,
            State::Over => self.close(id, registry, CloseCode::Normal),
        }
    }

    fn work_all(&mut self, registry: &Registry) {
        let now = Instant::now();
        let ids: Vec<u64> = self.all.keys().copied().collect();
        for id in ids {
            let is_late = self.all.get(&id).is_some_and(|it| it.is_late(now));
            match is_late {
                true => self.close(id, registry, CloseCode::Policy),
                false => self.work(id, registry),
            }
        }
    }

    fn close_all(&mut self, registry: &Registry) {
        while let Some(id) = self.all.keys().next().copied() {
            self.close(id, registry, CloseCode::Away);
        }
    }

    fn close(&mut self, id: u64, registry: &Registry, code: CloseCode) {
        if let Some(mut connection) = self.all.remove(&id) {
            connection.close(registry, code);
        }
    }
}
