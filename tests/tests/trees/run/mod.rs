//! The meaning of each node: every test pins the rule that its name says.

mod chosen;
mod composites;
mod control;
mod decorators;
mod described;
mod elements;
mod harness;
mod keep_place;
mod loops;
mod mistakes;
mod parallel;
mod polling;
mod random_trees;
mod randomness;
mod reactive;
mod refused;
mod requests;
mod wake;

use bt_core::Status;
use bt_core::tree::asset::spec::NodeSpec;
use bt_tests::probe::*;

/// Leaves `a`, `b`, … that reply as the letters say: `S`, `F`, or `R` for one that waits.
fn leaves(letters: &str) -> Vec<NodeSpec> {
    names(letters).map(|(name, _)| starts(&name)).collect()
}

fn names(letters: &str) -> impl Iterator<Item = (String, char)> {
    let names = ('a'..='z').map(String::from);
    names.zip(letters.chars())
}

/// Sets the next replies of leaves `a`, `b`, …, as the letters say.
fn replies(play: &mut Play, letters: &str) {
    for (name, letter) in names(letters) {
        let status = status(letter);
        play.reply(&name, [status]);
    }
}

fn status(letter: char) -> Status {
    match letter {
        'S' => S,
        'F' => F,
        'R' => R,
        other => panic!("`{other}` is no status"),
    }
}

/// A node above such leaves, ready for its first poll.
fn above(kind: NodeSpec, letters: &str) -> Play {
    let mut play = Play::new(kind.children(leaves(letters)));
    replies(&mut play, letters);
    play
}

/// A table: what leaves reply, what the tree comes to in the first poll, and what happened.
fn table(kind: &NodeSpec, rows: &[(&str, Status, &str)]) {
    for (letters, status, brief) in rows {
        let mut play = above(kind.clone(), letters);
        assert_eq!(play.poll(0.0), *status, "{letters}");
        assert_eq!(play.brief(), *brief, "{letters}");
    }
}
