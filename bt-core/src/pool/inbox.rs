//! Wakes from elsewhere: from other threads, and from within a round.

use std::cmp::Reverse;
use std::fmt;
use std::sync::Arc;
use std::task::{Wake, Waker};

use super::AgentId;
use super::buffer::{ROOM, trim};
use crate::deferred::Doer;
use crate::sync::{AtomicBool, Mutex, MutexGuard, Ordering, lock};

type OnWake = Arc<dyn Fn() + Send + Sync>;

/// The agents that were woken since the last round.
#[derive(Default)]
pub(super) struct Inbox(Mutex<Inside>);

#[derive(Default)]
struct Inside {
    woken: Vec<Arc<AgentWaker>>,
    /// The number of them that were left when those of the same agents were joined last.
    joined: usize,
    /// An empty list, which `woken` becomes next.
    spare: Vec<Arc<AgentWaker>>,
    /// True if the host was called, or will see it anyhow.
    called: bool,
    on_wake: Option<OnWake>,
}

impl Inside {
    /// Notes that an agent was woken. An agent may have many wakers; it is woken once.
    fn add(&mut self, waker: Arc<AgentWaker>) {
        self.woken.push(waker);
        if self.woken.len() > 2 * self.joined + ROOM {
            self.join();
        }
    }

    /// Keeps one waker of each place, of the agent that had it last: the others have left.
    #[cold]
    fn join(&mut self) {
        self.woken.sort_unstable_by_key(|waker| Reverse(waker.id));
        self.woken.dedup_by(|other, kept| {
            let same = other.id.index() == kept.id.index();
            if same {
                // It is not in the inbox any more. What its thread had done before is read here, and passed on with
                // the lock to whoever takes the other.
                other.woken.swap(false, Ordering::AcqRel);
            }
            same
        });
        self.joined = self.woken.len();
    }
}

impl Inbox {
    fn inside(&self) -> MutexGuard<'_, Inside> {
        lock(&self.0)
    }

    /// An agent of the pool that has this inbox, among those of all pools.
    pub(super) fn doer(self: &Arc<Self>, id: AgentId) -> Doer {
        (Arc::as_ptr(self) as usize, id.to_bits())
    }

    pub(super) fn set_on_wake(&self, call: OnWake) {
        self.inside().on_wake = Some(call);
    }

    /// Something has arrived: calls the host, if it was not called since the last round. No lock is held
    /// while it is called.
    pub(super) fn call_host(&self) {
        self.arrive(None);
    }

    fn arrive(&self, waker: Option<Arc<AgentWaker>>) {
        let mut inside = self.inside();
        if let Some(waker) = waker {
            inside.add(waker);
        }
        let is_first = !std::mem::replace(&mut inside.called, true);
        let call = inside.on_wake.clone().filter(|_| is_first);
        drop(inside);
        if let Some(call) = call {
            call();
        }
    }

    /// Returns true if something has arrived since the last round.
    pub(super) fn has_arrived(&self) -> bool {
        self.inside().called
    }

    /// Takes who was woken, each once: from now on a wake counts anew, and the host is called anew.
    pub(super) fn take(&self, mut woken: impl FnMut(AgentId)) {
        let mut inside = self.inside();
        (inside.called, inside.joined) = (false, 0);
        let spare = std::mem::take(&mut inside.spare);
        let mut all = std::mem::replace(&mut inside.woken, spare);
        drop(inside);
        let count = all.len();
        for waker in all.drain(..) {
            // A thread that found `true` here added nothing. What it had done before is seen by the
            // poll that follows, since this reads what that thread wrote.
            waker.woken.swap(false, Ordering::AcqRel);
            woken(waker.id);
        }
        trim(&mut all, count);
        self.inside().spare = all;
    }

    /// Calls the host no more.
    pub(super) fn close(&self) {
        self.inside().on_wake = None;
    }
}

impl fmt::Debug for Inbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let woken = self.inside().woken.len();
        f.debug_struct("Inbox").field("woken", &woken).finish()
    }
}

/// Wakes one agent.
pub(super) struct AgentWaker {
    inbox: Arc<Inbox>,
    id: AgentId,
    /// True while it is in the inbox.
    woken: AtomicBool,
}

impl AgentWaker {
    pub(super) fn waker(inbox: &Arc<Inbox>, id: AgentId) -> Waker {
        Waker::from(Arc::new(AgentWaker {
            inbox: inbox.clone(),
            id,
            woken: AtomicBool::new(false),
        }))
    }
}

impl Wake for AgentWaker {
    fn wake(self: Arc<Self>) {
        if !self.woken.swap(true, Ordering::AcqRel) {
            let inbox = self.inbox.clone();
            inbox.arrive(Some(self));
        }
    }
}
