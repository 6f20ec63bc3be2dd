//! Files written whole: beside their place first, and put there when all of it is on the disk.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::fs::{Dir, File, OpenOptions};
use data_encoding::HEXLOWER;

use super::{Place, Refusal, is_read_only, open_root};

/// The beginning and the end of the names of files that are not in their place yet.
const PREFIX: &str = ".bt-studio-";
const SUFFIX: &str = ".tmp";

/// Nobody writes that long without a byte: what is older was left by a program that was killed.
const ABANDONED: Duration = Duration::from_secs(600);

/// The new version of a file, on the disk and not in its place yet. It is removed if it is not put there.
#[derive(Debug)]
pub struct Staged {
    /// None where the file has these bytes already.
    temporary: Option<Place>,
    place: Place,
    /// True if a file is replaced.
    replaces: bool,
}

impl Place {
    /// Writes what the file is to be beside it.
    ///
    /// # Errors
    /// If a link is in the way, it is read-only, or there is no room: it is as it was then.
    pub fn stage(&self, bytes: &[u8]) -> Result<Staged, Refusal> {
        let is_as_long = match self.look() {
            Ok(look) => look.bytes == bytes.len() as u64,
            Err(_) => false,
        };
        if is_as_long && self.read(bytes.len() as u64).is_ok_and(|own| own == bytes) {
            return Ok(Staged {
                temporary: None,
                place: self.clone(),
                replaces: true,
            });
        }
        let (staged, mut file) = self.begin()?;
        file.write_all(bytes)?;
        file.sync_all()?;
        Ok(staged)
    }

    /// Begins to write what the file is to be. The file that it gives is to be written and synced before it is put in
    /// its place.
    ///
    /// # Errors
    /// If a link is in the way, it is read-only, or nothing can be written there.
    pub fn begin(&self) -> Result<(Staged, fs::File), Refusal> {
        let folder = self.folder(true)?;
        let replaced = match folder.symlink_metadata(self.name()) {
            Ok(found) => {
                let found = self.plain(found)?;
                if is_read_only(&folder, self.name(), &found) {
                    return Err(Refusal::ReadOnly);
                }
                Some(found.permissions())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        let (name, file) = create(&folder)?;
        let staged = Staged {
            temporary: Some(self.beside(name)),
            place: self.clone(),
            replaces: replaced.is_some(),
        };
        if let Some(permissions) = replaced {
            file.set_permissions(permissions)?;
        }
        Ok((staged, file.into_std()))
    }
}

impl Staged {
    /// Puts the file in its place. One that was not there is not replaced if it is there by now.
    ///
    /// # Errors
    /// If that cannot be: the file is as it was.
    pub fn put(mut self) -> Result<(), Refusal> {
        let Some(temporary) = &self.temporary else {
            return Ok(());
        };
        let folder = self.place.folder(false)?;
        let (from, to) = (temporary.name(), self.place.name());
        let is_put = match self.replaces {
            true => false,
            false => match folder.hard_link(from, &folder, to) {
                Ok(()) => true,
                // Not all file systems have names for one file twice.
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    if self.place.is_taken() {
                        return Err(Refusal::Taken);
                    }
                    false
                }
                Err(error) => return Err(error.into()),
            },
        };
        if !is_put {
            folder.rename(from, &folder, to)?;
            self.temporary = None;
        }
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // What cannot be removed now is swept later.
            _ = temporary.remove();
        }
    }
}

/// A new file under a name that nobody else has.
fn create(folder: &Dir) -> Result<(String, File), Refusal> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let name = format!("{PREFIX}{}{SUFFIX}", HEXLOWER.encode(&random));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    let file = folder.open_with(&name, options.follow(FollowSymlinks::No))?;
    Ok((name, file))
}

/// Returns true if a name is one of those that files have that are not in their place yet.
pub(super) fn is_temporary(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// Removes such a file if the program that wrote it was killed.
pub(super) fn remove_abandoned(folder: &Dir, name: &str) {
    let is_old = |found: &cap_std::fs::Metadata| {
        let written = found.modified().map(|time| time.into_std());
        let age = written.map(|at| SystemTime::now().duration_since(at).unwrap_or_default());
        age.is_ok_and(|age| age > ABANDONED)
    };
    if folder
        .symlink_metadata(name)
        .is_ok_and(|found| is_old(&found))
    {
        _ = folder.remove_file_or_symlink(name);
    }
}

/// Keeps of the files in a folder the newest, so many and so many bytes at most, and removes the others.
///
/// # Errors
/// If the folder cannot be read.
pub fn sweep(folder: &Path, most: usize, most_bytes: u64) -> Result<(), Refusal> {
    let folder = open_root(folder)?;
    let mut all = Vec::new();
    for entry in folder.entries()? {
        let Ok(name) = entry?.file_name().into_string() else {
            continue;
        };
        if is_temporary(&name) {
            remove_abandoned(&folder, &name);
            continue;
        }
        let found = folder.symlink_metadata(&name);
        if let Ok(found) = found
            && found.is_file()
            && let Ok(modified) = found.modified()
        {
            all.push((modified.into_std(), found.len(), name));
        }
    }
    all.sort();
    let mut bytes: u64 = all.iter().map(|(_, bytes, _)| bytes).sum();
    let mut count = all.len();
    for (_, size, name) in all {
        if count <= most && bytes <= most_bytes {
            break;
        }
        folder.remove_file(name)?;
        count -= 1;
        bytes -= size;
    }
    Ok(())
}
