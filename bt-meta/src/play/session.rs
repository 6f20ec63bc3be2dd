//! A play that is on: the tree, its agent, the time and the port. Whoever plays is its host.

use std::fmt;
use std::io;
use std::sync::{MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use bt_core::dynamic::{Describe, DynAgent};
use bt_core::{LeafId, Mode, Problem, Runner};
use bt_live::port::{AgentsGame, Options, Port, Sources, Texts};
use serde_json::Value;

use super::handler::{Player, Seat};
use super::host::Host;
use super::wanted::{Played, seconds};
use crate::catalogue::Catalogue;
use crate::error::Error;

/// A play that is on.
pub struct Session {
    sources: Sources<DynAgent>,
    pub(super) runner: Runner<DynAgent>,
    pub(super) agent: DynAgent,
    host: Seat,
    port: Option<Port>,
    number: u64,
    mode: Mode,
    seed: u64,
    pub(super) now: Duration,
    tick: Duration,
}

impl Session {
    /// A play that has not begun. Its first poll is at 0.
    ///
    /// # Errors
    /// Findings for everything that is wrong with the trees, and for an agent that the catalogue does not have.
    pub fn new(catalogue: Catalogue, played: &Played, host: Seat) -> Result<Session, Error> {
        let ty = Describe::from_catalogue(catalogue, &played.agent);
        let ty = ty.and_then(|described| described.handler(Player::default()).build());
        let ty = ty.map_err(|error| Error::finding(error.to_string()))?;
        let sources = Sources::with(ty.trees(), played.texts.clone()).map_err(|problems| {
            Error::findings(problems.iter().map(ToString::to_string).collect())
        })?;
        let runner = Runner::new(sources.trees(), &played.tree);
        let runner = runner.map_err(|error| Error::finding(error.to_string()))?;
        let mode = if played.loops { Mode::Loop } else { Mode::Once };
        Ok(Session {
            sources,
            runner: runner.mode(mode).seed(played.seed),
            agent: DynAgent::new(&ty).with_state(host.clone()),
            host,
            port: None,
            number: 1,
            mode,
            seed: played.seed,
            now: Duration::ZERO,
            tick: played.tick.max(Duration::from_millis(1)),
        })
    }

    /// Begins anew: a new agent with its first values, at time 0. It stays to be [started](Session::start).
    pub fn begin_anew(&mut self) {
        self.runner.stop(&mut self.agent, self.now);
        self.look();
        let old = &self.runner;
        if let Ok(runner) = Runner::new(self.sources.trees(), old.tree()) {
            self.runner = runner.mode(self.mode).seed(self.seed);
        }
        self.agent = DynAgent::new(&self.agent.ty().clone()).with_state(self.host.clone());
        self.number += 1;
        self.now = Duration::ZERO;
    }

    /// Starts the tree: its first poll is the next one.
    pub fn start(&mut self) {
        self.runner.start();
    }

    /// The number by which tools know the agent.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Lets tools attach, as to a game.
    ///
    /// # Errors
    /// As of [`Port::open`].
    pub fn open_port(&mut self) -> io::Result<&Port> {
        let port = Port::open(Options::new(format!("play {}", self.runner.tree())))?;
        Ok(self.port.insert(port))
    }

    /// The runner.
    pub fn runner(&self) -> &Runner<DynAgent> {
        &self.runner
    }

    /// The agent.
    pub fn agent(&self) -> &DynAgent {
        &self.agent
    }

    /// The time of the last poll, or of the next one if it was moved.
    pub fn now(&self) -> Duration {
        self.now
    }

    /// Moves the time forward.
    pub fn move_to(&mut self, time: Duration) {
        self.now = self.now.max(time);
    }

    /// Fires an event, with its parameters as an object or an array, or null.
    ///
    /// # Errors
    /// The reason, with the nearest names.
    pub fn fire(&mut self, event: &str, params: &Value) -> Result<(), String> {
        let made = self.agent.ty().info().make_event(event, params);
        self.runner.fire(made.map_err(|error| error.to_string())?);
        Ok(())
    }

    /// Ends an action that waits.
    pub fn finish(&mut self, leaf: LeafId, success: bool) {
        self.runner.finish(leaf, success);
    }

    /// Replaces the trees: what runs continues where it can.
    ///
    /// # Errors
    /// Everything that is wrong with them; then the old ones run on.
    pub fn replace(&mut self, texts: Texts) -> Result<(), Vec<Problem>> {
        let changes = self.sources.replace(texts)?;
        self.runner.reload(&changes);
        Ok(())
    }

    /// The time of the next poll; none if nothing comes by itself.
    pub fn next(&self) -> Option<Duration> {
        if self.runner.has_queued_events() {
            return Some(self.now);
        }
        let wake = self.runner.next_wake()?;
        match wake > self.now {
            true => Some(wake),
            false => Some(self.now.saturating_add(self.tick)),
        }
    }

    /// Polls the tree, and says what it has to say.
    pub fn poll(&mut self) {
        let poll = self.runner.poll(&mut self.agent, self.now);
        if self.host().is_over() {
            // Nobody answered the last calls, so what came of them says nothing of the tree.
            return;
        }
        for said in self.runner.take_diagnostics() {
            self.say(&format!("  ! {said}\n"));
        }
        if !self.runner.is_running() {
            let ended = match poll.status {
                bt_core::Status::Success => "success",
                bt_core::Status::Failure => "failure",
                bt_core::Status::Running => "stopped",
            };
            self.say(&format!("{}: {ended}\n", seconds(self.now)));
        }
        self.look();
    }

    /// Lets the tools look that are attached.
    pub fn look(&mut self) {
        if let Some(port) = &mut self.port {
            let agents = [(self.number, &mut self.agent, &mut self.runner)];
            let mut world = ();
            let game = AgentsGame::new(agents, &mut world, self.now);
            port.poll(&mut game.sources(&mut self.sources));
        }
    }

    /// True if the tree has ended, or the host.
    pub fn is_over(&self) -> bool {
        !self.runner.is_running() || self.host().is_over()
    }

    /// Lets real time pass until the next poll's time has come, at so many seconds in one.
    pub(super) fn wait(&mut self, speed: f64) {
        while let Some(next) = self.next().filter(|next| *next > self.now) {
            let left = (next - self.now).as_secs_f64() / speed;
            let left = Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX);
            let real = left.min(SLICE);
            thread::sleep(real);
            self.now = match real == left {
                true => next,
                false => self.now + real.mul_f64(speed),
            };
            self.look();
        }
    }

    fn host(&self) -> MutexGuard<'_, dyn Host + 'static> {
        self.host.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn say(&self, text: &str) {
        self.host().say(text);
    }

    /// Sets a key, or a property with an `@`.
    ///
    /// # Errors
    /// The reason: an unknown name, or a value of another type.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), String> {
        match name.strip_prefix('@') {
            Some(property) => {
                let set = self.agent.set(property, value);
                set.map_err(|error| error.to_string())
            }
            None => {
                let key = name.strip_prefix('$').unwrap_or(name);
                let set = self.runner.blackboard().try_set(key, value);
                set.map_err(|error| error.to_string())
            }
        }
    }

    /// Ends the play: what runs is stopped, and tools hear of it.
    pub fn close(mut self) {
        self.stop();
    }

    /// Stops what runs.
    pub(super) fn stop(&mut self) {
        self.host().end();
        if let Some(port) = self.port.take() {
            let agents = [(self.number, &mut self.agent, &mut self.runner)];
            port.close(&mut AgentsGame::new(agents, &mut (), self.now));
        }
        self.runner.stop(&mut self.agent, self.now);
    }
}

/// The longest time for which tools are not looked at.
const SLICE: Duration = Duration::from_millis(20);

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("tree", &self.runner.tree())
            .field("now", &self.now)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use bt_core::dynamic::Answer;
    use bt_core::registry::catalogue::PropertyEntry;
    use bt_core::{Context, Exit};
    use serde_json::json;

    use super::super::fixture::{catalogue, hunt};
    use super::super::host::Call;
    use super::super::wanted::TICK;
    use super::*;

    /// A host that is no terminal: it answers by a rule, and keeps what it hears.
    #[derive(Default)]
    struct Heard {
        lines: Vec<String>,
        is_over: bool,
    }

    impl Host for Heard {
        fn call(&mut self, call: &Call<'_>, _: &Context<'_>) -> Answer {
            self.lines.push(format!("{} {:?}", call.name, call.args));
            match call.name {
                "walk_to" => Answer::after(Duration::from_secs(2), true),
                _ => Answer::success(),
            }
        }

        fn property(&mut self, property: &PropertyEntry) -> Option<Value> {
            self.lines.push(format!("@{}", property.item.name));
            Some(json!(30))
        }

        fn exits(&mut self, name: &str, _: Exit, _: &[Value]) {
            self.lines.push(format!("{name} exits"));
        }

        fn say(&mut self, text: &str) {
            self.lines.push(text.trim().to_owned());
        }

        fn end(&mut self) {
            self.is_over = true;
        }

        fn is_over(&self) -> bool {
            self.is_over
        }
    }

    #[test]
    fn a_host_without_a_terminal_answers_all_calls() {
        let played = Played {
            tree: "hunt.json".to_owned(),
            agent: "guard".to_owned(),
            texts: [("hunt.json".to_owned(), hunt().to_string())].into(),
            seed: 0,
            loops: false,
            tick: TICK,
        };
        let host = Arc::new(Mutex::new(Heard::default()));
        let mut session = Session::new(catalogue(), &played, host.clone()).unwrap();
        session.start();
        session.poll();
        assert!(!session.is_over());
        session.now = session.next().unwrap();
        assert_eq!(session.now, Duration::from_secs(2));
        session.poll();
        assert!(session.is_over());
        session.close();
        let heard = host.lock().unwrap();
        assert_eq!(
            heard.lines,
            ["sees_enemy []", "walk_to [Number(7)]", "@hp", "2s: success"]
        );
        assert!(heard.is_over);
    }
}
