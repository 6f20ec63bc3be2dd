//! `trees`, `tree`: what there is.

use std::collections::BTreeMap;

use bt_core::TreeAsset;
use bt_core::tree::{Level, is_script};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::answer::{Answer, Code, Refused, Reply};
use super::super::project::{SCENARIOS, TREES, Text};
use super::super::shared::Shared;
use super::shown::{lines, problems};
use crate::draw;
use crate::edit::script;

/// The arguments of `trees`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct ListTrees {
    /// Only those whose path or agent has this text.
    filter: Option<String>,
    /// The `next` of the answer before.
    cursor: Option<String>,
}

pub(in super::super) fn trees(shared: &Shared, asked: ListTrees) -> Reply {
    let (texts, passed) = shared.project.all(&TREES)?;
    let (scenarios, _) = shared.project.all(&SCENARIOS)?;
    let report = shared.project.validate(&texts);
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for found in report.iter().flat_map(|report| &report.findings) {
        let count = counts.entry(found.file.as_str()).or_default();
        match found.level {
            Level::Error => count.0 += 1,
            Level::Warning => count.1 += 1,
        }
    }
    let mut all: Vec<Value> = Vec::new();
    for text in texts.values() {
        let tree = text.tree().ok();
        let agent = tree.as_ref().and_then(TreeAsset::agent);
        if !matches(asked.filter.as_deref(), [Some(text.name.as_str()), agent]) {
            continue;
        }
        let mut one = json!({"tree": text.name, "agent": agent});
        match &tree {
            Some(tree) => one["nodes"] = tree.nodes().len().into(),
            None => one["no_tree"] = true.into(),
        }
        let (errors, warnings) = counts.get(text.name.as_str()).copied().unwrap_or_default();
        for (name, count) in [("errors", errors), ("warnings", warnings)] {
            if count > 0 {
                one[name] = count.into();
            }
        }
        all.push(one);
    }
    for name in scenarios.keys() {
        if matches(asked.filter.as_deref(), [Some(name), None]) {
            all.push(json!({ "scenario": name }));
        }
    }
    let answer = Answer::default().with_some("not_shown", passed.in_words());
    let answer = match &report {
        Ok(_) => answer,
        Err(why) => answer.note(format!("not checked: {why}")),
    };
    answer.page("trees", all, asked.cursor.as_deref())
}

fn matches(filter: Option<&str>, texts: [Option<&str>; 2]) -> bool {
    filter.is_none_or(|filter| {
        texts
            .into_iter()
            .flatten()
            .any(|text| text.contains(filter))
    })
}

/// The arguments of `tree`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct ShowTree {
    /// Its path, as `trees` lists it.
    tree: String,
    /// Its form.
    #[serde(default)]
    form: Form,
    /// True to see the comments of nodes in a script.
    #[serde(default)]
    comments: bool,
    /// Only this node and what is below it, for `json`.
    node: Option<u32>,
    /// The `next` of the answer before.
    cursor: Option<String>,
}

/// The form of a tree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Form {
    /// Indented lines, which `edit` takes back.
    #[default]
    Script,
    /// A picture of characters.
    Outline,
    /// As the file has it.
    Json,
}

pub(in super::super) fn tree(shared: &Shared, asked: ShowTree) -> Reply {
    let text = shared.project.tree(&asked.tree)?;
    let answer = Answer::default()
        .with("tree", &text.name)
        .with("revision", text.revision());
    let answer = match shared
        .project
        .trees()
        .and_then(|texts| shared.project.validate(&texts))
    {
        Ok(report) => {
            let own = report
                .findings
                .iter()
                .filter(|found| found.file == text.name);
            problems(answer, own)
        }
        Err(why) => answer.note(format!("not checked: {why}")),
    };
    let (shown, form) = form(&text, &asked)?;
    answer
        .with("form", form)
        .text("text", &shown, asked.cursor.as_deref())
}

fn form(text: &Text, asked: &ShowTree) -> Result<(String, &'static str), Refused> {
    let own = || {
        (
            lines(&text.text),
            if is_script(&text.name) {
                "script"
            } else {
                "json"
            },
        )
    };
    let Ok(tree) = text.tree() else {
        // What is wrong with it stands among the problems.
        return Ok(own());
    };
    if let Some(idx) = asked.node {
        if tree.node(idx).is_none() {
            let why = format!("`{}` has no node {idx}", text.name);
            return Err(Refused::new(
                Code::Unknown,
                why,
                "`[5]` in the script is the number of a node",
            ));
        }
        let part = crate::edit::fragment(&tree, &text.text, &[idx]);
        let part = part.map_err(|why| {
            Refused::new(Code::Refused, why, "leave `node` out for the whole tree")
        })?;
        return Ok((part, "json"));
    }
    Ok(match asked.form {
        Form::Outline => (
            draw::draw(&[tree], draw::Format::Text, draw::Direction::Down),
            "outline",
        ),
        Form::Script if !is_script(&text.name) => match script(&tree, asked.comments) {
            Ok(script) => (script, "script"),
            // A node that has no line is seen in the file.
            Err(_) => own(),
        },
        Form::Script | Form::Json => own(),
    })
}
