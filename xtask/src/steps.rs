//! The commands that check everything, and those that write generated files anew.

use std::path::Path;
use std::process::Command;
use std::thread;

/// The sets of cargo features of bt-live that are linted.
const LIVE_FEATURES: [&str; 6] = ["", "folder", "protocol", "client", "port", "logs"];

/// The sets of cargo features of bt-core that are linted and tested: each by itself, and none. `debug` has `trace` in it;
/// the tests of the workspace have all.
const FEATURES: [&str; 6] = ["", "builtin", "trace", "save", "debug", "dynamic"];

/// The crates that are published, each after those that it depends on.
pub(crate) const PUBLISHED: [&str; 7] = [
    "bt-macros",
    "bt-core",
    "bt-fleet",
    "bt-live",
    "bt-bevy",
    "bt-meta",
    "bt-studio",
];

pub(crate) fn check(with_tests: bool) -> Result<(), String> {
    run("fmt --all --check", &[])?;
    // One crate after the other leaves a processor idle: the sets of features are checked beside the rest.
    thread::scope(|scope| {
        let features = scope.spawn(lint_features);
        let rest = lint_all();
        let features = features.join();
        features.unwrap_or_else(|_| Err("checking the cargo features panicked\n".to_owned()))?;
        rest
    })?;
    package()?;
    crate::semver::check()?;
    wasm()?;
    if with_tests {
        run("test --workspace", &[])?;
    }
    Ok(())
}

/// Makes the packages as they would be published. What they need of one another is among them, and all else was
/// fetched for the lints.
fn package() -> Result<(), String> {
    let mut cargo =
        cargo("package --offline --no-verify --allow-dirty --target-dir target/package-check");
    for name in PUBLISHED {
        cargo.args(["--package", name]);
    }
    done(&mut cargo)
}

/// Compiles the runtime for the web, where the compiler has that target.
fn wasm() -> Result<(), String> {
    const TARGET: &str = "wasm32-unknown-unknown";
    let mut rustc = Command::new("rustc");
    let found = rustc
        .args(["--print", "target-libdir", "--target", TARGET])
        .output();
    let folder = found
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok());
    if !folder.is_some_and(|folder| Path::new(folder.trim()).is_dir()) {
        eprintln!("{TARGET} is not installed and was not compiled: `rustup target add {TARGET}`");
        return Ok(());
    }
    let all = "check --target-dir target/features --package bt-core --all-features --target";
    done(cargo(all).arg(TARGET))
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
    let with = |command: &str, package: &str, features: &str| {
        let mut cargo = cargo(command);
        cargo.args(["--target-dir", "target/features", "--no-default-features"]);
        cargo.args(["--package", package, "--features", features]);
        cargo
    };
    for features in FEATURES {
        done(with("clippy", "bt-core", features).args(["--", "-D", "warnings"]))?;
    }
    for features in LIVE_FEATURES {
        done(with("clippy", "bt-live", features).args(["--", "-D", "warnings"]))?;
    }
    for package in ["bt-core", "bt-fleet"] {
        let lints = "clippy --target-dir target/features --all-features --all-targets";
        done(cargo(lints).args(["--package", package, "--", "-D", "warnings"]))?;
    }
    run(
        "clippy --target-dir target/features --package bt-meta --features fleet -- -D warnings",
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
