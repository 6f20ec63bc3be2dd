//! Texts that were not saved: kept in the user's own folder, and offered when the file is opened again.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bt_live::protocol::hash;
use serde::{Deserialize, Serialize};

use super::Studio;
use crate::project::door::{self, Place, walk};
use crate::project::files::LARGEST;
use crate::project::folders::TREES;
use crate::protocol::{Draft, Event, Notice, UnsavedTree};

/// The time after a change at which a draft is written.
const SOON: Duration = Duration::from_millis(500);

/// The time after which one that failed is tried again.
const AGAIN: Duration = Duration::from_secs(10);

/// So many drafts are kept; the oldest go first.
const MOST: usize = 200;

/// All drafts together have so many bytes, at most, and one of them: a whole text, escaped, and more.
const BYTES: u64 = 256 << 20;
const LONGEST: u64 = 2 * LARGEST as u64 + (1 << 20);

/// A draft as its file has it.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    /// The path of the tree's file.
    file: PathBuf,
    when: u64,
    hash: String,
    text: String,
}

/// The folder that the system has for the state of a user's programs; `BT_STUDIO_STATE` names another.
pub fn state_folder() -> Option<PathBuf> {
    let of = |name: &str| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    of("BT_STUDIO_STATE").or_else(|| {
        let system = match env::consts::OS {
            "windows" => of("LOCALAPPDATA"),
            "macos" => of("HOME").map(|home| home.join("Library/Application Support")),
            _ => of("XDG_STATE_HOME").or_else(|| of("HOME").map(|home| home.join(".local/state"))),
        };
        system.map(|system| system.join("bt-studio"))
    })
}

/// The drafts, and when they are written.
#[derive(Debug, Default)]
pub(super) struct Drafts {
    folder: Option<PathBuf>,
    due: Option<Instant>,
    /// By document, the revision that was kept last.
    kept: BTreeMap<u32, u32>,
    /// The reason why one could not be kept last.
    problem: Option<String>,
}

impl Drafts {
    /// In a folder for the studio's state; without one no draft is kept.
    pub(super) fn of(state: Option<PathBuf>) -> Drafts {
        Drafts {
            folder: state.map(|state| state.join("drafts")),
            ..Drafts::default()
        }
    }

    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// A document has changed.
    pub(super) fn stir(&mut self) {
        self.due.get_or_insert_with(|| Instant::now() + SOON);
    }

    /// The file of a draft, by where the tree's file is.
    fn place(&self, file: &Path) -> Option<Place> {
        let name = format!("{}.json", hash(&file.to_string_lossy()));
        self.folder.as_ref().map(|folder| Place::new(folder, name))
    }

    /// The draft of a file, if it says something else than the file.
    pub(super) fn read(&self, file: &Path, text: &str) -> Option<Draft> {
        let kept = self.place(file)?.read(LONGEST).ok()?;
        let kept: Kept = serde_json::from_slice(&kept).ok()?;
        let differs = kept.file == file && kept.text != text;
        differs.then_some(Draft {
            text: kept.text,
            when: kept.when,
            hash: kept.hash,
        })
    }

    /// The files of all drafts that can be read, and when each was edited last.
    fn all(&self) -> Vec<(PathBuf, u64)> {
        let Some(folder) = &self.folder else {
            return Vec::new();
        };
        let names = walk(folder, &|name| name.ends_with(".json"), false).files;
        let read = |name: &String| {
            let kept = Place::new(folder, name).read(LONGEST).ok()?;
            let kept: Kept = serde_json::from_slice(&kept).ok()?;
            Some((kept.file, kept.when))
        };
        names.iter().filter_map(read).collect()
    }

    /// Removes the draft of a file.
    pub(super) fn discard(&self, file: &Path) {
        if let Some(place) = self.place(file) {
            // One that is not there is discarded.
            _ = place.remove();
        }
    }

    fn write(&self, kept: &Kept) -> Result<(), String> {
        let Some(place) = self.place(&kept.file) else {
            return Ok(());
        };
        if let Some(folder) = &self.folder {
            door::make_private(folder).map_err(|error| error.to_string())?;
        }
        let text = serde_json::to_string(kept).map_err(|error| error.to_string())?;
        place.write(text.as_bytes()).map_err(|why| why.to_string())
    }

    /// Removes the oldest where there are too many.
    fn sweep(&self) {
        if let Some(folder) = &self.folder {
            // What cannot be removed now is removed another time.
            _ = door::sweep(folder, MOST, BYTES);
        }
    }
}

impl Studio {
    /// The drafts of new trees that were never saved, the latest first.
    pub(super) fn unsaved_trees(&self) -> Vec<UnsavedTree> {
        let folders = &self.options.folders;
        let unsaved = |(file, when): (PathBuf, u64)| {
            let path = folders.path_at(&file)?;
            let meant = folders.find(&path).ok()?;
            (!meant.place.is_taken()).then_some(UnsavedTree { path, when })
        };
        let mut all: Vec<_> = self.drafts.all().into_iter().filter_map(unsaved).collect();
        all.sort_by(|one, other| other.when.cmp(&one.when).then(one.path.cmp(&other.path)));
        all
    }

    /// Writes the drafts of documents that have changed.
    pub(super) fn keep_drafts(&mut self) {
        self.drafts.due = None;
        let documents: Vec<u32> = self.documents.keys().copied().collect();
        let mut written = false;
        for doc in documents {
            written |= self.keep_draft(doc);
        }
        if written {
            self.drafts.sweep();
        }
    }

    /// Writes the draft of a document if it has changed; whether it was.
    pub(super) fn keep_draft(&mut self, doc: u32) -> bool {
        let Some(document) = self.documents.get(&doc) else {
            return false;
        };
        if self.drafts.kept.get(&doc) == Some(&document.revision) || document.revision == 0 {
            return false;
        }
        let Ok(meant) = self.options.folders.meant(&document.path, &TREES) else {
            return false;
        };
        let revision = document.revision;
        if !document.is_changed() {
            self.drafts.kept.insert(doc, revision);
            self.drafts.discard(&meant.place.path());
            return false;
        }
        let when = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let kept = Kept {
            file: meant.place.path(),
            when: u64::try_from(when.as_millis()).unwrap_or_default(),
            hash: document.hash.clone(),
            text: document.text.clone(),
        };
        let problem = self.drafts.write(&kept).err();
        match &problem {
            None => _ = self.drafts.kept.insert(doc, revision),
            Some(_) => self.drafts.due = Some(Instant::now() + AGAIN),
        }
        if problem != self.drafts.problem
            && let Some(why) = &problem
        {
            let text = format!("what is not saved is not kept as a draft: {why}");
            let level = "warning".to_owned();
            self.clients
                .tell_all(&Event::Notice(Notice { level, text }));
        }
        self.drafts.problem = problem;
        true
    }
}
