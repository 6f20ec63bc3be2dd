//! What is found in trees, and where: the problems that are listed, and the rest counted.

use std::fmt::Write;

use crate::tree::asset::{Fix, Problem, TreeAsset};
use crate::tree::{Code, Level};

/// How many problems are listed, and how many warnings.
const LISTED: usize = 1_000;

/// How long a key is, at most, that a place names.
const LONGEST: usize = 256;

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) problems: List,
    pub(super) warnings: List,
}

#[derive(Debug, Default)]
pub(super) struct List {
    pub(super) found: Vec<Problem>,
    pub(super) unlisted: usize,
}

impl List {
    fn say(
        &mut self,
        code: Code,
        at: &At<'_>,
        message: impl FnOnce() -> String,
        help: impl FnOnce() -> String,
    ) -> Option<&mut Problem> {
        if self.found.len() == LISTED {
            self.unlisted += 1;
            return None;
        }
        let problem = at.problem(code, message());
        self.found.push(problem.with_help(help()));
        self.found.last_mut()
    }
}

impl Report {
    /// Something that a tree cannot be built with, or that works and is probably not meant: the code
    /// says which. The words are made only if they are listed.
    pub(super) fn tell(
        &mut self,
        code: Code,
        at: &At<'_>,
        message: impl FnOnce() -> String,
        help: impl FnOnce() -> String,
    ) {
        self.list(code).say(code, at, message, help);
    }

    /// An old name, of which it is certain what to write instead.
    pub(super) fn renamed(
        &mut self,
        at: &At<'_>,
        message: impl FnOnce() -> String,
        fix: impl FnOnce() -> Fix,
    ) {
        let code = Code::Renamed;
        if let Some(problem) = self.list(code).say(code, at, message, String::new) {
            problem.set_fix(fix());
        }
    }

    fn list(&mut self, code: Code) -> &mut List {
        match code.level() {
            Level::Error => &mut self.problems,
            Level::Warning => &mut self.warnings,
        }
    }
}

/// A place in a tree: a list of steps that lives on the stack, so that nothing is written out
/// unless there is a problem.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) tree: &'a TreeAsset,
    node: Option<u32>,
    up: Option<&'a At<'a>>,
    step: Step<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    /// The node itself, or the whole file.
    Top,
    /// One of the node's own keys, which need not be said.
    Own(&'a str),
    Key(&'a str),
    Item(usize),
}

impl<'a> At<'a> {
    /// The whole file.
    pub(super) fn file(tree: &'a TreeAsset) -> At<'a> {
        At {
            tree,
            node: None,
            up: None,
            step: Step::Top,
        }
    }

    /// A node.
    pub(super) fn node(tree: &'a TreeAsset, idx: u32) -> At<'a> {
        At {
            node: Some(idx),
            ..At::file(tree)
        }
    }

    fn step<'b>(&'b self, step: Step<'b>) -> At<'b> {
        At {
            up: Some(self),
            step,
            ..*self
        }
    }

    /// A key of the node itself, such as `type`.
    pub(super) fn own<'b>(&'b self, key: &'b str) -> At<'b> {
        self.step(Step::Own(key))
    }

    /// A key of the object that is here.
    pub(super) fn key<'b>(&'b self, key: &'b str) -> At<'b> {
        self.step(Step::Key(key))
    }

    /// An item of the array that is here.
    pub(super) fn item(&self, at: usize) -> At<'_> {
        self.step(Step::Item(at))
    }

    fn steps(&self) -> Vec<Step<'a>> {
        let all = std::iter::successors(Some(self), |at| at.up);
        let mut steps: Vec<_> = all.map(|at| at.step).collect();
        steps.reverse();
        steps
    }

    /// The JSON pointer of the value; of what is around it where a key is so long that it would be
    /// repeated at length.
    pub(super) fn pointer(&self) -> String {
        let node = self.node.and_then(|idx| self.tree.pointer(idx));
        let mut pointer = node.unwrap_or_default();
        for step in self.steps() {
            match step {
                Step::Top => {}
                Step::Own(key) | Step::Key(key) if key.len() > LONGEST => break,
                Step::Own(key) | Step::Key(key) => {
                    pointer.push('/');
                    pointer += &crate::tree::asset::step(key);
                }
                Step::Item(at) => {
                    let _ = write!(pointer, "/{at}");
                }
            }
        }
        pointer
    }

    /// The place in words, such as `guards[0].abort`, in backticks and with a colon after it;
    /// nothing for the node itself.
    pub(super) fn words(&self) -> String {
        let mut words = String::new();
        for step in self.steps() {
            match step {
                Step::Top | Step::Own(_) => {}
                Step::Key(key) => {
                    words += if words.is_empty() { "" } else { "." };
                    words += &crate::text::name(key);
                }
                Step::Item(at) => {
                    let _ = write!(words, "[{at}]");
                }
            }
        }
        match words.is_empty() {
            true => words,
            false => format!("`{words}`: "),
        }
    }

    fn problem(&self, code: Code, message: String) -> Problem {
        let problem = Problem::new(code, self.tree.name(), message);
        problem.of_node(self.node).at(self.pointer())
    }
}

/// `did you mean …?`, or nothing; the words for it stand alone.
pub(super) fn suggest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> String {
    let near = crate::registry::lookup::suggest(name, names);
    near.trim_start_matches("; ").to_owned()
}

/// `a`, `b` or `c`, in backticks.
pub(super) fn one_of<'n>(names: impl IntoIterator<Item = &'n str>, and: &str) -> String {
    let names = crate::text::quoted(names);
    match names.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [some @ .., last] => format!("{} {and} {last}", some.join(", ")),
    }
}

/// "a `select`", "an `action`"
pub(super) fn article(kind: &str) -> &'static str {
    match kind.starts_with(['a', 'e', 'i', 'o', 'u']) && kind != "once" {
        true => "an",
        false => "a",
    }
}
