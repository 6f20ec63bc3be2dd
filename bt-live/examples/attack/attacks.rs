//! The attacks on the game.

use std::io::Write as _;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use bt_core::TreeAsset;
use bt_core::tree::asset::spec::{action, sequence};
use bt_live::client::{Client, Message as Heard};
use bt_live::protocol::types::*;
use serde_json::{Value, json};
use tungstenite::Message;

use super::game::{AGENTS, BUSY, id};
use super::victim::Victim;

type Attack = fn(&mut Victim) -> String;

/// The time for which what repeats itself does so.
const LONG: Duration = Duration::from_secs(3);

pub(crate) const ATTACKS: &[(&str, Attack)] = &[
    ("nothing", nothing),
    ("breakpoints, 999 and 10,000 agents", many_breakpoints),
    ("breakpoints, changed all the time", changing_breakpoints),
    ("death of a client that froze all", death),
    ("recordings, 333 of them", recordings),
    ("recordings, and the game is killed", killed_recording),
    ("large values, 30 keys of 3.9 MB", large_values),
    ("large values, many items", many_items),
    ("events for an agent that sleeps", events),
    ("subscribers that never read", silent_subscribers),
    ("requests whose answers nobody reads", unread_answers),
    ("requests for all agents", all_agents),
    ("trees of 4 MB, checked and reloaded", large_trees),
    ("trees, ever more of them", many_trees),
    ("garbage and connections", garbage),
];

fn nothing(_: &mut Victim) -> String {
    thread::sleep(LONG);
    "for comparison".to_owned()
}

fn on_enter(idx: u32, agents: Option<Vec<String>>) -> BreakpointSpec {
    BreakpointSpec {
        on: "enter".to_owned(),
        tree: Some("wait.json".to_owned()),
        idx: Some(idx),
        agents,
        ..BreakpointSpec::default()
    }
}

fn all_breakpoints() -> SetBreakpoints {
    let mut breakpoints: Vec<_> = (100..1_099).map(|idx| on_enter(idx, None)).collect();
    breakpoints.push(on_enter(7, Some((0..AGENTS).map(id).collect())));
    SetBreakpoints {
        breakpoints,
        stop_all: false,
    }
}

fn many_breakpoints(victim: &mut Victim) -> String {
    let mut client = victim.client();
    let began = Instant::now();
    let set = client
        .call(all_breakpoints())
        .map(|set| set.breakpoints.len());
    let took = began.elapsed();
    thread::sleep(LONG / 2);
    drop(client);
    thread::sleep(LONG / 2);
    match set {
        Ok(set) => format!("{set} breakpoints, set in {took:.0?}"),
        Err(error) => format!("refused: {error}"),
    }
}

/// Asks for the same again and again; how often that was answered, and refused.
fn repeat(client: &mut Client, method: &str, params: &Value, until: Instant) -> (u32, u32) {
    let (mut done, mut refused) = (0, 0);
    while Instant::now() < until {
        match client.call_by_name(method, params.clone()) {
            Ok(_) => done += 1,
            Err(_) => refused += 1,
        }
    }
    (done, refused)
}

/// Lets several clients do something at once.
fn at_once<T: Send>(clients: Vec<Client>, each: impl Fn(Client) -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let each = &each;
        let threads = clients
            .into_iter()
            .map(|client| scope.spawn(move || each(client)));
        let threads: Vec<_> = threads.collect();
        threads.into_iter().map(|it| it.join().unwrap()).collect()
    })
}

fn clients(victim: &Victim, count: usize) -> Vec<Client> {
    (0..count).map(|_| victim.client()).collect()
}

fn changing_breakpoints(victim: &mut Victim) -> String {
    let until = Instant::now() + LONG;
    let params = serde_json::to_value(all_breakpoints()).unwrap();
    let counts = at_once(clients(victim, 4), |mut client| {
        repeat(&mut client, "breakpoints.set", &params, until)
    });
    let sum = |which: fn(&(u32, u32)) -> u32| counts.iter().map(which).sum::<u32>();
    format!("{} set, {} refused", sum(|it| it.0), sum(|it| it.1))
}

fn death(victim: &mut Victim) -> String {
    let mut client = victim.client();
    let call = |client: &mut Client, method: &str, params: Value| {
        client.call_by_name(method, params).unwrap();
    };
    for ant in 0..500 {
        let agent = id(ant);
        call(&mut client, "agent.break", json!({ "agent": agent }));
        let agent = id(500 + ant);
        call(&mut client, "agent.pause", json!({ "agent": agent }));
    }
    let busy = BreakpointSpec {
        tree: Some("busy.json".to_owned()),
        ..on_enter(3, None)
    };
    let set = SetBreakpoints {
        breakpoints: vec![busy],
        stop_all: true,
    };
    client.call(set).unwrap();
    call(&mut client, "game.speed", json!({ "speed": 0.0 }));
    thread::sleep(Duration::from_millis(500));
    let frozen = victim.held();
    drop(client);
    let began = Instant::now();
    while victim.held() != (1.0, 0) {
        if began.elapsed() > LONG {
            let (speed, held) = victim.held();
            return format!("STILL FROZEN: speed {speed}, {held} agents");
        }
    }
    let took = began.elapsed();
    // What it has asked for does not happen later.
    let mut other = victim.client();
    for ant in 0..500 {
        let params = json!({ "agent": id(ant), "event": "bell", "params": { "loud": 1 } });
        call(&mut other, "agent.fire", params);
    }
    thread::sleep(Duration::from_millis(500));
    let (speed, held) = victim.held();
    format!(
        "speed {} and {} agents frozen; all free after {took:.0?}, and later speed {speed}, {held} frozen",
        frozen.0, frozen.1
    )
}

fn start_recording(name: String) -> StartRecording {
    StartRecording {
        name,
        agents: (BUSY..AGENTS).map(id).collect(),
        keep: false,
    }
}

fn recordings(victim: &mut Victim) -> String {
    let mut client = victim.client();
    let before = victim.threads();
    let starts = (0..333).map(|number| start_recording(format!("{number}.btrec")));
    let started = starts
        .filter(|start| client.call(start.clone()).is_ok())
        .count();
    thread::sleep(LONG);
    let threads = victim.threads();
    drop(client);
    thread::sleep(Duration::from_millis(500));
    let more = match (before, threads) {
        (Some(before), Some(threads)) => threads.saturating_sub(before).to_string(),
        _ => "unknown".to_owned(),
    };
    format!("{started} started, threads more: {more}")
}

fn killed_recording(victim: &mut Victim) -> String {
    let mut client = victim.client();
    // Agents that sleep: a buffer would never be full.
    let start = StartRecording {
        name: "quiet.btrec".to_owned(),
        agents: (0..10).map(id).collect(),
        keep: false,
    };
    client.call(start).unwrap();
    let mut at = (0, 0);
    for second in 0..6 {
        let params = json!({ "agent": id(second), "event": "bell", "params": { "loud": 1 } });
        client.call_by_name("agent.fire", params).unwrap();
        thread::sleep(Duration::from_millis(500));
        at = (at.1, victim.recorded());
    }
    thread::sleep(Duration::from_secs(1));
    let recorded = victim.recorded();
    thread::sleep(Duration::from_millis(1_100));
    let path = victim.folder().join("quiet.btrec");
    victim.kill();
    let mut recording = Client::open(path).unwrap();
    let found = recording.call(GetStatistics {}).unwrap().records;
    format!("{found} of {recorded} records are in the file that were there a second before")
}

/// Writes keys of 3.9 MB; how many were taken.
fn write_large(client: &mut Client, agent: u32, keys: u32) -> u32 {
    let value = "x".repeat(3_900_000);
    let keys =
        (0..keys).map(|key| json!({"agent": id(agent), "key": format!("k{key}"), "value": value}));
    keys.filter(|params| client.call_by_name("agent.set_key", params.clone()).is_ok())
        .count() as u32
}

fn large_values(victim: &mut Victim) -> String {
    let mut client = victim.client();
    let taken = write_large(&mut client, 0, 30);
    let picture = json!({ "agent": id(0) });
    let until = Instant::now() + LONG;
    let longest = at_once(clients(victim, 8), |mut client| {
        let mut longest = 0;
        let follow = json!({ "agent": id(0), "recorded": true });
        client.call_by_name("agent.follow", follow).unwrap();
        while Instant::now() < until {
            for _ in 0..16 {
                client.ask("agent.picture", picture.clone()).unwrap();
            }
            for _ in 0..16 {
                match client.hear(Duration::from_secs(10)).unwrap() {
                    Some(Heard::Answer(_, answer)) => {
                        longest = longest.max(answer.unwrap().to_string().len());
                    }
                    Some(Heard::Records(bytes)) => longest = longest.max(bytes.len()),
                    _ => {}
                }
            }
        }
        longest
    });
    let longest = longest.into_iter().max().unwrap_or(0) >> 10;
    format!("{taken} of 30 keys were written; the longest answer or message has {longest} KiB")
}

fn many_items(victim: &mut Victim) -> String {
    let until = Instant::now() + LONG;
    let set = |items: usize| json!({ "agent": id(1), "key": "list", "value": vec![0; items] });
    let counts = at_once(clients(victim, 8), |mut client| {
        let (done, _) = repeat(&mut client, "agent.set_key", &set(60_000), until);
        let refused = client
            .call_by_name("agent.set_key", set(1_000_000))
            .is_err();
        (done, refused)
    });
    let done: u32 = counts.iter().map(|it| it.0).sum();
    let refused = counts.iter().filter(|it| it.1).count();
    format!("lists of 60,000 written {done} times, of 1,000,000 refused {refused} of 8 times")
}

fn events(victim: &mut Victim) -> String {
    let mut client = victim.client();
    let agent = id(2);
    let pause = json!({ "agent": agent });
    client.call_by_name("agent.pause", pause).unwrap();
    let long = "x".repeat(1_000_000);
    let params = json!({ "agent": agent, "event": "unknown", "params": { "text": long } });
    let until = Instant::now() + LONG;
    let (done, refused) = repeat(&mut client, "agent.fire", &params, until);
    format!("{done} of 1 MB taken, {refused} refused")
}

fn silent_subscribers(victim: &mut Victim) -> String {
    let mut sockets: Vec<_> = (0..8).map(|_| victim.socket()).collect();
    for socket in &mut sockets {
        for ant in (BUSY..AGENTS).chain(0..990) {
            let params = json!({ "agent": id(ant), "recorded": true });
            let request =
                json!({"jsonrpc": "2.0", "id": ant, "method": "agent.follow", "params": params});
            // A socket that takes no more has its requests unanswered.
            if socket.send(Message::text(request.to_string())).is_err() {
                break;
            }
        }
    }
    let mut client = victim.client();
    let until = Instant::now() + LONG;
    let value = "x".repeat(10_000);
    let mut rounds = 0;
    while Instant::now() < until {
        for ant in BUSY..AGENTS {
            let value = format!("{value}{rounds}");
            let params = json!({ "agent": id(ant), "key": "big", "value": value });
            client.call_by_name("agent.set_key", params).unwrap();
        }
        rounds += 1;
    }
    let statistics = client.call(GetStatistics {}).unwrap();
    format!(
        "{} agents followed, {} records sent, {} dropped",
        statistics.followed, statistics.records, statistics.dropped
    )
}

fn unread_answers(victim: &mut Victim) -> String {
    let methods = [
        ("agents.list", json!({ "limit": 1_000 })),
        ("catalogue", json!({})),
        ("agents.states", json!({ "limit": 1_000 })),
        ("hello", json!({})),
    ];
    let mut sockets: Vec<_> = (0..15).map(|_| victim.socket()).collect();
    let mut sent = 0_u64;
    let until = Instant::now() + LONG;
    for (number, (method, params)) in methods.iter().cycle().enumerate() {
        if Instant::now() >= until || sockets.is_empty() {
            break;
        }
        let at = number % sockets.len();
        let request = json!({"jsonrpc": "2.0", "id": number, "method": method, "params": params});
        match sockets[at].send(Message::text(request.to_string())) {
            Ok(()) => sent += 1,
            // It takes no more: that is the limit.
            Err(_) => _ = sockets.swap_remove(at),
        }
    }
    let mut client = victim.client();
    let answered = client.call(GetStatistics {}).unwrap().requests;
    format!(
        "{sent} requests sent, {answered} answered, {} sockets still write",
        sockets.len()
    )
}

fn all_agents(victim: &mut Victim) -> String {
    let until = Instant::now() + LONG;
    let methods = [
        ("profile.start", json!({})),
        ("profile.get", json!({})),
        ("agents.list", json!({ "filter": "no such agent" })),
        ("agents.states", json!({ "limit": 1_000 })),
        ("agents.forced", json!({})),
        ("agents.stopped", json!({})),
        ("trees.report", json!({})),
        ("profile.stop", json!({})),
    ];
    let counts = at_once(clients(victim, 8), |mut client| {
        let mut done = 0;
        for (method, params) in methods.iter().cycle() {
            if Instant::now() >= until {
                return done;
            }
            done += u32::from(client.call_by_name(method, params.clone()).is_ok());
        }
        done
    });
    format!("{} requests were answered", counts.iter().sum::<u32>())
}

/// A tree whose text has some 4 MB.
fn large_tree() -> String {
    let steps = vec![action("step"); 20_000];
    let text = TreeAsset::build("wait.json", "ant", sequence(steps)).to_json();
    // Without what is there for people.
    let tree: Value = serde_json::from_str(&text).unwrap();
    tree.to_string()
}

fn large_trees(victim: &mut Victim) -> String {
    let text = large_tree();
    let until = Instant::now() + LONG;
    let bytes = text.len();
    let params = json!({ "trees": { "wait.json": text } });
    let counts = at_once(clients(victim, 4), |mut client| {
        let mut done = 0;
        while Instant::now() < until {
            for method in ["trees.check", "trees.reload"] {
                done += u32::from(client.call_by_name(method, params.clone()).is_ok());
            }
            done += u32::from(client.tree("wait.json").is_ok());
        }
        done
    });
    let done: u32 = counts.iter().sum();
    format!(
        "{done} requests about a tree of {} KB were answered",
        bytes / 1_000
    )
}

fn many_trees(victim: &mut Victim) -> String {
    let mut client = victim.client();
    let (mut done, mut why) = (0, String::new());
    let until = Instant::now() + LONG;
    // Texts that are no trees cost nothing to build, but are kept only if all are right.
    let text = TreeAsset::build("x.json", "ant", action("step")).to_json();
    let long = text.replacen('{', &format!("{{{}", " ".repeat(3_900_000)), 1);
    while Instant::now() < until && why.is_empty() {
        let params = json!({ "trees": { format!("x{done}.json"): long } });
        match client.call_by_name("trees.reload", params) {
            Ok(_) => done += 1,
            Err(error) => why = error.to_string(),
        }
    }
    format!("{done} of 3.9 MB taken; {why}")
}

fn garbage(victim: &mut Victim) -> String {
    let (host, _) = victim.address();
    let until = Instant::now() + LONG;
    let (mut connections, mut frames) = (0, 0);
    let mut random = bt_core::Random::new(7);
    while Instant::now() < until {
        if let Ok(mut stream) = TcpStream::connect(&host) {
            let bytes: Vec<u8> = (0..2_000).map(|_| random.int(0..=255) as u8).collect();
            _ = stream.write_all(&bytes);
            connections += 1;
        }
        if connections % 50 == 0 {
            let mut socket = victim.socket();
            let texts = [
                "[".repeat(1 << 20),
                "[0,".repeat(1 << 20),
                "x".repeat(5 << 20),
            ];
            for text in texts {
                frames += u32::from(socket.send(Message::text(text)).is_ok());
            }
        }
    }
    victim.client().call(ListAgents::default()).unwrap();
    format!("{connections} connections, {frames} wrong messages; a client is served")
}
