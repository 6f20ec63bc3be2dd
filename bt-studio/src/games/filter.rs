//! Filters of records, and the search for a text: both look at records in pieces.

use std::collections::VecDeque;
use std::io;
use std::time::Instant;

use bt_live::recording::{Recording, fields};

use super::history::History;
use super::index::{Cmd, Entry, Name, Names};
use crate::protocol::{FilterRows, Filtered, FindRow};

/// So many records are read before the clock is.
const PIECE: usize = 200;

/// The rows of a history that a filter takes.
#[derive(Debug)]
pub(super) struct Filter {
    pub(super) id: u32,
    /// The client that made it.
    pub(super) client: u64,
    pub(super) asked: FilterRows,
    include: Vec<String>,
    exclude: Vec<String>,
    /// The numbers of the records.
    pub(super) found: VecDeque<u64>,
    /// The next record to read.
    next: u64,
    pub(super) is_news: bool,
}

fn folded(texts: &[String]) -> Vec<String> {
    let texts = texts.iter().filter(|text| !text.is_empty());
    texts.map(|text| text.to_lowercase()).collect()
}

impl Filter {
    pub(super) fn new(id: u32, client: u64, asked: FilterRows) -> Filter {
        Filter {
            id,
            client,
            include: folded(&asked.include),
            exclude: folded(&asked.exclude),
            asked,
            found: VecDeque::new(),
            next: 0,
            is_news: true,
        }
    }

    pub(super) fn is_complete(&self, history: &History) -> bool {
        self.next >= history.end() && history.is_complete()
    }

    /// Returns true if there is something to look at now.
    pub(super) fn has_work(&self, history: &History) -> bool {
        self.next < history.end()
    }

    pub(super) fn shown(&self, history: &History) -> Filtered {
        Filtered {
            session: history.session,
            agent: history.agent.clone(),
            filter: self.id,
            total: self.found.len() as u64,
            complete: self.is_complete(history),
        }
    }

    /// Looks at records until a time.
    pub(super) fn look_on(
        &mut self,
        history: &mut History,
        mut file: Option<&mut Recording>,
        until: Instant,
    ) -> io::Result<()> {
        while self.found.front().is_some_and(|no| *no < history.first) {
            self.found.pop_front();
            self.is_news = true;
        }
        self.next = self.next.max(history.first);
        while self.has_work(history) {
            // What needs the index alone is done at once: a page wants the newest of the rest.
            let end = match self.reads() {
                true => history.end().min(self.next + PIECE as u64),
                false => history.end(),
            };
            let wanted = self.wanted(&history.names);
            for no in self.next..end {
                if let Some(wanted) = &wanted
                    && self.takes(history, wanted, no, file.as_deref_mut())?
                {
                    self.found.push_back(no);
                }
            }
            self.next = end;
            self.is_news = true;
            if Instant::now() >= until {
                break;
            }
        }
        Ok(())
    }

    fn takes(
        &self,
        history: &mut History,
        wanted: &Wanted,
        no: u64,
        file: Option<&mut Recording>,
    ) -> io::Result<bool> {
        let Some(entry) = history.entry(no).copied() else {
            return Ok(false);
        };
        if !self.takes_entry(history, wanted, no, &entry) {
            return Ok(false);
        }
        let asked = &self.asked;
        if !self.reads() {
            return Ok(true);
        }
        // One that cannot be read says nothing that is looked for.
        let Ok(Some((bytes, from))) = history.bytes_of(no, file) else {
            return Ok(false);
        };
        let bytes = bytes.get(from..).unwrap_or_default();
        if !asked.cmds.is_empty() && !asked.cmds.iter().any(|cmd| is_of(bytes, cmd)) {
            return Ok(false);
        }
        if self.include.is_empty() && self.exclude.is_empty() {
            return Ok(true);
        }
        let Some(text) = history.texts.of(bytes) else {
            return Ok(false);
        };
        let has = |needle: &String| text.contains(needle.as_str());
        let included = self.include.is_empty() || self.include.iter().any(has);
        Ok(included && !self.exclude.iter().any(has))
    }

    /// Returns true if it needs the words of records, or what else is not in the index.
    fn reads(&self) -> bool {
        !(self.include.is_empty() && self.exclude.is_empty() && self.asked.cmds.is_empty())
    }

    /// The names that are wanted, by their numbers; none if no record has one of them.
    fn wanted(&self, names: &Names) -> Option<Wanted> {
        let number = |name: &Option<String>| match name {
            None => Some(None),
            Some(name) => names.find(name).map(Some),
        };
        Some(Wanted {
            tree: number(&self.asked.tree)?,
            key: number(&self.asked.key)?,
            property: number(&self.asked.property)?,
        })
    }

    /// The part of the filter that can be judged without reading the record.
    fn takes_entry(&self, history: &History, wanted: &Wanted, no: u64, entry: &Entry) -> bool {
        let asked = &self.asked;
        let writes_key = matches!(entry.cmd, Cmd::KeySet | Cmd::KeyRemoved);
        wanted.tree.is_none_or(|tree| tree == entry.tree)
            && asked
                .idx
                .is_none_or(|idx| entry.is_placed && entry.idx == idx)
            && wanted
                .key
                .is_none_or(|key| writes_key && key == entry.label)
            && wanted
                .property
                .is_none_or(|property| entry.cmd == Cmd::PropertySet && property == entry.label)
            && (!asked.commented || history.comments.contains_key(&no))
    }
}

/// The names that a filter wants.
struct Wanted {
    tree: Option<Name>,
    key: Option<Name>,
    property: Option<Name>,
}

/// Returns true if a record is of that command.
fn is_of(bytes: &[u8], cmd: &str) -> bool {
    let mut fields = fields(bytes);
    let value = fields.find_map(|(name, value)| (name == "cmd").then_some(value));
    value.and_then(|value| value.get(1..)) == Some(cmd.as_bytes())
}

/// A search for a text.
#[derive(Debug)]
pub(super) struct Search {
    text: String,
    /// The next place of the search: a record, or a place among those of a filter.
    at: Option<u64>,
    back: bool,
    pub(super) filter: Option<u32>,
}

/// The progress of a search.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Searched {
    /// The record, and its place among those of the filter.
    Found(u64, Option<u64>),
    Nowhere,
    Later,
}

impl Search {
    pub(super) fn new(asked: &FindRow, history: &History, filter: Option<&Filter>) -> Search {
        let at = match filter {
            None if asked.back => Some(asked.from.min(history.end().saturating_sub(1))),
            None => Some(asked.from.max(history.first)),
            Some(filter) => {
                let after = filter.found.partition_point(|no| match asked.back {
                    true => *no <= asked.from,
                    false => *no < asked.from,
                });
                match asked.back {
                    true => (after as u64).checked_sub(1),
                    false => Some(after as u64),
                }
            }
        };
        Search {
            text: asked.text.to_lowercase(),
            at,
            back: asked.back,
            filter: asked.filter,
        }
    }

    /// Looks on until a time.
    pub(super) fn look_on(
        &mut self,
        history: &mut History,
        filter: Option<&Filter>,
        mut file: Option<&mut Recording>,
        until: Instant,
    ) -> io::Result<Searched> {
        let mut looked_at = 0;
        loop {
            let Some(at) = self.at else {
                return Ok(Searched::Nowhere);
            };
            let no = match filter {
                None => Some(at).filter(|no| *no >= history.first && *no < history.end()),
                Some(filter) => filter.found.get(at as usize).copied(),
            };
            let Some(no) = no else {
                return Ok(Searched::Nowhere);
            };
            let found = history.bytes_of(no, file.as_deref_mut());
            if let Ok(Some((bytes, from))) = found
                && let Some(text) = history.texts.of(bytes.get(from..).unwrap_or_default())
                && text.contains(&self.text)
            {
                return Ok(Searched::Found(no, filter.map(|_| at)));
            }
            self.at = match self.back {
                true => at.checked_sub(1),
                false => Some(at + 1),
            };
            looked_at += 1;
            if looked_at % PIECE == 0 && Instant::now() >= until {
                return Ok(Searched::Later);
            }
        }
    }
}
