//! Other names and texts, in all trees: in the client's open documents as changes, in other files on the disk.

use std::collections::{BTreeMap, BTreeSet};

use bt_core::TreeAsset;
use bt_core::expression::{Named, renamed};
use bt_core::registry::AgentInfo;
use bt_meta::lint::in_braces;
use bt_meta::text::edits::Edits;
use bt_meta::text::json::{Id, Json};
use bt_meta::text::splices::{Splice, apply};
use bt_meta::text::style::{New, Style, quoted};
use regex::NoExpand;

use super::Studio;
use super::search::{matches, names_a_key, node_of, pattern, shown};
use crate::mentions::Part;
use crate::project::door::{Refusal, Staged};
use crate::project::files::{File, LARGEST};
use crate::protocol::{
    Event, Failure, FileChange, Rename, Renamed, Replace, Thing, ThingKind, TreesChanged,
};
use crate::utf16;

/// The changes of a file.
struct Planned {
    file: File,
    splices: Vec<Splice>,
    nodes: BTreeSet<u32>,
}

/// The replacement of a value or of its key.
enum Other {
    Value(String),
    Key(String),
}

/// The sign with which an expression names a thing.
fn named(kind: ThingKind) -> Named {
    match kind {
        ThingKind::Key => Named::Key,
        ThingKind::Property => Named::Property,
        ThingKind::Action
        | ThingKind::Condition
        | ThingKind::Decorator
        | ThingKind::Composite
        | ThingKind::Agent
        | ThingKind::Event
        | ThingKind::Tree => Named::Method,
    }
}

impl Studio {
    pub(super) fn rename(&mut self, client: u64, asked: &Rename) -> Result<Renamed, Failure> {
        if asked.to.is_empty() || asked.to.chars().any(char::is_control) || asked.to.len() > 1_000 {
            return Err(Failure::refused(
                "the new name is empty, too long, or has control characters",
            ));
        }
        if asked.of.kind == ThingKind::Tree {
            return self.rename_tree(client, asked);
        }
        if let Some(why) = self.only_in_code(&asked.of, &asked.to) {
            return Err(Failure::refused(why));
        }
        let plan = self.plan_names(client, &asked.of, &|_| asked.to.clone())?;
        let files = self.carry_out(client, plan, asked.preview)?;
        Ok(Renamed { files, path: None })
    }

    /// The reason why trees alone cannot give something another name: code has it, and does not know the new
    /// one.
    fn only_in_code(&self, of: &Thing, to: &str) -> Option<String> {
        let registry = self.registry.as_deref()?;
        let (word, attribute) = match of.kind {
            ThingKind::Action => ("action", "action"),
            ThingKind::Condition => ("condition", "condition"),
            ThingKind::Decorator => ("decorator", "decorator"),
            ThingKind::Composite => ("composite", "composite"),
            ThingKind::Event => ("event", "event"),
            ThingKind::Property => ("property", "property"),
            ThingKind::Agent => ("agent", "agent"),
            ThingKind::Tree | ThingKind::Key => return None,
        };
        let knows = |agent: &AgentInfo<'_>, name: &str| match of.kind {
            ThingKind::Event => agent.event(name).is_ok(),
            ThingKind::Property => agent.property(name).is_ok(),
            ThingKind::Agent => agent.full_name() == name || agent.name() == name,
            ThingKind::Action
            | ThingKind::Condition
            | ThingKind::Decorator
            | ThingKind::Composite
            | ThingKind::Tree
            | ThingKind::Key => agent.action(name).is_ok(),
        };
        let wanted = |agent: &AgentInfo<'_>| {
            let of = of.agent.as_deref();
            of.is_none_or(|of| agent.full_name() == of || agent.name() == of)
        };
        let mut agents = registry.agents().filter(wanted);
        let agent = agents.find(|agent| knows(agent, &of.name))?;
        if knows(&agent, to) {
            return None;
        }
        let place = match of.kind {
            ThingKind::Event | ThingKind::Property | ThingKind::Agent => None,
            ThingKind::Action
            | ThingKind::Condition
            | ThingKind::Decorator
            | ThingKind::Composite
            | ThingKind::Tree
            | ThingKind::Key => agent.action(&of.name).ok().map(|found| {
                let item = &found.item;
                format!(" ({}/{}:{})", item.package, item.file, item.line)
            }),
        };
        Some(format!(
            "{word} `{}` of `{}` has its name in code{}: rename it there and keep the old name as \
             `#[{attribute}(alias = \"{}\")]`; then each place in the trees has a quick fix. Here it can become the name of \
             another {word} that the agent has",
            of.name,
            agent.full_name(),
            place.unwrap_or_default(),
            of.name,
        ))
    }

    fn rename_tree(&mut self, client: u64, asked: &Rename) -> Result<Renamed, Failure> {
        let old = asked.of.path.clone().or_else(|| {
            let mut all = self.files.iter();
            all.find(|(_, file)| file.name == asked.of.name)
                .map(|(path, _)| path.clone())
        });
        let old =
            old.ok_or_else(|| Failure::unknown(format!("there is no tree `{}`", asked.of.name)))?;
        let (from, to) = (
            self.options.folders.find(&old)?,
            self.options.folders.find(&asked.to)?,
        );
        if bt_core::tree::is_script(&from.name) != bt_core::tree::is_script(&to.name) {
            return Err(Failure::refused(
                "a tree keeps its ending, `.json` or `.bt`: expected a name with the same",
            ));
        }
        if to.place.is_taken() || self.files.contains_key(&asked.to) {
            return Err(Failure::refused(format!(
                "`{}` is there already: choose another name",
                asked.to
            )));
        }
        let is_on_disk = self.files.contains_key(&old);
        if self.options.read_only && is_on_disk && !asked.preview {
            return Err(Failure::read_only());
        }
        let of = Thing {
            name: from.name.clone(),
            ..asked.of.clone()
        };
        let ending = to
            .name
            .rsplit_once('.')
            .map_or(to.name.as_str(), |(stem, _)| stem);
        let whole = from.name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let new_name = |said: &str| match said.ends_with(&format!(".{whole}")) {
            true => to.name.clone(),
            false => ending.to_owned(),
        };
        let plan = self.plan_names(client, &of, &new_name)?;
        if asked.preview {
            let files = self.carry_out(client, plan, true)?;
            return Ok(Renamed { files, path: None });
        }
        if is_on_disk && self.is_read_only(&old) {
            return Err(Refusal::ReadOnly.unwritten(&old));
        }
        let files = self.carry_out(client, plan, false)?;
        if is_on_disk {
            let renamed = from.place.rename(&to.place);
            renamed.map_err(|why| why.failure(format_args!("cannot rename `{old}`")))?;
        }
        if let Some(file) = self.files.remove(&old) {
            let file = File::on_disk(&to.name, file.bytes.to_vec());
            self.files.insert(asked.to.clone(), file);
        }
        for document in self.documents.values_mut() {
            if document.path == old {
                document.path.clone_from(&asked.to);
                document.rename(&to.name);
            }
        }
        let event = TreesChanged {
            changed: self
                .files
                .contains_key(&asked.to)
                .then(|| self.entry(&asked.to))
                .into_iter()
                .collect(),
            removed: vec![old],
        };
        self.clients.tell_all(&Event::TreesChanged(event));
        self.check_soon();
        Ok(Renamed {
            files,
            path: Some(asked.to.clone()),
        })
    }

    /// The text of each file: what this client edits stands for what is on the disk.
    fn texts(&self, client: u64) -> BTreeMap<String, (Option<u32>, File)> {
        let files = self.files.iter();
        let mut all: BTreeMap<String, (Option<u32>, File)> = files
            .map(|(path, file)| (path.clone(), (None, file.clone())))
            .collect();
        for document in self
            .documents
            .values()
            .filter(|document| document.client == client)
        {
            all.insert(document.path.clone(), (Some(document.id), document.file()));
        }
        all
    }

    fn plan_names(
        &self,
        client: u64,
        of: &Thing,
        to: &dyn Fn(&str) -> String,
    ) -> Result<Vec<(String, Option<u32>, Planned)>, Failure> {
        let mut plan = Vec::new();
        for (path, (doc, file)) in self.texts(client) {
            let Ok(tree) = TreeAsset::from_slice(&file.name, &file.bytes) else {
                continue;
            };
            let mentions = self.mentions_of(of, &path, &tree);
            if mentions.is_empty() {
                continue;
            }
            let text = file.text().unwrap_or_default();
            let Some(json) = Json::read(text) else {
                return Err(Failure::refused(format!(
                    "`{path}` is an indented script, which is not renamed in: change it as text first"
                )));
            };
            let mut others = Vec::new();
            for mention in &mentions {
                let Some(id) = json.find(json.root(), &mention.pointer) else {
                    continue;
                };
                let name = to(&mention.name);
                others.push((
                    id,
                    match mention.part {
                        Part::Key => Other::Key(name),
                        Part::Whole => Other::Value(quoted(&name)),
                        Part::InBraces if name.contains(['{', '}']) => {
                            return Err(Failure::refused(format!(
                                "`{path}` has the key in a template, as `{{{}}}`: expected a new name without braces",
                                mention.name
                            )));
                        }
                        Part::Target => {
                            let key = json.key(id).unwrap_or_default();
                            let named = named(mention.kind);
                            Other::Key(renamed(&key, named, &mention.name, &name))
                        }
                        Part::InExpression => {
                            let text = shown(&json, id);
                            let text = renamed(&text, named(mention.kind), &mention.name, &name);
                            Other::Value(quoted(&text))
                        }
                        Part::InBraces => {
                            let text = renamed_in_braces(&shown(&json, id), &mention.name, &name);
                            Other::Value(quoted(&text))
                        }
                    },
                ));
            }
            let planned = planned(&path, &file, &json, others)?;
            plan.push((path, doc, planned));
        }
        Ok(plan)
    }

    pub(super) fn replace(&mut self, client: u64, asked: &Replace) -> Result<Renamed, Failure> {
        let pattern = pattern(&asked.text, asked.case, asked.regex)?;
        let replaced = |text: &str| match asked.regex {
            true => pattern.replace_all(text, asked.with.as_str()).into_owned(),
            false => pattern
                .replace_all(text, NoExpand(&asked.with))
                .into_owned(),
        };
        let mut plan = Vec::new();
        for (path, (doc, file)) in self.texts(client) {
            let Some(json) = file.text().and_then(Json::read) else {
                continue;
            };
            let mut others = Vec::new();
            for id in matches(&json, &pattern, &asked.within) {
                let key = json.key(id).unwrap_or_default();
                if names_a_key(&json, id) && pattern.is_match(&key) {
                    others.push((id, Other::Key(replaced(&key))));
                    continue;
                }
                let new = replaced(&shown(&json, id));
                let is_text = json.raw(id).starts_with('"');
                // A number stays one.
                if is_text || serde_json::from_str::<serde_json::Value>(&new).is_ok() {
                    others.push((id, Other::Value(if is_text { quoted(&new) } else { new })));
                }
            }
            if !others.is_empty() {
                let planned = planned(&path, &file, &json, others)?;
                plan.push((path, doc, planned));
            }
        }
        let files = self.carry_out(client, plan, asked.preview)?;
        Ok(Renamed { files, path: None })
    }

    /// Makes the changes, if it is no preview. Nothing is changed if a file cannot be.
    fn carry_out(
        &mut self,
        client: u64,
        plan: Vec<(String, Option<u32>, Planned)>,
        preview: bool,
    ) -> Result<Vec<FileChange>, Failure> {
        let plan: Vec<_> = plan
            .into_iter()
            .filter(|(.., planned)| !planned.splices.is_empty())
            .collect();
        let mut staged = BTreeMap::new();
        if !preview {
            for (path, _, planned) in plan.iter().filter(|(_, doc, _)| doc.is_none()) {
                staged.insert(path.clone(), self.staged(path, planned)?);
            }
        }
        let mut changes = Vec::new();
        for (path, doc, planned) in plan {
            let text = planned.file.text().unwrap_or_default().to_owned();
            let mut change = FileChange {
                path: path.clone(),
                doc,
                changed: None,
                splices: utf16::to_page(&text, &planned.splices),
                nodes: planned.nodes.into_iter().collect(),
            };
            match doc {
                _ if preview => {}
                Some(doc) => {
                    self.document(client, doc)?;
                    change.changed = Some(self.changed(doc, &planned.splices, None, Vec::new())?);
                }
                None => {
                    let after = apply(&text, &planned.splices);
                    let put = staged.remove(&path).map_or(Ok(()), Staged::put);
                    put.map_err(|why| why.unwritten(&path))?;
                    let file = File::on_disk(&planned.file.name, after.into_bytes());
                    self.files.insert(path.clone(), file);
                    self.told_of_disk(&path);
                    self.check_soon();
                }
            }
            changes.push(change);
        }
        Ok(changes)
    }

    /// The new version of a file that is open nowhere, on the disk and not in its place yet.
    fn staged(&self, path: &str, planned: &Planned) -> Result<Staged, Failure> {
        if self.options.read_only {
            return Err(Failure::read_only());
        }
        let place = self.options.folders.find(path)?.place;
        let found = place.read(LARGEST as u64);
        if found.ok().as_ref() != Some(&*planned.file.bytes) {
            return Err(Failure::refused(format!(
                "`{path}` has changed on the disk a moment ago: nothing was changed, try again"
            )));
        }
        let after = apply(planned.file.text().unwrap_or_default(), &planned.splices);
        let staged = place.stage(after.as_bytes());
        staged.map_err(|why| why.unwritten(path))
    }
}

/// A template with another name of a key.
fn renamed_in_braces(template: &str, from: &str, to: &str) -> String {
    let mut text = String::with_capacity(template.len());
    let mut done = 0;
    for (at, _) in in_braces(template).filter(|(_, name)| *name == from) {
        text.push_str(&template[done..at]);
        text.push_str(to);
        done = at + from.len();
    }
    text + &template[done..]
}

/// The changes of a file, which is a tree afterwards.
fn planned(
    path: &str,
    file: &File,
    json: &Json<'_>,
    others: Vec<(Id, Other)>,
) -> Result<Planned, Failure> {
    let style = Style::of(json);
    let mut edits = Edits::of(json, &style);
    let mut nodes = BTreeSet::new();
    for (id, other) in others {
        nodes.extend(node_of(json, &json.pointer(id)));
        match other {
            Other::Value(raw) => edits.replace(id, New::Raw(raw)),
            Other::Key(key) => edits.rename(id, &key),
        }
    }
    let splices = edits.splices();
    let after = apply(json.text, &splices);
    let was = TreeAsset::from_slice(&file.name, json.text.as_bytes()).is_ok();
    if let (true, Err(error)) = (was, TreeAsset::from_slice(&file.name, after.as_bytes())) {
        let problem = error.problems().first();
        let why = problem.map_or("", |problem| problem.message());
        return Err(Failure::refused(format!(
            "`{path}` would be no tree then: {why}; nothing was changed"
        )));
    }
    let file = file.clone();
    Ok(Planned {
        file,
        splices,
        nodes,
    })
}
