//! What git knows of a file: the revisions that changed it, and its text at one.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use super::files::LARGEST;
use crate::protocol::Revision;

/// So long is git waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// So many revisions are listed, at most.
const LISTED: &str = "--max-count=200";

/// The revisions that changed a file, the newest first.
///
/// # Errors
/// If there is no git, or the file is in no repository.
pub fn revisions(file: &Path) -> Result<Vec<Revision>, String> {
    let format = "--format=%H%x1f%aI%x1f%an%x1f%s%x1e";
    let listed = run(file, &["log", LISTED, format, "--"], "")?;
    let listed = String::from_utf8_lossy(&listed);
    let revisions = listed.split('\u{1e}').filter_map(|line| {
        let mut parts = line.trim().split('\u{1f}');
        Some(Revision {
            id: parts.next().filter(|id| !id.is_empty())?.to_owned(),
            when: parts.next()?.to_owned(),
            author: parts.next()?.to_owned(),
            subject: parts.next()?.to_owned(),
        })
    });
    Ok(revisions.collect())
}

/// A file at a revision.
///
/// # Errors
/// If there is no such revision, or there was no such file.
pub fn text(file: &Path, revision: &str) -> Result<String, String> {
    let is_id =
        (7..=64).contains(&revision.len()) && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_id {
        let shown: String = revision.chars().take(60).collect();
        return Err(format!(
            "{shown:?} is no id of a revision: expected 7 to 64 hexadecimal digits"
        ));
    }
    let bytes = run(file, &["cat-file", "blob"], &format!("{revision}:"))?;
    String::from_utf8(bytes).map_err(|_| "the file was not UTF-8 then".to_owned())
}

/// What git prints of a file, which is named last, behind a prefix.
fn run(file: &Path, args: &[&str], prefix: &str) -> Result<Vec<u8>, String> {
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else {
        return Err("it is no file".to_owned());
    };
    let mut child = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(args)
        .arg(format!("{prefix}./{}", name.to_string_lossy()))
        .env("LC_ALL", "C")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_LITERAL_PATHSPECS", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run `git`: {error}"))?;
    let (send, receive) = channel();
    let (out, err) = (child.stdout.take(), child.stderr.take());
    thread::spawn(move || {
        let mut said = Vec::new();
        if let Some(out) = out {
            _ = out.take(LARGEST as u64 + 1).read_to_end(&mut said);
        }
        let mut why = Vec::new();
        if let Some(err) = err {
            _ = err.take(10_000).read_to_end(&mut why);
        }
        // Whoever waited has given up.
        _ = send.send((said, why));
    });
    let read = receive.recv_timeout(PATIENCE);
    if read.is_err() {
        _ = child.kill();
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    match read {
        Err(_) => Err(format!(
            "git took longer than {} seconds",
            PATIENCE.as_secs()
        )),
        Ok((said, _)) if said.len() > LARGEST => Err("the file was too large then".to_owned()),
        Ok((said, _)) if status.success() => Ok(said),
        Ok((_, why)) => {
            let why = String::from_utf8_lossy(&why);
            let why = why.lines().next().unwrap_or_default().trim();
            Err(format!(
                "git cannot show `{}`: {why}",
                name.to_string_lossy()
            ))
        }
    }
}
