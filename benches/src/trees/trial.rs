//! One engine at one task: what is timed.

use std::error::Error;
use std::fmt;
use std::hint::black_box;
use std::time::Duration;

use super::{Engine, Loads, Shape};
use crate::Timed;

/// The host's time from one poll of an agent to the next.
const FRAME: Duration = Duration::from_millis(1);

/// One engine at one task.
pub struct Trial {
    name: String,
    engine: &'static str,
    task: Box<dyn Task>,
}

trait Task {
    fn run(&mut self, times: u64);
    fn tally(&self) -> u64;
}

impl Trial {
    /// Polls one agent.
    ///
    /// # Errors
    /// If the engine refuses the tree.
    pub fn one<E: Engine>(name: &str, shape: &Shape) -> Result<Trial, Box<dyn Error>> {
        Trial::crowd::<E>(name, shape, 1)
    }

    /// Polls so many agents in turn.
    ///
    /// # Errors
    /// If the engine refuses the tree.
    pub fn crowd<E: Engine>(
        name: &str,
        shape: &Shape,
        agents: usize,
    ) -> Result<Trial, Box<dyn Error>> {
        let mut trees = E::trees(shape)?;
        let agent = |_| {
            let body = E::Body::default();
            E::runner(&mut trees, &body).map(|runner| Agent::<E> { runner, body })
        };
        let agents = (0..agents).map(agent).collect::<Result<_, _>>()?;
        let crowd = Crowd {
            agents,
            next: 0,
            now: Duration::ZERO,
        };
        Ok(Trial::of::<E>(name, crowd))
    }

    /// Reads the tree from text, and makes an agent that is about to run it.
    ///
    /// # Errors
    /// If the engine refuses the tree.
    pub fn loading<E: Loads>(name: &str, shape: &Shape) -> Result<Trial, Box<dyn Error>> {
        let loading = Loading::<E> {
            trees: E::trees(shape)?,
            text: E::text(shape)?,
            tally: 0,
        };
        Ok(Trial::of::<E>(name, loading))
    }

    fn of<E: Engine>(name: &str, task: impl Task + 'static) -> Trial {
        Trial {
            name: format!("{name}, {}", E::NAME),
            engine: E::NAME,
            task: Box::new(task),
        }
    }

    /// The name of its engine.
    pub fn engine(&self) -> &'static str {
        self.engine
    }

    /// The first of those at the same task that does not do the same as the first of all.
    pub fn disagreement(trials: &mut [Trial]) -> Option<String> {
        let mut tallies = trials.iter_mut().map(|trial| {
            // A crowd's second turn waits.
            trial.task.run(Trial::CROWD as u64 + 24);
            (trial.task.tally(), &trial.name)
        });
        let (first, name) = tallies.next()?;
        tallies
            .find(|(tally, _)| *tally != first || *tally == 0)
            .map(|(tally, other)| {
                format!("the leaves of `{name}` came to {first}, of `{other}` to {tally}")
            })
    }

    /// The agents of a large crowd.
    pub const CROWD: usize = 10_000;
}

impl Timed for Trial {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, times: u64) {
        self.task.run(times);
    }
}

impl fmt::Debug for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Trial").field(&self.name).finish()
    }
}

struct Agent<E: Engine> {
    runner: E::Runner,
    body: E::Body,
}

struct Crowd<E: Engine> {
    agents: Vec<Agent<E>>,
    next: usize,
    now: Duration,
}

impl<E: Engine> Task for Crowd<E> {
    fn run(&mut self, mut times: u64) {
        while times > 0 {
            if self.next == self.agents.len() {
                self.next = 0;
            }
            if self.next == 0 {
                self.now += FRAME;
            }
            let left = usize::try_from(times).unwrap_or(usize::MAX);
            let end = self.agents.len().min(self.next.saturating_add(left));
            let now = self.now;
            for agent in &mut self.agents[self.next..end] {
                let agent = black_box(agent);
                E::poll(&mut agent.runner, &mut agent.body, now);
            }
            times -= (end - self.next) as u64;
            self.next = end;
        }
    }

    fn tally(&self) -> u64 {
        self.agents.iter().map(|agent| E::tally(&agent.body)).sum()
    }
}

struct Loading<E: Engine> {
    trees: E::Trees,
    text: String,
    tally: u64,
}

impl<E: Loads> Task for Loading<E> {
    fn run(&mut self, times: u64) {
        let body = E::Body::default();
        for _ in 0..times {
            let text = black_box(&*self.text);
            // It was loaded before; the tally tells if it cannot be now.
            let runner = E::load(&mut self.trees, text, &body);
            self.tally += u64::from(black_box(runner).is_ok());
        }
    }

    fn tally(&self) -> u64 {
        self.tally
    }
}
