//! The facts that are kept of each record: small, because there may be a million.

use std::collections::{HashMap, VecDeque};

use bt_live::recording::Head;

/// The number of different names that are distinguished, and the greatest length of each.
const NAMES: usize = 50_000;
const LONGEST: usize = 1_000;

/// The sort of a record, as far as it is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cmd {
    Snapshot,
    PushTree,
    Enter,
    Exit,
    KeySet,
    KeyRemoved,
    KeysCleared,
    PropertySet,
    Because,
    Guard,
    Call,
    Waits,
    Woken,
    Explains,
    /// An event was fired, taken, kept or dropped.
    Event,
    Note,
    Diagnostic,
    Other,
}

impl Cmd {
    fn of(cmd: &str) -> Cmd {
        match cmd {
            "snapshot" => Cmd::Snapshot,
            "push_tree" => Cmd::PushTree,
            "node_enter" => Cmd::Enter,
            "node_leave" => Cmd::Exit,
            "bb_set" => Cmd::KeySet,
            "bb_remove" => Cmd::KeyRemoved,
            "bb_clear" => Cmd::KeysCleared,
            "property_set" => Cmd::PropertySet,
            "because" => Cmd::Because,
            "guard" => Cmd::Guard,
            "node_action" => Cmd::Call,
            "waits" => Cmd::Waits,
            "woken" => Cmd::Woken,
            "explains" => Cmd::Explains,
            "event_fired" | "event_consumed" | "event_kept" | "event_dropped" => Cmd::Event,
            "note" => Cmd::Note,
            "diagnostic" => Cmd::Diagnostic,
            _ => Cmd::Other,
        }
    }

    /// Returns true if a replay needs it.
    pub(super) fn is_replayed(self) -> bool {
        !matches!(
            self,
            Cmd::Guard | Cmd::Call | Cmd::Because | Cmd::Note | Cmd::Diagnostic | Cmd::Other
        )
    }
}

/// The way in which a node exited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    Not,
    Success,
    Failure,
    Aborted,
    /// The log of the original's debugger does not say how.
    Somehow,
}

/// The number of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name(u32);

impl Name {
    pub(super) const NONE: Name = Name(u32::MAX);
}

/// Names by their numbers.
#[derive(Debug, Default)]
pub(super) struct Names {
    all: Vec<Box<str>>,
    by_text: HashMap<Box<str>, u32>,
}

impl Names {
    /// The number of a name. What is too long, or one too many, is not distinguished.
    fn number(&mut self, text: &str) -> Name {
        if text.is_empty() || text.len() > LONGEST {
            return Name::NONE;
        }
        if let Some(number) = self.by_text.get(text) {
            return Name(*number);
        }
        if self.all.len() >= NAMES {
            return Name::NONE;
        }
        let number = self.all.len() as u32;
        self.all.push(text.into());
        self.by_text.insert(text.into(), number);
        Name(number)
    }

    /// The number of a name that some record has.
    pub(super) fn find(&self, text: &str) -> Option<Name> {
        self.by_text.get(text).copied().map(Name)
    }

    pub(super) fn text(&self, name: Name) -> &str {
        self.all.get(name.0 as usize).map_or("", |text| text)
    }
}

/// A record: where its bytes are, and what it is about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// The number of the part that has it, modulo 2^32.
    pub(super) part: u32,
    /// The start of its bytes in that.
    pub(super) from: u32,
    pub(super) run: u32,
    pub(super) idx: u32,
    pub(super) tree: Name,
    /// The key, property, event or call.
    pub(super) label: Name,
    pub(super) cmd: Cmd,
    pub(super) ended: Ended,
    /// True if it is about a node.
    pub(super) is_placed: bool,
    /// Of a guard: that it does not hold.
    pub(super) refuses: bool,
}

const _: () = assert!(size_of::<Entry>() <= 28, "there are many");

impl Entry {
    pub(super) fn of(head: &Head<'_>, part: u32, names: &mut Names) -> Entry {
        let (run, idx) = head.at.unwrap_or_default();
        Entry {
            part,
            from: head.from as u32,
            run,
            idx,
            tree: names.number(head.tree),
            label: names.number(head.label),
            cmd: Cmd::of(head.cmd),
            ended: match head.result {
                _ if head.is_unknown => Ended::Somehow,
                "success" => Ended::Success,
                "failure" => Ended::Failure,
                "aborted" => Ended::Aborted,
                _ => Ended::Not,
            },
            is_placed: head.at.is_some(),
            refuses: head.holds == Some(false),
        }
    }

    pub(super) fn is_write(&self) -> bool {
        matches!(self.cmd, Cmd::KeySet | Cmd::KeyRemoved | Cmd::PropertySet)
    }

    /// The number that distinguishes its label from others.
    pub(super) fn label_number(&self) -> u32 {
        self.label.0
    }

    /// Returns true if a person would look for it: a failure, an abort, something that went wrong.
    pub(super) fn is_bad(&self) -> bool {
        matches!(self.ended, Ended::Failure | Ended::Aborted)
            || matches!(self.cmd, Cmd::Diagnostic | Cmd::Because)
    }

    pub(super) fn is_of(&self, tree: Name, idx: u32) -> bool {
        self.is_placed && self.tree == tree && self.idx == idx
    }
}

/// A poll, and how many things happened in it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Poll {
    pub(super) number: u32,
    pub(super) ns: u64,
    /// The number of its first record.
    pub(super) first: u64,
    pub(super) counts: Counts,
}

/// The counts of records by sort.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) records: u32,
    pub(super) failures: u32,
    pub(super) aborts: u32,
    pub(super) writes: u32,
    pub(super) notes: u32,
    pub(super) problems: u32,
    pub(super) stops: u32,
}

impl Counts {
    pub(super) fn count(&mut self, entry: &Entry) {
        self.records += 1;
        self.failures += u32::from(entry.ended == Ended::Failure);
        self.aborts += u32::from(entry.ended == Ended::Aborted);
        self.writes += u32::from(entry.is_write());
        self.notes += u32::from(entry.cmd == Cmd::Note);
        self.problems += u32::from(entry.cmd == Cmd::Diagnostic);
    }

    pub(super) fn add(&mut self, more: &Counts) {
        self.records += more.records;
        self.failures += more.failures;
        self.aborts += more.aborts;
        self.writes += more.writes;
        self.notes += more.notes;
        self.problems += more.problems;
        self.stops += more.stops;
    }
}

/// The polls, by their places.
#[derive(Debug, Default)]
pub(super) struct Polls {
    pub(super) all: VecDeque<Poll>,
    /// The place of the first.
    pub(super) first: u64,
}

impl Polls {
    /// Counts a record.
    pub(super) fn add(&mut self, head: &Head<'_>, no: u64, entry: &Entry) {
        if self.all.back().is_none_or(|poll| poll.number != head.poll) {
            self.all.push_back(Poll {
                number: head.poll,
                ns: head.ns,
                first: no,
                counts: Counts::default(),
            });
        }
        if let Some(poll) = self.all.back_mut() {
            poll.counts.count(entry);
        }
    }

    /// Forgets what is before a record.
    pub(super) fn drop_before(&mut self, no: u64) {
        while self.all.len() > 1 && self.all[1].first <= no {
            self.all.pop_front();
            self.first += 1;
        }
        if let Some(poll) = self.all.front_mut()
            && poll.first < no
        {
            let gone = no - poll.first;
            poll.first = no;
            poll.counts.records = poll.counts.records.saturating_sub(gone as u32);
        }
    }

    /// The place after the last.
    pub(super) fn end(&self) -> u64 {
        self.first + self.all.len() as u64
    }

    pub(super) fn get(&self, place: u64) -> Option<&Poll> {
        self.all
            .get(usize::try_from(place.checked_sub(self.first)?).ok()?)
    }

    /// The place of the poll that has a record.
    pub(super) fn place_of(&self, no: u64) -> u64 {
        let after = self.all.partition_point(|poll| poll.first <= no);
        self.first + after.saturating_sub(1) as u64
    }
}
