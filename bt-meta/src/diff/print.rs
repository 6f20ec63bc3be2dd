//! Changes on the terminal.

use std::fmt::Write as _;

use bt_core::tree::Level;

use super::change::{Change, Diff, Effect, Use};
use crate::error::count;
use crate::validate::show::notice::Notice;

/// The number of a change's uses that are listed.
const MOST_USES: usize = 10;

/// The changes, a section for each agent, the breaking ones first, with a count at the end.
pub fn text(diff: &Diff) -> String {
    let mut text = String::new();
    let mut agent = None;
    for change in &diff.changes {
        if agent != Some(&change.agent) {
            if agent.is_some() {
                text.push('\n');
            }
            agent = Some(&change.agent);
            let title = match change.agent.as_str() {
                "" => "node kinds",
                agent => agent,
            };
            line(&mut text, 0, title);
        }
        one(&mut text, change);
    }
    if agent.is_some() {
        text.push('\n');
    }
    text + &total(diff) + "\n"
}

/// `1 breaking change, 2 changes of behaviour, 3 compatible ones`
pub fn total(diff: &Diff) -> String {
    let behaviour = match diff.behaviour {
        0 => None,
        1 => Some("1 change of behaviour".to_owned()),
        many => Some(format!("{many} changes of behaviour")),
    };
    let breaking = (diff.breaking > 0).then(|| count(diff.breaking, "breaking change"));
    let parts: Vec<_> = breaking.into_iter().chain(behaviour).collect();
    match (parts.is_empty(), diff.compatible) {
        (true, 0) => "nothing changed".to_owned(),
        (true, compatible) => format!("{}, none of them breaking", count(compatible, "change")),
        (false, 0) => parts.join(", "),
        (false, compatible) => {
            format!(
                "{}, {}",
                parts.join(", "),
                count(compatible, "compatible one")
            )
        }
    }
}

/// The annotations for a code host: breaking changes and those of behaviour, at the trees that they touch, and the
/// others.
pub fn notices(diff: &Diff) -> Vec<Notice> {
    let of = |change: &Change| {
        let (level, rule) = match change.effect {
            Effect::Breaking => (Some(Level::Error), "breaking-change"),
            Effect::Behaviour => (Some(Level::Warning), "behaviour-change"),
            Effect::Compatible => (None, "compatible-change"),
        };
        let help = change.help.as_ref().filter(|_| level.is_some());
        let help = help.map(|help| format!("; {help}")).unwrap_or_default();
        let notice = |place| Notice {
            level,
            rule: rule.to_owned(),
            message: match change.agent.as_str() {
                "" => format!("{}{help}", change.message),
                agent => format!("{agent}: {}{help}", change.message),
            },
            place,
        };
        let place = |used: &Use| {
            let (line, column) = (used.line.unwrap_or(1), used.column.unwrap_or(1));
            (used.file.clone(), line, column)
        };
        match change.uses.as_slice() {
            [] => vec![notice(None)],
            uses => uses.iter().map(|used| notice(Some(place(used)))).collect(),
        }
    };
    diff.changes.iter().flat_map(of).collect()
}

fn one(text: &mut String, change: &Change) {
    let effect = match change.effect {
        Effect::Breaking => "breaking: ",
        Effect::Behaviour => "behaviour: ",
        Effect::Compatible => "",
    };
    let help = change
        .help
        .as_ref()
        .map(|help| format!("; {help}"))
        .unwrap_or_default();
    let place = change.place.as_ref();
    let place = place.map(|at| format!("  [{} {}:{}]", at.package, at.file, at.line));
    let place = place.unwrap_or_default();
    line(text, 2, &format!("{effect}{}{help}{place}", change.message));
    for place in change.uses.iter().take(MOST_USES) {
        line(text, 4, &used(place));
    }
    if let Some(more) = change
        .uses
        .len()
        .checked_sub(MOST_USES)
        .filter(|more| *more > 0)
    {
        line(text, 4, &format!("and {} more", count(more, "use")));
    }
}

/// `trees/hunt.json:12:20: node 4`
fn used(place: &Use) -> String {
    let at = match (place.line, place.column) {
        (Some(line), Some(column)) => format!(":{line}:{column}"),
        _ => String::new(),
    };
    format!("{}{at}: node {}", place.file, place.node)
}

/// One line, whatever names there are in it.
fn line(text: &mut String, indent: usize, what: &str) {
    let mut plain = String::with_capacity(what.len());
    for c in what.chars() {
        if c.is_control() {
            plain.extend(c.escape_default());
        } else {
            plain.push(c);
        }
    }
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{:indent$}{plain}", "");
}
