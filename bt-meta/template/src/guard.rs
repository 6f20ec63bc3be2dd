//! The agent: what trees can ask, read and hear of a guard.
//!
//! Doc comments are what the editor shows.

use std::time::Duration;

use bt_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Somewhere in the castle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// The place at which visitors arrive.
    Gate,
    /// From here one sees far.
    Tower,
    /// The place that smells good.
    Kitchen,
}

/// Guards a castle.
#[derive(Debug, Agent)]
pub struct Guard {
    /// The walking that is left in it.
    #[property(read_only, min = 0, max = 100, unit = "%")]
    pub stamina: u8,
    /// The place where it is, or that it walks to.
    pub place: Place,
}

impl Guard {
    /// A guard at the gate, in the morning.
    pub fn new() -> Guard {
        Guard {
            stamina: 100,
            place: Place::Gate,
        }
    }

    fn tell(&self, cx: &Context, what: &str) {
        println!("{:5.1} s  The guard {what}.", cx.now().as_secs_f64());
    }
}

impl Default for Guard {
    fn default() -> Guard {
        Guard::new()
    }
}

#[agent]
impl Guard {
    /// Walk somewhere.
    ///
    /// # Returns
    /// `true` on arrival, two seconds later.
    #[action]
    pub fn walk_to(
        &mut self,
        cx: &mut Context,
        /// The place to walk to.
        place: Place,
    ) -> Option<bool> {
        self.tell(cx, &format!("walks from {:?} to {place:?}", self.place));
        self.stamina = self.stamina.saturating_sub(20);
        self.place = place;
        // `None`: begun, not done. The tree goes on when the time has passed.
        cx.finish_after(Duration::from_secs(2), true);
        None
    }

    /// Sit down and gather strength.
    #[action]
    pub fn rest(
        &mut self,
        cx: &mut Context,
        /// For how long.
        #[arg(default = 3.0, min = 0.0, max = 60.0, unit = "s")]
        seconds: f64,
    ) -> Option<bool> {
        self.tell(cx, "sits down");
        self.stamina = 100;
        cx.finish_after(Duration::from_secs_f64(seconds), true);
        None
    }

    /// Is it too tired to go on?
    #[condition]
    pub fn is_tired(
        &self,
        /// The stamina that is too little.
        #[arg(min = 0, max = 100, unit = "%")]
        below: u8,
    ) -> bool {
        self.stamina < below
    }

    /// Something was heard.
    #[event]
    pub fn noise(
        /// The place that it came from.
        place: Place,
    );
}
