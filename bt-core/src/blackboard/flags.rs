//! Which of the rare things have to be looked at, so that where there are none nothing is.

use std::cell::Cell;

/// One byte of flags.
#[derive(Default)]
pub(super) struct Flags(Cell<u8>);

impl Flags {
    /// Something is to be done at the end of a call.
    pub(super) const UNSETTLED: u8 = 1;
    /// Keys are declared, or shared.
    pub(super) const DECLARED: u8 = 1 << 1;
    /// Changes of keys are noted.
    pub(super) const NOTING: u8 = 1 << 2;
    /// A key that is observed has changed.
    pub(super) const STIRRED: u8 = 1 << 3;
    /// Reads by name are noted.
    pub(super) const RECORDING: u8 = 1 << 4;

    /// There is a board that is shared with others.
    pub(super) const SHARING: u8 = 1 << 5;

    /// A call that failed gave its reason, and nobody has asked for it yet.
    pub(super) const FAILED: u8 = 1 << 6;

    /// All writes are noted.
    pub(super) const JOURNAL: u8 = 1 << 7;

    /// Whether one of these is set.
    #[inline]
    pub(super) fn any(&self, flags: u8) -> bool {
        self.0.get() & flags != 0
    }

    #[inline]
    pub(super) fn set(&self, flags: u8) {
        self.0.set(self.0.get() | flags);
    }

    #[inline]
    pub(super) fn clear(&self, flags: u8) {
        self.0.set(self.0.get() & !flags);
    }

    pub(super) fn put(&self, flags: u8, on: bool) {
        if on {
            self.set(flags);
        } else {
            self.clear(flags);
        }
    }
}
