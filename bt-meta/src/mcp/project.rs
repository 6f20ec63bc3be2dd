//! The folder that the server is for: its trees as they are on the disk, and the agents that they are for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use bt_core::tree::{Level, by_either_name};
use bt_core::{Registry, TreeAsset};
use bt_live::protocol::hash;

use super::answer::{Code, Refused};
use super::options::Options;
use crate::catalogue::Catalogue;
use crate::door::{Passed, Place, Refusal, walk, wrong_name};
use crate::error::{Error, did_you_mean};
use crate::files::is_export;
use crate::scenarios::Cast;
use crate::validate::input::Input;
use crate::validate::{self, Finding, Report, levels};

/// The endings of trees, and of scenarios.
pub(super) const TREES: [&str; 2] = [".json", ".bt"];
pub(super) const SCENARIOS: [&str; 1] = [".scenario.toml"];

/// The largest file that is read, in bytes, and all of them together.
const LARGEST: u64 = 16 << 20;
const TOGETHER: u64 = 256 << 20;

/// The file with the levels of codes.
const CONFIG: &str = "bt-meta.toml";

/// The folder of trees, and its agents.
pub(super) struct Project {
    pub(super) root: PathBuf,
    read_only: bool,
    collect: Collect,
    agents: Mutex<Agents>,
    /// One edit at a time looks at files and writes them.
    pub(super) editing: Mutex<()>,
}

/// Collects the agents.
pub(super) type Collect = Arc<dyn Fn() -> Result<Catalogue, Error> + Send + Sync>;

/// The agents, once they are known.
enum Agents {
    Awaited(mpsc::Receiver<Result<Arc<Cast>, String>>),
    Known(Result<Arc<Cast>, String>),
}

/// A file as it is on the disk.
#[derive(Debug, Clone)]
pub(super) struct Text {
    pub(super) name: String,
    pub(super) text: String,
}

impl Text {
    /// The hash that an edit gives.
    pub(super) fn revision(&self) -> String {
        hash(&self.text)
    }

    pub(super) fn tree(&self) -> Result<TreeAsset, bt_core::AssetError> {
        TreeAsset::from_slice(&self.name, self.text.as_bytes())
    }

    fn input(&self) -> Input {
        let bytes = Arc::new(self.text.clone().into_bytes());
        Input::of_text(self.name.as_str(), self.name.as_str(), bytes)
    }
}

/// The files of a folder by their names.
pub(super) type Texts = BTreeMap<String, Text>;

impl Project {
    /// Opens a folder. The agents are collected on another thread.
    ///
    /// # Errors
    /// A failure if there is no such folder.
    pub(super) fn open(options: &Options, collect: Collect) -> Result<Project, Error> {
        let shown = options.folder.display();
        let root = crate::door::real(&options.folder).map_err(|error| {
            Error::failure(format!("cannot open the folder `{shown}`: {error}"))
        })?;
        if !crate::door::is_folder(&root) {
            return Err(Error::failure(format!(
                "`{shown}` is no folder: name the folder that the trees are in"
            )));
        }
        Ok(Project {
            root,
            read_only: options.read_only,
            agents: Mutex::new(Agents::Awaited(collected(&collect))),
            collect,
            editing: Mutex::new(()),
        })
    }

    /// Collects the agents again.
    pub(super) fn collect_again(&self) {
        let mut agents = self.agents.lock().unwrap_or_else(PoisonError::into_inner);
        *agents = Agents::Awaited(collected(&self.collect));
    }

    /// The agents, which may be waited for.
    ///
    /// # Errors
    /// Why they are not known.
    pub(super) fn cast(&self) -> Result<Arc<Cast>, Refused> {
        let mut agents = self.agents.lock().unwrap_or_else(PoisonError::into_inner);
        if let Agents::Awaited(awaited) = &*agents {
            let known = awaited.recv();
            *agents =
                Agents::Known(known.unwrap_or_else(|_| Err("collecting them broke".to_owned())));
        }
        match &*agents {
            Agents::Known(Ok(cast)) => Ok(cast.clone()),
            Agents::Known(Err(why)) => Err(Refused::new(
                Code::Refused,
                format!("no agents are known: {why}"),
                "start the server with `--catalogue agents.json` or `--package NAME`",
            )),
            Agents::Awaited(_) => Err(Refused::new(
                Code::Refused,
                "the agents are not known yet",
                "",
            )),
        }
    }

    /// The agents, if they are known.
    pub(super) fn known_cast(&self) -> Option<Arc<Cast>> {
        self.cast().ok()
    }

    /// A place in the folder.
    ///
    /// # Errors
    /// If the name leads out of the folder, or is none of such a file.
    pub(super) fn place(&self, name: &str, endings: &[&str]) -> Result<Place, Refused> {
        let all = endings.join("` or `");
        let refused = |why: &str| {
            Refused::new(
                Code::Path,
                format!(
                    "{:?} is no path below the folder: {why}",
                    super::answer::cut(name, 200)
                ),
                format!(
                    "write the path from the folder down, as `trees` lists it, such as `town/guard{}`",
                    endings[0]
                ),
            )
        };
        if name.len() > 1_000 {
            return Err(refused("it is longer than 1,000 bytes"));
        }
        if let Some(why) = wrong_name(name) {
            return Err(refused(why));
        }
        if !endings.iter().any(|ending| name.ends_with(ending)) {
            return Err(refused(&format!("it does not end with `{all}`")));
        }
        let inside: PathBuf = name.split('/').collect();
        Ok(Place::new(&self.root, inside))
    }

    /// The names of the files that have one of these endings.
    fn names(&self, endings: &[&str], sweeps: bool) -> (Vec<String>, Passed) {
        let wanted = |name: &str| {
            let ends = endings.iter().any(|ending| name.ends_with(ending));
            ends && !is_export(name)
        };
        let walked = walk(&self.root, &wanted, sweeps);
        (walked.files, walked.passed)
    }

    /// The files that have one of these endings, and which were passed over.
    ///
    /// # Errors
    /// If there are too many bytes of them.
    pub(super) fn all(&self, endings: &[&str]) -> Result<(Texts, Passed), Refused> {
        let (names, mut passed) = self.names(endings, !self.read_only);
        let mut texts = Texts::new();
        let mut bytes = 0;
        for name in names {
            match self
                .place(&name, endings)
                .and_then(|place| read(&name, &place))
            {
                Ok(text) => {
                    bytes += text.text.len() as u64;
                    texts.insert(name, text);
                }
                Err(why) => passed.add(why.to_string()),
            }
            if bytes > TOGETHER {
                return Err(Refused::new(
                    Code::Limit,
                    format!(
                        "the files of the folder have more than {} MiB together",
                        TOGETHER >> 20
                    ),
                    "start the server for a folder below it",
                ));
            }
        }
        Ok((texts, passed))
    }

    pub(super) fn trees(&self) -> Result<Texts, Refused> {
        Ok(self.all(&TREES)?.0)
    }

    /// A tree of that name, with or without its ending.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub(super) fn tree(&self, name: &str) -> Result<Text, Refused> {
        let whole = TREES.iter().any(|ending| name.ends_with(ending));
        if whole {
            let place = self.place(name, &TREES)?;
            match read(name, &place) {
                Err(refused) if refused.is(Code::Unknown) => {}
                read => return read,
            }
        }
        let (names, _) = self.names(&TREES, false);
        let find = |name: &str| names.iter().find(|known| *known == name);
        match by_either_name(name, find) {
            Some(found) => read(found, &self.place(found, &TREES)?),
            None => Err(unknown("tree", name, names.iter().map(String::as_str))),
        }
    }

    /// Everything that is wrong with trees, and what is probably not meant.
    ///
    /// # Errors
    /// If the agents are not known.
    pub(super) fn validate(&self, texts: &Texts) -> Result<Report, Refused> {
        let cast = self.cast()?;
        let inputs = inputs(texts);
        if inputs.is_empty() {
            return Ok(Report::default());
        }
        let mut options = validate::Options::default();
        if let Ok(text) = Place::new(&self.root, CONFIG).text(LARGEST) {
            let read = levels::read(Path::new(CONFIG), &text)?;
            (options.levels, options.starts) = read;
        }
        Ok(validate::run_with(
            cast.registry(),
            &options,
            &inputs,
            &|| (),
        )?)
    }

    /// Writes a file whole, if it is still as it was. `before`: its text then; none if there was no file.
    ///
    /// # Errors
    /// If it has changed, or cannot be written: nothing is written then.
    pub(super) fn write(
        &self,
        name: &str,
        before: Option<&str>,
        text: &str,
    ) -> Result<(), Refused> {
        self.refuse_read_only()?;
        let endings = [TREES[0], TREES[1], SCENARIOS[0]];
        let place = self.place(name, &endings)?;
        self.unchanged(name, &place, before)?;
        let unwritten = |why: Refusal| match why {
            Refusal::Taken => conflict(name, None),
            why => Refused::new(Code::Path, why.not_written(name), ""),
        };
        let staged = place.stage(text.as_bytes()).map_err(unwritten)?;
        // That took its time.
        self.unchanged(name, &place, before)?;
        staged.put().map_err(unwritten)
    }

    /// # Errors
    /// If the server is read-only.
    pub(super) fn refuse_read_only(&self) -> Result<(), Refused> {
        match self.read_only {
            false => Ok(()),
            true => Err(Refused::new(
                Code::ReadOnly,
                "the server was started with `--read-only`: nothing is written",
                "use `dry_run` to see what an edit would do",
            )),
        }
    }

    fn unchanged(&self, name: &str, place: &Place, before: Option<&str>) -> Result<(), Refused> {
        let now = match place.read(LARGEST) {
            Ok(bytes) => Some(bytes),
            Err(Refusal::Missing) => None,
            Err(why) => return Err(Refused::new(Code::Path, why.not_written(name), "")),
        };
        match now.as_deref() == before.map(str::as_bytes) {
            true => Ok(()),
            false => {
                let now = now.map(|bytes| hash(&String::from_utf8_lossy(&bytes)));
                Err(conflict(name, now.as_deref()))
            }
        }
    }
}

/// The agents, collected on another thread.
fn collected(collect: &Collect) -> mpsc::Receiver<Result<Arc<Cast>, String>> {
    let (sender, agents) = mpsc::channel();
    let collect = collect.clone();
    thread::spawn(move || {
        let cast = collect().and_then(Cast::new);
        let cast = cast
            .map(Arc::new)
            .map_err(|error| error.messages().join("; "));
        // The server may have ended.
        _ = sender.send(cast);
    });
    agents
}

/// The refusal of an edit of a file that is another one by now.
pub(super) fn conflict(name: &str, now: Option<&str>) -> Refused {
    let what = match now {
        Some(_) => "is not as it was when it was read: nothing was written",
        None => "is not where it was when it was read: nothing was written",
    };
    let refused = Refused::new(
        Code::Conflict,
        format!("`{name}` {what}"),
        "read it again with `tree`, and make the edit of what is there now",
    );
    match now {
        Some(now) => refused.with("revision", now),
        None => refused,
    }
}

pub(super) fn unknown<'n>(what: &str, name: &str, known: impl Iterator<Item = &'n str>) -> Refused {
    let near = did_you_mean(name, known);
    let help = near.unwrap_or_else(|| format!("`{what}s` lists what there is"));
    Refused::new(
        Code::Unknown,
        format!("there is no {what} `{}`", super::answer::cut(name, 200)),
        help,
    )
}

/// Reads a file's text.
pub(super) fn read(name: &str, place: &Place) -> Result<Text, Refused> {
    let text = place.text(LARGEST).map_err(|why| {
        let code = match why {
            Refusal::Missing => Code::Unknown,
            Refusal::Large(_) => Code::Limit,
            Refusal::Link(_)
            | Refusal::NoFile(_)
            | Refusal::NoFolder(_)
            | Refusal::ReadOnly
            | Refusal::Taken
            | Refusal::System(_) => Code::Path,
        };
        Refused::new(code, why.not_read(name), "`trees` lists what there is")
    })?;
    let name = name.to_owned();
    Ok(Text { name, text })
}

/// Texts as what is checked or played.
pub(super) fn inputs(texts: &Texts) -> Vec<Input> {
    texts.values().map(Text::input).collect()
}

/// The errors of a file among findings.
pub(super) fn errors<'r>(report: &'r Report, name: &'r str) -> impl Iterator<Item = &'r Finding> {
    let all = report.findings.iter();
    all.filter(move |found| found.file == name && found.level == Level::Error)
}

/// The uses of things in these texts.
pub(super) fn with_known<T>(
    registry: Option<&Registry>,
    texts: &Texts,
    then: impl FnOnce(&crate::find::Known<'_>) -> T,
) -> T {
    let path_of = |name: &str| {
        by_either_name(name, |name| {
            texts.contains_key(name).then(|| name.to_owned())
        })
    };
    let tree = |path: &str| texts.get(path)?.tree().ok();
    then(&crate::find::Known {
        registry,
        path_of: &path_of,
        tree: &tree,
    })
}
