//! Times as numbers.

use std::time::Duration;

/// So many nanoseconds; at most `u64::MAX`, which is 584 years.
#[inline]
pub(crate) fn nanos(time: Duration) -> u64 {
    // Two steps of 64 bits are a fraction of one of 128.
    let seconds = time.as_secs().saturating_mul(1_000_000_000);
    seconds.saturating_add(time.subsec_nanos().into())
}
