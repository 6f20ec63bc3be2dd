//! The period of turns, and guards that the host wakes.
//!
//! A poll without its turn counts as one in which all that has a turn had it. So what follows keys, events, times and
//! completions goes on as ever, and numbers of polls count the turns.

use std::time::Duration;

use super::core::Core;
use super::plain::{Due, Phase, Quiet};
use super::runner::Runner;
use super::state::timers::{Purpose, Timer};
use super::walk::Walker;
use crate::Agent;

impl<A: Agent> Runner<A> {
    /// Sets the time between two turns, whatever the tree's file says ([`set_turn_period`](Runner::set_turn_period)).
    pub fn turn_period(mut self, period: impl Into<Option<Duration>>) -> Runner<A> {
        self.set_turn_period(period);
        self
    }

    /// Sets the time between two turns, whatever the tree's file says (`every`): zero for a turn in every poll, and
    /// `None` for what the file says.
    ///
    /// In its turn an agent does what it otherwise does in every poll: reactive nodes and guards look again, polled
    /// actions are called, loops go on, and numbers of polls count. Events, completions, times and changed keys are not
    /// affected. A host may change the period at any time, such as with the distance to the player. The turns of
    /// agents with different [seeds](Runner::seed) are spread over the period.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::tree::asset::spec::{action, reactive_sequence};
    /// use bt_core::{Runner, TreeAsset, TreeSet};
    /// use std::time::Duration;
    ///
    /// #[derive(Agent, Default)]
    /// struct Nightjar { looked: u32 }
    ///
    /// #[agent]
    /// impl Nightjar {
    ///     #[action]
    ///     fn look(&mut self) -> bool { self.looked += 1; true }
    /// }
    ///
    /// let mut trees = TreeSet::<Nightjar>::new();
    /// let watch = reactive_sequence([action("look"), action("wait_for_seconds").arg(60)]);
    /// trees.add(TreeAsset::build("watch.json", "nightjar", watch));
    /// let mut runner = Runner::new(&trees.build()?, "watch.json")?;
    /// runner.set_turn_period(Duration::from_millis(200));
    /// runner.start();
    /// let mut nightjar = Nightjar::default();
    /// for frame in 0..60 {
    ///     runner.poll(&mut nightjar, Duration::from_secs(1) * frame / 60);
    /// }
    /// assert_eq!(nightjar.looked, 1 + 5, "once on entry, and then five times a second");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_turn_period(&mut self, period: impl Into<Option<Duration>>) {
        self.core.pace().set_host(period.into());
        self.core.wake_for_pace();
    }

    /// Sets whether guards that look at the agent, its properties or its world wait for the host
    /// ([`set_guards_on_wake`](Runner::set_guards_on_wake)).
    pub fn guards_on_wake(mut self, on_wake: bool) -> Runner<A> {
        self.set_guards_on_wake(on_wake);
        self
    }

    /// Sets whether guards that look at the agent, its properties or its world are evaluated only after the host has
    /// said that these [changed](Runner::changed). Then they keep no agent due. On entry guards are evaluated in any
    /// case, and those with `mode: poll` in every poll.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::tree::asset::TreeAsset;
    /// use bt_core::{Runner, TreeSet};
    /// use std::time::Duration;
    ///
    /// #[derive(Agent)]
    /// struct Hare { is_safe: bool }
    ///
    /// #[agent]
    /// impl Hare {
    ///     #[condition]
    ///     fn is_safe(&self) -> bool { self.is_safe }
    /// }
    ///
    /// let script = "AGENT hare\nwait_for_seconds 60\n    GUARD SELF is_safe\n";
    /// let mut trees = TreeSet::<Hare>::new();
    /// trees.add(TreeAsset::from_script("graze.bt", script)?);
    /// let mut runner = Runner::new(&trees.build()?, "graze.bt")?.guards_on_wake(true);
    /// runner.start();
    /// let mut hare = Hare { is_safe: true };
    /// let poll = runner.poll(&mut hare, Duration::ZERO);
    /// assert_eq!(poll.next_wake, Some(Duration::from_secs(60)), "no need to look before");
    ///
    /// hare.is_safe = false;
    /// runner.changed();
    /// assert_eq!(runner.next_wake(), Some(Duration::ZERO));
    /// runner.poll(&mut hare, Duration::from_secs(1));
    /// assert!(runner.has_failed());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_guards_on_wake(&mut self, on_wake: bool) {
        self.core.pace().set_on_wake(on_wake);
        self.core.wake_for_pace();
    }

    /// The agent or its world changed: guards that [wait for that](Runner::set_guards_on_wake) are evaluated in the
    /// next poll, which is due at once.
    pub fn changed(&mut self) {
        self.core.pace().change();
        self.core.wake_for_pace();
    }
}

impl Core {
    /// The next poll finds out when the one after it is due.
    fn wake_for_pace(&mut self) {
        self.quiet = Quiet::No;
    }

    /// A poll that has nothing to do before the next turn is not counted.
    #[cold]
    pub(super) fn wait_for_turn(&mut self) {
        self.poll = self.poll.wrapping_sub(1);
        self.last = None;
    }
}

impl Walker<'_> {
    /// A poll begins: marks what has its turn later.
    pub(super) fn omit(&mut self) {
        let Some(pace) = self.core.its_pace() else {
            return;
        };
        let is_deadline =
            |timer: &Timer| timer.purpose() == Purpose::Node && timer.time() <= self.core.now();
        let cold = self.core.cold.as_ref();
        let rechecks = cold.is_some_and(|cold| !cold.rechecks.is_empty());
        // “At a deadline the polled children run” as in a turn.
        let is_due = rechecks || self.core.timers.iter().any(is_deadline);
        let (file, now) = (self.file_period(), self.core.now());
        let mut pace = pace.clone();
        pace.begin(file, now, is_due);
        let omitted = pace.omitted();
        *self.core.pace() = pace;
        if omitted.turn {
            self.postpone_counts();
        }
        self.omit_resumed();
    }

    /// Numbers of polls do not count this one.
    fn postpone_counts(&mut self) {
        let core = &mut *self.core;
        let cold = core.cold.get_or_insert_default();
        let levels = cold.suspended.levels_mut().iter_mut();
        let suspended = levels.flat_map(|level| level.entries.iter_mut());
        for entry in core.entries.iter_mut().chain(suspended) {
            entry.until += u32::from(entry.until != 0);
        }
        for entry in &core.entries {
            cold.states.skip_polls(entry.at, 1);
        }
    }

    /// Marks what has its turn later, where a tree continues that was suspended.
    pub(super) fn omit_resumed(&mut self) {
        let Some(omitted) = self.core.its_pace().map(|pace| pace.omitted()) else {
            return;
        };
        let poll = self.core.poll;
        if omitted.turn {
            for entry in &mut self.core.entries {
                entry.stamp = poll;
            }
        }
        if omitted.guards {
            for number in 0..self.core.observed().len() {
                let watch = &self.core.observed()[number];
                let waits = omitted.turn || !watch.is_always_polled(self.plan);
                if watch.due <= Due::Abort && waits {
                    self.core.cold().observers.get_mut(number).stamp = poll;
                }
            }
        }
    }

    /// The turn of this poll is over; whether the tree begins again in the next.
    pub(super) fn end_pace(&mut self) -> bool {
        if !self.plan.paced && self.core.its_pace().is_none() {
            return false;
        }
        let file = self.file_period();
        let core = &mut *self.core;
        let has_ended = core.phase == Phase::Due && core.last.is_some() && !core.rests();
        let (now, random) = (core.now(), core.session.random_state());
        let pace = core.pace();
        pace.end(file, now, random);
        if has_ended {
            pace.set_begins_again(true);
        }
        pace.begins_later()
    }

    /// The tree was asked for by somebody, and waits for no turn.
    pub(super) fn begin_at_once(&mut self) {
        if let Some(pace) = self.core.pace_if_any() {
            pace.set_begins_again(false);
        }
    }

    /// The period that the file of the current tree says.
    fn file_period(&self) -> u64 {
        self.plan.tree_of(self.core.root).every
    }
}
