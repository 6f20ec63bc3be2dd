//! Alarms that go on beside the tree, and waits inside it.

use std::time::Duration;

use bt_core::prelude::*;

use super::ActorAgent;
use crate::World;

/// The time of a number of seconds; none at all for a number that is no time.
fn after(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

#[agent]
impl ActorAgent {
    /// Set an alarm.
    ///
    /// It rings as the event `alarm_rang`, whatever the tree does by then. One of that name that
    /// has not rung yet is set anew.
    ///
    /// # Returns
    /// Always `true`.
    #[action(category = "timer", display = "设置闹钟")]
    pub fn set_alarm(
        &mut self,
        #[world] world: &mut World,
        /// The name of the alarm.
        name: &str,
        /// The time until it rings.
        #[arg(min = 0.0, max = 86400.0, unit = "s")]
        seconds: f64,
    ) {
        world.set_alarm(self.entity(), name, after(seconds));
    }

    /// Take back an alarm.
    ///
    /// # Returns
    /// `true` if it was set and had not rung.
    #[action(category = "timer")]
    pub fn cancel_alarm(
        &mut self,
        #[world] world: &mut World,
        /// The name of the alarm; omitted, all of them.
        name: Option<String>,
    ) -> bool {
        match name {
            Some(name) => world.cancel_alarm(self.entity(), &name),
            None => world.cancel_alarms(self.entity()) > 0,
        }
    }

    /// Is an alarm set?
    ///
    /// # Returns
    /// `true` until it rings or is taken back.
    #[condition(category = "timer")]
    pub fn is_alarm_set(
        &self,
        #[world] world: &World,
        /// The name of the alarm.
        name: &str,
    ) -> bool {
        world.is_alarm_set(self.entity(), name)
    }

    /// Linger for a random while.
    ///
    /// # Returns
    /// `true` when the time is over.
    #[action(category = "timer", display = "随机等待")]
    pub fn linger(
        cx: &mut Context,
        /// The shortest time.
        #[arg(default = 1.0, min = 0.0, max = 3600.0, unit = "s")]
        least: f64,
        /// The longest time.
        #[arg(default = 3.0, min = 0.0, max = 3600.0, unit = "s")]
        most: f64,
    ) -> Option<bool> {
        let seconds = cx.random().float(least, most);
        cx.finish_after(after(seconds), true);
        None
    }
}
