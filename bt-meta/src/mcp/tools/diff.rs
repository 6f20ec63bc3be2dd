//! `diff`: what changed since.

use bt_core::TreeAsset;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::answer::{Answer, Code, Refused, Reply};
use super::super::shared::Shared;
use crate::diff::trees::compare;
use crate::diff::versions::{Version, since};
use crate::diff::{diff as compare_agents, print};
use crate::protocol;
use crate::validate::File;

/// The largest catalogue that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// The arguments of `diff`: one of `since` and `old_agents`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Diff {
    /// A git revision, such as `HEAD` or `main`: the trees are compared with what they were then.
    since: Option<String>,
    /// An older catalogue below the folder: the agents are compared with it, and the trees that a change breaks are named.
    old_agents: Option<String>,
    /// Only this tree.
    tree: Option<String>,
    /// The `next` of the answer before.
    cursor: Option<String>,
}

pub(in super::super) fn diff(shared: &Shared, asked: Diff) -> Reply {
    match (&asked.since, &asked.old_agents) {
        (Some(revision), None) => trees(shared, revision, &asked),
        (None, Some(old)) => agents(shared, old, &asked),
        (None, None) | (Some(_), Some(_)) => Err(Refused::new(
            Code::Arguments,
            "one of `since` and `old_agents` is expected",
            "give a git revision, such as `HEAD`, or the path of an older agents.json",
        )),
    }
}

fn trees(shared: &Shared, revision: &str, asked: &Diff) -> Reply {
    let versions = since(revision, std::slice::from_ref(&shared.project.root))?;
    let only = asked.tree.as_deref();
    let wanted = versions.iter().filter(|version| {
        let is_export = crate::files::is_export(&version.name);
        !is_export && only.is_none_or(|only| version.name == only)
    });
    let changed: Vec<Value> = wanted.map(changes).collect();
    let note = match changed.is_empty() {
        true => "nothing has changed",
        false => "each tree with its changed nodes",
    };
    Answer::default()
        .note(note)
        .page("trees", changed, asked.cursor.as_deref())
}

fn changes(version: &Version) -> Value {
    let read = |bytes: &Option<Vec<u8>>| {
        let bytes = bytes.as_deref()?;
        TreeAsset::from_slice(&version.name, bytes).ok()
    };
    let mut one = json!({"tree": version.name});
    match (&version.before, &version.after) {
        (None, _) => one["change"] = "new".into(),
        (_, None) => one["change"] = "removed".into(),
        (Some(_), Some(_)) => {
            one["change"] = "changed".into();
            match read(&version.before).zip(read(&version.after)) {
                Some((before, after)) => {
                    let nodes = compare(&before, &after);
                    let nodes = nodes
                        .iter()
                        .filter_map(|node| node.in_words(&before, &after));
                    one["nodes"] = nodes.collect();
                }
                None => one["no_tree"] = true.into(),
            }
        }
    }
    one
}

fn agents(shared: &Shared, old: &str, asked: &Diff) -> Reply {
    let project = &shared.project;
    let place = project.place(old, &[".json"])?;
    let text = place.text(LARGEST);
    let text = text.map_err(|why| Refused::new(Code::Path, why.not_read(old), ""))?;
    let old = protocol::parse(&text)?;
    let cast = project.cast()?;
    let new = cast.registry().catalogue();
    let mut diff = compare_agents(&old, new)?;
    let files: Vec<File> = project
        .trees()?
        .into_values()
        .map(|text| File {
            path: text.name.as_str().into(),
            bytes: text.text.into_bytes(),
            name: text.name,
        })
        .collect();
    diff.look_for_uses(&old, new, &files);
    let answer = Answer::default().note(print::total(&diff));
    answer.text("changes", &print::text(&diff), asked.cursor.as_deref())
}
