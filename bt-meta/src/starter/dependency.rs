//! The dependency of a starter on bt-core: by repository if one is named, by path where there is one, else by version.

use std::fs;
use std::path::{self, Path, PathBuf};

use crate::error::Error;

/// The bt-core that a crate is to depend on.
#[derive(Debug)]
pub(super) enum Dependency {
    /// Its folder, which the new crate names by a path from its own.
    Folder(PathBuf),
    /// A repository that cargo fetches.
    Git(String),
    /// A version that a registry has.
    Version(&'static str),
}

impl Dependency {
    /// In this repository or this checkout; if none is named, in the one that this program was built from, if that is
    /// still there.
    ///
    /// # Errors
    /// A failure if there is no bt-core where it was said to be.
    pub(super) fn find(git: Option<&str>, checkout: Option<&Path>) -> Result<Dependency, Error> {
        if let Some(url) = git {
            return Ok(Dependency::Git(url.to_owned()));
        }
        let Some(named) = checkout else {
            let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
            let here = built_from.and_then(bt_core_of);
            return Ok(match here {
                Some(path) => Dependency::Folder(path),
                None => Dependency::Version(env!("CARGO_PKG_VERSION")),
            });
        };
        match bt_core_of(named) {
            Some(path) => Ok(Dependency::Folder(path)),
            None => Err(Error::failure(format!(
                "`--bt`: there is no bt-core in `{}`; expected a checkout of this repository, with \
                 `bt-core/Cargo.toml` in it",
                named.display()
            ))),
        }
    }

    /// The text behind `bt-core =` in the manifest of an existing folder.
    pub(super) fn seen_from(&self, folder: &Path) -> String {
        let path = match self {
            Dependency::Version(version) => return quoted(version),
            Dependency::Git(url) => return format!("{{ git = {} }}", quoted(url)),
            Dependency::Folder(path) => path,
        };
        let relative = || {
            let (folder, path) = (fs::canonicalize(folder), fs::canonicalize(path));
            pathdiff::diff_paths(path.ok()?, folder.ok()?)
        };
        // On another drive of Windows there is no way from here to there.
        let shown = relative().or_else(|| path::absolute(path).ok());
        let shown = shown.unwrap_or_else(|| path.clone());
        format!("{{ path = {} }}", quoted(&shown.to_string_lossy()))
    }
}

/// The folder of bt-core in a checkout, or that folder itself.
fn bt_core_of(checkout: &Path) -> Option<PathBuf> {
    let folders = [checkout.join("bt-core"), checkout.to_owned()];
    let is_bt_core = |folder: &PathBuf| {
        let manifest = fs::read_to_string(folder.join("Cargo.toml"));
        let manifest = manifest.unwrap_or_default();
        manifest.lines().any(|line| line == "name = \"bt-core\"")
    };
    folders.into_iter().find(is_bt_core)
}

/// A text as TOML spells it; its escapes are JSON's, but for one that JSON does not ask for.
fn quoted(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    json.replace('\u{7f}', "\\u007f")
}
