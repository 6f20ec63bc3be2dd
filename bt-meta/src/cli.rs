//! The command line: options in, files and messages out, an exit code.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, ExitCode};
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::cargo::{self, Build, Exported};
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::layout::{Editor, Layout, Options, TypeNames};
use crate::write::Outcome;
use crate::{check, explain, files, list, own, protocol, write};

const EXIT_CODES: &str = "\
Exit codes:
  0  done; warnings are no reason to stop
  1  a finding: what is annotated contradicts itself, there is nothing to export, or something is wrong with a tree; no file was changed
  2  misuse or failure: wrong options, a package that does not build, a file that cannot be written";

/// Writes the files that the behaviour-tree editor loads, from what Rust code annotates
#[derive(Debug, Parser)]
#[command(name = "bt-meta", version, about, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Say nothing but warnings and errors
    #[arg(long, short, global = true)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write action_types.json, agent_hierarchy.json, node_types.json, agents.json and its schema
    ///
    /// The package is built as it is and asked for its agents; not a line of it has to change. Files are
    /// replaced whole, and only where their content changed.
    #[command(after_help = EXIT_CODES)]
    Export {
        #[command(flatten)]
        source: Source,
        #[command(flatten)]
        output: Output,
    },
    /// Print the agents: their bases, actions, properties and events, and where each is defined
    #[command(after_help = EXIT_CODES)]
    List {
        #[command(flatten)]
        source: Source,
        #[command(flatten)]
        listing: Listing,
    },
    /// Look for what is wrong with trees: what the runtime would refuse, and what is probably not meant
    ///
    /// All trees that call each other are named together. Problems are printed as
    /// `file:line:column: node N: message; help`.
    #[command(after_help = EXIT_CODES)]
    Check {
        #[command(flatten)]
        source: Source,
        #[command(flatten)]
        trees: Trees,
    },
    /// Say why an agent stood still, from its trace: what it waited for, since when, and what refused
    ///
    /// A trace is a file of JSON lines, which a runner's `bt_core::trace::JsonLines` writes. No trees and
    /// no agents are needed.
    #[command(after_help = EXIT_CODES)]
    ExplainRun {
        /// The trace
        #[arg(value_name = "TRACE")]
        trace: PathBuf,
        #[command(flatten)]
        moment: Moment,
    },
}

/// The command line of a user's own meta binary: the agents are linked into it.
#[derive(Debug, Parser)]
#[command(version, about = "Writes the behaviour-tree editor's files for the agents in this program", after_help = EXIT_CODES)]
struct OwnCli {
    #[command(subcommand)]
    command: OwnCommand,
    /// Say nothing but warnings and errors
    #[arg(long, short, global = true)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum OwnCommand {
    /// Write action_types.json, agent_hierarchy.json, node_types.json, agents.json and its schema
    #[command(after_help = EXIT_CODES)]
    Export {
        #[command(flatten)]
        output: Output,
    },
    /// Print the agents: their bases, actions, properties and events, and where each is defined
    #[command(after_help = EXIT_CODES)]
    List {
        #[command(flatten)]
        listing: Listing,
    },
    /// Look for what is wrong with trees: what the runtime would refuse, and what is probably not meant
    #[command(after_help = EXIT_CODES)]
    Check {
        #[command(flatten)]
        trees: Trees,
    },
}

/// Where the agents come from: a package, unless it is said otherwise.
#[derive(Debug, Args)]
struct Source {
    /// Ask a program that is built already; its `main` begins with `bt_core::export_if_asked();`
    #[arg(long, value_name = "PATH", conflicts_with_all = ["Build", "catalogue"])]
    executable: Option<PathBuf>,
    /// Read an `agents.json` that was exported before
    #[arg(long, value_name = "FILE", conflicts_with = "Build")]
    catalogue: Option<PathBuf>,
    #[command(flatten)]
    build: Build,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "What is written")]
struct Output {
    /// The directory for the files; made if it is not there
    #[arg(long, value_name = "DIR")]
    out_dir: PathBuf,
    /// Only this agent: its name, its full name or an alias
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// How action_types.json is laid out
    #[arg(long, value_enum, default_value_t)]
    layout: Layout,
    /// How the types of arguments are spelled
    #[arg(long, value_enum, default_value_t)]
    type_names: TypeNames,
    /// Which editor node_types.json is for
    #[arg(long, value_enum, default_value_t)]
    editor: Editor,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "What is printed")]
struct Listing {
    /// Only this agent: its name, its full name or an alias
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// As JSON, for programs
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "What is checked")]
struct Trees {
    /// Tree files, called by their file names; or folders, whose `.json` files are called by their paths
    /// from there
    #[arg(value_name = "FILES", required = true)]
    files: Vec<PathBuf>,
    /// The agent that runs all of them; else each is run by the agent that it names
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "What is explained")]
struct Moment {
    /// The agent, as the trace names it; not needed where that is about one only
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// When, in seconds on the host's clock; the end of the trace otherwise
    #[arg(long, value_name = "SECONDS", value_parser = explain::seconds)]
    at: Option<Duration>,
    /// After which poll
    #[arg(long, value_name = "NUMBER", conflicts_with = "at")]
    poll: Option<u32>,
    /// As JSON, for programs
    #[arg(long)]
    json: bool,
}

/// What `bt-meta` does with its command line.
pub fn main() -> ExitCode {
    if let Some(code) = cargo::run_if_asked() {
        return code;
    }
    let Cli { command, quiet } = Cli::parse();
    finish(match command {
        Command::Export { source, output } => {
            from(&source, quiet).and_then(|exported| export(&exported, &output, quiet))
        }
        Command::List { source, listing } => {
            from(&source, quiet).and_then(|exported| print_list(&exported.catalogue, &listing))
        }
        Command::Check { source, trees } => {
            from(&source, quiet).and_then(|exported| check_trees(exported.catalogue, &trees, quiet))
        }
        Command::ExplainRun { trace, moment } => explain_run(&trace, &moment),
    })
}

/// What a user's own meta binary does with its command line; `crates` must have registered something.
pub(crate) fn own_main(crates: &[&str]) -> ExitCode {
    let OwnCli { command, quiet } = OwnCli::parse();
    let collected = own::collect(crates);
    finish(collected.and_then(|catalogue| match command {
        OwnCommand::Export { output } => {
            let exported = Exported {
                catalogue,
                warnings: Vec::new(),
                notes: Vec::new(),
            };
            export(&exported, &output, quiet)
        }
        OwnCommand::List { listing } => print_list(&catalogue, &listing),
        OwnCommand::Check { trees } => check_trees(catalogue, &trees, quiet),
    }))
}

fn from(source: &Source, quiet: bool) -> Result<Exported, Error> {
    let catalogue = if let Some(program) = &source.executable {
        protocol::run(&mut Process::new(with_folder(program)), protocol::PATIENCE)?
    } else if let Some(path) = &source.catalogue {
        protocol::read(path)?
    } else {
        let exported = cargo::export(&source.build, !quiet)?;
        exported
            .warnings
            .iter()
            .for_each(|warning| eprintln!("warning: {warning}"));
        if !quiet {
            exported
                .notes
                .iter()
                .for_each(|note| eprintln!("note: {note}"));
        }
        return Ok(exported);
    };
    Ok(Exported {
        catalogue,
        warnings: Vec::new(),
        notes: Vec::new(),
    })
}

/// A bare name is a file here, as every other path option has it, not a command on the path.
fn with_folder(program: &Path) -> PathBuf {
    match program.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new(".").join(program),
        _ => program.to_owned(),
    }
}

fn export(exported: &Exported, output: &Output, quiet: bool) -> Result<(), Error> {
    let options = Options {
        agent: output.agent.clone(),
        layout: output.layout,
        type_names: output.type_names,
        editor: output.editor,
    };
    let rendered = files::render(&exported.catalogue, &options)?;
    rendered
        .warnings
        .iter()
        .for_each(|warning| eprintln!("warning: {warning}"));
    let outcomes = write::write(&output.out_dir, &rendered.files)?;
    if quiet {
        return Ok(());
    }
    let mut report = String::new();
    for (file, outcome) in rendered.files.iter().zip(outcomes) {
        let outcome = match outcome {
            Outcome::Written => "wrote",
            Outcome::Unchanged => "unchanged",
        };
        let path = output.out_dir.join(file.name);
        report += &format!("{outcome} {} ({})\n", path.display(), file.counts);
    }
    print(&report)
}

fn print_list(catalogue: &Catalogue, listing: &Listing) -> Result<(), Error> {
    let agent = listing.agent.as_deref();
    if listing.json {
        print(&format!("{:#}\n", list::json(catalogue, agent)?))
    } else {
        print(&list::text(catalogue, agent)?)
    }
}

fn check_trees(catalogue: Catalogue, trees: &Trees, quiet: bool) -> Result<(), Error> {
    let files = check::read(&trees.files)?;
    let found = check::run(catalogue, trees.agent.as_deref(), &files)?;
    found
        .warnings
        .iter()
        .for_each(|warning| eprintln!("warning: {warning}"));
    print(&found.listing())?;
    let report = found.verdict(files.len())?;
    if quiet { Ok(()) } else { print(&report) }
}

fn explain_run(trace: &Path, moment: &Moment) -> Result<(), Error> {
    let when = explain::Moment {
        at: moment.at,
        poll: moment.poll,
    };
    let explain::Explained {
        explanation,
        warnings,
        ..
    } = explain::run(trace, moment.agent.as_deref(), when)?;
    warnings
        .iter()
        .for_each(|warning| eprintln!("warning: {warning}"));
    if moment.json {
        let json = serde_json::to_string_pretty(&explanation);
        let json = json.map_err(|error| Error::failure(error.to_string()))?;
        print(&(json + "\n"))
    } else {
        print(&explanation.to_string())
    }
}

/// Prints for a reader who may have gone: `bt-meta list | head` is no error.
fn print(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::failure(format!(
            "cannot write to the output: {error}"
        ))),
        _ => Ok(()),
    }
}

fn finish(result: Result<(), Error>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            error
                .messages()
                .iter()
                .for_each(|message| eprintln!("error: {message}"));
            ExitCode::from(error.exit_code())
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_options_do_not_contradict_each_other() {
        Cli::command().debug_assert();
        OwnCli::command().debug_assert();
    }

    #[test]
    fn the_page_on_exit_codes_says_what_the_help_says() {
        let page = include_str!("../docs/exit-codes.md");
        for line in EXIT_CODES.lines().skip(1) {
            let (code, meaning) = line.trim().split_once("  ").unwrap();
            let meaning = meaning.split([';', ':']).next().unwrap();
            assert!(page.contains(&format!("| {code} | {meaning}")), "{line}");
        }
    }
}
