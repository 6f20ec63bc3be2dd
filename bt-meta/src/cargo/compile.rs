//! Cargo builds the package; what it made is read off its messages.

use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use cargo_metadata::{Artifact, Message, PackageId};

use super::build::Build;
use super::package::{Chosen, is_library};
use super::progress::Progress;
use super::settings::Settings;
use super::tool::Cargo;
use super::wrapper;
use crate::error::Error;
use crate::say;

/// The results of a build by cargo.
#[derive(Debug, Default)]
pub(super) struct Compiled {
    /// The library of the package itself.
    pub(super) own: PathBuf,
    /// The libraries of all packages; several where one is built for the host and for the target.
    pub(super) libraries: BTreeMap<PackageId, Vec<PathBuf>>,
    /// The folders of libraries that libraries depend on.
    pub(super) dependency_dirs: Vec<PathBuf>,
    /// The search paths that build scripts gave the linker, such as `native=/opt/lib`.
    pub(super) linked_paths: Vec<String>,
    /// Flags that only the compilation of the package itself was given.
    pub(super) flags: Vec<String>,
}

/// Builds the target and all that it needs.
///
/// # Errors
/// A failure when cargo cannot be run or does not succeed; it has said why by then.
pub(super) fn compile(
    cargo: &Cargo,
    build: &Build,
    chosen: &Chosen,
    settings: &Settings,
    scratch: &Path,
    progress: &Progress,
) -> Result<Compiled, Error> {
    let mut command = cargo.command("rustc");
    command
        .arg("--message-format=json-render-diagnostics")
        .arg("--manifest-path")
        .arg(&chosen.package.manifest_path)
        .args(["--profile", build.profile()])
        .args(build.feature_args())
        .args(build.lock_args());
    if let Some(target) = &settings.target {
        command.args(["--target", target]);
    }
    if let Some(dir) = &build.target_dir {
        command.arg("--target-dir").arg(dir);
    }
    // Libraries that wait for link-time optimisation hold no machine code, and optimising the whole
    // program to print a few lines would take minutes.
    let profile = build.profile().to_uppercase().replace('-', "_");
    command.env(format!("CARGO_PROFILE_{profile}_LTO"), "false");
    let report = scratch.join("binary");
    if chosen.is_binary() {
        command.args(["--bin", &chosen.target.name]);
        wrapper::binary_as_library(
            &mut command,
            &chosen.package.name,
            &chosen.crate_name(),
            settings.workspace_wrapper.as_deref(),
            &report,
        )
        .map_err(|error| Error::failure(format!("cannot find bt-meta's own path: {error}")))?;
    } else {
        command.arg("--lib");
        let kinds: Vec<String> = chosen.target.kind.iter().map(ToString::to_string).collect();
        // Only where needed: it makes cargo compile the package once more.
        if kinds != ["lib"] && kinds != ["rlib"] {
            command.args(["--crate-type", "rlib"]);
        }
    }
    progress.keep_colours(&mut command);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| cargo.not_started(&error))?;
    let messages = child
        .stderr
        .take()
        .map(|messages| progress.follow(messages));
    let mut compiled = Compiled::default();
    if let Some(output) = child.stdout.take() {
        for message in Message::parse_stream(BufReader::new(output)) {
            let message = message.map_err(|error| {
                Error::failure(format!("cannot read cargo's messages: {error}"))
            })?;
            take(message, chosen, &mut compiled);
        }
    }
    let status = child.wait().map_err(|error| cargo.not_started(&error))?;
    if let Some(messages) = messages {
        // The thread only prints; if it came to grief there is nothing more to print.
        let _ = messages.join();
    }
    if !status.success() {
        return Err(Error::failure(format!(
            "package `{}` does not build; cargo's messages are above, and no file was changed",
            chosen.package.name
        )));
    }
    if chosen.is_binary() {
        take_binary(&report, &mut compiled)?;
    }
    if compiled.own.as_os_str().is_empty() {
        return Err(Error::failure(format!(
            "cargo built package `{}` but named no library that can be linked",
            chosen.package.name
        )));
    }
    compiled.dependency_dirs.sort();
    compiled.dependency_dirs.dedup();
    Ok(compiled)
}

fn take(message: Message, chosen: &Chosen, compiled: &mut Compiled) {
    match message {
        Message::CompilerArtifact(artifact) => take_artifact(artifact, chosen, compiled),
        Message::BuildScriptExecuted(script) => {
            let paths = script
                .linked_paths
                .into_iter()
                .map(|path| path.into_string());
            compiled.linked_paths.extend(paths);
        }
        // What a crate prints while it compiles is not for us, but may be for the user.
        Message::TextLine(line) => say::line(line),
        _ => {}
    }
}

fn take_artifact(artifact: Artifact, chosen: &Chosen, compiled: &mut Compiled) {
    let dirs = artifact
        .filenames
        .iter()
        .filter_map(|file| Some(file.parent()?.into()));
    compiled.dependency_dirs.extend(dirs);
    let linkable = |ending: &str| {
        let mut files = artifact.filenames.iter();
        files
            .find(|file| file.extension() == Some(ending))
            .map(|file| file.as_std_path().to_owned())
    };
    let dynamic = std::env::consts::DLL_EXTENSION;
    if !is_library(&artifact.target) {
        return;
    }
    let Some(file) = linkable("rlib").or_else(|| linkable(dynamic)) else {
        return;
    };
    let own = artifact.package_id == chosen.package.id && !chosen.is_binary();
    if own {
        compiled.own.clone_from(&file);
    }
    compiled
        .libraries
        .entry(artifact.package_id)
        .or_default()
        .push(file);
}

/// Takes the place of the library that the wrapper made, and the arguments that the binary would have been
/// linked with.
fn take_binary(report: &Path, compiled: &mut Compiled) -> Result<(), Error> {
    let run = wrapper::recorded(report).ok().and_then(|mut runs| runs.pop()).ok_or_else(|| {
        Error::failure(
            "cargo did not compile the binary through bt-meta; `cargo clean` that package and try again",
        )
    })?;
    let (mut dir, mut name, mut suffix) = (String::new(), String::new(), String::new());
    let mut args = run.args.into_iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--out-dir" => dir = args.next().unwrap_or_default(),
            "--crate-name" => name = args.next().unwrap_or_default(),
            "-C" => {
                let option = args.next().unwrap_or_default();
                if let Some(extra) = option.strip_prefix("extra-filename=") {
                    suffix = extra.to_owned();
                } else if ["link-arg", "panic=", "linker"]
                    .iter()
                    .any(|of| option.starts_with(of))
                {
                    compiled.flags.extend([arg, option]);
                }
            }
            _ => {}
        }
    }
    compiled.own = Path::new(&dir).join(format!("lib{name}{suffix}.rlib"));
    Ok(())
}
