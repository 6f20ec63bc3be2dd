//! The project's own settings: `.bt-studio.json` in the first opened folder, a file that a team commits.
//!
//! Each part of the studio has one key of it. What other keys say, and how they are written, stays as it is.

use std::collections::BTreeMap;

use bt_meta::text::edits::Edits;
use bt_meta::text::json::Json;
use bt_meta::text::splices::apply;
use bt_meta::text::style::{New, Style};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::door::{AsFailure as _, Place, Refusal};
use super::folders::Folders;

/// Its name. It begins with a dot, so it is no tree.
pub const FILE: &str = ".bt-studio.json";

/// The largest that is read or written, in bytes.
const LARGEST: usize = 4 << 20;

/// The file's text, and what it says.
type Read = (String, Map<String, Value>);

/// The project's own settings.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// None without a folder.
    file: Option<Place>,
    /// The values that are put while no file may be written, by key. They hold until the studio ends.
    own: BTreeMap<String, Value>,
    read_only: bool,
}

impl Settings {
    /// Those of the first folder. With `read_only`, what is put is kept in memory.
    pub fn of(folders: &Folders, read_only: bool) -> Settings {
        let folder = folders.all().first();
        Settings {
            file: folder.map(|folder| Place::new(&folder.path, FILE)),
            own: BTreeMap::new(),
            read_only,
        }
    }

    /// The value of a key in the file, as it is on the disk now; the default if there is no such key, or no
    /// file.
    ///
    /// # Errors
    /// Why the file, or what is under the key, cannot be read.
    pub fn get<T: DeserializeOwned + Default>(&self, key: &str) -> Result<T, String> {
        let value = match self.own.get(key).cloned() {
            Some(value) => Some(value),
            None => self.read()?.and_then(|(_, mut map)| map.remove(key)),
        };
        let Some(value) = value else {
            return Ok(T::default());
        };
        serde_json::from_value(value)
            .map_err(|error| format!("`{key}` in `{FILE}` is not what the studio writes: {error}"))
    }

    /// Writes a key; the rest of the file stays as it is.
    ///
    /// # Errors
    /// Why it cannot be written. A file that cannot be read is left alone.
    pub fn put<T: Serialize>(&mut self, key: &str, value: &T) -> Result<(), String> {
        let value = serde_json::to_value(value)
            .map_err(|error| format!("`{key}` cannot be written as JSON: {error}"))?;
        if self.read_only {
            self.own.insert(key.to_owned(), value);
            return Ok(());
        }
        let file = self.file.as_ref();
        let file = file.ok_or_else(|| format!("there is no folder for `{FILE}`"))?;
        let after = match self.read()? {
            None => format!(
                "{:#}\n",
                Value::from(Map::from_iter([(key.to_owned(), value)]))
            ),
            Some((text, _)) => {
                let json =
                    Json::read(&text).ok_or_else(|| format!("`{FILE}` cannot be read as JSON"))?;
                let style = Style::of(&json);
                let mut edits = Edits::of(&json, &style);
                match json.get(json.root(), key) {
                    Some(id) => edits.replace(id, New::from(&value)),
                    None => edits.add(json.root(), key, New::from(&value)),
                }
                apply(&text, &edits.splices())
            }
        };
        if after.len() > LARGEST {
            return Err(too_large());
        }
        let written = file.write(after.as_bytes());
        written.map_err(|why| why.unwritten(FILE).message)
    }

    /// The same where the file may be read-only, as a version control has it that locks files: then it holds until the
    /// studio ends.
    ///
    /// # Errors
    /// As of [`put`](Settings::put).
    pub fn put_or_hold<T: Serialize>(&mut self, key: &str, value: &T) -> Result<(), String> {
        let was_read_only = self.read_only;
        self.read_only = !self.writes();
        let put = self.put(key, value);
        self.read_only = was_read_only;
        put
    }

    /// Returns true if what is put is written.
    pub fn writes(&self) -> bool {
        let look = self.file.as_ref().map(Place::look);
        !self.read_only && !matches!(look, Some(Ok(look)) if look.read_only)
    }

    /// The file's text and what it says; none if there is none.
    fn read(&self) -> Result<Option<Read>, String> {
        let Some(file) = &self.file else {
            return Ok(None);
        };
        let text = match file.text(LARGEST as u64) {
            Ok(text) => text,
            Err(Refusal::Missing) => return Ok(None),
            Err(Refusal::Large(_)) => return Err(too_large()),
            Err(why) => return Err(why.unread(FILE).message),
        };
        let plain = text.strip_prefix('\u{feff}').unwrap_or(&text);
        if plain.trim().is_empty() {
            return Ok(None);
        }
        match serde_json::from_str(plain) {
            Ok(Value::Object(map)) => Ok(Some((text, map))),
            Ok(_) => Err(format!(
                "`{FILE}` has no object: expected `{{…}}` with a key for each setting"
            )),
            Err(error) => Err(format!(
                "`{FILE}` is no JSON: {error}; put it right, or remove it"
            )),
        }
    }
}

fn too_large() -> String {
    format!(
        "`{FILE}` would have more than {} MiB: remove what is not needed",
        LARGEST >> 20
    )
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;

    fn settings(read_only: bool) -> (tempfile::TempDir, PathBuf, Settings) {
        let dir = tempfile::tempdir().unwrap();
        let folders = Folders::open(&[dir.path().to_owned()]).unwrap();
        let file = dir.path().join(FILE);
        (dir, file, Settings::of(&folders, read_only))
    }

    #[test]
    fn a_key_is_written_and_the_rest_of_the_file_stays() {
        let (_dir, file, mut settings) = settings(false);
        assert_eq!(settings.get::<Vec<u32>>("numbers"), Ok(Vec::new()));
        settings.put("numbers", &[1, 2]).unwrap();
        assert_eq!(
            fs::read_to_string(&file).unwrap(),
            "{\n  \"numbers\": [\n    1,\n    2\n  ]\n}\n"
        );
        let own = "{\n    \"theirs\" : [1,2 , 3],\n    \"numbers\": [7]\n}";
        fs::write(&file, own).unwrap();
        settings.put("numbers", &[8]).unwrap();
        settings.put("word", &"new").unwrap();
        assert_eq!(
            fs::read_to_string(&file).unwrap(),
            "{\n    \"theirs\" : [1,2 , 3],\n    \"numbers\": [8],\n    \"word\" : \"new\"\n}"
        );
        assert_eq!(settings.get::<Vec<u32>>("numbers"), Ok(vec![8]));
    }

    #[test]
    fn read_only_settings_hold_and_write_no_file() {
        let (_dir, file, mut settings) = settings(true);
        fs::write(&file, r#"{"numbers": [1]}"#).unwrap();
        assert_eq!(settings.get::<Vec<u32>>("numbers"), Ok(vec![1]));
        settings.put("numbers", &[2]).unwrap();
        assert_eq!(settings.get::<Vec<u32>>("numbers"), Ok(vec![2]));
        assert_eq!(fs::read_to_string(&file).unwrap(), r#"{"numbers": [1]}"#);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_left_alone() {
        let (_dir, file, mut settings) = settings(false);
        let large = format!("\"{}\"", "é".repeat(LARGEST));
        for (text, why) in [
            ("{", "no JSON"),
            ("[]", "no object"),
            (large.as_str(), "more than 4 MiB"),
        ] {
            fs::write(&file, text).unwrap();
            assert!(settings.put("key", &1).unwrap_err().contains(why), "{why}");
            let read = settings.get::<u32>("key");
            assert!(read.unwrap_err().contains(why), "{why}");
            assert!(fs::read_to_string(&file).unwrap() == text, "{why}");
        }
        fs::write(&file, r#"{"key": "text"}"#).unwrap();
        let wrong = settings.get::<u32>("key").unwrap_err();
        assert!(wrong.contains("`key` in `.bt-studio.json`"), "{wrong}");
    }

    #[test]
    fn a_read_only_file_is_left_alone_and_what_may_be_held_is() {
        let (_dir, file, mut settings) = settings(false);
        fs::write(&file, r#"{"key": 1}"#).unwrap();
        let mut permissions = fs::metadata(&file).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&file, permissions).unwrap();
        let refused = settings.put("key", &2).unwrap_err();
        assert!(refused.contains("read-only on the disk"), "{refused}");
        assert_eq!(settings.get::<u32>("key"), Ok(1));
        settings.put_or_hold("key", &2).unwrap();
        assert!(!settings.writes());
        assert_eq!(settings.get::<u32>("key"), Ok(2));
        assert_eq!(fs::read_to_string(&file).unwrap(), r#"{"key": 1}"#);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_followed() {
        let (dir, file, mut settings) = settings(false);
        let other = tempfile::tempdir().unwrap();
        let secret = other.path().join("secret.json");
        fs::write(&secret, "{}").unwrap();
        std::os::unix::fs::symlink(&secret, &file).unwrap();
        assert!(settings.put("key", &1).unwrap_err().contains("is a link"));
        assert!(settings.get::<u32>("key").is_err());
        assert_eq!(fs::read_to_string(&secret).unwrap(), "{}");
        drop(dir);
    }
}
