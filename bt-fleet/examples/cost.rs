//! The cost of a fleet beside one pool: the same agents and inputs, on one thread, on a clock of its own.
//!
//! ```sh
//! cargo run --release -p bt-fleet --example cost
//! ```
//!
//! The store is the one in memory, so servers and the network are not in it. Options: the number of agents, inputs a
//! second, and seconds (100000 2000 20).

#[path = "chaos/walker.rs"]
#[allow(dead_code, reason = "the chaos program needs more of it")]
mod walker;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bt_core::pool::Pool;
use bt_core::{Random, Runner};
use bt_fleet::store::{Memory, Stream};
use bt_fleet::{Config, Fleet, Key, Member, Metrics};
use serde_json::json;

use walker::Walker;

const STEP: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(1);

struct Load {
    agents: u64,
    rate: u64,
    seconds: u64,
}

fn tree(key: u64) -> &'static str {
    if key.is_multiple_of(2) {
        "stay.json"
    } else {
        "roam.json"
    }
}

fn main() {
    let numbers: Vec<u64> = std::env::args()
        .skip(1)
        .filter_map(|arg| arg.parse().ok())
        .collect();
    let number = |at: usize, other| numbers.get(at).copied().unwrap_or(other);
    let load = Load {
        agents: number(0, 100_000),
        rate: number(1, 2_000),
        seconds: number(2, 20),
    };
    let Load {
        agents,
        rate,
        seconds,
    } = load;
    println!(
        "{agents} agents, {rate} inputs a second, {seconds} s, rounds of 20 ms, saves every second\n"
    );
    println!(
        "| | us an input, in all | applied | polls | saves | us and bytes a saved agent | agents a save |"
    );
    println!("|---|---|---|---|---|---|---|");
    pool(&load);
    for members in [1, 2, 4] {
        fleet(&load, members);
    }
}

/// One pool, whose agents are hit as often.
fn pool(load: &Load) {
    let trees = walker::trees();
    let mut pool = Pool::new();
    let mut ids = HashMap::new();
    for key in 0..load.agents {
        let mut runner = Runner::new(&trees, tree(key)).expect("the tree is there");
        runner.start();
        let walker = walker::spawn(&Key::from(key), &json!(null)).expect("it can be made");
        ids.insert(key, pool.spawn(walker, runner));
    }
    let mut random = Random::new(3);
    let mut now = Duration::ZERO;
    pool.poll(now);
    let (mut inputs, mut polls, mut fires) = (0, Duration::ZERO, Duration::ZERO);
    while now < Duration::from_secs(load.seconds) {
        now += STEP;
        let begin = Instant::now();
        for _ in 0..load.rate / 50 {
            inputs += 1;
            let id = ids[&(random.int(0..=load.agents as i64 - 1) as u64)];
            let event = Walker::hit(inputs);
            if let Some((walker, _)) = pool.get_mut(id) {
                walker::heard(&Key::from(0), walker, &event);
            }
            pool.fire(id, event);
        }
        let fired = Instant::now();
        pool.poll(now);
        fires += fired - begin;
        polls += fired.elapsed();
    }
    let each = |time: Duration| time.as_secs_f64() * 1e6 / inputs as f64;
    println!(
        "| one pool | {:.1} | {:.1} | {:.1} | | | |",
        each(fires + polls),
        each(fires),
        each(polls)
    );
}

fn fleet(load: &Load, members: usize) {
    let clock = Arc::new(AtomicU64::new(0));
    let of = clock.clone();
    let config =
        Config::new("cost").clock(move || Duration::from_nanos(of.load(Ordering::Relaxed)));
    let memory = Memory::new();
    let fleet = Fleet::<Walker>::with_store(Arc::new(memory.clone()), config);
    let mut all: Vec<Member<Walker>> = (0..members)
        .map(|number| {
            let builder = fleet.member(&format!("host-{number}")).spawn(walker::spawn);
            let member = builder.heard(walker::heard).start(walker::trees(), 1);
            member.expect("it can start")
        })
        .collect();
    let mut now = Duration::ZERO;
    let mut step = |all: &mut Vec<Member<Walker>>| {
        now += STEP;
        clock.store(now.as_nanos() as u64, Ordering::Relaxed);
        let begin = Instant::now();
        for member in all {
            member.round(now, &mut ());
        }
        begin.elapsed()
    };
    (0..600).for_each(|_| _ = step(&mut all));
    for key in 0..load.agents {
        fleet
            .spawn(key, tree(key), json!(null))
            .wait(PATIENCE)
            .expect("it is stored");
    }
    while all.iter().map(Member::len).sum::<usize>() < load.agents as usize {
        step(&mut all);
    }
    // Saved, and their waits spread.
    (0..600).for_each(|_| _ = step(&mut all));
    let before = sum(&all);
    let mut random = Random::new(3);
    let (mut inputs, mut rounds) = (0, Duration::ZERO);
    for _ in 0..load.seconds * 50 {
        for _ in 0..load.rate / 50 {
            inputs += 1;
            let key = random.int(0..=load.agents as i64 - 1) as u64;
            fleet
                .fire(key, Walker::hit(inputs))
                .wait(PATIENCE)
                .expect("it is stored");
        }
        rounds += step(&mut all);
    }
    let after = sum(&all);
    let each = |of: fn(&Metrics) -> u64| (of(&after) - of(&before)) as f64 / inputs as f64;
    let agents = (after.saved_agents - before.saved_agents) as f64;
    let saves = (after.saves - before.saves) as f64;
    println!(
        "| {members} members | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} us, {:.0} bytes | {:.0} |",
        rounds.as_secs_f64() * 1e6 / inputs as f64,
        each(|metrics| metrics.apply_us),
        each(|metrics| metrics.poll_us),
        each(|metrics| metrics.save_us),
        (after.save_us - before.save_us) as f64 / agents,
        (after.saved_bytes - before.saved_bytes) as f64 / agents,
        agents / saves,
    );
    let (messages, bytes) = memory.size(Stream::Saves);
    eprintln!("{members} members: the saves are {messages} messages, {bytes} bytes");
}

fn sum(all: &[Member<Walker>]) -> Metrics {
    let mut sum = Metrics::default();
    for member in all {
        let metrics = member.metrics();
        sum.apply_us += metrics.apply_us;
        sum.poll_us += metrics.poll_us;
        sum.save_us += metrics.save_us;
        sum.saves += metrics.saves;
        sum.saved_agents += metrics.saved_agents;
        sum.saved_bytes += metrics.saved_bytes;
    }
    sum
}
