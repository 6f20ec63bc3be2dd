//! A crate to start from: one agent, one tree, a program that runs it, and a test of both.
//!
//! Its files are those of the folder `template`: a crate that is called `my-game` there.

mod dependency;
mod name;
mod surroundings;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dependency::Dependency;
pub(crate) use name::KEYWORDS;
use surroundings::Surroundings;

use crate::error::Error;

/// A file of the template: where it goes in the crate, and what is in it.
type Template = (&'static str, &'static str);

const TEMPLATES: [Template; 10] = [
    // Cargo takes a folder with a `Cargo.toml` for a package of its own, and packs none into another.
    ("Cargo.toml", include_str!("../../template/Cargo.toml.in")),
    (".gitignore", include_str!("../../template/gitignore")),
    ("src/lib.rs", include_str!("../../template/src/lib.rs")),
    ("src/main.rs", include_str!("../../template/src/main.rs")),
    ("src/guard.rs", include_str!("../../template/src/guard.rs")),
    (
        "tests/meta.rs",
        include_str!("../../template/tests/meta.rs"),
    ),
    (
        "trees/rounds.json",
        include_str!("../../template/trees/rounds.json"),
    ),
    (
        "trees/noise.scenario.toml",
        include_str!("../../template/trees/noise.scenario.toml"),
    ),
    (
        "trees/tired.scenario.toml",
        include_str!("../../template/trees/tired.scenario.toml"),
    ),
    (
        "trees/unreachable.scenario.toml",
        include_str!("../../template/trees/unreachable.scenario.toml"),
    ),
];

/// The name and the folder of a new crate, and the bt-core that it depends on.
#[derive(Debug, Clone)]
pub struct Starter {
    /// The package's name, as cargo takes it.
    pub name: String,
    /// Its folder; none for one of its name in the current folder.
    pub folder: Option<PathBuf>,
    /// A checkout of this repository to depend on; none for the one that bt-meta was built from if that
    /// is still there, and else for its version.
    pub bt: Option<PathBuf>,
    /// The address of a repository to depend on in place of a checkout, as cargo takes it.
    pub git: Option<String>,
}

/// The result of making a crate.
#[derive(Debug)]
pub struct Made {
    /// Its folder, as it was named.
    pub folder: PathBuf,
    /// Its files, relative to the folder.
    pub files: Vec<&'static str>,
    /// A note about the workspace around it.
    pub note: Option<String>,
}

impl Starter {
    /// Makes the crate.
    ///
    /// # Errors
    /// A failure if the name is none that cargo and Rust take, the folder is there and not empty, there
    /// is no bt-core where it was said to be, or a file cannot be written. Nothing stays then.
    pub fn make(&self) -> Result<Made, Error> {
        name::check(&self.name)?;
        let folder = self.folder.clone();
        let folder = folder.unwrap_or_else(|| PathBuf::from(&self.name));
        let was_there = refuse_used(&folder)?;
        let dependency = Dependency::find(self.git.as_deref(), self.bt.as_deref())?;
        self.fill_or_leave(&folder, &dependency, was_there)
    }

    /// Fills the folder, or leaves it as it was.
    fn fill_or_leave(
        &self,
        folder: &Path,
        dependency: &Dependency,
        was_there: bool,
    ) -> Result<Made, Error> {
        let made = self.fill(folder, dependency);
        if made.is_err() {
            take_back(folder, was_there);
        }
        made
    }

    fn fill(&self, folder: &Path, dependency: &Dependency) -> Result<Made, Error> {
        fs::create_dir_all(folder).map_err(|error| cannot_make(folder, &error))?;
        let bt_core = dependency.seen_from(folder);
        for (file, template) in TEMPLATES {
            write(&folder.join(file), &self.text(template, &bt_core))?;
        }
        let manifest = folder.join("Cargo.toml");
        let surroundings = Surroundings::of(folder, &manifest);
        if let Some(table) = surroundings.table(&self.name) {
            let text = fs::read_to_string(&manifest).unwrap_or_default();
            write(&manifest, &(text + &table))?;
        }
        Ok(Made {
            folder: folder.to_owned(),
            files: TEMPLATES.map(|(file, _)| file).to_vec(),
            note: surroundings.note(&self.name),
        })
    }

    /// A template with the crate's own name, and what it depends on.
    fn text(&self, template: &str, bt_core: &str) -> String {
        template
            .replace("my-game", &self.name)
            .replace("my_game", &self.name.replace('-', "_"))
            .replace("{{bt-core}}", bt_core)
            .replace("{{bt-core-dynamic}}", &with_feature(bt_core, "dynamic"))
    }
}

/// The text behind a dependency's name, with a feature.
fn with_feature(dependency: &str, feature: &str) -> String {
    let parts = match dependency.strip_prefix("{ ") {
        Some(parts) => parts.trim_end_matches(" }").to_owned(),
        None => format!("version = {dependency}"),
    };
    format!("{{ {parts}, features = [\"{feature}\"] }}")
}

/// Returns true if the folder exists; it is an error if it is not empty.
fn refuse_used(folder: &Path) -> Result<bool, Error> {
    let mut entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(cannot_make(folder, &error)),
    };
    let shown = folder.display();
    match entries.next() {
        None => Ok(true),
        Some(_) => Err(Error::failure(format!(
            "the folder `{shown}` is there and not empty: name another with `--path`"
        ))),
    }
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| Error::failure(format!("cannot write `{}`: {error}", path.display())))
}

fn cannot_make(folder: &Path, error: &io::Error) -> Error {
    let shown = folder.display();
    Error::failure(format!(
        "cannot make the folder `{shown}`: {error}; name another with `--path`"
    ))
}

/// Takes away what was made. Errors are passed over: the first one is reported.
fn take_back(folder: &Path, was_there: bool) {
    for (file, _) in TEMPLATES {
        let _ = fs::remove_file(folder.join(file));
    }
    for below in ["src", "tests", "trees"] {
        let _ = fs::remove_dir(folder.join(below));
    }
    if !was_there {
        let _ = fs::remove_dir(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_written_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("game");
        let starter = Starter {
            name: "game".to_owned(),
            folder: None,
            bt: None,
            git: None,
        };
        // Somebody made a file there, after the look and before the write.
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("trees"), "").unwrap();
        let dependency = Dependency::Version("1.0.0");
        let made = starter.fill_or_leave(&folder, &dependency, false);
        let error = made.unwrap_err().to_string();
        assert!(error.contains("rounds.json"), "{error}");
        let left = fs::read_dir(&folder).unwrap();
        let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["trees"]);
    }

    #[test]
    fn no_template_is_left_out() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("template");
        let mut folders = vec![folder];
        let mut files = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                match entry.file_type().unwrap().is_dir() {
                    true => folders.push(entry.path()),
                    false => files += 1,
                }
            }
        }
        assert_eq!(files, TEMPLATES.len());
    }
}
