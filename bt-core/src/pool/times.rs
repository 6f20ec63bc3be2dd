//! The times at which agents wake: a radix heap.
//!
//! A time is in the bucket of the highest bit in which it differs from the clock. The clock never goes
//! back, so a step of it empties the buckets below the highest bit that it changes, and spreads the
//! bucket of that bit over those below; no other is looked at. A time is moved at most once a bit, and
//! mostly much less often.
//!
//! Each bucket is a heap, so the first alarm of all is on top of the first bucket that is not empty.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::AgentId;
use super::buffer::ROOM;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Alarm {
    pub(super) time: u64,
    pub(super) id: AgentId,
}

#[derive(Debug)]
pub(super) struct Times {
    clock: u64,
    /// By the number of the highest bit; the first is of no time that is still to come.
    buckets: Vec<BinaryHeap<Reverse<Alarm>>>,
    len: usize,
}

impl Default for Times {
    fn default() -> Times {
        Times {
            clock: 0,
            buckets: vec![BinaryHeap::new(); 64],
            len: 0,
        }
    }
}

impl Times {
    pub(super) fn clock(&self) -> u64 {
        self.clock
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Sets an alarm for a time after the clock's.
    pub(super) fn set(&mut self, alarm: Alarm) {
        debug_assert!(alarm.time > self.clock);
        self.len += 1;
        self.put(alarm);
    }

    fn put(&mut self, alarm: Alarm) {
        let bit = (alarm.time ^ self.clock).ilog2();
        self.buckets[bit as usize].push(Reverse(alarm));
    }

    /// Sets the clock forward, and takes the alarms up to then, in no order.
    pub(super) fn advance(&mut self, now: u64, mut due: impl FnMut(Alarm)) {
        if now <= self.clock {
            return;
        }
        let top = (now ^ self.clock).ilog2() as usize;
        self.clock = now;
        for bucket in &mut self.buckets[..top] {
            self.len -= bucket.len();
            bucket.drain().for_each(|Reverse(alarm)| due(alarm));
            bucket.shrink_to(ROOM);
        }
        let mut spread = std::mem::take(&mut self.buckets[top]).into_vec();
        for Reverse(alarm) in spread.drain(..) {
            if alarm.time <= now {
                self.len -= 1;
                due(alarm);
            } else {
                self.put(alarm);
            }
        }
        spread.shrink_to(ROOM);
        self.buckets[top] = spread.into();
    }

    /// The first alarm.
    pub(super) fn first(&self) -> Option<Alarm> {
        let first = self.buckets.iter().find_map(BinaryHeap::peek);
        first.map(|Reverse(alarm)| *alarm)
    }

    /// Drops alarms that do not pass the test, until the first of all does.
    pub(super) fn drop_first(&mut self, test: impl Fn(&Alarm) -> bool) {
        for bucket in &mut self.buckets {
            while let Some(Reverse(alarm)) = bucket.peek() {
                if test(alarm) {
                    return;
                }
                bucket.pop();
                self.len -= 1;
            }
        }
    }

    /// Drops all alarms but those that pass the test, of which there is one of each time and id.
    pub(super) fn keep(&mut self, test: impl Fn(&Alarm) -> bool) {
        for bucket in &mut self.buckets {
            let mut alarms = std::mem::take(bucket).into_vec();
            alarms.retain(|Reverse(alarm)| test(alarm));
            // The same time is in the same bucket, whenever it was set.
            alarms.sort_unstable();
            alarms.dedup();
            *bucket = alarms.into();
        }
        self.len = self.buckets.iter().map(BinaryHeap::len).sum();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn alarms_are_taken_by_the_step_that_reaches_them(
            steps in prop::collection::vec((0..5000u64, prop::collection::vec(1..1_000_000u64, 0..8)), 1..60),
        ) {
            let (mut times, mut plain, mut number) = (Times::default(), Vec::new(), 0);
            for (step, waits) in steps {
                for wait in waits {
                    number += 1;
                    let alarm = Alarm { time: times.clock() + wait, id: AgentId::new(number, 1) };
                    times.set(alarm);
                    plain.push(alarm);
                }
                let first = plain.iter().map(|alarm| alarm.time).min();
                prop_assert_eq!(times.first().map(|alarm| alarm.time), first);
                let now = times.clock() + step * step;
                let mut due = Vec::new();
                times.advance(now, |alarm| due.push(alarm));
                due.sort_by_key(|alarm| alarm.id);
                let expected: Vec<_> = plain.extract_if(.., |alarm| alarm.time <= now).collect();
                prop_assert_eq!(due, expected);
                prop_assert_eq!(times.len(), plain.len());
            }
        }
    }

    fn first(times: &Times) -> Option<u64> {
        times.first().map(|alarm| alarm.time)
    }

    fn alarm(time: u64, index: u32) -> Alarm {
        let id = AgentId::new(index, 1);
        Alarm { time, id }
    }

    #[test]
    fn first_alarm_is_the_next_that_counts() {
        let mut times = Times::default();
        for (time, index) in [(5, 0), (9, 1), (u64::MAX, 2)] {
            times.set(alarm(time, index));
        }
        assert_eq!(first(&times), Some(5));
        times.drop_first(|alarm| alarm.id.index() > 0);
        assert_eq!((times.len(), first(&times)), (2, Some(9)));
        times.keep(|alarm| alarm.id.index() > 1);
        assert_eq!((times.len(), first(&times)), (1, Some(u64::MAX)));
        times.advance(u64::MAX, |alarm| assert_eq!(alarm.id.index(), 2));
        assert_eq!((times.len(), times.first()), (0, None));
    }

    #[test]
    fn one_of_several_equal_alarms_is_kept() {
        let mut times = Times::default();
        for step in 0..100 {
            times.set(alarm(1000 + step % 2, 0));
            times.set(alarm(1000, 1));
            times.advance(step, |_| unreachable!());
        }
        times.keep(|alarm| alarm.time == 1000);
        assert_eq!(times.len(), 2);
        let mut due = Vec::new();
        times.advance(1000, |alarm| due.push(alarm.id.index()));
        due.sort_unstable();
        assert_eq!(due, [0, 1]);
    }

    /// A look at all of them each time would take minutes.
    #[test]
    fn first_alarm_is_found_without_a_look_at_the_others() {
        let (mut times, start) = (Times::default(), std::time::Instant::now());
        for index in 0..100_000 {
            times.set(alarm((1 << 40) + u64::from(index), index));
        }
        for index in 0..100_000 {
            assert_eq!(first(&times), Some((1 << 40) + u64::from(index)));
            times.drop_first(|alarm| alarm.id.index() > index);
        }
        assert_eq!((times.first(), times.len()), (None, 0));
        assert!(start.elapsed() < std::time::Duration::from_secs(20));
    }

    #[test]
    fn buffers_of_many_alarms_are_freed() {
        let mut times = Times::default();
        for index in 0..100_000 {
            times.set(alarm(1 << 20, index));
        }
        for step in 0..=20 {
            times.advance((1 << 20) - (1 << (20 - step)), |_| unreachable!());
        }
        times.advance(1 << 20, |_| {});
        let room: usize = times.buckets.iter().map(BinaryHeap::capacity).sum();
        assert!(times.len() == 0 && room <= 64 * ROOM, "{room}");
    }
}
