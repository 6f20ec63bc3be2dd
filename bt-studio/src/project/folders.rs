//! The opened folders, and which files a path of the page may mean: those below them, and no others.

use std::path::{Path, PathBuf};

use super::door::{self, AsFailure as _, Place, walk, wrong_name};
use crate::protocol::{Failure, FolderEntry};

/// An opened folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// The start of paths if several folders are open.
    pub name: String,
    /// Its path, without links.
    pub path: PathBuf,
    /// As it was given.
    pub shown: String,
}

/// The endings of tree files, and of recordings.
pub(crate) const TREES: [&str; 2] = [".json", ".bt"];
pub(crate) const RECORDINGS: [&str; 1] = [".btrec"];
pub(crate) const SCENARIOS: [&str; 1] = [".scenario.toml"];

/// The opened folders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folders(Vec<Folder>);

/// A file that a path means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedPath {
    /// Its present or future path.
    pub place: Place,
    /// Its name in other trees: its path in its folder.
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
            let path = door::real(given)
                .map_err(|error| format!("cannot open the folder `{shown}`: {error}"))?;
            if !door::is_folder(&path) {
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

    /// The title of the window.
    pub fn title(&self) -> String {
        let names: Vec<_> = self.0.iter().map(|folder| folder.name.as_str()).collect();
        names.join(", ")
    }

    /// The path by which the page knows a file of the disk; none of one that is in no opened folder.
    pub fn path_at(&self, file: &Path) -> Option<String> {
        self.0.iter().find_map(|folder| {
            let inside = file.strip_prefix(&folder.path).ok()?;
            let parts: Option<Vec<&str>> = inside.iter().map(|part| part.to_str()).collect();
            Some(self.path_of(folder, &parts?.join("/")))
        })
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

    /// The recordings below the folders, with their sizes: at most so many, as paths of the page.
    pub fn recordings(&self, most: usize) -> Vec<(String, u64)> {
        let all = self.files(&RECORDINGS).into_iter();
        let looked = all.filter_map(|(path, place)| Some((path, place.look().ok()?.bytes)));
        looked.take(most).collect()
    }

    /// The files below the folders that have one of these endings, by their paths for the page.
    pub(crate) fn files(&self, endings: &[&str]) -> Vec<(String, Place)> {
        let mut found = Vec::new();
        for folder in &self.0 {
            let wanted = |name: &str| endings.iter().any(|ending| name.ends_with(ending));
            for name in walk(&folder.path, &wanted, false).files {
                let path = self.path_of(folder, &name);
                if let Ok(meant) = self.meant(&path, endings) {
                    found.push((path, meant.place));
                }
            }
        }
        found.sort_by(|one, other| one.0.cmp(&other.0));
        found
    }

    /// The place of a file by its path on the disk: below a folder, or by itself.
    pub fn place(&self, path: &Path) -> Place {
        let below = |folder: &Folder| {
            let inside = path.strip_prefix(&folder.path).ok()?;
            Some(Place::new(&folder.path, inside))
        };
        let found = self.0.iter().find_map(below);
        found.unwrap_or_else(|| Place::of(path))
    }

    /// The tree file that a path means. It may not be there; no link is on the way to it.
    ///
    /// # Errors
    /// Why the path means no file.
    pub fn find(&self, path: &str) -> Result<ResolvedPath, Failure> {
        self.find_file(path, &TREES)
    }

    /// The same of a file that has one of these endings.
    ///
    /// # Errors
    /// Why the path means no such file.
    pub fn find_file(&self, path: &str, endings: &[&str]) -> Result<ResolvedPath, Failure> {
        let meant = self.meant(path, endings)?;
        let refused = |why: door::Refusal| why.failure(format_args!("cannot use `{path}`"));
        meant.place.check().map_err(refused)?;
        Ok(meant)
    }

    /// The file that a path means, wherever its way leads.
    ///
    /// # Errors
    /// Why the path means no file.
    pub fn meant(&self, path: &str, endings: &[&str]) -> Result<ResolvedPath, Failure> {
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
        // With the separators of the machine.
        let inside: PathBuf = name.split('/').collect();
        Ok(ResolvedPath {
            place: Place::new(&folder.path, inside),
            name: name.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

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
            assert!(
                meant
                    .place
                    .path()
                    .starts_with(fs::canonicalize(&inside).unwrap())
            );
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
            "con.json",
            "NUL.json",
            "Aux.tree.json",
            "prn .json",
            "town/COM1.json",
            "lpt¹.bt",
            "com0/a.json",
            "CONOUT$.json",
        ] {
            assert!(folders.find(path).is_err(), "{path:?}");
        }
        assert!(
            folders
                .find("%2e%2e/secret.json")
                .unwrap()
                .place
                .path()
                .starts_with(fs::canonicalize(&inside).unwrap())
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_are_refused_wherever_they_lead() {
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
            "same.json",
            "own.json/a.json",
        ] {
            let why = folders.find(path).unwrap_err().message;
            let expected = ["is a link", "is no folder"].map(|said| why.contains(said));
            assert!(expected.contains(&true), "{path}: {why}");
        }
        assert!(folders.find("own.json").is_ok());
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
