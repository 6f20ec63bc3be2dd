//! A user's own meta binary, made with `bt_meta::main!`: the examples of this crate.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::rules::check_export;
use crate::common::sandbox::run;

/// An example, which `cargo test` builds beside the tests.
fn example(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_bt-meta")).parent().unwrap();
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let path = folder.join("examples").join(name);
    assert!(
        path.is_file(),
        "build it first: cargo build -p bt-meta --examples"
    );
    path
}

#[test]
fn the_agents_of_the_crates_named_are_exported() {
    let dir = tempfile::tempdir().unwrap();
    let out = run(Command::new(example("own"))
        .args(["export", "--out-dir"])
        .arg(dir.path()))
    .done();
    assert!(out.out.contains("wrote "), "{}", out.out);
    check_export(dir.path());
    let list = run(Command::new(example("own")).arg("list")).done();
    assert!(list.out.starts_with("action_agent"), "{}", list.out);
}

#[test]
fn a_crate_that_registers_nothing_is_a_finding() {
    let run = run(Command::new(example("own_with_silent_crate")).arg("list"));
    run.says(
        1,
        &[
            "`serde_json` in `bt_meta::main!` registered nothing",
            "`bt_core`",
        ],
    );
}

#[test]
fn there_is_no_package_to_choose() {
    let run = run(Command::new(example("own")).args(["list", "--package", "x"]));
    run.says(2, &["--package"]);
}
