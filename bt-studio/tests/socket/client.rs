//! A client of the studio.

use std::collections::VecDeque;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::http::{HeaderName, HeaderValue};
use tungstenite::{Message, WebSocket};

pub(crate) struct Client {
    socket: WebSocket<TcpStream>,
    events: VecDeque<Value>,
    next: u64,
}

impl Client {
    /// Connects, with headers that take the places of the usual ones.
    pub(crate) fn open(port: u16, headers: &[(&str, &str)]) -> Result<Client, String> {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let mut request = format!("ws://127.0.0.1:{port}/ws")
            .into_client_request()
            .unwrap();
        for (name, value) in headers {
            let name: HeaderName = name.parse().unwrap();
            request
                .headers_mut()
                .insert(name, HeaderValue::from_str(value).unwrap());
        }
        let opened = tungstenite::client(request, stream);
        let (socket, _) = opened.map_err(|error| error.to_string())?;
        Ok(Client {
            socket,
            events: VecDeque::new(),
            next: 1,
        })
    }

    pub(crate) fn send(&mut self, text: &str) -> Result<(), String> {
        self.socket
            .send(Message::text(text))
            .map_err(|error| error.to_string())
    }

    /// The next message; none if the server has closed.
    pub(crate) fn receive(&mut self) -> Option<Value> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The result of a method, or its error.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.next;
        self.next += 1;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send(&request.to_string()).unwrap();
        loop {
            let mut message = self.receive().expect("the server has closed");
            if message.get("id").is_none() {
                self.events.push_back(message);
                continue;
            }
            if message["id"].is_string() {
                // The answer to what was sent by hand.
                continue;
            }
            assert_eq!(message["id"], id);
            return match message.get("error") {
                Some(error) => Err(error.clone()),
                None => Ok(message["result"].take()),
            };
        }
    }

    /// The parameters of the next event that is wanted; others are passed over.
    pub(crate) fn event(&mut self, method: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let event = self.events.pop_front();
            let mut event = event
                .or_else(|| self.receive())
                .expect("the server has closed");
            if event["method"] == method && is_it(&event["params"]) {
                return event["params"].take();
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "no `{method}`");
        }
    }

    pub(crate) fn open_tree(&mut self, path: &str) -> Value {
        self.call("doc.open", json!({"path": path})).unwrap()
    }

    /// An edit of a document, at its revision.
    pub(crate) fn edit(
        &mut self,
        doc: &Value,
        revision: u64,
        edits: Value,
    ) -> Result<Value, Value> {
        self.call(
            "doc.edit",
            json!({"doc": doc["doc"], "revision": revision, "edits": edits}),
        )
    }
}

/// A text with the splices of an answer made, as the page makes them.
pub(crate) fn spliced(text: &str, splices: &Value) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut all = Vec::new();
    let mut from = 0;
    for splice in splices.as_array().unwrap() {
        let place = |key: &str| usize::try_from(splice[key].as_u64().unwrap()).unwrap();
        all.extend_from_slice(&units[from..place("from")]);
        all.extend(splice["text"].as_str().unwrap().encode_utf16());
        from = place("to");
    }
    all.extend_from_slice(&units[from..]);
    String::from_utf16(&all).unwrap()
}
