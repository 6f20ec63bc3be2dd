//! The store over real servers does what the one in memory does.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use bt_core::prelude::*;
use bt_fleet::store::{Append, Memory, Message, Read, Store, StoreError, Stream};
use bt_fleet::{Config, Fleet};
use serde::{Deserialize, Serialize};

use crate::servers::Servers;

#[derive(Agent, Serialize, Deserialize)]
struct Nobody;

/// A store whose answers are waited for.
struct Waiting(Arc<dyn Store>);

impl Waiting {
    fn append(
        &self,
        id: Option<&str>,
        expect: Option<u64>,
        body: &[u8],
    ) -> Result<u64, StoreError> {
        let message = Append {
            stream: Stream::Saves,
            subject: "save.1".to_owned(),
            id: id.map(str::to_owned),
            expect,
            body: body.to_vec(),
        };
        let (send, answer) = channel();
        self.0
            .append(message, Box::new(move |answer| send.send(answer).unwrap()));
        answer.recv().unwrap()
    }

    fn last(&self) -> Option<Message> {
        let (send, answer) = channel();
        let done = Box::new(move |answer| send.send(answer).unwrap());
        self.0.last(Stream::Saves, "save.1".to_owned(), done);
        answer.recv().unwrap().unwrap()
    }

    fn read(&self, after: u64, wait: Duration) -> Vec<(u64, Vec<u8>)> {
        let read = Read {
            stream: Stream::Saves,
            subject: "save.1".to_owned(),
            after,
            most: 10,
            wait,
        };
        let (send, answer) = channel();
        self.0
            .read(read, Box::new(move |answer| send.send(answer).unwrap()));
        let found: Vec<Message> = answer.recv().unwrap().unwrap();
        found
            .into_iter()
            .map(|message| (message.seq, message.body))
            .collect()
    }

    fn purge(&self, before: u64) {
        let (send, answer) = channel();
        let done = Box::new(move |answer| send.send(answer).unwrap());
        self.0
            .purge(Stream::Saves, "save.1".to_owned(), before, done);
        answer.recv().unwrap().unwrap();
    }
}

fn does_what_a_store_does(store: Arc<dyn Store>) {
    let store = Waiting(store);
    assert_eq!(store.last(), None);
    let first = store.append(Some("a"), Some(0), b"one").unwrap();
    assert_eq!(
        store.append(Some("b"), Some(0), b"two"),
        Err(StoreError::Stale)
    );
    let second = store.append(Some("b"), Some(first), b"two").unwrap();
    assert!(second > first);
    assert_eq!(
        store.append(Some("b"), None, b"again"),
        Ok(second),
        "it is there already"
    );
    let last = store.last().unwrap();
    assert_eq!(
        (last.seq, last.id.as_deref(), &*last.body),
        (second, Some("b"), &b"two"[..])
    );
    let both = vec![(first, b"one".to_vec()), (second, b"two".to_vec())];
    assert_eq!(store.read(0, Duration::ZERO), both);
    let wait = Duration::from_secs(5);
    assert_eq!(store.read(0, wait), both);
    assert_eq!(store.read(first, wait), both[1..]);
    store.purge(second);
    assert_eq!(store.read(0, Duration::ZERO), both[1..]);
    assert_eq!(store.read(second, Duration::ZERO), []);
    let third = store.append(None, Some(second), b"three").unwrap();
    assert_eq!(store.read(second, wait), [(third, b"three".to_vec())]);
    let large = vec![7; (1 << 20) + 1];
    assert!(matches!(
        store.append(None, None, &large),
        Err(StoreError::Refused(_))
    ));
    let many: Vec<_> = (0..25)
        .map(|n| store.append(None, None, &[n]).unwrap())
        .collect();
    let mut after = third;
    let mut read = Vec::new();
    while read.len() < 25 {
        let some = store.read(after, wait);
        after = some.last().unwrap().0;
        read.extend(some.into_iter().map(|(seq, _)| seq));
    }
    assert_eq!(read, many);
}

#[test]
fn memory_does_what_a_store_does() {
    does_what_a_store_does(Arc::new(Memory::new()));
}

#[test]
fn one_server_does_what_a_store_does() {
    if let Some(servers) = Servers::start(1) {
        let fleet = Fleet::<Nobody>::connect(&servers.urls(), Config::new("world"));
        let fleet = fleet.wait(Duration::from_secs(20)).unwrap();
        does_what_a_store_does(fleet.store().clone());
    }
}

#[test]
fn three_servers_do_what_a_store_does() {
    if let Some(servers) = Servers::start(3) {
        let fleet = Fleet::<Nobody>::connect(&servers.urls(), Config::new("world"));
        let fleet = fleet.wait(Duration::from_secs(20)).unwrap();
        does_what_a_store_does(fleet.store().clone());
    }
}

#[test]
fn connect_refuses_another_number_of_shards_and_bad_names_and_says_who_is_not_there() {
    let connect = |urls: &str, config| {
        let fleet = Fleet::<Nobody>::connect(urls, config).wait(Duration::from_secs(30));
        fleet.map(|_| ()).unwrap_err()
    };
    let name = connect("nats://127.0.0.1:1", Config::new("no name"));
    assert!(
        name.is_invalid() && name.to_string().contains("found `no name`"),
        "{name}"
    );
    let Some(servers) = Servers::start(1) else {
        return;
    };
    let first = Fleet::<Nobody>::connect(&servers.urls(), Config::new("world").shards(8));
    first.wait(Duration::from_secs(20)).unwrap();
    let other = connect(&servers.urls(), Config::new("world").shards(9));
    assert!(
        other
            .to_string()
            .contains("was made with 8 shards in format 1; expected 9"),
        "{other}"
    );
    let existing = Fleet::<Nobody>::connect(&servers.urls(), Config::existing("world"));
    let existing = existing.wait(Duration::from_secs(20)).unwrap();
    assert!(
        existing
            .move_shard(7, None)
            .wait(Duration::from_secs(5))
            .is_ok()
    );
    assert!(
        existing
            .move_shard(8, None)
            .wait(Duration::from_secs(5))
            .is_err()
    );
    let nowhere = connect(&servers.urls(), Config::existing("moon"));
    assert!(nowhere.to_string().contains("no fleet `moon`"), "{nowhere}");
    let nobody = connect("nats://127.0.0.1:1", Config::new("world"));
    assert!(
        nobody.is_unanswered() && nobody.to_string().contains("127.0.0.1:1"),
        "{nobody}"
    );
}
