//! Files replaced whole, and only where their content changed.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use crate::error::Error;
use crate::files;

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It was not there, or had other content.
    Written,
    /// It had this content already and was left alone.
    Unchanged,
}

/// Writes the files into a directory, which is made if it is not there.
///
/// All of them are on the disk under other names before the first is replaced, so a full disk leaves
/// every old file as it was. A file that has its content already keeps its time stamp.
///
/// # Errors
/// A failure that names the file or directory. Nothing half-written and no temporary file stays.
pub fn write(dir: &Path, files: &[files::File]) -> Result<Vec<Outcome>, Error> {
    write_through(dir, files, |file, text| file.write_all(text))
}

/// Writes one file, whole, wherever it is.
///
/// # Errors
/// A failure that names the file; it is as it was then.
pub fn write_one(path: &Path, text: &str) -> Result<Outcome, Error> {
    let fill: Fill = |file, text| file.write_all(text);
    let staged = stage(path, text.as_bytes(), fill).map_err(|error| cannot_write(path, &error))?;
    persist(staged)
}

type Fill = fn(&mut File, &[u8]) -> io::Result<()>;

fn write_through(dir: &Path, files: &[files::File], fill: Fill) -> Result<Vec<Outcome>, Error> {
    fs::create_dir_all(dir).map_err(|error| {
        Error::failure(format!(
            "cannot make the directory `{}`: {error}; choose another with `--out-dir`",
            dir.display()
        ))
    })?;
    let files = files
        .iter()
        .map(|file| (dir.join(file.name), file.text.as_bytes()));
    replace_through(files, fill)
}

/// Replaces files, in the manner of [`write()`]: none, or all of them.
///
/// # Errors
/// A failure that names the file. Nothing half-written and no temporary file stays.
pub fn replace<'t>(
    files: impl IntoIterator<Item = (PathBuf, &'t [u8])>,
) -> Result<Vec<Outcome>, Error> {
    replace_through(files, |file, text| file.write_all(text))
}

fn replace_through<'t>(
    files: impl IntoIterator<Item = (PathBuf, &'t [u8])>,
    fill: Fill,
) -> Result<Vec<Outcome>, Error> {
    let mut staged = Vec::new();
    for (path, text) in files {
        staged.push(stage(&path, text, fill).map_err(|e| cannot_write(&path, &e))?);
    }
    staged.into_iter().map(persist).collect()
}

/// Puts what is staged in its place.
fn persist(staged: Option<(TempPath, PathBuf)>) -> Result<Outcome, Error> {
    let Some((temporary, target)) = staged else {
        return Ok(Outcome::Unchanged);
    };
    let replaced = temporary.persist(&target);
    replaced.map_err(|error| cannot_write(&target, &error.error))?;
    Ok(Outcome::Written)
}

/// The new content beside the file that it will replace; none where the file has it already.
fn stage(path: &Path, text: &[u8], fill: Fill) -> io::Result<Option<(TempPath, PathBuf)>> {
    // A link stays a link: what it points to is replaced.
    let target = match fs::canonicalize(path) {
        Ok(target) => target,
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error),
    };
    let old = fs::metadata(&target).ok();
    if old.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "it is a directory",
        ));
    }
    if old.is_some() && fs::read(&target)? == text {
        return Ok(None);
    }
    let mut temporary = temporary_beside(&target)?;
    fill(temporary.as_file_mut(), text)?;
    temporary.as_file().sync_all()?;
    if let Some(old) = old {
        temporary.as_file().set_permissions(old.permissions())?;
    }
    Ok(Some((temporary.into_temp_path(), target)))
}

fn temporary_beside(target: &Path) -> io::Result<NamedTempFile> {
    let dir = target.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".bt-meta-").suffix(".tmp");
    // As other programs create files: the user's umask decides, not "for me alone".
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(dir)
}

fn cannot_write(path: &Path, error: &io::Error) -> Error {
    Error::failure(format!(
        "cannot write `{}`: {error}; no file was changed half-way",
        path.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(text: &str) -> Vec<files::File> {
        ["a.json", "b.json"]
            .map(|name| files::File {
                name,
                text: text.to_owned(),
                counts: String::new(),
            })
            .to_vec()
    }

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_with_its_content_already_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().join("new/ü x");
        assert_eq!(write(&dir, &files("1")).unwrap(), [Outcome::Written; 2]);
        let before = fs::metadata(dir.join("a.json"))
            .unwrap()
            .modified()
            .unwrap();
        assert_eq!(write(&dir, &files("1")).unwrap(), [Outcome::Unchanged; 2]);
        let after = fs::metadata(dir.join("a.json"))
            .unwrap()
            .modified()
            .unwrap();
        assert_eq!(before, after);
        fs::write(dir.join("b.json"), "2").unwrap();
        let outcomes = write(&dir, &files("1")).unwrap();
        assert_eq!(outcomes, [Outcome::Unchanged, Outcome::Written]);
        assert_eq!(names(&dir), ["a.json", "b.json"]);
    }

    #[test]
    fn a_disk_that_is_full_half_way_leaves_every_old_file_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), &files("old")).unwrap();
        let full: Fill = |file, text| {
            file.write_all(&text[..1])?;
            if text == b"second" {
                return Err(io::ErrorKind::StorageFull.into());
            }
            file.write_all(&text[1..])
        };
        let mut new = files("first");
        new[1].text = "second".to_owned();
        let error = write_through(dir.path(), &new, full).unwrap_err();
        assert!(error.to_string().contains("b.json"), "{error}");
        assert_eq!(error.exit_code(), 2);
        assert_eq!(names(dir.path()), ["a.json", "b.json"]);
        assert_eq!(fs::read(dir.path().join("a.json")).unwrap(), b"old");
        assert_eq!(fs::read(dir.path().join("b.json")).unwrap(), b"old");
    }

    #[test]
    fn a_file_where_a_directory_should_be_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let taken = dir.path().join("taken");
        fs::write(&taken, "").unwrap();
        for out in [taken.clone(), taken.join("below")] {
            let error = write(&out, &files("1")).unwrap_err();
            assert!(
                error.to_string().contains(&*out.to_string_lossy()),
                "{error}"
            );
        }
    }

    #[test]
    fn a_directory_where_a_file_should_be_is_named_and_nothing_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("b.json")).unwrap();
        let error = write(dir.path(), &files("1")).unwrap_err();
        assert!(error.to_string().contains("b.json"), "{error}");
        assert_eq!(names(dir.path()), ["b.json"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_mode_stays_as_it_was() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let dir = tempfile::tempdir().unwrap();
        let real = dir.path().join("real.json");
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real.json", dir.path().join("a.json")).unwrap();
        write(dir.path(), &files("new")).unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(
            fs::metadata(&real).unwrap().permissions().mode() & 0o777,
            0o640
        );
        assert!(
            fs::symlink_metadata(dir.path().join("a.json"))
                .unwrap()
                .is_symlink()
        );
    }
}
