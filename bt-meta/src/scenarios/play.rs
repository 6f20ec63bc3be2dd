//! The scenarios of a folder are played, on all cores.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use bt_core::dynamic::{Describe, DynType};
use bt_core::kinds::Use;
use bt_core::scenario::{Player, Scenario, ScenarioProblem};
use bt_core::{Registry, TreeAsset};

use super::input::{File, Found, problem};
use super::{Outcome, Played};
use crate::catalogue::Catalogue;
use crate::cores::on_all_cores;
use crate::error::Error;
use crate::validate::contradictions;

/// The number of scenarios that are played on trees that are built once.
const TOGETHER: usize = 16;

/// Scenarios of one tree.
struct Part<'f> {
    tree: String,
    files: Vec<(usize, &'f Scenario)>,
}

/// The agents of a catalogue, each described once for all scenarios that are played of it.
#[derive(Debug)]
pub struct Cast {
    registry: Registry,
    described: Mutex<Agents>,
}

impl Cast {
    /// Of a catalogue.
    ///
    /// # Errors
    /// A finding if the catalogue contradicts itself.
    pub fn new(catalogue: Catalogue) -> Result<Cast, Error> {
        let registry = Registry::from_catalogue(catalogue).map_err(contradictions)?;
        let described = Mutex::default();
        Ok(Cast {
            registry,
            described,
        })
    }

    /// Its agents by name.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The agents that the trees name, described.
    fn of(&self, found: &Found) -> Agents {
        let mut described = self
            .described
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let names = found.trees.iter().filter_map(TreeAsset::agent);
        let names: BTreeSet<_> = names.collect();
        let own = |name: &str| {
            let known = described.get(name).cloned();
            let agent = known.unwrap_or_else(|| self.describe(name));
            described.insert(name.to_owned(), agent.clone());
            (name.to_owned(), agent)
        };
        names.into_iter().map(own).collect()
    }

    fn describe(&self, name: &str) -> Result<DynType, String> {
        let agent = self.registry.agent(name);
        let agent = agent.map_err(|error| error.to_string())?;
        let catalogue = self.registry.catalogue().clone();
        let described = Describe::from_catalogue(catalogue, agent.full_name());
        let described = described.and_then(Describe::build);
        described.map_err(|error| error.to_string())
    }
}

/// Plays them; what comes of them is in their order.
pub(super) fn all(cast: &Cast, found: &Found, keeps_story: bool) -> Result<Vec<Played>, Error> {
    let registry = cast.registry();
    let agents = cast.of(found);
    let parts = parts(&found.scenarios);
    let outcomes = on_all_cores(&parts, |_, part| {
        Ok(play(part, registry, &agents, found, keeps_story))
    })?;
    let mut all: BTreeMap<usize, Outcome> = outcomes.into_iter().flatten().collect();
    let played = found.scenarios.iter().enumerate().map(|(at, file)| {
        let refused = file.read.as_ref().err().cloned().unwrap_or_default();
        let tree = file.read.as_ref().map(Scenario::tree);
        Played {
            file: file.shown.clone(),
            tree: tree.unwrap_or_default().to_owned(),
            outcome: all.remove(&at).unwrap_or(Outcome::Refused(refused)),
        }
    });
    Ok(played.collect())
}

/// The scenarios, a few of one tree together.
fn parts(files: &[File]) -> Vec<Part<'_>> {
    let mut by_tree: BTreeMap<&str, Vec<(usize, &Scenario)>> = BTreeMap::new();
    for (at, file) in files.iter().enumerate() {
        if let Ok(scenario) = &file.read {
            by_tree
                .entry(scenario.tree())
                .or_default()
                .push((at, scenario));
        }
    }
    let by_tree = by_tree.into_iter();
    let parts = by_tree.flat_map(|(tree, files)| {
        let parts = files.chunks(TOGETHER).map(<[_]>::to_vec);
        let parts = parts.map(|files| Part {
            tree: tree.to_owned(),
            files,
        });
        parts.collect::<Vec<_>>()
    });
    parts.collect()
}

type Agents = BTreeMap<String, Result<DynType, String>>;

fn play(
    part: &Part<'_>,
    registry: &Registry,
    agents: &Agents,
    found: &Found,
    keeps_story: bool,
) -> Vec<(usize, Outcome)> {
    let refuse = |problems: Vec<ScenarioProblem>| {
        let all = part.files.iter();
        let all = all.map(|(at, _)| (*at, Outcome::Refused(problems.clone())));
        all.collect()
    };
    let Some(tree) = found.tree(&part.tree) else {
        let names = found.trees.iter().map(TreeAsset::name);
        let near = bt_core::text::suggest(&part.tree, names);
        let name = bt_core::text::name(&part.tree);
        return refuse(problem(format!("there is no tree `{name}`{near}")));
    };
    let agent = tree.agent().and_then(|name| agents.get(name));
    let ty = match agent {
        Some(Ok(ty)) => ty,
        Some(Err(why)) => return refuse(problem(format!("{}: {why}", part.tree))),
        None => return refuse(problem(format!("{} names no agent", part.tree))),
    };
    let mut trees = ty.trees();
    for tree in reached(tree, registry, found) {
        trees.add(tree.clone());
    }
    let mut player = match Player::described(&trees) {
        Ok(player) => player,
        Err(error) => {
            let first = error.problems().first().map(ToString::to_string);
            let first = first.unwrap_or_default();
            let why = format!("its trees cannot run: {first}; `bt-meta validate` says everything");
            return refuse(problem(why));
        }
    };
    player.keep_story(keeps_story);
    let played = part.files.iter().map(|(at, scenario)| {
        let outcome = match player.play_described(scenario, ty) {
            Ok(verdict) => Outcome::Verdict(Box::new(verdict)),
            Err(error) => Outcome::Refused(error.problems().to_vec()),
        };
        (*at, outcome)
    });
    played.collect()
}

/// The trees that a tree leads to, itself included. Where a key holds a tree's name, all trees of its agent.
fn reached<'f>(tree: &'f TreeAsset, registry: &Registry, found: &'f Found) -> Vec<&'f TreeAsset> {
    let mut names = BTreeSet::from([tree.name()]);
    let mut next = vec![tree];
    let mut is_any = false;
    while let Some(tree) = next.pop() {
        for node in tree.nodes() {
            node.uses(&mut |_, used| {
                is_any |= matches!(used, Use::Tree(called) if called.named().is_none());
            });
        }
        let runs = tree.runs().filter_map(|name| found.tree(name));
        let new = runs.filter(|tree| names.insert(tree.name()));
        next.extend(new.collect::<Vec<_>>());
    }
    let agent = tree.agent().and_then(|name| registry.agent(name).ok());
    let is_of = |other: &TreeAsset| {
        let other = other.agent().and_then(|name| registry.agent(name).ok());
        agent.zip(other).is_some_and(|(agent, other)| {
            let mut lineage = agent.lineage();
            lineage.any(|agent| agent.full_name() == other.full_name())
        })
    };
    let trees = found.trees.iter();
    let trees = trees.filter(|tree| names.contains(tree.name()) || is_any && is_of(tree));
    trees.collect()
}
