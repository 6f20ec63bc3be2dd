//! Agents of a pool are woken, while it takes in who was.

use std::sync::Arc;
use std::task::Waker;

use bt_core::pool::AgentId;
use loom::sync::atomic::AtomicUsize;
use loom::sync::atomic::Ordering::{Relaxed, SeqCst};
use loom::thread;

use crate::completion::{self, Completion};
use crate::shared::SharedBoard;

#[path = "../../../bt-core/src/pool/buffer.rs"]
mod buffer;
#[path = "../../../bt-core/src/pool/inbox.rs"]
mod inbox;

use inbox::{AgentWaker, Inbox};

/// A pool as seen from its inbox, and how often the host was called.
struct Host {
    inbox: Arc<Inbox>,
    calls: Arc<AtomicUsize>,
}

impl Host {
    fn new() -> Host {
        let (inbox, calls) = (Arc::new(Inbox::default()), Arc::new(AtomicUsize::new(0)));
        let called = calls.clone();
        inbox.set_on_wake(Arc::new(move || {
            called.fetch_add(1, SeqCst);
        }));
        Host { inbox, calls }
    }

    fn waker(&self, agent: u64) -> Waker {
        AgentWaker::waker(&self.inbox, AgentId::from_bits(agent))
    }

    /// Begins a round; the agents that were woken.
    fn take(&self) -> Vec<u64> {
        let mut woken = Vec::new();
        self.inbox.take(|id| woken.push(id.to_bits()));
        woken
    }

    /// Returns true if the host was called since it had been so often, and so polls again.
    fn is_called(&self, before: usize) -> bool {
        self.calls.load(SeqCst) > before
    }
}

/// Two threads write something and wake the same agent, which is polled meanwhile.
#[test]
fn agent_that_is_woken_sees_what_was_written_before() {
    loom::model(|| {
        let host = Host::new();
        let waker = host.waker(1);
        let written = Arc::new(AtomicUsize::new(0));
        let threads = [(); 2].map(|()| {
            let (waker, written) = (waker.clone(), written.clone());
            thread::spawn(move || {
                written.fetch_add(1, Relaxed);
                waker.wake();
            })
        });
        let before = host.calls.load(SeqCst);
        let mut seen = 0;
        if host.take() == [1] {
            seen = written.load(Relaxed);
            assert!(seen > 0);
        }
        for thread in threads {
            thread.join().unwrap();
        }
        if host.inbox.has_arrived() {
            assert!(host.is_called(before));
            let woken = host.take();
            if woken == [1] {
                seen = written.load(Relaxed);
            }
        }
        assert_eq!(seen, 2);
        assert_eq!(host.take(), [0; 0], "each wake counts once");
    });
}

/// Different agents are woken in the same moment, and after one round.
#[test]
fn each_agent_that_is_woken_is_due() {
    loom::model(|| {
        let host = Host::new();
        let wakers = [host.waker(1), host.waker(2)];
        let threads = wakers.map(|waker| thread::spawn(move || waker.wake()));
        let mut woken = host.take();
        for thread in threads {
            thread.join().unwrap();
        }
        let calls = host.calls.load(SeqCst);
        let late = host.take();
        assert!((1..=2).contains(&calls));
        assert!(late.is_empty() || calls == 1 + usize::from(!woken.is_empty()));
        woken.extend(late);
        woken.sort_unstable();
        assert_eq!(woken, [1, 2]);
    });
}

/// A call is finished while its agent is polled and goes to sleep: the poll sees the answer, or what the
/// pool asks afterwards does, or the agent is woken.
#[test]
fn completion_that_is_finished_while_its_agent_falls_asleep_wakes_it() {
    loom::model(|| {
        let host = Host::new();
        let answers = Arc::new(completion::Inbox::default());
        let completion = Completion::new(7, answers.clone());
        let other = completion.clone();
        let threads =
            [completion, other].map(|completion| thread::spawn(move || completion.finish(true)));
        let seen_in_poll = !answers.take().is_empty();
        answers.wake_by((1, 1), &|| host.waker(1));
        let is_due = answers.has_arrived();
        let first = threads.map(|thread| thread.join().unwrap());
        assert_ne!(first[0], first[1], "one of them is the first");
        assert!(seen_in_poll || is_due || host.take() == [1]);
        assert!(seen_in_poll || answers.take() == [(7, Some(true))]);
        assert!(answers.take().is_empty());
    });
}

/// The last of two clones is dropped while the agent falls asleep.
#[test]
fn completion_that_is_dropped_while_its_agent_falls_asleep_wakes_it() {
    loom::model(|| {
        let host = Host::new();
        let answers = Arc::new(completion::Inbox::default());
        let completion = Completion::new(7, answers.clone());
        let other = completion.clone();
        let thread = thread::spawn(move || drop(completion));
        answers.wake_by((1, 1), &|| host.waker(1));
        let before = answers.has_arrived();
        drop(other);
        thread.join().unwrap();
        assert!(before || host.take() == [1]);
        assert_eq!(answers.take(), [(7, None)]);
    });
}

/// A key is written twice while an agent takes in the first news and falls asleep.
#[test]
fn global_key_that_is_written_while_an_agent_falls_asleep_wakes_it() {
    loom::model(|| {
        let host = Host::new();
        let board = SharedBoard::new();
        let key: Arc<str> = "alarm".into();
        let writer = board.clone();
        let thread = thread::spawn(move || {
            writer.set("alarm", 1);
            writer.set("alarm", 2);
        });
        let keys = || std::iter::once(((), key.clone()));
        let (seen, _) = board.since(0, keys());
        let following = board.follow(std::iter::once(key.clone()), host.waker(1));
        let is_due = board.version() != seen;
        thread.join().unwrap();
        let is_late = !board.since(seen, keys()).1.is_empty();
        assert!(!is_late || is_due || host.take() == [1]);
        assert_eq!(board.get("alarm"), 2);
        host.take();
        drop(following);
        board.set("alarm", 3);
        assert!(host.take().is_empty(), "who follows no more sleeps on");
    });
}
