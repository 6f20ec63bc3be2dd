//! bt-meta in rustc's place: how cargo's own knowledge of flags is had, and how a binary becomes a
//! library.
//!
//! Cargo runs a wrapper as `wrapper rustc ARGS…`. It is asked for by the environment, never by the
//! command line, which belongs to rustc then.

use std::env;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, ExitCode};

use serde::{Deserialize, Serialize};

use crate::say::say;

/// The role of the wrapper; unset in a `bt-meta` that a user runs.
const ROLE: &str = "BT_META_WRAPPER";
/// The file to which each run of interest is appended, one line of JSON each.
const REPORT: &str = "BT_META_REPORT";
/// The wrapper that the user already has, to be run in between.
const CHAIN: &str = "BT_META_CHAIN";
/// The package and the crate name of the binary that becomes a library.
const BINARY: &str = "BT_META_BINARY";

/// One run of rustc, as cargo asked for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Run {
    /// The compiler.
    pub(super) rustc: String,
    /// Its arguments.
    pub(super) args: Vec<String>,
}

/// Sets a cargo command up so that its questions to rustc about flags and targets are recorded.
pub(super) fn record_probes(cargo: &mut Command, report: &Path) -> io::Result<()> {
    cargo
        .env("RUSTC_WRAPPER", env::current_exe()?)
        .env("RUSTC_WORKSPACE_WRAPPER", "")
        // Else cargo remembers the answers of the last time and asks nothing.
        .env("CARGO_CACHE_RUSTC_INFO", "0")
        .env(ROLE, "probe")
        .env(REPORT, report);
    Ok(())
}

/// Sets a cargo command up so that one binary is compiled as a library.
///
/// Cargo keeps what a workspace wrapper compiled apart from what it compiles without one, so the
/// user's own builds stay fresh in the same target directory.
pub(super) fn binary_as_library(
    cargo: &mut Command,
    package: &str,
    crate_name: &str,
    chain: Option<&str>,
    report: &Path,
) -> io::Result<()> {
    cargo
        .env("RUSTC_WORKSPACE_WRAPPER", env::current_exe()?)
        .env(ROLE, "binary")
        .env(BINARY, format!("{package} {crate_name}"))
        .env(REPORT, report)
        .env(CHAIN, chain.unwrap_or_default());
    Ok(())
}

/// The runs that a wrapper recorded.
pub(super) fn recorded(report: &Path) -> io::Result<Vec<Run>> {
    let text = std::fs::read_to_string(report)?;
    let runs = text
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>();
    runs.map_err(io::Error::from)
}

/// The role of this process and the program that it wraps, if cargo started it as a wrapper.
pub(super) fn asked() -> Option<(String, OsString)> {
    let role = env::var(ROLE).ok()?;
    let rustc = env::args_os().nth(1)?;
    // A build script that runs bt-meta for itself hands the environment on.
    let is_ours = matches!(rustc.to_str(), Some("export" | "list" | "help"));
    (!is_ours && !starts_with_dash(&rustc)).then_some((role, rustc))
}

/// Does the wrapper's work if cargo started this process as one; the exit code to end with then.
///
/// [`export`](super::export) has cargo start the running program in rustc's place, so every program
/// that calls it begins its `main` with this:
///
/// ```
/// use std::process::ExitCode;
///
/// fn main() -> ExitCode {
///     if let Some(code) = bt_meta::cargo::run_if_asked() {
///         return code;
///     }
///     // calls `bt_meta::cargo::export`
///     ExitCode::SUCCESS
/// }
/// ```
pub fn run_if_asked() -> Option<ExitCode> {
    let (role, rustc) = asked()?;
    Some(match act(&role, rustc, env::args_os().skip(2).collect()) {
        Ok(code) => code,
        Err(error) => {
            say("bt-meta, in rustc's place", error);
            ExitCode::from(2)
        }
    })
}

fn starts_with_dash(text: &OsString) -> bool {
    text.to_string_lossy().starts_with('-')
}

fn act(role: &str, rustc: OsString, args: Vec<OsString>) -> io::Result<ExitCode> {
    let mut args = args;
    let mut program = rustc.clone();
    if role == "probe" {
        if has_pair(&args, "--crate-name", "___") {
            record(&rustc, &args)?;
        }
    } else {
        if is_the_binary(&args) {
            record(&rustc, &args)?;
            args = as_library(args);
        }
        if let Some(chain) = env::var_os(CHAIN).filter(|chain| !chain.is_empty()) {
            args.insert(0, rustc);
            program = chain;
        }
    }
    let status = Command::new(&program)
        .args(args)
        .status()
        .map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("cannot run `{}`: {error}", program.to_string_lossy()),
            )
        })?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(101)))
}

fn record(rustc: &OsString, args: &[OsString]) -> io::Result<()> {
    let run = Run {
        rustc: rustc.to_string_lossy().into_owned(),
        args: args
            .iter()
            .map(|arg| arg.to_string_lossy().into_owned())
            .collect(),
    };
    let report = env::var_os(REPORT).unwrap_or_default();
    let mut file = OpenOptions::new().create(true).append(true).open(report)?;
    writeln!(file, "{}", serde_json::to_string(&run)?)
}

fn is_the_binary(args: &[OsString]) -> bool {
    let binary = env::var(BINARY).unwrap_or_default();
    let Some((package, crate_name)) = binary.split_once(' ') else {
        return false;
    };
    env::var("CARGO_PKG_NAME").is_ok_and(|name| name == package)
        && env::var_os("CARGO_BIN_NAME").is_some()
        && has_pair(args, "--crate-name", crate_name)
        && has_pair(args, "--crate-type", "bin")
}

fn has_pair(args: &[OsString], key: &str, value: &str) -> bool {
    args.windows(2)
        .any(|pair| pair[0] == key && pair[1] == value)
}

/// The same run, but for a library: `main` is then a function that nothing calls, which must not
/// fail a crate that denies warnings; and a library takes no part in link-time optimisation yet.
fn as_library(args: Vec<OsString>) -> Vec<OsString> {
    let mut library = Vec::with_capacity(args.len() + 2);
    let mut args = args.into_iter().peekable();
    while let Some(arg) = args.next() {
        if arg == "--crate-type" {
            args.next();
            library.extend(["--crate-type", "rlib"].map(OsString::from));
        } else if arg == "-C" && args.peek().is_some_and(is_lto) {
            args.next();
        } else {
            library.push(arg);
        }
    }
    library.extend(["--cap-lints", "allow"].map(OsString::from));
    library
}

fn is_lto(option: &OsString) -> bool {
    let option = option.to_string_lossy();
    option == "lto" || option.starts_with("lto=")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binary_is_compiled_as_a_library_without_lints_or_lto() {
        let given = "--crate-name game src/main.rs --crate-type bin -C lto=fat -C opt-level=3";
        let library = as_library(given.split(' ').map(OsString::from).collect());
        let expect =
            "--crate-name game src/main.rs --crate-type rlib -C opt-level=3 --cap-lints allow";
        assert_eq!(library, expect.split(' ').collect::<Vec<_>>());
    }
}
