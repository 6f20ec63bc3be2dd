//! The saves of a chain that are still needed, and the agents that are to be written again so that old ones are not.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::key::Key;

/// In so many saves everybody is written again, about.
const WINDOW: usize = 32;

/// The saves that are there, with the number of agents whose newest state each has.
#[derive(Debug, Default)]
pub(crate) struct Log {
    saves: VecDeque<Kept>,
    /// The save of each agent.
    of: FxHashMap<Key, u64>,
    /// The agents in the order in which they were written; those that were written again since stand there twice.
    order: VecDeque<(Key, u64)>,
    /// The number of saves that were removed from here since the last purge.
    forgotten: usize,
}

#[derive(Debug)]
struct Kept {
    number: u64,
    /// The number of its first message.
    first: u64,
    agents: usize,
}

impl Log {
    /// Begins a save; it is known by its first message once that is stored.
    pub(super) fn begin(&mut self, number: u64) {
        self.saves.push_back(Kept {
            number,
            first: 0,
            agents: 0,
        });
    }

    /// Notes the first message of a save.
    pub(super) fn stored(&mut self, number: u64, first: u64) {
        if let Some(kept) = self.kept(number) {
            kept.first = first;
        }
    }

    fn kept(&mut self, number: u64) -> Option<&mut Kept> {
        let first = self.saves.front()?.number;
        let at = usize::try_from(number.checked_sub(first)?).ok()?;
        self.saves.get_mut(at)
    }

    /// An agent is in a save.
    pub(super) fn write(&mut self, key: &Key, number: u64) {
        let before = self.of.insert(key.clone(), number);
        self.count(before, Some(number));
        self.order.push_back((key.clone(), number));
    }

    /// An agent has gone.
    pub(super) fn remove(&mut self, key: &Key) {
        let before = self.of.remove(key);
        self.count(before, None);
    }

    fn count(&mut self, before: Option<u64>, now: Option<u64>) {
        if let Some(kept) = before.and_then(|before| self.kept(before)) {
            kept.agents -= 1;
        }
        if let Some(kept) = now.and_then(|now| self.kept(now)) {
            kept.agents += 1;
        }
    }

    /// The agents that were written longest ago, and are to be in the next save.
    pub(super) fn oldest(&mut self) -> Vec<Key> {
        let mut most = self.of.len().div_ceil(WINDOW);
        let newest = self.saves.back().map_or(0, |kept| kept.number);
        let mut oldest = Vec::new();
        while let Some((key, number)) = self.order.front() {
            if self.of.get(key) == Some(number) {
                // A shard with few changes has short saves, which need not go.
                if most == 0 || number + (WINDOW as u64) / 4 > newest {
                    break;
                }
                most -= 1;
                oldest.push(key.clone());
            }
            self.order.pop_front();
        }
        oldest
    }

    /// The number of the first message that is still needed, if several saves are not any more.
    pub(super) fn purge(&mut self) -> Option<u64> {
        while self.saves.len() > 1 && self.saves.front().is_some_and(|kept| kept.agents == 0) {
            self.saves.pop_front();
            self.forgotten += 1;
        }
        if self.forgotten < WINDOW / 4 {
            return None;
        }
        self.forgotten = 0;
        let first = self.saves.front()?.first;
        (first > 0).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_stays_short_whether_few_or_all_agents_change() {
        for changing in [1, 100, 1000] {
            let mut log = Log::default();
            let mut written = 0;
            let mut most = 0;
            for number in 1..500 {
                let rest = log.oldest();
                log.begin(number);
                let changed = if number == 1 { 0..1000 } else { 0..changing };
                let changed = changed.map(Key::from);
                for key in changed.chain(rest) {
                    log.write(&key, number);
                    written += 1;
                }
                log.stored(number, number * 10);
                if let Some(first) = log.purge() {
                    assert_eq!(first % 10, 0);
                }
                most = most.max(log.saves.len());
                let kept: usize = log.saves.iter().map(|kept| kept.agents).sum();
                assert_eq!(kept, 1000);
            }
            assert!(most <= 2 * WINDOW, "{changing}: {most}");
            assert!(
                log.order.len() <= 2 * WINDOW * (changing as usize + 40),
                "{}",
                log.order.len()
            );
            assert!(written < 500 * (changing as usize + 40) + 1000);
            log.remove(&Key::from(5));
            assert_eq!(log.of.len(), 999);
        }
    }
}
