//! The cost of a port to the game's thread, its traffic, and the time of a search in a recording: `cargo run
//! --release -p bt-live --example figures`, on an idle machine.

use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bt_core::pool::{AgentId, Pool};
use bt_core::prelude::*;
use bt_core::tree::asset::spec::{action, sequence};
use bt_core::{Runner, TreeAsset};
use bt_live::client::Client;
use bt_live::port::{Options, PoolGame, Port, Sources};
use bt_live::protocol::types::*;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// An agent that counts.
#[derive(Agent)]
struct Ant {
    steps: u32,
}

#[agent]
impl Ant {
    #[action]
    fn step(&mut self) {
        self.steps += 1;
    }
}

struct Game {
    pool: Pool<Ant>,
    port: Port,
    sources: Sources<Ant>,
    now: Duration,
    _folder: tempfile::TempDir,
}

const FRAME: Duration = Duration::from_micros(16_667);

impl Game {
    /// Ants that step four times and wait for a second; or never wait.
    fn new(ants: usize, waits: bool) -> Game {
        let mut steps = vec![action("step"); 4];
        if waits {
            steps.push(action("wait_for_seconds").arg(1));
        }
        let walk = TreeAsset::build("walk.json", "ant", sequence(steps)).to_json();
        let sources = Sources::new([("walk.json".to_owned(), walk)].into()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let options = Options::new("figures")
            .token_file(folder.path().join("token.json"))
            .recordings(folder.path());
        let mut game = Game {
            pool: Pool::new(),
            port: Port::open(options).unwrap(),
            sources,
            now: Duration::ZERO,
            _folder: folder,
        };
        for ant in 0..ants {
            let mut runner = Runner::new(game.sources.trees(), "walk.json").unwrap();
            runner.start();
            game.pool.spawn(Ant { steps: 0 }, runner);
            // A sixtieth begins in each frame.
            if waits && ant % (ants / 60).max(1) == 0 {
                game.frame();
            }
        }
        game
    }

    /// A frame; how long the game's thread worked.
    fn frame(&mut self) -> u64 {
        self.now += FRAME;
        let before = Instant::now();
        self.pool.poll(self.now);
        self.port
            .poll(&mut PoolGame::new(&mut self.pool, &mut ()).sources(&mut self.sources));
        before.elapsed().as_nanos() as u64
    }

    /// Plays while something else happens on another thread.
    fn play<T: Send>(&mut self, other: impl FnOnce() -> T + Send) -> T {
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            let other = scope.spawn(|| {
                let result = other();
                is_done.store(true, Ordering::Release);
                result
            });
            while !is_done.load(Ordering::Acquire) {
                self.frame();
                thread::sleep(Duration::from_millis(1));
            }
            other.join().unwrap()
        })
    }
}

fn id(ant: u32) -> String {
    AgentId::from((ant, 1)).to_bits().to_string()
}

/// A time that a tenth of all frames keep within: what else the machine does disturbs the others.
fn undisturbed(mut times: Vec<u64>) -> u64 {
    times.sort_unstable();
    times[times.len() / 10]
}

/// 100,000 agents, of which one client follows 100, and one stands at a breakpoint.
fn frames() {
    let mut game = Game::new(100_000, true);
    let token = game.port.token_file().to_owned();
    let mut client = game.play(|| Client::attach(token).unwrap());
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for _ in 0..20 {
        without.extend((0..60).map(|_| game.frame()));
        let mut watching = client;
        watching = game.play(move || {
            for ant in 0..100 {
                watching
                    .call(Follow {
                        agent: id(ant),
                        recorded: false,
                    })
                    .unwrap();
            }
            let breakpoint = BreakpointSpec {
                on: "enter".to_owned(),
                tree: Some("walk.json".to_owned()),
                idx: Some(2),
                agents: Some(vec![id(50_000)]),
                ..BreakpointSpec::default()
            };
            let breakpoints = vec![breakpoint];
            watching
                .call(SetBreakpoints {
                    breakpoints,
                    stop_all: false,
                })
                .unwrap();
            watching
        });
        let is_over = Arc::new(AtomicBool::new(false));
        let ends = is_over.clone();
        let reader = thread::spawn(move || {
            while !ends.load(Ordering::Relaxed) {
                watching.next(Duration::from_millis(5)).unwrap();
            }
            watching
        });
        with.extend((0..60).map(|_| {
            let time = game.frame();
            thread::sleep(Duration::from_millis(2));
            time
        }));
        is_over.store(true, Ordering::Relaxed);
        let mut watching = reader.join().unwrap();
        client = game.play(move || {
            for ant in 0..100 {
                watching.call(Unfollow { agent: id(ant) }).unwrap();
            }
            let (breakpoints, stop_all) = (Vec::new(), false);
            watching
                .call(SetBreakpoints {
                    breakpoints,
                    stop_all,
                })
                .unwrap();
            for stop in watching.call(ListStops {}).unwrap().stops {
                let (agent, number) = (stop.agent, stop.number);
                let step = "continue".to_owned();
                let (tree, idx) = (None, None);
                watching
                    .call(Step {
                        agent,
                        number,
                        step,
                        tree,
                        idx,
                    })
                    .unwrap();
            }
            watching
        });
    }
    let (without, with) = (undisturbed(without), undisturbed(with));
    println!(
        "100,000 agents, a frame on the game's thread: {:.3} ms unwatched, {:.3} ms with 100 followed and one stopped: {:+.1} %",
        without as f64 / 1e6,
        with as f64 / 1e6,
        (with as f64 / without as f64 - 1.0) * 100.0
    );
}

/// A connection that counts records and does not read them.
fn open(port: &Port) -> WebSocket<TcpStream> {
    let url = port.url();
    let (address, token) = url.split_once('#').unwrap();
    let mut request = address.into_client_request().unwrap();
    let bearer = format!("Bearer {token}").parse().unwrap();
    request.headers_mut().insert("authorization", bearer);
    let host = address.strip_prefix("ws://").unwrap();
    let stream = TcpStream::connect(host.trim_end_matches('/')).unwrap();
    tungstenite::client::client(request, stream).unwrap().0
}

/// The number of items of an array, from its first bytes.
fn items(bytes: &[u8]) -> u64 {
    match bytes {
        [0xdd, a, b, c, d, ..] => u64::from(u32::from_be_bytes([*a, *b, *c, *d])),
        [0xdc, a, b, ..] => u64::from(u16::from_be_bytes([*a, *b])),
        [first, ..] => u64::from(first & 0x0f),
        [] => 0,
    }
}

/// Records of agents that never rest, to a client that reads them all.
fn records() {
    let mut game = Game::new(200, false);
    let untraced = undisturbed((0..500).map(|_| game.frame()).collect());
    let mut socket = open(&game.port);
    socket = game.play(move || {
        for ant in 0..200 {
            let request = format!(
                r#"{{"jsonrpc":"2.0","id":{ant},"method":"agent.follow","params":{{"agent":"{}"}}}}"#,
                id(ant)
            );
            socket.send(Message::text(request)).unwrap();
        }
        socket
    });
    let received = Arc::new(AtomicU64::new(0));
    let count = received.clone();
    thread::spawn(move || {
        while let Ok(message) = socket.read() {
            if let Message::Binary(bytes) = message {
                count.fetch_add(items(&bytes) - 1, Ordering::Relaxed);
            }
        }
    });
    for _ in 0..100 {
        game.frame();
    }
    let before = (game.port.statistics(), received.load(Ordering::Relaxed));
    let began = Instant::now();
    let mut traced = Vec::new();
    while began.elapsed() < Duration::from_secs(5) {
        traced.push(game.frame());
    }
    let frames = traced.len() as u64;
    let time = began.elapsed().as_secs_f64();
    let after = (game.port.statistics(), received.load(Ordering::Relaxed));
    let sent = after.0.records - before.0.records;
    let dropped = after.0.dropped - before.0.dropped;
    let each = sent + dropped;
    let cost = undisturbed(traced).saturating_sub(untraced) as f64 / (each as f64 / frames as f64);
    println!(
        "a record on the wire: {cost:.0} ns of the game's thread, {:.0} bytes",
        (after.0.bytes - before.0.bytes) as f64 / sent.max(1) as f64
    );
    println!(
        "to one client on loopback: {:.2} million records a second received, {:.2} million dropped",
        (after.1 - before.1) as f64 / time / 1e6,
        dropped as f64 / time / 1e6
    );
}

/// A recording of a million records, and pictures of random times.
fn seeks() {
    let mut game = Game::new(10, false);
    let token = game.port.token_file().to_owned();
    let folder = token.parent().unwrap().to_owned();
    let name = "million.btrec".to_owned();
    let start = StartRecording {
        name: name.clone(),
        agents: (0..10).map(id).collect(),
        keep: false,
    };
    let mut client = game.play(|| {
        let mut client = Client::attach(token).unwrap();
        client.call(start).unwrap();
        client
    });
    // Nothing is known of the time before the first record.
    game.frame();
    let begin = u64::try_from(game.now.as_nanos()).unwrap();
    while game.port.statistics().records < 1_000_000 {
        game.frame();
    }
    let path = folder.join(&name);
    let entry = game.play(move || client.call(StopRecording { name }).unwrap());
    let began = Instant::now();
    let mut recording = Client::open(path).unwrap();
    let opened = began.elapsed();
    let records = recording.call(GetStatistics {}).unwrap().records;
    let end = u64::try_from(game.now.as_nanos()).unwrap();
    let mut times: Vec<u128> = (0..200_u64)
        .map(|round| {
            let began = Instant::now();
            let agent = id((round % 10) as u32);
            let at = Some(begin + (end - begin) / 200 * round);
            recording.call(GetPicture { agent, at }).unwrap();
            began.elapsed().as_micros()
        })
        .collect();
    times.sort_unstable();
    println!(
        "a recording of {records} records, {} bytes a record: opened in {opened:.1?}; a picture of any time in {} µs (median), {} µs (longest of 200)",
        entry.bytes / records.max(1),
        times[100],
        times[199]
    );
}

fn main() {
    frames();
    records();
    seeks();
}
