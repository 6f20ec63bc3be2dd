//! Problems: of the tree that is edited at once, of all trees a moment after the last change.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use bt_core::TreeAsset;
use bt_core::tree::asset::Fix;
use bt_core::tree::{Code, Level, is_script};
use bt_meta::lint::SHOWN_BY_ALL;
use bt_meta::validate::finding::word;
use bt_meta::validate::input::Input;
use bt_meta::validate::{self, Report};

use super::{Message, Studio};
use crate::project::files::File;
use crate::protocol::{Event, Finding, Problems, TreeEntry, TreesChanged};

/// The time without changes after which all trees are checked.
const QUIET: Duration = Duration::from_millis(200);

/// A tree of more nodes is shown before it is checked.
const LARGE: usize = 2_000;

/// The problems of trees, and when they are looked for again.
#[derive(Debug, Default)]
pub(super) struct Checks {
    /// By path, as they were found last.
    found: BTreeMap<String, Vec<Finding>>,
    due: Option<Instant>,
    /// Counts the changes.
    generation: u64,
    /// True if a thread is looking at all trees.
    running: bool,
    /// The documents whose problems are sent after the answer.
    pub(super) to_tell: Vec<u32>,
}

impl Checks {
    pub(super) fn due(&self) -> Option<Instant> {
        self.due.filter(|_| !self.running)
    }
}

/// The codes of what may be right once the agents are known as they are now.
const OF_AGENTS: [Code; 17] = [
    Code::UnknownAgent,
    Code::OtherAgent,
    Code::UnknownAction,
    Code::WrongKind,
    Code::RunningService,
    Code::UnknownArgument,
    Code::MisplacedArgument,
    Code::MissingArgument,
    Code::SurplusArgument,
    Code::WrongArgument,
    Code::UnknownProperty,
    Code::NeverFits,
    Code::UnknownParameter,
    Code::Renamed,
    Code::Deprecated,
    Code::UnknownEvent,
    Code::DoubtfulArgument,
];

impl Studio {
    /// Returns true if something is said to be a problem: not while it is unknown what the agents are now.
    fn is_claimed(&self, code: Code) -> bool {
        self.building.is_none() || !OF_AGENTS.contains(&code)
    }

    /// Something has changed: all trees are checked when nothing changes for a moment.
    pub(super) fn check_soon(&mut self) {
        self.checks.generation += 1;
        self.checks.due = Some(Instant::now() + QUIET);
    }

    /// Problems are sent after the answer that they belong to.
    pub(super) fn after_answer(&mut self) {
        for doc in std::mem::take(&mut self.checks.to_tell) {
            let Some(document) = self.documents.get(&doc) else {
                continue;
            };
            let (path, revision) = (document.path.clone(), document.revision);
            let client = document.client;
            let findings = self.check_document(doc);
            self.checks.found.insert(path.clone(), findings.clone());
            let event = Event::Problems(Problems {
                path,
                doc: Some(doc),
                revision: Some(revision),
                findings,
            });
            self.clients.tell(client, &event);
        }
    }

    /// The problems of a document that is shown. Of a large tree they are those that were found last: what there is by
    /// now comes after the answer, for nobody waits for it to see the tree.
    pub(super) fn findings_to_begin(&mut self, doc: u32) -> Vec<Finding> {
        let large = self.documents.get(&doc).filter(|document| {
            let tree = document.tree.as_ref();
            tree.is_some_and(|tree| tree.nodes().len() > LARGE)
        });
        let Some(path) = large.map(|document| document.path.as_str()) else {
            return self.check_document(doc);
        };
        self.checks.to_tell.push(doc);
        self.checks.found.get(path).cloned().unwrap_or_default()
    }

    /// The problems of one document by itself; what only all trees together show is as it was found last.
    pub(super) fn check_document(&self, doc: u32) -> Vec<Finding> {
        let Some(document) = self.documents.get(&doc) else {
            return Vec::new();
        };
        let path = document.path.as_str();
        let own = File::of(&document.name, document.text.clone().into_bytes());
        let mut findings = self.check_one(path, &own, document.tree.as_ref());
        let before = self.checks.found.get(path).into_iter().flatten();
        let together = before.filter(|finding| {
            let by_all = SHOWN_BY_ALL
                .iter()
                .any(|code| finding.code == code.to_string());
            let tree = document.tree.as_ref();
            by_all
                && finding
                    .node
                    .is_none_or(|node| tree.is_some_and(|tree| tree.node(node).is_some()))
        });
        findings.extend(together.cloned());
        findings
    }

    fn check_one(&self, path: &str, own: &File, tree: Option<&TreeAsset>) -> Vec<Finding> {
        match (&self.registry, tree) {
            (Some(_), Some(tree)) => {
                let found = self.found_in(path, own, tree);
                found.iter().map(finding).collect()
            }
            _ => structure(own),
        }
    }

    /// The problems of one tree by itself.
    pub(super) fn found_in(
        &self,
        path: &str,
        own: &File,
        tree: &TreeAsset,
    ) -> Vec<validate::Finding> {
        let Some(registry) = self.registry.as_deref() else {
            return Vec::new();
        };
        let input = Input::of_text(own.name.as_str(), path, Arc::clone(&own.bytes));
        let mut heads = vec![own.head.clone()];
        heads.extend(self.current_but(path).into_values().map(|file| file.head));
        let mut found = validate::one(registry, &self.options.levels, &heads, 0, &input, tree);
        found.retain(|finding| self.is_claimed(finding.code));
        found
    }

    /// All trees as they are now: what is being edited stands for what is on the disk.
    pub(super) fn current(&self) -> BTreeMap<&str, File> {
        self.current_but("")
    }

    /// The same without one.
    fn current_but(&self, path: &str) -> BTreeMap<&str, File> {
        let files = self.files.iter().filter(|(other, _)| *other != path);
        let mut all: BTreeMap<&str, File> = files
            .map(|(path, file)| (path.as_str(), file.clone()))
            .collect();
        let documents = self.documents.values();
        for document in documents.filter(|document| document.path != path) {
            if document.is_changed() || !all.contains_key(document.path.as_str()) {
                all.insert(&document.path, document.file());
            }
        }
        all
    }

    /// Looks at all trees on another thread.
    pub(super) fn check_all(&mut self) {
        self.tell_plays();
        self.checks.due = None;
        let Some(registry) = self.registry.clone() else {
            return;
        };
        let inputs: Vec<Input> = self
            .current()
            .into_iter()
            .map(|(path, file)| Input::of_text(file.name, path, file.bytes))
            .collect();
        if inputs.is_empty() {
            return;
        }
        self.checks.running = true;
        let (generation, post) = (self.checks.generation, self.post.clone());
        let options = validate::Options {
            levels: self.options.levels.clone(),
            starts: self.options.starts.clone(),
            ..validate::Options::default()
        };
        let work = move || {
            let report = validate::run_with(&registry, &options, &inputs, &|| ());
            let report = report.ok().map(Box::new);
            _ = post.send(Message::Checked { generation, report });
        };
        _ = thread::Builder::new().name("check".to_owned()).spawn(work);
    }

    /// All trees were checked: those whose problems have changed are sent.
    pub(super) fn checked(&mut self, generation: u64, report: Option<Box<Report>>) {
        self.checks.running = false;
        let Some(report) = report.filter(|_| generation == self.checks.generation) else {
            return;
        };
        let mut found: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
        for one in report
            .findings
            .iter()
            .filter(|one| self.is_claimed(one.code))
        {
            found
                .entry(one.file.clone())
                .or_default()
                .push(finding(one));
        }
        let before = std::mem::take(&mut self.checks.found);
        let none = Vec::new();
        let paths = self.current().into_keys().map(str::to_owned);
        let paths: Vec<String> = paths
            .filter(|path| before.get(path).unwrap_or(&none) != found.get(path).unwrap_or(&none))
            .collect();
        self.checks.found = found;
        let mut changed = Vec::new();
        for path in paths {
            let findings = self.checks.found.get(&path).cloned().unwrap_or_default();
            let opened = self
                .documents
                .values()
                .filter(|document| document.path == path);
            let mut open = false;
            let opened: Vec<(u64, u32, u32)> = opened
                .map(|document| (document.client, document.id, document.revision))
                .collect();
            for (client, doc, revision) in opened {
                open = true;
                let event = Event::Problems(Problems {
                    path: path.clone(),
                    doc: Some(doc),
                    revision: Some(revision),
                    findings: findings.clone(),
                });
                self.clients.tell(client, &event);
            }
            if !open {
                let event = Event::Problems(Problems {
                    path: path.clone(),
                    doc: None,
                    revision: None,
                    findings,
                });
                self.clients.tell_all(&event);
            }
            if self.files.contains_key(&path) {
                changed.push(self.entry(&path));
            }
        }
        if !changed.is_empty() {
            let removed = Vec::new();
            self.clients
                .tell_all(&Event::TreesChanged(TreesChanged { changed, removed }));
        }
    }

    /// The known problems of a path.
    pub(super) fn entry(&self, path: &str) -> TreeEntry {
        let file = self.files.get(path);
        let findings = self.checks.found.get(path).into_iter().flatten();
        let (errors, warnings): (Vec<_>, Vec<_>) =
            findings.partition(|finding| finding.level == word(Level::Error));
        let count = |list: Vec<&Finding>| u32::try_from(list.len()).unwrap_or(u32::MAX);
        let mut opened = self
            .documents
            .values()
            .filter(|document| document.path == path);
        TreeEntry {
            path: path.to_owned(),
            name: file.map_or_else(|| path.to_owned(), |file| file.name.clone()),
            agent: file.and_then(|file| file.head.agent()).map(str::to_owned),
            comment: file.map_or_else(String::new, |file| file.comment.clone()),
            errors: count(errors),
            warnings: count(warnings),
            read_only: self.is_read_only(path),
            shape: file.map_or_else(String::new, |file| file.shape.clone()),
            changed_on_disk: opened
                .any(|document| document.hash != file.map_or_else(String::new, File::hash)),
        }
    }
}

/// Without a catalogue only the structure is checked.
fn structure(file: &File) -> Vec<Finding> {
    let Err(error) = TreeAsset::from_slice(&file.name, &file.bytes) else {
        return Vec::new();
    };
    let problems = error.problems().iter().map(|problem| {
        let place = problem.position();
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Finding {
            code: problem.code().to_string(),
            name: problem.code().name().to_owned(),
            level: word(Level::Error).to_owned(),
            node: problem.node(),
            pointer: problem.pointer().to_owned(),
            line: place.map(|at| count(at.line)),
            column: place.map(|at| count(at.column)),
            end_column: None,
            message: problem.message().to_owned(),
            help: problem.help().map(str::to_owned),
            fix: None,
        }
    });
    problems.collect()
}

/// A finding for the page.
fn finding(found: &validate::Finding) -> Finding {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let place = found.place.as_ref();
    let file = PathBuf::from(&found.file);
    let fix = found
        .fix
        .as_ref()
        .filter(|_| !is_script(&file.to_string_lossy()));
    Finding {
        code: found.code.to_string(),
        name: found.code.name().to_owned(),
        level: word(found.level).to_owned(),
        node: found.node,
        pointer: found.pointer.clone(),
        line: place.map(|at| count(at.line)),
        column: place.map(|at| count(at.column)),
        end_column: place.map(|at| count(at.end_column)),
        message: found.message.clone(),
        help: found.help.clone(),
        fix: fix.and_then(shown_fix),
    }
}

/// The effect of a fix, in words.
fn shown_fix(fix: &Fix) -> Option<String> {
    Some(match fix {
        Fix::Value(value) => format!("write {value}"),
        Fix::Key(key) => format!("call it `{key}`"),
        Fix::Insert { key, value, .. } => format!("add `{key}`: {value}"),
        Fix::Items(_) => "arrange the items".to_owned(),
        _ => return None,
    })
}
