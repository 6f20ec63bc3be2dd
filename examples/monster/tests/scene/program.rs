//! The program: what it prints.

use std::process::{Command, Output};

pub(crate) fn run(args: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_monster"));
    program.args(args).output().unwrap()
}

/// The output of a run that ends well.
pub(crate) fn told(args: &[&str]) -> String {
    let output = run(args);
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert_eq!(complaints, "", "{args:?}");
    assert_eq!(output.status.code(), Some(0), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn short_scene_prints_this_story() {
    insta::assert_snapshot!(told(&["--agents", "12", "--seconds", "60", "--seed", "7"]));
}

#[test]
fn the_default_scene_ends_with_its_statistic() {
    let told = told(&[]);
    let (story, statistic) = told.split_once("\n\n").unwrap();
    assert!(story.lines().count() > 100);
    insta::assert_snapshot!(statistic);
}

#[test]
fn a_seed_is_a_scene() {
    let scene = |seed: &str| told(&["--agents=20", "--seconds=40", &format!("--seed={seed}")]);
    assert_eq!(scene("3"), scene("3"));
    assert_ne!(scene("3"), scene("4"));
}
