//! Messages of records, looked through without reading the records: what each is about, and where it is.

use bt_core::trace::Record;

use super::Span;
use crate::protocol::frame::FrameError;

/// The subject of a record, without the rest of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Head<'b> {
    /// Its time in nanoseconds.
    pub ns: u64,
    /// The number of its poll.
    pub poll: u32,
    /// The run of the node's tree and the node's `idx`, if it is about a node.
    pub at: Option<(u32, u32)>,
    /// The node's tree; empty if it is about none.
    pub tree: &'b str,
    /// The sort of the record, as a line of a trace has it: `node_enter`, `bb_set` …
    pub cmd: &'b str,
    /// The key, property, call, event, note or file that it names; empty if it names none.
    pub label: &'b str,
    /// Of a node that exits: `success`, `failure` or `aborted`; empty of others.
    pub result: &'b str,
    /// The log that it is from does not say how the node ended.
    pub is_unknown: bool,
    /// Of a guard: whether it holds.
    pub holds: Option<bool>,
    /// The start of its bytes in the message.
    pub from: usize,
    /// The end of its bytes.
    pub to: usize,
}

/// The records of a message, one after the other. What is no record ends it: see [`is_whole`](Scan::is_whole).
#[derive(Debug, Clone)]
pub struct Scan<'b> {
    reader: Reader<'b>,
    left: u64,
    agent: &'b str,
    first: u64,
    is_broken: bool,
}

impl<'b> Scan<'b> {
    /// Of a message.
    ///
    /// # Errors
    /// If it is no message of records.
    pub fn of(message: &'b [u8]) -> Result<Scan<'b>, FrameError> {
        let mut reader = Reader {
            bytes: message,
            at: 0,
        };
        let wrong = || FrameError::new("expected an array of a header and records");
        let items = reader.array().filter(|items| *items > 0);
        let items = items.ok_or_else(wrong)?;
        let (mut agent, mut first) = ("", 0);
        for _ in 0..reader.map().ok_or_else(wrong)? {
            match reader.text().ok_or_else(wrong)? {
                "agent" => agent = reader.text().ok_or_else(wrong)?,
                "first" => first = reader.uint().ok_or_else(wrong)?,
                _ => reader.skip().ok_or_else(wrong)?,
            }
        }
        Ok(Scan {
            reader,
            left: items - 1,
            agent,
            first,
            is_broken: false,
        })
    }

    /// The id of the agent.
    pub fn agent(&self) -> &'b str {
        self.agent
    }

    /// The number of the first record in the agent's stream.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Returns true if all that was looked through were records.
    pub fn is_whole(&self) -> bool {
        !self.is_broken
    }

    /// The subject of the message, for a recording; `agent` is the number of the agent there.
    pub fn span(self, agent: u64) -> Span {
        let mut span = Span {
            agent,
            ..Span::default()
        };
        for head in self {
            if span.records == 0 {
                (span.from, span.is_key) = (head.ns, head.cmd == "snapshot");
            }
            span.to = head.ns;
            span.records += 1;
        }
        span
    }
}

impl<'b> Iterator for Scan<'b> {
    type Item = Head<'b>;

    fn next(&mut self) -> Option<Head<'b>> {
        self.left = self.left.checked_sub(1)?;
        let head = self.reader.head();
        if head.is_none() {
            self.left = 0;
            self.is_broken = true;
        }
        head
    }
}

/// A record from its bytes.
///
/// # Errors
/// If they are none.
pub fn record(bytes: &[u8]) -> Result<Record<'static>, FrameError> {
    rmp_serde::from_slice(bytes).map_err(|error| FrameError::new(&error.to_string()))
}

/// A record from its bytes as JSON, with all that it has.
///
/// # Errors
/// If they are none.
pub fn value(bytes: &[u8]) -> Result<serde_json::Value, FrameError> {
    rmp_serde::from_slice(bytes).map_err(|error| FrameError::new(&error.to_string()))
}

/// The fields of a record as they stand in its bytes: the name of each, and the bytes of its value. What is no field ends
/// them.
pub fn fields(record: &[u8]) -> impl Iterator<Item = (&str, &[u8])> {
    let mut reader = Reader {
        bytes: record,
        at: 0,
    };
    let mut left = reader.map().unwrap_or_default();
    std::iter::from_fn(move || {
        left = left.checked_sub(1)?;
        let name = reader.text()?;
        let from = reader.at;
        reader.skip()?;
        Some((name, &record[from..reader.at]))
    })
}

/// A message of records that are JSON: what [`Scan`] looks through.
///
/// # Errors
/// If they have no MessagePack form.
pub fn message(
    agent: &str,
    first: u64,
    records: &[serde_json::Value],
) -> Result<Vec<u8>, FrameError> {
    let header = serde_json::json!({ "agent": agent, "first": first });
    let all: Vec<_> = std::iter::once(&header).chain(records).collect();
    rmp_serde::to_vec_named(&all).map_err(|error| FrameError::new(&error.to_string()))
}

/// The same message of records, of an agent with another id.
///
/// # Errors
/// If it is no message of records.
pub fn with_agent(message: &[u8], agent: &str) -> Result<Vec<u8>, FrameError> {
    let scan = Scan::of(message)?;
    let header = serde_json::json!({ "agent": agent, "first": scan.first });
    let header = rmp_serde::to_vec_named(&header);
    let header = header.map_err(|error| FrameError::new(&error.to_string()))?;
    let items = u32::try_from(scan.left + 1).unwrap_or(u32::MAX);
    let mut bytes = vec![0xdd];
    bytes.extend(items.to_be_bytes());
    bytes.extend(header);
    bytes.extend(&message[scan.reader.at..]);
    Ok(bytes)
}

/// MessagePack, as far as it is looked through.
#[derive(Debug, Clone)]
struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    fn head(&mut self) -> Option<Head<'b>> {
        let from = self.at;
        let mut head = Head {
            from,
            ..Head::default()
        };
        for _ in 0..self.map()? {
            match self.text()? {
                "ns" => head.ns = self.uint()?,
                "poll" => head.poll = u32::try_from(self.uint()?).ok()?,
                "at" => {
                    if self.array()? != 2 {
                        return None;
                    }
                    let run = u32::try_from(self.uint()?).ok()?;
                    head.at = Some((run, u32::try_from(self.uint()?).ok()?));
                }
                "tree" => head.tree = self.text()?,
                "cmd" => head.cmd = self.text()?,
                "key" | "property" | "call" | "event" | "note" | "file" => {
                    head.label = self.text_or_skip()?;
                }
                "result" => head.result = self.text_or_skip()?,
                "unknown" => head.is_unknown = self.byte()? == 0xc3,
                "holds" => {
                    head.holds = match self.byte()? {
                        0xc2 => Some(false),
                        0xc3 => Some(true),
                        _ => return None,
                    };
                }
                _ => self.skip()?,
            }
        }
        head.to = self.at;
        (!head.cmd.is_empty()).then_some(head)
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn take(&mut self, length: u64) -> Option<&'b [u8]> {
        let end = self.at.checked_add(usize::try_from(length).ok()?)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    /// A number of so many bytes.
    fn big_endian(&mut self, bytes: u64) -> Option<u64> {
        let taken = self.take(bytes)?;
        Some(
            taken
                .iter()
                .fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
        )
    }

    fn uint(&mut self) -> Option<u64> {
        match self.byte()? {
            small @ 0..=0x7f => Some(small.into()),
            0xcc => self.big_endian(1),
            0xcd => self.big_endian(2),
            0xce => self.big_endian(4),
            0xcf => self.big_endian(8),
            _ => None,
        }
    }

    fn map(&mut self) -> Option<u64> {
        match self.byte()? {
            small @ 0x80..=0x8f => Some(u64::from(small & 0x0f)),
            0xde => self.big_endian(2),
            0xdf => self.big_endian(4),
            _ => None,
        }
    }

    fn array(&mut self) -> Option<u64> {
        match self.byte()? {
            small @ 0x90..=0x9f => Some(u64::from(small & 0x0f)),
            0xdc => self.big_endian(2),
            0xdd => self.big_endian(4),
            _ => None,
        }
    }

    fn text(&mut self) -> Option<&'b str> {
        let length = match self.byte()? {
            small @ 0xa0..=0xbf => u64::from(small & 0x1f),
            0xd9 => self.big_endian(1)?,
            0xda => self.big_endian(2)?,
            0xdb => self.big_endian(4)?,
            _ => return None,
        };
        std::str::from_utf8(self.take(length)?).ok()
    }

    /// A text; none of anything else.
    fn text_or_skip(&mut self) -> Option<&'b str> {
        match self.bytes.get(self.at)? {
            0xa0..=0xbf | 0xd9..=0xdb => self.text(),
            _ => self.skip().map(|()| ""),
        }
    }

    /// Passes over a value, with all that is in it.
    fn skip(&mut self) -> Option<()> {
        let mut left = 1_u64;
        while left > 0 {
            left -= 1;
            match self.byte()? {
                0..=0x7f | 0xc0 | 0xc2 | 0xc3 | 0xe0..=0xff => {}
                small @ 0x80..=0x8f => left += 2 * u64::from(small & 0x0f),
                small @ 0x90..=0x9f => left += u64::from(small & 0x0f),
                small @ 0xa0..=0xbf => drop(self.take(u64::from(small & 0x1f))?),
                0xc1 => return None,
                0xc4 | 0xd9 => self.skip_bytes(1, 0)?,
                0xc5 | 0xda => self.skip_bytes(2, 0)?,
                0xc6 | 0xdb => self.skip_bytes(4, 0)?,
                0xc7 => self.skip_bytes(1, 1)?,
                0xc8 => self.skip_bytes(2, 1)?,
                0xc9 => self.skip_bytes(4, 1)?,
                0xcc | 0xd0 => drop(self.take(1)?),
                0xcd | 0xd1 => drop(self.take(2)?),
                0xca | 0xce | 0xd2 => drop(self.take(4)?),
                0xcb | 0xcf | 0xd3 => drop(self.take(8)?),
                0xd4 => drop(self.take(2)?),
                0xd5 => drop(self.take(3)?),
                0xd6 => drop(self.take(5)?),
                0xd7 => drop(self.take(9)?),
                0xd8 => drop(self.take(17)?),
                0xdc => left += self.big_endian(2)?,
                0xdd => left += self.big_endian(4)?,
                0xde => left += 2 * self.big_endian(2)?,
                0xdf => left += 2 * self.big_endian(4)?,
            }
            // Each item has a byte at least.
            if left > (self.bytes.len() - self.at) as u64 {
                return None;
            }
        }
        Some(())
    }

    /// So many bytes as the next bytes say, and some more.
    fn skip_bytes(&mut self, length: u64, more: u64) -> Option<()> {
        let length = self.big_endian(length)?;
        self.take(length + more).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_of_a_record_are_its_names_and_values_as_they_stand() {
        let set = json!({"ns": 70_000, "cmd": "bb_set", "key": "loud", "value": {"a": [1, "b"]}});
        let bytes = rmp_serde::to_vec_named(&set).unwrap();
        let read = fields(&bytes).map(|(name, bytes)| (name.to_owned(), value(bytes).unwrap()));
        assert_eq!(serde_json::Value::Object(read.collect()), set);
        assert_eq!(fields(&bytes[..bytes.len() - 1]).count(), 3);
        assert_eq!(fields(&[0x93, 1, 2, 3]).count(), 0);
    }

    #[test]
    fn scan_finds_what_records_are_about() {
        let records = json!([
            {"agent": "7", "first": 300, "later": [1, {"a": null}]},
            {"ns": 70_000, "poll": 1, "cmd": "snapshot", "trees": ["a.json"], "blackboard": {"key": -1.5}, "active": []},
            {"ns": 5_000_000_000_u64, "poll": 300, "at": [2, 70], "tree": "a.json", "type": "action", "name": "bark",
             "cmd": "node_leave", "result": "failure"},
            {"ns": 5_000_000_000_u64, "poll": 300, "cmd": "bb_set", "key": "loud", "value": {"result": "no"}},
            {"ns": 5_000_000_000_u64, "poll": 300, "cmd": "guard", "call": "is_near", "args": [], "holds": false},
        ]);
        let message = rmp_serde::to_vec_named(&records).unwrap();
        let scan = Scan::of(&message).unwrap();
        assert_eq!((scan.agent(), scan.first()), ("7", 300));
        let heads: Vec<_> = scan.clone().collect();
        assert_eq!(heads.len(), 4);
        let left = heads[1];
        assert_eq!(
            (left.at, left.tree, left.poll),
            (Some((2, 70)), "a.json", 300)
        );
        assert_eq!(
            (left.cmd, left.result, left.label),
            ("node_leave", "failure", "")
        );
        assert_eq!(
            (heads[2].cmd, heads[2].label, heads[2].result),
            ("bb_set", "loud", "")
        );
        assert_eq!((heads[3].holds, heads[3].label), (Some(false), "is_near"));
        for head in &heads {
            let record = record(&message[head.from..head.to]).unwrap();
            assert_eq!(record.what.command(), head.cmd);
        }
        let span = scan.span(7);
        assert_eq!(
            (span.from, span.to, span.records),
            (70_000, 5_000_000_000, 4)
        );
        assert!(span.is_key);
    }

    #[test]
    fn scan_of_bytes_that_are_no_records_ends() {
        let message = rmp_serde::to_vec_named(
            &json!([{"agent": "7", "first": 0}, {"ns": 1, "poll": 1, "cmd": "reset"}]),
        );
        let message = message.unwrap();
        for cut in 0..message.len() {
            let mut scan = match Scan::of(&message[..cut]) {
                Ok(scan) => scan,
                Err(_) => continue,
            };
            assert_eq!(scan.by_ref().count(), 0, "{cut}");
            assert!(!scan.is_whole());
        }
        // Containers that claim to have more than there is.
        for claim in [
            [0xdd, 0xff, 0xff, 0xff, 0xff],
            [0xdf, 0xff, 0xff, 0xff, 0xff],
        ] {
            let mut bytes = vec![0x92, 0x80, 0x81, 0xa1, b'x'];
            bytes.extend(claim);
            assert_eq!(Scan::of(&bytes).unwrap().count(), 0);
        }
    }
}
