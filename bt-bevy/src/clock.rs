//! The time of the trees.

use std::time::Duration;

use bevy_ecs::prelude::*;
use bevy_time::Time;

/// The time of the trees: how long [`BtSystems::All`](crate::BtSystems::All) has run.
///
/// In each run it passes by the schedule's `Time`, so a paused or slowed `Time<Virtual>` and a `run_if` on that set pause
/// or slow the trees, and nothing jumps afterwards.
#[derive(Resource, Debug)]
pub struct BtClock {
    now: Duration,
    speed: f64,
}

impl Default for BtClock {
    fn default() -> BtClock {
        BtClock {
            now: Duration::ZERO,
            speed: 1.0,
        }
    }
}

impl BtClock {
    /// The time of the last round.
    pub fn now(&self) -> Duration {
        self.now
    }

    /// The speed of the trees' time; 1 is that of the schedule.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Sets the speed of the trees' time. A port sets it to what its clients want.
    pub fn set_speed(&mut self, speed: f64) {
        self.speed = speed.clamp(0.0, 16.0);
    }
}

/// Lets time pass.
pub(crate) fn tick(mut clock: ResMut<BtClock>, time: Res<Time>) {
    let passed = time.delta().mul_f64(clock.speed);
    clock.now = clock.now.saturating_add(passed);
}
