//! The source of the agents.

use std::path::{Path, PathBuf};
use std::process::Command as Process;

use clap::Args;

use crate::cargo::{self, Build};
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::original;
use crate::protocol;
use crate::say::say;
use crate::validate::decoded::Decode;

/// Options that say where the agents come from.
pub(super) trait Origin: Args + Clone + Send + Sync + 'static {
    /// Returns true if any of them is given.
    fn is_given(&self) -> bool;
}

/// The source of the agents: a package, unless another is given.
#[derive(Debug, Clone, Args)]
pub(super) struct Source {
    /// Ask a program that is built already; its `main` begins with `bt_core::export_if_asked();`
    #[arg(long, value_name = "PATH", conflicts_with_all = ["Build", "catalogue"])]
    executable: Option<PathBuf>,
    /// Read an `agents.json` that was exported before
    #[arg(long, value_name = "FILE", conflicts_with = "Build")]
    catalogue: Option<PathBuf>,
    #[command(flatten)]
    original: Original,
    #[command(flatten)]
    build: Build,
}

/// The files of the original's editor, before there is any Rust.
#[derive(Debug, Clone, Args)]
struct Original {
    /// Read the original's `actions.json`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["Build", "catalogue", "executable"])]
    actions: Option<PathBuf>,
    /// The original's file of agents and their bases
    #[arg(long, value_name = "FILE", requires = "actions")]
    hierarchy: Option<PathBuf>,
    /// The original's `node_types.json`: kinds that bt does not run are named
    #[arg(long, value_name = "FILE", requires = "actions")]
    node_types: Option<PathBuf>,
}

impl Origin for Source {
    fn is_given(&self) -> bool {
        self.executable.is_some()
            || self.catalogue.is_some()
            || self.original.actions.is_some()
            || self.build != Build::default()
    }
}

/// The annotations of a source.
pub(super) struct Collected {
    pub(super) catalogue: Catalogue,
    /// Decodes arguments, if that was wanted and can be had.
    pub(super) decoder: Option<Box<dyn Decode>>,
}

/// The parts of a source that are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    Catalogue,
    /// The catalogue, and what decodes arguments.
    Decoder,
}

impl Source {
    /// Collects their annotations. Messages of the build are printed.
    pub(super) fn collect(&self, want: Want, quiet: bool) -> Result<Collected, Error> {
        let alone = |catalogue| Collected {
            catalogue,
            decoder: None,
        };
        if let Some(program) = &self.executable {
            let mut program = Process::new(with_folder(program));
            if want == Want::Catalogue {
                return protocol::run(&mut program, protocol::TIMEOUT).map(alone);
            }
            let (catalogue, decoder) = protocol::run_decoder(&mut program, protocol::TIMEOUT)?;
            return Ok(Collected {
                catalogue,
                decoder: decoder.map(|decoder| Box::new(decoder) as _),
            });
        }
        if let Some(path) = &self.catalogue {
            return protocol::read(path).map(alone);
        }
        let Original {
            actions,
            hierarchy,
            node_types,
        } = &self.original;
        if let Some(actions) = actions {
            let read = original::read(actions, hierarchy.as_deref(), node_types.as_deref());
            return read.map(alone);
        }
        let (exported, decoder) = match want {
            Want::Catalogue => (cargo::export(&self.build, !quiet)?, None),
            Want::Decoder => cargo::export_with_decoder(&self.build, !quiet)?,
        };
        for warning in &exported.warnings {
            say("warning", warning);
        }
        for note in exported.notes.iter().filter(|_| !quiet) {
            say("note", note);
        }
        Ok(Collected {
            catalogue: exported.catalogue,
            decoder: decoder.map(|decoder| Box::new(decoder) as _),
        })
    }
}

/// A bare name is a file here, as every other path option has it, not a command on the path.
fn with_folder(program: &Path) -> PathBuf {
    match program.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new(".").join(program),
        _ => program.to_owned(),
    }
}

/// From a user's own meta binary: they are linked into it.
#[derive(Debug, Clone, Args)]
pub(super) struct Linked {}

impl Origin for Linked {
    fn is_given(&self) -> bool {
        false
    }
}
