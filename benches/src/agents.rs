//! The agent that every case calls, and its base.
//!
//! The methods do next to nothing and may be inlined wherever a way of calling lets them, so that
//! what is measured is the way. They answer by the tick as well as by each argument, so that a case
//! which loses an argument or a call comes to another sum than the others.
//!
//! Each copy of an agent has machine code of its own, for [`Case`](crate::Case) to be measured at
//! several places in memory: the compiler leaves functions apart that store different numbers.

use bt_core::prelude::*;

/// The world that a game lends to its agents for a call.
#[derive(Debug, Default)]
pub struct World {
    /// The number of bodies in it.
    pub bodies: u64,
}

/// Has four legs.
#[derive(Debug, Clone, Agent)]
#[agent(world = World)]
pub struct Beast<const COPY: u64> {
    /// Set by the caller before each call.
    pub tick: u64,
    /// The distance that is too near.
    pub shy: f64,
    /// The prey that it hunts.
    pub prey: u64,
    /// The copy whose method ran last.
    pub copy: u64,
}

impl<const COPY: u64> Default for Beast<COPY> {
    fn default() -> Beast<COPY> {
        Beast {
            tick: 0,
            shy: 1.5,
            prey: 0,
            copy: COPY,
        }
    }
}

#[agent]
impl<const COPY: u64> Beast<COPY> {
    /// Go after somebody.
    #[action]
    #[inline]
    pub fn pursue(&mut self, target: u64, range: f64) -> Option<bool> {
        Some(self.go(target, range))
    }

    #[inline]
    fn go(&mut self, target: u64, range: f64) -> bool {
        self.copy = COPY;
        self.prey = target;
        ((self.tick & 15) * 2 < target) & (range > self.shy)
    }
}

/// A beast that hunts.
#[derive(Debug, Clone, Default, Agent)]
#[agent(world = World)]
pub struct Wolf<const COPY: u64> {
    /// The kind of animal.
    #[agent(base)]
    pub beast: Beast<COPY>,
}

#[agent]
impl<const COPY: u64> Wolf<COPY> {
    /// Look around.
    #[action]
    #[inline]
    pub fn look(&mut self) -> Option<bool> {
        self.beast.copy = COPY;
        Some(self.beast.tick & 15 < 4)
    }

    /// Go after somebody.
    #[action]
    #[inline]
    pub fn chase(&mut self, target: u64, range: f64) -> Option<bool> {
        Some(self.beast.go(target, range))
    }

    /// Say something.
    #[action]
    #[inline]
    pub fn howl(&mut self, cx: &mut Context, text: &str, volume: f64) -> Option<bool> {
        let heard = text.len() as u64 + u64::from(cx.now().subsec_nanos());
        Some(self.beast.go(heard, volume))
    }
}

macro_rules! register {
    ($($copy:literal: $beast:literal $wolf:literal)*) => {$(
        register_agent!(Beast<$copy>, name = $beast);
        register_agent!(Wolf<$copy>, name = $wolf);
    )*};
}

register! {
    0: "beast_0" "wolf_0"
    1: "beast_1" "wolf_1"
    2: "beast_2" "wolf_2"
    3: "beast_3" "wolf_3"
    4: "beast_4" "wolf_4"
    5: "beast_5" "wolf_5"
    6: "beast_6" "wolf_6"
    7: "beast_7" "wolf_7"
}
