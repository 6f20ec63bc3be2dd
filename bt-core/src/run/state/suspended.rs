//! Trees that events suspended.

use thin_vec::ThinVec;

use crate::run::plain::{Delivery, Level};

/// The trees that events suspended.
#[derive(Debug, Default)]
pub(crate) struct Suspended {
    /// The last one last.
    levels: ThinVec<Level>,
    /// The frame of the current tree's root, where that is not the first.
    base: u32,
}

impl Suspended {
    pub(crate) fn levels(&self) -> &[Level] {
        &self.levels
    }

    pub(crate) fn levels_mut(&mut self) -> &mut [Level] {
        &mut self.levels
    }

    /// The frame of the current tree's root.
    pub(crate) fn base(&self) -> u32 {
        self.base
    }

    /// Suspends a tree; the root of the one that follows has that frame.
    pub(crate) fn push(&mut self, level: Level, base: u32) {
        self.levels.push(level);
        self.base = base;
    }

    /// The tree that continues, and the frame of the one that has ended.
    pub(crate) fn pop(&mut self) -> Option<(Level, u32)> {
        let level = self.levels.pop()?;
        let ended = std::mem::replace(&mut self.base, level.base);
        Some((level, ended))
    }

    /// Keeps what came for a suspended tree until that continues; whether there is that one.
    pub(crate) fn hold(&mut self, level: usize, delivery: Delivery) -> bool {
        let found = self.levels.get_mut(level);
        found.map(|level| level.held.push(delivery)).is_some()
    }

    /// The same trees, taken away for a while.
    pub(crate) fn take(&mut self) -> ThinVec<Level> {
        std::mem::take(&mut self.levels)
    }

    pub(crate) fn give_back(&mut self, levels: ThinVec<Level>) {
        self.levels = levels;
    }

    /// The root of the current tree has that frame.
    pub(crate) fn restore_base(&mut self, base: u32) {
        self.base = base;
    }
}
