//! Plays random cases in which everything goes wrong, and looks at what is promised all the same:
//! `cargo run --release -p bt-tests --bin chaos -- 1000000`, and from another seed on with a second
//! number. `-- seed 1234` plays one case. `-- all 100000` goes on after a fault, and prints the first
//! case of each sort.
//!
//! Exit code 1 if a rule is broken; the case is printed, shrunk.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bt_tests::chaos::{Chaos, class, explain};

/// The time limit of one case.
const TIMEOUT: Duration = Duration::from_secs(30);

fn main() -> ExitCode {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let goes_on = args.first().is_some_and(|arg| arg == "all");
    if goes_on {
        args.remove(0);
    }
    let number = |at: usize| args.get(at).and_then(|arg| arg.parse::<u64>().ok());
    let (from, runs) = match (args.first().map(String::as_str), number(0), number(1)) {
        (Some("seed"), _, Some(seed)) => (seed, 1),
        (_, Some(runs), from) => (from.unwrap_or(0), runs),
        _ => {
            eprintln!("usage: chaos [all] RUNS [FIRST SEED] | chaos seed SEED");
            return ExitCode::from(2);
        }
    };
    play(from, runs, goes_on)
}

thread_local! {
    static SEED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

fn play(from: u64, runs: u64, goes_on: bool) -> ExitCode {
    // A panic that ends the process names the case.
    std::panic::set_hook(Box::new(|info| {
        let text = info.payload().downcast_ref::<&str>().copied().unwrap_or("");
        if text.contains("destructor during cleanup") {
            eprintln!("seed {} ends the process: {text}", SEED.get());
        }
    }));
    let began = Instant::now();
    let next = AtomicU64::new(from);
    let end = from.saturating_add(runs);
    let is_over = AtomicBool::new(false);
    let faults: Mutex<BTreeMap<String, (u64, u64, String)>> = Mutex::default();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let worker = |clock: &AtomicU64| {
        while !is_over.load(Ordering::Relaxed) {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= end {
                break;
            }
            clock.store(seed, Ordering::Relaxed);
            SEED.set(seed);
            if let Err(fault) = Chaos::of(seed).run() {
                let mut faults = faults.lock().unwrap_or_else(PoisonError::into_inner);
                let found = faults
                    .entry(class(&fault))
                    .or_insert((0, seed, fault.clone()));
                found.0 += 1;
                if seed < found.1 {
                    (found.1, found.2) = (seed, fault);
                }
                if !goes_on {
                    is_over.store(true, Ordering::Relaxed);
                }
            }
        }
        clock.store(u64::MAX, Ordering::Relaxed);
    };
    let clocks: Vec<_> = (0..threads).map(|_| AtomicU64::new(0)).collect();
    std::thread::scope(|scope| {
        for clock in &clocks {
            scope.spawn(|| worker(clock));
        }
        let mut seen: Vec<_> = clocks.iter().map(|_| (0, Instant::now())).collect();
        let mut shown = Instant::now();
        loop {
            std::thread::sleep(Duration::from_millis(20));
            for (clock, seen) in clocks.iter().zip(&mut seen) {
                let seed = clock.load(Ordering::Relaxed);
                if seed != seen.0 {
                    *seen = (seed, Instant::now());
                } else if seed != u64::MAX && seen.1.elapsed() > TIMEOUT {
                    println!("seed {seed} hangs:\n{}", Chaos::of(seed));
                    std::process::exit(1);
                }
            }
            if seen.iter().all(|(seed, _)| *seed == u64::MAX) {
                break;
            }
            if shown.elapsed() > Duration::from_secs(30) {
                shown = Instant::now();
                eprintln!("{} runs", next.load(Ordering::Relaxed).min(end) - from);
            }
        }
    });
    let seconds = began.elapsed().as_secs_f64();
    let faults = faults.into_inner().unwrap_or_else(PoisonError::into_inner);
    if faults.is_empty() {
        println!("{runs} runs, seeds {from}..{end}, {seconds:.0} s: every rule holds");
        return ExitCode::SUCCESS;
    }
    let mut faults: Vec<_> = faults.into_values().collect();
    faults.sort_by_key(|(count, ..)| std::cmp::Reverse(*count));
    println!(
        "{} sorts of faults in {runs} runs, {seconds:.0} s",
        faults.len()
    );
    for (count, seed, fault) in faults {
        println!("\n{count} times, first with seed {seed}: {fault}");
        println!("{}", explain(&Chaos::of(seed), &fault));
    }
    ExitCode::FAILURE
}
