//! The place where ports leave their tokens for this user's tools.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder, which only this user can look into: `bt-live` in `XDG_RUNTIME_DIR`, or `.bt-live` at home.
pub(crate) fn token_folder() -> io::Result<PathBuf> {
    let at = |name: &str, folder: &str| {
        let found = env::var_os(name).filter(|value| !value.is_empty());
        found.map(|value| Path::new(&value).join(folder))
    };
    at("XDG_RUNTIME_DIR", "bt-live")
        .or_else(|| at("HOME", ".bt-live"))
        .or_else(|| at("LOCALAPPDATA", "bt-live"))
        .ok_or_else(|| {
            let why = "there is no folder for token files: neither XDG_RUNTIME_DIR nor HOME is set";
            io::Error::new(io::ErrorKind::NotFound, why)
        })
}

/// Makes it, if it is not there.
#[cfg(feature = "port")]
pub(crate) fn make_token_folder() -> io::Result<PathBuf> {
    let folder = token_folder()?;
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&folder)?;
    Ok(folder)
}

/// The token files in it, in the order of their names.
#[cfg(feature = "client")]
pub(crate) fn token_files() -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(token_folder()?) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
