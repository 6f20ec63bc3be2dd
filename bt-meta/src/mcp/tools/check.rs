//! `validate`, `fix`: what is wrong, and what of it is certain.

use std::sync::{Arc, PoisonError};

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::answer::{Answer, Reply};
use super::super::shared::Shared;
use super::shown::{problem, unified};
use crate::fix::{self, Fixed, Kind};
use crate::validate::input::Input;

/// The arguments of `validate`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Validate {
    /// The tree; all without it.
    tree: Option<String>,
    /// True to leave warnings out.
    #[serde(default)]
    errors_only: bool,
    /// The `next` of the answer before.
    cursor: Option<String>,
}

pub(in super::super) fn validate(shared: &Shared, asked: Validate) -> Reply {
    let texts = shared.project.trees()?;
    let only = match &asked.tree {
        Some(name) => Some(shared.project.tree(name)?.name),
        None => None,
    };
    let report = shared.project.validate(&texts)?;
    let found = report.findings.iter().filter(|found| {
        let is_it = only.as_ref().is_none_or(|name| found.file == *name);
        is_it && !(asked.errors_only && found.level == bt_core::tree::Level::Warning)
    });
    let found: Vec<_> = found.map(problem).collect();
    let answer = match report.unlisted {
        0 => Answer::default(),
        more => Answer::default().with("more_problems", more),
    };
    answer
        .note(report.summary())
        .page("problems", found, asked.cursor.as_deref())
}

/// The arguments of `fix`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Fix {
    /// The tree; all without it.
    tree: Option<String>,
    /// True to write the files.
    #[serde(default)]
    write: bool,
    /// Only these; names, parents and order without it.
    #[serde(default)]
    only: Vec<Kind>,
    /// The `next` of the answer before.
    cursor: Option<String>,
}

pub(in super::super) fn fix(shared: &Shared, asked: Fix) -> Reply {
    let project = &shared.project;
    let _one = project
        .editing
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if asked.write {
        project.refuse_read_only()?;
    }
    let only = match &asked.tree {
        Some(name) => Some(project.tree(name)?.name),
        None => None,
    };
    let texts = project.trees()?;
    let cast = project.cast()?;
    // With their places on the disk: scenarios beside them are fixed as well.
    let inputs: Vec<Input> = texts
        .values()
        .map(|text| {
            let bytes = Arc::new(text.text.clone().into_bytes());
            Input::of_text(text.name.as_str(), project.root.join(&text.name), bytes)
        })
        .collect();
    let kinds = match asked.only.is_empty() {
        true => &Kind::USUAL[..],
        false => &asked.only,
    };
    let fixes = fix::run(cast.registry().catalogue().clone(), None, &inputs, kinds)?;
    let name = |fixed: &Fixed| {
        let inside = fixed.input.path.strip_prefix(&project.root).ok()?;
        Some(crate::validate::input::parts(inside))
    };
    let all = fixes
        .files
        .iter()
        .filter_map(|fixed| Some((name(fixed)?, fixed)));
    let all: Vec<_> = all
        .filter(|(name, _)| only.as_ref().is_none_or(|only| only == name))
        .collect();
    let mut written = Vec::new();
    for (name, fixed) in all.iter().filter(|_| asked.write) {
        if let Err(refused) = project.write(name, Some(&fixed.before), &fixed.after) {
            return Err(refused.with("written_before", &written));
        }
        written.push(name.clone());
    }
    let fixes = all.iter().map(|(name, fixed)| {
        let diff = unified(name, &fixed.before, &fixed.after);
        serde_json::json!({"file": name, "fixes": fixed.what, "diff": diff})
    });
    let note = match (all.is_empty(), asked.write) {
        (true, _) => "nothing is to be fixed",
        (false, true) => "written",
        (false, false) => "not written: `write` makes them",
    };
    Answer::default()
        .note(note)
        .page("files", fixes.collect(), asked.cursor.as_deref())
}
