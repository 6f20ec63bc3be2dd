//! The command line: options in, files and messages out, an exit code.
//!
//! A file for each command: its options, and the call of what does it.

mod check;
mod completions;
mod diff;
mod draw;
mod explain;
mod explain_run;
mod export;
mod fix;
#[cfg(feature = "fleet")]
mod fleet;
mod import;
mod list;
mod live;
#[cfg(feature = "mcp")]
mod mcp;
mod merge_view;
mod new;
mod play;
mod print;
mod root;
mod source;
mod stubs;
mod test;
mod validate;

use std::process::ExitCode;

use bt_core::registry::decoders::Decoders;
use clap::{CommandFactory as _, Parser, Subcommand};

use crate::error::Error;
#[cfg(feature = "mcp")]
use crate::files::exported_near;
#[cfg(feature = "mcp")]
use crate::protocol;
use crate::say::say;
use crate::{cargo, dap, registered};
use source::{Collected, Linked, Origin, Source, Want};

const EXIT_CODES: &str = "\
Exit codes:
  0  done; warnings are no reason to stop
  1  a problem was found: what is annotated contradicts itself, there is nothing to export, something is wrong with a tree, a scenario failed, files are not what the code says, or a change is breaking; no file was changed
  2  misuse or failure: wrong options, a package that does not build, a file that cannot be written";

/// Exports annotated agents to behaviour-tree editors, and validates, fixes and draws their trees
#[derive(Debug, Parser)]
#[command(name = "bt-meta", version, about, after_help = EXIT_CODES)]
struct Cli<S: Origin> {
    #[command(subcommand)]
    command: Command<S>,
    /// Print only warnings and errors
    #[arg(long, short, global = true)]
    quiet: bool,
}

/// `S`: the options that say where the agents come from.
#[derive(Debug, Subcommand)]
enum Command<S: Origin> {
    /// Write action_types.json, agent_hierarchy.json, node_types.json, agents.json and its schema
    ///
    /// The package is built as it is and lists its agents; not a line of it has to change. Files are
    /// replaced whole, and only where their content changed. With `--format`, files for other tools and
    /// people instead.
    #[command(after_help = EXIT_CODES)]
    Export {
        #[command(flatten)]
        source: S,
        #[command(flatten)]
        output: export::Written,
        #[command(flatten)]
        views: export::Views,
    },
    /// Print the agents: their bases, actions, properties and events, and where each is defined
    #[command(after_help = EXIT_CODES)]
    List {
        #[command(flatten)]
        source: S,
        #[command(flatten)]
        listing: list::Listing,
    },
    /// Find problems in trees: what the runtime would refuse, and what is probably not meant
    ///
    /// All trees that call each other are named together: every problem of every file is reported in one run.
    #[command(after_help = EXIT_CODES)]
    Validate {
        #[command(flatten)]
        source: S,
        #[command(flatten)]
        trees: validate::Trees,
        #[command(flatten)]
        reporting: validate::Reporting,
    },
    /// Apply fixes that are certain to trees: new names, missing parents, the order of arguments
    ///
    /// A diff is shown first, and the exit code is 1 if there is something to fix; `--write` applies it.
    /// Nothing else of a file changes, unless it is normalised.
    #[command(after_help = EXIT_CODES)]
    Fix {
        #[command(flatten)]
        source: S,
        #[command(flatten)]
        fixing: fix::Fixing,
    },
    /// Play scenarios: tests of trees that say what the agent's methods answer, and what is expected
    ///
    /// All `*.scenario.toml` files below a folder, without the game: the agents' methods are not called. The book
    /// has a page on them.
    #[command(after_help = EXIT_CODES)]
    Test {
        #[command(flatten)]
        source: S,
        #[command(flatten)]
        tested: test::Tested,
    },
    /// Bring edits that the original's editor made in copies of `export --view-trees` back to their trees
    ///
    /// Nodes are known by their numbers: arguments, comments, colours and weights that were changed, and nodes that were
    /// added, removed or moved, are written into the trees, and nothing else of them changes. A diff is shown first, and
    /// the exit code is 1 if there is something to write; `--write` writes it. What cannot be brought back is named.
    #[command(after_help = EXIT_CODES)]
    MergeView {
        #[command(flatten)]
        source: S,
        #[command(flatten)]
        merging: merge_view::Merging,
    },
    /// Check whether exported files are up to date with the code, and what changed if they are not
    ///
    /// Takes the options of `export`. With BT_META=overwrite in the environment, the files that are not up
    /// to date are rewritten instead.
    #[command(after_help = EXIT_CODES)]
    Check {
        #[command(flatten)]
        source: S,
        #[command(flatten)]
        checked: check::Checked,
    },
    /// Compare two catalogues: what changed, and which changes break trees
    ///
    /// `diff OLD NEW` compares two files, `diff OLD --package NAME` a file with the code, and
    /// `diff --since REV [PATH]` a file with what it was at a git revision, or with the code. A breaking
    /// change is one that may refuse trees made with the old catalogue, or give them another meaning: then
    /// the exit code is 1. A change of behaviour refuses none, and some may do something else: another default, another
    /// unit, an action that can fail now. `--fail-on behaviour` fails for those too. `diff --since REV --trees trees --format html` is a page with pictures of the trees that
    /// changed.
    #[command(after_help = EXIT_CODES)]
    Diff {
        #[command(flatten)]
        source: S,
        #[command(flatten)]
        compared: diff::Compared,
    },
    /// Explain a code that `validate` reports: what is wrong, and how to fix it
    #[command(after_help = EXIT_CODES)]
    Explain(explain::Asked),
    /// Explain from a trace why an agent waited: for what, since when, and what refused
    ///
    /// A trace is a file of JSON lines, which a runner's `bt_core::trace::JsonLines` writes. No trees and
    /// no agents are needed.
    #[command(after_help = EXIT_CODES)]
    ExplainRun(explain_run::Explained),
    /// Draw a tree: as an outline, as a picture, or for Graphviz or Mermaid
    ///
    /// What the file says is shown as it is; no agents are needed, and nothing is checked. In calls, `$key`
    /// is the value of a blackboard key, `@property` that of a property of the agent.
    #[command(after_help = EXIT_CODES)]
    Draw(draw::Draw),
    /// Play a tree without its game: you answer what its actions and conditions do
    ///
    /// Nothing of the game is run; its catalogue says which calls there are. Answer each call with `success`, `failure`,
    /// `running` or `after 2s`, or with `?` to learn why it is made. Between polls, `help` lists the commands.
    #[command(after_help = EXIT_CODES)]
    Play {
        #[command(flatten)]
        source: S,
        #[command(flatten)]
        played: play::Played,
    },
    /// Write Rust to begin with: agents with a stub for each action of a catalogue, or of the original's files
    ///
    /// For a port: `--actions` and `--hierarchy` are the files of the original's editor. What is built in is left out.
    #[command(after_help = EXIT_CODES)]
    Stubs {
        #[command(flatten)]
        source: S,
        #[command(flatten)]
        written: stubs::Written,
    },
    /// Create a crate to start from: an agent, a tree, a program that runs it, and a test of both
    #[command(after_help = EXIT_CODES)]
    New(new::New),
    /// Read trees of another engine: tree files, a catalogue of their leaves, a skeleton of the agent
    ///
    /// What cannot be carried is named with its place, what is lost and what to do; `--strict` fails then. No agents are
    /// needed.
    #[command(after_help = EXIT_CODES)]
    Import(import::Import),
    /// Look into a running game, or a recording, and change what agents do
    ///
    /// The game has a port of bt-live open; its token is found in this user's folder for that. An agent is named by
    /// its id or its name.
    #[command(after_help = EXIT_CODES)]
    Live(live::Live),
    /// Look at a fleet of machines, and move its shards
    #[cfg(feature = "fleet")]
    #[command(after_help = EXIT_CODES)]
    Fleet(fleet::Wanted),
    /// Serve an editor that debugs an agent of a running game, or a recording, by the Debug Adapter Protocol
    ///
    /// On standard input and output, as editors start debug adapters. The attach request says `agent`, `trees` (the
    /// folder of the tree files), and `tokenFile` or `recording` if it is not the only game that runs. The launch request
    /// says `program`, `args`, `cwd` and `env` too.
    #[command(after_help = EXIT_CODES)]
    Dap,
    /// Serve an assistant that reads, edits, checks, plays and debugs trees, by the Model Context Protocol
    ///
    /// On standard input and output, as clients start such servers. Without an option for them the agents are those of
    /// an `agents.json` in the folder or beside it, else of the package here. The book has a page on it.
    #[cfg(feature = "mcp")]
    #[command(after_help = EXIT_CODES)]
    Mcp {
        #[command(flatten)]
        source: S,
        #[command(flatten)]
        served: mcp::Served,
    },
    /// Print a script that lets a shell complete commands and options
    ///
    /// For bash: `bt-meta completions bash > ~/.local/share/bash-completion/completions/bt-meta`.
    Completions(completions::Completions),
}

impl<S: Origin> Cli<S> {
    /// Does it; `collected` says what is annotated.
    fn run(
        &self,
        collected: impl Fn(&S, Want) -> Result<Collected, Error> + Send + Sync + 'static,
    ) -> Result<(), Error> {
        let quiet = self.quiet;
        let collect = |source: &S| Ok(collected(source, Want::Catalogue)?.catalogue);
        match &self.command {
            Command::Export {
                source,
                output,
                views,
            } => export::run(&collect(source)?, output, views, quiet),
            Command::List { source, listing } => list::run(&collect(source)?, listing),
            Command::Validate {
                source,
                trees,
                reporting,
            } => validate::run(collected(source, Want::Decoder)?, trees, reporting, quiet),
            Command::Fix { source, fixing } => fix::run(collect(source)?, fixing, quiet),
            Command::Test { source, tested } => test::run(|| collect(source), tested, quiet),
            Command::MergeView { source, merging } => {
                merge_view::run(&collect(source)?, merging, quiet)
            }
            Command::Check { source, checked } => check::run(&collect(source)?, checked, quiet),
            Command::Diff { source, compared } => {
                let collect = source.is_given().then_some(|| collect(source));
                diff::run(compared, collect, quiet)
            }
            Command::Explain(asked) => explain::run(asked),
            Command::ExplainRun(explained) => explain_run::run(explained),
            Command::Draw(wanted) => draw::run(wanted, quiet),
            Command::Play { source, played } => play::run(collect(source)?, played),
            Command::Import(wanted) => import::run(wanted, quiet),
            Command::Live(live) => live::run(live),
            #[cfg(feature = "fleet")]
            Command::Fleet(wanted) => fleet::run(wanted),
            Command::Dap => dap::run(),
            Command::Stubs { source, written } => stubs::run(&collect(source)?, written),
            Command::New(new) => new::run(new, quiet),
            #[cfg(feature = "mcp")]
            Command::Mcp { source, served } => {
                let near = exported_near(served.folder()).filter(|_| !source.is_given());
                let source = source.clone();
                let collect = move || match &near {
                    Some(file) => protocol::read(file),
                    None => Ok(collected(&source, Want::Catalogue)?.catalogue),
                };
                mcp::run(served, collect)
            }
            Command::Completions(wanted) => completions::run(wanted, Self::command()),
        }
    }
}

/// Runs `bt-meta` with its command line.
pub fn main() -> ExitCode {
    if let Some(code) = cargo::run_if_asked() {
        return code;
    }
    dap::run_if_asked();
    let cli = Cli::<Source>::parse();
    let quiet = cli.quiet;
    finish(cli.run(move |source, want| source.collect(want, quiet)))
}

/// Runs a user's own meta binary with its command line; `crates` must have registered something.
pub(crate) fn own_main(crates: &[&str]) -> ExitCode {
    dap::run_if_asked();
    let cli = Cli::<Linked>::parse();
    let crates: Vec<String> = crates.iter().map(|name| (*name).to_owned()).collect();
    let collect = move |want| {
        let crates: Vec<&str> = crates.iter().map(String::as_str).collect();
        let decoder = (want == Want::Decoder).then(Decoders::linked);
        Ok(Collected {
            catalogue: registered::collect(&crates)?,
            decoder: decoder.map(|decoder| Box::new(decoder) as _),
        })
    };
    finish(cli.run(move |Linked {}, want| collect(want)))
}

fn finish(result: Result<(), Error>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            for message in error.messages() {
                say("error", message);
            }
            ExitCode::from(error.exit_code())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_do_not_contradict_each_other() {
        Cli::<Source>::command().debug_assert();
        Cli::<Linked>::command().debug_assert();
    }

    #[test]
    fn the_page_on_exit_codes_says_what_the_help_says() {
        let page = include_str!("../../../docs/src/exit-codes.md");
        for line in EXIT_CODES.lines().skip(1) {
            let (code, meaning) = line.trim().split_once("  ").unwrap();
            let meaning = meaning.split([';', ':']).next().unwrap();
            assert!(page.contains(&format!("| {code} | {meaning}")), "{line}");
        }
    }
}
