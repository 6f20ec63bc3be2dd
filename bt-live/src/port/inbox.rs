//! The messages that the game's thread and the sockets' thread hand each other.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tungstenite::Message;

use crate::protocol::{Id, Request};

/// For the game.
pub(super) enum News {
    /// A client has shown the token.
    Joined(u64, Backlog),
    /// A client asks for something.
    Asked {
        client: u64,
        id: Id,
        request: Request,
    },
    /// A client is gone.
    Left(u64),
}

impl News {
    fn is_of(&self, one: u64) -> bool {
        match self {
            News::Joined(client, _) | News::Asked { client, .. } | News::Left(client) => {
                *client == one
            }
        }
    }
}

/// News for the game. Their number is limited, however long the game does not take them: a client has only so many
/// requests without an answer, and of one that is gone there is no more than that.
#[derive(Clone, Default)]
pub(super) struct Inbox(Arc<Shared>);

#[derive(Default)]
struct Shared {
    is_news: AtomicBool,
    all: Mutex<VecDeque<News>>,
}

impl Inbox {
    pub(super) fn send(&self, news: News) {
        let all = self.0.all.lock();
        // Whoever panicked with it has left whole news in it.
        let mut all = all.unwrap_or_else(PoisonError::into_inner);
        if let News::Left(client) = news {
            let is_new = |one: &News| matches!(one, News::Joined(joined, _) if *joined == client);
            let was_never_there = all.iter().any(is_new);
            all.retain(|one| !one.is_of(client));
            if was_never_there {
                return;
            }
        }
        all.push_back(news);
        self.0.is_news.store(true, Ordering::Release);
    }

    pub(super) fn take(&self) -> VecDeque<News> {
        if !self.0.is_news.swap(false, Ordering::Acquire) {
            return VecDeque::new();
        }
        let all = self.0.all.lock();
        std::mem::take(&mut *all.unwrap_or_else(PoisonError::into_inner))
    }
}

/// For a client.
pub(super) struct ToSocket {
    pub(super) to: u64,
    pub(super) message: Message,
    /// True if it answers a request.
    pub(super) is_answer: bool,
}

/// The number of bytes that wait for a client.
#[derive(Debug, Clone, Default)]
pub(super) struct Backlog {
    /// Records and events.
    pub(super) records: Waiting,
    pub(super) answers: Waiting,
}

/// The number of bytes that wait for something.
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

    /// Adds bytes where there are no more than that afterwards; whether it has.
    pub(super) fn add_within(&self, bytes: usize, most: usize) -> bool {
        let added = self.0.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if added > most {
            self.remove(bytes);
        }
        added <= most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::types::GetStatistics;

    #[test]
    fn clients_that_come_and_go_leave_nothing() {
        let inbox = Inbox::default();
        let ask = |client| News::Asked {
            client,
            id: Id::Number(1),
            request: Request::GetStatistics(GetStatistics {}),
        };
        inbox.send(News::Joined(1, Backlog::default()));
        assert_eq!(inbox.take().len(), 1);
        for client in 2..1_000 {
            inbox.send(News::Joined(client, Backlog::default()));
            inbox.send(ask(client));
            inbox.send(News::Left(client));
        }
        inbox.send(ask(1));
        inbox.send(News::Left(1));
        let left = inbox.take();
        assert!(matches!(
            left.into_iter().collect::<Vec<_>>()[..],
            [News::Left(1)]
        ));
        assert!(inbox.take().is_empty());
    }
}
