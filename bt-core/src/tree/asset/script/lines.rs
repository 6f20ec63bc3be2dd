//! The lines of a script: indentation, a name, a parameter.

use super::super::position::without_mark;
use super::super::problem::{Position, Problem, Problems};
use super::literal::{self, Wrong};
use super::{Entry, Place, too_deep, too_many};
use crate::tree::Code;

/// Every line that is a node.
pub(super) fn entries(text: &str, problems: &mut Problems<'_>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut indentation = Indentation::default();
    for (i, line) in without_mark(text).lines().enumerate() {
        let node = line.trim_start_matches([' ', '\t']);
        let indent = &line[..line.len() - node.len()];
        if node.trim_end().is_empty() || node.starts_with('#') {
            continue;
        }
        let at = |rest: &str| Position {
            line: i + 1,
            column: line[..line.len() - rest.len()].chars().count() + 1,
        };
        let place = Place::Text(at(node));
        let (depth, wrong) = indentation.depth(indent);
        if let Some(wrong) = wrong {
            problems.say(Code::BadScript, || wrong, |problem| place.of(problem));
        }
        if too_many(entries.len(), &place, problems) || too_deep(depth, &place, problems) {
            break;
        }
        let (name, rest) = node.split_at(name_length(node));
        let param = if name.is_empty() {
            let found = node.chars().next().unwrap_or_default();
            problems.say(
                Code::BadScript,
                || format!("expected the name of a node, found `{found}`"),
                |problem| place.of(problem),
            );
            None
        } else {
            literal::param(rest).unwrap_or_else(|wrong| {
                let Wrong {
                    at: offset,
                    message,
                    help,
                } = wrong;
                let position = at(&rest[offset..]);
                let place = |problem: Problem| problem.in_text(position).with_help(help);
                problems.say(Code::BadScript, || message, place);
                None
            })
        };
        entries.push(Entry {
            depth,
            name: name.to_owned(),
            param,
            place,
        });
    }
    entries
}

/// How many bytes of a line are its name: a letter or `_`, then letters, digits and `_`.
fn name_length(line: &str) -> usize {
    if !line.starts_with(|first: char| first.is_alphabetic() || first == '_') {
        return 0;
    }
    let end = line.find(|char: char| !char.is_alphanumeric() && char != '_');
    end.unwrap_or(line.len())
}

/// What the lines before say of indentation.
#[derive(Default)]
struct Indentation<'t> {
    /// That of the first line, which all lines have: a script may stand indented as a whole.
    base: Option<&'t str>,
    /// One step, from the first line that is deeper.
    unit: Option<&'t str>,
    /// The depth of the line before.
    last: usize,
}

impl<'t> Indentation<'t> {
    /// How deep a line is, or seems to be, and what is wrong with that.
    fn depth(&mut self, indent: &'t str) -> (usize, Option<String>) {
        let Some(base) = self.base else {
            self.base = Some(indent);
            return (0, None);
        };
        // Somewhere below the first line, so that it is not taken for a second one.
        let unknown = self.last.max(1);
        let Some(steps) = indent.strip_prefix(base) else {
            let message = format!(
                "is indented by {}, but the first line by {}",
                shown(indent),
                shown(base)
            );
            return (unknown, Some(message));
        };
        let mut rest = steps;
        let mut depth = 0;
        if !steps.is_empty() {
            let unit = *self.unit.get_or_insert(steps);
            while let Some(more) = rest.strip_prefix(unit) {
                rest = more;
                depth += 1;
            }
            if !rest.is_empty() {
                let message = format!(
                    "is indented by {}, which is no multiple of one step, {}",
                    shown(steps),
                    shown(unit)
                );
                return (unknown, Some(message));
            }
        }
        let above = self.last;
        self.last = depth.min(above + 1);
        let wrong = (depth > above + 1).then(|| {
            let more = depth - above;
            format!("is {more} steps deeper than the line before: one at most")
        });
        (self.last, wrong)
    }
}

fn shown(indent: &str) -> String {
    let several = |what: &str| match indent.len() {
        1 => format!("1 {what}"),
        many => format!("{many} {what}s"),
    };
    match (indent.contains(' '), indent.contains('\t')) {
        (false, false) => "nothing".to_owned(),
        (true, false) => several("space"),
        (false, true) => several("tab"),
        (true, true) => "spaces and tabs".to_owned(),
    }
}
