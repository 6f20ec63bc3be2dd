//! Criterion's statistics of each case by itself.

use std::time::Duration;

use bt_benches::{Timed, elapsed};
use criterion::Criterion;

/// Takes them, as the command line asks.
pub(crate) struct Statistics(Criterion);

impl Statistics {
    /// None yet.
    pub(crate) fn new() -> Statistics {
        let criterion = Criterion::default()
            .warm_up_time(Duration::from_millis(200))
            .measurement_time(Duration::from_millis(800))
            // More resamples would take longer than what they are taken of.
            .nresamples(5_000)
            .configure_from_args();
        Statistics(criterion)
    }

    /// Those of some cases.
    pub(crate) fn take<T: Timed>(&mut self, cases: &mut [T]) {
        for case in cases {
            let name = case.name().to_owned();
            let function = |bencher: &mut criterion::Bencher| {
                bencher.iter_custom(|times| elapsed(case, times));
            };
            self.0.bench_function(&name, function);
        }
    }

    /// Prints the final summary, and returns true if ratios are to be printed as well.
    pub(crate) fn finish(self) -> bool {
        self.0.final_summary();
        let measures_nothing = ["--test", "--list", "--profile-time"];
        !std::env::args().any(|arg| measures_nothing.contains(&arg.as_str()))
    }
}
