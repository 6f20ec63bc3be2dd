//! A scan of a JSON text: every value's pointer and place, and the keys that stand twice.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A value of the text.
pub(super) struct Found<'s> {
    /// Its JSON pointer.
    pub(super) pointer: &'s str,
    /// Its first byte.
    pub(super) offset: usize,
    /// The first byte of its key; none of an array's item.
    pub(super) key: Option<usize>,
    /// Its object had a value under its key before.
    pub(super) repeated: bool,
}

/// The container that the scanner is inside of.
enum Inside<'t> {
    Array {
        pointer: usize,
        next: usize,
    },
    Object {
        pointer: usize,
        keys: BTreeSet<Cow<'t, str>>,
        /// A key was read and its value was not.
        keyed: bool,
        key_at: usize,
        repeated: bool,
    },
}

/// Visits every value of a JSON text, the outermost not among them. A text that is no JSON is
/// visited somehow.
pub(super) fn scan<'t>(text: &'t str, mut visit: impl FnMut(Found<'_>)) {
    let bytes = text.as_bytes();
    let mut inside: Vec<Inside<'t>> = Vec::new();
    let mut pointer = String::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' => {
                at += 1;
                continue;
            }
            b']' | b'}' => {
                inside.pop();
                at += 1;
                continue;
            }
            b'"' => at = end_of_string(bytes, at),
            b'[' | b'{' => at += 1,
            _ => at = end_of_scalar(bytes, at),
        }
        let (repeated, key_at) = match inside.last_mut() {
            None => (false, None),
            Some(Inside::Array { pointer: end, next }) => {
                pointer.truncate(*end);
                let _ = write!(pointer, "/{next}");
                *next += 1;
                (false, None)
            }
            Some(Inside::Object {
                pointer: end,
                keys,
                keyed: keyed @ false,
                key_at,
                repeated,
            }) => {
                let key = key(&text[start..at]);
                pointer.truncate(*end);
                pointer.push('/');
                escape(&key, &mut pointer);
                *keyed = true;
                *key_at = start;
                *repeated = !keys.insert(key);
                continue;
            }
            Some(Inside::Object {
                keyed,
                key_at,
                repeated,
                ..
            }) => {
                *keyed = false;
                (*repeated, Some(*key_at))
            }
        };
        if !inside.is_empty() {
            visit(Found {
                pointer: &pointer,
                offset: start,
                key: key_at,
                repeated,
            });
        }
        match byte {
            b'[' => inside.push(Inside::Array {
                pointer: pointer.len(),
                next: 0,
            }),
            b'{' => inside.push(Inside::Object {
                pointer: pointer.len(),
                keys: BTreeSet::new(),
                keyed: false,
                key_at: 0,
                repeated: false,
            }),
            _ => {}
        }
    }
}

/// The byte after the value that begins at one.
pub(super) fn end_of_value(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (start, 0_usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_string(bytes, at),
            b'[' | b'{' => (at, depth) = (at + 1, depth + 1),
            b']' | b'}' => (at, depth) = (at + 1, depth.saturating_sub(1)),
            b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' => {
                at += 1;
                continue;
            }
            _ => at = end_of_scalar(bytes, at),
        }
        if depth == 0 {
            break;
        }
    }
    at.min(bytes.len())
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
fn key(written: &str) -> Cow<'_, str> {
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
