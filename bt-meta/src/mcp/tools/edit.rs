//! `edit`: trees changed, and checked before they are written.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

use bt_core::TreeAsset;
use bt_core::tree::asset::Fix;
use bt_core::tree::{Level, by_either_name, is_script};
use schemars::JsonSchema;
use serde::Deserialize;

use super::super::answer::{Answer, Code, PAGE, Refused, Reply, cut};
use super::super::project::{Project, TREES, Text, Texts, conflict, errors, with_known};
use super::super::shared::Shared;
use super::shown::{lines, problem, problems, unified};
use crate::edit::{self, Around, Edit, Unscripted, scripted};
use crate::error::count;
use crate::find::{Thing, only_in_code, renames};
use crate::mentions::{Mention, ThingKind, mentions};
use crate::scenarios::Cast;
use crate::text::splices::apply;
use crate::validate::finding::word;

/// So many edits are made at once, and a script has so many bytes.
const MOST: usize = 500;
const LONGEST: usize = 1 << 20;

/// So many problems are shown of an edit that is refused.
const PROBLEMS: usize = 20;

/// The arguments of `edit`: `edits`, `script` or `rename`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct EditTree {
    /// The tree's path. One that is not there yet is made of a `script`.
    tree: Option<String>,
    /// The `revision` that `tree` answered; not of a new tree.
    revision: Option<String>,
    /// Edits of nodes, made one after the other.
    #[serde(default)]
    #[schemars(with = "Vec<Edit>")]
    edits: Vec<Written>,
    /// The whole tree as a script. Nodes keep the numbers that stand behind them, `# [5]`; one without a number is new, and one
    /// whose number is missing is removed.
    script: Option<String>,
    /// Another name for a thing, in all trees.
    rename: Option<Rename>,
    /// True to see what would be written, and write nothing.
    #[serde(default)]
    dry_run: bool,
}

/// A change of a tree.
#[derive(Debug, Default)]
pub(super) struct Change {
    /// Edits of nodes, made one after the other.
    pub(super) edits: Vec<Edit>,
    /// The whole tree.
    pub(super) script: Option<String>,
}

/// An edit as a client writes it: the value of a `set` may be JSON itself in place of its text.
#[derive(Debug)]
pub(super) struct Written(pub(super) Edit);

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Written, D::Error> {
        let mut edit = serde_json::Value::deserialize(from)?;
        if let Some(value) = edit.get_mut("value").filter(|value| !value.is_string()) {
            *value = value.to_string().into();
        }
        serde_json::from_value(edit)
            .map(Written)
            .map_err(serde::de::Error::custom)
    }
}

/// Another name for a thing.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Rename {
    /// The thing. Of a key, `path` is the tree that has it for itself.
    of: Thing,
    /// Its new name; of a tree, its new path.
    to: String,
}

/// A file that is to be written.
pub(super) struct Planned {
    pub(super) name: String,
    /// Its text now; none of a new file.
    before: Option<String>,
    pub(super) after: String,
}

pub(in super::super) fn edit(shared: &Shared, asked: EditTree) -> Reply {
    let project = &shared.project;
    let change = Change {
        edits: asked.edits.into_iter().map(|Written(edit)| edit).collect(),
        script: asked.script,
    };
    let _one = project
        .editing
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if !asked.dry_run {
        project.refuse_read_only()?;
    }
    let texts = project.trees()?;
    let (plan, created) = match (&asked.rename, &asked.tree) {
        (Some(rename), _) if change.is_some() => {
            let why = format!(
                "`rename` of `{}` stands beside `edits` or a `script`",
                rename.to
            );
            return Err(arguments(why, "make one after the other"));
        }
        (Some(rename), _) => return self::rename(shared, &texts, rename, asked.dry_run),
        (None, Some(name)) => {
            let name = same_revision(project, &texts, name, asked.revision.as_deref())?;
            plan(project, &texts, &name, &change)?
        }
        (None, None) => return Err(arguments("`tree` is missing", "name the tree to change")),
    };
    let report = checked(project, &texts, &plan)?;
    if !asked.dry_run {
        // New trees first: nothing calls them so far.
        for file in plan.iter().rev() {
            project.write(&file.name, file.before.as_deref(), &file.after)?;
        }
    }
    let own = &plan[0];
    let note = match (asked.dry_run, own.before.as_deref() == Some(&own.after)) {
        (_, true) => "nothing changes",
        (true, false) => "not written: it would be valid",
        (false, false) => "written",
    };
    let revision = bt_live::protocol::hash(&own.after);
    let answer = Answer::default()
        .note(note)
        .with("tree", &own.name)
        .with_some("revision", (!asked.dry_run).then_some(revision))
        .with("diff", diffs(&plan));
    let answer = match created.is_empty() {
        true => answer,
        false => answer.with("created", created),
    };
    let found = report
        .findings
        .iter()
        .filter(|found| found.file == own.name);
    Ok(problems(answer, found))
}

impl Change {
    pub(super) fn is_some(&self) -> bool {
        !self.edits.is_empty() || self.script.is_some()
    }
}

/// The tree's whole name, if its file is as it was when it was read.
fn same_revision(
    project: &Project,
    texts: &Texts,
    name: &str,
    revision: Option<&str>,
) -> Result<String, Refused> {
    let find = |name: &str| texts.get(name);
    let Some(text) = by_either_name(name, find) else {
        project.place(name, &TREES)?;
        return match revision {
            None | Some("") => Ok(name.to_owned()),
            Some(_) => Err(conflict(name, None)),
        };
    };
    match revision {
        Some(revision) if revision == text.revision() => Ok(text.name.clone()),
        Some(_) => Err(conflict(&text.name, Some(&text.revision()))),
        None => Err(arguments(
            format!("`revision` is missing: `{}` is there already", text.name),
            "read it with `tree`, and give the revision that it answers",
        )),
    }
}

fn arguments(why: impl Into<String>, help: &str) -> Refused {
    Refused::new(Code::Arguments, why, help)
}

/// The files that a change of a tree writes, the tree first; and the nodes that it makes.
pub(super) fn plan(
    project: &Project,
    texts: &Texts,
    name: &str,
    change: &Change,
) -> Result<(Vec<Planned>, Vec<u32>), Refused> {
    let length = change.script.as_ref().map_or(0, String::len);
    if change.edits.len() > MOST || length > LONGEST {
        return Err(Refused::new(
            Code::Limit,
            format!("more than {MOST} edits, or a script of more than {LONGEST} bytes"),
            "make it in several steps",
        ));
    }
    match (&change.script, change.edits.is_empty()) {
        (Some(script), true) => {
            let (file, created) = of_script(texts.get(name), name, script)?;
            Ok((vec![file], created))
        }
        (None, false) => of_edits(project, texts, name, &change.edits),
        (Some(_), false) => Err(arguments(
            "`edits` stand beside a `script`",
            "give one of them",
        )),
        (None, true) => Err(arguments(
            "nothing is to be changed",
            "give `edits`, a `script` or `rename`",
        )),
    }
}

/// A tree that says what a script says.
fn of_script(own: Option<&Text>, name: &str, script: &str) -> Result<(Planned, Vec<u32>), Refused> {
    let planned = |before: Option<String>, after| Planned {
        name: name.to_owned(),
        before,
        after,
    };
    if is_script(name) {
        let before = own.map(|own| own.text.clone());
        let ends = before
            .as_ref()
            .is_some_and(|before| before.contains("\r\n"));
        let plain = lines(script);
        let after = if ends {
            plain.replace('\n', "\r\n")
        } else {
            plain
        };
        return Ok((planned(before, after), Vec::new()));
    }
    let (tree, before) = match own {
        Some(own) => {
            let tree = own.tree().map_err(|error| no_tree(name, &error))?;
            (tree, own.text.clone())
        }
        None => {
            let new = TreeAsset::from_script(name, script);
            let new = new.map_err(|error| wrong_script(name, &error))?;
            let empty = TreeAsset::new(name, new.agent().unwrap_or_default());
            let text = empty.to_json();
            (empty, text)
        }
    };
    let scripted = scripted(&tree, &before, script).map_err(|why| match why {
        Unscripted::Script(error) => wrong_script(name, &error),
        Unscripted::Refused(why) => Refused::new(Code::Refused, why, ""),
    })?;
    let before = own.map(|own| own.text.clone());
    Ok((planned(before, scripted.text), scripted.created))
}

fn no_tree(name: &str, error: &bt_core::AssetError) -> Refused {
    Refused::new(
        Code::Invalid,
        format!("`{name}` is no tree as it is: {}", first(error)),
        "`tree` shows its text and problems; a person has to put it right",
    )
}

fn wrong_script(name: &str, error: &bt_core::AssetError) -> Refused {
    let problems = error.problems().iter().take(PROBLEMS).map(|problem| {
        let line = problem.position().map(|at| at.line);
        serde_json::json!({"line": line, "message": problem.message(), "help": problem.help()})
    });
    Refused::new(
        Code::Invalid,
        format!("the script for `{name}` cannot be read: {}", first(error)),
        "nothing was written; the resource `bt://book/tree-files` has the syntax of scripts",
    )
    .with("problems", problems.collect::<Vec<_>>())
}

fn first(error: &bt_core::AssetError) -> String {
    error
        .problems()
        .first()
        .map(ToString::to_string)
        .unwrap_or_default()
}

fn of_edits(
    project: &Project,
    texts: &Texts,
    name: &str,
    edits: &[Edit],
) -> Result<(Vec<Planned>, Vec<u32>), Refused> {
    let own = texts.get(name).ok_or_else(|| {
        let names = texts.keys().map(String::as_str);
        super::super::project::unknown("tree", name, names)
    })?;
    if is_script(name) {
        return Err(Refused::new(
            Code::Refused,
            format!("`{name}` is a script: its nodes have no numbers"),
            "give the whole tree as `script`",
        ));
    }
    let tree = own.tree().map_err(|error| no_tree(name, &error))?;
    let around = Others {
        project,
        texts,
        name,
        cast: project.known_cast(),
    };
    let edited = edit::edit(&tree, &own.text, edits, &around);
    let edited = edited.map_err(|why| {
        Refused::new(
            Code::Refused,
            why,
            "nothing was written; `[5]` in the script is the number of a node",
        )
    })?;
    let mut plan = vec![Planned {
        name: name.to_owned(),
        before: Some(own.text.clone()),
        after: apply(&own.text, &edited.splices),
    }];
    plan.extend(edited.trees.into_iter().map(|(name, after)| Planned {
        name,
        before: None,
        after,
    }));
    Ok((plan, edited.created))
}

/// The other trees and the agents, for edits.
struct Others<'p> {
    project: &'p Project,
    texts: &'p Texts,
    name: &'p str,
    cast: Option<Arc<Cast>>,
}

impl Around for Others<'_> {
    fn fix(&self, text: &str, pointer: &str, code: &str) -> Option<Fix> {
        let texts = with(self.texts, [(self.name, text)]);
        let report = self.project.validate(&texts).ok()?;
        let mut found = report.findings.into_iter();
        let found = found.find(|found| {
            found.file == self.name
                && found.pointer == pointer
                && [found.code.to_string().as_str(), found.code.name()].contains(&code)
        });
        found?.fix
    }

    fn tree(&self, name: &str) -> Option<TreeAsset> {
        by_either_name(name, |name| self.texts.get(name))?
            .tree()
            .ok()
    }

    fn mentions(&self, tree: &TreeAsset) -> Vec<Mention> {
        let agent = tree.agent().zip(self.cast.as_ref());
        mentions(
            tree,
            agent.and_then(|(name, cast)| cast.registry().agent(name).ok()),
        )
    }

    fn new_tree(&self, path: &str) -> Result<String, String> {
        let place = self
            .project
            .place(path, &[TREES[0]])
            .map_err(|refused| refused.to_string())?;
        match self.texts.contains_key(path) || place.is_taken() {
            true => Err(format!("`{path}` is there already: choose another name")),
            false => Ok(path.to_owned()),
        }
    }
}

/// Texts with others in place of some.
pub(super) fn with<'n>(
    texts: &Texts,
    others: impl IntoIterator<Item = (&'n str, &'n str)>,
) -> Texts {
    let mut texts = texts.clone();
    for (name, text) in others {
        let own = Text {
            name: name.to_owned(),
            text: text.to_owned(),
        };
        texts.insert(name.to_owned(), own);
    }
    texts
}

/// The problems of the trees as they would be.
///
/// # Errors
/// If a tree of the plan would have errors, or another one errors that it does not have now.
fn checked(
    project: &Project,
    texts: &Texts,
    plan: &[Planned],
) -> Result<crate::validate::Report, Refused> {
    let files = plan
        .iter()
        .map(|file| (file.name.as_str(), file.after.as_str()));
    let after = project.validate(&with(texts, files))?;
    let mut wrong: Vec<_> = plan
        .iter()
        .flat_map(|file| errors(&after, &file.name))
        .collect();
    if wrong.is_empty() && after.errors > 0 {
        let before = project.validate(texts)?;
        let known: BTreeSet<_> = before
            .findings
            .iter()
            .map(|found| (&found.file, &found.pointer, &found.message))
            .collect();
        let all = after
            .findings
            .iter()
            .filter(|found| found.level == Level::Error);
        wrong.extend(
            all.filter(|found| !known.contains(&(&found.file, &found.pointer, &found.message))),
        );
    }
    if wrong.is_empty() {
        return Ok(after);
    }
    let shown: Vec<_> = wrong
        .iter()
        .take(PROBLEMS)
        .map(|found| problem(found))
        .collect();
    Err(Refused::new(
        Code::Invalid,
        format!(
            "it would have {}: nothing was written",
            count(wrong.len(), word(Level::Error))
        ),
        "put what `problems` says right in the same edit; `bt://book/CODE` explains a code",
    )
    .with("problems", shown))
}

fn diffs(plan: &[Planned]) -> String {
    let all = plan.iter().map(|file| {
        unified(
            &file.name,
            file.before.as_deref().unwrap_or_default(),
            &file.after,
        )
    });
    cut(&all.collect::<String>(), PAGE)
}

/// Another name for a thing, in all trees.
fn rename(shared: &Shared, texts: &Texts, asked: &Rename, dry_run: bool) -> Reply {
    let project = &shared.project;
    if asked.to.is_empty() || asked.to.chars().any(char::is_control) || asked.to.len() > 1_000 {
        return Err(arguments(
            "`to` is empty, too long, or has control characters",
            "give another name",
        ));
    }
    let cast = project.known_cast();
    let registry = cast.as_ref().map(|cast| cast.registry());
    let mut of = asked.of.clone();
    let mut moved = None;
    let mut to: Box<dyn Fn(&str) -> String> = Box::new(|_| asked.to.clone());
    if of.kind == ThingKind::Tree {
        let (from, into) = tree_names(project, texts, &of.name, &asked.to)?;
        of.name.clone_from(&from.name);
        let stem = stem(&into).to_owned();
        let (whole, short) = (into.clone(), stem);
        to = Box::new(
            move |said| match TREES.iter().any(|ending| said.ends_with(ending)) {
                true => whole.clone(),
                false => short.clone(),
            },
        );
        moved = Some((from, into));
    } else if let Some(why) = registry.and_then(|registry| only_in_code(registry, &of, &asked.to)) {
        return Err(Refused::new(Code::Refused, why, ""));
    }
    let mut plan = Vec::new();
    for text in texts.values() {
        let changes = with_known(registry, texts, |known| {
            renames(known, &of, &text.name, &text.name, &text.text, &*to)
        });
        let changes = changes.map_err(|why| Refused::new(Code::Refused, why, ""))?;
        if let Some(changes) = changes.filter(|changes| !changes.splices.is_empty()) {
            plan.push(Planned {
                name: text.name.clone(),
                before: Some(text.text.clone()),
                after: apply(&text.text, &changes.splices),
            });
        }
    }
    if plan.is_empty() && moved.is_none() {
        let help = "`find` with `uses` shows where a thing is used";
        return Err(Refused::new(
            Code::Unknown,
            format!("no tree names `{}`", of.name),
            help,
        ));
    }
    if moved.is_none() {
        checked(project, texts, &plan)?;
    }
    if !dry_run {
        carry_out(project, &plan, moved.as_ref())?;
    }
    let files: Vec<_> = plan.iter().map(|file| &file.name).collect();
    let note = if dry_run { "not written" } else { "written" };
    let answer = Answer::default()
        .note(note)
        .with("files", files)
        .with("diff", diffs(&plan));
    Ok(answer.with_some("path", moved.map(|(_, into)| into)))
}

/// A tree, and the path that it is to have.
fn tree_names(
    project: &Project,
    texts: &Texts,
    name: &str,
    to: &str,
) -> Result<(Text, String), Refused> {
    let found = by_either_name(name, |name| texts.get(name));
    let from = found.ok_or_else(|| {
        super::super::project::unknown("tree", name, texts.keys().map(String::as_str))
    })?;
    let ending = if is_script(&from.name) {
        TREES[1]
    } else {
        TREES[0]
    };
    let place = project.place(to, &[ending])?;
    if place.is_taken() || texts.contains_key(to) {
        let why = format!("`{to}` is there already");
        return Err(Refused::new(Code::Refused, why, "choose another name"));
    }
    Ok((from.clone(), to.to_owned()))
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Writes the files, and gives a tree its new path. What was written stays if a later one has changed.
fn carry_out(
    project: &Project,
    plan: &[Planned],
    moved: Option<&(Text, String)>,
) -> Result<(), Refused> {
    let mut written: Vec<&str> = Vec::new();
    for file in plan {
        if let Err(refused) = project.write(&file.name, file.before.as_deref(), &file.after) {
            return Err(refused.with("written_before", &written));
        }
        written.push(&file.name);
    }
    let Some((from, into)) = moved else {
        return Ok(());
    };
    let places = project
        .place(&from.name, &TREES)?
        .rename(&project.place(into, &TREES)?);
    places.map_err(|why| {
        Refused::new(Code::Path, why.not_written(into), "").with("written_before", &written)
    })
}
