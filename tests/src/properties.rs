//! What holds for every case, beside what the [reference](crate::reference) says.

use std::time::Duration;

use bt_core::trace::{JsonLines, Record, SharedWriter, Tracer};
use bt_core::{Runner, Saved};
use serde_json::Value;

use crate::cases::{Case, Op, drive_from};
use crate::probe::{Play, Probe, Replayed};

/// The trace of a case, replayed as it grows, leads to what the runner shows, after every poll; a
/// record is read from JSON as it was written; and the same seed gives the same trace, to the
/// byte.
///
/// # Errors
/// The first difference.
///
/// # Panics
/// Where the trace makes no sense.
pub fn replays(case: &Case) -> Result<(), String> {
    let mut play = case.play();
    play.runner.set_tracer(Some(Box::new(Replayed::default())));
    drive_from(play, case, |driven| {
        // What the host writes is told of in the next poll.
        if matches!(driven.op, Op::Poll(_) | Op::Stop) {
            Replayed::check(&driven.play.runner);
        }
        Ok::<(), String>(())
    })?;
    let (once, twice) = (traces(case, false)?, traces(case, false)?);
    same(&once, &twice)
}

/// A case that is saved and restored after everything that happens goes on with the same trace as one
/// that is not. Its leaves wait for times and events only: who held a completion is gone.
///
/// # Errors
/// The first difference.
///
/// # Panics
/// If it cannot be restored.
pub fn restores(case: &Case) -> Result<(), String> {
    same(&traces(case, false)?, &traces(case, true)?)
}

/// The trace of each operation, which begins with what there is before it.
fn traces(case: &Case, saves: bool) -> Result<Vec<String>, String> {
    let mut play = case.play();
    play.probe.plain = true;
    let mut trace = SharedWriter::new(Vec::new());
    watch(&mut play, &trace);
    let mut traces = Vec::new();
    drive_from(play, case, |driven| {
        let text = std::mem::replace(&mut trace, SharedWriter::new(Vec::new()));
        let text = text.with(|bytes| String::from_utf8_lossy(bytes).into_owned());
        traces.push(text.lines().map(in_time).collect());
        if saves {
            let now = Duration::from_millis(driven.now * 250);
            driven.play.runner = restored(&driven.play.runner, now)?;
        }
        watch(&mut driven.play, &trace);
        Ok::<(), String>(())
    })?;
    Ok(traces)
}

/// A saved agent knows how much time is left: what the budget of a poll left overdue is due now.
fn in_time(line: &str) -> String {
    let mut record: Value = serde_json::from_str(line).unwrap_or_default();
    if let (Some(now), Some(until)) = (record["ns"].as_u64(), record["until"].as_u64())
        && until <= now
    {
        record["until"] = now.into();
        return format!("{record}\n");
    }
    format!("{line}\n")
}

/// What happens, without explanations: those tell of what happened before, and a saved agent has no past.
struct Events(JsonLines<SharedWriter<Vec<u8>>>);

impl Tracer for Events {
    fn record(&mut self, record: &Record<'_>) {
        self.0.record(record);
    }
}

fn watch(play: &mut Play, trace: &SharedWriter<Vec<u8>>) {
    let lines = Events(JsonLines::new(trace.clone()));
    play.runner.set_tracer(Some(Box::new(lines)));
}

fn restored(runner: &Runner<Probe>, now: Duration) -> Result<Runner<Probe>, String> {
    let text = runner.save().to_json();
    let saved = Saved::from_json(&text).map_err(|error| format!("{error}: {text}"))?;
    let restored = Runner::restore(runner.trees(), &saved);
    let restored = restored.map_err(|error| format!("{error}: {text}"))?;
    Ok(restored.at(now))
}

fn same(a: &[String], b: &[String]) -> Result<(), String> {
    for (number, (a, b)) in a.iter().zip(b).enumerate() {
        let mut lines = a.lines().zip(b.lines());
        if let Some((a, b)) = lines.find(|(a, b)| a != b) {
            return Err(format!("operation {number}:\n  {a}\n  {b}"));
        }
        if a.lines().count() != b.lines().count() {
            return Err(format!("operation {number} goes on:\n{a}\nelse\n{b}"));
        }
    }
    match a.len() == b.len() {
        true => Ok(()),
        false => Err(format!("{} operations, and {}", a.len(), b.len())),
    }
}
