//! Random requests: each is answered, and the game plays on. `BT_REQUESTS=1000000 cargo test -p bt-live --test port
//! requests::` makes more of them, and `BT_SEED=1` others.

use std::time::Duration;

use bt_core::Random;
use bt_live::client::ClientError;
use bt_live::protocol::METHODS;
use serde_json::json;
use tungstenite::Message;

use crate::game::Game;
use crate::generator::Generator;
use crate::security::{Socket, heard, is_closed, is_served, open_with_token};

/// The number of requests that are made if the environment does not say.
const REQUESTS: usize = 4_000;

/// Words that mean something in some request.
const WORDS: &[&str] = &[
    "guard.json",
    "busy.json",
    "bark",
    "howl",
    "trip",
    "stick",
    "trust",
    "loud",
    "over",
    "enter",
    "abort",
    "key",
    "to",
    "poll",
    "success",
    "disabled",
    "a.btrec",
    "../a.btrec",
    ">= 3",
    "trust < 3",
];

/// The number of requests that this run makes.
fn requests() -> usize {
    std::env::var("BT_REQUESTS").map_or(REQUESTS, |text| text.parse().unwrap())
}

/// The random stream of this run.
fn random(stream: u64) -> Random {
    let seed = std::env::var("BT_SEED").map_or(0, |text| text.parse::<u64>().unwrap());
    Random::new(stream + 100 * seed)
}

#[test]
fn random_requests_of_all_methods_are_answered() {
    let requests = requests();
    let game = Game::of(1);
    let mut client = game.client();
    let mut random = random(11);
    let generator = Generator::new(Game::dog(0), WORDS);
    let mut done = 0;
    for at in (0..METHODS.len()).cycle().take(requests) {
        let given = generator.params(at, &mut random);
        match client.call_by_name(METHODS[at].name, given) {
            Ok(_) => done += 1,
            Err(ClientError::Refused(_)) => {}
            Err(error) => panic!("{}: {error}", METHODS[at].name),
        }
        // What it sends unasked is read, too.
        while at == 0 && client.next(Duration::ZERO).unwrap().is_some() {}
    }
    assert!(
        done > requests / 5 && done < requests * 9 / 10,
        "{done} of {requests} were not refused"
    );
    drop(client);
    let mut client = game.client();
    for method in ["agent.resume", "agent.reset"] {
        let agent = json!({"agent": Game::dog(0)});
        client.call_by_name(method, agent).unwrap();
    }
    drop(client);
    is_served(&game);
}

/// A request with some of its bytes replaced by others.
fn garbled(request: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = request.as_bytes().to_vec();
    for _ in 0..random.int(1..=4) {
        let at = random.int(0..=bytes.len() as i64 - 1) as usize;
        bytes[at] = random.int(0..=255) as u8;
    }
    bytes
}

/// The answer to a message. What is sent unasked comes before it.
fn answer(socket: &mut Socket, message: Message) -> String {
    socket.send(message).unwrap();
    loop {
        let text = heard(socket);
        if text.starts_with(r#"{"jsonrpc":"2.0","id":"#) {
            return text;
        }
    }
}

#[test]
fn garbled_requests_are_answered() {
    let game = Game::of(1);
    let mut socket = open_with_token(&game);
    let mut random = random(12);
    let generator = Generator::new(Game::dog(0), WORDS);
    for (number, at) in (0..METHODS.len()).cycle().take(requests() / 4).enumerate() {
        let (method, params) = (METHODS[at].name, generator.params(at, &mut random));
        let request = json!({"jsonrpc": "2.0", "id": number, "method": method, "params": params});
        let bytes = garbled(&request.to_string(), &mut random);
        match String::from_utf8(bytes) {
            Ok(text) => _ = answer(&mut socket, Message::text(text)),
            // It is no text any more.
            Err(error) => {
                let answer = answer(&mut socket, Message::binary(error.into_bytes()));
                assert!(answer.contains("requests are texts"), "{answer}");
                assert!(is_closed(&mut socket));
                socket = open_with_token(&game);
            }
        }
    }
    drop(socket);
    is_served(&game);
}
