//! Flags of rare features, so that nothing is checked where there are none.

use std::cell::Cell;

/// Flags, in what would be padding.
#[derive(Default)]
pub(super) struct Flags(Cell<u16>);

impl Flags {
    /// Something is to be done at the end of a call.
    pub(super) const UNSETTLED: u16 = 1;
    /// Keys are declared, or shared.
    pub(super) const DECLARED: u16 = 1 << 1;
    /// Changes of keys are noted.
    pub(super) const NOTING: u16 = 1 << 2;
    /// A key that is observed has changed.
    pub(super) const STIRRED: u16 = 1 << 3;
    /// Reads by name are noted.
    pub(super) const RECORDING: u16 = 1 << 4;

    /// There is a board that is shared with others.
    pub(super) const SHARING: u16 = 1 << 5;

    /// A call that failed gave its reason, and nobody has asked for it yet.
    pub(super) const FAILED: u16 = 1 << 6;

    /// All writes are noted.
    pub(super) const JOURNAL: u16 = 1 << 7;

    /// Arguments that are written back wait until it is known how the call ended.
    pub(super) const HOLDING: u16 = 1 << 8;

    /// Returns true if one of these is set.
    #[inline]
    pub(super) fn any(&self, flags: u16) -> bool {
        self.0.get() & flags != 0
    }

    #[inline]
    pub(super) fn set(&self, flags: u16) {
        self.0.set(self.0.get() | flags);
    }

    #[inline]
    pub(super) fn clear(&self, flags: u16) {
        self.0.set(self.0.get() & !flags);
    }

    pub(super) fn put(&self, flags: u16, on: bool) {
        if on {
            self.set(flags);
        } else {
            self.clear(flags);
        }
    }
}
