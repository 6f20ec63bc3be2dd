//! A network that fails, between members and a store in memory: for tests, with a clock and luck of their own.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bt_core::Random;

use super::{Append, Done, Memory, Message, Read, Store, StoreError, Stream};

/// The faults of a network, each between 0 and 1: how many of so many requests.
#[derive(Debug, Clone, Copy)]
pub struct Faults {
    /// Requests that never arrive.
    pub lost_requests: f64,
    /// Requests that are carried out, and whose answers are lost.
    pub lost_answers: f64,
    /// The longest way of a request or an answer; each takes its own time, so they overtake one another.
    pub delay: Duration,
    /// The time after which a request counts as unanswered.
    pub patience: Duration,
}

impl Default for Faults {
    /// A network without faults, and without delay.
    fn default() -> Faults {
        Faults {
            lost_requests: 0.0,
            lost_answers: 0.0,
            delay: Duration::ZERO,
            patience: Duration::from_secs(1),
        }
    }
}

/// A network to a [`Memory`], on a clock that the test moves. Everything that happens follows from the seed and from
/// what the test does.
///
/// ```
/// use bt_fleet::store::{Append, Faults, Memory, Net, Store, Stream};
/// use std::sync::mpsc;
/// use std::time::Duration;
///
/// let net = Net::new(Memory::new(), 7);
/// net.set_faults(Faults { lost_answers: 1.0, ..Faults::default() });
/// let link = net.link();
/// let (send, answers) = mpsc::channel();
/// let message = Append {
///     stream: Stream::Inputs, subject: "in.0".into(), id: None, expect: Some(0), body: vec![1],
/// };
/// link.append(message, Box::new(move |answer| send.send(answer).unwrap()));
/// net.advance(Duration::from_secs(2));
/// assert!(answers.recv().unwrap().is_err(), "it was stored, but nobody said so");
/// assert_eq!(net.memory().size(Stream::Inputs).0, 1);
/// ```
#[derive(Clone)]
pub struct Net(Arc<Mutex<Inside>>);

struct Inside {
    memory: Memory,
    now: Duration,
    random: Random,
    faults: Faults,
    links: Vec<bool>,
    /// Events by their time, and their number.
    events: BTreeMap<(Duration, u64), Box<dyn FnOnce() + Send>>,
    count: u64,
}

impl Net {
    /// A network without faults; its luck follows from the seed.
    pub fn new(memory: Memory, seed: u64) -> Net {
        Net(Arc::new(Mutex::new(Inside {
            memory,
            now: Duration::ZERO,
            random: Random::new(seed),
            faults: Faults::default(),
            links: Vec::new(),
            events: BTreeMap::new(),
            count: 0,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The store at its end.
    pub fn memory(&self) -> Memory {
        self.lock().memory.clone()
    }

    /// Its time.
    pub fn now(&self) -> Duration {
        self.lock().now
    }

    /// Sets the faults of what is sent from now on.
    pub fn set_faults(&self, faults: Faults) {
        self.lock().faults = faults;
    }

    /// A connection, for one member.
    pub fn link(&self) -> Link {
        let mut inside = self.lock();
        inside.links.push(true);
        Link {
            net: self.clone(),
            number: inside.links.len() - 1,
        }
    }

    /// Lets time pass up to a moment: requests arrive, and answers.
    pub fn advance(&self, to: Duration) {
        loop {
            let mut inside = self.lock();
            let next = inside.events.first_entry();
            match next.filter(|event| event.key().0 <= to) {
                Some(event) => {
                    let ((at, _), event) = event.remove_entry();
                    inside.now = inside.now.max(at);
                    drop(inside);
                    event();
                }
                None => {
                    inside.now = inside.now.max(to);
                    return;
                }
            }
        }
    }
}

impl Inside {
    fn at(&mut self, time: Duration, event: impl FnOnce() + Send + 'static) {
        self.count += 1;
        self.events.insert((time, self.count), Box::new(event));
    }

    fn way(&mut self) -> Duration {
        let most = self.faults.delay.as_nanos() as i64;
        let way = if most == 0 {
            0
        } else {
            self.random.int(0..=most)
        };
        Duration::from_nanos(way as u64)
    }

    fn happens(&mut self, chance: f64) -> bool {
        chance > 0.0 && (self.random.int(0..=999_999) as f64) < chance * 1e6
    }
}

/// One member's connection to a [`Net`].
#[derive(Clone)]
pub struct Link {
    net: Net,
    number: usize,
}

impl Link {
    /// Cuts the connection, or restores it: meanwhile nothing arrives, in either direction.
    pub fn set_connected(&self, connected: bool) {
        self.net.lock().links[self.number] = connected;
    }

    /// Sends a request. `ask` carries it out at the store; it is unanswered after `patience`, or answered by `late`.
    fn send<T: Send + 'static>(
        &self,
        patience: Duration,
        late: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
        done: Done<T>,
        ask: impl FnOnce(&Memory, Done<T>) + Send + 'static,
    ) {
        let done = Arc::new(Mutex::new(Some(done)));
        let once = move |done: &Mutex<Option<Done<T>>>, answer| {
            let done = done.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(done) = done {
                done(answer);
            }
        };
        let mut net = self.net.lock();
        let (end, faults) = (net.now + patience, net.faults);
        let at_end = done.clone();
        net.at(end, move || once(&at_end, late()));
        if net.happens(faults.lost_requests) || !net.links[self.number] {
            return;
        }
        let arrives = net.now + net.way();
        let link = self.clone();
        net.at(arrives, move || {
            let memory = link.net.memory();
            if !link.net.lock().links[link.number] {
                return;
            }
            let answer = move |answer| {
                let mut net = link.net.lock();
                if net.happens(faults.lost_answers) {
                    return;
                }
                let comes = net.now + net.way();
                let link = link.clone();
                net.at(comes, move || {
                    if link.net.lock().links[link.number] {
                        once(&done, answer);
                    }
                });
            };
            ask(&memory, Box::new(answer));
        });
    }

    fn patience(&self) -> Duration {
        self.net.lock().faults.patience
    }
}

fn unanswered<T>() -> Result<T, StoreError> {
    Err(StoreError::Unanswered("the network of a test".to_owned()))
}

impl Store for Link {
    fn append(&self, message: Append, done: Done<u64>) {
        let ask = move |memory: &Memory, done| memory.append(message, done);
        self.send(self.patience(), unanswered, done, ask);
    }

    fn read(&self, read: Read, done: Done<Vec<Message>>) {
        let wait = read.wait.max(self.patience());
        let late = || Ok(Vec::new());
        self.send(wait, late, done, move |memory, done| {
            memory.read(read, done)
        });
    }

    fn last(&self, stream: Stream, subject: String, done: Done<Option<Message>>) {
        let ask = move |memory: &Memory, done| memory.last(stream, subject, done);
        self.send(self.patience(), unanswered, done, ask);
    }

    fn purge(&self, stream: Stream, subject: String, before: u64, done: Done<()>) {
        let ask = move |memory: &Memory, done| memory.purge(stream, subject, before, done);
        self.send(self.patience(), unanswered, done, ask);
    }
}

impl fmt::Debug for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Net")
            .field("now", &self.now())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link")
            .field("number", &self.number)
            .finish_non_exhaustive()
    }
}
