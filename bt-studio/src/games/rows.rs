//! Rows for the page: records in words, and polls.

use bt_live::recording::{Recording, record};
use serde_json::Value;

use super::filter::Filter;
use super::history::History;
use super::index::{Ended, Poll};
use super::moment::in_words;
use crate::protocol::{Bucket, Failure, PollPage, PollRow, Row, RowPage, Timeline};

/// So many rows are shown at once, at most.
const MOST: u32 = 1_000;

/// A timeline has so many parts, at most.
const BUCKETS: u32 = 4_000;

/// The start of a page that has so many rows around a place.
fn around(place: u64, count: u32, first: u64, end: u64) -> u64 {
    let from = place.saturating_sub(u64::from(count) / 2);
    from.min(end.saturating_sub(u64::from(count))).max(first)
}

impl History {
    /// A record in words.
    pub(super) fn row(
        &mut self,
        no: u64,
        file: Option<&mut Recording>,
    ) -> Result<Option<Row>, Failure> {
        let found = self.bytes_of(no, file).map_err(Failure::refused)?;
        let (Some((message, from)), Some(entry)) = (found, self.entry(no).copied()) else {
            return Ok(None);
        };
        let bytes = message.get(from..).unwrap_or_default();
        let read = match record(bytes) {
            Ok(read) => read,
            Err(error) => {
                let poll = self.poll_of(no);
                return Ok(Some(Row {
                    no,
                    ns: poll.ns,
                    poll: poll.number,
                    text: format!("this record cannot be read: {error}"),
                    failed: true,
                    ..Row::default()
                }));
            }
        };
        let detail = bt_live::recording::value(bytes).unwrap_or(Value::Null);
        let text = match self.is_log && entry.ended == Ended::Somehow {
            // The original does not always say how.
            true => in_words(&read).replace("exits: aborted", "exits"),
            false => in_words(&read),
        };
        let place = read.at.as_ref();
        Ok(Some(Row {
            no,
            ns: read.ns,
            poll: read.poll,
            run: place.map(|place| place.run()),
            tree: place.map(|place| place.tree().to_owned()),
            idx: place.map(|place| place.idx()),
            cmd: read.what.command().to_owned(),
            text,
            detail,
            by: self.caller(no).map(str::to_owned),
            failed: entry.is_bad(),
            comment: self.comments.get(&no).cloned(),
        }))
    }

    /// Records by their numbers.
    pub(super) fn rows(
        &mut self,
        from: u64,
        at: Option<u64>,
        count: u32,
        mut file: Option<&mut Recording>,
    ) -> Result<RowPage, Failure> {
        let count = count.min(MOST);
        let at = at.and_then(|at| self.clamped(Some(at)));
        let from = match at {
            Some(at) => around(at, count, self.first, self.end()),
            None => from.max(self.first),
        };
        let mut rows = Vec::new();
        for no in from..self.end().min(from + u64::from(count)) {
            rows.extend(self.row(no, file.as_deref_mut())?);
        }
        let here = at.and_then(|at| rows.iter().position(|row| row.no == at));
        Ok(RowPage {
            total: self.end(),
            from,
            rows,
            here: here.map(|here| here as u32),
        })
    }

    /// Records that a filter leaves, by their places.
    pub(super) fn filtered_rows(
        &mut self,
        filter: &Filter,
        from: u64,
        at: Option<u64>,
        count: u32,
        mut file: Option<&mut Recording>,
    ) -> Result<RowPage, Failure> {
        let count = count.min(MOST);
        let total = filter.found.len() as u64;
        let here = at.map(|at| filter.found.partition_point(|no| *no < at) as u64);
        let from = match here {
            Some(place) => around(place, count, 0, total),
            None => from.min(total),
        };
        let mut rows = Vec::new();
        let range = from as usize..total.min(from + u64::from(count)) as usize;
        for no in filter.found.range(range) {
            rows.extend(self.row(*no, file.as_deref_mut())?);
        }
        let here = here.and_then(|place| u32::try_from(place - from).ok());
        Ok(RowPage {
            total,
            from,
            here: here.filter(|here| (*here as usize) < rows.len()),
            rows,
        })
    }

    /// Polls by their places.
    pub(super) fn poll_rows(&self, from: u64, at: Option<u64>, count: u32) -> PollPage {
        let count = count.min(MOST);
        let from = match at.and_then(|at| self.clamped(Some(at))) {
            Some(at) => around(
                self.polls.place_of(at),
                count,
                self.polls.first,
                self.polls.end(),
            ),
            None => from.max(self.polls.first),
        };
        let places = from..self.polls.end().min(from + u64::from(count));
        let rows = places.filter_map(|place| {
            let poll = self.polls.get(place)?;
            let end = self
                .polls
                .get(place + 1)
                .map_or(self.end(), |next| next.first);
            let comment = self.comments.range(poll.first..end.max(poll.first)).next();
            let row = poll_row(poll);
            Some(PollRow {
                comment: comment.map(|(_, text)| text.clone()),
                ..row
            })
        });
        PollPage {
            total: self.polls.end(),
            from,
            polls: rows.collect(),
        }
    }

    /// The history in parts of as many polls each.
    pub(super) fn timeline(&self, from: Option<u64>, to: Option<u64>, buckets: u32) -> Timeline {
        let (first, end) = (self.polls.first, self.polls.end());
        let from = from.unwrap_or(first).clamp(first, end);
        let to = to.unwrap_or(end).clamp(from, end);
        let polls = to - from;
        let parts = u64::from(buckets.clamp(1, BUCKETS)).min(polls);
        let part = |part: u64| {
            let begin = from + polls * part / parts;
            let after = from + polls * (part + 1) / parts;
            let poll = self.polls.get(begin)?;
            let mut sum = super::index::Counts::default();
            for place in begin..after {
                sum.add(&self.polls.get(place)?.counts);
            }
            Some(Bucket {
                place: begin,
                first: poll.first,
                ns: poll.ns,
                polls: u32::try_from(after - begin).unwrap_or(u32::MAX),
                records: sum.records,
                failures: sum.failures,
                aborts: sum.aborts,
                writes: sum.writes,
                stops: sum.stops,
                notes: sum.notes,
                problems: sum.problems,
            })
        };
        Timeline {
            from,
            to,
            buckets: (0..parts).filter_map(part).collect(),
        }
    }
}

fn poll_row(poll: &Poll) -> PollRow {
    PollRow {
        number: poll.number,
        ns: poll.ns,
        first: poll.first,
        records: poll.counts.records,
        failures: poll.counts.failures,
        aborts: poll.counts.aborts,
        writes: poll.counts.writes,
        notes: poll.counts.notes,
        problems: poll.counts.problems,
        comment: None,
    }
}
