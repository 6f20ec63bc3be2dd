//! The command line.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bt_live::client::ClientError;
use bt_meta::cargo::Build;
use bt_meta::validate::levels::{self, Levels};
use clap::Parser;

use crate::games::Source;
use crate::http::Server;
use crate::project::agents;
use crate::project::door::{AsFailure as _, Place};
use crate::project::folders::Folders;
use crate::studio::{self, Options};

/// The longest `bt-meta.toml`, in bytes.
const SETTINGS: u64 = 1 << 20;

/// Edits behaviour trees in the browser
///
/// Prints the address of the page and opens it. The page can be reached from this machine alone, with the token in
/// the address. Without `--package` and `--catalogue`, the agents are those of an `agents.json` in the folder or
/// beside it, or of the package around it.
#[derive(Debug, Parser)]
#[command(name = "bt-studio", version, about)]
struct Cli {
    /// Folders of trees (default: this one)
    #[arg(value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Read an `agents.json` that was exported before
    #[arg(long, value_name = "FILE", conflicts_with = "Build")]
    catalogue: Option<PathBuf>,
    /// Write no file
    #[arg(long)]
    read_only: bool,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// The port of the page (default: any that is free)
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
    /// Attach to a running game: by its token file, or to the one that runs
    #[arg(long, value_name = "TOKEN_FILE", num_args = 0..=1)]
    attach: Option<Option<PathBuf>>,
    /// Open a recording of a port
    #[arg(long, value_name = "FILE")]
    recording: Vec<PathBuf>,
    /// Open a log of the original's debugger
    #[arg(long, value_name = "FILE")]
    log: Vec<PathBuf>,
    /// Take what games post to the original's debugger (`POST /post/ai_debug/`) on this port of this machine
    #[arg(long, value_name = "PORT")]
    listen: Option<u16>,
    #[command(flatten)]
    build: Build,
}

/// Runs the studio.
pub fn main() -> ExitCode {
    if let Some(code) = bt_meta::cargo::run_if_asked() {
        return code;
    }
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

fn run(cli: Cli) -> Result<(), String> {
    let given = match cli.folders.is_empty() {
        true => vec![PathBuf::from(".")],
        false => cli.folders,
    };
    let folders = Folders::open(&given)?;
    let source = match cli.catalogue {
        Some(file) => agents::Source::File(Place::named(&file).path()),
        None if cli.build != Build::default() => agents::Source::Package(Box::new(cli.build)),
        None => agents::Source::find(&folders),
    };
    let (levels, starts) = levels(&folders)?;
    let games = games(cli.attach, cli.recording, cli.log, cli.listen)?;
    let studio = studio::start(Options {
        games,
        levels,
        starts,
        folders,
        source,
        read_only: cli.read_only,
        state: studio::state_folder(),
    });
    let server = Server::bind(cli.port, studio).map_err(|error| match cli.port {
        0 => format!("cannot listen on this machine's own address: {error}"),
        port => format!("cannot listen on port {port}: {error}; choose another with `--port`"),
    })?;
    let url = server.url();
    println!("{url}");
    if !cli.no_open
        && let Err(error) = open::that_detached(&url)
    {
        eprintln!("note: cannot open a browser ({error}): open the address above");
    }
    server
        .serve()
        .map_err(|error| format!("cannot serve the page: {error}"))
}

/// The games and recordings to attach to from the start.
fn games(
    attach: Option<Option<PathBuf>>,
    recordings: Vec<PathBuf>,
    logs: Vec<PathBuf>,
    listen: Option<u16>,
) -> Result<Vec<Source>, String> {
    let mut games = Vec::new();
    match attach {
        None => {}
        Some(Some(token_file)) => games.push(Source::Game(token_file)),
        Some(None) => {
            let running = bt_live::client::games().map_err(|error| error.to_string())?;
            match <[PathBuf; 1]>::try_from(running) {
                Ok([one]) => games.push(Source::Game(one)),
                Err(none) if none.is_empty() => return Err(ClientError::NoGame.to_string()),
                Err(many) => return Err(ClientError::ManyGames(many).to_string()),
            }
        }
    }
    for file in recordings.iter().chain(&logs) {
        let found = Place::named(file).look();
        found.map_err(|why| why.unread(&file.display().to_string()).message)?;
    }
    let real = |file: PathBuf| Place::named(&file).path();
    games.extend(recordings.into_iter().map(real).map(Source::Recording));
    games.extend(logs.into_iter().map(real).map(Source::Log));
    games.extend(listen.map(Source::Listen));
    Ok(games)
}

/// The levels of `bt-meta.toml`: the one here, as for `bt-meta validate`, or the nearest above the first
/// folder.
fn levels(folders: &Folders) -> Result<(Levels, Vec<String>), String> {
    let first = folders.all().first().map(|folder| folder.path.as_path());
    let above = first.into_iter().flat_map(Path::ancestors);
    let mut places = std::iter::once(Path::new(".")).chain(above);
    let found = places.find_map(|folder| {
        let path = folder.join("bt-meta.toml");
        Place::named(&path).is_taken().then_some(path)
    });
    let Some(path) = found else {
        return Ok((Levels::default(), Vec::new()));
    };
    let text = Place::named(&path).text(SETTINGS);
    let text = text.map_err(|why| why.unread(&path.display().to_string()).message)?;
    levels::read(&path, &text).map_err(|error| error.to_string())
}
