//! Paths of files that may not be there yet: which are one, and what is below a folder.

use std::fs;
use std::path::{Component, Path, PathBuf, absolute};

/// A path without links and `..` in its folders, as far as these are there. What the path itself names
/// may be a link, and stays one.
pub(crate) fn real(path: &Path) -> PathBuf {
    let path = absolute(path).unwrap_or_else(|_| path.to_owned());
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => real_folder(folder).join(name),
        _ => real_folder(&path),
    }
}

/// The same of a folder, which is no link then.
fn real_folder(folder: &Path) -> PathBuf {
    if let Ok(real) = fs::canonicalize(folder) {
        return real;
    }
    let mut real = PathBuf::new();
    for part in folder.components() {
        match part {
            Component::ParentDir => drop(real.pop()),
            part => real.push(part),
        }
        real = fs::canonicalize(&real).unwrap_or(real);
    }
    real
}

/// The file that a path leads to, or would if it were there.
pub(crate) fn end(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| real(path))
}

/// Returns true if a path stays below the folder that it is joined to.
pub(crate) fn is_below(path: &Path) -> bool {
    let mut parts = path.components();
    parts.all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_is_not_there_is_real_as_far_as_it_goes() {
        let folder = tempfile::tempdir().unwrap();
        let at = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir(at.join("there")).unwrap();
        std::os::unix::fs::symlink("there", at.join("link")).unwrap();
        assert_eq!(real(&at.join("link/a/b.json")), at.join("there/a/b.json"));
        assert_eq!(real(&at.join("a/../link/b")), at.join("there/b"));
        assert_eq!(real(&at.join("link")), at.join("link"));
        assert_eq!(end(&at.join("link")), at.join("there"));
        assert_eq!(end(&at.join("link/../a")), at.join("a"));
    }
}
