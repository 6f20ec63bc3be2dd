//! A tree at play that is stopped. Its nodes are numbered as they are written, from the root, 0.

use std::sync::Arc;

use bt_core::debug::{Breakpoint, Breakpoints, On, Step, Stop};
use bt_core::trace::{JsonLines, SharedWriter};
use bt_tests::probe::Play;
use serde_json::Value;

/// Sets breakpoints, whose numbers count from 1.
pub(crate) fn break_on(play: &mut Play, all: impl IntoIterator<Item = On>) {
    let all = all.into_iter().zip(1..);
    set(play, all.map(|(on, id)| Breakpoint::new(id, on)));
}

pub(crate) fn set(play: &mut Play, all: impl IntoIterator<Item = Breakpoint>) {
    let all = Arc::new(Breakpoints::new(all));
    play.runner.set_breakpoints(Some(all));
}

pub(crate) fn enter(idx: u32) -> On {
    let tree = "main".to_owned();
    On::Enter { tree, idx }
}

pub(crate) fn exit(idx: u32) -> On {
    let tree = "main".to_owned();
    On::Exit { tree, idx }
}

/// The stop.
pub(crate) fn stop(play: &Play) -> &Stop {
    play.runner.stopped().expect("it is stopped")
}

/// The record of the stop, and its node.
pub(crate) fn place(play: &Play) -> (&str, Option<u32>) {
    let stop = stop(play);
    (&stop.record, stop.idx)
}

/// Takes a step, and polls again.
pub(crate) fn step(play: &mut Play, step: Step) {
    let number = stop(play).number;
    let stepped = play.runner.step(number, step);
    stepped.unwrap_or_else(|error| panic!("{error}"));
    play.again();
}

/// Continues, and polls again.
pub(crate) fn go(play: &mut Play) {
    step(play, Step::Continue);
}

/// The records of a trace, from now on.
pub(crate) struct Trace(SharedWriter<Vec<u8>>);

impl Trace {
    pub(crate) fn of(play: &mut Play) -> Trace {
        let writer = SharedWriter::new(Vec::new());
        let lines = JsonLines::new(writer.clone());
        play.runner.set_tracer(Some(Box::new(lines)));
        Trace(writer)
    }

    /// The notes of that name: their nodes and values.
    pub(crate) fn notes(&self, name: &str) -> Vec<(u64, String)> {
        let text = self
            .0
            .with(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let records = text.lines().map(serde_json::from_str::<Value>);
        let records = records.map(|record| record.expect("it is JSON"));
        let notes = records.filter(|record| record["cmd"] == "note" && record["note"] == name);
        notes
            .map(|note| {
                let node = note["at"][1].as_u64().expect("a node");
                (node, note["value"].as_str().expect("a text").to_owned())
            })
            .collect()
    }
}
