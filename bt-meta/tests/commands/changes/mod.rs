//! Every kind of change between two catalogues, and whether it is called breaking.

mod agents;
mod arguments;
mod names;
mod queries;
mod takes;
mod types;
mod uses;

use crate::common::samples::catalogue;
use bt_meta::catalogue::Catalogue;
use bt_meta::diff::{Change, Effect, diff};
use serde_json::Value;

fn changes_between(old: &Catalogue, new: &Catalogue) -> Vec<Change> {
    diff(old, new).unwrap().changes
}

/// The changes, a line for each: `breaking: guard: action `go` is gone`, or `fine: …`.
fn lines(changes: &[Change]) -> Vec<String> {
    let line = |change: &Change| {
        let effect = match change.effect {
            Effect::Breaking => "breaking",
            Effect::Behaviour => "behaviour",
            Effect::Compatible => "fine",
        };
        format!("{effect}: {}: {}", change.agent, change.message)
    };
    changes.iter().map(line).collect()
}

/// The agents of one catalogue become those of another, and these are all changes.
#[track_caller]
fn assert_changes(old: Vec<Value>, new: Vec<Value>, expect: &[&str]) {
    let (old, new) = (catalogue(old), catalogue(new));
    assert_eq!(lines(&changes_between(&old, &new)), expect);
}

/// The advice of the only breaking change.
#[track_caller]
fn help(old: Vec<Value>, new: Vec<Value>) -> String {
    let changes = changes_between(&catalogue(old), &catalogue(new));
    let mut breaking = changes
        .into_iter()
        .filter(|change| change.effect == Effect::Breaking);
    let only = breaking.next().unwrap();
    assert!(breaking.next().is_none());
    only.help.unwrap()
}
