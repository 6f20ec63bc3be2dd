//! The one door to files of a project: what the studio and the MCP server read and write is opened here, folder by folder from
//! one that a person named, and no link is followed. Each step starts from the folder that was opened before it, so a file or a folder that is
//! swapped for a link at that moment leads nowhere else.
//!
//! What is no plain file is not opened: a pipe would be waited for, and a device may do something.

mod names;
mod staged;
mod walk;

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use cap_fs_ext::{
    AccessType, DirExt as _, FileTypeExt as _, FollowSymlinks, OpenOptionsFollowExt as _,
};
use cap_primitives::fs::AccessModes;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions};

pub use names::wrong_name;
pub use staged::{Staged, sweep};
pub use walk::{Passed, Walk, walk};

/// A file in a folder. It may not be there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    root: PathBuf,
    inside: PathBuf,
}

/// The reason why a file is not read or written.
#[derive(Debug)]
pub enum Refusal {
    /// There is none.
    Missing,
    /// It, or a folder on the way to it, is a link.
    Link(String),
    /// It is something else, such as `a pipe`.
    NoFile(&'static str),
    /// Something on the way to it is no folder.
    NoFolder(String),
    /// It has more bytes than are read.
    Large(u64),
    /// It may not be written.
    ReadOnly,
    /// It is there already.
    Taken,
    /// The system refuses.
    System(io::Error),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Missing => f.write_str("there is no such file"),
            Refusal::Link(name) => write!(
                f,
                "`{name}` is a link, and none is followed: put what it leads to in its place, or open the folder where \
                 that is"
            ),
            Refusal::NoFile(what) => {
                write!(f, "it is {what}, no plain file: replace it by a file, or remove it")
            }
            Refusal::NoFolder(name) => write!(f, "`{name}` is no folder"),
            Refusal::Large(most) => {
                write!(f, "it has more than the {} MiB that are read", most >> 20)
            }
            Refusal::ReadOnly => f.write_str(
                "it is read-only on the disk: check it out if your version control locks files, or make it writable; \
                 or save under another name",
            ),
            Refusal::Taken => f.write_str("it is there already: choose another name"),
            Refusal::System(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        match error.kind() {
            io::ErrorKind::NotFound => Refusal::Missing,
            io::ErrorKind::AlreadyExists => Refusal::Taken,
            _ => Refusal::System(error),
        }
    }
}

impl Refusal {
    /// The reason why a file cannot be read.
    pub fn not_read(&self, name: &str) -> String {
        format!("cannot read `{name}`: {self}")
    }

    /// The reason why a file cannot be written.
    pub fn not_written(&self, name: &str) -> String {
        let stays = match self {
            Refusal::System(_) => "; what is on the disk is as it was",
            Refusal::Missing
            | Refusal::Link(_)
            | Refusal::NoFile(_)
            | Refusal::NoFolder(_)
            | Refusal::Large(_)
            | Refusal::ReadOnly
            | Refusal::Taken => "",
        };
        format!("cannot write `{name}`: {self}{stays}")
    }
}

/// The facts about a file at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// The number of bytes that the file has.
    pub bytes: u64,
    /// True if it may not be written.
    pub read_only: bool,
}

impl Place {
    /// A file in a folder whose path has no links.
    pub fn new(root: impl Into<PathBuf>, inside: impl Into<PathBuf>) -> Place {
        Place {
            root: root.into(),
            inside: inside.into(),
        }
    }

    /// A file by itself: links on the way to it are those of who named it.
    pub fn of(path: &Path) -> Place {
        let root = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let own = path.file_name().unwrap_or(path.as_os_str());
        Place::new(root, own)
    }

    /// A file that a person named, which may be a link.
    pub fn named(path: &Path) -> Place {
        let real = fs::canonicalize(path);
        Place::of(real.as_deref().unwrap_or(path))
    }

    /// Its path.
    pub fn path(&self) -> PathBuf {
        self.root.join(&self.inside)
    }

    /// Another file in the same folder.
    pub fn beside(&self, name: impl AsRef<OsStr>) -> Place {
        Place::new(&self.root, self.inside.with_file_name(name))
    }

    /// The name of the file.
    pub fn name(&self) -> &OsStr {
        self.inside.file_name().unwrap_or_default()
    }

    /// Returns true if something is there, be it a link that leads nowhere.
    pub fn is_taken(&self) -> bool {
        let found = self.folder(false).and_then(|folder| {
            let found = folder.symlink_metadata(self.name());
            found.map_err(Refusal::from)
        });
        !matches!(found, Err(Refusal::Missing))
    }

    /// The plain file that is there.
    ///
    /// # Errors
    /// If it is missing, a link, or no file.
    pub fn look(&self) -> Result<Look, Refusal> {
        let folder = self.folder(false)?;
        let found = self.plain(folder.symlink_metadata(self.name())?)?;
        Ok(Look {
            bytes: found.len(),
            read_only: is_read_only(&folder, self.name(), &found),
        })
    }

    /// The time at which the file was written last.
    ///
    /// # Errors
    /// As of [`look`](Place::look).
    pub fn modified(&self) -> Result<SystemTime, Refusal> {
        let found = self.folder(false)?.symlink_metadata(self.name())?;
        Ok(self.plain(found)?.modified()?.into_std())
    }

    /// Checks that such a file can be there: no link or anything else is in its way. A file that is missing
    /// can.
    ///
    /// # Errors
    /// What is in the way.
    pub fn check(&self) -> Result<(), Refusal> {
        match self.look() {
            Ok(_) | Err(Refusal::Missing) => Ok(()),
            Err(refusal) => Err(refusal),
        }
    }

    /// The file, to be read.
    ///
    /// # Errors
    /// If it is missing, a link, or no file, or may not be read.
    pub fn open(&self) -> Result<fs::File, Refusal> {
        let folder = self.folder(false)?;
        // Before it is opened: a device may do something then.
        self.plain(folder.symlink_metadata(self.name())?)?;
        let file = folder.open_with(self.name(), reading(&mut OpenOptions::new()))?;
        // It may be another one by now.
        self.plain(file.metadata()?)?;
        Ok(file.into_std())
    }

    /// The file's bytes, if they are not more than that, also if it grows meanwhile.
    ///
    /// # Errors
    /// As [`open`](Place::open), and if there are more.
    pub fn read(&self, most: u64) -> Result<Vec<u8>, Refusal> {
        let file = self.open()?;
        let mut bytes = Vec::new();
        if file.metadata()?.len() <= most {
            file.take(most + 1).read_to_end(&mut bytes)?;
            if bytes.len() as u64 <= most {
                return Ok(bytes);
            }
        }
        Err(Refusal::Large(most))
    }

    /// The file's text.
    ///
    /// # Errors
    /// As [`read`](Place::read), and if it is not UTF-8.
    pub fn text(&self, most: u64) -> Result<String, Refusal> {
        let no_text = |_| Refusal::System(io::Error::other("it is not UTF-8: save it as UTF-8"));
        String::from_utf8(self.read(most)?).map_err(no_text)
    }

    /// Writes the file whole, and the folders on the way to it; a file with these bytes is left alone.
    ///
    /// # Errors
    /// If a link is in the way, it is read-only, or it cannot be written: it is as it was then.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Refusal> {
        self.stage(bytes)?.put()
    }

    /// Removes the file, or the link that is there.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn remove(&self) -> Result<(), Refusal> {
        Ok(self.folder(false)?.remove_file_or_symlink(self.name())?)
    }

    /// Gives the file another place, where nothing is yet.
    ///
    /// # Errors
    /// If it is read-only or no file, or something is there.
    pub fn rename(&self, to: &Place) -> Result<(), Refusal> {
        if self.look()?.read_only {
            return Err(Refusal::ReadOnly);
        }
        let (from, into) = (self.folder(false)?, to.folder(true)?);
        if to.is_taken() {
            return Err(Refusal::Taken);
        }
        Ok(from.rename(self.name(), &into, to.name())?)
    }

    /// The folder that the file is in; folders that are missing are made if that is wanted.
    fn folder(&self, make: bool) -> Result<Dir, Refusal> {
        let mut folder = open_root(&self.root)?;
        let way = self.inside.parent().unwrap_or(Path::new(""));
        for part in way.components() {
            let Component::Normal(part) = part else {
                return Err(Refusal::NoFolder(part.as_os_str().to_string_lossy().into()));
            };
            let mut next = step(&folder, part);
            if make && matches!(next, Err(Refusal::Missing)) {
                match folder.create_dir(part) {
                    // Somebody else made it.
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                    made => made?,
                }
                next = step(&folder, part);
            }
            folder = next?;
        }
        Ok(folder)
    }

    /// The metadata of what is there, if it is a plain file.
    fn plain(&self, found: Metadata) -> Result<Metadata, Refusal> {
        let kind = found.file_type();
        if kind.is_file() {
            return Ok(found);
        }
        Err(if kind.is_symlink() {
            Refusal::Link(self.name().to_string_lossy().into())
        } else if kind.is_dir() {
            Refusal::NoFile("a folder")
        } else if kind.is_fifo() {
            Refusal::NoFile("a pipe")
        } else if kind.is_socket() {
            Refusal::NoFile("a socket")
        } else {
            Refusal::NoFile("a device")
        })
    }
}

/// The folder at which a way begins. What is above it is not the project's; that it is no link by now is looked at.
fn open_root(root: &Path) -> Result<Dir, Refusal> {
    let authority = ambient_authority();
    match (root.parent(), root.file_name()) {
        (Some(above), Some(own)) if above.is_absolute() => {
            step(&Dir::open_ambient_dir(above, authority)?, own)
        }
        _ => Ok(Dir::open_ambient_dir(root, authority)?),
    }
}

/// A folder in another one.
fn step(folder: &Dir, name: &OsStr) -> Result<Dir, Refusal> {
    let opened = folder.open_dir_nofollow(name);
    opened.map_err(|error| {
        let shown = || name.to_string_lossy().into_owned();
        match folder.symlink_metadata(name) {
            Ok(found) if found.is_symlink() => Refusal::Link(shown()),
            Ok(found) if !found.is_dir() => Refusal::NoFolder(shown()),
            _ => Refusal::from(error),
        }
    })
}

/// Options to read a file, which is not waited for.
fn reading(options: &mut OpenOptions) -> &OpenOptions {
    options.read(true).follow(FollowSymlinks::No);
    #[cfg(unix)]
    cap_fs_ext::OpenOptionsSyncExt::nonblock(options, true);
    options
}

/// Returns true if a file may not be written: nobody may, as a version control has it that locks files, or
/// this user may not.
fn is_read_only(folder: &Dir, name: &OsStr, found: &Metadata) -> bool {
    let writable = AccessModes {
        readable: false,
        writable: true,
        executable: false,
    };
    found.permissions().readonly()
        || folder
            .access_symlink(name, AccessType::Access(writable))
            .is_err_and(|error| {
                use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
                matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem)
            })
}

/// Returns true if it is a folder, where a person or the system has it.
pub fn is_folder(path: &Path) -> bool {
    path.is_dir()
}

/// The real path of a folder that a person named.
///
/// # Errors
/// If it is not there.
pub fn real(folder: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(folder)
}

/// Makes a folder of the user's own, which nobody else can read.
///
/// # Errors
/// If it cannot be made.
pub fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests;
