//! The example prints what `output.txt` has: the results that the tests of the other engines ask for.

use std::process::Command;

#[test]
fn the_example_prints_the_output_of_its_file() {
    let run = Command::new(env!("CARGO_BIN_EXE_computed"))
        .output()
        .unwrap();
    assert!(run.status.success());
    let printed = String::from_utf8(run.stdout).unwrap();
    assert_eq!(printed, include_str!("../output.txt"));
}
