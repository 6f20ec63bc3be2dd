//! Paths as a code host has them: relative to the root of the repository.

use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::paths::real;
use crate::validate::show::notice::Notice;

/// The folder that paths are relative to: what was said, else the one above with `.git` in it.
///
/// # Errors
/// A failure if what was said is no folder.
pub(super) fn root(said: Option<&Path>) -> Result<Option<PathBuf>, Error> {
    if let Some(said) = said {
        let wrong = |why: &dyn std::fmt::Display| {
            let said = said.display();
            Error::failure(format!("`--root {said}` is no folder: {why}"))
        };
        let root = said.canonicalize().map_err(|error| wrong(&error))?;
        return match root.is_dir() {
            true => Ok(Some(root)),
            false => Err(wrong(&"it is a file")),
        };
    }
    let here = Path::new(".").canonicalize().ok();
    let is_root = |folder: &&Path| folder.join(".git").exists();
    Ok(here.and_then(|here| here.ancestors().find(is_root).map(Path::to_owned)))
}

/// A path with `/` between its parts, from the root; a whole one if it is not below that. As it is
/// without a root.
pub(super) fn from_root(root: Option<&Path>, path: &str) -> String {
    let Some(root) = root else {
        return path.to_owned();
    };
    let path = real(Path::new(path));
    let shown = path.strip_prefix(root).unwrap_or(&path).to_string_lossy();
    shown.replace(std::path::MAIN_SEPARATOR, "/")
}

/// Notices at paths from the root.
///
/// # Errors
/// As of [`root`].
pub(super) fn place(notices: &mut [Notice], said: Option<&Path>) -> Result<(), Error> {
    let root = root(said)?;
    for (file, _, _) in notices.iter_mut().flat_map(|notice| &mut notice.place) {
        *file = from_root(root.as_deref(), file);
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn paths_begin_at_the_root_if_they_are_below_it() {
        let folder = tempfile::tempdir().unwrap();
        let game = folder.path().join("game");
        std::fs::create_dir_all(game.join("trees")).unwrap();
        std::os::unix::fs::symlink("game", folder.path().join("link")).unwrap();
        let at = |path: &str| folder.path().join(path);
        for said in ["game", "link", "game/trees/..", "link/../game"] {
            let root = root(Some(&at(said))).unwrap();
            let from = |path: &str| from_root(root.as_deref(), at(path).to_str().unwrap());
            assert_eq!(from("game/trees/a.json"), "trees/a.json");
            assert_eq!(from("link/trees/a.json"), "trees/a.json");
            assert_eq!(from("game/../link/new/a.json"), "new/a.json");
            let outside = from("other/a.json");
            assert!(Path::new(&outside).is_absolute(), "{outside}");
        }
        assert_eq!(from_root(None, "trees/a.json"), "trees/a.json");
    }

    #[test]
    fn a_root_that_is_no_folder_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        for said in [file, folder.path().join("nowhere")] {
            let error = root(Some(&said)).unwrap_err();
            assert_eq!(error.exit_code(), 2);
            assert!(error.to_string().contains("is no folder"), "{error}");
        }
    }
}
