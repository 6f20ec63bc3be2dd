//! The commands that check everything, and those that write generated files anew.

use std::process::Command;

/// The sets of cargo features of bt-live that are linted.
const LIVE_FEATURES: [&str; 5] = ["", "folder", "protocol", "client", "port"];

/// The sets of cargo features of bt-core that are linted: each by itself, none and all.
const FEATURES: [&str; 9] = [
    "",
    "builtin",
    "trace",
    "explain",
    "reload",
    "save",
    "debug",
    "behaviac-log",
    "mosaic-log",
];

pub(crate) fn check(with_tests: bool) -> Result<(), String> {
    run("fmt --all --check", &[])?;
    run("clippy --workspace --all-targets -- -D warnings", &[])?;
    run(
        "doc --workspace --no-deps",
        &[("RUSTDOCFLAGS", "-D warnings")],
    )?;
    for features in FEATURES {
        let mut clippy = cargo("clippy --package bt-core --no-default-features --features");
        clippy.arg(features).args(["--", "-D", "warnings"]);
        done(&mut clippy)?;
    }
    for features in LIVE_FEATURES {
        let mut clippy = cargo("clippy --package bt-live --no-default-features --features");
        clippy.arg(features).args(["--", "-D", "warnings"]);
        done(&mut clippy)?;
    }
    run(
        "clippy --package bt-core --all-features -- -D warnings",
        &[],
    )?;
    // A package that is built alone has the features it asks for.
    run("test --package bare-game", &[])?;
    if with_tests {
        run("test --workspace", &[])?;
    }
    Ok(())
}

/// Tests that write what they compare, with the variable that tells them so. What one writes another may read.
const WRITERS: [(&str, &str, &str); 8] = [
    (
        "test --package bt-live --test protocol",
        "BT_META",
        "overwrite",
    ),
    (
        "test --package bt-studio --test protocol",
        "BT_META",
        "overwrite",
    ),
    (
        "test --package monster --test fresh",
        "BT_META",
        "overwrite",
    ),
    (
        "test --package bt-meta --test pages codes::",
        "BT_META",
        "overwrite",
    ),
    (
        "test --package bt-meta --test pages commands::",
        "TRYCMD",
        "overwrite",
    ),
    (
        "test --package bt-tests --test book",
        "BT_META",
        "overwrite",
    ),
    (
        "test --package macro-tests --test ui",
        "TRYBUILD",
        "overwrite",
    ),
    (
        "test --package bt-tests --package bt-meta --package monster --tests",
        "INSTA_UPDATE",
        "always",
    ),
];

pub(crate) fn bless() -> Result<(), String> {
    for (command, name, value) in WRITERS {
        run(command, &[(name, value)])?;
    }
    Ok(())
}

fn run(command: &str, variables: &[(&str, &str)]) -> Result<(), String> {
    done(cargo(command).envs(variables.iter().copied()))
}

fn cargo(command: &str) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(command.split(' ')).current_dir(crate::root());
    cargo
}

fn done(command: &mut Command) -> Result<(), String> {
    eprintln!("{command:?}");
    let status = command
        .status()
        .map_err(|error| format!("{command:?}: {error}\n"))?;
    if status.success() {
        return Ok(());
    }
    Err(format!("{command:?}: {status}\n"))
}
