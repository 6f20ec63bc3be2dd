//! The files of an import: those that are named, those of a folder, and those that they include.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::xml::{self, Element, MAX_BYTES};
use crate::error::Error;
use crate::import::problem::{Level, Place, Problem};

/// The greatest number of files that are read.
const MAX_FILES: usize = 10_000;

/// A file that was read.
#[derive(Debug)]
pub(super) struct Source {
    /// Its name without its ending.
    pub(super) stem: String,
    pub(super) root: Element,
    /// The files that it includes.
    includes: Vec<usize>,
}

/// All that was read.
#[derive(Debug, Default)]
pub(super) struct Files {
    pub(super) sources: Vec<Source>,
    pub(super) problems: Vec<Problem>,
    by_path: BTreeMap<PathBuf, Option<usize>>,
    base: PathBuf,
    /// The paths that include one another, the outermost first.
    open: Vec<PathBuf>,
}

/// Reads a file with what it includes, or a folder.
pub(super) fn read(path: &Path) -> Result<Files, Error> {
    let cannot = |error| Error::failure(format!("cannot read {}: {error}", path.display()));
    let is_folder = fs::metadata(path).map_err(cannot)?.is_dir();
    let base = match path.parent() {
        _ if is_folder => path,
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut files = Files {
        base: fs::canonicalize(base).map_err(cannot)?,
        ..Files::default()
    };
    if !is_folder {
        files
            .file(path, &path.display().to_string())
            .map_err(Error::finding)?;
        return Ok(files);
    }
    let mut faults = Vec::new();
    for found in below(path)? {
        match files.file(&found, &found.display().to_string()) {
            Ok(_) => {}
            Err(fault) if fault.contains(NO_ROOT) => {}
            Err(fault) => faults.push(fault),
        }
    }
    match (files.sources.is_empty(), faults.is_empty()) {
        (_, false) => Err(Error::findings(faults)),
        (true, true) => {
            let message = format!("{} holds no tree of BehaviorTree.CPP", path.display());
            Err(Error::finding(format!(
                "{message}: no XML file in it begins with `<root>`"
            )))
        }
        (false, true) => Ok(files),
    }
}

/// All XML files of a folder, sorted. Links are not followed.
fn below(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let (mut found, mut next) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = next.pop() {
        let cannot = |error| Error::failure(format!("cannot read {}: {error}", folder.display()));
        for entry in fs::read_dir(&folder).map_err(cannot)? {
            let entry = entry.map_err(cannot)?;
            let (kind, path) = (entry.file_type().map_err(cannot)?, entry.path());
            if kind.is_dir() {
                next.push(path);
            } else if kind.is_file()
                && path
                    .extension()
                    .is_some_and(|ending| ending.eq_ignore_ascii_case("xml"))
            {
                found.push(path);
            }
        }
        if found.len() + next.len() > MAX_FILES {
            let message = format!("{} holds more than {MAX_FILES} files", folder.display());
            return Err(Error::failure(format!(
                "{message}: import its folders one by one"
            )));
        }
    }
    found.sort();
    Ok(found)
}

/// In the message about an XML file that is of something else.
const NO_ROOT: &str = "the outermost element is not `<root>`";

impl Files {
    /// Reads a file and what it includes; its number, or why it cannot be read.
    fn file(&mut self, path: &Path, shown: &str) -> Result<usize, String> {
        let real =
            fs::canonicalize(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
        if !real.is_file() {
            return Err(format!(
                "{shown} is no file: a pipe or a device is not read"
            ));
        }
        if let Some(Some(known)) = self.by_path.get(&real) {
            return Ok(*known);
        }
        self.by_path.insert(real.clone(), None);
        let text = text(&real).map_err(|error| format!("{shown}: {error}"))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let root = xml::read(shown, text)
            .map_err(|(place, message, help)| format!("{place}: {message}\n  help: {help}"))?;
        if root.name != "root" {
            return Err(format!(
                "{}: {NO_ROOT} but `<{}>`: it is no file of BehaviorTree.CPP",
                root.place, root.name
            ));
        }
        self.open.push(real.clone());
        let includes = root
            .named("include")
            .filter_map(|include| self.include(include, &real))
            .collect();
        self.open.pop();
        let stem = real
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        self.sources.push(Source {
            stem,
            root,
            includes,
        });
        let number = self.sources.len() - 1;
        self.by_path.insert(real, Some(number));
        Ok(number)
    }

    fn include(&mut self, include: &Element, from: &Path) -> Option<usize> {
        let Some(path) = include.attribute("path") else {
            self.lost(
                &include.place,
                "`<include>` has no `path`".to_owned(),
                "name the file",
            );
            return None;
        };
        let place = path.place.clone();
        if let Some(package) = include.get("ros_pkg") {
            let message = format!(
                "`{}` is in the ROS package `{package}`, which is not searched",
                path.value
            );
            self.lost(
                &place,
                message,
                "copy the file into the folder and take `ros_pkg` out",
            );
            return None;
        }
        let folder = from.parent().unwrap_or(from);
        let shown = folder.join(&path.value);
        let Ok(real) = fs::canonicalize(&shown) else {
            self.lost(
                &place,
                format!("there is no file `{}`", path.value),
                "correct the path",
            );
            return None;
        };
        if !real.starts_with(&self.base) {
            let message = format!("`{}` is outside the folder that is imported", path.value);
            self.lost(&place, message, "import the folder around both");
            return None;
        }
        if self.open.contains(&real) {
            let names: Vec<_> = self
                .open
                .iter()
                .chain([&real])
                .filter_map(|path| path.file_name())
                .collect();
            let names: Vec<_> = names.iter().map(|name| name.to_string_lossy()).collect();
            let message = format!(
                "files include one another in a circle: {}",
                names.join(" includes ")
            );
            self.lost(&place, message, "take this include out");
            return None;
        }
        let relative = real
            .strip_prefix(&self.base)
            .unwrap_or(&real)
            .display()
            .to_string();
        match self.file(&real, &relative) {
            Ok(number) => Some(number),
            Err(fault) => {
                self.lost(
                    &place,
                    format!("the included file cannot be read: {fault}"),
                    "correct it",
                );
                None
            }
        }
    }

    fn lost(&mut self, place: &Place, message: String, help: &str) {
        let place = place.clone();
        self.problems.push(Problem {
            place,
            level: Level::Loss,
            message,
            help: help.to_owned(),
        });
    }

    /// The elements `BehaviorTree`, each with its file.
    pub(super) fn trees(&self) -> impl Iterator<Item = (usize, &Element)> {
        let all = self.sources.iter().enumerate();
        all.flat_map(|(at, source)| {
            source
                .root
                .named("BehaviorTree")
                .map(move |tree| (at, tree))
        })
    }

    /// The tree of an `ID` as a file sees it: its own, one that it includes, or the only one of all.
    pub(super) fn tree(&self, from: usize, id: &str) -> Option<(usize, &Element)> {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(at) = next.pop() {
            if !seen.insert(at) {
                continue;
            }
            let source = &self.sources[at];
            let is_it = |tree: &&Element| tree.get("ID") == Some(id);
            // The last of a name is the one that counts.
            if let Some(tree) = source.root.named("BehaviorTree").filter(is_it).last() {
                return Some((at, tree));
            }
            next.extend(source.includes.iter().rev());
        }
        let mut all = self.trees().filter(|(_, tree)| tree.get("ID") == Some(id));
        match (all.next(), all.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }
}

fn text(path: &Path) -> Result<String, String> {
    let too_large = format!(
        "it is larger than {} MiB; split it into several files",
        MAX_BYTES >> 20
    );
    let file = File::open(path).map_err(|error| format!("it cannot be read: {error}"))?;
    let mut bytes = Vec::new();
    let most = MAX_BYTES as u64 + 1;
    file.take(most)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("it cannot be read: {error}"))?;
    if bytes.len() > MAX_BYTES {
        return Err(too_large);
    }
    let at = |error: std::string::FromUtf8Error| {
        format!(
            "it is not UTF-8 (byte {})",
            error.utf8_error().valid_up_to()
        )
    };
    String::from_utf8(bytes).map_err(at)
}
