//! The agent's random stream.

use std::ops::RangeInclusive;

/// One seeded stream of random values: the same seed gives the same values, on every platform.
///
/// ```
/// let mut a = bt_core::Random::new(7);
/// let mut b = bt_core::Random::new(7);
/// assert_eq!(a.int(1..=6), b.int(1..=6));
/// ```
#[derive(Debug, Clone)]
pub struct Random(fastrand::Rng);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Random {
        Random(fastrand::Rng::with_seed(seed))
    }

    /// The seed of what comes next: [`Random::new`] of it continues this stream.
    pub fn state(&self) -> u64 {
        self.0.get_seed()
    }

    /// An integer of the range, each as likely; its smaller end if the range is empty.
    pub fn int(&mut self, range: RangeInclusive<i64>) -> i64 {
        let (low, high) = (*range.start(), *range.end());
        if low >= high {
            return low.min(high);
        }
        self.0.i64(low..=high)
    }

    /// A number in `0.0..1.0`.
    pub fn unit(&mut self) -> f64 {
        self.0.f64()
    }

    /// A number in `low..high`; `low` if that is empty or not finite.
    pub fn float(&mut self, low: f64, high: f64) -> f64 {
        let span = high - low;
        if !span.is_finite() || span <= 0.0 {
            return low;
        }
        low + self.unit() * span
    }

    /// True with this probability; never for 0 or less (or NaN), always for 1 or more.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of the items, each as likely; none if there are none.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        self.0.choice(items)
    }

    /// Puts the items in a random order, each as likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        self.0.shuffle(items);
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn random_stream_continues_from_its_state() {
        let mut stream = Random::new(1);
        stream.unit();
        let mut copy = Random::new(stream.state());
        let draw = |r: &mut Random| (r.int(0..=999), r.unit().to_bits(), r.chance(0.5));
        assert_eq!(draw(&mut stream), draw(&mut copy));
    }

    #[test]
    fn odd_ranges_give_an_end_and_do_not_panic() {
        let mut r = Random::new(1);
        #[expect(clippy::reversed_empty_ranges, reason = "the case under test")]
        let empty = 5..=3;
        assert_eq!(r.int(empty), 3);
        assert_eq!(r.float(2.0, 1.0), 2.0);
        assert_eq!(r.float(0.0, f64::INFINITY), 0.0);
        assert_eq!(r.float(1.0, f64::NAN), 1.0);
        assert!(r.chance(1.0));
        assert!(!r.chance(0.0));
        r.int(i64::MIN..=i64::MAX);
    }
}
