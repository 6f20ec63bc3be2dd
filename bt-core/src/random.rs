//! The agent's random stream.

use std::ops::RangeInclusive;

/// The seed of a runner that has no other.
pub(crate) const UNSEEDED: u64 = 0;

/// The seed of one of many streams that are seeded together: that of this number.
pub(crate) fn derive(seed: u64, number: u64) -> u64 {
    // SplitMix64 (Steele, Lea and Flood, 2014): neighbouring numbers give seeds that are far apart.
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |mut bits: u64| {
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    };
    let own = mix(seed.wrapping_add(STEP));
    mix(own.wrapping_add(number.wrapping_mul(STEP)))
}

/// A part of a span, in `0..span`: for neighbouring numbers parts that are far apart.
pub(crate) fn spread(number: u64, span: u64) -> u64 {
    let part = u128::from(derive(number, 0)) * u128::from(span);
    (part >> u64::BITS) as u64
}

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
    use super::{Random, derive};

    #[test]
    fn seeds_of_neighbours_differ_in_half_of_their_bits() {
        let mut seen = std::collections::BTreeSet::new();
        let mut bits = 0;
        for seed in 0..32 {
            for number in 0..1_000 {
                assert!(seen.insert(derive(seed, number)), "{seed} {number}");
                bits += (derive(seed, number) ^ derive(seed, number + 1)).count_ones();
            }
        }
        assert!((31 * 32_000..33 * 32_000).contains(&bits), "{bits}");
    }

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
