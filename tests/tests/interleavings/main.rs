//! No wake is lost, whatever the order in which threads run: loom tries all orders.
//!
//! What threads share in bt-core is compiled here once more, on loom's locks and atomics.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "files of bt-core, of which only what threads share is tried"
)]

#[path = "../../../bt-core/src/call/completion.rs"]
mod completion;
#[path = "../../../bt-core/src/deferred.rs"]
mod deferred;
mod pool;
#[path = "../../../bt-core/src/blackboard/shared.rs"]
mod shared;

/// In the place of bt-core's.
mod sync {
    pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
    pub(crate) use loom::sync::{Mutex, MutexGuard};

    pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap()
    }
}
