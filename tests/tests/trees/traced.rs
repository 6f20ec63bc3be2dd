//! The tests of `run` and `running` hold with a tracer too, which takes another way through the trees: what it
//! is told is replayed, and leads to what the runner shows, after every poll.

use std::env;
use std::process::Command;

use bt_tests::probe::TRACED;

#[test]
fn rules_of_running_hold_with_a_tracer() {
    let tests = Command::new(env::current_exe().unwrap())
        .args(["run::", "running::"])
        .env(TRACED, "1")
        .output()
        .unwrap();
    let output = String::from_utf8_lossy(&tests.stdout);
    assert!(tests.status.success(), "{output}");
    assert!(output.contains(" passed; 0 failed;"), "{output}");
}
