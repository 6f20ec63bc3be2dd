//! The problems of a node's key, or of its value.

use super::report::{At, Report, one_of, suggest};
use crate::decode::shown;
use crate::kinds::{KeyProblem, Path};
use crate::text;
use crate::text::nearest;
use crate::tree::Code;

/// The reporter of a node's problems.
pub(super) fn reporter<'r>(
    node: &'r At<'r>,
    report: &'r mut Report,
) -> impl FnMut(&Path<'_>, KeyProblem<'_>) + 'r {
    move |path, problem| tell(&node.with(path), problem, report)
}

fn tell(at: &At<'_>, problem: KeyProblem<'_>, report: &mut Report) {
    match problem {
        KeyProblem::WrongForm { expected, found } => report.tell(
            Code::WrongForm,
            at,
            || format!("{}expected {expected}, found {}", at.words(), shown(found)),
            String::new,
        ),
        KeyProblem::OutOfRange { expected, found } => report.tell(
            Code::OutOfRange,
            at,
            || format!("{}expected {expected}, found {found}", at.words()),
            String::new,
        ),
        KeyProblem::UnknownChoice { choices, found } => {
            let choices = || choices.iter().copied();
            let name = found.as_str();
            let code = match name {
                Some(_) => Code::UnknownChoice,
                None => Code::WrongForm,
            };
            report.tell(
                code,
                at,
                || {
                    let found = match name {
                        Some(name) => format!("`{}`", text::name(name)),
                        None => shown(found),
                    };
                    let choices = one_of(choices(), "or");
                    format!("{}expected {choices}, found {found}", at.words())
                },
                || name.map_or_else(String::new, |name| suggest(name, choices())),
            );
        }
        KeyProblem::Refused { keys, key } => report.tell(
            Code::UnknownKey,
            at,
            || {
                let (names, key) = ((keys.names)(), text::name(key));
                let names = one_of(names.iter().map(String::as_str), "or");
                format!("there is no `{key}`, expected {names}")
            },
            || suggest(key, (keys.names)().iter().map(String::as_str)),
        ),
        // Files keep keys that nobody knows, so this is no error.
        KeyProblem::Unknown { keys, key } => report.tell(
            Code::MeaninglessKey,
            at,
            || format!("{}means nothing here", at.words().replace(": ", " ")),
            || suggest(key, (keys.names)().iter().map(String::as_str)),
        ),
        KeyProblem::Missing {
            keys,
            key,
            description,
            object,
        } => report.tell(
            Code::MissingKey,
            at,
            || format!("{}the key `{key}` is missing", at.words()),
            || {
                let strays = object.keys().map(String::as_str);
                let strays = strays.filter(|other| !(keys.has)(other));
                match nearest(key, strays).first() {
                    _ if at.has_beside_extra(key) => {
                        format!("move `{key}` into `extra`")
                    }
                    Some(stray) => format!("write it in place of `{stray}`"),
                    None if description.is_empty() => String::new(),
                    None => format!("it says {description}"),
                }
            },
        ),
        KeyProblem::MissingOneOf { keys, description } => report.tell(
            Code::MissingKey,
            at,
            || {
                let keys = one_of(keys.iter().copied(), "or");
                format!("{}{keys} is missing", at.words())
            },
            || match keys.iter().find(|key| at.has_beside_extra(key)) {
                Some(key) => format!("move `{key}` into `extra`"),
                None => description.to_owned(),
            },
        ),
    }
}
