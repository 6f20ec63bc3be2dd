//! The runner does what the reference does: see `bt_tests::reference`. `--bin prove` looks at more.

use std::collections::BTreeMap;

use bt_tests::cases::{Case, Op, Profile, for_seeds};
use bt_tests::compare::agree;
use bt_tests::reference::{Reference, STACK};

#[test]
fn the_runner_and_the_reference_agree_on_random_trees() {
    roomy(|| for_seeds(10_000, Profile::Covered, agree));
}

#[test]
fn the_reference_exits_all_that_it_enters_once() {
    roomy(|| for_seeds(20_000, Profile::Covered, exits_once));
}

fn exits_once(case: &Case) -> Result<(), String> {
    let scripts = case.scripts();
    let names: Vec<_> = scripts.iter().map(|script| &*script.name).collect();
    let built = case.as_built();
    let mut reference = Reference::new(&built);
    let mut open: BTreeMap<String, i32> = BTreeMap::new();
    for op in case.ops.iter().chain([&Op::Stop]) {
        reference.act(*op, &names);
        for line in reference.log() {
            let mut words = line.split(' ');
            let change = match words.next() {
                Some("enter") => 1,
                Some("exit") => -1,
                _ => continue,
            };
            let name = words.next().unwrap_or_default();
            *open.entry(name.to_owned()).or_default() += change;
        }
        // The other tree may run more than once at a time.
        if let Some((name, _)) = open.iter().find(|(_, count)| **count < 0) {
            return Err(format!("{name} exits more often than it is entered"));
        }
    }
    open.retain(|_, count| *count != 0);
    match open.is_empty() && reference.active_nodes().is_empty() {
        true => Ok(()),
        false => Err(format!("after a stop: {open:?}")),
    }
}

/// In a thread with a stack for the reference.
fn roomy(act: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(act);
    let ended = thread.map(std::thread::JoinHandle::join);
    match ended {
        Ok(Ok(())) => {}
        Ok(Err(panic)) => std::panic::resume_unwind(panic),
        Err(error) => panic!("{error}"),
    }
}
