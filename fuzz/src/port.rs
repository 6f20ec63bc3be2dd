//! Each line of the bytes is a message to the port of a game: a method, a space and its parameters make a request,
//! any other text is sent as it is, and what is no text as a binary message.

use std::io;
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use bt_core::pool::Pool;
use bt_core::{Runner, TreeAsset};
use bt_live::port::{Options, PoolGame, Port, Sources};
use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Error, Message, WebSocket};

use crate::Robot;
use crate::saved::{main_tree, other_tree};

/// The number of an input's messages that are sent.
const MESSAGES: usize = 64;

/// The time limit of an answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A game of one robot, its port, and a client.
struct Played {
    pool: Pool<Robot>,
    sources: Sources<Robot>,
    port: Port,
    socket: WebSocket<TcpStream>,
    now: Duration,
}

/// Every message is answered, and the game continues.
pub fn run(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let mut played = Played::new(folder.path());
    for line in bytes.split(|byte| *byte == b'\n').take(MESSAGES) {
        let message = message(line);
        let ends = message.is_binary();
        played.ask(message);
        if ends {
            return;
        }
    }
    let answer = played.ask(Message::text(request("agents.list", &json!({}))));
    assert!(answer.contains("result"), "{answer}");
}

/// The id of the robot, as requests call it.
pub fn robot() -> String {
    let mut pool = Pool::new();
    pool.spawn(Robot::default(), runner(&sources()))
        .to_bits()
        .to_string()
}

fn sources() -> Sources<Robot> {
    let trees = [("main", main_tree()), ("other", other_tree())];
    let texts = trees.map(|(name, top)| {
        let text = TreeAsset::build(name, "robot", top).to_json();
        (name.to_owned(), text)
    });
    Sources::new(texts.into()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn runner(sources: &Sources<Robot>) -> Runner<Robot> {
    let mut runner = Runner::new(sources.trees(), "main").expect("it is there");
    runner = runner.seed(7).budget(500);
    runner.start();
    runner
}

fn request(method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string()
}

fn message(line: &[u8]) -> Message {
    let Ok(text) = std::str::from_utf8(line) else {
        return Message::binary(line.to_vec());
    };
    let parts = text.split_once(' ');
    let read = parts.and_then(|(method, params)| {
        let params = serde_json::from_str(params).ok()?;
        Some(request(method, &params))
    });
    Message::text(read.unwrap_or_else(|| text.to_owned()))
}

impl Played {
    fn new(folder: &Path) -> Played {
        let options = Options::new("robots")
            .token_file(folder.join("token.json"))
            .recordings(folder);
        let port = Port::open(options).expect("a number is free");
        let url = port.url();
        let (url, token) = url.split_once('#').expect("the token stands behind it");
        let mut opening = url.into_client_request().expect("it is an address");
        let bearer = format!("Bearer {token}").parse().expect("it is text");
        opening.headers_mut().insert("authorization", bearer);
        let address = opening.uri().authority().expect("it has one").to_string();
        let stream = TcpStream::connect(address).expect("the port listens");
        let (socket, _) = tungstenite::client::client(opening, stream).expect("the token is right");
        let blocks = socket.get_ref().set_nonblocking(true);
        blocks.expect("it can be asked without waiting");
        let sources = sources();
        let mut pool = Pool::new();
        pool.spawn(Robot::default(), runner(&sources));
        Played {
            pool,
            sources,
            port,
            socket,
            now: Duration::ZERO,
        }
    }

    /// The answer to a message, and a frame of the game.
    fn ask(&mut self, message: Message) -> String {
        self.now += Duration::from_millis(50);
        self.pool.poll(self.now);
        let began = Instant::now();
        let shown = message.to_string();
        let mut sent = self.socket.send(message);
        loop {
            match sent {
                Ok(()) => {}
                Err(Error::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => panic!("{error}: {shown}"),
            }
            self.port
                .poll(&mut PoolGame::new(&mut self.pool, &mut ()).sources(&mut self.sources));
            while let Ok(message) = self.socket.read() {
                if let Message::Text(text) = message
                    && text.starts_with(r#"{"jsonrpc":"2.0","id":"#)
                {
                    return text.to_string();
                }
            }
            assert!(began.elapsed() < TIMEOUT, "no answer to {shown}");
            std::thread::yield_now();
            sent = self.socket.flush();
        }
    }
}
