//! The command line: what can be asked for, and what is wrong with what was.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

pub(crate) const HELP: &str = "\
Plays a scene of monsters, players and accounts on behaviour trees, and tells what happens

Usage: monster [OPTIONS]

Options:
      --agents <N>      How many agents, from 1 to 100000: half of them monsters, the others
                        accounts and the players that these bring in [default: 36]
      --seconds <S>     When it ends, in simulated seconds from its beginning, from 1 to 86400
                        [default: 180]
      --seed <N>        Another seed is another scene, the same seed the same one [default: 1]
      --trace <FILE>    Write down what the agents do on their trees. The file's ending says how:
                          .jsonl  JSON lines, of all agents
                          .log    behaviac's lines of text, of all agents
                          .json   a log of one agent, for the original editor's debugger
                        May be given several times
      --of <NAME>       Trace this agent only, by its name in the story: `wolf#12`, or `wolf-12`;
                        otherwise a `.json` is of the first that there is
      --watch <NAME>    Tell in words what this agent does on its tree, between the story's lines
      --save <FILE>     Save the scene when it ends
      --save-at <S>     Save it when so many seconds have passed, and play on
      --restore <FILE>  Play on from where a scene was saved
      --reload [FOLDER] Read the trees from a folder, and reload them whenever files are saved there;
                        the scene plays in real time [default: the trees of this example]
      --live            Open a port, so that tools can look into the scene and change it; it plays in
                        real time, for a day if `--seconds` does not say when it ends
      --speed <S>       How fast time passes with `--live`, from 0 to 16: 1 is real time. It is made for
                        showing: the first wolf has no route and stands still, until somebody finds out
                        why and gives it one
  -h, --help            Print help

Exit codes:
  0  played to the end
  1  a tree cannot be built or went wrong, a file cannot be read or written, or nothing can be
     printed
  2  wrong options
";

/// The options of the command line.
#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    pub(crate) begin: Begin,
    /// The time at which it ends, in seconds.
    pub(crate) seconds: u32,
    /// The files that are to be written, and how.
    pub(crate) traces: Vec<(PathBuf, Format)>,
    /// The agents that they are about, if not all.
    pub(crate) of: Option<String>,
    pub(crate) watch: Option<String>,
    pub(crate) save: Option<Save>,
    /// The folder of the trees, if they are reloaded.
    pub(crate) reload: Option<PathBuf>,
    /// True if there is a port.
    pub(crate) live: bool,
    /// The speed of time, if it is made for showing.
    pub(crate) speed: Option<f64>,
}

/// The start of the scene.
#[derive(Debug, PartialEq)]
pub(crate) enum Begin {
    New { agents: u32, seed: u64 },
    Restored(PathBuf),
}

/// The format of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    JsonLines,
    Behaviac,
    DebugLog,
}

/// The place where the scene is saved.
#[derive(Debug, PartialEq)]
pub(crate) struct Save {
    pub(crate) file: PathBuf,
    /// The time of the save, in seconds; none at its end.
    pub(crate) at: Option<u32>,
}

const NAMES: [&str; 12] = [
    "--agents",
    "--seconds",
    "--seed",
    "--trace",
    "--of",
    "--watch",
    "--save",
    "--save-at",
    "--restore",
    "--reload",
    "--live",
    "--speed",
];

/// The trees of this example.
const TREES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/trees");

/// The options as given, in no context yet.
#[derive(Default)]
struct Given {
    agents: Option<u32>,
    seconds: Option<u32>,
    seed: Option<u64>,
    traces: Vec<(PathBuf, Format)>,
    of: Option<String>,
    watch: Option<String>,
    save: Option<PathBuf>,
    save_at: Option<u32>,
    restore: Option<PathBuf>,
    reload: Option<PathBuf>,
    live: bool,
    speed: Option<f64>,
}

/// The options; none if help is wanted.
///
/// # Errors
/// What is wrong with them, and what would be right.
pub(crate) fn parse(args: impl Iterator<Item = OsString>) -> Result<Option<Options>, String> {
    let args = args.map(|arg| {
        let text = arg.into_string();
        text.map_err(|arg| format!("`{}` is no Unicode text", arg.display()))
    });
    let mut args = args.peekable();
    let mut given = Given::default();
    while let Some(arg) = args.next().transpose()? {
        let (name, value) = match arg.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (arg.as_str(), None),
        };
        if matches!(name, "-h" | "--help") {
            return match value {
                None => Ok(None),
                Some(value) => Err(format!("`{name}` takes no value, found `{value}`")),
            };
        }
        let Some(known) = NAMES.iter().find(|known| **known == name) else {
            let names = NAMES.map(|name| format!("`{name}`")).join(", ");
            return Err(format!(
                "unknown option `{arg}`; there are {names} and `--help`"
            ));
        };
        let value = match value {
            // What begins so is the next option.
            None => args
                .next_if(|next| next.as_ref().is_ok_and(|next| !next.starts_with("--")))
                .transpose()?,
            given => given,
        };
        given.take(known, value)?;
    }
    given.options().map(Some)
}

impl Given {
    fn take(&mut self, name: &str, value: Option<String>) -> Result<(), String> {
        let needs = |what: &str| format!("`{name}` needs a {what}");
        let file = |value: Option<String>| {
            let file = value.filter(|value| !value.is_empty()).map(PathBuf::from);
            file.ok_or_else(|| needs("file"))
        };
        let agent = |value: Option<String>| value.ok_or_else(|| needs("name"));
        match name {
            "--agents" => self.agents = Some(whole(name, value, 1, 100_000)?),
            "--seconds" => self.seconds = Some(whole(name, value, 1, 86_400)?),
            "--seed" => self.seed = Some(whole(name, value, 0, u64::MAX)?),
            "--trace" => {
                let file = file(value)?;
                let format = Format::of(&file)?;
                self.traces.push((file, format));
            }
            "--of" => self.of = Some(agent(value)?),
            "--watch" => self.watch = Some(agent(value)?),
            "--save" => self.save = Some(file(value)?),
            "--reload" => self.reload = Some(value.unwrap_or_else(|| TREES.to_owned()).into()),
            "--live" => match value {
                None => self.live = true,
                Some(value) => return Err(format!("`--live` takes no value, found `{value}`")),
            },
            "--speed" => self.speed = Some(speed(value)?),
            "--save-at" => self.save_at = Some(whole(name, value, 1, 86_400)?),
            _ => self.restore = Some(file(value)?),
        }
        Ok(())
    }

    /// Refuses options that do not go together.
    fn options(self) -> Result<Options, String> {
        let seconds = self.seconds.unwrap_or(if self.live { 86_400 } else { 180 });
        if self.live && self.reload.is_some() {
            let why = "`--live` does not go with `--reload`: clients of the port replace the trees";
            return Err(why.to_owned());
        }
        if self.speed.is_some() && !self.live {
            let why = "`--speed` says how fast time passes with `--live`; there is no `--live`";
            return Err(why.to_owned());
        }
        let begin = match self.restore {
            Some(_) if self.reload.is_some() => {
                let why = "`--reload` does not go with `--restore`: a saved scene has its trees"
                    .to_owned();
                return Err(why);
            }
            Some(_) if self.agents.is_some() => return Err(saved_with("--agents", "agents")),
            Some(_) if self.seed.is_some() => return Err(saved_with("--seed", "luck")),
            Some(file) => Begin::Restored(file),
            None => Begin::New {
                agents: self.agents.unwrap_or(36),
                seed: self.seed.unwrap_or(1),
            },
        };
        if self.of.is_some() && self.traces.is_empty() {
            return Err("`--of` says whom `--trace` is about; there is no `--trace`".to_owned());
        }
        let save = match (self.save, self.save_at) {
            (None, Some(_)) => {
                return Err("`--save-at` says when to `--save`; there is no `--save`".to_owned());
            }
            (Some(_), Some(at)) if at > seconds => {
                let end = format!("the scene ends after {seconds} seconds");
                return Err(format!("`--save-at`: {end}, found `{at}`"));
            }
            (file, at) => file.map(|file| Save { file, at }),
        };
        Ok(Options {
            begin,
            seconds,
            traces: self.traces,
            of: self.of,
            watch: self.watch,
            save,
            reload: self.reload,
            live: self.live,
            speed: self.speed,
        })
    }
}

fn saved_with(name: &str, what: &str) -> String {
    format!("`{name}` does not go with `--restore`: the scene was saved with its {what}")
}

/// The speed of time.
fn speed(value: Option<String>) -> Result<f64, String> {
    let value = value.ok_or("`--speed` needs a number")?;
    let number = value
        .parse()
        .ok()
        .filter(|speed| (0.0..=16.0).contains(speed));
    number.ok_or_else(|| format!("`--speed`: expected a number from 0 to 16, found `{value}`"))
}

/// A whole number of a range.
fn whole<T>(name: &str, value: Option<String>, from: T, to: T) -> Result<T, String>
where
    T: FromStr + PartialOrd + std::fmt::Display,
{
    let value = value.ok_or_else(|| format!("`{name}` needs a number"))?;
    let number = value.parse().ok().filter(|n| (&from..=&to).contains(&n));
    let range = format!("expected a whole number from {from} to {to}");
    number.ok_or_else(|| format!("`{name}`: {range}, found `{value}`"))
}

impl Format {
    /// The format of a file's ending.
    fn of(file: &Path) -> Result<Format, String> {
        match file.extension().and_then(|ending| ending.to_str()) {
            Some("jsonl") => Ok(Format::JsonLines),
            Some("log") => Ok(Format::Behaviac),
            Some("json") => Ok(Format::DebugLog),
            _ => Err(format!(
                "`--trace`: expected a file that ends in `.jsonl` (JSON lines), `.log` (behaviac's \
                 lines) or `.json` (the original debugger's log of one agent), found `{}`",
                file.display()
            )),
        }
    }
}
