//! All files looked at, by as many threads as there are cores, without holding all trees at once.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use bt_core::tree::asset::locate;
use bt_core::tree::check::{Checker, Knows, Rules};
use bt_core::{Problem, TreeAsset};

use super::allowed;
use super::finding::{Finding, Lines};
use super::input::Input;
use super::levels::Levels;
use crate::error::Error;

/// What was found in one file.
#[derive(Debug, Default)]
pub(super) struct InFile {
    pub(super) findings: Vec<Finding>,
    /// How many more errors there are.
    pub(super) errors: usize,
    /// How many more warnings there are.
    pub(super) warnings: usize,
}

/// Looks at the files; what is found is in their order. `tick` is called for each file that is done.
///
/// # Errors
/// A failure for the first file that cannot be read.
pub(super) fn look(
    inputs: &[Input],
    knows: &dyn Knows,
    levels: &Levels,
    tick: &(dyn Fn() + Sync),
) -> Result<Vec<InFile>, Error> {
    let heads = on_all_cores(inputs, |_, input| {
        Ok(TreeAsset::head(&input.name, &input.read()?))
    })?;
    let rules = Rules::default();
    let checker = Checker::new(&heads, knows, &rules);
    on_all_cores(inputs, |at, input| {
        let found = look_at(at, input, &checker, levels);
        tick();
        found
    })
}

fn look_at(
    at: usize,
    input: &Input,
    checker: &Checker<'_>,
    levels: &Levels,
) -> Result<InFile, Error> {
    let bytes = input.read()?;
    let tree = match TreeAsset::from_slice(&input.name, &bytes) {
        Ok(tree) => tree,
        Err(error) => {
            let problems = error.problems().to_vec();
            let mut found = placed(problems, None, input, &bytes, levels);
            found.errors = error.unlisted();
            return Ok(found);
        }
    };
    let checked = checker.check(at, &tree);
    let (errors, warnings) = (checked.unlisted, checked.unlisted_warnings);
    let mut problems = checked.problems;
    problems.extend(checked.warnings);
    let mut found = placed(problems, Some(&tree), input, &bytes, levels);
    (found.errors, found.warnings) = (errors, warnings);
    Ok(found)
}

/// The problems that are to be told of, with their places, in the order of the file.
fn placed(
    mut problems: Vec<Problem>,
    tree: Option<&TreeAsset>,
    input: &Input,
    bytes: &[u8],
    levels: &Levels,
) -> InFile {
    let is_told = |problem: &Problem| {
        let code = problem.code();
        let allowed = tree.is_some_and(|tree| allowed::allows_there(tree, problem.node(), code));
        levels.of(code).is_some() && !allowed
    };
    problems.retain(is_told);
    if problems.is_empty() {
        return InFile::default();
    }
    let text = String::from_utf8_lossy(bytes);
    if problems.iter().any(|problem| problem.position().is_none()) {
        locate(&mut problems, &text);
    }
    problems.sort_by_key(Problem::position);
    let (lines, file) = (Lines::of(&text), input.shown());
    let findings = problems.iter().filter_map(|problem| {
        let level = levels.of(problem.code())?;
        Some(Finding::of(problem, level, &file, &lines))
    });
    InFile {
        findings: findings.collect(),
        ..InFile::default()
    }
}

/// Does something with each item, on all cores; the results are in the order of the items.
fn on_all_cores<I: Sync, T: Send>(
    items: &[I],
    each: impl Fn(usize, &I) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Result<T, Error>)>> = Mutex::new(Vec::new());
    let work = || {
        let mut own = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { break };
            own.push((at, each(at, item)));
        }
        done.lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .extend(own);
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 1..cores.min(items.len()) {
            scope.spawn(work);
        }
        work();
    });
    let mut done = done
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}
