//! The command line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bt_meta::cargo::Build;
use bt_meta::validate::levels::{self, Levels};
use clap::Parser;

use crate::http::Server;
use crate::project::agents::Source;
use crate::project::folders::Folders;
use crate::studio::{self, Options};

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
    #[command(flatten)]
    build: Build,
}

/// Runs the studio.
pub fn main() -> ExitCode {
    bt_meta::cargo::run_if_asked();
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
        Some(file) => Source::File(file),
        None if cli.build != Build::default() => Source::Package(Box::new(cli.build)),
        None => Source::find(&folders),
    };
    let (levels, starts) = levels(&folders)?;
    let studio = studio::start(Options {
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

/// What `bt-meta.toml` says: the one here, as for `bt-meta validate`, or the nearest above the first folder.
fn levels(folders: &Folders) -> Result<(Levels, Vec<String>), String> {
    let first = folders.all().first().map(|folder| folder.path.as_path());
    let above = first.into_iter().flat_map(Path::ancestors);
    let mut places = std::iter::once(Path::new(".")).chain(above);
    let found = places.find_map(|folder| {
        let path = folder.join("bt-meta.toml");
        path.is_file().then_some(path)
    });
    let Some(path) = found else {
        return Ok((Levels::default(), Vec::new()));
    };
    let text = fs::read_to_string(&path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    levels::read(&path, &text).map_err(|error| error.to_string())
}
