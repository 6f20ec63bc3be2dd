//! The program: what it prints, and what it says of options that are none.

use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_monster"));
    program.args(args).output().unwrap()
}

/// What a run that ends well prints.
fn told(args: &[&str]) -> String {
    let output = run(args);
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert_eq!(complaints, "", "{args:?}");
    assert_eq!(output.status.code(), Some(0), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_short_scene_is_told_line_by_line() {
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

#[test]
fn help_names_every_option() {
    let help = told(&["--help"]);
    for option in ["--agents", "--seconds", "--seed", "--help"] {
        assert!(help.contains(option), "{option}");
    }
    assert_eq!(told(&["-h"]), help);
}

#[test]
fn wrong_options_are_refused_with_what_is_right() {
    let refused = |args: &[&str]| {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        text.lines().next().unwrap().to_owned()
    };
    let range = "expected a whole number from 1 to 2000";
    for (args, why) in [
        (
            vec!["--agents", "none"],
            format!("`--agents`: {range}, found `none`"),
        ),
        (
            vec!["--agents", "0"],
            format!("`--agents`: {range}, found `0`"),
        ),
        (
            vec!["--agents=-3"],
            format!("`--agents`: {range}, found `-3`"),
        ),
        (
            vec!["--agents=2001"],
            format!("`--agents`: {range}, found `2001`"),
        ),
        (vec!["--seconds"], "`--seconds` needs a number".to_owned()),
        (
            vec!["--agent", "3"],
            "unknown option `--agent`; there are `--agents`, `--seconds`, `--seed` and `--help`"
                .to_owned(),
        ),
        (
            vec!["--help=me"],
            "`--help` takes no value, found `me`".to_owned(),
        ),
    ] {
        assert_eq!(refused(&args), format!("error: {why}"));
    }
}
