//! A runner of a probe, with a clock in seconds.

use std::time::Duration;

use bt_core::debug::Step;
use bt_core::tree::asset::AssetError;
use bt_core::tree::asset::spec::NodeSpec;
use bt_core::tree::check::{Limits, Rules};
use bt_core::{Context, Event, Mode, Random, Runner, Status, TreeAsset, TreeSet};
use serde_json::Value;

use super::agent::{Probe, Reply};
use super::log::in_short;
use super::replayed::Replayed;

/// A tree at play: see [`probe`](super).
#[derive(Debug)]
pub struct Play {
    /// The agent.
    pub probe: Probe,
    /// Its runner, which is started.
    pub runner: Runner<Probe>,
    now: Duration,
    is_over: bool,
    steps: Option<Steps>,
    /// The number of times that it was stopped.
    pub stops: u64,
}

/// The way in which a play continues whenever a debugger has stopped it.
#[derive(Debug, Clone, Copy)]
pub enum Steps {
    /// To the next place where it can stop.
    All,
    /// By any step, which a seed says.
    Any(u64),
}

impl Steps {
    /// The next step.
    fn next(&mut self) -> Step {
        let Steps::Any(seed) = self else {
            return Step::Record;
        };
        let mut random = Random::new(*seed);
        *seed = random.int(0..=i64::MAX) as u64;
        match random.int(0..=9) {
            0..=4 => Step::Record,
            5 | 6 => Step::Into,
            7 => Step::Over,
            8 => Step::Out,
            _ => Step::Poll,
        }
    }
}

impl Play {
    /// One tree, `main`, that is run once.
    ///
    /// # Panics
    /// If it cannot be built.
    pub fn new(main: NodeSpec) -> Play {
        Play::trees([("main", main)])
    }

    /// Some trees; the first is run, once.
    ///
    /// # Panics
    /// If they cannot be built.
    pub fn trees<'a>(trees: impl IntoIterator<Item = (&'a str, NodeSpec)>) -> Play {
        let trees = trees.into_iter();
        let trees = trees.map(|(name, top)| TreeAsset::build(name, "probe", top));
        Play::of(trees).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The same, of trees that were made otherwise.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn of(trees: impl IntoIterator<Item = TreeAsset>) -> Result<Play, AssetError> {
        let mut set = TreeSet::new();
        set.rules(rules());
        for tree in trees {
            set.add(tree);
        }
        let trees = set.build()?;
        let first = trees.names().next().unwrap_or_default().to_owned();
        let runner = Runner::new(&trees, &first).unwrap_or_else(|error| panic!("{error}"));
        let mut runner = traced(runner.mode(Mode::Once));
        runner.start();
        Ok(Play {
            probe: Probe::default(),
            runner,
            now: Duration::ZERO,
            is_over: false,
            steps: None,
            stops: 0,
        })
    }

    /// With another runner of the same trees: `play.with(|runner| runner.seed(7))`.
    pub fn with(mut self, change: impl FnOnce(Runner<Probe>) -> Runner<Probe>) -> Play {
        let name = self.runner.tree().to_owned();
        let trees = self.runner.trees().clone();
        let runner = Runner::new(&trees, &name).unwrap_or_else(|error| panic!("{error}"));
        self.runner = traced(change(runner.mode(Mode::Once)));
        self.runner.start();
        self
    }

    /// The tree begins again when it has ended.
    pub fn looping(self) -> Play {
        self.with(|runner| runner.mode(Mode::Loop))
    }

    /// Sets the outcomes of a leaf's next calls.
    pub fn reply<T: Into<Reply>>(
        &mut self,
        leaf: &str,
        replies: impl IntoIterator<Item = T>,
    ) -> &mut Play {
        let replies = replies.into_iter().map(Into::into);
        self.probe.script(leaf, replies);
        self
    }

    /// Sets the outcome of each call of a leaf, once its script has run out.
    pub fn always(&mut self, leaf: &str, reply: impl Into<Reply>) -> &mut Play {
        self.probe.always(leaf, reply.into());
        self
    }

    /// Does something within each call of a leaf.
    pub fn on_call(
        &mut self,
        leaf: &str,
        act: impl FnMut(&mut Context<'_>) + Send + 'static,
    ) -> &mut Play {
        self.probe.on_call(leaf, Box::new(act));
        self
    }

    /// Sets what ends the cancelling of a [slow](super::slow) leaf, beside its completion.
    pub fn cancels(&mut self, leaf: &str, until: impl Into<Reply>) -> &mut Play {
        self.probe.cancels(leaf, until.into());
        self
    }

    /// Sets the answer of a condition from now on.
    pub fn flag(&mut self, name: &str, holds: bool) -> &mut Play {
        self.probe.flags.insert(name.to_owned(), holds);
        self
    }

    /// Sets a key of the blackboard.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) -> &mut Play {
        self.runner.blackboard().set(key, value);
        self
    }

    /// Fires an event.
    pub fn fire(&mut self, event: &str) -> &mut Play {
        self.runner.fire(Event::new(event));
        self
    }

    /// Polls at a time, in seconds.
    pub fn poll(&mut self, seconds: f64) -> Status {
        self.poll_at(Duration::from_secs_f64(seconds))
    }

    /// Polls at a time.
    pub fn poll_at(&mut self, now: Duration) -> Status {
        self.now = now;
        self.probe.show_sky();
        let mut status = self.runner.poll(&mut self.probe, now).status;
        Replayed::check(&self.runner);
        while let (Some(steps), Some(stop)) = (&mut self.steps, self.runner.stopped()) {
            let (number, step) = (stop.number, steps.next());
            let stepped = self.runner.step(number, step);
            stepped.unwrap_or_else(|error| panic!("{error}"));
            status = self.runner.poll(&mut self.probe, now).status;
            self.stops += 1;
        }
        status
    }

    /// Stops it now and again, and lets it continue at once.
    pub fn stepping(&mut self, steps: Steps) -> &mut Play {
        self.steps = Some(steps);
        self
    }

    /// Polls again, at the same time.
    pub fn again(&mut self) -> Status {
        self.poll_at(self.now)
    }

    /// Polls so often, at the same time.
    pub fn polls<const N: usize>(&mut self) -> [Status; N] {
        std::array::from_fn(|_| self.again())
    }

    /// The time of the next poll, in seconds.
    pub fn wake(&self) -> Option<f64> {
        self.runner.next_wake().map(|wake| wake.as_secs_f64())
    }

    /// Finishes the last call of a leaf by its completion, which the next poll delivers; whether it
    /// is the first answer.
    pub fn end(&mut self, leaf: &str, success: bool) -> bool {
        let last = self.probe.completions(leaf).last();
        let last = last.unwrap_or_else(|| panic!("`{leaf}` was given no completion"));
        last.finish(success)
    }

    /// The same, if it was given one.
    pub fn end_if_any(&mut self, leaf: &str, success: bool) -> bool {
        let last = self.probe.completions(leaf).last();
        last.is_some_and(|last| last.finish(success))
    }

    /// Finishes an earlier call of a leaf: the first is 0.
    pub fn end_call(&mut self, leaf: &str, call: usize, success: bool) -> bool {
        self.probe.completions(leaf)[call].finish(success)
    }

    /// Stops the tree.
    pub fn stop(&mut self) -> &mut Play {
        self.runner.stop(&mut self.probe, self.now);
        Replayed::check(&self.runner);
        self
    }

    /// Takes the log since the last call of this, or of [`brief`](Play::brief).
    pub fn log(&mut self) -> Vec<String> {
        self.probe.log.take()
    }

    /// The same in short: `+a` is entered, `~a` called again, `a:S`, `a:F` and `a:A` (aborted) left;
    /// `a:gone` has taken its time to cancel, `?a` is a condition; `+n` and `-n` are nodes that are [paired](super::paired).
    pub fn brief(&mut self) -> String {
        in_short(&self.log())
    }

    /// Takes the diagnostics since the last call.
    pub fn diagnostics(&mut self) -> Vec<String> {
        let all = self.runner.take_diagnostics();
        all.iter().map(ToString::to_string).collect()
    }

    /// The names of the leaves that are active.
    pub fn active(&self) -> Vec<String> {
        let leaves = self.runner.active_leaves();
        leaves.into_iter().map(|leaf| leaf.name).collect()
    }

    /// Stops the tree, waits for what is cancelling, and checks that all that began was left once.
    ///
    /// # Panics
    /// If it was not.
    pub fn finish(mut self) {
        self.close();
    }

    /// Drops it as it is: it is wrong already.
    pub fn abandon(mut self) {
        self.is_over = true;
    }

    fn close(&mut self) {
        if std::mem::replace(&mut self.is_over, true) {
            return;
        }
        self.probe.forget_acts();
        self.runner.resume();
        self.stop();
        for _ in 0..100 {
            if !self.runner.is_running() {
                break;
            }
            for completion in self.probe.all_completions() {
                completion.finish(true);
            }
            if self.probe.plain {
                // Which takes its time.
                self.now += Duration::from_secs(1);
            }
            self.again();
        }
        self.check_balance();
        assert!(!self.runner.is_running(), "it does not stop");
        assert_eq!(self.runner.active_nodes(), [], "active after a stop");
        assert_eq!(self.runner.active_leaves(), [], "active after a stop");
    }

    /// Checks that nothing was left more often than entered, and that what is open is active.
    ///
    /// # Panics
    /// If it does not add up.
    pub fn check_balance(&self) {
        let none: [&str; 0] = [];
        assert_eq!(self.probe.log.faults(), none);
        if !self.runner.is_running() {
            assert_eq!(self.probe.log.open(), none, "entered and never left");
        }
    }
}

/// With this variable in the environment every runner has a tracer, which takes another way through the trees.
pub const TRACED: &str = "BT_TRACED";

/// Trees of cases are large.
pub(super) fn rules() -> Rules {
    Rules::in_code().limits(Limits {
        nodes: 100_000,
        depth: 10_000,
    })
}

fn traced(runner: Runner<Probe>) -> Runner<Probe> {
    if std::env::var_os(TRACED).is_some() {
        runner.tracing(Replayed::default())
    } else {
        runner
    }
}

impl Drop for Play {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.close();
        }
    }
}
