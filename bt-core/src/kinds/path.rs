//! A place in a node of a tree file.

use std::fmt::Write;

/// A key as a step of a JSON pointer (RFC 6901).
pub fn step(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The greatest length of a key that a place names.
const LONGEST: usize = 256;

/// A place in a node: a list of steps that lives on the stack, so that nothing is written out unless
/// there is a problem.
#[derive(Debug, Clone, Copy)]
pub struct Path<'p> {
    up: Option<&'p Path<'p>>,
    step: Step<'p>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'p> {
    /// The node itself, or the whole file.
    Top,
    /// One of the node's own keys, which need not be said.
    Own(&'p str),
    Key(&'p str),
    Item(usize),
}

impl<'p> Path<'p> {
    /// The node itself, or the whole file.
    pub const TOP: Path<'static> = Path {
        up: None,
        step: Step::Top,
    };

    fn step<'b>(&'b self, step: Step<'b>) -> Path<'b> {
        let up = Some(self);
        Path { up, step }
    }

    /// A key of the node itself, such as `type`.
    pub fn own<'b>(&'b self, key: &'b str) -> Path<'b> {
        self.step(Step::Own(key))
    }

    /// A key of the object that is here.
    pub fn key<'b>(&'b self, key: &'b str) -> Path<'b> {
        self.step(Step::Key(key))
    }

    /// An item of the array that is here.
    pub fn item(&self, at: usize) -> Path<'_> {
        self.step(Step::Item(at))
    }

    fn steps(&self) -> Vec<Step<'p>> {
        let all = std::iter::successors(Some(self), |path| path.up);
        let mut steps: Vec<_> = all.map(|path| path.step).collect();
        steps.reverse();
        steps
    }

    /// The JSON pointer of the value below the node; of what is around it where a key is so long that
    /// it would be repeated at length.
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in self.steps() {
            match step {
                Step::Top => {}
                Step::Own(key) | Step::Key(key) if key.len() > LONGEST => break,
                Step::Own(key) | Step::Key(key) => {
                    pointer.push('/');
                    pointer += &self::step(key);
                }
                Step::Item(at) => {
                    let _ = write!(pointer, "/{at}");
                }
            }
        }
        pointer
    }

    /// The place for people, such as `guards[0].abort`, in backticks and with a colon after it;
    /// nothing for the node itself.
    pub(crate) fn words(&self) -> String {
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
}
