//! Messages with their lengths before them.

use std::io::{self, BufRead, Read, Write};

use serde_json::{Value, json};

/// The longest message of an editor, in bytes.
const LONGEST: u64 = 16 << 20;

/// The longest line of a header, in bytes.
const LONGEST_LINE: u64 = 4_096;

/// The number of header lines of a message.
const HEADERS: usize = 32;

/// A message of the editor.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    /// It has a `command`.
    Request(Value),
    /// It is no request. The next one may be.
    Wrong {
        /// Its number, where it has one; 0 otherwise.
        seq: u64,
        /// The reason why it is none.
        why: String,
    },
}

/// The next message; none at the end of the input.
///
/// # Errors
/// If nobody knows where the next message begins.
pub(super) fn read(from: &mut impl BufRead) -> Result<Option<Message>, String> {
    let Some(length) = length(from)? else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    let read = from.by_ref().take(length).read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    if (bytes.len() as u64) < length {
        return Err("the input ends in the middle of a message".to_owned());
    }
    let value = match serde_json::from_slice::<Value>(&bytes) {
        Ok(value) => value,
        Err(error) => {
            let why = format!("the message is not JSON: {error}");
            return Ok(Some(Message::Wrong { seq: 0, why }));
        }
    };
    let is_request = value.get("type").is_none_or(|it| it == "request");
    let why = match (is_request, value["command"].is_string()) {
        (true, true) => return Ok(Some(Message::Request(value))),
        (true, false) => "the message has no `command`",
        (false, _) => "the message is no request: its `type` is another",
    };
    Ok(Some(Message::Wrong {
        seq: value["seq"].as_u64().unwrap_or_default(),
        why: why.to_owned(),
    }))
}

/// The length of the next message; none at the end of the input.
fn length(from: &mut impl BufRead) -> Result<Option<u64>, String> {
    let mut length = None;
    for at in 0..HEADERS {
        let mut line = Vec::new();
        let read = from.by_ref().take(LONGEST_LINE);
        let read = { read }.read_until(b'\n', &mut line);
        if read.map_err(|error| error.to_string())? == 0 {
            return match at {
                0 => Ok(None),
                _ => Err("the input ends in the middle of a message".to_owned()),
            };
        }
        let line = std::str::from_utf8(&line).ok();
        let line = line.and_then(|line| line.strip_suffix('\n'));
        let line = line
            .ok_or_else(|| format!("a header is a line of text of at most {LONGEST_LINE} bytes"))?;
        let line = line.trim_end();
        if line.is_empty() {
            let missing = || "a message without its `Content-Length`".to_owned();
            return length.map(Some).ok_or_else(missing);
        }
        let (name, value) = line.split_once(':').ok_or_else(|| {
            let line: String = line.chars().take(60).collect();
            format!("expected a header such as `Content-Length: 10`, found `{line}`")
        })?;
        if name.eq_ignore_ascii_case("Content-Length") {
            let number = value.trim().parse().ok();
            let number = number.filter(|number| *number <= LONGEST);
            length = Some(number.ok_or_else(|| {
                let value: String = value.trim().chars().take(60).collect();
                format!("`Content-Length` is a number up to {LONGEST}, found `{value}`")
            })?);
        }
    }
    Err(format!("a message has at most {HEADERS} headers"))
}

/// The output to the editor.
pub(super) struct Wire<W> {
    to: W,
    number: u64,
}

impl<W: Write> Wire<W> {
    pub(super) fn new(to: W) -> Wire<W> {
        Wire { to, number: 0 }
    }

    pub(super) fn event(&mut self, event: &str, body: Value) -> io::Result<()> {
        self.send(json!({ "type": "event", "event": event, "body": body }))
    }

    /// Answers a request: with its result, or why there is none.
    pub(super) fn answer(
        &mut self,
        request: &Value,
        answer: Result<Value, String>,
    ) -> io::Result<()> {
        let mut message = json!({
            "type": "response",
            "request_seq": request["seq"].as_u64().unwrap_or_default(),
            "command": request["command"].as_str().unwrap_or_default(),
            "success": answer.is_ok(),
        });
        match answer {
            Ok(body) => message["body"] = body,
            Err(why) => {
                message["message"] = why.as_str().into();
                message["body"] = json!({ "error": { "id": 1, "format": why, "showUser": true } });
            }
        }
        self.send(message)
    }

    fn send(&mut self, mut message: Value) -> io::Result<()> {
        self.number += 1;
        message["seq"] = self.number.into();
        let text = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut text: &[u8]) -> Vec<Result<Message, String>> {
        let mut all = Vec::new();
        while let Some(read) = read(&mut text).transpose() {
            let is_lost = read.is_err();
            all.push(read);
            if is_lost {
                break;
            }
        }
        all
    }

    fn is_lost(text: &[u8], why: &str) {
        assert_eq!(all(text), [Err(why.to_owned())]);
    }

    #[test]
    fn message_after_a_wrong_one_is_read() {
        let text = b"Content-Length: 2\r\n\r\n{]content-length:2\nX: y\n\n[]\
            Content-Length: 36\r\n\r\n{\"seq\":7,\"type\":\"event\",\"command\":1}\
            Content-Length: 2\r\n\r\n\xff\xfeContent-Length: 0\r\n\r\n\
            Content-Length: 15\r\n\r\n{\"command\":\"a\"}";
        let wrong = |seq: u64, why: &str| {
            let why = why.to_owned();
            Ok(Message::Wrong { seq, why })
        };
        let json = "the message is not JSON: key must be a string at line 1 column 2";
        let no_text = "the message is not JSON: expected value at line 1 column 1";
        let empty = "the message is not JSON: EOF while parsing a value at line 1 column 0";
        let request = Ok(Message::Request(json!({ "command": "a" })));
        let expected = [
            wrong(0, json),
            wrong(0, "the message has no `command`"),
            wrong(7, "the message is no request: its `type` is another"),
            wrong(0, no_text),
            wrong(0, empty),
            request,
        ];
        assert_eq!(all(text), expected);
        assert_eq!(all(b""), []);
    }

    #[test]
    fn input_whose_next_message_nobody_finds_says_why() {
        is_lost(b"\r\n", "a message without its `Content-Length`");
        is_lost(
            b"GET / HTTP/1.1\r\n",
            "expected a header such as `Content-Length: 10`, found `GET / HTTP/1.1`",
        );
        for number in ["99999999999", "-1", "ten"] {
            let why = format!("`Content-Length` is a number up to 16777216, found `{number}`");
            is_lost(format!("Content-Length: {number}\r\n\r\n").as_bytes(), &why);
        }
        let why = "a header is a line of text of at most 4096 bytes";
        is_lost(&[b'a'; 100_000], why);
        is_lost(b"\xff\xfe\n", why);
        is_lost(b"Content-Length: 3", why);
        is_lost(&b"A: b\n".repeat(100), "a message has at most 32 headers");
        let why = "the input ends in the middle of a message";
        is_lost(b"Content-Length: 3\r\n\r\n{}", why);
    }

    #[test]
    fn message_that_is_nested_too_deep_is_wrong() {
        let text = "[".repeat(100_000);
        let text = format!("Content-Length: {}\r\n\r\n{text}", text.len());
        assert!(matches!(
            &all(text.as_bytes())[..],
            [Ok(Message::Wrong { .. })]
        ));
    }
}
