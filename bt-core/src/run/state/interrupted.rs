//! The reasons why a walk cannot continue yet.

/// The work that comes before the walk continues.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Interrupted(u8);

/// A key that guards follow has changed, or there is a request.
const REACTS: u8 = 1;
/// A debugger is to stop it.
const STOPS: u8 = 1 << 1;

impl Interrupted {
    /// Returns true if there is anything.
    #[inline]
    pub(crate) fn any(self) -> bool {
        self.0 != 0
    }

    /// Returns true if guards are to react, or a request is to be applied.
    #[inline]
    pub(crate) fn reacts(self) -> bool {
        self.0 & REACTS != 0
    }

    #[inline]
    pub(crate) fn react(&mut self) {
        self.0 |= REACTS;
    }

    #[inline]
    pub(crate) fn react_if(&mut self, reacts: bool) {
        self.0 |= u8::from(reacts);
    }

    /// Whatever was to react before.
    #[inline]
    pub(crate) fn set_reacts(&mut self, reacts: bool) {
        let stops = match cfg!(feature = "debug") {
            true => self.0 & STOPS,
            false => 0,
        };
        self.0 = stops | u8::from(reacts);
    }

    /// Returns true if a debugger is to stop the walk, or has.
    #[inline]
    pub(crate) fn stops(self) -> bool {
        cfg!(feature = "debug") && self.0 & STOPS != 0
    }

    pub(crate) fn set_stops(&mut self, stops: bool) {
        self.0 &= !STOPS;
        self.0 |= if stops { STOPS } else { 0 };
    }
}
