//! `bt-meta play`: a tree without its game.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::explain::seconds;
use crate::play::{self, Pace, Wanted};

#[derive(Debug, Args)]
pub(super) struct Played {
    /// The tree's file; the trees that it calls are beside it
    #[arg(value_name = "TREE")]
    tree: PathBuf,
    /// The agent; otherwise the one that the tree names
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// The seed of the agent's random stream
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,
    /// Seconds of the tree's time after which it ends
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    until: Option<Duration>,
    /// Seconds between two polls of what runs in every poll
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "0.1")]
    tick: Duration,
    /// Let the time pass: so many seconds in one
    #[arg(
        long,
        value_name = "FACTOR",
        conflicts_with = "fast",
        allow_negative_numbers = true
    )]
    speed: Option<f64>,
    /// Let the time pass as fast as it can, for an hour of the tree's time unless `--until` says otherwise
    #[arg(long)]
    fast: bool,
    /// Begin again when the tree has ended
    #[arg(long = "loop")]
    loops: bool,
    /// First value of a key, or of a property with an `@`: `@hp=100`
    #[arg(long, value_name = "NAME=JSON")]
    set: Vec<String>,
    /// Write the trace to a file, which `explain-run` reads
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Let the studio, VS Code and `bt-meta live` attach
    #[arg(long)]
    live: bool,
}

const HOUR: Duration = Duration::from_secs(3600);

pub(super) fn run(catalogue: Catalogue, played: &Played) -> Result<(), Error> {
    let pace = match (played.speed, played.fast) {
        (Some(speed), _) if speed.is_finite() && speed > 0.0 => Pace::Speed(speed),
        (Some(speed), _) => {
            return Err(Error::failure(format!(
                "`--speed {speed}`: expected a factor above 0, such as 0.5"
            )));
        }
        (None, true) => Pace::Fast,
        (None, false) => Pace::Step,
    };
    let wanted = Wanted {
        tree: played.tree.clone(),
        agent: played.agent.clone(),
        seed: played.seed,
        until: played.until.or(played.fast.then_some(HOUR)),
        tick: played.tick,
        pace,
        loops: played.loops,
        set: played.set.clone(),
        record: played.record.clone(),
        live: played.live,
    };
    let input = io::stdin();
    let echo = !input.is_terminal();
    let lines = play::lines_of(io::BufReader::new(input), echo);
    play::play(catalogue, &wanted, lines, Box::new(io::stdout()))
}
