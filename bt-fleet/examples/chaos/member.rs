//! A member as a process: it says on its output what happens, for whoever started it.

use std::collections::BTreeSet;
use std::time::{Duration, Instant, SystemTime};

use bt_fleet::{Config, Fleet};

use crate::walker::{self, Walker};

pub(crate) const LEASE: Duration = Duration::from_secs(3);

pub(crate) fn config(shards: u32) -> Config {
    Config::new("chaos").shards(shards).lease(LEASE)
}

/// Milliseconds since 1970, which all processes of a machine agree on.
pub(crate) fn millis() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.unwrap_or_default().as_millis() as u64
}

pub(crate) fn run(url: &str, name: &str, shards: u32, ignores_lease: bool) -> Result<(), String> {
    let fleet = Fleet::<Walker>::connect(url, config(shards)).wait(Duration::from_secs(60));
    let fleet = fleet.map_err(|error| error.to_string())?;
    let mut builder = fleet.member(name).spawn(walker::spawn).heard(walker::heard);
    if ignores_lease {
        builder = builder.ignore_lease();
    }
    let member = builder.start(walker::trees(), 1);
    let mut member = member.map_err(|error| error.to_string())?;
    let start = Instant::now();
    let mut before = BTreeSet::new();
    let mut said = Instant::now();
    loop {
        member.round(start.elapsed(), &mut ());
        let shards: BTreeSet<u32> = member.shards().collect();
        for shard in shards.difference(&before) {
            println!("TAKE {shard} {}", millis());
        }
        for shard in before.difference(&shards) {
            println!("LEFT {shard} {}", millis());
        }
        before = shards;
        if said.elapsed() > Duration::from_secs(1) {
            said = Instant::now();
            let metrics = serde_json::to_string(member.metrics()).unwrap_or_default();
            println!("METRICS {metrics}");
            println!("CPU {}", cpu());
        }
        if member.is_drained() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The seconds of CPU that this process used, as Linux says it in hundredths.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(") ").next().unwrap_or_default();
    let times = after.split(' ').skip(11).take(2);
    times
        .filter_map(|time| time.parse::<f64>().ok())
        .sum::<f64>()
        / 100.0
}
