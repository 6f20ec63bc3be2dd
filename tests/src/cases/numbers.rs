//! Numbers of nodes that are expressions.

use bt_core::Random;

use super::{COUNTS, Case, KEYS, Kind, Node, Reads};

impl Case {
    /// Makes expressions of some numbers, and literals of others, in cases of some seeds; so many times as said.
    pub(super) fn read_numbers(&mut self, seed: u64, times: u32) {
        if !self.seed.is_multiple_of(3) {
            return;
        }
        let mut random = Random::new(seed ^ 0x9eed);
        for _ in 0..times {
            let tree = random.int(0..=self.trees.len() as i64 - 1) as usize;
            let root = &mut self.trees[tree].root;
            let all = root.nodes().into_iter().zip(0..);
            let has_one =
                |(node, _): &(&Node, usize)| node.kind.number().is_some() || node.service.is_some();
            let all: Vec<usize> = all.filter(has_one).map(|(_, number)| number).collect();
            let Some(last) = all.len().checked_sub(1) else {
                continue;
            };
            let Some(node) = root.nth(all[random.int(0..=last as i64) as usize]) else {
                continue;
            };
            let keys = [KEYS[0], KEYS[1], COUNTS[0], COUNTS[1]];
            let reads = Reads {
                key: keys[random.int(0..=3) as usize],
                minus: random.int(0..=1) == 0,
            };
            let toggled = match node.kind.number() {
                Some(_) => &mut node.reads,
                None => &mut node.serves,
            };
            *toggled = match random.int(0..=4) {
                0 => None,
                _ => Some(reads),
            };
            if node.service.is_some() && random.int(0..=1) == 0 {
                node.serves = Some(reads);
            }
        }
    }
}

impl Reads {
    /// The expression that adds to a literal.
    pub(super) fn expression(self, literal: i64) -> String {
        let sign = if self.minus { '-' } else { '+' };
        let key = self.key;
        match COUNTS.contains(&key) {
            true => format!("{literal} {sign} (${key} ?? 0)"),
            false => format!("{literal} {sign} ((${key} ?? false) ? 1 : 0)"),
        }
    }

    /// Its value, where the key has that one.
    pub fn value(self, literal: i64, key: i64) -> i64 {
        match self.minus {
            true => literal - key,
            false => literal + key,
        }
    }
}

impl Kind {
    /// The number that may be an expression; of several the first.
    pub fn number(&self) -> Option<i64> {
        match self {
            Kind::Repeat(count)
            | Kind::Retry(count)
            | Kind::UntilSuccess(count)
            | Kind::UntilFailure(count)
            | Kind::Loop(count)
            | Kind::SuccessUntil(count)
            | Kind::FailureUntil(count) => Some(*count),
            Kind::Timeout(number) | Kind::Delay(number) | Kind::Frames(number) => {
                Some(*number as i64)
            }
            Kind::Cooldown { time, .. } => Some(*time as i64),
            Kind::RunLimit { count, .. } => Some(*count as i64),
            Kind::Probability(weights) => Some(i64::from(*weights.first()?)),
            Kind::Parallel {
                success, failure, ..
            } => Some(i64::from(success.or(*failure)?)),
            _ => None,
        }
    }

    /// The same with another number; none if it is not one that a node with so many children takes.
    pub fn with_number(&self, number: i64, children: usize) -> Option<Kind> {
        let mut kind = self.clone();
        match &mut kind {
            Kind::Repeat(count)
            | Kind::Retry(count)
            | Kind::UntilSuccess(count)
            | Kind::UntilFailure(count)
            | Kind::Loop(count)
            | Kind::SuccessUntil(count)
            | Kind::FailureUntil(count) => *count = number,
            Kind::Timeout(time) => *time = u64::try_from(number).ok().filter(|time| *time > 0)?,
            Kind::Delay(old) | Kind::Frames(old) => *old = u64::try_from(number).ok()?,
            Kind::Cooldown { time, .. } => *time = u64::try_from(number).ok()?,
            Kind::RunLimit { count, .. } => *count = u64::try_from(number).ok()?,
            Kind::Probability(weights) => *weights.first_mut()? = u32::try_from(number).ok()?,
            Kind::Parallel {
                success, failure, ..
            } => {
                let counts = |count: &u32| *count > 0 && *count as usize <= children;
                let number = u32::try_from(number).ok().filter(counts)?;
                match success {
                    Some(success) => *success = number,
                    None => *failure = Some(number),
                }
            }
            _ => return None,
        }
        Some(kind)
    }

    /// Returns true if the number is read on entry, and kept until the node ends.
    pub fn keeps_number(&self) -> bool {
        matches!(
            self,
            Kind::Repeat(_)
                | Kind::Retry(_)
                | Kind::UntilSuccess(_)
                | Kind::UntilFailure(_)
                | Kind::Loop(_)
                | Kind::Timeout(_)
                | Kind::Delay(_)
                | Kind::Frames(_)
                | Kind::Parallel { .. }
        )
    }
}
