//! `bt-meta validate`: what is wrong with trees.

use std::io::{IsTerminal as _, stdout};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::print::print;
use super::root::{from_root, root};
use super::source::Collected;
use crate::error::Error;
use crate::validate::levels::{self, Setting};
use crate::validate::show::{Format, show};
use crate::validate::{Options, input, run as validate};

/// The default file of levels.
const CONFIG: &str = "bt-meta.toml";

/// With fewer files nobody waits.
const MANY: usize = 200;

#[derive(Debug, Args)]
#[command(next_help_heading = "What is validated")]
pub(super) struct Trees {
    /// Tree files, called by their file names; folders, whose `.json` and `.bt` files are called by their
    /// paths from there; or patterns such as `trees/**/*.json`
    #[arg(value_name = "TREES", required = true)]
    files: Vec<PathBuf>,
    /// The agent that runs all of them; else each is run by the agent that it names
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// A tree that the host starts, by name; may be given several times. What none of them leads to is
    /// unused
    #[arg(long, value_name = "NAME")]
    start: Vec<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "What is reported")]
pub(super) struct Reporting {
    /// Format of the output
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Do not report a code, by number or name; or all `warnings`
    #[arg(long, short = 'A', value_name = "CODE")]
    allow: Vec<String>,
    /// Report a code as a warning
    #[arg(long, short = 'W', value_name = "CODE")]
    warn: Vec<String>,
    /// Report a code, or all `warnings`, as errors
    #[arg(long, short = 'D', value_name = "CODE")]
    deny: Vec<String>,
    /// The file with the levels of codes (default: bt-meta.toml, if there is one)
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// With `--format sarif` and `github`: the folder that paths are relative to (default: the one above
    /// with `.git` in it)
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
}

impl Reporting {
    /// The options of the file, and then those of the command line.
    fn options(&self, trees: &Trees) -> Result<Options, Error> {
        let path = match &self.config {
            Some(path) => Some(path.as_path()),
            None => Some(Path::new(CONFIG)).filter(|path| path.exists()),
        };
        let mut options = Options {
            agent: trees.agent.clone(),
            ..Options::default()
        };
        if let Some(path) = path {
            let text = crate::read::text(path).map_err(|error| {
                Error::failure(format!("cannot read {}: {error}", path.display()))
            })?;
            (options.levels, options.starts) = levels::read(path, &text)?;
        }
        options.starts.extend_from_slice(&trees.start);
        let given = [
            (&self.allow, Setting::Allow),
            (&self.warn, Setting::Warn),
            (&self.deny, Setting::Deny),
        ];
        for (names, setting) in given {
            for name in names {
                options.levels.set(name, setting).map_err(Error::failure)?;
            }
        }
        Ok(options)
    }
}

/// Looks at them and prints what is found.
pub(super) fn run(
    collected: Collected,
    trees: &Trees,
    reporting: &Reporting,
    quiet: bool,
) -> Result<(), Error> {
    let mut options = reporting.options(trees)?;
    options.decoder = collected.decoder;
    let is_placed = matches!(reporting.format, Format::Sarif | Format::Github);
    let root = match is_placed {
        true => root(reporting.root.as_deref())?,
        false => None,
    };
    let inputs = input::inputs(&trees.files)?;
    let bar = progress(inputs.len(), quiet);
    let mut report = validate(collected.catalogue, &options, &inputs, &|| bar.inc(1))?;
    bar.finish_and_clear();
    if is_placed {
        for finding in &mut report.findings {
            finding.file = from_root(root.as_deref(), &finding.file);
        }
    }
    print(&show(&report, reporting.format, stdout().is_terminal()))?;
    report.verdict()?;
    match reporting.format == Format::Human && !quiet {
        true => print(&(report.summary() + "\n")),
        false => Ok(()),
    }
}

fn progress(files: usize, quiet: bool) -> ProgressBar {
    if quiet || files < MANY {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} trees");
    let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::stderr());
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
