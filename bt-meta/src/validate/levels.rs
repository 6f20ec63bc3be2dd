//! `bt-meta.toml`: how much each code matters, and which trees the host starts.

use std::collections::BTreeMap;
use std::path::Path;

use bt_core::tree::{Code, Level};
use serde::Deserialize;

use crate::error::{Error, did_you_mean};

/// The setting of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Setting {
    /// Nothing is said.
    Allow,
    /// It is a warning.
    Warn,
    /// It is an error.
    Deny,
}

/// The level of each code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Levels {
    all_warnings: Option<Setting>,
    of: BTreeMap<Code, Setting>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    levels: BTreeMap<String, Setting>,
    #[serde(default)]
    trees: Trees,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Trees {
    #[serde(default)]
    start: Vec<String>,
}

/// Reads a `bt-meta.toml`: the levels, and the trees that the host starts.
///
/// ```toml
/// [levels]
/// warnings = "deny"        # all of them
/// unset-key = "allow"      # by name, or by number: BT0062
///
/// [trees]
/// start = ["hunt.json", "patrol.json"]
/// ```
///
/// # Errors
/// A failure if the text is of another form, names no code, or allows an error.
pub fn read(path: &Path, text: &str) -> Result<(Levels, Vec<String>), Error> {
    let wrong = |why: &str| Error::failure(format!("{}: {why}", path.display()));
    let file: File = toml::from_str(text).map_err(|error| wrong(error.to_string().trim()))?;
    let mut levels = Levels::default();
    for (name, setting) in &file.levels {
        levels.set(name, *setting).map_err(|why| wrong(&why))?;
    }
    Ok((levels, file.trees.start))
}

impl Levels {
    /// Sets one code, or with `warnings` all that are warnings by themselves.
    ///
    /// # Errors
    /// Why that cannot be.
    pub fn set(&mut self, name: &str, setting: Setting) -> Result<(), String> {
        if name == "warnings" {
            self.all_warnings = Some(setting);
            return Ok(());
        }
        let code: Code = name.parse().map_err(|error| format!("{error}"))?;
        if code.level() == Level::Error && setting != Setting::Deny {
            return Err(format!(
                "`{}` is an error, which the runtime refuses; only warnings are allowed",
                code.name()
            ));
        }
        self.of.insert(code, setting);
        Ok(())
    }

    /// The level of a code; none if nothing is to be said of it.
    pub fn of(&self, code: Code) -> Option<Level> {
        let all = match code.level() {
            Level::Warning => self.all_warnings,
            Level::Error => None,
        };
        let all = all.filter(|_| !code.is_off());
        match self.of.get(&code).copied().or(all) {
            None if code.is_off() => None,
            None => Some(code.level()),
            Some(Setting::Allow) => None,
            Some(Setting::Warn) => Some(Level::Warning),
            Some(Setting::Deny) => Some(Level::Error),
        }
    }
}

/// A code by its number, in large or small letters, or its name; with the nearest name if there is none.
///
/// # Errors
/// A failure.
pub fn code(text: &str) -> Result<Code, Error> {
    text.parse().map_err(|_| {
        let names = Code::ALL.iter().map(|code| code.name());
        let near = did_you_mean(text, names);
        let near = near.unwrap_or_else(|| "`bt-meta explain --list` lists all of them".to_owned());
        Error::failure(format!("no problem has the code or name `{text}`; {near}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Levels, String> {
        let read = super::read(Path::new("bt-meta.toml"), text);
        read.map(|(levels, _)| levels)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn one_code_goes_before_all_warnings() {
        let levels = read("[levels]\nwarnings = \"deny\"\nrenamed = \"warn\"\nBT0051 = \"allow\"");
        let levels = levels.unwrap();
        assert_eq!(levels.of(Code::UnknownEvent), Some(Level::Error));
        assert_eq!(levels.of(Code::Renamed), Some(Level::Warning));
        assert_eq!(levels.of(Code::Deprecated), None);
        assert_eq!(levels.of(Code::UnknownAction), Some(Level::Error));
        // What is off is asked for by its name, and by nothing else.
        assert_eq!(levels.of(Code::OriginalEditor), None);
        let levels = read("[levels]\noriginal-editor = \"warn\"").unwrap();
        assert_eq!(levels.of(Code::OriginalEditor), Some(Level::Warning));
    }

    #[test]
    fn level_of_an_error_or_unknown_code_is_refused() {
        for (text, why) in [
            (
                "[levels]\nunknown-action = \"allow\"",
                "`unknown-action` is an error",
            ),
            ("[levels]\nrenmaed = \"warn\"", "did you mean `renamed`?"),
            ("[levels]\nrenamed = \"off\"", "expected one of"),
            ("[level]\n", "unknown field `level`"),
            ("[levels", "bt-meta.toml: TOML parse error at line 1"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }
}
