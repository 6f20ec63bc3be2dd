//! Ratios that hold on a busy machine: all cases in turn, again and again.

use std::time::{Duration, Instant};

const ROUNDS: usize = 201;
const BATCH: Duration = Duration::from_millis(1);

/// A case that is timed.
pub trait Timed {
    /// Its name.
    fn name(&self) -> &str;

    /// Does it so many times.
    fn run(&mut self, times: u64);
}

/// The time of a call of each case in each round, in nanoseconds.
///
/// A machine that is slow for a while is slow for all cases of a round, so a ratio is taken within
/// each round, and the median of those is the answer.
#[derive(Debug)]
pub struct Rounds {
    times: Vec<(String, Vec<f64>)>,
}

impl Rounds {
    /// Measures.
    pub fn measure<T: Timed>(cases: &mut [T]) -> Rounds {
        let calls: Vec<u64> = cases.iter_mut().map(calls_in_a_batch).collect();
        let mut times: Vec<_> = cases
            .iter()
            .map(|case| (case.name().to_owned(), Vec::with_capacity(ROUNDS)))
            .collect();
        for _ in 0..ROUNDS {
            for ((case, calls), (_, times)) in cases.iter_mut().zip(&calls).zip(&mut times) {
                let time = elapsed(case, *calls);
                times.push(time.as_secs_f64() * 1e9 / *calls as f64);
            }
        }
        Rounds { times }
    }

    /// The median time of a call, in nanoseconds; not a number for a case that was not measured.
    pub fn median(&self, name: &str) -> f64 {
        median(self.of(name).to_vec())
    }

    /// The number of times by which a call of one case takes longer than one of another; not a number for a
    /// case that was not measured.
    pub fn ratio(&self, name: &str, other: &str) -> f64 {
        let pairs = self.of(name).iter().zip(self.of(other));
        median(pairs.map(|(one, other)| one / other).collect())
    }

    fn of(&self, name: &str) -> &[f64] {
        let found = self.times.iter().find(|(known, _)| known == name);
        found.map_or(&[], |(_, times)| times)
    }
}

fn calls_in_a_batch(case: &mut impl Timed) -> u64 {
    let mut calls = 1;
    while elapsed(case, calls) < BATCH {
        calls *= 2;
    }
    calls
}

/// The time that so many calls take.
pub fn elapsed(case: &mut impl Timed, times: u64) -> Duration {
    let start = Instant::now();
    case.run(times);
    start.elapsed()
}

fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    list.get(list.len() / 2).copied().unwrap_or(f64::NAN)
}
