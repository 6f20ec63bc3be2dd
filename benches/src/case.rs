//! One way of calling: what is timed, or counted.

use std::fmt;
use std::hint::black_box;

use bt_core::{Context, Session};

use crate::{Timed, Wolf, World};

/// Everything that a call needs beside its callee.
#[derive(Debug)]
pub struct Stage<const COPY: u64> {
    /// The agent.
    pub wolf: Wolf<COPY>,
    /// Its world.
    pub world: World,
    /// Its blackboard, with a value for every key that a case binds.
    pub session: Session,
}

impl<const COPY: u64> Default for Stage<COPY> {
    fn default() -> Stage<COPY> {
        let session = Session::new(7);
        session.blackboard().set("target", 7);
        session.blackboard().set("range", 2.0);
        session.blackboard().set("text", "intrude");
        Stage {
            wolf: Wolf::default(),
            world: World::default(),
            session,
        }
    }
}

/// The case that a case is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compared {
    /// Nothing.
    Alone,
    /// The case of that name, which calls with the same arguments.
    With(&'static str),
    /// Every [`Compared::Rival`]: this is one of our calls by name.
    ByName,
    /// Another crate's call by name.
    Rival,
}

/// One way of calling, measured in a few copies.
///
/// A call takes a few cycles, and by where its few instructions happen to lie in memory it takes up
/// to half as much again: any change of a program moves them. So the same is compiled several
/// times, and what is measured is the mean.
pub struct Case {
    name: &'static str,
    compared: Compared,
    copies: Vec<Box<dyn FnMut(u64) -> u64>>,
}

impl Case {
    /// A case whose `call` calls `callee` once, and says whether the method answered `true`.
    ///
    /// Every case is as opaque to the compiler as every other: the callee, with the arguments that
    /// it holds, goes through a [`black_box`] before each call, and that is also where the agent,
    /// the world and the context, which have gone through one before, may change.
    pub fn new<const COPY: u64, C, F>(
        name: &'static str,
        compared: Compared,
        mut stage: Stage<COPY>,
        mut callee: C,
        mut call: F,
    ) -> Case
    where
        C: 'static,
        F: FnMut(&mut C, &mut Wolf<COPY>, &mut World, &mut Context<'_>) -> bool + 'static,
    {
        let run = move |calls| {
            let wolf = black_box(&mut stage.wolf);
            let world = black_box(&mut stage.world);
            let mut cx = stage.session.context();
            let cx = black_box(&mut cx);
            let mut worked = 0;
            // From another number in each copy, or the compiler would make them one; and from one
            // that it does not see, or the loops would differ.
            let first = black_box(COPY * 16);
            for tick in first..first + calls {
                wolf.beast.tick = tick;
                worked += u64::from(call(black_box(&mut callee), wolf, world, cx));
            }
            worked
        };
        Case {
            name,
            compared,
            copies: vec![Box::new(run)],
        }
    }

    /// Takes the copies of another case in.
    pub(crate) fn join(&mut self, other: Case) {
        self.copies.extend(other.copies);
    }

    /// The case that it is compared with.
    pub fn compared(&self) -> Compared {
        self.compared
    }

    /// Makes that many calls, the same number in each copy if they can be shared so; how many of
    /// them answered `true`.
    fn answers(&mut self, calls: u64) -> u64 {
        let copies = self.copies.len() as u64;
        let (each, rest) = (calls / copies, calls % copies);
        let shares = (0..copies).map(|at| each + u64::from(at < rest));
        let runs = self.copies.iter_mut().zip(shares);
        runs.map(|(run, calls)| run(calls)).sum()
    }
}

impl Timed for Case {
    fn name(&self) -> &str {
        self.name
    }

    fn run(&mut self, calls: u64) {
        // Nobody else looks at the sum, and so the calls could be dropped.
        black_box(self.answers(calls));
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Case")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// The first case that does not do what all do, if there is one: each method answers `true` to one
/// call of four.
pub fn disagreement(cases: &mut [Case]) -> Option<String> {
    let calls = 1024;
    cases.iter_mut().find_map(|case| {
        let worked = case.answers(calls);
        (worked != calls / 4).then(|| {
            let name = case.name();
            format!("`{name}` answered `true` to {worked} of {calls} calls, not to one of four")
        })
    })
}
