//! Recordings, and their files in the folder that the host named: nothing outside of it is read or written.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;

use super::Port;
use super::answers::number;
use super::game::Game;
use super::limits::{FETCHED, FOLLOWED, RECORDING_FILES, RECORDINGS};
use super::pages::entry_of;
use super::task::{Step, await_from, done, to_json};
use super::trees::Facts;
use crate::protocol::types::{
    FetchRecording, Fetched, RecordingEntry, RecordingList, StartRecording,
};
use crate::protocol::{Error, ErrorCode};

/// The path of a recording of that name.
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

/// Begins a recording.
pub(super) fn start(
    port: &mut Port,
    client: u64,
    asked: StartRecording,
    game: &mut dyn Game,
) -> Result<Step, Error> {
    let path = path(port.options.recordings_folder(), &asked.name)?;
    let limit = |why: String| Err(Error::new(ErrorCode::Limit, why));
    if asked.agents.len() > FOLLOWED {
        return limit(format!("a recording is of at most {FOLLOWED} agents"));
    }
    if port.outlets.recordings() >= RECORDINGS {
        return limit(format!(
            "{RECORDINGS} recordings run: end one of them first (`recording.stop`)"
        ));
    }
    let mut agents = Vec::new();
    for id in &asked.agents {
        let id = number(id)?;
        agents.push((id, entry_of(id, game)?));
    }
    let owner = (!asked.keep).then_some(client);
    let facts = Facts::of(port, game);
    let begun = port.outlets.record(&asked.name, owner, move || {
        // Only there is time to look into the folder.
        let files = path.parent().map(fs::read_dir).transpose()?;
        if files.into_iter().flatten().take(RECORDING_FILES).count() == RECORDING_FILES {
            let why = format!("the folder has {RECORDING_FILES} files already: remove some");
            return Err(io::Error::other(why));
        }
        Ok((path, facts.about()))
    });
    let (number, begun) = begun.map_err(Error::refused)?;
    let name = asked.name;
    Ok(await_from(begun, move |port, game, begun| {
        if let Err(error) = begun {
            port.outlets.forget(number);
            return Err(match error.kind() {
                io::ErrorKind::AlreadyExists => {
                    Error::refused(format!("there is a recording `{name}` already"))
                }
                _ => Error::refused(format!("cannot write `{name}`: {error}")),
            });
        }
        for (id, agent) in agents {
            port.outlets.introduce(number, agent);
            // One that is gone by now has nothing to record.
            _ = port.watched.follow(number, id, true, game);
        }
        done()
    }))
}

/// Ends a recording.
pub(super) fn stop(port: &mut Port, name: String) -> Result<Step, Error> {
    let unknown = || Error::unknown(format!("no recording `{name}` is running"));
    let number = port.outlets.recording(&name).ok_or_else(unknown)?;
    let ended = port.end_recording(number).ok_or_else(unknown)?;
    Ok(await_from(ended, move |_, _, ended| {
        let bytes = ended.map_err(|error| Error::refused(format!("cannot write it: {error}")))?;
        to_json(&RecordingEntry { name, bytes })
    }))
}

impl Port {
    /// Ends a recording, with all that there is by now; how many bytes it has is said later.
    pub(super) fn end_recording(&mut self, number: u64) -> Option<Receiver<io::Result<u64>>> {
        let (outlets, statistics) = (&mut self.outlets, &mut self.statistics);
        self.watched.hand_out_to(number, outlets, statistics);
        self.watched.leave(number);
        self.outlets.end(number)
    }
}
