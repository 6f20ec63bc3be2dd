//! The scenarios below the folders, played on the trees as they are edited now.

use std::sync::Arc;

use bt_live::protocol::envelope::Id;
use bt_meta::scenarios::coverage::{self, TreeCoverage};
use bt_meta::scenarios::{Cast, Outcome, Played, Report, report};
use bt_meta::validate::input::Input;

use super::Studio;
use super::games::Answered;
use super::review::Reviewed;
use crate::project::folders::SCENARIOS;
use crate::protocol::{Covered, Failure, NodeCovered, ScenarioReport, ScenarioResult, TreeCovered};

/// The largest scenario that is read, in bytes.
const LARGEST: u64 = 1 << 20;

impl Studio {
    /// Plays all scenarios on another thread.
    pub(super) fn run_scenarios(&mut self, client: u64, id: &Id) -> Answered {
        let refused = |failure: Failure| Answered::Now(Err(failure));
        let registry = match self.known_agents() {
            Ok(registry) => registry,
            Err(failure) => return refused(failure),
        };
        let mut scenarios = Vec::new();
        for (path, place) in self.options.folders.files(&SCENARIOS) {
            match place.read(LARGEST) {
                Ok(bytes) => scenarios.push(Input::of_text(path.clone(), path, Arc::new(bytes))),
                Err(why) => {
                    return refused(Failure::refused(format!("cannot read `{path}`: {why}")));
                }
            }
        }
        if scenarios.is_empty() {
            return refused(Failure::refused(
                "no `*.scenario.toml` is below the opened folders: play a tree, and save the play as a scenario",
            ));
        }
        let trees = self.current().into_iter();
        let trees: Vec<_> = trees
            .map(|(path, file)| Input::of_text(path, path, file.bytes))
            .collect();
        self.find_out(client, id, move || {
            let cast = Cast::new(registry.catalogue().clone());
            let played = cast.and_then(|cast| report(&cast, &trees, &scenarios));
            Reviewed::Scenarios(played.map(Box::new).map_err(|error| error.to_string()))
        })
    }
}

/// The report as the page gets it.
pub(super) fn shown(report: &Report) -> ScenarioReport {
    let coverage = report.coverage.clone().unwrap_or_default();
    let trees = coverage.trees.iter();
    ScenarioReport {
        scenarios: report.played.iter().map(result).collect(),
        seen: number(coverage.seen),
        all: number(coverage.all),
        trees: trees
            .map(|(name, tree)| (name.clone(), tree_covered(tree)))
            .collect(),
    }
}

fn result(played: &Played) -> ScenarioResult {
    let text = match &played.outcome {
        Outcome::Verdict(verdict) => verdict.to_string(),
        Outcome::Refused(problems) => {
            let all = problems.iter().map(|problem| {
                let (line, column) = (problem.line, problem.column);
                format!("{line}:{column}: {}", problem.message)
            });
            let all: Vec<_> = all.collect();
            all.join("\n")
        }
    };
    ScenarioResult {
        path: played.file.clone(),
        tree: played.tree.clone(),
        passed: played.passed(),
        text,
    }
}

fn tree_covered(tree: &TreeCoverage) -> TreeCovered {
    let nodes = tree.nodes.iter().map(|(idx, node)| {
        let covered = match node.covered() {
            coverage::Covered::All => Covered::All,
            coverage::Covered::Some => Covered::Some,
            coverage::Covered::None => Covered::None,
        };
        let missing = node.missing();
        (*idx, NodeCovered { covered, missing })
    });
    TreeCovered {
        seen: number(tree.seen),
        all: number(tree.all),
        nodes: nodes.collect(),
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
