//! The scenarios and the trees of a folder.

use std::path::{Path, PathBuf};

use bt_core::TreeAsset;
use bt_core::scenario::{Scenario, ScenarioProblem};
use bt_core::tree::by_either_name;

use crate::error::Error;
use crate::validate::input::{Input, below, inputs, parts};

/// The end of a scenario's name.
const ENDING: &str = ".scenario.toml";

/// The number of scenarios that are played at once.
const MOST: usize = 100_000;

/// The files that are in a folder.
pub(super) struct Found {
    /// The trees that can be read.
    pub(super) trees: Vec<TreeAsset>,
    /// The names of those that cannot, and why.
    pub(super) broken: Vec<(String, String)>,
    pub(super) scenarios: Vec<File>,
}

/// A scenario's file.
pub(super) struct File {
    /// As messages name it.
    pub(super) shown: String,
    pub(super) read: Result<Scenario, Vec<ScenarioProblem>>,
}

/// Reads the trees and the scenarios below a folder, or one scenario and the trees below its folder.
pub(super) fn read(path: &Path) -> Result<Found, Error> {
    let one = path.is_file();
    let folder = match path.parent() {
        Some(above) if one && above.as_os_str().is_empty() => Path::new("."),
        Some(above) if one => above,
        Some(_) | None => path,
    };
    if one && !path.to_string_lossy().ends_with(ENDING) {
        let path = path.display();
        return Err(Error::failure(format!(
            "{path} is no scenario: expected a folder, or a file `*{ENDING}`"
        )));
    }
    let files = match one {
        true => vec![path.to_owned()],
        false => below(folder, &[ENDING])?,
    };
    if files.is_empty() {
        let folder = folder.display();
        return Err(Error::failure(format!(
            "no `*{ENDING}` file is below {folder}"
        )));
    }
    if files.len() > MOST {
        let why = format!(
            "{} scenarios are below one folder, at most {MOST} are played",
            files.len()
        );
        return Err(Error::failure(why));
    }
    let scenario = |path: PathBuf| {
        let name = parts(path.strip_prefix(folder).unwrap_or(&path));
        Input::new(name, path)
    };
    let scenarios: Vec<_> = files.into_iter().map(scenario).collect();
    of(&inputs(&[folder.to_owned()])?, &scenarios)
}

/// Reads trees and scenarios.
pub(super) fn of(trees: &[Input], scenarios: &[Input]) -> Result<Found, Error> {
    let mut found = Found {
        trees: Vec::new(),
        broken: Vec::new(),
        scenarios: Vec::new(),
    };
    for input in trees {
        match TreeAsset::from_slice(&input.name, &input.read()?) {
            Ok(tree) => found.trees.push(tree),
            Err(error) => {
                let first = error.problems().first();
                let first = first.map(ToString::to_string).unwrap_or_default();
                found.broken.push((input.name.clone(), first));
            }
        }
    }
    for input in scenarios {
        let file = found.scenario(&input.name, input)?;
        found.scenarios.push(file);
    }
    Ok(found)
}

impl Found {
    fn scenario(&self, name: &str, input: &Input) -> Result<File, Error> {
        let shown = input.shown();
        let read = match String::from_utf8(input.read()?) {
            Ok(text) => match Scenario::from_toml(&shown, &text) {
                Ok(scenario) => self.placed(name, scenario),
                Err(error) => Err(error.problems().to_vec()),
            },
            Err(_) => Err(problem("the file is not UTF-8".to_owned())),
        };
        Ok(File { shown, read })
    }

    /// A scenario whose tree has its name in the folder: a path from the scenario's own folder comes first.
    fn placed(&self, name: &str, scenario: Scenario) -> Result<Scenario, Vec<ScenarioProblem>> {
        let wanted = &*scenario.tree().to_owned();
        let is_outside = wanted.starts_with('/')
            || wanted.contains('\\')
            || wanted.split('/').any(|part| part == "..");
        if is_outside {
            let why = "`tree` is a path from the scenario's folder down: no `..`, no `\\`, no `/` at its beginning";
            return Err(problem(why.to_owned()));
        }
        let beside = match name.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/{wanted}"),
            None => wanted.to_owned(),
        };
        for name in [beside.as_str(), wanted] {
            if let Some((broken, why)) = self.broken.iter().find(|(broken, _)| broken == name) {
                let why = format!("{broken} is no tree: {why}; `bt-meta validate` says everything");
                return Err(problem(why));
            }
            if let Some(tree) = self.tree(name) {
                let name = tree.name().to_owned();
                return Ok(scenario.with_tree(name));
            }
        }
        // Whoever checks it says which names come near.
        Ok(scenario)
    }

    pub(super) fn tree(&self, name: &str) -> Option<&TreeAsset> {
        by_either_name(name, |name| {
            self.trees.iter().find(|tree| tree.name() == name)
        })
    }
}

/// A problem of a whole file.
pub(super) fn problem(message: String) -> Vec<ScenarioProblem> {
    vec![ScenarioProblem {
        line: 1,
        column: 1,
        message,
    }]
}
