//! U06: an agent that is saved here goes on in another process.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use bt_core::{Runner, TreeSet};
use bt_tests::migrant::{Migrant, tree};

#[test]
fn u06_an_agent_moves_to_another_process() {
    let mut set = TreeSet::<Migrant>::new();
    set.add(tree());
    let trees = set.build().unwrap();
    let mut runner = Runner::new(&trees, "migrate.json").unwrap().seed(11);
    runner.start();
    let mut migrant = Migrant::default();
    for second in [1_000_000, 1_000_004] {
        runner.poll(&mut migrant, Duration::from_secs(second));
    }
    let text = runner.save().to_json();

    let mut other = Command::new(env!("CARGO_BIN_EXE_restored"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    other
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = other.wait_with_output().unwrap();
    assert!(output.status.success());
    let there = String::from_utf8(output.stdout).unwrap();

    let here = bt_tests::migrant::polls(&mut runner, &mut migrant, 1_000_004);
    let later = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(later(&there), later(&here));
    assert!(there.starts_with("0 resume 4 with 3 bags\n"), "{there}");
    let lines = ["0", "1", "2", "3", "4", "5", "6 arrived, drew ", "7"];
    assert_eq!(there.lines().count(), lines.len(), "{there}");
    for (line, start) in there.lines().zip(lines) {
        assert!(line.starts_with(start), "{there}");
    }
}
