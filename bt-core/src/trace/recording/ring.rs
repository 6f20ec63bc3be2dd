//! The last records, in memory that is set aside once.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use super::Tracer;
use crate::Agent;
use crate::trace::args::Args;
use crate::trace::place::Place;
use crate::trace::record::Record;
use crate::trace::what::{Leave, Role, What};
use crate::tree::plan::{NONE, Plan};
use crate::tree::set::Trees;

/// The number of bytes for each record, for what is not of one size.
const BYTES: usize = 16;

/// Keeps the last records of an agent, to be looked at when something was odd.
///
/// Once it is full it allocates nothing more: the oldest records make room. A record beyond
/// [the bytes](Ring::bytes) that it has in all is [left out](Ring::left_out). It asks for a snapshot
/// each time a quarter of it is filled, so that most of what it has can be [replayed](super::Replay), from
/// the first snapshot that is left; not if one poll fills it, or a snapshot does.
pub struct Ring {
    plan: Arc<Plan>,
    rows: VecDeque<Row>,
    most: usize,
    /// The parts of all rows that have no fixed size, in order.
    bytes: VecDeque<u8>,
    most_bytes: usize,
    scratch: Vec<u8>,
    /// The number of rows since the last snapshot.
    since_snapshot: usize,
    /// And how many bytes.
    bytes_since_snapshot: usize,
    left_out: u64,
    explains: bool,
}

/// A record, but for what is not of one size: two of them in a cache line.
#[derive(Clone, Copy)]
struct Row {
    time: u64,
    poll: u32,
    run: u32,
    node: u32,
    /// By the tag: the number of the call, or the run that aborted it.
    about: u32,
    /// By the tag: the node that aborted it, or how many bytes belong to it.
    rest: u32,
    tag: Tag,
}

const _: () = assert!(size_of::<Row>() == 32);

impl Row {
    /// The number of bytes that belong to it.
    fn len(&self) -> usize {
        match self.tag {
            Tag::Aborted => 0,
            Tag::PollBegin
            | Tag::Enter
            | Tag::Leave(_)
            | Tag::Fixed(_)
            | Tag::Call(_)
            | Tag::Other => self.rest as usize,
        }
    }
}

/// The sort of a record, and of the form in which the rest of it is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    PollBegin,
    Enter,
    /// By itself, or aborted by nobody.
    Leave(Leave),
    /// Aborted by a node.
    Aborted,
    /// A call with the arguments that its tree has for it.
    Fixed(Role),
    /// A call; its arguments are bytes of JSON.
    Call(Role),
    /// Bytes of JSON.
    Other,
}

impl Ring {
    /// For so many records, at least 8, of an agent that runs these trees.
    pub fn new<A: Agent>(trees: &Trees<A>, records: usize) -> Ring {
        let most = records.max(8);
        Ring {
            plan: trees.0.plan.clone(),
            rows: VecDeque::with_capacity(most),
            most,
            bytes: VecDeque::with_capacity(most * BYTES),
            most_bytes: most * BYTES,
            scratch: Vec::new(),
            since_snapshot: 0,
            bytes_since_snapshot: 0,
            left_out: 0,
            explains: false,
        }
    }

    /// With why the agent waits, for an [`Explainer`](crate::explain::Explainer). It takes some hundred
    /// [bytes](Ring::bytes) for each poll that changes that, and those polls allocate.
    pub fn explaining(mut self) -> Ring {
        self.explains = true;
        self
    }

    /// With another number of bytes for what is not of one size: snapshots, values, arguments,
    /// messages; 16 for each record otherwise.
    pub fn bytes(mut self, bytes: usize) -> Ring {
        self.most_bytes = bytes;
        self.bytes = VecDeque::with_capacity(bytes);
        self
    }

    /// The number of its records.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns true if it has none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The number of records that had no room even in an empty ring, or are about other trees.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The records, the oldest first.
    pub fn records(&self) -> impl Iterator<Item = Record<'static>> {
        let mut from = 0;
        self.rows.iter().map(move |row| {
            let to = from + row.len();
            let bytes: Vec<u8> = self.bytes.range(from..to).copied().collect();
            from = to;
            self.record_of(row, &bytes)
        })
    }

    /// Forgets all records.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.bytes.clear();
        // The next poll begins with a snapshot.
        self.since_snapshot = self.most;
    }

    fn record_of(&self, row: &Row, bytes: &[u8]) -> Record<'static> {
        let place = |run, node| Place::copied(&self.plan, run, node);
        let called = |role, args: Vec<serde_json::Value>| What::NodeAction {
            call: Cow::Owned(self.plan.calls[row.about as usize].name.to_string()),
            args: Args::from(args),
            role,
        };
        let what = match row.tag {
            Tag::PollBegin => What::PollBegin,
            Tag::Enter => What::NodeEnter,
            Tag::Leave(result) => What::NodeLeave { result, by: None },
            Tag::Aborted => What::NodeLeave {
                result: Leave::Aborted,
                by: Some(place(row.about, row.rest)),
            },
            Tag::Fixed(role) => {
                let args = self.plan.calls[row.about as usize].args.iter();
                called(role, args.map(|arg| arg.value(None)).collect())
            }
            Tag::Call(role) => called(role, serde_json::from_slice(bytes).unwrap_or_default()),
            // It was written by what reads it.
            Tag::Other => serde_json::from_slice(bytes).unwrap_or(What::PollBegin),
        };
        Record {
            ns: row.time,
            poll: row.poll,
            at: (row.node != NONE).then(|| place(row.run, row.node)),
            what,
        }
    }

    /// Makes room, and adds a row with the bytes in `scratch`.
    #[inline]
    fn push(&mut self, row: Row) {
        if self.scratch.len() > self.most_bytes {
            self.left_out += 1;
            return;
        }
        if self.rows.len() == self.most {
            self.drop_oldest();
        }
        if !self.scratch.is_empty() {
            while self.bytes.len() + self.scratch.len() > self.most_bytes {
                self.drop_oldest();
            }
            self.bytes.extend(&self.scratch);
        }
        self.rows.push_back(row);
    }

    #[inline]
    fn drop_oldest(&mut self) {
        if let Some(oldest) = self.rows.pop_front()
            && oldest.len() > 0
        {
            self.bytes.drain(..oldest.len());
        }
    }
}

impl Tracer for Ring {
    fn record(&mut self, record: &Record<'_>) {
        self.scratch.clear();
        self.since_snapshot += 1;
        let (run, node) = match &record.at {
            Some(place) => match place.node_of(&self.plan) {
                Some(node) => (place.run(), node),
                // It is of other trees than the ring is for.
                None => {
                    self.left_out += 1;
                    return;
                }
            },
            None => (0, NONE),
        };
        let (mut about, mut aborted_by) = (0, None);
        let tag = match &record.what {
            What::PollBegin => Tag::PollBegin,
            What::NodeEnter => Tag::Enter,
            What::NodeLeave { result, by: None } => Tag::Leave(*result),
            What::NodeLeave { by: Some(by), .. } => {
                about = by.run();
                aborted_by = by.node_of(&self.plan);
                Tag::Aborted
            }
            What::NodeAction { args, role, .. } if args.call().is_some() => {
                let (call, is_fixed) = args.call().unwrap_or_default();
                about = call;
                match is_fixed {
                    true => Tag::Fixed(*role),
                    false => self.write(args, Tag::Call(*role)),
                }
            }
            what => self.write(what, Tag::Other),
        };
        if matches!(record.what, What::Snapshot(_)) {
            (self.since_snapshot, self.bytes_since_snapshot) = (0, 0);
        } else {
            self.bytes_since_snapshot += self.scratch.len();
        }
        self.push(Row {
            time: record.ns,
            poll: record.poll,
            run,
            node,
            about,
            rest: aborted_by.unwrap_or(self.scratch.len() as u32),
            tag,
        });
    }

    fn wants_snapshot(&mut self) -> bool {
        self.since_snapshot >= self.most / 4 || self.bytes_since_snapshot > self.most_bytes / 4
    }

    fn wants_explanations(&mut self) -> bool {
        self.explains
    }
}

impl Ring {
    fn write(&mut self, what: &impl serde::Serialize, tag: Tag) -> Tag {
        let written = serde_json::to_writer(&mut self.scratch, what);
        debug_assert!(written.is_ok(), "what a record holds has a JSON form");
        tag
    }
}

impl fmt::Debug for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ring")
            .field("len", &self.rows.len())
            .field("most", &self.most)
            .finish_non_exhaustive()
    }
}
