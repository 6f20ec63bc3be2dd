//! Where the agents come from: an exported `agents.json`, or a package that is built.

use std::fs;
use std::path::{Path, PathBuf};

use bt_core::Registry;
use bt_meta::cargo::{self, Build};
use bt_meta::catalogue::Catalogue;
use bt_meta::protocol;

use super::folders::Folders;

/// Where the agents come from.
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
    /// What to use where nothing is said: an `agents.json` in or beside the first folder, or the package around it.
    pub fn find(folders: &Folders) -> Source {
        for folder in folders.all() {
            let beside = folder.path.parent().unwrap_or(&folder.path);
            let places = [
                folder.path.join("agents.json"),
                beside.join("agents.json"),
                beside.join("editor").join("agents.json"),
            ];
            if let Some(file) = places.into_iter().find(|path| path.is_file()) {
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

    /// What they are. Building a package takes its time.
    ///
    /// # Errors
    /// Why nobody knows.
    pub fn collect(&self) -> Result<Registry, String> {
        let catalogue: Catalogue = match self {
            Source::File(path) => protocol::read(path).map_err(|error| error.to_string())?,
            Source::Package(build) => {
                let exported = cargo::export(build, false);
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

/// The manifest in a folder, if it is that of a package.
fn package_in(folder: &Path) -> Option<PathBuf> {
    let path = folder.join("Cargo.toml");
    let text = fs::read_to_string(&path).ok()?;
    let is_package = text.lines().any(|line| line.trim() == "[package]");
    is_package.then_some(path)
}
