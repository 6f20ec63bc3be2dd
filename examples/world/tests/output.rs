//! The example prints what `output.txt` and the book show.

use std::process::Command;

#[test]
fn the_example_prints_the_output_that_the_book_shows() {
    let run = Command::new(env!("CARGO_BIN_EXE_world")).output().unwrap();
    assert!(run.status.success());
    let printed = String::from_utf8(run.stdout).unwrap();
    assert_eq!(printed, include_str!("../output.txt"));
}
