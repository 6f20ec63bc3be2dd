//! `bt-meta fleet`: who is in a fleet of machines, and who has which shard.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use bt_core::builtin::ActionAgent;
use bt_fleet::status::{MemberStatus, Phase, Status};
use bt_fleet::{Config, FleetError, Key};
use clap::{Args, Subcommand};

use super::print::print;
use crate::error::Error;

/// The agents are the members' own: here they are only counted.
type Fleet = bt_fleet::Fleet<ActionAgent>;

/// The time that servers have for an answer.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Debug, Args)]
pub(super) struct Wanted {
    #[command(subcommand)]
    command: Command,
    /// The addresses of the NATS servers, with commas between them
    #[arg(
        long,
        global = true,
        default_value = "nats://127.0.0.1:4222",
        value_name = "URLS"
    )]
    servers: String,
    /// The name of the fleet
    #[arg(long, global = true, default_value = "world")]
    fleet: String,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print the members, with what they have done, and who has which shard
    Status {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the shard of an agent, who has it, and that member's debug port
    Find {
        /// The agent's key; a number is a key that is a number
        key: String,
    },
    /// Move a shard to a member, which keeps it while it lives
    Move {
        /// The number of the shard
        shard: u32,
        /// The name of the member; without one the fleet decides again
        member: Option<String>,
    },
    /// Have a member hand all its shards over, and wait until it has none
    Drain {
        /// The name of the member
        member: String,
        /// The most seconds to wait
        #[arg(long, default_value_t = 60)]
        wait: u64,
    },
    /// Print what changes: members that come, are silent and leave, shards that move
    Watch {
        /// The seconds between two looks
        #[arg(long, default_value_t = 1.0)]
        every: f64,
    },
}

fn failed(error: FleetError) -> Error {
    Error::failure(error.to_string())
}

pub(super) fn run(wanted: &Wanted) -> Result<(), Error> {
    let fleet = Fleet::connect(&wanted.servers, Config::existing(&wanted.fleet));
    let fleet = fleet.wait(PATIENCE).map_err(failed)?;
    let status = || fleet.status(PATIENCE).map_err(failed);
    match &wanted.command {
        Command::Status { json: true } => {
            let text = serde_json::to_string_pretty(&status()?);
            print(&(text.map_err(|error| Error::failure(error.to_string()))? + "\n"))
        }
        Command::Status { json: false } => print(&table(&fleet, &status()?)),
        Command::Find { key } => find(&fleet, &status()?, key),
        Command::Move { shard, member } => {
            let status = status()?;
            if let Some(name) = member {
                known(&status, name)?;
            }
            let moved = fleet.move_shard(*shard, member.as_deref());
            moved.wait(PATIENCE).map(|_| ()).map_err(failed)
        }
        Command::Drain { member, wait } => drain(&fleet, member, Duration::from_secs(*wait)),
        Command::Watch { every } => {
            watch(&fleet, Duration::from_secs_f64(every.clamp(0.1, 3600.0)))
        }
    }
}

fn known<'s>(status: &'s Status, name: &str) -> Result<&'s MemberStatus, Error> {
    let names: Vec<_> = status.members.keys().map(String::as_str).collect();
    let member = status.members.get(name);
    member.ok_or_else(|| {
        let there = match names.is_empty() {
            true => "there is none".to_owned(),
            false => format!("there are `{}`", names.join("`, `")),
        };
        Error::failure(format!("there is no member `{name}`; {there}"))
    })
}

fn table(fleet: &Fleet, status: &Status) -> String {
    let mut text = String::new();
    let shards = fleet.config().shard_count();
    let owned = status.shards.values().flatten().count();
    _ = writeln!(text, "{owned} of {shards} shards have an owner");
    if let Some(version) = status.trees {
        _ = writeln!(text, "trees of version {version} are published");
    }
    for (name, member) in &status.members {
        let own = status
            .shards
            .iter()
            .filter(|(_, owner)| owner.as_ref() == Some(name));
        let own: Vec<_> = own.map(|(shard, _)| shard.to_string()).collect();
        let phase = phase(member.phase);
        let metrics = &member.metrics;
        _ = writeln!(
            text,
            "{name}: {phase}, {} agents, trees of version {}",
            member.agents, member.version
        );
        _ = writeln!(
            text,
            "  shards: {}",
            if own.is_empty() {
                "none".to_owned()
            } else {
                own.join(" ")
            }
        );
        _ = writeln!(
            text,
            "  inputs {}, refused {}; saves {}, refused {}, unanswered requests {}; shards taken {}, handed over {}, lost {}",
            metrics.inputs,
            metrics.refused_inputs,
            metrics.saves,
            metrics.refused_saves,
            metrics.unanswered,
            metrics.taken,
            metrics.handed,
            metrics.lost,
        );
        if let Some(port) = &member.port {
            _ = writeln!(text, "  debug port: {port}");
        }
    }
    for (shard, member) in &status.moved {
        _ = writeln!(text, "shard {shard} was moved to {member}");
    }
    text
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Active => "active",
        Phase::Draining => "draining",
        Phase::Left => "left",
    }
}

fn find(fleet: &Fleet, status: &Status, key: &str) -> Result<(), Error> {
    let key = key.parse().map_or_else(|_| Key::from(key), Key::Number);
    let shard = fleet.config().shard(&key);
    let owner = status.shards.get(&shard).and_then(Option::as_ref);
    let Some(owner) = owner else {
        return Err(Error::failure(format!(
            "`{key}` is of shard {shard}, which has no owner now"
        )));
    };
    let port = status
        .members
        .get(owner)
        .and_then(|member| member.port.as_ref());
    let port = port.map_or("it has no debug port".to_owned(), |port| {
        format!("its debug port is {port}")
    });
    print(&format!(
        "`{key}` is of shard {shard}, which {owner} has; {port}\n"
    ))
}

fn drain(fleet: &Fleet, name: &str, most: Duration) -> Result<(), Error> {
    let status = fleet.status(PATIENCE).map_err(failed)?;
    known(&status, name)?;
    fleet.drain(name).wait(PATIENCE).map_err(failed)?;
    let end = Instant::now() + most;
    while Instant::now() < end {
        let status = fleet.status(PATIENCE).map_err(failed)?;
        if known(&status, name)?.phase == Phase::Left {
            return print(&format!("{name} has no shards any more\n"));
        }
        thread::sleep(Duration::from_millis(300));
    }
    Err(Error::failure(format!(
        "{name} still has shards after {} s: does it run, and is there another member that can take them?",
        most.as_secs()
    )))
}

fn watch(fleet: &Fleet, every: Duration) -> Result<(), Error> {
    let mut before = fleet.status(PATIENCE).map_err(failed)?;
    print(&table(fleet, &before))?;
    let mut silent: BTreeMap<String, Instant> = BTreeMap::new();
    loop {
        thread::sleep(every);
        let now = match fleet.status(PATIENCE) {
            Ok(now) => now,
            Err(error) => {
                print(&format!("{error}\n"))?;
                continue;
            }
        };
        print(&changes(&before, &now, &mut silent))?;
        before = now;
    }
}

fn changes(before: &Status, now: &Status, silent: &mut BTreeMap<String, Instant>) -> String {
    let mut text = String::new();
    for (name, member) in &now.members {
        let was = before.members.get(name);
        if was.map(|was| was.phase) != Some(member.phase) {
            _ = writeln!(text, "{name}: {}", phase(member.phase));
        }
        let renews = was.is_none_or(|was| was.renewal != member.renewal);
        if renews || member.phase == Phase::Left {
            if silent
                .remove(name)
                .is_some_and(|since| since.elapsed() > Duration::from_secs(5))
            {
                _ = writeln!(text, "{name}: renews its lease again");
            }
        } else if let Some(since) = silent.get(name) {
            let seconds = since.elapsed().as_secs();
            if seconds > 0 && seconds.is_multiple_of(5) {
                _ = writeln!(text, "{name}: silent for {seconds} s");
            }
        } else {
            silent.insert(name.clone(), Instant::now());
        }
    }
    for (shard, owner) in &now.shards {
        let was = before.shards.get(shard).and_then(Option::as_deref);
        let owner = owner.as_deref();
        if was != owner {
            let nobody = "nobody";
            _ = writeln!(
                text,
                "shard {shard}: {} -> {}",
                was.unwrap_or(nobody),
                owner.unwrap_or(nobody)
            );
        }
    }
    text
}
