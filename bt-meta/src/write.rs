//! Files replaced whole, and only where their content changed.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use crate::error::{Error, count};
use crate::files;

/// The fate of a file.
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
    Ok(replace([(path.to_owned(), text.as_bytes())])?[0])
}

type Fill = fn(&mut File, &[u8]) -> io::Result<()>;

fn write_through(dir: &Path, files: &[files::File], fill: Fill) -> Result<Vec<Outcome>, Error> {
    make_folder(dir, "choose another")?;
    let files = files
        .iter()
        .map(|file| (dir.join(file.name), file.text.as_bytes()));
    replace_through(files, fill)
}

/// Makes a directory and those around it; `instead` says what to do where that cannot be.
///
/// # Errors
/// A failure that names it.
pub(crate) fn make_folder(dir: &Path, instead: &str) -> Result<(), Error> {
    fs::create_dir_all(dir).map_err(|error| {
        Error::failure(format!(
            "cannot make the directory `{}`: {error}; {instead}",
            dir.display()
        ))
    })
}

/// Refuses to replace files that are there with another text, which somebody may have edited; `instead` says what to do.
///
/// # Errors
/// A failure that names the first.
pub(crate) fn refuse_edited<'t>(
    files: impl IntoIterator<Item = (&'t Path, &'t str)>,
    instead: &str,
) -> Result<(), Error> {
    // What cannot be read is refused where it is written.
    let is_other = |(path, text): &(&Path, &str)| {
        path.is_file() && fs::read(path).is_ok_and(|found| found != text.as_bytes())
    };
    let edited: Vec<_> = files.into_iter().filter(is_other).collect();
    let Some(((first, _), more)) = edited.split_first() else {
        return Ok(());
    };
    let others = match more.len() {
        0 => String::new(),
        1 => ", as 1 other file is".to_owned(),
        more => format!(", as {} are", count(more, "other file")),
    };
    Err(Error::failure(format!(
        "{} is there already with another text{others}, which may have been edited: {instead}; nothing was written",
        first.display()
    )))
}

/// Replaces files, in the manner of [`write()`]: none, or all of them. What is no file, such as a device
/// or a pipe, is written to.
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
    let mut folders = Folders::default();
    let mut staged = Vec::new();
    for (path, text) in files {
        let new = stage(&path, text, fill, &mut folders);
        staged.push(new.map_err(|error| cannot_write(&path, &error))?);
    }
    staged.into_iter().map(persist).collect()
}

/// The new content of a file, before the file is changed.
#[derive(Debug)]
enum Staged<'t> {
    /// The file has it already.
    Unchanged,
    /// It lies beside the file that it will replace.
    Beside(TempPath, PathBuf),
    /// A target that is not a file cannot be replaced: it is written to.
    Through(PathBuf, &'t [u8]),
}

/// Puts what is staged in its place.
fn persist(staged: Staged<'_>) -> Result<Outcome, Error> {
    let (path, result) = match staged {
        Staged::Unchanged => return Ok(Outcome::Unchanged),
        Staged::Beside(temporary, target) => {
            let replaced = temporary.persist(&target);
            (target, replaced.map_err(|error| error.error))
        }
        Staged::Through(path, text) => {
            let opened = OpenOptions::new().write(true).open(&path);
            let result = opened.and_then(|mut file| file.write_all(text));
            (path, result)
        }
    };
    result.map_err(|error| cannot_write(&path, &error))?;
    Ok(Outcome::Written)
}

fn stage<'t>(
    path: &Path,
    text: &'t [u8],
    fill: Fill,
    folders: &mut Folders,
) -> io::Result<Staged<'t>> {
    let old = match fs::metadata(path) {
        Ok(old) if old.is_dir() => {
            let why = "it is a directory";
            return Err(io::Error::new(io::ErrorKind::IsADirectory, why));
        }
        Ok(old) if !old.is_file() => return Ok(Staged::Through(path.to_owned(), text)),
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    // A link stays a link: what it points to is replaced, or made.
    let target = match &old {
        Some(_) => fs::canonicalize(path)?,
        None => pointed_to(path),
    };
    let is_as_long = |old: &fs::Metadata| old.len() == text.len() as u64;
    if old.as_ref().is_some_and(is_as_long) && fs::read(&target)? == text {
        return Ok(Staged::Unchanged);
    }
    let mut temporary = folders.temporary_beside(&target)?;
    fill(temporary.as_file_mut(), text)?;
    temporary.as_file().sync_all()?;
    if let Some(old) = old {
        temporary.as_file().set_permissions(old.permissions())?;
    }
    // Closed: there may be more of them than a process may have open.
    Ok(Staged::Beside(temporary.into_temp_path(), target))
}

/// The target of a link that points to nothing yet; the path itself if it is not a link.
fn pointed_to(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..40 {
        let Ok(next) = fs::read_link(&path) else {
            break;
        };
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    path
}

const PREFIX: &str = ".bt-meta-";
const TEMPORARY: &str = ".tmp";
const LOCK: &str = ".lock";

/// The directories that are written to, each with a file that is locked as long as files of this run lie
/// there: others leave these alone then.
#[derive(Debug, Default)]
struct Folders(BTreeMap<PathBuf, NamedTempFile>);

impl Folders {
    /// A new file in the directory of another one. Its name begins as that of the directory's lock.
    fn temporary_beside(&mut self, target: &Path) -> io::Result<NamedTempFile> {
        let dir = match target.parent() {
            Some(dir) if !dir.as_os_str().is_empty() => dir,
            _ => Path::new("."),
        };
        if !self.0.contains_key(dir) {
            remove_abandoned(dir);
            self.0.insert(dir.to_owned(), locked(dir)?);
        }
        let lock = self.0[dir].path().file_stem().unwrap_or_default();
        let prefix = format!("{}-", lock.to_string_lossy());
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(TEMPORARY);
        // As other programs create files: the user's umask decides, not "for me alone".
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        builder.tempfile_in(dir)
    }
}

/// A new file that is locked.
fn locked(dir: &Path) -> io::Result<NamedTempFile> {
    loop {
        let mut builder = tempfile::Builder::new();
        let file = builder.prefix(PREFIX).suffix(LOCK).tempfile_in(dir)?;
        // Not all file systems have locks. Where there are none, nobody takes it for abandoned.
        let _ = file.as_file().lock();
        // Before it was locked somebody may have taken it for abandoned.
        if file.path().exists() {
            return Ok(file);
        }
    }
}

/// Removes what a program left behind that was killed: files whose lock nobody holds. What cannot be
/// removed stays.
fn remove_abandoned(dir: &Path) {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut runs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in names {
        let ours = name.strip_prefix(PREFIX);
        if let Some(rest) = ours.filter(|rest| rest.ends_with(TEMPORARY) || rest.ends_with(LOCK)) {
            let run = rest.split(['-', '.']).next().unwrap_or_default();
            runs.entry(run.to_owned()).or_default().push(name);
        }
    }
    for (run, mut names) in runs {
        let lock = format!("{PREFIX}{run}{LOCK}");
        let held = match File::options().write(true).open(dir.join(&lock)) {
            Ok(file) if file.try_lock().is_ok() => Some(file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            _ => continue,
        };
        // The lock last, and it is held until then.
        names.sort_by_key(|name| *name == lock);
        for name in names {
            let _ = fs::remove_file(dir.join(name));
        }
        drop(held);
    }
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

    #[test]
    fn export_removes_temporary_files_of_a_killed_export() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["abc123.tmp", "abc123-4.tmp", "def456.lock", "def456-7.tmp"] {
            fs::write(dir.path().join(format!("{PREFIX}{name}")), "half").unwrap();
        }
        write(dir.path(), &files("1")).unwrap();
        assert_eq!(names(dir.path()), ["a.json", "b.json"]);
    }

    #[test]
    fn what_another_run_is_about_to_put_in_place_stays() {
        let dir = tempfile::tempdir().unwrap();
        let mut other = Folders::default();
        let target = dir.path().join("other.json");
        let staged = stage(&target, b"2", |file, text| file.write_all(text), &mut other).unwrap();
        write(dir.path(), &files("1")).unwrap();
        assert_eq!(persist(staged).unwrap(), Outcome::Written);
        drop(other);
        assert_eq!(names(dir.path()), ["a.json", "b.json", "other.json"]);
    }

    #[test]
    fn runs_at_the_same_time_leave_each_others_files_alone() {
        let dir = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for run in 0..8 {
                let dir = dir.path();
                scope.spawn(move || {
                    for at in 0..50 {
                        let path = dir.join(format!("{run}-{}.json", at % 5));
                        write_one(&path, &at.to_string()).unwrap();
                    }
                });
            }
        });
        assert_eq!(names(dir.path()).len(), 8 * 5);
    }

    /// A process may have 1,024 files open on most systems.
    #[cfg(target_os = "linux")]
    #[test]
    fn many_files_are_replaced_with_few_of_them_open() {
        let dir = tempfile::tempdir().unwrap();
        let open = || fs::read_dir("/proc/self/fd").unwrap().count();
        let mut folders = Folders::default();
        let before = open();
        let staged: Vec<_> = (0..500)
            .map(|at| {
                let target = dir.path().join(format!("{at}.json"));
                stage(
                    &target,
                    b"x",
                    |file, text| file.write_all(text),
                    &mut folders,
                )
                .unwrap()
            })
            .collect();
        // Other tests have files open too.
        assert!(open() < before + 100, "{} open", open() - before);
        let all: Result<Vec<_>, _> = staged.into_iter().map(persist).collect();
        all.unwrap();
        drop(folders);
        assert_eq!(names(dir.path()).len(), 500);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        use std::os::unix::fs::FileTypeExt as _;
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("null");
        std::os::unix::fs::symlink("/dev/null", &link).unwrap();
        for path in [Path::new("/dev/null"), &link] {
            assert_eq!(write_one(path, "text").unwrap(), Outcome::Written);
            let kind = fs::metadata(path).unwrap().file_type();
            assert!(kind.is_char_device());
        }
        let error = write_one(Path::new("/dev/full"), "text").unwrap_err();
        assert!(error.to_string().contains("/dev/full"), "{error}");
        // Nothing is read from what never ends.
        assert_eq!(
            write_one(Path::new("/dev/zero"), "text").unwrap(),
            Outcome::Written
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_what_is_not_there_yet_stays_a_link() {
        let dir = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("real.json", dir.path().join("a.json")).unwrap();
        write(dir.path(), &files("new")).unwrap();
        assert_eq!(fs::read(dir.path().join("real.json")).unwrap(), b"new");
        let link = fs::symlink_metadata(dir.path().join("a.json")).unwrap();
        assert!(link.is_symlink());
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
