//! The source of the agents: an exported `agents.json`, or a package that is built.

use std::path::{Path, PathBuf};

use bt_core::Registry;
use bt_live::protocol::hash;
use bt_meta::cargo::{self, Build};
use bt_meta::catalogue::Catalogue;
use bt_meta::files::exported_near;
use bt_meta::protocol;

use super::door::{AsFailure as _, Place};
use super::folders::Folders;

/// The longest catalogue and the longest manifest that are read, in bytes.
const LONGEST: u64 = 256 << 20;
const MANIFEST: u64 = 1 << 20;

/// The source of the agents.
#[derive(Debug, Clone)]
pub enum Source {
    /// An exported file.
    File(PathBuf),
    /// A package that is built and asked.
    Package(Box<Build>),
    /// Nowhere: names of agents and actions are not known.
    None,
}

impl Source {
    /// The default source: an `agents.json` in or beside the first folder, or the package around it.
    pub fn find(folders: &Folders) -> Source {
        for folder in folders.all() {
            if let Some(file) = exported_near(&folder.path) {
                return Source::File(file);
            }
            let package = folder.path.ancestors().find_map(package_in);
            if let Some(manifest) = package {
                return Source::Package(Box::new(Build {
                    manifest_path: Some(manifest),
                    ..Build::default()
                }));
            }
        }
        Source::None
    }

    /// The package, for people.
    pub fn package(&self) -> Option<String> {
        match self {
            Source::Package(build) => build.package.clone().or_else(|| {
                let folder = build.manifest_path.as_ref()?.parent()?.file_name()?;
                Some(folder.to_string_lossy().into_owned())
            }),
            Source::File(_) | Source::None => None,
        }
    }

    /// The file, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Source::File(path) => Some(path),
            Source::Package(_) | Source::None => None,
        }
    }

    /// The text of the file, if it is one.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn text(&self) -> Option<Result<String, String>> {
        let file = self.file()?;
        let text = Place::of(file).text(LONGEST);
        let unread = |why: super::door::Refusal| {
            let shown = format!("the catalogue `{}`", file.display());
            why.failure(format_args!("cannot read {shown}")).message
        };
        Some(text.map_err(unread))
    }

    /// Collects the agents. Building a package takes its time; `tell` gets cargo's progress.
    ///
    /// # Errors
    /// Why nobody knows.
    pub fn collect(&self, tell: impl Fn(&str) + Send + Sync + 'static) -> Result<Registry, String> {
        let catalogue: Catalogue = match self {
            Source::File(path) => {
                let text = self.text().unwrap_or_else(|| Ok(String::new()))?;
                protocol::parse(&text).map_err(|error| format!("`{}`: {error}", path.display()))?
            }
            Source::Package(build) => {
                let exported = cargo::export_and_tell(build, tell);
                exported.map_err(|error| error.to_string())?.catalogue
            }
            Source::None => {
                return Err(
                    "no agents are known: start with `--package NAME` or `--catalogue agents.json`"
                        .to_owned(),
                );
            }
        };
        Registry::from_catalogue(catalogue).map_err(|error| error.to_string())
    }
}

/// The place where the agents of a package are kept between two runs of the studio.
pub fn kept(source: &Source, folders: &Folders, state: Option<&Path>) -> Option<Place> {
    let package = source.package().or_else(|| match source {
        Source::Package(_) => Some(String::new()),
        Source::File(_) | Source::None => None,
    })?;
    let folder = folders.all().first()?;
    let name = hash(&format!("{} {package}", folder.path.display()));
    Some(Place::new(state?, format!("agents/{name}.json")))
}

/// Keeps the agents of a package. Where that cannot be, the next run of the studio knows them later.
pub fn keep(place: &Place, registry: &Registry) {
    if let Ok(text) = serde_json::to_string(registry.catalogue()) {
        _ = place.write(text.as_bytes());
    }
}

/// The agents of a package as they were known last, and where from: exported beside the trees, or built by the studio
/// before, whichever is newer.
pub fn last_known(
    source: &Source,
    folders: &Folders,
    state: Option<&Path>,
) -> Option<(Registry, String)> {
    let exported = folders.all().iter().filter_map(|folder| {
        let file = exported_near(&folder.path)?;
        let shown = file.file_name()?.to_string_lossy().into_owned();
        Some((Place::of(&file), shown))
    });
    let kept = kept(source, folders, state).map(|file| (file, String::new()));
    let mut all: Vec<_> = exported
        .chain(kept)
        .filter_map(|(file, shown)| Some((file.modified().ok()?, file, shown)))
        .collect();
    all.sort();
    all.into_iter().rev().find_map(|(_, file, shown)| {
        let text = file.text(LONGEST).ok()?;
        let catalogue = protocol::parse(&text).ok()?;
        Some((Registry::from_catalogue(catalogue).ok()?, shown))
    })
}

/// The manifest in a folder, if it is that of a package.
fn package_in(folder: &Path) -> Option<PathBuf> {
    let path = folder.join("Cargo.toml");
    let text = Place::named(&path).text(MANIFEST).ok()?;
    let is_package = text.lines().any(|line| line.trim() == "[package]");
    is_package.then_some(path)
}
