//! Files that change on the disk: read again, and announced to the clients.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use notify::{Config, RecommendedWatcher, RecursiveMode, Watcher};

use super::{Message, Studio};
use crate::project::files::{self, File};
use crate::project::folders::Folders;
use crate::protocol::{DiskChanged, Event, Notice, TreesChanged};

/// The time without changes after which the folders are read: editors write a file in several steps.
const QUIET: Duration = Duration::from_millis(100);

/// The longest time without a read while changes continue.
const LONGEST: Duration = Duration::from_secs(2);

/// The schedule of reading the folders.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// Kept, for it ends with it.
    _watcher: Option<RecommendedWatcher>,
    /// True if a message is under way that says so: one is enough, however much happens.
    told: Arc<AtomicBool>,
    first: Option<Instant>,
    due: Option<Instant>,
}

impl Watch {
    /// Watches folders, and the file of the catalogue. Where that cannot be, nobody hears of changes.
    pub(super) fn of(
        folders: &Folders,
        catalogue: Option<&std::path::Path>,
        post: Sender<Message>,
    ) -> (Watch, Option<String>) {
        let told = Arc::new(AtomicBool::new(false));
        let is_told = Arc::clone(&told);
        let tell = move |event: notify::Result<notify::Event>| {
            // Reading the files is no change. An error may have lost one.
            let is_change = !event.is_ok_and(|event| event.kind.is_access());
            if is_change && !is_told.swap(true, Ordering::AcqRel) {
                _ = post.send(Message::Disk);
            }
        };
        // A link might lead anywhere, and round in a circle.
        let config = Config::default().with_follow_symlinks(false);
        let started = RecommendedWatcher::new(tell, config).and_then(|mut watcher| {
            for folder in folders.all() {
                watcher.watch(&folder.path, RecursiveMode::Recursive)?;
            }
            // A file that is replaced is another one: its folder is watched.
            if let Some(folder) = catalogue.and_then(|file| file.parent()) {
                watcher.watch(folder, RecursiveMode::NonRecursive)?;
            }
            Ok(watcher)
        });
        let (watcher, problem) = match started {
            Ok(watcher) => (Some(watcher), None),
            Err(error) => (
                None,
                Some(format!("changes on the disk are not seen: {error}")),
            ),
        };
        let watch = Watch {
            _watcher: watcher,
            told,
            ..Watch::default()
        };
        (watch, problem)
    }

    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Something has happened.
    pub(super) fn stir(&mut self) {
        self.told.store(false, Ordering::Release);
        let now = Instant::now();
        let first = *self.first.get_or_insert(now);
        self.due = Some((now + QUIET).min(first + LONGEST));
    }

    pub(super) fn rest(&mut self) {
        (self.first, self.due) = (None, None);
    }
}

impl Studio {
    /// Reads the folders again, and announces what has changed.
    pub(super) fn read_disk(&mut self) {
        self.watch.rest();
        let sweeps = !self.options.read_only;
        let (now, passed) = files::read(&self.options.folders, &self.files, sweeps);
        let before = std::mem::replace(&mut self.files, now);
        if std::mem::replace(&mut self.passed, passed) != self.passed
            && let Some(notice) = self.notice_of_passed()
        {
            self.clients.tell_all(&notice);
        }
        let same = |path: &String, file: &File| {
            let is_same = |old: &File| old.bytes == file.bytes && old.read_only == file.read_only;
            before.get(path).is_some_and(is_same)
        };
        let changed: Vec<String> = self
            .files
            .iter()
            .filter(|(path, file)| !same(path, file))
            .map(|(path, _)| path.clone())
            .collect();
        let removed: Vec<String> = before
            .keys()
            .filter(|path| !self.files.contains_key(*path))
            .cloned()
            .collect();
        if !changed.is_empty() || !removed.is_empty() {
            for path in changed.iter().chain(&removed) {
                self.told_of_disk(path);
            }
            let event = TreesChanged {
                changed: changed.iter().map(|path| self.entry(path)).collect(),
                removed,
            };
            self.clients.tell_all(&Event::TreesChanged(event));
            self.files_changed_for_games();
            self.check_soon();
        }
        self.read_breakpoints_again();
        self.tell_calls();
        self.read_snippets();
        self.read_catalogue_again();
    }

    /// Tells a client that has come which files are not shown.
    pub(super) fn tell_of_passed(&mut self, client: u64) {
        if let Some(notice) = self.notice_of_passed() {
            self.clients.tell(client, &notice);
        }
    }

    fn notice_of_passed(&self) -> Option<Event> {
        let text = self.passed.in_words()?;
        let level = "info".to_owned();
        Some(Event::Notice(Notice { level, text }))
    }

    /// Tells those who have a file open that it is another one on the disk.
    pub(super) fn told_of_disk(&mut self, path: &str) {
        let file = self.files.get(path);
        let hash = file.map(File::hash).unwrap_or_default();
        let opened = self
            .documents
            .values()
            .filter(|document| document.path == path && document.hash != hash);
        let opened: BTreeSet<(u64, u32)> = opened
            .map(|document| (document.client, document.id))
            .collect();
        for (client, doc) in opened {
            let event = Event::DiskChanged(DiskChanged {
                doc,
                exists: !hash.is_empty(),
                hash: hash.clone(),
            });
            self.clients.tell(client, &event);
        }
    }
}
