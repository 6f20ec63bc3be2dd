//! From a package to its catalogue: built as it is, linked to a one-line program, run.
//!
//! No package is generated and nothing is resolved a second time: cargo builds the user's package in
//! the user's workspace (features, patches, profiles and locks count as ever), and one plain rustc
//! links what came out.

mod build;
mod compile;
mod link;
mod linked;
mod package;
mod progress;
mod settings;
mod tool;
mod wrapper;

use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::protocol::{self, Decoder};
pub use build::Build;
pub use wrapper::run_if_asked;

/// The output of a package's program, and notes about its build.
#[derive(Debug, Clone)]
pub struct Exported {
    /// Everything that the package and its dependencies register.
    pub catalogue: Catalogue,
    /// Warnings about things that will be missed.
    pub warnings: Vec<String>,
    /// Notes that are worth knowing.
    pub notes: Vec<String>,
}

/// Builds a package and asks it for its catalogue.
///
/// Cargo's own messages go to the error output; `progress` shows what it is at on a terminal. The
/// program's `main` begins with [`run_if_asked`].
///
/// # Errors
/// A finding when the package registers nothing; a failure when cargo is not there, there is no such
/// package, it does not depend on bt-core, does not compile, or cannot be linked or run.
pub fn export(build: &Build, progress: bool) -> Result<Exported, Error> {
    export_with(build, progress::Progress::new(progress))
}

/// As [`export`]; `tell` hears what cargo is at, in its words, such as `Compiling serde v1.0.0`.
///
/// # Errors
/// As of [`export`].
pub fn export_and_tell(
    build: &Build,
    tell: impl Fn(&str) + Send + Sync + 'static,
) -> Result<Exported, Error> {
    export_with(build, progress::Progress::telling(tell))
}

fn export_with(build: &Build, progress: progress::Progress) -> Result<Exported, Error> {
    ask(build, progress, |program| {
        Ok((protocol::run(program, protocol::TIMEOUT)?, ()))
    })
    .map(|(exported, (), _)| exported)
}

/// As [`export`]; the package's own program stays, to decode arguments. None if its bt-core is too old.
///
/// # Errors
/// As of [`export`].
pub fn export_with_decoder(
    build: &Build,
    progress: bool,
) -> Result<(Exported, Option<Decoder>), Error> {
    let asked = ask(build, progress::Progress::new(progress), |program| {
        protocol::run_decoder(program, protocol::TIMEOUT)
    });
    let (exported, decoder, folder) = asked?;
    Ok((exported, decoder.map(|decoder| decoder.in_folder(folder))))
}

/// Builds a package and asks its program, which is in the folder.
fn ask<T>(
    build: &Build,
    progress: progress::Progress,
    run: impl FnOnce(&mut std::process::Command) -> Result<(Catalogue, T), Error>,
) -> Result<(Exported, T, tempfile::TempDir), Error> {
    // Else the program would go on starting itself.
    if wrapper::asked().is_some() {
        return Err(Error::failure(
            "cargo started this program in rustc's place, to get the arguments of rustc: its `main` must \
             begin with `if let Some(code) = bt_meta::cargo::run_if_asked() { return code; }`",
        ));
    }
    let scratch = tempfile::Builder::new()
        .prefix("bt-meta-")
        .tempdir()
        .map_err(|error| Error::failure(format!("cannot make a temporary directory: {error}")))?;
    let cargo = tool::Cargo::find();
    progress.now("asking cargo about the package");
    let chosen = package::choose(&cargo, build)?;
    let settings = settings::Settings::of(&cargo, build, &chosen, scratch.path())?;
    let closure = linked::Closure::of(&settings.metadata, &chosen)?;
    let compiled = compile::compile(&cargo, build, &chosen, &settings, scratch.path(), &progress)?;
    progress.now("linking the program that prints the catalogue");
    let program = link::link(&settings, &closure, &compiled, scratch.path())?;
    drop(progress);
    let mut command = std::process::Command::new(&program.path);
    command.env(link::LIBRARY_PATH, &program.library_path);
    let (catalogue, more) = run(&mut command)?;
    let report = linked::report(
        &catalogue,
        &settings.metadata,
        &chosen,
        &closure,
        &program.linked,
    )?;
    let exported = Exported {
        catalogue,
        warnings: report.warnings,
        notes: report.notes,
    };
    Ok((exported, more, scratch))
}
