//! Shows what a fleet promises: members and servers are killed, paused and cut off, and then everything is counted.
//!
//! ```sh
//! cargo run --release -p bt-fleet --features nats --example chaos -- --minutes 10
//! ```
//!
//! Four members are processes, three servers run on this machine (`nats-server` from the path or `BT_NATS_SERVER`).
//! A member dies every 5 s, a server every 25 s; now and then one is stopped for longer than its lease, or cut off. One
//! of the four does not look at its lease. It ends with the table of promises, and with 1 if one is broken.
//!
//! Options, each with a number: `--minutes 10`, `--agents 100000`, `--rate 2000` (inputs a second), `--shards 64`,
//! `--seed 1`, `--members 4`, `--servers 3`; `--harm 0` only measures, `--server-kills 0`
//! leaves the servers alone.

mod harm;
mod member;
mod proxy;
mod publisher;
mod report;
#[path = "../../tests/nats/servers.rs"]
mod servers;
mod walker;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bt_fleet::Fleet;
use serde_json::json;

use harm::Harm;
use publisher::Publisher;
use servers::Servers;
use walker::Walker;

/// The options of a run.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    minutes: f64,
    agents: u64,
    rate: u32,
    shards: u32,
    seed: u64,
    members: usize,
    servers: usize,
    harms: bool,
    kills_servers: bool,
}

const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let run = match args.first().map(String::as_str) {
        Some("member") => as_member(&args),
        _ => options(&args).and_then(|options| run(&options)),
    };
    match run {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn as_member(args: &[String]) -> Result<(), String> {
    let [_, url, name, shards, ignores] = args else {
        return Err("expected: member URL NAME SHARDS IGNORES".to_owned());
    };
    let shards = shards.parse().map_err(|_| "SHARDS is a number")?;
    member::run(url, name, shards, ignores == "true")
}

fn options(args: &[String]) -> Result<Options, String> {
    let mut values = BTreeMap::from([
        ("--minutes", 10.0),
        ("--agents", 100_000.0),
        ("--rate", 2_000.0),
        ("--shards", 64.0),
        ("--seed", 1.0),
        ("--members", 4.0),
        ("--servers", 3.0),
        ("--harm", 1.0),
        ("--server-kills", 1.0),
    ]);
    for pair in args.chunks(2) {
        let value = pair.get(1).and_then(|value| value.parse().ok());
        match (values.get_mut(&*pair[0]), value) {
            (Some(there), Some(value)) => *there = value,
            _ => {
                let names: Vec<_> = values.keys().collect();
                return Err(format!(
                    "expected one of {names:?} and a number, found {pair:?}"
                ));
            }
        }
    }
    Ok(Options {
        minutes: values["--minutes"],
        agents: values["--agents"] as u64,
        rate: values["--rate"] as u32,
        shards: values["--shards"] as u32,
        seed: values["--seed"] as u64,
        members: values["--members"] as usize,
        servers: values["--servers"] as usize,
        harms: values["--harm"] > 0.0,
        kills_servers: values["--server-kills"] > 0.0,
    })
}

fn run(options: &Options) -> Result<(), String> {
    println!("{options:?}");
    let servers = Servers::start(options.servers).ok_or("no server, no chaos")?;
    let fleet = Fleet::<Walker>::connect(&servers.urls(), member::config(options.shards));
    let fleet = fleet.wait(PATIENCE).map_err(|error| error.to_string())?;
    let mut harm = Harm::start(servers, options).map_err(|error| error.to_string())?;
    spawn_all(&fleet, options)?;
    harm.wait_for_all(&fleet)?;
    println!("{} agents are there", options.agents);
    harm.measure();
    let publisher = Publisher::start(fleet.clone(), options.agents, options.rate);
    let end = Instant::now() + Duration::from_secs_f64(options.minutes * 60.0);
    while Instant::now() < end {
        harm.go_on(&fleet);
        std::thread::sleep(Duration::from_millis(50));
    }
    harm.recover();
    let mut sent = publisher.stop();
    harm.wait_for_all(&fleet)?;
    // The last saves.
    std::thread::sleep(Duration::from_secs(4));
    report::print(&fleet, options, &mut harm, &mut sent)
}

fn spawn_all(fleet: &Fleet<Walker>, options: &Options) -> Result<(), String> {
    let begin = Instant::now();
    let mut replies = Vec::new();
    for key in 0..options.agents {
        let tree = report::tree(key);
        replies.push(fleet.spawn(key, tree, json!(null)).send());
        if replies.len() >= 5_000 {
            wait(&mut replies)?;
        }
    }
    wait(&mut replies)?;
    let greeters = (0..options.agents).filter(|key| report::tree(*key) == "greet.json");
    for key in greeters {
        replies.push(fleet.write(key, "own", key).send());
        replies.push(
            fleet
                .write(key, "friend", report::friend(key, options.agents))
                .send(),
        );
    }
    wait(&mut replies)?;
    println!("spawned in {:.1} s", begin.elapsed().as_secs_f64());
    Ok(())
}

fn wait(replies: &mut Vec<bt_fleet::Reply<u64>>) -> Result<(), String> {
    for reply in replies.drain(..) {
        reply.wait(PATIENCE).map_err(|error| error.to_string())?;
    }
    Ok(())
}
