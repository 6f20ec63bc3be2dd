//! Work on all cores, with results in the order of what there is to do.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::error::Error;

/// Does something with each item, on all cores; the results are in the order of the items.
pub(crate) fn on_all_cores<I: Sync, T: Send>(
    items: &[I],
    each: impl Fn(usize, &I) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Result<T, Error>)>> = Mutex::new(Vec::new());
    let work = || {
        let mut own = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { break };
            own.push((at, each(at, item)));
        }
        done.lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .extend(own);
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 1..cores.min(items.len()) {
            scope.spawn(work);
        }
        work();
    });
    let mut done = done
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}
