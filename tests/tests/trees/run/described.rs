//! Agents that are described at run time do what typed ones do.

use bt_core::trace::{JsonLines, SharedWriter};
use bt_core::{Agent, Runner};
use bt_tests::cases::{Case, Profile, drive_from, for_seeds};

const RUNS: u64 = 2_000;

type Written = SharedWriter<Vec<u8>>;

fn traced<A: Agent>(runner: &mut Runner<A>) -> Written {
    let trace = SharedWriter::new(Vec::new());
    runner.set_tracer(Some(Box::new(JsonLines::new(trace.clone()))));
    trace
}

fn text(trace: &Written) -> String {
    trace.with(|bytes| String::from_utf8_lossy(bytes).into_owned())
}

/// The traces of both, up to the first operation after which they differ.
fn differ(case: &Case) -> Result<(), String> {
    let scripts = case.scripts();
    let leaf = |number: usize| {
        let script = scripts.get(number % scripts.len().max(1))?;
        Some(&*script.name)
    };
    let tree = |number: usize| case.trees[number].name;
    let mut play = case.play();
    play.probe.plain = true;
    let mut twin = case.twin();
    twin.probe().plain = true;
    let (typed, described) = (traced(&mut play.runner), traced(&mut twin.runner));
    drive_from(play, case, |driven| {
        twin.act(driven.op, leaf, tree);
        let (typed, described) = (text(&typed), text(&described));
        let mut lines = typed.lines().zip(described.lines());
        match typed == described {
            true => Ok(()),
            false => Err(format!(
                "{:?}: {:?}",
                driven.op,
                lines.find(|(one, other)| one != other)
            )),
        }
    })
}

/// One property over random trees, scripts and hosts. `BT_RUNS` has another number of them.
#[test]
fn typed_and_described_agents_leave_the_same_trace() {
    let runs = std::env::var("BT_RUNS")
        .ok()
        .and_then(|runs| runs.parse().ok());
    for_seeds(runs.unwrap_or(RUNS), Profile::All, differ);
}
