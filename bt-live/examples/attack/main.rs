//! Attacks that hostile clients can make on a game: each against a real port over loopback, with the longest
//! polls of the port and the memory of the game's process.
//!
//! `cargo run --release -p bt-live --all-features --example attack` takes about a minute. `-- NAME` runs the attacks
//! whose names begin so. The game is a process of its own, which this program starts: what clients need is not counted.

mod attacks;
mod game;
mod victim;

use std::process::ExitCode;

use attacks::ATTACKS;
use victim::Victim;

/// The time that a poll of the port may take in 99 of 100 frames, and the memory that the game may come to
/// need, in MiB.
const P99_MS: f64 = 6.0;
const RSS_MIB: u64 = 500;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let wanted = args.next().unwrap_or_default();
    if wanted == game::AS_GAME {
        game::run(args.next().as_deref().unwrap_or("."));
        return ExitCode::SUCCESS;
    }
    println!(
        "{:<34} {:>7} {:>9} {:>9} {:>9} {:>17}  what came of it",
        "attack", "frames", "p50 ms", "p99 ms", "max ms", "RSS MiB"
    );
    let mut holds = true;
    for (name, attack) in ATTACKS.iter().filter(|(name, _)| name.starts_with(&wanted)) {
        let mut victim = Victim::start();
        let before = victim.rss();
        victim.begin();
        let said = attack(&mut victim);
        let (report, peak) = (victim.report(), victim.peak());
        holds &= report.p99 <= P99_MS && peak.is_none_or(|peak| peak <= RSS_MIB);
        let memory = match (before, peak) {
            (Some(before), Some(peak)) => format!("{before} -> {peak}"),
            _ => "unknown here".to_owned(),
        };
        println!(
            "{name:<34} {:>7} {:>9.3} {:>9.3} {:>9.3} {memory:>17}  {said}",
            report.frames, report.p50, report.p99, report.max
        );
    }
    match holds {
        true => ExitCode::SUCCESS,
        false => {
            println!(
                "a poll takes more than {P99_MS} ms (p99), or the game more than {RSS_MIB} MiB"
            );
            ExitCode::FAILURE
        }
    }
}
