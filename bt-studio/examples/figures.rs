//! The time to open and search a recording of a million records, and the records a second from a running
//! game: `cargo run --release -p bt-studio --example figures`, on an idle machine.

#[path = "../tests/socket/client.rs"]
#[allow(dead_code)]
mod client;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bt_core::pool::Pool;
use bt_core::prelude::*;
use bt_core::tree::asset::spec::{action, guard, select, sequence};
use bt_core::{Runner, TreeAsset};
use bt_live::port::{Options as PortOptions, PoolGame, Port, Sources};
use bt_live::protocol::types::{StartRecording, StopRecording};
use bt_studio::games::Source;
use bt_studio::http::Server;
use bt_studio::project::agents;
use bt_studio::project::folders::Folders;
use bt_studio::studio::{self, Options};
use client::Client;
use serde_json::{Value, json};

/// An agent that counts.
#[derive(Agent)]
struct Ant {
    #[property]
    steps: u32,
}

#[agent]
impl Ant {
    #[action]
    fn step(&mut self, cx: &mut Context) {
        self.steps += 1;
        cx.set("way", self.steps);
    }

    #[condition]
    fn is_far(&self, least: u32) -> bool {
        self.steps > least
    }
}

const RECORDS: u64 = 1_000_000;

/// An ant on a thread of its own, polled so often; it ends when the flag says so.
fn ant(
    file: &Path,
    folder: &Path,
    pause: Duration,
    ends: Arc<AtomicBool>,
) -> thread::JoinHandle<()> {
    let options = PortOptions::new("figures")
        .token_file(file)
        .recordings(folder);
    let mut port = Port::open(options).unwrap();
    let far = sequence([action("step")]).guard(guard("is_far").arg(4_000_000_000_u32));
    let walk = select([far, sequence(vec![action("step"); 4])]);
    let text = TreeAsset::build("walk.json", "ant", walk).to_json();
    let mut sources = Sources::<Ant>::new([("walk.json".to_owned(), text)].into()).unwrap();
    let run = move || {
        let mut pool = Pool::new();
        let mut runner = Runner::new(sources.trees(), "walk.json").unwrap();
        runner.start();
        pool.spawn(Ant { steps: 0 }, runner);
        let begun = Instant::now();
        while !ends.load(Ordering::Relaxed) {
            pool.poll(begun.elapsed());
            port.poll(&mut PoolGame::new(&mut pool, &mut ()).sources(&mut sources));
            if !pause.is_zero() {
                thread::sleep(pause);
            }
        }
        port.close(&mut PoolGame::new(&mut pool, &mut ()));
    };
    thread::spawn(run)
}

/// A recording of so many records.
fn record(folder: &Path) -> PathBuf {
    let token = folder.join("token.json");
    let ends = Arc::new(AtomicBool::new(false));
    let game = ant(&token, folder, Duration::from_micros(100), ends.clone());
    let mut client = bt_live::client::Client::attach(&token).unwrap();
    let agents = client
        .call(bt_live::protocol::types::ListAgents::default())
        .unwrap();
    let agent = agents.agents[0].id.clone();
    let start = StartRecording {
        name: "ant.btrec".to_owned(),
        agents: vec![agent],
        keep: false,
    };
    client.call(start).unwrap();
    loop {
        thread::sleep(Duration::from_millis(200));
        let statistics = client
            .call(bt_live::protocol::types::GetStatistics {})
            .unwrap();
        if statistics.records >= RECORDS {
            break;
        }
    }
    let name = "ant.btrec".to_owned();
    let entry = client.call(StopRecording { name }).unwrap();
    ends.store(true, Ordering::Relaxed);
    game.join().unwrap();
    println!("a recording of {RECORDS} records: {} MB", entry.bytes >> 20);
    folder.join("ant.btrec")
}

fn studio(folder: &Path, games: Vec<Source>) -> Client {
    let trees = folder.join("trees");
    fs::create_dir_all(&trees).unwrap();
    let studio = studio::start(Options {
        folders: Folders::open(&[trees]).unwrap(),
        source: agents::Source::None,
        read_only: false,
        levels: bt_meta::validate::levels::Levels::default(),
        starts: Vec::new(),
        state: None,
        games,
    });
    let server = Server::bind(0, studio).unwrap();
    let url = server.url();
    thread::spawn(move || server.serve());
    let (address, token) = url.split_once("/#").unwrap();
    let port = address.rsplit(':').next().unwrap().parse().unwrap();
    let mut page = Client::open(port, &[]).unwrap();
    page.call("hello", json!({ "token": token, "protocol": 1 }))
        .unwrap();
    page
}

/// The time that a job takes, in the middle and at most.
fn timed(what: &str, times: usize, mut job: impl FnMut(usize)) {
    let mut all: Vec<Duration> = (0..times)
        .map(|time| {
            let begun = Instant::now();
            job(time);
            begun.elapsed()
        })
        .collect();
    all.sort();
    println!("{what}: {:?}, at most {:?}", all[times / 2], all[times - 1]);
}

/// The id of the game's agent, once it is attached.
fn attached(page: &mut Client) -> Value {
    loop {
        let games = page.call("games.list", json!({})).unwrap();
        if games["sessions"][0]["state"] == "attached" {
            break;
        }
        thread::sleep(Duration::from_millis(5));
    }
    let first = json!({ "session": 1, "from": 0, "count": 1 });
    let table = page.call("game.agents", first).unwrap();
    table["rows"][0]["id"].clone()
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let file = record(folder.path());
    let begun = Instant::now();
    let mut page = studio(folder.path(), vec![Source::Recording(file)]);
    let agent = attached(&mut page);
    let mut of = |method: &str, more: Value| {
        let mut params = json!({ "session": 1, "agent": agent });
        for (key, value) in more.as_object().unwrap() {
            params[key] = value.clone();
        }
        page.call(method, params).unwrap()
    };
    let mut history = of("game.follow", json!({}));
    println!("first rows can be shown after {:?}", begun.elapsed());
    while history["complete"] != true {
        thread::sleep(Duration::from_millis(2));
        history = of("game.follow", json!({}));
    }
    println!(
        "{} records opened in {:?}",
        history["records"],
        begun.elapsed()
    );
    let end = history["records"].as_u64().unwrap();
    let polls = history["polls"].as_u64().unwrap();
    // Everywhere, in no order.
    let place = |time: usize, end: u64| (time as u64 * 7_919_777) % end;
    timed("a moment", 300, |time| {
        drop(of("game.moment", json!({ "at": place(time, end) })))
    });
    timed("the moment before", 300, |time| {
        drop(of("game.moment", json!({ "at": end / 2 - time as u64 })))
    });
    timed("100 rows", 300, |time| {
        drop(of(
            "game.rows",
            json!({ "from": place(time, end), "count": 100 }),
        ))
    });
    timed("100 polls", 300, |time| {
        drop(of(
            "game.polls",
            json!({ "from": place(time, polls), "count": 100 }),
        ))
    });
    timed("a timeline of 1,000 parts", 100, |_| {
        drop(of("game.timeline", json!({ "buckets": 1_000 })))
    });
    timed("who wrote a key", 100, |time| {
        drop(of(
            "game.cause",
            json!({ "at": place(time, end), "key": "way" }),
        ))
    });
    timed("a key that nobody wrote", 100, |_| {
        drop(of("game.cause", json!({ "key": "nobody" })))
    });
    let found = |of: &mut dyn FnMut(&str, Value) -> Value, asked: Value| {
        let begun = Instant::now();
        let filter = of("game.filter", asked)["filter"].clone();
        let mut slowest = Duration::ZERO;
        loop {
            let asked = Instant::now();
            let rows = of("game.rows", json!({ "filter": filter, "count": 100 }));
            slowest = slowest.max(asked.elapsed());
            let again = of("game.follow", json!({}));
            assert!(again["complete"] == true);
            let last = of(
                "game.find",
                json!({ "text": "is entered", "from": end - 1, "back": true }),
            );
            assert!(last["row"].is_object());
            let total = rows["total"].as_u64().unwrap();
            if begun.elapsed() > Duration::from_secs(60) {
                return (total, begun.elapsed(), slowest);
            }
            thread::sleep(Duration::from_millis(20));
            let now = of("game.rows", json!({ "filter": filter, "count": 1 }));
            if now["total"] == total && total > 0 {
                return (total, begun.elapsed(), slowest);
            }
        }
    };
    for asked in [
        json!({ "key": "way" }),
        json!({ "include": ["is entered"] }),
    ] {
        let (total, took, slowest) = found(&mut of, asked.clone());
        println!(
            "the filter {asked} leaves {total} in {took:?}; rows meanwhile in at most {slowest:?}"
        );
    }
    let begun = Instant::now();
    let none = of("game.find", json!({ "text": "no such words", "from": 0 }));
    assert!(none.get("row").is_none());
    println!("a text that is nowhere: {:?}", begun.elapsed());
    drop(page);

    let token = folder.path().join("live.json");
    let ends = Arc::new(AtomicBool::new(false));
    // About 20,000 records a second.
    let game = ant(
        &token,
        folder.path(),
        Duration::from_micros(900),
        ends.clone(),
    );
    let mut page = studio(folder.path(), vec![Source::Game(token)]);
    let agent = attached(&mut page);
    let params = json!({ "session": 1, "agent": agent });
    let before = page.call("game.follow", params.clone()).unwrap();
    let begun = Instant::now();
    let mut slowest = Duration::ZERO;
    while begun.elapsed() < Duration::from_secs(10) {
        page.event("game.progress", |_| true);
        let asked = Instant::now();
        page.call("game.moment", params.clone()).unwrap();
        slowest = slowest.max(asked.elapsed());
    }
    let after = page.call("game.follow", params).unwrap();
    let count =
        |history: &Value| history["first"].as_u64().unwrap() + history["records"].as_u64().unwrap();
    let rate = (count(&after) - count(&before)) as f64 / begun.elapsed().as_secs_f64();
    println!(
        "live: {rate:.0} records a second, {} missed; the newest moment in at most {slowest:?}",
        after["missed"]
    );
    ends.store(true, Ordering::Relaxed);
    game.join().unwrap();
}
