//! `test`: scenarios, and what to suspect where they fail.

use bt_core::TreeAsset;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::answer::{Answer, Code, Refused, Reply, cut};
use super::super::project::{SCENARIOS, inputs, unknown};
use super::super::shared::Shared;
use super::edit::{Change, Written, plan, with};
use super::shown::failure;
use crate::scenarios::suspects::{Suspect, suspects};
use crate::scenarios::{Outcome, Played, play_all};

/// So many failures of a scenario are shown.
const FAILURES: usize = 3;

/// So many scenarios that failed are shown, and so many nodes to suspect.
const SCENARIOS_SHOWN: usize = 4;
const SUSPECTS: usize = 5;

/// So many choices of a suspect are shown beside failures, and so many values of each.
const CHOICES: usize = 6;
const VALUES: usize = 5;

/// The arguments of `test`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Test {
    /// Only these scenarios, by their paths; all without it.
    #[serde(default)]
    scenarios: Vec<String>,
    /// The tree that is edited.
    tree: Option<String>,
    /// Edits of that tree that are tested and not written, as those of `edit`.
    #[serde(default)]
    #[schemars(with = "Vec<Map<String, Value>>")]
    edits: Vec<Written>,
    /// That tree as a script, which is tested and not written.
    script: Option<String>,
    /// True to list every node to suspect, in pages, and no failures.
    #[serde(default)]
    suspects: bool,
    /// The `next` of the answer before.
    cursor: Option<String>,
}

pub(in super::super) fn test(shared: &Shared, asked: Test) -> Reply {
    let project = &shared.project;
    let change = Change {
        edits: asked.edits.into_iter().map(|Written(edit)| edit).collect(),
        script: asked.script,
    };
    let mut texts = project.trees()?;
    match (&asked.tree, change.is_some()) {
        (Some(tree), true) => {
            let name = project.tree(tree)?.name;
            let (plan, _) = plan(project, &texts, &name, &change)?;
            let files = plan
                .iter()
                .map(|file| (file.name.as_str(), file.after.as_str()));
            texts = with(&texts, files);
        }
        (None, true) => {
            let help = "name the tree that the edits are of";
            return Err(Refused::new(Code::Arguments, "`tree` is missing", help));
        }
        (_, false) => {}
    }
    let (mut files, _) = project.all(&SCENARIOS)?;
    for name in &asked.scenarios {
        if !files.contains_key(name) {
            return Err(unknown("scenario", name, files.keys().map(String::as_str)));
        }
    }
    if !asked.scenarios.is_empty() {
        files.retain(|name, _| asked.scenarios.contains(name));
    }
    if files.is_empty() {
        let help =
            "a scenario is a file `NAME.scenario.toml` beside its tree: see `bt://book/scenarios`";
        return Err(Refused::new(
            Code::Unknown,
            "there is no scenario below the folder",
            help,
        ));
    }
    let cast = project.cast()?;
    let played = play_all(&cast, &inputs(&texts), &inputs(&files), false)?;
    let failed: Vec<&Played> = played.iter().filter(|played| !played.passed()).collect();
    let answer = Answer::default()
        .with("passed", played.len() - failed.len())
        .with("failed", failed.len());
    if failed.is_empty() {
        let note = match asked.scenarios.is_empty() {
            true => "all scenarios pass",
            false => "all that were played pass",
        };
        return Ok(answer.note(note));
    }
    let trees: Vec<TreeAsset> = texts.values().filter_map(|text| text.tree().ok()).collect();
    let most = if asked.suspects { usize::MAX } else { SUSPECTS };
    let found = suspects(cast.registry(), &trees, &played, most);
    if asked.suspects {
        let all = found.iter().map(suspect).collect();
        return answer.page("suspects", all, asked.cursor.as_deref());
    }
    let more = found.len().saturating_sub(SUSPECTS);
    let first: Vec<_> = found.iter().take(SUSPECTS).map(brief).collect();
    let answer = match more {
        0 => answer,
        more => answer.with("more_suspects", more),
    };
    let names: Vec<_> = failed
        .iter()
        .skip(SCENARIOS_SHOWN)
        .map(|played| &played.file)
        .collect();
    let answer = match names.is_empty() {
        true => answer,
        false => answer.with("failed_too", names),
    };
    let shown = failed
        .iter()
        .take(SCENARIOS_SHOWN)
        .map(|played| shown(played));
    Ok(answer
        .with("scenarios", shown.collect::<Vec<_>>())
        .with("suspects", first)
        .note("`suspects: true` lists all with all their choices; test a change with `tree` and `edits` before you write it"))
}

fn shown(played: &Played) -> Value {
    let mut one = json!({"scenario": played.file, "tree": played.tree});
    match &played.outcome {
        Outcome::Verdict(verdict) => {
            let failures = verdict.failures.iter().take(FAILURES).map(failure);
            one["failures"] = failures.collect();
        }
        Outcome::Refused(problems) => {
            let problems = problems.iter().take(FAILURES).map(
                |problem| json!({"line": problem.line, "message": cut(&problem.message, 500)}),
            );
            one["problems"] = problems.collect();
        }
    }
    one
}

fn suspect(suspect: &Suspect) -> Value {
    json!({
        "tree": suspect.tree,
        "node": suspect.node,
        "shown": suspect.shown,
        "cause": suspect.cause,
        "choices": suspect.choices,
    })
}

/// A suspect with the first choices of what it says already.
fn brief(suspected: &Suspect) -> Value {
    let said = suspected.choices.iter().filter(|choice| {
        let values = choice["try"].as_array();
        choice.get("now").is_some() && values.is_some_and(|values| !values.is_empty())
    });
    let choices = said.take(CHOICES).cloned().map(|mut choice| {
        if let Some(values) = choice["try"].as_array_mut() {
            values.truncate(VALUES);
        }
        choice
    });
    let choices = choices.collect();
    suspect(&Suspect {
        choices,
        ..suspected.clone()
    })
}
