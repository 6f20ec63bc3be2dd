//! Other names and texts, in all trees: in the client's open documents as changes, in other files on the disk.

use std::collections::BTreeMap;

use bt_meta::find::{
    Changes, Other, changes, matches, names_a_key, only_in_code, pattern, renames, shown,
};
use bt_meta::text::json::Json;
use bt_meta::text::splices::apply;
use bt_meta::text::style::quoted;
use regex::NoExpand;

use super::Studio;
use crate::project::door::{AsFailure as _, Refusal, Staged};
use crate::project::files::{File, LARGEST};
use crate::protocol::{
    Event, Failure, FileChange, Rename, Renamed, Replace, Thing, ThingKind, TreesChanged,
};
use crate::utf16;

/// The changes of a file.
struct Planned {
    file: File,
    changes: Changes,
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
        let registry = self.registry.as_deref();
        let in_code = registry.and_then(|registry| only_in_code(registry, &asked.of, &asked.to));
        if let Some(why) = in_code {
            return Err(Failure::refused(why));
        }
        let plan = self.plan_names(client, &asked.of, &|_| asked.to.clone())?;
        let files = self.carry_out(client, plan, asked.preview)?;
        Ok(Renamed { files, path: None })
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
            let text = file.text().unwrap_or_default();
            let changes = self.with_known(|known| renames(known, of, &path, &file.name, text, to));
            if let Some(changes) = changes.map_err(Failure::refused)? {
                plan.push((path, doc, Planned { file, changes }));
            }
        }
        Ok(plan)
    }

    pub(super) fn replace(&mut self, client: u64, asked: &Replace) -> Result<Renamed, Failure> {
        let pattern = pattern(&asked.text, asked.case, asked.regex).map_err(Failure::refused)?;
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
                let changes = changes(&path, &file.name, &json, others);
                let changes = changes.map_err(Failure::refused)?;
                plan.push((path, doc, Planned { file, changes }));
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
            .filter(|(.., planned)| !planned.changes.splices.is_empty())
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
                splices: utf16::to_page(&text, &planned.changes.splices),
                nodes: planned.changes.nodes.into_iter().collect(),
            };
            match doc {
                _ if preview => {}
                Some(doc) => {
                    self.document(client, doc)?;
                    change.changed =
                        Some(self.changed(doc, &planned.changes.splices, None, Vec::new())?);
                }
                None => {
                    let after = apply(&text, &planned.changes.splices);
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
        let after = apply(
            planned.file.text().unwrap_or_default(),
            &planned.changes.splices,
        );
        let staged = place.stage(after.as_bytes());
        staged.map_err(|why| why.unwritten(path))
    }
}
