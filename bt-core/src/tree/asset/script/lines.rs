//! The lines of a script: indentation, what is attached, a name, a parameter, a comment.

use super::super::position::without_mark;
use super::super::problem::{Position, Problem, Problems};
use super::entry::{
    At, Attached, Entry, GuardOption, Moment, Param, Place, name_length, too_deep, too_many,
};
use super::literal::{self, Read, Wrong};
use super::words::of_other_words;
use crate::kinds::call::ArgumentType;
use crate::text::{self, quoted, suggest};
use crate::tree::Code;

/// Every line that is a node, or is attached to one.
pub(super) fn entries(text: &str, problems: &mut Problems<'_>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut indentation = Indentation::default();
    let mut comment: Vec<&str> = Vec::new();
    let mut end = 0;
    for (i, whole) in without_mark(text).split_inclusive('\n').enumerate() {
        let begin = end;
        end += whole.len();
        let line = whole.trim_end_matches(['\n', '\r']);
        let node = line.trim_start_matches([' ', '\t']);
        let indent = &line[..line.len() - node.len()];
        if node.trim_end().is_empty() {
            comment.clear();
            continue;
        }
        if let Some(words) = node.strip_prefix('#') {
            comment.push(words.trim());
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
        let offset = |rest: &str| begin + line.len() - rest.len();
        let mut say = |wrong: Box<Wrong>, text: &str| {
            let Wrong {
                at: from,
                message,
                help,
            } = *wrong;
            let position = at(&text[from..]);
            let place = |problem: Problem| problem.in_text(position).with_help(help);
            problems.say(Code::BadScript, || message, place);
        };
        let (attached, named) = match Attached::read(node) {
            Ok(read) => read,
            Err(wrong) => {
                say(wrong, node);
                comment.clear();
                continue;
            }
        };
        let (name, rest) = named.split_at(name_length(named));
        let mut read = (None, "");
        let is_guard = matches!(attached, Some(Attached::Guard(_)));
        let is_check = attached.is_none() && literal::is_check(name, rest);
        let is_expression = is_guard && literal::is_expression(name, rest, named);
        if is_check || is_expression {
            let text = if is_check { rest } else { named };
            let (written, comment) = literal::expression(text);
            read = (
                Some(Param::Source(ArgumentType::Expression, written.to_owned())),
                comment,
            );
        } else if name.is_empty() {
            let found = match named.chars().next() {
                Some('#') | None => "the end of the line".to_owned(),
                Some(found) => format!("`{found}`"),
            };
            let what = attached.as_ref().map_or("a node", Attached::what);
            problems.say(
                Code::BadScript,
                || format!("expected the name of {what}, found {found}"),
                |problem| problem.in_text(at(named)),
            );
        } else {
            let may_write = match &attached {
                None | Some(Attached::Service(_) | Attached::Effect(_)) => true,
                Some(Attached::Agent | Attached::Key | Attached::Event | Attached::Guard(_)) => {
                    false
                }
            };
            let found = match may_write && literal::is_set(name, rest) {
                true => literal::writes(rest),
                false => literal::param(rest),
            };
            read = found.unwrap_or_else(|wrong| {
                // What stands behind a word that is none is no mistake of its own.
                if of_other_words(name).is_none() {
                    say(wrong, rest);
                }
                (None, "")
            });
        }
        let (param, behind) = read;
        comment.extend(Some(behind).filter(|words| !words.is_empty()));
        entries.push(Entry {
            depth,
            attached,
            name: match is_expression {
                true => String::new(),
                false => name.to_owned(),
            },
            param,
            comment: std::mem::take(&mut comment).join("\n"),
            place,
            at: At {
                line: offset(node),
                name: offset(named),
                rest: offset(rest),
            },
        });
    }
    entries
}

impl Attached {
    /// Splits a line into its attachment, if there is one, and the line from the name on.
    fn read(line: &str) -> Read<(Option<Attached>, &str)> {
        let mut left = line;
        let mut word = || {
            let (word, rest) = left.split_at(name_length(left));
            let before = std::mem::replace(&mut left, rest.trim_start_matches([' ', '\t']));
            (word, before)
        };
        let attached = match word().0 {
            "AGENT" => Attached::Agent,
            "KEY" => Attached::Key,
            "EVENT" => Attached::Event,
            "GUARD" => {
                let mut options = Vec::new();
                loop {
                    let (option, before) = word();
                    let Some(option) = GuardOption::of(option) else {
                        return Ok((Some(Attached::Guard(options)), before));
                    };
                    options.push(option);
                }
            }
            "SERVICE" => {
                let before = line.len() - left.len();
                let (seconds, behind) = literal::seconds(left).map_err(|wrong| {
                    Box::new(Wrong {
                        at: before + wrong.at,
                        ..*wrong
                    })
                })?;
                left = behind;
                Attached::Service(seconds)
            }
            "ON" => {
                let (found, before) = word();
                let Some(moment) = Moment::of(found) else {
                    let near = match found.len() {
                        1..64 => suggest(&found.to_uppercase(), Moment::words().into_iter()),
                        _ => String::new(),
                    };
                    let help = match near.strip_prefix("; ") {
                        Some(near) => near.to_owned(),
                        None => "an effect is written `ON ENTER shout`".to_owned(),
                    };
                    let found = match found.is_empty() {
                        true => String::new(),
                        false => format!(", found `{}`", text::name(found)),
                    };
                    let moments = quoted(Moment::words()).join(", ");
                    return Err(Box::new(Wrong {
                        at: line.len() - before.len(),
                        message: format!("expected one of {moments} after `ON`{found}"),
                        help,
                    }));
                };
                Attached::Effect(moment)
            }
            _ => return Ok((None, line)),
        };
        Ok((Some(attached), left))
    }
}

/// The indentation of the lines before.
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
    /// The depth of a line, or its likely depth, and the fault of its indentation.
    fn depth(&mut self, indent: &'t str) -> (usize, Option<String>) {
        let Some(base) = self.base else {
            self.base = Some(indent);
            return (0, None);
        };
        // Somewhere below the first line, so that it is not taken for a second one.
        let unknown = self.last.max(1);
        let Some(steps) = indent.strip_prefix(base) else {
            let message = format!(
                "the line is indented by {}, but the first one by {}",
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
                    "the line is indented by {}, but one step is {} in this script",
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
            format!("the line is {more} steps deeper than the one before: one at most")
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
