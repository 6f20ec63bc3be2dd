//! Faults that are planted in the trees, one at a time: a scenario catches each, and says which node and why. The
//! scenarios were written before them, from what the trees are meant to do.

use std::fs;

use super::planted::{faults, planted};
use super::{folder, played};
use bt_meta::scenarios::{Outcome, Report};

/// The first failure that names a node, as people see it.
fn caught(report: &Report) -> Option<String> {
    report
        .played
        .iter()
        .find_map(|played| match &played.outcome {
            Outcome::Verdict(verdict) => {
                let failure = verdict.failures.first()?;
                let text = failure.to_string();
                let names_node = text.contains(": node ") || text.contains('#');
                (names_node && !failure.why.is_empty()).then_some(text)
            }
            Outcome::Refused(problems) => panic!("{}: {problems:?}", played.file),
        })
}

#[test]
fn each_planted_fault_is_caught_by_a_scenario_that_names_a_node_and_a_cause() {
    let faults = faults();
    assert!(faults.len() >= 40);
    let scratch = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, scratch.path().join(path.file_name().unwrap())).unwrap();
    }
    let mut missed = Vec::new();
    for fault in &faults {
        let file = scratch.path().join(fault.tree);
        let whole = fs::read_to_string(folder().join(fault.tree)).unwrap();
        fs::write(&file, planted(fault, &whole)).unwrap();
        if caught(&played(scratch.path(), false)).is_none() {
            missed.push(format!("{} node {}", fault.tree, fault.node));
        }
        fs::write(&file, whole).unwrap();
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
