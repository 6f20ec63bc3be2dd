//! The messages about unknown options, and about those that do not go together.

use super::program::{run, told};

#[test]
fn help_names_every_option() {
    let help = told(&["--help"]);
    for option in [
        "--agents",
        "--seconds",
        "--seed",
        "--trace",
        "--of",
        "--watch",
        "--save",
        "--save-at",
        "--restore",
        "--reload",
        "--live",
        "--speed",
        "--help",
        ".jsonl",
        ".log",
        ".json ",
    ] {
        assert!(help.contains(option), "{option}");
    }
    assert_eq!(told(&["-h"]), help);
}

/// The first line of what is said of options that nothing can be done with.
fn refused(args: &[&str]) -> String {
    let output = run(args);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert!(
        text.ends_with("For more information, try `--help`.\n"),
        "{text}"
    );
    let line = text.lines().next().unwrap();
    line.strip_prefix("error: ").unwrap().to_owned()
}

#[test]
fn numbers_are_whole_and_of_a_range() {
    let range = "expected a whole number from 1 to 100000";
    for (arg, found) in [
        ("--agents=none", "none"),
        ("--agents=0", "0"),
        ("--agents=-3", "-3"),
        ("--agents=100001", "100001"),
        ("--agents=", ""),
    ] {
        assert_eq!(
            refused(&[arg]),
            format!("`--agents`: {range}, found `{found}`")
        );
    }
    for option in ["--agents", "--seconds", "--seed", "--save-at"] {
        assert_eq!(refused(&[option]), format!("`{option}` needs a number"));
        assert_eq!(
            refused(&[option, "--help"]),
            format!("`{option}` needs a number")
        );
    }
}

#[test]
fn options_require_a_file_or_a_name() {
    for (option, what) in [
        ("--trace", "file"),
        ("--save", "file"),
        ("--restore", "file"),
        ("--of", "name"),
        ("--watch", "name"),
    ] {
        let needs = format!("`{option}` needs a {what}");
        assert_eq!(refused(&[option]), needs);
        assert_eq!(refused(&[option, "--seed", "1"]), needs);
    }
    assert_eq!(refused(&["--save="]), "`--save` needs a file");
}

#[test]
fn unknown_options_are_answered_with_those_that_exist() {
    assert_eq!(
        refused(&["--agent", "3"]),
        "unknown option `--agent`; there are `--agents`, `--seconds`, `--seed`, `--trace`, `--of`, \
         `--watch`, `--save`, `--save-at`, `--restore`, `--reload`, `--live`, `--speed` and `--help`"
    );
    assert_eq!(
        refused(&["--help=me"]),
        "`--help` takes no value, found `me`"
    );
}

#[test]
fn a_trace_of_an_unknown_ending_is_refused_with_the_endings() {
    for file in ["trace", "trace.txt", "trace.JSON", ".json", "json"] {
        assert_eq!(
            refused(&["--trace", file]),
            format!(
                "`--trace`: expected a file that ends in `.jsonl` (JSON lines), `.log` (behaviac's \
                 lines) or `.json` (the original debugger's log of one agent), found `{file}`"
            )
        );
    }
}

#[test]
fn contradictory_options_are_refused() {
    for (args, why) in [
        (
            ["--of", "wolf-2"].as_slice(),
            "`--of` says whom `--trace` is about; there is no `--trace`",
        ),
        (
            &["--save-at", "5"],
            "`--save-at` says when to `--save`; there is no `--save`",
        ),
        (
            &["--save", "x", "--seconds=9", "--save-at=10"],
            "`--save-at`: the scene ends after 9 seconds, found `10`",
        ),
        (
            &["--restore", "x", "--agents", "3"],
            "`--agents` does not go with `--restore`: the scene was saved with its agents",
        ),
        (
            &["--restore", "x", "--seed", "3"],
            "`--seed` does not go with `--restore`: the scene was saved with its luck",
        ),
        (
            &["--live", "--reload"],
            "`--live` does not go with `--reload`: clients of the port replace the trees",
        ),
        (&["--live=9"], "`--live` takes no value, found `9`"),
        (
            &["--speed", "1"],
            "`--speed` says how fast time passes with `--live`; there is no `--live`",
        ),
        (
            &["--live", "--speed=17"],
            "`--speed`: expected a number from 0 to 16, found `17`",
        ),
        (&["--speed"], "`--speed` needs a number"),
        (
            &["--restore", "x", "--reload"],
            "`--reload` does not go with `--restore`: a saved scene has its trees",
        ),
    ] {
        assert_eq!(refused(args), why);
    }
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_monster"));
    let output = program
        .arg(OsStr::from_bytes(b"--of=\xff"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(
        text.starts_with("error: `--of=\u{fffd}` is no Unicode text\n"),
        "{text}"
    );
}
