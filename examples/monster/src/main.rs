//! Plays a scene of agents on their trees, and tells what happens.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::time::Duration;

use monster::scene::{STEP, Scene};

const HELP: &str = "\
Plays a scene of monsters, players and accounts on behaviour trees, and tells what happens

Usage: monster [OPTIONS]

Options:
      --agents <N>   How many agents, from 1 to 2000: half of them monsters, the others accounts
                     and the players that these bring in [default: 36]
      --seconds <S>  How long, in simulated seconds, from 1 to 86400 [default: 180]
      --seed <N>     Another seed is another scene, the same seed the same one [default: 1]
  -h, --help         Print help

Exit codes:
  0  played to the end
  1  a tree cannot be built or went wrong, or nothing can be printed
  2  wrong options
";

/// What the command line asks for.
struct Options {
    agents: u32,
    seconds: u32,
    seed: u64,
}

fn main() -> ExitCode {
    let options = match parse(std::env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(why) => {
            eprintln!("error: {why}\n\nFor more information, try `--help`.");
            return ExitCode::from(2);
        }
    };
    match play(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // Whoever reads has read enough, as `head` has.
        Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// The options; none if help is wanted.
fn parse(mut args: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
    let mut options = Options {
        agents: 36,
        seconds: 180,
        seed: 1,
    };
    while let Some(arg) = args.next() {
        let (name, given) = match arg.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (arg.as_str(), None),
        };
        let mut whole = |from: u64, to: u64| {
            let value = given.clone().or_else(|| args.next());
            let value = value.ok_or_else(|| format!("`{name}` needs a number"))?;
            let number = value.parse().ok().filter(|n| (from..=to).contains(n));
            let range = format!("expected a whole number from {from} to {to}");
            number.ok_or_else(|| format!("`{name}`: {range}, found `{value}`"))
        };
        match name {
            "--agents" => options.agents = whole(1, 2000)? as u32,
            "--seconds" => options.seconds = whole(1, 86_400)? as u32,
            "--seed" => options.seed = whole(0, u64::MAX)?,
            "-h" | "--help" => match given {
                None => return Ok(None),
                Some(value) => return Err(format!("`{name}` takes no value, found `{value}`")),
            },
            _ => {
                let known = "`--agents`, `--seconds`, `--seed` and `--help`";
                return Err(format!("unknown option `{arg}`; there are {known}"));
            }
        }
    }
    Ok(Some(options))
}

/// Plays it; whether nothing went wrong on the trees.
fn play(options: &Options) -> Result<bool, Box<dyn std::error::Error>> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut scene = Scene::new(options.agents, options.seed)?;
    let end = Duration::from_secs(options.seconds.into());
    while scene.world().now() < end {
        scene.run(STEP);
        for line in scene.take_lines() {
            writeln!(out, "{line}")?;
        }
    }
    scene.stop();
    write!(out, "\n{}", scene.tally())?;
    out.flush()?;
    for (id, diagnostic) in scene.diagnostics() {
        eprintln!("entity {id}: {diagnostic}");
    }
    Ok(scene.diagnostics().is_empty())
}
