//! The game that is attacked: 10,000 agents, 60 frames a second, and a line for each question on its input.

use std::io::{BufRead as _, Write as _};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use bt_core::pool::{AgentId, Pool};
use bt_core::prelude::*;
use bt_core::tree::asset::spec::{action, select, sequence, wait_event};
use bt_core::{Runner, TreeAsset};
use bt_live::port::{Options, PoolGame, Port, Sources};

/// The argument that tells the program that it is the game.
pub(crate) const AS_GAME: &str = "--be-the-game";

/// The number of agents; those from [`BUSY`] on never rest.
pub(crate) const AGENTS: u32 = 10_000;
pub(crate) const BUSY: u32 = AGENTS - 10;

/// An agent that counts.
#[derive(Agent)]
struct Ant {
    /// The number of times that it has stepped.
    #[property]
    steps: u32,
}

#[agent]
impl Ant {
    /// Somebody rings.
    #[event]
    fn bell(loud: i64);

    #[action]
    fn step(&mut self) {
        self.steps += 1;
    }
}

/// The id of an agent, as requests call it.
pub(crate) fn id(ant: u32) -> String {
    AgentId::from((ant, 1)).to_bits().to_string()
}

/// The trees: one that waits, one that never rests.
pub(crate) fn trees() -> [(String, String); 2] {
    let wait = sequence([
        wait_event("bell"),
        action("step"),
        action("wait_for_seconds").arg(1),
    ]);
    let busy = select([sequence([action("step"), action("step")])]);
    [("wait.json", wait), ("busy.json", busy)].map(|(name, top)| {
        let text = TreeAsset::build(name, "ant", top).to_json();
        (name.to_owned(), text)
    })
}

/// Plays until its input ends. Each line of that is a question.
pub(crate) fn run(folder: &str) {
    let folder = Path::new(folder);
    let mut sources = Sources::<Ant>::new(trees().into()).unwrap();
    let options = Options::new("ants")
        .token_file(folder.join("token.json"))
        .recordings(folder);
    let mut port = Port::open(options).unwrap();
    let mut pool = Pool::new();
    for ant in 0..AGENTS {
        let tree = if ant < BUSY { "wait.json" } else { "busy.json" };
        let mut runner = Runner::new(sources.trees(), tree).unwrap();
        runner.start();
        pool.spawn(Ant { steps: 0 }, runner);
    }
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            _ = sender.send(line);
        }
    });
    let mut polls: Vec<u64> = Vec::new();
    let (began, frame) = (Instant::now(), Duration::from_micros(16_667));
    for number in 0.. {
        let next = began + frame * number;
        thread::sleep(next.saturating_duration_since(Instant::now()));
        pool.poll(frame * number);
        let before = Instant::now();
        port.poll(&mut PoolGame::new(&mut pool, &mut ()).sources(&mut sources));
        polls.push(before.elapsed().as_nanos() as u64);
        loop {
            let answer = match lines.try_recv().as_deref() {
                Ok("begin") => {
                    polls.clear();
                    String::new()
                }
                Ok("report") => report(&mut polls),
                Ok("held") => {
                    let held = pool.iter();
                    let held = held.filter(|(_, _, it)| it.stopped().is_some() || it.is_paused());
                    format!("{} {}", port.speed(), held.count())
                }
                Ok("recorded") => port.statistics().records.to_string(),
                Ok(_) | Err(mpsc::TryRecvError::Empty) => break,
                Err(mpsc::TryRecvError::Disconnected) => return,
            };
            println!("{answer}");
            _ = std::io::stdout().flush();
        }
    }
}

/// The number of polls, and the times that they took.
fn report(polls: &mut [u64]) -> String {
    polls.sort_unstable();
    let at = |part: usize| polls.get(polls.len() * part / 100).copied().unwrap_or(0) as f64 / 1e6;
    let max = polls.last().copied().unwrap_or(0) as f64 / 1e6;
    format!("{} {} {} {max}", polls.len(), at(50), at(99))
}
