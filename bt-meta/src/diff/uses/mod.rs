//! Where trees use what changed.

mod events;
mod find;

use bt_core::TreeAsset;
use bt_core::tree::asset::positions;
use serde_json::Value;

use super::hit::{Hit, Part};
use super::schema::{Relation, Schema, relation};
use super::side::Side;
use super::{Diff, Effect, Use};
use crate::catalogue::JsonMap;
use crate::validate::File;
use find::{Calling, Found, Given, Is};

/// Fills in the uses of every breaking change; trees that cannot be looked at become warnings. `defs`
/// are the new ones.
pub(super) fn fill(diff: &mut Diff, old: &Side<'_>, defs: &JsonMap, files: &[File]) {
    let trees: Vec<_> = files
        .iter()
        .map(|file| read(file, &mut diff.warnings))
        .collect();
    for (file, tree) in files.iter().zip(&trees) {
        let Some(tree) = tree else { continue };
        let found = find::find(tree, old, &trees);
        if let Some(why) = found.why_not {
            diff.warnings
                .push(format!("{}: {why}", file.path.display()));
        }
        let path = file.path.display().to_string();
        let mut here = Vec::new();
        for (nth, change) in diff.changes.iter().enumerate() {
            let hit = change.hit.as_ref();
            let Some(hit) = hit.filter(|_| change.effect == Effect::Breaking) else {
                continue;
            };
            for found in &found.all {
                let Some(at) = place(hit, found, old) else {
                    continue;
                };
                let value = at.plain.zip(change.takes.as_ref());
                let value = value.filter(|(value, schema)| takes(schema, defs, value));
                let still_taken = value.map(|(value, _)| value.to_string());
                here.push((nth, found.node, at.pointer, still_taken));
            }
        }
        let text = String::from_utf8_lossy(&file.bytes);
        let places = positions(&text, here.iter().map(|(_, _, pointer, _)| *pointer));
        for ((nth, node, _, still_taken), place) in here.into_iter().zip(places) {
            diff.changes[nth].uses.push(Use {
                file: path.clone(),
                node,
                line: place.map(|at| at.line),
                column: place.map(|at| at.column),
                still_taken,
            });
        }
    }
    for change in &mut diff.changes {
        change.uses.sort();
        change.uses.dedup();
    }
}

/// Whether a value certainly fits a schema.
fn takes(schema: &Value, defs: &JsonMap, value: &Value) -> bool {
    let one = Value::from_iter([("const", value.clone())]);
    let [one, schema] = [&one, schema].map(|value| Schema { value, defs });
    matches!(relation(one, schema), Relation::Same | Relation::Wider)
}

fn read(file: &File, warnings: &mut Vec<String>) -> Option<TreeAsset> {
    match TreeAsset::from_slice(&file.name, &file.bytes) {
        Ok(tree) => Some(tree),
        Err(error) => {
            let why = error
                .problems()
                .first()
                .map(|problem| problem.message().to_owned());
            warnings.push(format!(
                "{} is no tree, so it was not looked at: {}; `bt-meta validate` says more",
                file.path.display(),
                why.unwrap_or_default()
            ));
            None
        }
    }
}

/// A place in a file.
struct Place<'f> {
    pointer: &'f str,
    /// The value there, if it is an argument that is written out.
    plain: Option<&'f Value>,
}

/// The place in the file, if a change hits what is there.
fn place<'f>(hit: &Hit, found: &'f Found<'_>, old: &Side<'_>) -> Option<Place<'f>> {
    let whole = Some(Place {
        pointer: &found.pointer,
        plain: None,
    });
    match (hit, &found.is) {
        (Hit::Agent { agent, spelled }, Is::Agent(name)) => {
            let is_spelled = spelled
                .as_ref()
                .is_none_or(|all| all.iter().any(|one| one == name));
            whole.filter(|_| is_spelled && found.agent == agent)
        }
        (Hit::Fallback { agent }, Is::Unknown) => {
            whole.filter(|_| old.is_below(found.agent, agent))
        }
        (Hit::Runs { agent, bases }, Is::Runs(other)) => {
            let is_lost = bases.iter().any(|base| base == other);
            whole.filter(|_| is_lost && old.is_below(found.agent, agent))
        }
        (Hit::Kind { kind }, Is::Kind(is)) => whole.filter(|_| kind == is),
        (
            Hit::Item {
                agent,
                sort,
                from,
                name,
                part,
            },
            Is::Item {
                sort: is_sort,
                from: is_from,
                name: is_name,
                spelled,
                calling,
                given,
            },
        ) => {
            let same = sort == is_sort && from == is_from && name == is_name;
            // A tree of no known agent is taken for one of any.
            let is_of = found.agent.is_empty() || old.is_below(found.agent, agent);
            if !(same && is_of) {
                return None;
            }
            part_of(part, spelled, *calling, given)?.or(whole)
        }
        _ => None,
    }
}

/// Whether that part of an item is used, and where if it is an argument.
fn part_of<'f>(
    part: &Part,
    spelled: &str,
    calling: Calling,
    given: &'f [Given<'_>],
) -> Option<Option<Place<'f>>> {
    let argument = |test: &dyn Fn(&Given<'_>) -> bool| {
        let found = given.iter().find(|given| test(given))?;
        Some(Some(Place {
            pointer: &found.pointer,
            plain: found.plain,
        }))
    };
    let is_used = |used: bool| used.then_some(None);
    match part {
        Part::Whole => Some(None),
        Part::None => None,
        Part::Spelled(name) => is_used(name == spelled),
        Part::Asked => is_used(calling == Calling::Asked),
        Part::AtOnce => is_used(calling == Calling::AtOnce),
        Part::Given(at) => argument(&|given| given.at == *at),
        Part::LeftOut(at) => {
            let is_left_out = given.iter().all(|given| given.at != *at);
            is_used(is_left_out && calling != Calling::Waits)
        }
        Part::ArgumentSpelled(name) => argument(&|given| given.name == Some(name.as_str())),
        Part::ByPlace(first) => argument(&|given| given.name.is_none() && given.at >= *first),
        Part::FromPlace(at) => argument(&|given| match given.name {
            None => given.at >= *at,
            Some(_) => given.at == *at,
        }),
    }
}
