//! The problems of trees with their places: those that are listed, and the number of the rest.

use serde_json::Value;

use crate::expression::{Named, Span, spelled};
use crate::kinds::Path;
use crate::tree::asset::{AssetNode, Fix, Problem, TreeAsset};
use crate::tree::{Code, Level};

/// The number of problems that are listed, and how many warnings.
const LISTED: usize = 1_000;

/// The problems found so far.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) problems: List,
    pub(super) warnings: List,
}

#[derive(Debug)]
pub(super) struct List {
    pub(super) found: Vec<Problem>,
    pub(super) unlisted: usize,
    most: usize,
}

impl Default for Report {
    fn default() -> Report {
        Report::of(LISTED)
    }
}

impl List {
    fn say(
        &mut self,
        code: Code,
        at: &At<'_>,
        message: impl FnOnce() -> String,
        help: impl FnOnce() -> String,
    ) -> Option<&mut Problem> {
        if self.found.len() == self.most {
            self.unlisted += 1;
            return None;
        }
        let problem = at.problem(code, message());
        self.found.push(problem.with_help(help()));
        self.found.last_mut()
    }
}

impl Report {
    /// With every problem, however many there are.
    pub(super) fn of_all() -> Report {
        Report::of(usize::MAX)
    }

    fn of(most: usize) -> Report {
        let list = || List {
            found: Vec::new(),
            unlisted: 0,
            most,
        };
        Report {
            problems: list(),
            warnings: list(),
        }
    }

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
        if let Some(problem) = self.list(code).say(code, at, message, String::new)
            && let Some(fix) = at.fix(fix())
        {
            problem.set_fix(fix);
        }
    }

    fn list(&mut self, code: Code) -> &mut List {
        match code.level() {
            Level::Error => &mut self.problems,
            Level::Warning => &mut self.warnings,
        }
    }
}

impl Inside<'_> {
    /// The whole text with another name in place of the part.
    fn replaced(self, name: &str) -> Option<Fix> {
        let (from, to) = (self.part.from as usize, self.part.to as usize);
        let mut text = self.text.to_owned();
        text.replace_range(from..to, &spelled(self.named?, name)?);
        Some(Fix::Value(text.into()))
    }
}

/// A place in a tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) tree: &'a TreeAsset,
    node: Option<u32>,
    path: Path<'a>,
    inside: Option<Inside<'a>>,
    /// True of what a `set` writes: its name is a key, `@name`.
    is_target: bool,
}

/// A part of the text of an expression.
#[derive(Debug, Clone, Copy)]
struct Inside<'a> {
    text: &'a str,
    part: Span,
    /// The thing that the part names, behind its sign, if it may be replaced by another name.
    named: Option<Named>,
}

impl<'a> At<'a> {
    /// The whole file.
    pub(super) fn file(tree: &'a TreeAsset) -> At<'a> {
        At {
            tree,
            node: None,
            path: Path::TOP,
            inside: None,
            is_target: false,
        }
    }

    /// A node.
    pub(super) fn node(tree: &'a TreeAsset, idx: u32) -> At<'a> {
        At {
            node: Some(idx),
            ..At::file(tree)
        }
    }

    /// A place in the same node.
    pub(super) fn with<'b>(&'b self, path: &Path<'b>) -> At<'b> {
        At {
            path: *path,
            ..*self
        }
    }

    /// A part of the expression whose text is here.
    pub(super) fn inside<'b>(&'b self, text: &'b str, part: Span, named: Option<Named>) -> At<'b> {
        At {
            inside: Some(Inside { text, part, named }),
            ..*self
        }
    }

    /// The same place for the name that a `set` writes to, for the value is there, too.
    pub(super) fn target(&self) -> At<'a> {
        At {
            is_target: true,
            ..*self
        }
    }

    /// The fix that gives what is here another name.
    fn fix(&self, fix: Fix) -> Option<Fix> {
        let Fix::Value(Value::String(name)) = &fix else {
            return self.inside.is_none().then_some(fix);
        };
        match self.inside {
            Some(inside) => inside.replaced(name),
            None if self.is_target => {
                Some(Fix::Key(format!("@{}", spelled(Named::Property, name)?)))
            }
            None => Some(fix),
        }
    }

    /// A key of the node itself, such as `type`.
    pub(super) fn own<'b>(&'b self, key: &'b str) -> At<'b> {
        self.with(&self.path.own(key))
    }

    /// A key of the object that is here.
    pub(super) fn key<'b>(&'b self, key: &'b str) -> At<'b> {
        if self.inside.is_some() {
            return *self;
        }
        self.with(&self.path.key(key))
    }

    /// An item of the array that is here.
    pub(super) fn item(&self, at: usize) -> At<'_> {
        if let Some(inside) = self.inside {
            return self.inside(inside.text, inside.part, None);
        }
        self.with(&self.path.item(at))
    }

    /// The place in the node.
    pub(super) fn path(&self) -> &Path<'a> {
        &self.path
    }

    /// The JSON pointer of the value.
    pub(super) fn pointer(&self) -> String {
        let node = self.node.and_then(|idx| self.tree.pointer(idx));
        node.unwrap_or_default() + &self.path.pointer()
    }

    /// The place for people, such as `guards[0].abort`, in backticks and with a colon after it;
    /// nothing for the node itself.
    pub(super) fn words(&self) -> String {
        self.path.words()
    }

    /// Returns true if this is the `extra` of a node, and the node has a key of `extra` beside it.
    pub(super) fn has_beside_extra(&self, key: &str) -> bool {
        let node = self.node.and_then(|idx| self.tree.node(idx));
        node.is_some_and(|node| node.others.contains_key(key)) && self.path.pointer() == "/extra"
    }

    fn problem(&self, code: Code, mut message: String) -> Problem {
        if let Some(Inside { text, part, .. }) = self.inside {
            message = format!("{}: {message}", part.words(text));
        }
        let problem = Problem::new(code, self.tree.name(), message);
        let problem = problem.of_node(self.node).at(self.pointer());
        let node = self.node.and_then(|idx| self.tree.node(idx));
        match node.and_then(AssetNode::position) {
            Some(position) => problem.in_text(position),
            None => problem,
        }
    }
}

/// `did you mean …?`, or nothing; the words for it stand alone.
pub(super) fn suggest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> String {
    let near = crate::text::suggest(name, names);
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
