//! Four members in this process, over a store in memory; one of them dies.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bt_fleet::store::Memory;
use bt_fleet::{Config, Fleet, Member};

use crate::town::{self, Citizen};

const STEP: Duration = Duration::from_millis(50);

/// Prints what happens in a minute of the town, which takes a moment.
pub(crate) fn run(citizens: u64) -> Result<(), Box<dyn Error>> {
    let time = Arc::new(AtomicU64::new(0));
    let clock = time.clone();
    let clock = move || Duration::from_nanos(clock.load(Ordering::Relaxed));
    let config = Config::new("town")
        .shards(32)
        .lease(Duration::from_secs(2))
        .clock(clock);
    let fleet = Fleet::<Citizen>::with_store(Arc::new(Memory::new()), config);
    let mut members = Vec::new();
    for number in 0..4 {
        let member = fleet
            .member(&format!("host-{number}"))
            .spawn(town::born)
            .heard(town::heard);
        members.push(member.start(town::trees()?.build()?, 1)?);
    }
    town::settle(&fleet, citizens)?;
    for step in 1..=1200_u64 {
        let now = STEP * step as u32;
        time.store(now.as_nanos() as u64, Ordering::Relaxed);
        for member in &mut members {
            member.round(now, &mut ());
        }
        if step == 600 {
            println!("30 s: host-3 dies.");
            members.truncate(3);
        }
        if step % 200 == 0 {
            println!("{} s: {}", now.as_secs(), summary(&members));
        }
    }
    let (mut there, mut eaten, mut baked) = (0, 0, 0);
    for shard in 0..32 {
        let saved = fleet.saved(shard, Duration::from_secs(1))?;
        there += saved.agents.len();
        eaten += saved
            .agents
            .values()
            .map(|(citizen, _)| citizen.eaten)
            .sum::<u64>();
        baked += saved
            .agents
            .values()
            .map(|(citizen, _)| citizen.baked)
            .sum::<u64>();
    }
    println!("Saved are {there} citizens, {baked} loaves baked, {eaten} eaten.");
    Ok(())
}

fn summary(members: &[Member<Citizen>]) -> String {
    let each = members
        .iter()
        .map(|member| format!("{} {}", member.name(), member.len()));
    let eaten = members
        .iter()
        .flat_map(Member::agents)
        .map(|(_, citizen, _)| citizen.eaten);
    let eaten = eaten.sum::<u64>();
    format!(
        "{}; {eaten} loaves eaten",
        each.collect::<Vec<_>>().join(", ")
    )
}
