//! Properties of every case, beside the rules of the [reference](crate::reference).

use std::time::Duration;

use bt_core::debug::Forced;
use bt_core::reload::{Changes, Reload};
use bt_core::trace::{JsonLines, Record, SharedWriter, Tracer};
use bt_core::{LeafState, Random, Runner, Saved, Trees};
use serde_json::Value;

use crate::cases::{Case, Driven, Op, Profile, drive_from};
use crate::probe::{Play, Probe, Replayed, Steps};

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
    let (once, twice) = (traces(case, |_, _| Ok(()))?, traces(case, |_, _| Ok(()))?);
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
    let restored = traces(case, |_, driven| {
        let now = Duration::from_millis(driven.now * 250);
        driven.play.runner = restored(&driven.play.runner, now)?;
        Ok(())
    })?;
    same(&traces(case, |_, _| Ok(()))?, &restored)
}

/// A case whose trees are edited at some moment: an agent that was saved before, and is restored with the
/// edited trees, goes on with the same trace as one that is reloaded in place. But for what is still
/// cancelling: that has no old trees to wait in.
///
/// # Errors
/// The first difference.
///
/// # Panics
/// If it cannot be restored.
pub fn moves(case: &Case) -> Result<(), String> {
    let mut random = Random::new(case.seed ^ 0x5eed);
    let moment = random.int(0..=case.ops.len() as i64 - 1) as usize;
    let edits = random.int(0..=4) as u32;
    let edited = case.edited(random.int(0..=i64::MAX) as u64, edits, Profile::All);
    match edited.build(random.int(0..=1) == 0) {
        Ok(trees) => moves_to(case, moment, &trees),
        Err(_) => Ok(()),
    }
}

/// The same, after the operation of that number and with those trees.
///
/// # Errors
/// The first difference.
///
/// # Panics
/// If it cannot be restored.
pub fn moves_to(case: &Case, moment: usize, trees: &Trees<Probe>) -> Result<(), String> {
    let mut waits = false;
    let in_place = traces(case, |number, driven| {
        if number == moment {
            let runner = &mut driven.play.runner;
            let mut leaves = runner.active_leaves().into_iter();
            waits = leaves.any(|leaf| leaf.state == LeafState::Cancelling);
            runner.reload(&Changes::between(runner.trees(), trees));
        }
        Ok(())
    })?;
    let (mut cancels, mut is_beside) = (false, false);
    let saved = traces(case, |number, driven| {
        let runner = &mut driven.play.runner;
        if number == moment {
            let text = runner.save().to_json();
            let saved = Saved::from_json(&text).map_err(|error| format!("{error}: {text}"))?;
            // None of the trees that run was edited.
            is_beside = Runner::restore(trees, &saved).is_ok();
            let restored = Runner::restore_or_restart(trees, &saved);
            let restored = restored.map_err(|error| format!("{error}: {text}"))?;
            *runner = restored.at(Duration::from_millis(driven.now * 250));
        }
        let mut told = runner.diagnostics().iter();
        cancels |= told.any(|told| told.message().contains("being cancelled"));
        Ok(())
    })?;
    // All trees of a set say which events are kept, and an agent in which something cancels stays with the old set.
    let keeps = |traces: &[String]| -> Vec<_> {
        let traces = traces.iter();
        let kept = traces.map(|trace| trace.matches(r#""cmd":"event_kept""#).count());
        kept.collect()
    };
    if cancels || is_beside && waits && keeps(&in_place) != keeps(&saved) {
        return Ok(());
    }
    // A save knows of nodes that are not active neither their first values nor what was reported of them.
    let known = |traces: Vec<String>| without(&without_first_values(&traces), &["diagnostic"]);
    let [in_place, saved] = [in_place, saved].map(known);
    match is_beside {
        true => same(&without_reload(&in_place), &without_reload(&saved)),
        false => same(&in_place, &saved),
    }
}

/// Traces without the first values of keys of trees that begin: a save says nothing of trees that are not active, so
/// what a request starts before the reload gets its keys when the agent has moved.
fn without_first_values(traces: &[String]) -> Vec<String> {
    let is = |line: &str, what: &str| line.contains(&format!(r#""cmd":"{what}""#));
    let without = |trace: &String| {
        let mut begins = false;
        let mut lines: Vec<_> = trace.lines().collect();
        // Between the beginning of a run that is new and the entry of its root.
        lines.retain(|line| {
            let starts = is(line, "push_tree") || is(line, "tree_switched");
            begins = starts || begins && !is(line, "node_enter");
            !begins || !is(line, "bb_set")
        });
        // And of one that has a number already: since the last node ended.
        begins = false;
        lines.reverse();
        lines.retain(|line| {
            let is_other = ["node_leave", "node_action", "bb_remove"];
            let is_other = is(line, "node_enter") || is_other.iter().any(|what| is(line, what));
            let enters_root = is(line, "node_enter") && line.contains(r#""type":"root""#);
            begins = enters_root || begins && !is_other;
            !begins || !is(line, "bb_set")
        });
        let lines = lines.iter().rev();
        lines.map(|line| format!("{line}\n")).collect()
    };
    traces.iter().map(without).collect()
}

/// A case whose trees are edited at some moments: what a reload did is what its preview said, if the agent moves in the
/// next poll and nothing has happened before.
///
/// # Errors
/// The first difference.
pub fn previews(case: &Case) -> Result<(), String> {
    let mut random = Random::new(case.seed ^ 0x9e71e5);
    let (mut now, mut expected) = (case.clone(), None);
    let mut play = case.play();
    play.probe.plain = true;
    drive_from(play, case, |driven| {
        let runner = &mut driven.play.runner;
        let is_poll = matches!(driven.op, Op::Poll(_));
        if let Some((reloads, preview)) = expected.take()
            && is_poll
            && runner.reloads() != reloads
            && runner
                .last_reload()
                .is_some_and(|last| !same_nodes(last, &preview))
        {
            let last = runner.last_reload();
            return Err(format!("it said:\n{preview}\nand did:\n{last:?}"));
        }
        let mut leaves = runner.active_leaves().into_iter();
        if !is_poll || leaves.any(|leaf| leaf.state == LeafState::Cancelling) {
            return Ok(());
        }
        let edited = now.edited(random.int(0..=i64::MAX) as u64, 3, Profile::All);
        if let Ok(trees) = edited.build(random.int(0..=1) == 0) {
            let changes = Changes::between(runner.trees(), &trees);
            expected = Some((runner.reloads(), runner.preview_reload(&changes)));
            runner.reload(&changes);
            now = edited;
        }
        Ok(())
    })
}

/// Returns true if two reloads did the same to the same nodes.
fn same_nodes(a: &Reload, b: &Reload) -> bool {
    a.moved() == b.moved()
        && a.kept() == b.kept()
        && a.adopted() == b.adopted()
        && a.aborted() == b.aborted()
        && a.entered() == b.entered()
}

/// A case in which a node changes at some moment that is neither active nor a child of an active one: until the
/// walk comes to it the trace is that of the unchanged trees.
///
/// # Errors
/// The first difference.
pub fn is_beside(case: &Case) -> Result<(), String> {
    let mut random = Random::new(case.seed ^ 0xbe51de);
    let moment = random.int(0..=case.ops.len() as i64 - 1) as usize;
    let seed = random.int(0..=i64::MAX) as u64;
    let mut changed = None;
    let edited = traces(case, |number, driven| {
        if number != moment {
            return Ok(());
        }
        let runner = &mut driven.play.runner;
        let active = runner.active_nodes().into_iter();
        let active = active.map(|node| (node.tree, node.idx)).collect();
        if let Some((edited, tree, nodes)) = case.edited_beside(seed, &active)
            && let Ok(trees) = edited.build(false)
        {
            runner.reload(&Changes::between(runner.trees(), &trees));
            changed = Some((tree, nodes));
        }
        Ok(())
    })?;
    let Some((tree, nodes)) = changed else {
        return Ok(());
    };
    // All trees are there in both.
    let all = case.build(false).map_err(|error| error.to_string())?;
    let straight = traces(case, |number, driven| {
        let runner = &mut driven.play.runner;
        if number == moment {
            runner.reload(&Changes::between(runner.trees(), &all));
        }
        Ok(())
    })?;
    let place = nodes.map(|idx| format!(r#"[,{idx}],"tree":"{tree}""#));
    let reaches = |line: &str| place.iter().any(|place| line.contains(place));
    let lines = |traces: &[String]| {
        let traces = without_reload(&without_first_values(traces));
        let lines = traces
            .iter()
            .flat_map(|trace| trace.lines())
            .map(str::to_owned);
        lines.collect::<Vec<_>>()
    };
    let (straight, edited) = (lines(&straight), lines(&edited));
    for (number, line) in straight.iter().enumerate() {
        let other = edited.get(number);
        if reaches(line) || other.is_some_and(|other| reaches(other)) {
            return Ok(());
        }
        if other != Some(line) {
            return Err(format!(
                "line {number}, {nodes:?} of {tree}:\n  {line}\n  {other:?}"
            ));
        }
    }
    Ok(())
}

/// Checks that what a debugger disables is as if a file did so; and whatever it disables meanwhile, what was
/// entered is exited once.
///
/// # Errors
/// The first difference.
pub fn disables(case: &Case) -> Result<(), String> {
    let (enabled, disabled) = case.enabled();
    let force = |play: &mut Play, (tree, idx): (&str, u32), forced| {
        // A tree that nobody runs is not there.
        let _ = play.runner.force(tree, idx, forced);
    };
    let off = Some(Forced::Disabled);
    let mut play = enabled.play();
    disabled
        .iter()
        .for_each(|node| force(&mut play, *node, off));
    same(&happens(case, case.play())?, &happens(case, play)?)?;

    let mut random = Random::new(case.seed ^ 0xd15ab1ed);
    let nodes = enabled.trees.iter().flat_map(|tree| {
        let nodes = tree.root.nodes().into_iter();
        nodes.map(|node| (tree.name, node.idx))
    });
    let nodes: Vec<_> = nodes.collect();
    drive_from(enabled.play(), case, |driven| {
        let node = nodes[random.int(0..=nodes.len() as i64 - 1) as usize];
        let forced = if random.int(0..=2) == 0 { None } else { off };
        force(&mut driven.play, node, forced);
        Ok(())
    })
}

/// The result of each operation of a case: how the tree stands, what is active, and the lines of its log.
fn happens(case: &Case, play: Play) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    drive_from(play, case, |driven| {
        let runner = &driven.play.runner;
        let (nodes, leaves) = (runner.active_nodes(), runner.active_leaves());
        let Driven { status, log, .. } = driven;
        all.push(format!(
            "{status:?} {nodes:?}\n{leaves:?}\n{}",
            log.join("\n")
        ));
        Ok::<(), String>(())
    })?;
    Ok(all)
}

/// A case that is stopped at every step, and continues each time, has the same trace as one that is not.
///
/// # Errors
/// The first difference.
pub fn stops(case: &Case) -> Result<(), String> {
    let straight = stepped(case, None)?.0;
    let (every, stops) = stepped(case, Some(Steps::All))?;
    let (any, _) = stepped(case, Some(Steps::Any(case.seed)))?;
    let enters = straight.iter().any(|trace| trace.contains("node_enter"));
    if enters && stops == 0 {
        return Err("it was never stopped".to_owned());
    }
    same(&straight, &every).map_err(|error| format!("at every step: {error}"))?;
    same(&straight, &any).map_err(|error| format!("at some steps: {error}"))
}

/// The log of each operation of a case that is stopped so, and the number of stops.
fn stepped(case: &Case, steps: Option<Steps>) -> Result<(Vec<String>, u64), String> {
    let mut play = case.play();
    play.probe.plain = true;
    let trace = SharedWriter::new(Vec::new());
    watch(&mut play, &trace);
    if let Some(steps) = steps {
        play.stepping(steps);
        play.runner.stop_next();
    }
    let (mut traces, mut stops) = (Vec::new(), 0);
    drive_from(play, case, |driven| {
        let text = trace.with(std::mem::take);
        let text = String::from_utf8_lossy(&text).into_owned();
        let leaves = driven.play.runner.active_leaves();
        traces.push(format!("{text}{:?} {leaves:?}\n", driven.status));
        stops = driven.play.stops;
        if steps.is_some() {
            driven.play.runner.stop_next();
        }
        Ok::<(), String>(())
    })?;
    Ok((traces, stops))
}

/// Traces without what a reload shows of what there is, without the poll that it makes, and without the numbers of
/// runs of trees: a trace counts them anew at each snapshot.
fn without_reload(traces: &[String]) -> Vec<String> {
    let shows = [
        "reload",
        "snapshot",
        "stands",
        "waits",
        "poll_begin",
        "push_tree",
    ];
    let traces = without(traces, &shows);
    traces.iter().map(|trace| without_runs(trace)).collect()
}

/// Traces without records of some kinds.
fn without(traces: &[String], kinds: &[&str]) -> Vec<String> {
    let marks: Vec<String> = kinds
        .iter()
        .map(|kind| format!(r#""cmd":"{kind}""#))
        .collect();
    let stays = |line: &&str| !marks.iter().any(|mark| line.contains(mark));
    let traces = traces.iter().map(|trace| trace.lines().filter(stays));
    traces
        .map(|lines| lines.map(|line| format!("{line}\n")).collect())
        .collect()
}

fn without_runs(trace: &str) -> String {
    let without = |line: String, mark: &str| {
        let mut parts = line.split(mark);
        let first = parts.next().unwrap_or_default().to_owned();
        let rest = parts.map(|part| part.trim_start_matches(|digit: char| digit.is_ascii_digit()));
        rest.fold(first, |text, rest| text + mark + rest)
    };
    without(without(trace.to_owned(), r#""at":["#), "@")
}

/// The trace of each operation, which begins with what there is before it.
fn traces(
    case: &Case,
    mut after: impl FnMut(usize, &mut Driven) -> Result<(), String>,
) -> Result<Vec<String>, String> {
    let mut play = case.play();
    play.probe.plain = true;
    let mut trace = SharedWriter::new(Vec::new());
    watch(&mut play, &trace);
    let mut traces = Vec::new();
    drive_from(play, case, |driven| {
        let text = std::mem::replace(&mut trace, SharedWriter::new(Vec::new()));
        let text = text.with(|bytes| String::from_utf8_lossy(bytes).into_owned());
        traces.push(text.lines().map(in_time).collect());
        after(traces.len() - 1, driven)?;
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

/// The records without explanations: those report the past, and a saved agent has none.
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

/// A record without the order of its keys: nothing depends on that, and tables of keys differ in it.
fn sorted(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|_| line.into())
}

fn same(a: &[String], b: &[String]) -> Result<(), String> {
    for (number, (a, b)) in a.iter().zip(b).enumerate() {
        let all = (a, b);
        let mut lines = a.lines().zip(b.lines());
        if let Some((a, b)) = lines.find(|(a, b)| a != b && sorted(a) != sorted(b)) {
            return Err(format!(
                "operation {number}:\n  {a}\n  {b}\nof\n{}\nand\n{}",
                all.0, all.1
            ));
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
