//! The settings that the user's configuration tells cargo and rustc.

use std::env;
use std::path::Path;
use std::process::Command;
use std::str::FromStr as _;

use cargo_metadata::Metadata;
use cargo_metadata::cargo_platform::{Cfg, CfgExpr};
use serde_json::Value;

use super::build::Build;
use super::package::Chosen;
use super::tool::Cargo;
use super::wrapper;
use crate::error::Error;

/// The settings that cargo has resolved and would tell rustc.
#[derive(Debug)]
pub(super) struct Settings {
    /// The packages and how they depend on each other, for the target.
    pub(super) metadata: Metadata,
    /// The compiler.
    pub(super) rustc: String,
    /// The user's flags for it: `RUSTFLAGS` and its kin.
    pub(super) rustflags: Vec<String>,
    /// The linker, if one is set.
    pub(super) linker: Option<String>,
    /// The target, if it is not simply the host.
    pub(super) target: Option<String>,
    /// The user's own `RUSTC_WORKSPACE_WRAPPER`.
    pub(super) workspace_wrapper: Option<String>,
}

impl Settings {
    pub(super) fn of(
        cargo: &Cargo,
        build: &Build,
        chosen: &Chosen,
        scratch: &Path,
    ) -> Result<Self, Error> {
        let host = cargo.host()?;
        let configuration = cargo.configuration();
        let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let configured = |pointer: &str| {
            configuration
                .pointer(pointer)
                .and_then(Value::as_str)
                .map(str::to_owned)
        };
        let target = build
            .target
            .clone()
            .or_else(|| variable("CARGO_BUILD_TARGET"))
            .or_else(|| configured("/build/target"));
        let platform = target.as_ref().unwrap_or(&host);

        let report = scratch.join("probes");
        let mut command = cargo.command("metadata");
        command
            .args(["--filter-platform", platform, "--manifest-path"])
            .arg(&chosen.package.manifest_path)
            .args(build.feature_args())
            .args(build.lock_args());
        wrapper::record_probes(&mut command, &report)
            .map_err(|error| Error::failure(format!("cannot find bt-meta's own path: {error}")))?;
        let metadata = cargo.metadata(command)?;
        // The last question is the one about the target; without any, rustc's own way is the best guess.
        let probe = wrapper::recorded(&report)
            .ok()
            .and_then(|mut runs| runs.pop());
        let (rustc, rustflags) = match probe {
            Some(run) => (run.rustc, user_flags(run.args)),
            None => (
                variable("RUSTC").unwrap_or_else(|| "rustc".to_owned()),
                Vec::new(),
            ),
        };
        let linker_variable = platform.to_uppercase().replace(['-', '.'], "_");
        let linker = variable(&format!("CARGO_TARGET_{linker_variable}_LINKER"))
            .or_else(|| configured_linker(&configuration, platform, &rustc));
        Ok(Self {
            linker,
            target,
            workspace_wrapper: variable("RUSTC_WORKSPACE_WRAPPER")
                .or_else(|| configured("/build/rustc-workspace-wrapper")),
            metadata,
            rustc,
            rustflags,
        })
    }
}

/// The rest of cargo's question when the question itself is taken away.
fn user_flags(args: Vec<String>) -> Vec<String> {
    let mut flags = Vec::new();
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--crate-name" | "--crate-type" | "--target" => drop(args.next()),
            "-" | "-Wwarnings" => {}
            other if other.starts_with("--print") => {}
            _ => flags.push(arg),
        }
    }
    flags
}

/// The linker that `[target.…]` sets for the platform, by its name or by a `cfg`.
fn configured_linker(configuration: &Value, platform: &str, rustc: &str) -> Option<String> {
    let tables = configuration.get("target")?.as_object()?;
    let linker = |table: &Value| Some(table.get("linker")?.as_str()?.to_owned());
    if let Some(linker) = tables.get(platform).and_then(linker) {
        return Some(linker);
    }
    let mut by_cfg = tables
        .iter()
        .filter_map(|(key, table)| {
            Some((key.strip_prefix("cfg(")?.strip_suffix(')')?, linker(table)?))
        })
        .peekable();
    by_cfg.peek()?;
    let output = Command::new(rustc)
        .args(["--print", "cfg", "--target", platform])
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let cfgs: Vec<Cfg> = text
        .lines()
        .filter_map(|line| Cfg::from_str(line).ok())
        .collect();
    by_cfg.find_map(|(expression, linker)| {
        let holds = CfgExpr::from_str(expression).ok()?.matches(&cfgs);
        holds.then_some(linker)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_users_flags_are_what_cargo_did_not_ask_for_itself() {
        let probe = "- --crate-name ___ --print=file-names --cfg x -C target-cpu=native --target t \
                     --crate-type bin --crate-type rlib --print=cfg -Wwarnings";
        let flags = user_flags(probe.split_whitespace().map(str::to_owned).collect());
        assert_eq!(flags, ["--cfg", "x", "-C", "target-cpu=native"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_linker_is_found_by_the_platforms_name_or_by_a_cfg() {
        let by_name = json!({"target": {"t": {"linker": "a"}, "cfg(unix)": {"linker": "b"}}});
        assert_eq!(configured_linker(&by_name, "t", "rustc").unwrap(), "a");
        let by_cfg =
            json!({"target": {"cfg(windows)": {"linker": "a"}, "cfg(unix)": {"linker": "b"}}});
        let host = Cargo::find().host().unwrap();
        assert_eq!(configured_linker(&by_cfg, &host, "rustc").unwrap(), "b");
    }
}
