//! The opened folders, and which files a path of the page may mean: those below them, and no others.

use std::fs;
use std::path::{Path, PathBuf};

use crate::protocol::{Failure, FolderEntry};

/// An opened folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// What paths begin with if several are open.
    pub name: String,
    /// Where it is, without links.
    pub path: PathBuf,
    /// As it was given.
    pub shown: String,
}

/// The opened folders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folders(Vec<Folder>);

/// A file that a path means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meant {
    /// Where it is, or would be.
    pub disk: PathBuf,
    /// What other trees call it: its path in its folder.
    pub name: String,
}

impl Folders {
    /// Folders that are there.
    ///
    /// # Errors
    /// Why one cannot be opened.
    pub fn open(given: &[PathBuf]) -> Result<Folders, String> {
        let mut folders: Vec<Folder> = Vec::new();
        for given in given {
            let shown = given.display().to_string();
            let path = fs::canonicalize(given)
                .map_err(|error| format!("cannot open the folder `{shown}`: {error}"))?;
            if !path.is_dir() {
                return Err(format!(
                    "`{shown}` is no folder: name the folder that the tree is in"
                ));
            }
            if folders.iter().any(|folder| folder.path == path) {
                continue;
            }
            let own = path
                .file_name()
                .unwrap_or(path.as_os_str())
                .to_string_lossy();
            let own = own.replace(['/', '\\'], "_");
            let taken = |name: &str| folders.iter().any(|folder| folder.name == name);
            let numbered = (2..).map(|number| format!("{own}-{number}"));
            let mut names = std::iter::once(own.clone()).chain(numbered);
            let name = names.find(|name| !taken(name)).unwrap_or(own);
            folders.push(Folder { name, path, shown });
        }
        Ok(Folders(folders))
    }

    /// All of them.
    pub fn all(&self) -> &[Folder] {
        &self.0
    }

    /// What the window is called.
    pub fn title(&self) -> String {
        let names: Vec<_> = self.0.iter().map(|folder| folder.name.as_str()).collect();
        names.join(", ")
    }

    /// For the page.
    pub fn entries(&self) -> Vec<FolderEntry> {
        let entries = self.0.iter().map(|folder| FolderEntry {
            name: folder.name.clone(),
            path_shown: folder.shown.clone(),
        });
        entries.collect()
    }

    /// The path of a tree by its folder and its name.
    pub fn path_of(&self, folder: &Folder, name: &str) -> String {
        match self.0.len() {
            1 => name.to_owned(),
            _ => format!("{}/{name}", folder.name),
        }
    }

    /// The files with an ending below the folders, with their sizes: at most so many, as paths of the page.
    pub fn files(&self, ending: &str, most: usize) -> Vec<(String, u64)> {
        let mut found = Vec::new();
        for folder in &self.0 {
            let mut names = Vec::new();
            below(&folder.path, "", &mut names, most);
            for name in names {
                let path = self.path_of(folder, &name);
                if found.len() < most
                    && name.ends_with(ending)
                    && let Ok(meant) = self.find_file(&path, &[ending])
                    && let Ok(data) = fs::metadata(&meant.disk)
                {
                    found.push((path, data.len()));
                }
            }
        }
        found.sort();
        found
    }

    /// The file that a path means. It may not be there; what is there of its way leads out of its folder nowhere.
    ///
    /// # Errors
    /// Why the path means no file.
    pub fn find(&self, path: &str) -> Result<Meant, Failure> {
        self.find_file(path, &[".json", ".bt"])
    }

    /// The same of a file that has one of these endings.
    ///
    /// # Errors
    /// Why the path means no such file.
    pub fn find_file(&self, path: &str, endings: &[&str]) -> Result<Meant, Failure> {
        let refused = |why: &str| {
            let path: String = path.chars().take(200).collect();
            let (what, such) = match endings.contains(&".json") {
                true => ("tree", "`hunt.json` or `town/guard.json`"),
                false => ("recording", "`fight.btrec` or `town/fight.btrec`"),
            };
            Err(Failure::refused(format!(
                "{path:?} is no path of a {what}: {why}; expected one such as {such}"
            )))
        };
        if path.len() > 1_000 {
            return refused("it is longer than 1,000 bytes");
        }
        let (folder, name) = match self.0.as_slice() {
            [one] => (one, path),
            many => {
                let (first, rest) = path.split_once('/').unwrap_or((path, ""));
                match many.iter().find(|folder| folder.name == first) {
                    Some(folder) => (folder, rest),
                    None => return refused("it begins with no opened folder"),
                }
            }
        };
        if let Some(why) = wrong_name(name) {
            return refused(why);
        }
        if !endings.iter().any(|ending| name.ends_with(ending)) {
            let all = endings.join("` nor `");
            return refused(&match endings {
                [one] => format!("it does not end with `{one}`"),
                _ => format!("it ends neither with `{all}`"),
            });
        }
        let disk = name
            .split('/')
            .fold(folder.path.clone(), |path, part| path.join(part));
        match stays_below(&folder.path, &disk) {
            true => Ok(Meant {
                disk,
                name: name.to_owned(),
            }),
            false => refused("a link leads out of the opened folder"),
        }
    }
}

/// So many levels of folders are looked into for files, and so many entries.
const DEPTH: usize = 8;
const LOOKED_AT: usize = 100_000;

/// The names of the files below a folder, those of its folders with `/`. Links and what begins with a dot are passed
/// over.
fn below(folder: &Path, prefix: &str, names: &mut Vec<String>, most: usize) {
    if prefix.matches('/').count() >= DEPTH || names.len() >= LOOKED_AT.max(most) {
        return;
    }
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if name.starts_with('.') || name == "target" || name == "node_modules" {
            continue;
        }
        if kind.is_dir() {
            below(&entry.path(), &format!("{prefix}{name}/"), names, most);
        } else if kind.is_file() {
            names.push(format!("{prefix}{name}"));
        }
    }
}

/// Why a name cannot be that of a tree file in a folder.
fn wrong_name(name: &str) -> Option<&'static str> {
    let wrong = |char: char| char.is_control() || r#"\:*?"<>|"#.contains(char);
    if name.contains(wrong) {
        return Some("it has characters that file names do not have everywhere");
    }
    for part in name.split('/') {
        if part.is_empty() {
            return Some("a part of it is empty");
        }
        if part.starts_with('.') {
            return Some("a part of it begins with a dot");
        }
        if part.ends_with(['.', ' ']) {
            return Some("a part of it ends with a dot or a blank");
        }
    }
    None
}

/// Whether a file, and every folder on the way to it that is there, is below a folder.
fn stays_below(folder: &Path, file: &Path) -> bool {
    let mut at = Some(file);
    while let Some(path) = at {
        if path == folder {
            return true;
        }
        // A link that leads nowhere is there as well.
        if fs::symlink_metadata(path).is_ok() {
            return fs::canonicalize(path).is_ok_and(|real| real.starts_with(folder));
        }
        at = path.parent();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_lead_out_of_the_folder_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let inside = dir.path().join("trees");
        fs::create_dir_all(inside.join("town")).unwrap();
        fs::write(dir.path().join("secret.json"), "{}").unwrap();
        let folders = Folders::open(std::slice::from_ref(&inside)).unwrap();
        for path in ["a.json", "town/a.json", "new/deep/a.bt", "日本/a.json"] {
            let meant = folders.find(path).unwrap();
            assert!(meant.disk.starts_with(fs::canonicalize(&inside).unwrap()));
        }
        for path in [
            "",
            "/",
            "..",
            "../secret.json",
            "town/../../secret.json",
            "/etc/a.json",
            "town//a.json",
            "./a.json",
            "a.json/",
            "a\0.json",
            "C:\\a.json",
            "..\\secret.json",
            "%2e%2e/%2fsecret",
            ".hidden.json",
            "town/.git/a.json",
            "a.txt",
            "a.json.",
            "a.json ",
        ] {
            assert!(folders.find(path).is_err(), "{path:?}");
        }
        assert!(
            folders
                .find("%2e%2e/secret.json")
                .unwrap()
                .disk
                .starts_with(fs::canonicalize(&inside).unwrap())
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_out_of_the_folder_are_refused() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let inside = dir.path().join("trees");
        fs::create_dir_all(&inside).unwrap();
        fs::write(dir.path().join("secret.json"), "{}").unwrap();
        fs::write(inside.join("own.json"), "{}").unwrap();
        symlink(dir.path(), inside.join("up")).unwrap();
        symlink(dir.path().join("secret.json"), inside.join("link.json")).unwrap();
        symlink(
            dir.path().join("nowhere.json"),
            inside.join("dangling.json"),
        )
        .unwrap();
        symlink(inside.join("own.json"), inside.join("same.json")).unwrap();
        let folders = Folders::open(&[inside]).unwrap();
        for path in [
            "up/secret.json",
            "up/new.json",
            "link.json",
            "dangling.json",
        ] {
            assert!(folders.find(path).is_err(), "{path}");
        }
        assert!(folders.find("same.json").is_ok());
    }

    #[test]
    fn paths_begin_with_the_folder_if_several_are_open() {
        let dir = tempfile::tempdir().unwrap();
        let (one, two) = (dir.path().join("one/trees"), dir.path().join("two/trees"));
        fs::create_dir_all(&one).unwrap();
        fs::create_dir_all(&two).unwrap();
        let folders = Folders::open(&[one, two]).unwrap();
        assert_eq!(folders.find("trees-2/a/b.json").unwrap().name, "a/b.json");
        assert!(folders.find("a.json").is_err());
        assert!(folders.find("trees-2").is_err());
    }
}
