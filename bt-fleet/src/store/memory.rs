//! The store of one process.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Append, Done, MOST_BYTES, MOST_OUT, Message, Read, Store, StoreError, Stream};

/// The number of ids that a stream remembers.
const IDS: usize = 1 << 16;

/// A store in memory: for fleets of one process, and for tests. Clones are the same store.
#[derive(Clone, Default)]
pub struct Memory(Arc<Mutex<Inside>>);

#[derive(Default)]
struct Inside {
    streams: HashMap<Stream, Messages>,
    /// By the subject that they read, which may be `>`.
    waiting: HashMap<(Stream, String), Vec<Waiting>>,
}

type Waiting = (Read, Done<Vec<Message>>);

#[derive(Default)]
struct Messages {
    last: u64,
    subjects: BTreeMap<String, BTreeMap<u64, Message>>,
    ids: HashMap<String, u64>,
    oldest: VecDeque<String>,
}

impl Messages {
    fn last_of(&self, subject: &str) -> Option<&Message> {
        Some(self.subjects.get(subject)?.last_key_value()?.1)
    }

    fn append(&mut self, stream: Stream, message: Append) -> Result<u64, StoreError> {
        if message.body.len() > MOST_BYTES {
            let len = message.body.len();
            return Err(StoreError::Refused(format!(
                "{len} bytes are more than {MOST_BYTES}"
            )));
        }
        if let Some(expect) = message.expect
            && self.last_of(&message.subject).map_or(0, |last| last.seq) != expect
        {
            // As one server does: it looks at this first.
            return Err(StoreError::Stale);
        }
        if let Some(seq) = message.id.as_ref().and_then(|id| self.ids.get(id)) {
            return Ok(*seq);
        }
        self.last += 1;
        let seq = self.last;
        if let Some(id) = &message.id {
            self.ids.insert(id.clone(), seq);
            self.oldest.push_back(id.clone());
            if self.oldest.len() > IDS
                && let Some(oldest) = self.oldest.pop_front()
            {
                self.ids.remove(&oldest);
            }
        }
        let all = self.subjects.entry(message.subject.clone()).or_default();
        if stream == Stream::Keys {
            all.clear();
        }
        let Append {
            subject, id, body, ..
        } = message;
        let message = Message {
            subject,
            seq,
            id,
            body,
        };
        all.insert(seq, message);
        if stream == Stream::Out && all.len() > MOST_OUT {
            all.pop_first();
        }
        Ok(seq)
    }

    fn read(&self, read: &Read) -> Vec<Message> {
        let after = read.after + 1;
        match read.subject.strip_suffix('>') {
            None => {
                let all = self.subjects.get(&read.subject).into_iter();
                let all = all.flat_map(|all| all.range(after..));
                all.take(read.most)
                    .map(|(_, message)| message.clone())
                    .collect()
            }
            Some(start) => {
                let all = self.subjects.iter();
                let all = all.filter(|(subject, _)| subject.starts_with(start));
                let all = all.flat_map(|(_, all)| all.range(after..));
                let mut all: Vec<_> = all.map(|(_, message)| message).collect();
                all.sort_unstable_by_key(|message| message.seq);
                all.into_iter().take(read.most).cloned().collect()
            }
        }
    }
}

impl Memory {
    /// An empty store.
    pub fn new() -> Memory {
        Memory::default()
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of messages and of their bytes in a stream.
    pub fn size(&self, stream: Stream) -> (usize, usize) {
        let inside = self.lock();
        let all = inside.streams.get(&stream).into_iter();
        let all = all.flat_map(|all| all.subjects.values().flat_map(BTreeMap::values));
        all.fold((0, 0), |(count, bytes), message| {
            (count + 1, bytes + message.body.len())
        })
    }
}

impl Store for Memory {
    fn append(&self, message: Append, done: Done<u64>) {
        let mut inside = self.lock();
        let (stream, subject) = (message.stream, message.subject.clone());
        let answer = inside
            .streams
            .entry(stream)
            .or_default()
            .append(stream, message);
        let mut served = Vec::new();
        if answer.is_ok() {
            for subject in [subject, ">".to_owned()] {
                let waiting = inside.waiting.remove(&(stream, subject));
                for (read, done) in waiting.into_iter().flatten() {
                    let found = inside.streams.get(&stream).map(|all| all.read(&read));
                    served.push((found.unwrap_or_default(), done));
                }
            }
        }
        drop(inside);
        done(answer);
        served.into_iter().for_each(|(found, done)| done(Ok(found)));
    }

    fn read(&self, read: Read, done: Done<Vec<Message>>) {
        let mut inside = self.lock();
        let found = inside.streams.entry(read.stream).or_default().read(&read);
        if found.is_empty() && !read.wait.is_zero() {
            let of = (read.stream, read.subject.clone());
            inside.waiting.entry(of).or_default().push((read, done));
            return;
        }
        drop(inside);
        done(Ok(found));
    }

    fn last(&self, stream: Stream, subject: String, done: Done<Option<Message>>) {
        let inside = self.lock();
        let last = inside
            .streams
            .get(&stream)
            .and_then(|all| all.last_of(&subject));
        let last = last.cloned();
        drop(inside);
        done(Ok(last));
    }

    fn purge(&self, stream: Stream, subject: String, before: u64, done: Done<()>) {
        let mut inside = self.lock();
        let all = inside.streams.entry(stream).or_default();
        if let Some(all) = all.subjects.get_mut(&subject) {
            *all = all.split_off(&before);
        }
        all.subjects.retain(|_, all| !all.is_empty());
        drop(inside);
        done(Ok(()));
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}
