//! The records of one agent: kept as they came, or in a file, with an index.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::sync::Arc;
use std::time::Instant;

use bt_core::trace::Record;
use bt_live::recording::{Part, Recording, Scan, Span, record};

use super::index::{Cmd, Entry, Name, Names, Poll, Polls};
use super::moment::Moments;
use super::texts::Texts;
use crate::protocol;

/// So many bytes of records are kept of an agent; then the oldest go.
pub(super) const MOST_BYTES: usize = 256 << 20;

/// So many records have an index.
const MOST_RECORDS: usize = 20_000_000;

/// The number of trees that the list of them distinguishes.
const TREES: usize = 1_000;

/// So many parts of a file are kept in memory once they were read.
const CACHED: usize = 8;

/// A message of records.
#[derive(Debug)]
enum Held {
    Memory(Arc<[u8]>),
    File(Part),
}

#[derive(Debug)]
struct Message {
    held: Held,
    /// The number of its first record.
    first: u64,
}

/// The reason why a message was not taken.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// It is none.
    Broken,
    /// Time has gone back: it is of another run of the game.
    Restarted,
}

/// The records of one agent.
#[derive(Debug)]
pub(super) struct History {
    pub(super) session: u32,
    pub(super) agent: String,
    pub(super) name: String,
    pub(super) live: bool,
    /// The pages that want to know how it grows.
    pub(super) followers: BTreeSet<u64>,
    /// Since when there are none.
    pub(super) left: Option<Instant>,
    /// True if there is something to tell them.
    pub(super) is_news: bool,
    messages: VecDeque<Message>,
    /// The number of the first message, modulo 2^32.
    first_message: u32,
    pub(super) entries: VecDeque<Entry>,
    pub(super) polls: Polls,
    pub(super) names: Names,
    /// The trees that records are about.
    trees: BTreeSet<Name>,
    /// The numbers of the snapshots.
    pub(super) keys: VecDeque<u64>,
    /// The number of the first record.
    pub(super) first: u64,
    bytes: usize,
    most_bytes: usize,
    missed: u64,
    /// The number in the port's stream of the record that comes next.
    next_in_stream: Option<u64>,
    last_ns: u64,
    /// The parts of a file that have no index yet.
    unread: VecDeque<Part>,
    cache: VecDeque<(u32, Arc<[u8]>)>,
    pub(super) comments: BTreeMap<u64, String>,
    pub(super) moments: Moments,
    pub(super) texts: Texts,
    /// Rows that a log spells in its own way: how a node ended is not known.
    pub(super) is_log: bool,
    /// By the log, nodes were entered that have not exited.
    pub(super) runs: bool,
}

impl History {
    pub(super) fn new(session: u32, agent: &str, name: &str, live: bool) -> History {
        History {
            session,
            agent: agent.to_owned(),
            name: name.to_owned(),
            live,
            followers: BTreeSet::new(),
            left: Some(Instant::now()),
            is_news: false,
            messages: VecDeque::new(),
            first_message: 0,
            entries: VecDeque::new(),
            polls: Polls::default(),
            names: Names::default(),
            trees: BTreeSet::new(),
            keys: VecDeque::new(),
            first: 0,
            bytes: 0,
            most_bytes: MOST_BYTES,
            missed: 0,
            next_in_stream: None,
            last_ns: 0,
            unread: VecDeque::new(),
            cache: VecDeque::new(),
            comments: BTreeMap::new(),
            moments: Moments::default(),
            texts: Texts::default(),
            is_log: false,
            runs: false,
        }
    }

    #[cfg(test)]
    pub(super) fn of_bytes(most_bytes: usize) -> History {
        History {
            most_bytes,
            ..History::new(1, "7", "wolf#7", true)
        }
    }

    /// With the parts of a file, which are read bit by bit.
    pub(super) fn of_parts(session: u32, agent: &str, name: &str, parts: Vec<Part>) -> History {
        History {
            unread: parts.into(),
            ..History::new(session, agent, name, false)
        }
    }

    /// The number after the last record.
    pub(super) fn end(&self) -> u64 {
        self.first + self.entries.len() as u64
    }

    pub(super) fn entry(&self, no: u64) -> Option<&Entry> {
        let at = usize::try_from(no.checked_sub(self.first)?).ok()?;
        self.entries.get(at)
    }

    /// The poll that has a record.
    pub(super) fn poll_of(&self, no: u64) -> Poll {
        let place = self.polls.place_of(no);
        self.polls.get(place).copied().unwrap_or_default()
    }

    /// The last record that has happened where one looks.
    pub(super) fn clamped(&self, at: Option<u64>) -> Option<u64> {
        let last = self
            .end()
            .checked_sub(1)
            .filter(|last| *last >= self.first)?;
        Some(at.map_or(last, |at| at.clamp(self.first, last)))
    }

    /// Adds a message of a port.
    pub(super) fn add(&mut self, message: Vec<u8>) -> Result<(), Refused> {
        let scan = Scan::of(&message).map_err(|_| Refused::Broken)?;
        let mut heads = scan.clone();
        let first = heads.next();
        if first.is_some_and(|head| head.ns < self.last_ns) {
            return Err(Refused::Restarted);
        }
        if let Some(next) = self.next_in_stream
            && scan.first() > next
        {
            self.missed += scan.first() - next;
        }
        let bytes = message.len();
        let before = self.entries.len();
        self.index(scan.clone());
        let added = self.entries.len() - before;
        self.next_in_stream = Some(scan.first() + added as u64);
        if added == 0 {
            return Err(Refused::Broken);
        }
        self.messages.push_back(Message {
            held: Held::Memory(message.into()),
            first: self.first + before as u64,
        });
        self.bytes += bytes;
        self.is_news = true;
        self.make_room();
        Ok(())
    }

    /// Begins a stream anew: the connection is another one.
    pub(super) fn reconnected(&mut self) {
        self.next_in_stream = None;
    }

    pub(super) fn missed(&mut self, records: u64) {
        // The numbers in the stream say it as well, if records come afterwards.
        if self.next_in_stream.is_none() {
            self.missed += records;
        }
    }

    /// Notes a stop in the last poll.
    pub(super) fn stopped(&mut self) {
        if let Some(poll) = self.polls.all.back_mut() {
            poll.counts.stops += 1;
        }
    }

    fn index(&mut self, scan: Scan<'_>) {
        let part = self.first_message.wrapping_add(self.messages.len() as u32);
        for head in scan {
            let no = self.end();
            let entry = Entry::of(&head, part, &mut self.names);
            if entry.is_placed && self.trees.len() < TREES {
                self.trees.insert(entry.tree);
            }
            if entry.cmd == Cmd::Snapshot {
                self.keys.push_back(no);
            }
            self.polls.add(&head, no, &entry);
            self.entries.push_back(entry);
            self.last_ns = head.ns;
        }
    }

    /// Reads parts of a file that have no index yet, until a time; whether there are more.
    pub(super) fn read_on(&mut self, file: &mut Recording, until: Instant) -> io::Result<bool> {
        while let Some(part) = self.unread.pop_front() {
            let message = file.message(part)?;
            let before = self.entries.len();
            // What is none has no records.
            if let Ok(scan) = Scan::of(&message) {
                self.index(scan);
            }
            if self.entries.len() > before {
                self.messages.push_back(Message {
                    held: Held::File(part),
                    first: self.first + before as u64,
                });
            }
            self.is_news = true;
            self.make_room();
            if Instant::now() >= until {
                break;
            }
        }
        Ok(!self.unread.is_empty())
    }

    pub(super) fn is_complete(&self) -> bool {
        self.unread.is_empty()
    }

    /// Forgets the oldest messages, if there is too much.
    fn make_room(&mut self) {
        while (self.bytes > self.most_bytes || self.entries.len() > MOST_RECORDS)
            && self.messages.len() > 1
        {
            let Some(gone) = self.messages.pop_front() else {
                return;
            };
            if let Held::Memory(bytes) = &gone.held {
                self.bytes -= bytes.len();
            }
            self.first_message = self.first_message.wrapping_add(1);
            let first = self.messages.front().map_or(gone.first, |next| next.first);
            let records = usize::try_from(first - self.first).unwrap_or(usize::MAX);
            self.entries.drain(..records.min(self.entries.len()));
            self.first = first;
            while self.keys.front().is_some_and(|key| *key < first) {
                self.keys.pop_front();
            }
            self.polls.drop_before(first);
            self.comments = self.comments.split_off(&first);
        }
    }

    /// The bytes of a record.
    pub(super) fn bytes_of(
        &mut self,
        no: u64,
        file: Option<&mut Recording>,
    ) -> io::Result<Option<(Arc<[u8]>, usize)>> {
        let Some(entry) = self.entry(no).copied() else {
            return Ok(None);
        };
        let at = entry.part.wrapping_sub(self.first_message) as usize;
        let message = match self.messages.get(at).map(|message| &message.held) {
            None => return Ok(None),
            Some(Held::Memory(bytes)) => Arc::clone(bytes),
            Some(Held::File(part)) => {
                let part = *part;
                match self.cache.iter().find(|(number, _)| *number == entry.part) {
                    Some((_, bytes)) => Arc::clone(bytes),
                    None => {
                        let Some(file) = file else { return Ok(None) };
                        let bytes: Arc<[u8]> = file.message(part)?.into();
                        if self.cache.len() >= CACHED {
                            self.cache.pop_front();
                        }
                        self.cache.push_back((entry.part, Arc::clone(&bytes)));
                        bytes
                    }
                }
            }
        };
        Ok(Some((message, entry.from as usize)))
    }

    /// A record.
    pub(super) fn record(
        &mut self,
        no: u64,
        file: Option<&mut Recording>,
    ) -> io::Result<Option<Record<'static>>> {
        let found = self.bytes_of(no, file)?;
        let read = found.map(|(bytes, from)| record(bytes.get(from..).unwrap_or_default()));
        read.transpose().map_err(io::Error::other)
    }

    /// The messages that are kept, for a recording.
    pub(super) fn each_message(
        &mut self,
        agent: u64,
        mut file: Option<&mut Recording>,
        mut each: impl FnMut(Span, &[u8]) -> io::Result<()>,
    ) -> io::Result<u64> {
        let mut records = 0;
        for message in &self.messages {
            let read;
            let bytes: &[u8] = match (&message.held, &mut file) {
                (Held::Memory(bytes), _) => bytes,
                (Held::File(part), Some(file)) => {
                    read = file.message(*part)?;
                    &read
                }
                (Held::File(_), None) => continue,
            };
            let span = Scan::of(bytes).map_err(io::Error::other)?.span(agent);
            records += u64::from(span.records);
            each(span, bytes)?;
        }
        Ok(records)
    }

    /// The names of the trees that its records are about.
    pub(super) fn tree_names(&self) -> impl Iterator<Item = &str> {
        self.trees.iter().map(|name| self.names.text(*name))
    }

    /// For the page.
    pub(super) fn shown(&self) -> protocol::History {
        protocol::History {
            session: self.session,
            agent: self.agent.clone(),
            name: self.name.clone(),
            first: self.first,
            records: self.entries.len() as u64,
            first_poll: self.polls.first,
            polls: self.polls.all.len() as u64,
            from_ns: self.polls.all.front().map_or(0, |poll| poll.ns),
            to_ns: self.last_ns,
            dropped: self.first,
            missed: self.missed,
            complete: self.is_complete(),
            live: self.live,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use bt_live::recording::message;

    /// A message of ten polls of three records each, from a poll on; the first has a snapshot.
    fn polls(first: u64) -> Vec<u8> {
        let records: Vec<Value> = (first..first + 10)
            .flat_map(|poll| {
                let begin = match poll == first {
                    true => json!({"ns": poll * 1_000, "poll": poll, "cmd": "snapshot", "trees": ["a.json"],
                        "blackboard": {"n": poll}, "active": []}),
                    false => json!({"ns": poll * 1_000, "poll": poll, "cmd": "poll_begin"}),
                };
                let set = json!({"ns": poll * 1_000, "poll": poll, "cmd": "bb_set", "key": "n", "value": poll});
                [begin, set.clone(), set]
            })
            .collect();
        message("7", (first - 1) * 3, &records).unwrap()
    }

    #[test]
    fn oldest_messages_go_when_there_are_too_many_bytes() {
        let bytes = polls(1).len();
        let mut history = History::of_bytes(bytes * 5);
        for round in 0..20 {
            history.add(polls(round * 10 + 1)).unwrap();
        }
        let shown = history.shown();
        assert!(shown.records <= 150 && shown.records >= 90, "{shown:?}");
        assert_eq!(shown.first + shown.records, 600, "numbers stay as they are");
        assert_eq!(shown.dropped, shown.first);
        assert_eq!(shown.first_poll + shown.polls, 200);
        assert_eq!(shown.missed, 0);
        let rows = history.rows(0, None, 1, None).unwrap();
        assert_eq!(rows.rows[0].no, shown.first);
        let moment = history
            .moment(Some(shown.first), None, Default::default())
            .unwrap();
        assert_eq!(moment.picture.blackboard["n"], shown.first / 3 + 1);
        let filtered = history.poll_rows(0, None, 10);
        assert_eq!(filtered.from, shown.first_poll);
    }

    #[test]
    fn records_that_never_came_are_counted_and_the_moment_is_whole_after_a_snapshot() {
        let mut history = History::of_bytes(1 << 20);
        history.add(polls(1)).unwrap();
        history.add(polls(21)).unwrap();
        assert_eq!(history.shown().missed, 30);
        let moment = history.moment(None, None, Default::default()).unwrap();
        assert_eq!(moment.picture.blackboard["n"], 30);
    }

    #[test]
    fn time_that_goes_back_is_another_run_of_the_game() {
        let mut history = History::of_bytes(1 << 20);
        history.add(polls(11)).unwrap();
        assert_eq!(history.add(polls(1)), Err(Refused::Restarted));
        assert_eq!(history.add(vec![0xc1; 20]), Err(Refused::Broken));
        assert_eq!(history.shown().records, 30);
    }

    #[test]
    fn moment_before_the_first_snapshot_is_unknown() {
        let mut history = History::of_bytes(1 << 20);
        let set = json!({"ns": 5, "poll": 1, "cmd": "bb_set", "key": "n", "value": 1});
        history.add(message("7", 0, &[set]).unwrap()).unwrap();
        let moment = history.moment(None, None, Default::default()).unwrap();
        assert!(moment.unknown);
    }
}
