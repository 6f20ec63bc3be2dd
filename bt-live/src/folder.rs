//! A folder of tree files, watched.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{self, Read as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bt_core::tree::asset::{AssetError, Problem};
use bt_core::{Agent, TreeAsset, TreeSet, Trees};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

/// The time without changes after which the folder is read: editors write a file in several steps, and
/// several files at once.
const QUIET: Duration = Duration::from_millis(100);

/// The longest time without a read while changes continue.
const LONGEST: Duration = Duration::from_secs(2);

/// The time for which problems are kept back: they may be those of a file that somebody still writes.
const TIMEOUT: Duration = Duration::from_secs(1);

/// The largest file that is read, in bytes.
const MOST: u64 = 256 << 20;

/// The content of a folder: trees, or their problems.
pub type Found<A> = Result<Trees<A>, Problems>;

/// A folder of trees (`*.json`) and scripts (`*.bt`), in folders below it too, that is watched on a thread of
/// its own. What begins with a dot is passed over, and a link to a folder is not followed.
///
/// A tree is called by its path in the folder, with `/` between its parts. Whenever files change and then
/// rest for a tenth of a second, or for two seconds at the latest, all of them are read and built. The host
/// takes the newest result when it likes, at best at a frame boundary. Files that are wrong give problems, and
/// the trees before them stay in use; the next good save gives trees again. Problems come a second later than
/// trees: nobody hears of a file that was written only half when it was read, and whole soon after.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_core::reload::Changes;
/// use bt_core::Runner;
/// use bt_live::Folder;
/// use std::time::Duration;
///
/// #[derive(Agent)]
/// struct Cook;
///
/// #[agent]
/// impl Cook {}
///
/// # let folder = tempfile::tempdir()?;
/// # let tree = bt_core::TreeAsset::build("dinner.json", "cook", bt_core::tree::asset::spec::action("nop"));
/// # std::fs::write(folder.path().join("dinner.json"), tree.to_json())?;
/// let mut folder = Folder::<Cook>::watch(folder.path())?;
/// let mut runner = Runner::new(folder.trees(), "dinner.json")?;
/// runner.start();
/// for frame in 0..3 {
///     match folder.take() {
///         Some(Ok(trees)) => runner.reload(&Changes::between(runner.trees(), &trees)),
///         Some(Err(problems)) => eprintln!("{problems}"),
///         None => {}
///     }
///     runner.poll(&mut Cook, Duration::from_millis(16 * frame));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Folder<A: Agent> {
    trees: Trees<A>,
    newest: Arc<Mutex<Option<Found<A>>>>,
    /// Dropped first: then the thread hears of nothing any more, and ends.
    watcher: Option<RecommendedWatcher>,
    builder: Option<JoinHandle<()>>,
}

impl<A: Agent> Folder<A> {
    /// Reads a folder, and watches it from now on.
    ///
    /// # Errors
    /// [`FolderError`] if the folder cannot be read or watched, or if its trees do not build.
    pub fn watch(folder: impl AsRef<Path>) -> Result<Folder<A>, FolderError> {
        Folder::watch_those(folder, |_| true)
    }

    /// The same of a folder that holds trees for several types of agents: the trees of this one are those that
    /// `is_own` takes. A file that is no tree at all is a problem all the same.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_live::Folder;
    ///
    /// #[derive(Agent)]
    /// struct Waiter;
    ///
    /// #[agent]
    /// impl Waiter {}
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # for agent in ["waiter", "guest"] {
    /// #     let tree = bt_core::TreeAsset::build(agent, agent, bt_core::tree::asset::spec::action("nop"));
    /// #     std::fs::write(folder.path().join(format!("{agent}.json")), tree.to_json())?;
    /// # }
    /// let folder = Folder::<Waiter>::watch_those(folder.path(), |tree| tree.agent() == Some("waiter"))?;
    /// assert!(folder.trees().names().eq(["waiter.json"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`watch`](Folder::watch).
    pub fn watch_those(
        folder: impl AsRef<Path>,
        is_own: impl Fn(&TreeAsset) -> bool + Send + 'static,
    ) -> Result<Folder<A>, FolderError> {
        let folder = folder.as_ref().canonicalize().map_err(FolderError::Read)?;
        let (changed, changes) = mpsc::channel();
        // Before it is read: what changes meanwhile is read again.
        let watcher = start_watching(&folder, changed)?;
        let files = read(&folder).map_err(FolderError::Read)?;
        let trees = build(&files, &is_own).map_err(FolderError::Trees)?;
        let newest = Arc::new(Mutex::new(None));
        let builder = Builder {
            folder,
            files,
            is_own: Box::new(is_own),
            newest: newest.clone(),
        };
        let builder = thread::Builder::new()
            .name("bt-live folder".to_owned())
            .spawn(move || builder.run(&changes))
            .map_err(FolderError::Read)?;
        Ok(Folder {
            trees,
            newest,
            watcher: Some(watcher),
            builder: Some(builder),
        })
    }

    /// The trees as they were when they could be built last.
    pub fn trees(&self) -> &Trees<A> {
        &self.trees
    }

    /// Takes what was found since the last call; the newest, if that was more than once. It takes no time and
    /// waits for nothing.
    pub fn take(&mut self) -> Option<Found<A>> {
        let found = lock(&self.newest).take()?;
        if let Ok(trees) = &found {
            self.trees = trees.clone();
        }
        Some(found)
    }
}

impl<A: Agent> Drop for Folder<A> {
    fn drop(&mut self) {
        self.watcher.take();
        if let Some(builder) = self.builder.take() {
            // It has nothing to say that matters now.
            _ = builder.join();
        }
    }
}

impl<A: Agent> fmt::Debug for Folder<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Folder")
            .field("trees", &self.trees)
            .finish_non_exhaustive()
    }
}

fn start_watching(folder: &Path, changed: Sender<()>) -> Result<RecommendedWatcher, FolderError> {
    let tell = move |event: notify::Result<notify::Event>| {
        // Reading the files is no change. An error may have lost one.
        if event.is_ok_and(|event| event.kind.is_access()) {
            return;
        }
        _ = changed.send(());
    };
    let mut watcher = notify::recommended_watcher(tell).map_err(FolderError::Watch)?;
    watcher
        .watch(folder, RecursiveMode::Recursive)
        .map_err(FolderError::Watch)?;
    Ok(watcher)
}

/// The contents of tree files, by the names of the trees.
type Files = BTreeMap<String, Vec<u8>>;

struct Builder<A: Agent> {
    folder: PathBuf,
    /// As they were read last.
    files: Files,
    is_own: Box<dyn Fn(&TreeAsset) -> bool + Send>,
    newest: Arc<Mutex<Option<Found<A>>>>,
}

impl<A: Agent> Builder<A> {
    /// Builds trees whenever files changed, until nobody watches any more.
    fn run(mut self, changes: &Receiver<()>) {
        let mut problems = None;
        loop {
            let patience = problems.as_ref().map_or(Duration::MAX, |_| TIMEOUT);
            match changes.recv_timeout(patience) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout) => {
                    self.publish(problems.take());
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if !rests(changes) {
                return;
            }
            match self.look() {
                Some(Err(found)) => problems = Some(Err(found)),
                Some(trees) => {
                    problems = None;
                    self.publish(Some(trees));
                }
                None => {}
            }
        }
    }

    fn publish(&self, found: Option<Found<A>>) {
        *lock(&self.newest) = found;
    }

    /// Reads the folder, and returns what changed.
    fn look(&mut self) -> Option<Found<A>> {
        let files = match read(&self.folder) {
            Ok(files) => files,
            Err(error) => {
                // When it can be read again, that is news, whatever is in it.
                self.files.clear();
                return Some(Err(Problems::Unreadable(error.to_string())));
            }
        };
        if files == self.files {
            return None;
        }
        self.files = files;
        Some(build(&self.files, &*self.is_own))
    }
}

/// Waits until nothing changes for a while, or for the longest time; false if nobody watches any more.
fn rests(changes: &Receiver<()>) -> bool {
    let began = Instant::now();
    loop {
        match changes.recv_timeout(QUIET) {
            Ok(()) if began.elapsed() > LONGEST => return true,
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}

/// A panic elsewhere leaves what is in it whole.
fn lock<T>(newest: &Mutex<T>) -> MutexGuard<'_, T> {
    newest.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The tree files in a folder and below it.
fn read(folder: &Path) -> io::Result<Files> {
    let mut files = Files::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let entries = match fs::read_dir(&next) {
            // One below that was deleted just now.
            Err(error) if error.kind() == io::ErrorKind::NotFound && next != folder => continue,
            entries => entries.map_err(|error| of(&next, &error))?,
        };
        for entry in entries {
            let entry = entry.map_err(|error| of(&next, &error))?;
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let path = entry.path();
            // A link to a folder could lead round in a circle.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if is_tree(&path) {
                let bytes = bytes(&path).map_err(|error| of(&path, &error))?;
                files.extend(bytes.map(|bytes| (name(folder, &path), bytes)));
            }
        }
    }
    Ok(files)
}

/// Returns true if a file has the ending of a tree or a script.
fn is_tree(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending == "json" || ending == "bt")
}

/// The bytes of a file; none if it is gone by now, or is not a file: a pipe would be waited for.
fn bytes(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let is_gone = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
    let file = match fs::metadata(path) {
        Ok(found) if !found.is_file() => return Ok(None),
        Ok(_) => fs::File::open(path),
        Err(error) => Err(error),
    };
    let file = match file {
        Err(error) if is_gone(&error) => return Ok(None),
        file => file?,
    };
    let mut bytes = Vec::new();
    file.take(MOST + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MOST {
        true => Err(io::Error::other("it is longer than 256 MiB")),
        false => Ok(Some(bytes)),
    }
}

/// The error, with the path that it is about.
fn of(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// The path of a file in a folder, with `/`.
fn name(folder: &Path, file: &Path) -> String {
    let inside = file.strip_prefix(folder).unwrap_or(file);
    let parts = inside.components();
    let parts: Vec<_> = parts
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}

fn build<A: Agent>(files: &Files, is_own: &dyn Fn(&TreeAsset) -> bool) -> Found<A> {
    let mut set = TreeSet::new();
    let mut problems = Vec::new();
    for (name, bytes) in files {
        match TreeAsset::from_slice(name, bytes) {
            Ok(tree) if is_own(&tree) => _ = set.add(tree),
            Ok(_) => {}
            Err(error) => problems.extend_from_slice(error.problems()),
        }
    }
    if !problems.is_empty() {
        return Err(Problems::Trees(problems));
    }
    // What decodes arguments is the game's own code.
    let built = catch_unwind(AssertUnwindSafe(|| set.build()));
    built.map_or(Err(Problems::Panicked), |built| {
        built.map_err(Problems::from)
    })
}

/// The problems of a folder's files.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Problems {
    /// A file cannot be read.
    Unreadable(String),
    /// Code of the game panicked that decodes an argument.
    Panicked,
    /// The problems that `bt-meta validate` reports, too: each with its file and place.
    Trees(Vec<Problem>),
}

impl From<AssetError> for Problems {
    fn from(error: AssetError) -> Problems {
        Problems::Trees(error.problems().to_vec())
    }
}

/// A line for each.
impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problems::Unreadable(why) => write!(f, "the folder of trees cannot be read: {why}"),
            Problems::Panicked => f.write_str(
                "a panic while the trees were built: a type of an argument panics when it is decoded",
            ),
            Problems::Trees(all) => {
                for (number, problem) in all.iter().enumerate() {
                    let line = if number > 0 { "\n" } else { "" };
                    write!(f, "{line}{problem}")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for Problems {}

/// A folder that cannot be watched.
#[derive(Debug)]
#[non_exhaustive]
pub enum FolderError {
    /// It cannot be read.
    Read(io::Error),
    /// The system does not watch it.
    Watch(notify::Error),
    /// Its trees do not build.
    Trees(Problems),
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FolderError::Read(error) => write!(f, "the folder of trees cannot be read: {error}"),
            FolderError::Watch(error) => {
                write!(f, "the folder of trees cannot be watched: {error}")
            }
            FolderError::Trees(problems) => problems.fmt(f),
        }
    }
}

impl std::error::Error for FolderError {}
