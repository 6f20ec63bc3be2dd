//! The places in trees that use changed items.

mod events;
mod find;
mod meaning;

use std::collections::{BTreeMap, BTreeSet};

use bt_core::tree::Code;
use bt_core::tree::asset::{positions, script_positions};
use bt_core::tree::check::{Checker, Rules};
use bt_core::tree::is_script;
use bt_core::{Problem, Registry, TreeAsset};
use serde_json::Value;

use super::change::{Change, Diff, Effect, Use, What};
use super::hit::{Hit, Part};
use super::schema::{Relation, Schema, relation};
use super::side::Side;
use crate::catalogue::{Catalogue, JsonMap};
use crate::validate::File;
use find::{Calling, Found, Given, Is};
use meaning::means_another;

/// Fills in the uses of every change that is not compatible; trees that cannot be looked at become warnings.
pub(super) fn fill(diff: &mut Diff, old: &Side<'_>, new: &Catalogue, files: &[File]) {
    let defs = &new.defs;
    let trees: Vec<_> = files
        .iter()
        .map(|file| read(file, &mut diff.warnings))
        .collect();
    let (was_refused, refused) = (Refused::of(old.catalogue, &trees), Refused::of(new, &trees));
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
            let Some(hit) = hit.filter(|_| change.effect != Effect::Compatible) else {
                continue;
            };
            for found in &found.all {
                let Some(at) = place(hit, found, old) else {
                    continue;
                };
                // What was refused before is not broken by the change.
                let given = at.plain.zip(change.schemas.as_ref());
                let ignored = given.is_some_and(|(value, (was, is))| {
                    let was = Schema {
                        value: was,
                        defs: &old.catalogue.defs,
                    };
                    means_another(was, Schema { value: is, defs }, value)
                });
                let is_refused = || refused.is_new(&was_refused, tree, found.node);
                let is_taken = || given.is_some_and(|(value, (_, is))| takes(is, defs, value));
                if refusal_shows(change) && !ignored && (is_taken() || !is_refused()) {
                    continue;
                }
                here.push((nth, found.node, at.pointer));
            }
        }
        let text = String::from_utf8_lossy(&file.bytes);
        let pointers = here.iter().map(|(_, _, pointer)| *pointer);
        let places = match is_script(&file.name) {
            true => script_positions(&text, pointers),
            false => positions(&text, pointers),
        };
        for ((nth, node, _), place) in here.into_iter().zip(places) {
            diff.changes[nth].uses.push(Use {
                file: path.clone(),
                node,
                line: place.map(|at| at.line),
                column: place.map(|at| at.column),
            });
        }
    }
    for change in &mut diff.changes {
        change.uses.sort();
        change.uses.dedup();
    }
}

/// Returns true if a tree that the change breaks is refused, rather than runs and means something else.
fn refusal_shows(change: &Change) -> bool {
    match change.change {
        // Who waits for an event that is gone waits for ever, and is not refused.
        _ if change.item == "event" => false,
        What::Order | What::Children | What::Takes => false,
        // What came after it is given by another place now.
        What::Removed if change.argument.is_some() => false,
        // Whether a key is read or written is seen when the tree runs, as what a property carries.
        What::Passed => false,
        // Trees do something else, and are not refused.
        What::Default | What::Unit | What::Result => false,
        What::Type | What::Bounds => change.schemas.is_some(),
        What::Removed
        | What::Renamed
        | What::NameLost
        | What::Base
        | What::Fallback
        | What::Kind
        | What::Async
        | What::Required
        | What::Optional
        | What::ReadOnly
        | What::Moved
        | What::CleanUp
        | What::Deprecated
        | What::Added
        | What::Documentation => true,
    }
}

/// The mistakes of a node, each with its place in the file.
type Mistakes = BTreeSet<(Code, String)>;

/// The refusals of a catalogue, by tree and node.
struct Refused(BTreeMap<(String, Option<u32>), Mistakes>);

impl Refused {
    fn of(catalogue: &Catalogue, trees: &[Option<TreeAsset>]) -> Refused {
        let trees: Vec<_> = trees.iter().flatten().cloned().collect();
        let Ok(registry) = Registry::from_catalogue(catalogue.clone()) else {
            return Refused(BTreeMap::new());
        };
        let rules = Rules::default();
        let checker = Checker::new(&trees, &registry, &rules);
        let mut refused: BTreeMap<_, Mistakes> = BTreeMap::new();
        for (at, tree) in trees.iter().enumerate() {
            let checked = checker.check_all(at, tree);
            let matters =
                |one: &&Problem| matches!(one.code(), Code::RunningEffect | Code::DoubtfulArgument);
            let warnings = checked.warnings.iter().filter(matters);
            for problem in checked.problems.iter().chain(warnings) {
                // Of a tree of no agent, nothing else is looked at.
                let node = problem
                    .node()
                    .filter(|_| problem.code() != Code::UnknownAgent);
                let at = refused.entry((tree.name().to_owned(), node)).or_default();
                at.insert((problem.code(), problem.pointer().to_owned()));
            }
        }
        Refused(refused)
    }

    /// Returns true if a node is refused, or the whole tree, where it was not before.
    fn is_new(&self, before: &Refused, tree: &TreeAsset, node: u32) -> bool {
        [Some(node), None].into_iter().any(|node| {
            let at = (tree.name().to_owned(), node);
            let was = before.0.get(&at);
            let mut is = self.0.get(&at).into_iter().flatten();
            is.any(|one| was.is_none_or(|was| !was.contains(one)))
        })
    }
}

/// Returns true if a value certainly fits a schema.
fn takes(schema: &Value, defs: &JsonMap, value: &Value) -> bool {
    let one = Value::from_iter([("const", value.clone())]);
    let [one, schema] = [&one, schema].map(|value| Schema { value, defs });
    matches!(relation(one, schema), Relation::Same | Relation::Wider)
}

fn read(file: &File, warnings: &mut Vec<String>) -> Option<TreeAsset> {
    match TreeAsset::from_slice(&file.name, &file.bytes) {
        // What is disabled uses nothing.
        Ok(tree) => Some(tree.enabled().into_owned()),
        Err(error) => {
            let why = error
                .problems()
                .first()
                .map(|problem| problem.message().to_owned());
            warnings.push(format!(
                "{} is not a tree, so it was not searched: {}; `bt-meta validate` says more",
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
        (
            Hit::Agent { .. }
            | Hit::Fallback { .. }
            | Hit::Runs { .. }
            | Hit::Kind { .. }
            | Hit::Item { .. },
            _,
        ) => None,
    }
}

/// Returns whether that part of an item is used, and where if it is an argument.
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
        Part::Asked => is_used(matches!(calling, Calling::Asked | Calling::Followed)),
        Part::Followed => is_used(calling == Calling::Followed),
        Part::AtOnce => is_used(calling == Calling::AtOnce),
        Part::Given(at) => argument(&|given| given.at == *at),
        Part::LeftOut(at) => {
            let is_left_out = given.iter().all(|given| given.at != *at);
            is_used(is_left_out && calling != Calling::Waits)
        }
        Part::ArgumentSpelled(name) => argument(&|given| given.name == Some(name.as_str())),
        Part::Named(at) => argument(&|given| given.at == *at && given.name.is_some()),
        Part::ByPlace(first) => argument(&|given| given.name.is_none() && given.at >= *first),
        Part::FromPlace(at) => argument(&|given| match given.name {
            None => given.at >= *at,
            Some(_) => given.at == *at,
        }),
    }
}
