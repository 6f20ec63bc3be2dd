//! A scan of a JSON text: where every value and its key stand, its pointer, and the keys that stand twice.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

/// The kind of a value, by what it may have inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An object.
    Object,
    /// An array.
    Array,
    /// Anything else.
    Scalar,
}

/// A step on the way through a JSON text.
#[derive(Debug)]
pub enum Event {
    /// A value begins.
    Begins {
        /// What it is.
        kind: Kind,
        /// The bytes of a scalar, and the first one of a container.
        at: Range<usize>,
        /// The bytes of its key, with the quotation marks; none of an item.
        key: Option<Range<usize>>,
    },
    /// The innermost container ends before this byte.
    Ends(usize),
}

/// Reads a JSON text from its first byte to its last. A text that is no JSON is read somehow.
pub fn events(text: &str, mut report: impl FnMut(Event)) {
    let bytes = text.as_bytes();
    // Of each container around: none of an array; of an object the key whose value comes next.
    let mut inside: Vec<Option<Option<Range<usize>>>> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let kind = match byte {
            b'{' => Kind::Object,
            b'[' => Kind::Array,
            _ => Kind::Scalar,
        };
        at = match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' => {
                at += 1;
                continue;
            }
            b']' | b'}' => {
                at += 1;
                if inside.pop().is_some() {
                    report(Event::Ends(at));
                }
                continue;
            }
            b'"' => end_of_string(bytes, at),
            b'[' | b'{' => at + 1,
            _ => end_of_scalar(bytes, at),
        };
        let key = match inside.last_mut() {
            Some(Some(key @ None)) => {
                *key = Some(start..at);
                continue;
            }
            Some(Some(key)) => key.take(),
            Some(None) | None => None,
        };
        let at = start..at;
        report(Event::Begins { kind, at, key });
        match kind {
            Kind::Object => inside.push(Some(None)),
            Kind::Array => inside.push(None),
            Kind::Scalar => {}
        }
    }
}

/// A value of the text.
pub(super) struct Found<'s> {
    /// Its JSON pointer.
    pub(super) pointer: &'s str,
    /// Its first byte.
    pub(super) offset: usize,
    /// Its object had a value under its key before.
    pub(super) repeated: bool,
}

/// The container that the scan is inside of.
struct Inside<'t> {
    /// The length of its pointer.
    pointer: usize,
    /// The place of its next item.
    next: usize,
    keys: BTreeSet<Cow<'t, str>>,
}

/// Visits every value of a JSON text, the outermost not among them. A text that is no JSON is
/// visited somehow.
pub(super) fn scan(text: &str, mut visit: impl FnMut(Found<'_>)) {
    let mut inside: Vec<Inside<'_>> = Vec::new();
    let mut pointer = String::new();
    events(text, |event| {
        let Event::Begins { kind, at, key } = event else {
            inside.pop();
            return;
        };
        if let Some(around) = inside.last_mut() {
            pointer.truncate(around.pointer);
            let repeated = match key {
                Some(key) => {
                    let key = meant(&text[key]);
                    pointer.push('/');
                    escape(&key, &mut pointer);
                    !around.keys.insert(key)
                }
                None => {
                    let _ = write!(pointer, "/{}", around.next);
                    around.next += 1;
                    false
                }
            };
            visit(Found {
                pointer: &pointer,
                offset: at.start,
                repeated,
            });
        }
        if kind != Kind::Scalar {
            inside.push(Inside {
                pointer: pointer.len(),
                next: 0,
                keys: BTreeSet::new(),
            });
        }
    });
}

fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn end_of_scalar(bytes: &[u8], start: usize) -> usize {
    let ends = |byte: &u8| b" \t\r\n,:]}[{\"".contains(byte);
    let rest = &bytes[start..];
    start + rest.iter().position(ends).unwrap_or(rest.len())
}

/// A key as it is meant, from how it is written.
fn meant(written: &str) -> Cow<'_, str> {
    let plain = || written.trim_matches('"');
    if !written.contains('\\') {
        return Cow::Borrowed(plain());
    }
    serde_json::from_str(written).map_or_else(|_| Cow::Borrowed(plain()), Cow::Owned)
}

/// Appends a key to a JSON pointer.
fn escape(key: &str, pointer: &mut String) {
    for char in key.chars() {
        match char {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            char => pointer.push(char),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// Every pointer that is found stands for the value that begins there.
    fn check(text: &str) -> Vec<String> {
        let value: Value = serde_json::from_str(text).unwrap();
        let mut pointers = Vec::new();
        scan(text, |found| {
            let mut rest =
                serde_json::Deserializer::from_str(&text[found.offset..]).into_iter::<Value>();
            let here = rest.next().unwrap().unwrap();
            assert_eq!(
                value.pointer(found.pointer),
                Some(&here),
                "{}",
                found.pointer
            );
            assert!(!found.repeated);
            pointers.push(found.pointer.to_owned());
        });
        pointers
    }

    #[test]
    fn every_value_of_a_text_is_found_under_its_pointer() {
        let text = r#" {"a": [1, {"b/c": "x\"]", "~": [[], {}], "\u00e9": null}, true],
            "": -1.5e3, "日本": {"k": false}} "#;
        assert_eq!(
            check(text),
            [
                "/a",
                "/a/0",
                "/a/1",
                "/a/1/b~1c",
                "/a/1/~0",
                "/a/1/~0/0",
                "/a/1/~0/1",
                "/a/1/é",
                "/a/2",
                "/",
                "/日本",
                "/日本/k"
            ]
        );
        assert_eq!(check("7"), [""; 0]);
    }

    #[test]
    fn a_repeated_key_is_found_however_it_is_written() {
        let mut found = Vec::new();
        scan(r#"{"a": 1, "b": {"a": 2}, "\u0061": 3}"#, |value| {
            found.extend(value.repeated.then_some(value.offset));
        });
        assert_eq!(found, [34]);
    }

    #[test]
    fn a_text_that_is_no_json_is_scanned_without_a_panic() {
        for text in [
            "]}",
            "{\"",
            "\"\\",
            "[\"a\\",
            "{1:2,[}",
            "{\"\\u00\":1",
            "日{本:語",
        ] {
            scan(text, |_| ());
        }
    }
}
