//! The words of records in lower case, to search in. Most records say what others said before, but for the time and a value:
//! those are not read again.

use std::collections::HashMap;
use std::fmt::Write as _;

use bt_live::recording::{fields, record, value};

use super::moment::in_words;

/// So many different words are kept.
const KNOWN: usize = 10_000;

/// Words of records that were read.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// By the bytes of records without their times and values.
    known: HashMap<Vec<u8>, String>,
    key: Vec<u8>,
    text: String,
}

impl Texts {
    /// The words of a record, from its bytes; none of what is none.
    pub(super) fn of(&mut self, bytes: &[u8]) -> Option<&str> {
        let written = self.split(bytes);
        let written = match written {
            Some(bytes) => value(bytes).ok()?.to_string().to_lowercase(),
            None => String::new(),
        };
        self.text.clear();
        if let Some(before) = self.known.get(&self.key) {
            _ = write!(self.text, "{before}{written}");
            return Some(&self.text);
        }
        self.text = in_words(&record(bytes).ok()?).to_lowercase();
        if let Some(before) = self.text.strip_suffix(&written) {
            if self.known.len() >= KNOWN {
                self.known.clear();
            }
            let key = std::mem::take(&mut self.key);
            self.known.insert(key, before.to_owned());
        }
        Some(&self.text)
    }

    /// Makes the key of what a record has in common with others; the bytes of what its words end with, if it is a write.
    fn split<'b>(&mut self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        let mut cmd: &[u8] = &[];
        let (mut written, mut poll): (_, &[u8]) = (None, &[]);
        self.key.clear();
        for (name, value) in fields(bytes) {
            let text = value.get(1..).unwrap_or_default();
            match (name, text) {
                ("ns", _) => continue,
                ("poll", _) => {
                    poll = value;
                    continue;
                }
                ("changes", _) if cmd == b"explains" => continue,
                ("value", _) if cmd == b"bb_set" || cmd == b"property_set" => {
                    written = Some(value);
                    continue;
                }
                ("cmd", _) => cmd = text,
                _ => {}
            }
            self.key.extend_from_slice(name.as_bytes());
            self.key.extend_from_slice(value);
        }
        // The words of all others do not say it.
        if cmd == b"poll_begin" {
            self.key.extend_from_slice(poll);
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use bt_live::recording::{Scan, message};
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn words_are_those_of_the_record_in_lower_case_each_time() {
        let at = json!({"at": [0, 2], "tree": "Walk.json", "type": "action", "name": "Step"});
        let of_node = |more: Value| {
            let mut record = at.clone();
            let more = more.as_object().unwrap().clone();
            record.as_object_mut().unwrap().extend(more);
            record
        };
        let one = |round: u64| {
            [
                json!({"cmd": "poll_begin"}),
                of_node(json!({"cmd": "node_enter"})),
                of_node(
                    json!({"cmd": "node_action", "call": "Step", "args": [round % 2], "role": "action"}),
                ),
                of_node(
                    json!({"cmd": "bb_set", "key": "Way", "value": {"At": [round, "Ä", null, 1.5]}}),
                ),
                json!({"cmd": "bb_set", "key": "Way", "value": round}),
                of_node(
                    json!({"cmd": "property_set", "property": "Steps", "value": "Sets `way` to"}),
                ),
                of_node(json!({"cmd": "note", "note": "forced", "value": "failure"})),
                of_node(json!({"cmd": "note", "note": "Seen", "value": round})),
                of_node(json!({"cmd": "because", "why": format!("Too far: {round}")})),
                of_node(json!({"cmd": "waits", "since": round, "until": round * 1_000_000_000})),
                json!({"cmd": "explains", "changes": [{"in": ["at"], "is": round}]}),
                of_node(json!({"cmd": "node_leave", "result": "failure"})),
            ]
        };
        let mut records = Vec::new();
        for round in 1..5 {
            for mut record in one(round) {
                record["ns"] = (round * 16_000_000).into();
                record["poll"] = round.into();
                records.push(record);
            }
        }
        let bytes = message("7", 0, &records).unwrap();
        let mut texts = Texts::default();
        let mut count = 0;
        for head in Scan::of(&bytes).unwrap() {
            let bytes = &bytes[head.from..];
            let words = in_words(&record(bytes).unwrap()).to_lowercase();
            assert_eq!(texts.of(bytes), Some(words.as_str()));
            count += 1;
        }
        assert_eq!(count, records.len());
        // What varies is not kept anew each time: a poll, a note and a reason of each round are.
        assert!(
            texts.known.len() < records.len() * 2 / 3,
            "{}",
            texts.known.len()
        );
        assert_eq!(texts.of(&[0x81, 0xa1]), None);
    }
}
