//! Compares the runner with the reference on many random cases:
//! `cargo run --release -p bt-tests --bin prove -- 1000000`, and from another seed on with a second
//! number. `-- replays 1000000` looks at traces instead, `-- restores 1000000` at saved agents,
//! `-- moves 1000000` at saved agents that are restored with edited trees, `-- beside 1000000` at edits beside
//! what is active, `-- previews 1000000` at what a reload says beforehand, `-- stops 1000000` at agents that a debugger
//! stops at every step, `-- disables 1000000` at nodes that it disables (see `bt_tests::properties`),
//! `-- edited 1000000` compares on trees that are edited while they
//! run, `-- reference 1000000` plays them in the reference alone, and says what occurred.
//! One case is played again with `-- seed 1234`. With `brief` at the end all cases are played, and
//! the seeds of those that disagree are printed.
//!
//! Exit code 1 if they disagree; the first such case is printed, shrunk.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bt_tests::cases::Property;
use bt_tests::cases::{Case, Profile, explain};
use bt_tests::compare::{
    Compared, agree, agree_edited, compare, compare_edited, edits as edited, refer,
};
use bt_tests::properties::{disables, is_beside, moves, previews, replays, restores, stops};
use bt_tests::reference::STACK;

fn main() -> ExitCode {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    // What the shrinking tries, and what is looked for, may panic.
    std::panic::set_hook(Box::new(|_| {}));
    let property = match args.first().map(String::as_str) {
        Some("replays") => Some(replays as Property),
        Some("restores") => Some(restores as Property),
        Some("moves") => Some(moves as Property),
        Some("beside") => Some(is_beside as Property),
        Some("previews") => Some(previews as Property),
        Some("stops") => Some(stops as Property),
        Some("disables") => Some(disables as Property),
        _ => None,
    };
    let alone = args.first().is_some_and(|arg| arg == "reference");
    let edits = args.first().is_some_and(|arg| arg == "edited");
    if property.is_some() || alone || edits {
        args.remove(0);
    }
    let number = |at: usize| {
        args.get(at)
            .and_then(|arg: &String| arg.parse::<u64>().ok())
    };
    let (from, runs) = match (args.first().map(String::as_str), number(0), number(1)) {
        (Some("seed"), _, Some(seed)) => (seed, 1),
        (_, Some(runs), from) => (from.unwrap_or(0), runs),
        _ => {
            eprintln!(
                "usage: prove [replays | restores | moves | beside | previews | stops | disables | reference | edited] RUNS [FIRST SEED] | prove [replays | restores | moves | beside | previews | stops | disables | edited] seed SEED"
            );
            return ExitCode::from(2);
        }
    };
    let brief = args.iter().any(|arg| arg == "brief");
    prove(property, alone, edits, from, runs, brief)
}

/// Looks at a property of all cases, or at whether the reference agrees.
fn prove(
    property: Option<Property>,
    alone: bool,
    edits: bool,
    from: u64,
    runs: u64,
    brief: bool,
) -> ExitCode {
    let began = Instant::now();
    let next = AtomicU64::new(from);
    let end = from.saturating_add(runs);
    let is_over = AtomicBool::new(false);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut all = Compared::default();
    let mut found: Vec<(u64, String)> = Vec::new();
    std::thread::scope(|scope| {
        let worker = || {
            let (mut sum, mut found) = (Compared::default(), Vec::new());
            while !is_over.load(Ordering::Relaxed) {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= end {
                    break;
                }
                let profile = match property {
                    Some(_) => Profile::All,
                    None => Profile::Covered,
                };
                let case = Case::of(seed, profile);
                let look = || match property {
                    Some(property) => property(&case).map(|()| Compared {
                        runs: 1,
                        ..Compared::default()
                    }),
                    None if alone => Ok(refer(&case)),
                    None if edits => compare_edited(&case, &edited(&case)),
                    None => compare(&case),
                };
                match catch_unwind(AssertUnwindSafe(look)) {
                    Ok(Ok(compared)) => sum.add(compared),
                    Ok(Err(_)) | Err(_) if brief => found.push((seed, String::new())),
                    Ok(Err(_)) | Err(_) => {
                        is_over.store(true, Ordering::Relaxed);
                        let agrees = property.unwrap_or(if edits { agree_edited } else { agree });
                        found.push((seed, explain(&case, agrees)));
                    }
                }
            }
            (sum, found)
        };
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                let builder = std::thread::Builder::new().stack_size(STACK);
                builder.spawn_scoped(scope, worker)
            })
            .collect::<Result<_, _>>()
            .unwrap_or_else(|error| panic!("{error}"));
        let mut told = Instant::now();
        while !workers
            .iter()
            .all(std::thread::ScopedJoinHandle::is_finished)
        {
            std::thread::sleep(Duration::from_millis(20));
            if told.elapsed() > Duration::from_secs(30) {
                told = Instant::now();
                eprintln!("{} runs", next.load(Ordering::Relaxed).min(end) - from);
            }
        }
        for worker in workers {
            let (sum, of_worker) = worker.join().unwrap_or_default();
            all.add(sum);
            found.extend(of_worker);
        }
    });
    found.sort();
    if !brief {
        found.truncate(1);
    }
    let seconds = began.elapsed().as_secs_f64();
    let Compared {
        runs,
        polls,
        entered,
        occurred,
    } = all;
    for (seed, why) in &found {
        println!("disagreement at seed {seed}, after {runs} runs:\n{why}");
    }
    if !found.is_empty() {
        return ExitCode::FAILURE;
    }
    for (what, times) in occurred {
        println!("{times:>12} {what}");
    }
    // The reference alone has nobody to agree with.
    let agree = if alone { "" } else { " agree" };
    println!(
        "{runs} runs{agree}: {polls} polls, {entered} entries, seeds {from}..{end}, {seconds:.0} s"
    );
    ExitCode::SUCCESS
}
