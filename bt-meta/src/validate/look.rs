//! All files looked at, by as many threads as there are cores, without holding all trees at once.

use std::collections::BTreeMap;

use bt_core::tree::asset::locate;
use bt_core::tree::by_either_name;
use bt_core::tree::check::{Checker, Knows, Rules};
use bt_core::{Problem, TreeAsset};

use super::allowed::Allows;
use super::finding::{Finding, Lines};
use super::input::Input;
use super::levels::Levels;
use crate::cores::on_all_cores;
use crate::error::{Error, did_you_mean};
use crate::lint::{Linted, lint, together};

/// The findings in one file.
#[derive(Debug, Default)]
pub(super) struct InFile {
    pub(super) findings: Vec<Finding>,
    /// The number of further errors.
    pub(super) errors: usize,
    /// The number of further warnings.
    pub(super) warnings: usize,
    /// The facts that the check of all trees needs of it; none for a file that is not a tree.
    linted: Option<Linted>,
    /// The codes that its comments allow; none for a file that is not a tree.
    allows: Option<Allows>,
}

/// The inputs of a check of all files.
pub(super) struct With<'w> {
    pub(super) knows: &'w dyn Knows,
    pub(super) levels: &'w Levels,
    /// The trees that the host starts.
    pub(super) starts: &'w [String],
    /// Called for each file that is done.
    pub(super) tick: &'w (dyn Fn() + Sync),
}

/// Looks at the files; what is found is in their order.
///
/// # Errors
/// A failure for the first file that cannot be read, and for a start that is no tree.
pub(super) fn look(inputs: &[Input], with: &With<'_>) -> Result<Vec<InFile>, Error> {
    let heads = on_all_cores(inputs, |_, input| {
        Ok(TreeAsset::head(&input.name, &input.read()?))
    })?;
    refuse_unknown(with.starts, inputs)?;
    let rules = Rules::default();
    let checker = Checker::new(&heads, with.knows, &rules);
    let mut found = on_all_cores(inputs, |at, input| {
        let found = look_at(at, input, &checker, with.levels);
        (with.tick)();
        found
    })?;
    let linted: Option<Vec<Linted>> = found.iter_mut().map(|file| file.linted.take()).collect();
    // Where one is no tree, it may be what the others miss.
    if let Some(linted) = &linted {
        let problems = together(linted, with.starts);
        add(by_file(problems, inputs), inputs, with.levels, &mut found)?;
    }
    let useless = inputs.iter().zip(&found).map(|(input, file)| {
        // Among warnings that are only counted may be what a comment allows.
        let allows = file.allows.as_ref().filter(|_| file.warnings == 0);
        let useless = allows.map(|allows| allows.useless(&input.name, linted.is_some()));
        useless.unwrap_or_default()
    });
    let useless = useless.collect();
    add(useless, inputs, with.levels, &mut found)?;
    Ok(found)
}

fn refuse_unknown(starts: &[String], inputs: &[Input]) -> Result<(), Error> {
    let names = || inputs.iter().map(|input| input.name.as_str());
    for start in starts {
        if by_either_name(start, |start| names().find(|name| *name == start)).is_none() {
            let near = did_you_mean(start, names());
            let near = near.map_or_else(String::new, |near| format!("; {near}"));
            return Err(Error::failure(format!(
                "no tree that is to be started is called `{start}`{near}"
            )));
        }
    }
    Ok(())
}

/// The problems of each file, by their names: of two files of one name the first has them.
fn by_file(problems: Vec<Problem>, inputs: &[Input]) -> Vec<Vec<Problem>> {
    let mut by_name: BTreeMap<String, Vec<Problem>> = BTreeMap::new();
    for problem in problems {
        let file = problem.file().to_owned();
        by_name.entry(file).or_default().push(problem);
    }
    let of = |input: &Input| by_name.remove(&input.name).unwrap_or_default();
    inputs.iter().map(of).collect()
}

/// Adds what was seen later to what was found in each file.
fn add(
    problems: Vec<Vec<Problem>>,
    inputs: &[Input],
    levels: &Levels,
    found: &mut [InFile],
) -> Result<(), Error> {
    for ((input, file), problems) in inputs.iter().zip(found).zip(problems) {
        if problems.is_empty() {
            continue;
        }
        let bytes = input.read()?;
        let more = placed(problems, file.allows.as_mut(), input, &bytes, levels);
        file.findings.extend(more.findings);
        let place = |finding: &Finding| finding.place.as_ref().map(|at| (at.line, at.column));
        file.findings.sort_by_key(place);
    }
    Ok(())
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
    Ok(look_at_tree(at, input, &bytes, &tree, checker, levels))
}

/// Looks at a tree that was read from a file's bytes.
pub(super) fn look_at_tree(
    at: usize,
    input: &Input,
    bytes: &[u8],
    tree: &TreeAsset,
    checker: &Checker<'_>,
    levels: &Levels,
) -> InFile {
    let checked = checker.check(at, tree);
    let (errors, warnings) = (checked.unlisted, checked.unlisted_warnings);
    let mut problems = checked.problems;
    problems.extend(checked.warnings);
    let mut linted = lint(checker, tree);
    problems.append(&mut linted.problems);
    let mut allows = Allows::of(tree);
    let mut found = placed(problems, Some(&mut allows), input, bytes, levels);
    (found.errors, found.warnings) = (errors, warnings);
    found.linted = Some(linted);
    found.allows = Some(allows);
    found
}

/// The problems to be reported, with their places, in the order of the file.
fn placed(
    mut problems: Vec<Problem>,
    mut allows: Option<&mut Allows>,
    input: &Input,
    bytes: &[u8],
    levels: &Levels,
) -> InFile {
    let is_told = |problem: &Problem| {
        let code = problem.code();
        let allows = allows.as_deref_mut();
        let allowed = allows.is_some_and(|allows| allows.take(problem.node(), code));
        levels.of(code).is_some() && !allowed
    };
    problems.retain(is_told);
    if problems.is_empty() {
        return InFile::default();
    }
    let text = String::from_utf8_lossy(bytes);
    // A node of a script is a place already, and what its pointer leads to a better one.
    let has_pointer = |problem: &Problem| !problem.pointer().is_empty();
    if problems
        .iter()
        .any(|problem| problem.position().is_none() || has_pointer(problem))
    {
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
