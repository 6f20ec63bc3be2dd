//! The commands that check everything, and those that write generated files anew.

use std::process::Command;
use std::thread;

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
    // One crate after the other leaves a processor idle: the sets of features are linted beside the rest.
    thread::scope(|scope| {
        let features = scope.spawn(lint_features);
        let rest = lint_all();
        let features = features.join();
        features.unwrap_or_else(|_| Err("linting the cargo features panicked\n".to_owned()))?;
        rest
    })?;
    if with_tests {
        run("test --workspace", &[])?;
    }
    Ok(())
}

fn lint_all() -> Result<(), String> {
    run("clippy --workspace --all-targets -- -D warnings", &[])?;
    run(
        "doc --workspace --no-deps",
        &[("RUSTDOCFLAGS", "-D warnings")],
    )?;
    // A package that is built alone has the features it asks for.
    run("test --package bare-game -- --include-ignored", &[])?;
    run(
        "test --package bare-game --features debug -- --include-ignored",
        &[],
    )
}

/// Lints each set of cargo features, in a target folder of its own.
fn lint_features() -> Result<(), String> {
    let sets = |package, features: &'static [&str]| features.iter().map(move |it| (package, *it));
    let sets = sets("bt-core", &FEATURES).chain(sets("bt-live", &LIVE_FEATURES));
    for (package, features) in sets {
        let mut clippy = cargo("clippy --target-dir target/features --no-default-features");
        clippy.args(["--package", package, "--features", features]);
        done(clippy.args(["--", "-D", "warnings"]))?;
    }
    run(
        "clippy --target-dir target/features --package bt-core --all-features -- -D warnings",
        &[],
    )
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
