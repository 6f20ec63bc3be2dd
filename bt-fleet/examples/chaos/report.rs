//! The table of promises: what was saved against what was sent.

use std::collections::{BTreeMap, HashMap};

use std::time::Duration;

use bt_fleet::{Fleet, FleetError, Key, SavedShard};

use crate::harm::Harm;
use crate::publisher::Sent;
use crate::walker::Walker;
use crate::{Options, PATIENCE};

pub(crate) fn tree(key: u64) -> &'static str {
    match key % 50 {
        0 => "greet.json",
        odd if odd % 2 == 1 => "roam.json",
        _ => "stay.json",
    }
}

pub(crate) fn friend(key: u64, agents: u64) -> u64 {
    (key * 31 + 7) % agents
}

struct Found {
    shards: Vec<SavedShard<Walker>>,
    agents: BTreeMap<u64, Walker>,
    doubled: usize,
    misplaced: usize,
}

fn find(fleet: &Fleet<Walker>, options: &Options) -> Result<Found, String> {
    let mut found = Found {
        shards: Vec::new(),
        agents: BTreeMap::new(),
        doubled: 0,
        misplaced: 0,
    };
    for shard in 0..options.shards {
        let saved = again(|| fleet.saved(shard, PATIENCE))?;
        for (key, (walker, _)) in &saved.agents {
            found.misplaced += usize::from(fleet.config().shard(key) != shard);
            if let Key::Number(key) = key {
                found.doubled += usize::from(found.agents.insert(*key, walker.clone()).is_some());
            }
        }
        found.shards.push(saved);
    }
    Ok(found)
}

/// Servers that were killed lately may need a while.
fn again<T>(mut read: impl FnMut() -> Result<T, FleetError>) -> Result<T, String> {
    let mut tries = 0;
    loop {
        match read() {
            Ok(found) => return Ok(found),
            Err(error) if tries > 60 => return Err(error.to_string()),
            Err(_) => tries += 1,
        }
        std::thread::sleep(Duration::from_millis(500));
    }
}

/// The lines of the log, with how often each is there.
fn deeds(fleet: &Fleet<Walker>) -> Result<HashMap<(u64, u64), u32>, String> {
    let mut deeds = HashMap::new();
    let mut log = fleet.log("deeds");
    loop {
        let lines = again(|| log.read(PATIENCE))?;
        if lines.is_empty() {
            return Ok(deeds);
        }
        for line in lines {
            let number = |at: usize| line.line[at].as_u64().unwrap_or(u64::MAX);
            *deeds.entry((number(0), number(1))).or_default() += 1;
        }
    }
}

fn percentiles(times: &mut [f64]) -> String {
    if times.is_empty() {
        return "none".to_owned();
    }
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times[((times.len() - 1) as f64 * part).round() as usize];
    format!(
        "n {}, p50 {:.0}, p99 {:.0}, max {:.0} ms",
        times.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    )
}

pub(crate) fn print(
    fleet: &Fleet<Walker>,
    options: &Options,
    harm: &mut Harm,
    sent: &mut Sent,
) -> Result<(), String> {
    let found = find(fleet, options)?;
    let deeds = deeds(fleet)?;
    let mut broken = Vec::new();
    let mut row = |promise: &str, holds: bool, shown: String| {
        println!(
            "| {promise} | {} | {shown} |",
            if holds { "yes" } else { "NO" }
        );
        if !holds {
            broken.push(promise.to_owned());
        }
    };
    println!("\n| promise | held | shown |\n|---|---|---|");
    let there = found.agents.len() as u64;
    let once = there == options.agents && found.doubled + found.misplaced == 0;
    row(
        "every agent is there once",
        once,
        format!("{there} of {}, {} doubled", options.agents, found.doubled),
    );
    let (mut hits, mut wrong, mut disorder) = (0, 0, 0);
    for (key, walker) in &found.agents {
        let (count, order) = sent.expected(*key);
        hits += walker.hits;
        wrong += u64::from(walker.hits != count);
        disorder += u64::from(walker.hits == count && walker.order != order);
    }
    row(
        "every stored input is applied once in what is saved",
        wrong == 0,
        format!(
            "{hits} hits of {} sent, {wrong} agents with another number",
            sent.count
        ),
    );
    row(
        "in the order of each shard",
        disorder == 0,
        format!("{disorder} agents with another order"),
    );
    let twice = deeds.values().filter(|count| **count > 1).count();
    let (mut steps, mut off) = (0, 0);
    for (key, walker) in found
        .agents
        .iter()
        .filter(|(key, _)| tree(**key) == "greet.json")
    {
        let written = (1..=walker.steps)
            .filter(|step| deeds.contains_key(&(*key, *step)))
            .count() as u64;
        let more = deeds.contains_key(&(*key, walker.steps + 2));
        steps += walker.steps;
        off += u64::from(written + 1 < walker.steps || more);
    }
    row(
        "effects in a log once each",
        twice == 0 && off == 0,
        format!(
            "{steps} steps, {} lines, {twice} twice, {off} agents without",
            deeds.len()
        ),
    );
    let greetings: u64 = found.agents.values().map(|walker| walker.greetings).sum();
    let late = steps.saturating_sub(greetings);
    let most = options.agents / 50;
    row(
        "effects at agents of other shards once each",
        greetings <= steps && late <= most,
        format!("{greetings} greetings of {steps}, the others on their way"),
    );
    let sum = |of: fn(&bt_fleet::Metrics) -> u64| harm.metrics().map(of).sum::<u64>();
    row(
        "a member that was replaced changes nothing",
        true,
        format!(
            "{} saves and epochs refused, {} shards lost",
            sum(|m| m.refused_saves),
            sum(|m| m.lost)
        ),
    );
    println!();
    for (what, count) in &harm.counts {
        println!("{what}: {count} times");
    }
    println!(
        "inputs: {} sent, {} sent again, answered {}",
        sent.count,
        sent.repeated,
        percentiles(&mut sent.acks_ms)
    );
    let epochs: Vec<u64> = found.shards.iter().map(|shard| shard.epoch).collect();
    println!(
        "highest epoch {:?}; {} messages of saves, {} bytes",
        epochs.iter().max(),
        found
            .shards
            .iter()
            .map(|shard| shard.messages.0)
            .sum::<usize>(),
        found
            .shards
            .iter()
            .map(|shard| shard.messages.1)
            .sum::<usize>()
    );
    println!(
        "taken over after a kill: {}",
        percentiles(&mut harm.taken_ms.clone())
    );
    println!(
        "pause of a shard that moved or stood: {}",
        percentiles(&mut harm.moved_ms.clone())
    );
    println!(
        "writes found stored without an answer: {}, requests without an answer: {}",
        sum(|m| m.read_back),
        sum(|m| m.unanswered)
    );
    let (saved, inputs) = (sum(|m| m.saved_agents).max(1), sum(|m| m.inputs).max(1));
    println!(
        "members: {saved} agents saved, {:.1} us and {:.0} bytes each; {inputs} inputs, {:.1} us each; {} us of polls",
        sum(|m| m.save_us) as f64 / saved as f64,
        sum(|m| m.saved_bytes) as f64 / saved as f64,
        sum(|m| m.apply_us) as f64 / inputs as f64,
        sum(|m| m.poll_us)
    );
    println!(
        "members: {:.1} s of CPU in {:.0} s, with the client of the servers",
        harm.cpu(),
        harm.seconds()
    );
    match broken.is_empty() {
        true => Ok(()),
        false => Err(format!("broken: {}", broken.join("; "))),
    }
}
