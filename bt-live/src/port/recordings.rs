//! The files in the folder of recordings: nothing outside of it is read or written.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::limits::FETCHED;
use crate::protocol::types::{FetchRecording, Fetched, RecordingEntry, RecordingList};
use crate::protocol::{Error, ErrorCode};

/// Where a recording of that name is.
pub(super) fn path(folder: Option<&Path>, name: &str) -> Result<PathBuf, Error> {
    let folder = folder.ok_or_else(|| {
        Error::new(
            ErrorCode::Refused,
            "the host named no folder for recordings (`Options::recordings`)",
        )
    })?;
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let is_name = name.len() <= 100 && name.bytes().all(is_letter);
    if !is_name || name.starts_with('.') || !name.ends_with(".btrec") {
        return Err(Error::new(
            ErrorCode::Params,
            "the name of a recording is up to 100 letters, digits, `-`, `_` and `.`, and ends in `.btrec`",
        ));
    }
    Ok(folder.join(name))
}

/// The recordings that there are.
pub(super) fn list(folder: Option<&Path>) -> Result<RecordingList, Error> {
    let folder = path(folder, "any.btrec")?;
    let folder = folder.parent().unwrap_or(&folder);
    let mut recordings = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::refused)? {
        let entry = entry.map_err(Error::refused)?;
        // What is a link may lead out of the folder.
        if let (Ok(data), Ok(name)) = (entry.metadata(), entry.file_name().into_string())
            && data.is_file()
            && name.ends_with(".btrec")
        {
            let bytes = data.len();
            recordings.push(RecordingEntry { name, bytes });
        }
    }
    recordings.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(RecordingList { recordings })
}

/// A part of a recording.
pub(super) fn fetch(folder: Option<&Path>, part: &FetchRecording) -> Result<Fetched, Error> {
    let path = path(folder, &part.name)?;
    let unknown = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => Error::unknown(format!("there is no recording `{}`", part.name)),
        _ => Error::refused(error),
    };
    let is_file = fs::symlink_metadata(&path).map_err(unknown)?.is_file();
    if !is_file {
        return Err(Error::refused(format!("`{}` is no file", part.name)));
    }
    let mut file = File::open(&path).map_err(unknown)?;
    let bytes = file.metadata().map_err(Error::refused)?.len();
    file.seek(SeekFrom::Start(part.offset.min(bytes)))
        .map_err(Error::refused)?;
    let mut found = Vec::new();
    file.take(FETCHED as u64)
        .read_to_end(&mut found)
        .map_err(Error::refused)?;
    let base64 = data_encoding::BASE64.encode(&found);
    Ok(Fetched { base64, bytes })
}
