//! Cargo builds the package; what it made is read off its messages.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, IsTerminal as _, Read, Write as _, stderr};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use cargo_metadata::{Artifact, Message, PackageId};
use indicatif::ProgressBar;

use super::Build;
use super::package::{Chosen, is_library};
use super::tool::{Cargo, Settings};
use super::wrapper;
use crate::error::Error;

/// What cargo built.
#[derive(Debug, Default)]
pub(super) struct Compiled {
    /// The library of the package itself.
    pub(super) own: PathBuf,
    /// The libraries of all packages; several where one is built for the host and for the target.
    pub(super) libraries: BTreeMap<PackageId, Vec<PathBuf>>,
    /// Where libraries lie that libraries depend on.
    pub(super) dependency_dirs: Vec<PathBuf>,
    /// What build scripts told the linker to search, such as `native=/opt/lib`.
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
    progress: bool,
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
    let terminal = progress && stderr().is_terminal();
    if terminal {
        command.env("CARGO_TERM_COLOR", "always");
    }
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| cargo.not_started(&error))?;
    let bar = if terminal {
        ProgressBar::new_spinner()
    } else {
        ProgressBar::hidden()
    };
    bar.enable_steady_tick(Duration::from_millis(100));
    let messages = child.stderr.take().map(|messages| {
        let bar = bar.clone();
        std::thread::spawn(move || show(messages, &bar))
    });
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
    bar.finish_and_clear();
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

/// Status lines become the spinner's text and are left out where there is none; diagnostics are
/// shown as they are.
fn show(messages: impl Read, bar: &ProgressBar) {
    let mut messages = BufReader::new(messages);
    let mut line = Vec::new();
    while messages
        .read_until(b'\n', &mut line)
        .is_ok_and(|read| read > 0)
    {
        let text = String::from_utf8_lossy(&line);
        match status(&text) {
            Some(status) => bar.set_message(status),
            // Nobody is left to tell when our own error output is closed.
            None => bar.suspend(|| drop(stderr().write_all(&line))),
        }
        line.clear();
    }
}

/// The status in one of cargo's lines such as `   Compiling serde v1.0.0`, without colours.
fn status(line: &str) -> Option<String> {
    const VERBS: &[&str] = &[
        "Adding",
        "Blocking",
        "Building",
        "Compiling",
        "Dirty",
        "Downgrading",
        "Downloaded",
        "Downloading",
        "Finished",
        "Fresh",
        "Locking",
        "Removing",
        "Running",
        "Updating",
        "Unpacking",
    ];
    let mut plain = String::new();
    let mut rest = line;
    while let Some((before, escape)) = rest.split_once('\u{1b}') {
        plain += before;
        rest = escape
            .split_once(|c: char| c.is_ascii_alphabetic())
            .map_or("", |(_, after)| after);
    }
    plain += rest;
    let verb = plain.trim_start().split(' ').next()?;
    // Verbs are aligned to the right, in twelve columns; diagnostics are not.
    let aligned = plain.len() - plain.trim_start().len() + verb.len() == 12;
    (aligned && VERBS.contains(&verb)).then(|| plain.trim().to_owned())
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
        Message::TextLine(line) => eprintln!("{line}"),
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

/// Where the wrapper put the library, and what the binary would have been linked with.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_line_is_told_from_a_diagnostic() {
        let expect = Some("Compiling serde v1.0.0".to_owned());
        assert_eq!(status("   Compiling serde v1.0.0\n"), expect);
        assert_eq!(
            status("\u{1b}[1m\u{1b}[92m   Compiling\u{1b}[0m serde v1.0.0\n"),
            expect
        );
        for line in [
            "error: no\n",
            "  --> src/lib.rs:1:1\n",
            "Compiling by hand\n",
            "\n",
            "1 | x\n",
        ] {
            assert_eq!(status(line), None, "{line}");
        }
    }
}
