//! Messages with their lengths before them.

use std::io::{self, BufRead, Read, Write};

use serde_json::{Value, json};

/// The longest message of an editor.
const LONGEST: u64 = 64 << 20;

/// The next message; none at the end of the input.
pub(super) fn read(from: &mut impl BufRead) -> io::Result<Option<Value>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        // A header has one short line for each field.
        if from.by_ref().take(4_096).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if let Some(text) = line.strip_prefix("Content-Length:") {
            length = text.trim().parse().ok().filter(|length| *length <= LONGEST);
        } else if line.is_empty() {
            break;
        }
    }
    let length = length.ok_or_else(|| io::Error::other("a message without its length"))?;
    let mut bytes = Vec::new();
    from.by_ref().take(length).read_to_end(&mut bytes)?;
    Ok(Some(serde_json::from_slice(&bytes)?))
}

/// What goes to the editor.
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

    /// Answers a request: with what it asked for, or why not.
    pub(super) fn answer(
        &mut self,
        request: &Value,
        answer: Result<Value, String>,
    ) -> io::Result<()> {
        let mut message = json!({
            "type": "response",
            "request_seq": request["seq"],
            "command": request["command"],
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
