//! Cargo: where it is, and what it says.

use std::env;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::process::{Command, Output, Stdio};

use cargo_metadata::{Metadata, MetadataCommand};
use serde_json::Value;

use crate::error::Error;

/// The cargo that runs us, or the one on the path.
#[derive(Debug, Clone)]
pub(super) struct Cargo {
    path: OsString,
}

impl Cargo {
    pub(super) fn find() -> Self {
        let path = env::var_os("CARGO").filter(|path| !path.is_empty());
        Self {
            path: path.unwrap_or_else(|| "cargo".into()),
        }
    }

    pub(super) fn command(&self, subcommand: &str) -> Command {
        let mut command = Command::new(&self.path);
        command.arg(subcommand).stdin(Stdio::null());
        command
    }

    /// The message for a cargo that could not even be started.
    pub(super) fn not_started(&self, error: &std::io::Error) -> Error {
        let path = self.path.to_string_lossy();
        Error::failure(match error.kind() {
            ErrorKind::NotFound => format!(
                "there is no `{path}` to build the package with: install cargo, put it on `PATH`, or \
                 name it in the variable `CARGO`"
            ),
            _ => format!("cannot run `{path}`: {error}"),
        })
    }

    /// Runs to the end; what cargo says about an error is in ours.
    fn output(&self, mut command: Command) -> Result<Output, Error> {
        command.output().map_err(|error| self.not_started(&error))
    }

    pub(super) fn metadata(&self, mut command: Command) -> Result<Metadata, Error> {
        command.arg("--format-version=1");
        let output = self.output(command)?;
        if !output.status.success() {
            return Err(Error::failure(format!(
                "cargo cannot read the package:\n{}\nwhere there is no code, `--catalogue` takes an \
                 `agents.json` that was exported before",
                String::from_utf8_lossy(&output.stderr).trim_end()
            )));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        MetadataCommand::parse(text)
            .map_err(|error| Error::failure(format!("cannot understand `cargo metadata`: {error}")))
    }

    /// The triple of the machine that cargo runs on.
    pub(super) fn host(&self) -> Result<String, Error> {
        let output = self.output(self.command("-vV"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let host = text.lines().find_map(|line| line.strip_prefix("host: "));
        host.map(str::to_owned)
            .ok_or_else(|| Error::failure("`cargo -vV` does not say what the host is"))
    }

    /// The configuration that cargo has merged from all its files, null where it does not say.
    ///
    /// The command is not stable, so it is asked for with the variable that lets stable tools have
    /// unstable options, for this one process; all that hangs on it is a linker, a wrapper or a
    /// target that a configuration file sets.
    pub(super) fn configuration(&self) -> Value {
        let mut command = self.command("-Zunstable-options");
        command
            .args(["config", "get", "--format=json-value"])
            .env("RUSTC_BOOTSTRAP", "1");
        let output = self
            .output(command)
            .ok()
            .filter(|output| output.status.success());
        output
            .and_then(|output| serde_json::from_slice(&output.stdout).ok())
            .unwrap_or_default()
    }
}
