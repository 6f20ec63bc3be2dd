//! The way of the catalogue from a linked program to here: one line of JSON on its output.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bt_core::registry::ASK_DECODER;
use bt_core::registry::decoders::{Question, READY};
use bt_core::tree::check::Taken;
use serde::Deserialize;
use tempfile::TempDir;

use crate::catalogue::{Catalogue, SCHEMA_VERSION};
use crate::error::Error;
use crate::validate::decoded::Decode;

/// Set to the newest schema version that the reader knows; a program that sees it prints and ends.
pub const VARIABLE: &str = "BT_EXPORT";

/// The start of the line.
pub const MARK: &str = "bt-catalogue: ";

/// The time limit for a program's catalogue.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// Runs a program that prints its catalogue, and reads it.
///
/// Whatever else it prints goes to our own error output.
///
/// # Errors
/// A failure when the program cannot be run, does not print the line in time, fails, or speaks a
/// newer version.
pub fn run(command: &mut Command, patience: Duration) -> Result<Catalogue, Error> {
    let program = command.get_program().to_string_lossy().into_owned();
    command
        .env(VARIABLE, SCHEMA_VERSION.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let mut child = command
        .spawn()
        .map_err(|error| Error::failure(format!("cannot run `{program}`: {error}")))?;
    let lines = lines_of(child.stdout.take());
    let deadline = Instant::now() + patience;
    let read = read_line(&lines, deadline);
    let status = match &read {
        Err(RecvTimeoutError::Timeout) => None,
        _ => wait(&mut child, deadline),
    };
    let Some(status) = status else {
        // It may have ended by itself in between: then there is nothing to stop.
        let _ = child.kill();
        let _ = child.wait();
        return Err(Error::failure(format!(
            "`{program}` ran for {} seconds after the request for its catalogue; {ASKS_FIRST}",
            patience.as_secs(),
        )));
    };
    let Ok(line) = read else {
        return Err(Error::failure(format!(
            "`{program}` ended with {status} and printed no catalogue; {ASKS_FIRST}, and the bt-core \
             that it links must be one that can print it",
        )));
    };
    if !status.success() {
        return Err(Error::failure(format!(
            "`{program}` printed its catalogue but ended with {status}; see its messages above",
        )));
    }
    parse(&line)
}

/// Runs a program as [`run`] does, and keeps it running to decode values for arguments; none if its
/// bt-core cannot do that.
///
/// # Errors
/// As of [`run`].
pub fn run_decoder(
    command: &mut Command,
    patience: Duration,
) -> Result<(Catalogue, Option<Decoder>), Error> {
    let program = command.get_program().to_string_lossy().into_owned();
    command
        .env(VARIABLE, SCHEMA_VERSION.to_string())
        .env(ASK_DECODER, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command
        .spawn()
        .map_err(|error| Error::failure(format!("cannot run `{program}`: {error}")))?;
    let answers = lines_of(child.stdout.take());
    let questions = child.stdin.take();
    let deadline = Instant::now() + patience;
    let mut lines = [(); 2].map(|()| {
        let left = deadline.saturating_duration_since(Instant::now());
        answers.recv_timeout(left).ok()
    });
    let decodes = lines[1]
        .as_ref()
        .is_some_and(|line| line.trim_end() == READY);
    if let (Some(catalogue), Some(questions), true) = (lines[0].take(), questions, decodes) {
        let pipes = Pipes { questions, answers };
        let decoder = Decoder {
            pipes: Mutex::new(Some(pipes)),
            child,
            program,
            folder: None,
        };
        return Ok((parse(&catalogue)?, Some(decoder)));
    }
    // An older bt-core; or it says what is wrong when it is asked for the catalogue alone.
    let _ = child.kill();
    let _ = child.wait();
    command.env_remove(ASK_DECODER);
    Ok((run(command, patience)?, None))
}

/// A program that decodes values for arguments.
#[derive(Debug)]
pub struct Decoder {
    /// None once it has ended.
    pipes: Mutex<Option<Pipes>>,
    child: Child,
    program: String,
    /// The folder of the program, as long as it runs.
    folder: Option<TempDir>,
}

impl Decoder {
    /// With the folder that the program is in.
    pub(crate) fn in_folder(mut self, folder: TempDir) -> Decoder {
        self.folder = Some(folder);
        self
    }
}

#[derive(Debug)]
struct Pipes {
    questions: ChildStdin,
    answers: Receiver<String>,
}

impl Pipes {
    fn ask(&mut self, question: &Question) -> Option<Taken> {
        let question = serde_json::to_string(question).ok()?;
        writeln!(self.questions, "{question}").ok()?;
        let answer = self.answers.recv_timeout(TIMEOUT).ok()?;
        serde_json::from_str(&answer).ok()
    }
}

impl Decode for Decoder {
    fn takes(&self, question: &Question) -> Taken {
        let mut pipes = self.pipes.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = pipes.as_mut()?.ask(question);
        if answer.is_none() {
            *pipes = None;
        }
        answer.flatten()
    }

    fn verdict(&self) -> Result<(), Error> {
        let pipes = self.pipes.lock().unwrap_or_else(PoisonError::into_inner);
        match pipes.is_some() {
            true => Ok(()),
            false => Err(Error::failure(format!(
                "`{}` ended while it decoded arguments of trees; see its messages above",
                self.program
            ))),
        }
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // Without questions it ends.
        let pipes = self.pipes.get_mut().unwrap_or_else(PoisonError::into_inner);
        *pipes = None;
        if wait(&mut self.child, Instant::now() + Duration::from_secs(1)).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

const ASKS_FIRST: &str = "the first line of its `main` must be `bt_core::export_if_asked();`";

/// Sends the catalogue's line; everything else goes to our error output at once.
fn lines_of(output: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let Some(output) = output else { return };
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        while output
            .read_until(b'\n', &mut line)
            .is_ok_and(|read| read > 0)
        {
            match line.strip_prefix(MARK.as_bytes()) {
                Some(json) => drop(sender.send(String::from_utf8_lossy(json).into_owned())),
                // The mark begins a line of its own, so an empty one may come before it.
                None if line.trim_ascii().is_empty() => {}
                // Nobody is left to tell when our own error output is closed.
                None => drop(std::io::stderr().write_all(&line)),
            }
            line.clear();
        }
    });
    receiver
}

/// The last line that came: all of them once the program has closed its output.
fn read_line(lines: &Receiver<String>, deadline: Instant) -> Result<String, RecvTimeoutError> {
    let mut last = None;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match (lines.recv_timeout(left), last.take()) {
            (Ok(line), _) => last = Some(line),
            (Err(RecvTimeoutError::Disconnected), Some(line)) => return Ok(line),
            (Err(error), _) => return Err(error),
        }
    }
}

fn wait(child: &mut Child, deadline: Instant) -> Option<ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(None) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(2));
            }
            Ok(status) => return status,
            Err(_) => return None,
        }
    }
}

/// Reads a catalogue, the program's line or an `agents.json`.
///
/// # Errors
/// A failure when it is newer than this bt-meta, or no catalogue.
pub fn parse(json: &str) -> Result<Catalogue, Error> {
    /// The common part of any version.
    #[derive(Deserialize)]
    struct Version {
        schema_version: u32,
        #[serde(default)]
        bt_core: String,
    }
    let json = json.trim_start_matches('\u{feff}');
    let version: Version = serde_json::from_str(json).map_err(|error| {
        Error::failure(format!(
            "this is no catalogue: {error}; expected a JSON object with `schema_version`, as \
             bt-core prints it and as `agents.json` has it"
        ))
    })?;
    let writer = match version.bt_core.as_str() {
        "" => "an unnamed bt-core".to_owned(),
        version => format!("bt-core {version}"),
    };
    if version.schema_version > SCHEMA_VERSION {
        return Err(Error::failure(format!(
            "{writer} wrote a catalogue of schema version {}, and bt-meta {} reads up to {SCHEMA_VERSION}: \
             use the bt-meta that belongs to that bt-core, or an older bt-core",
            version.schema_version,
            env!("CARGO_PKG_VERSION"),
        )));
    }
    serde_json::from_str(json).map_err(|error| {
        Error::failure(format!(
            "{writer} wrote a catalogue that bt-meta {} cannot read: {error}; use a bt-meta and a \
             bt-core of the same version",
            env!("CARGO_PKG_VERSION"),
        ))
    })
}

/// Reads an `agents.json`.
///
/// # Errors
/// A failure that names the file, when it cannot be read or is no catalogue.
pub fn read(path: &Path) -> Result<Catalogue, Error> {
    let text = crate::read::text(path).map_err(|error| {
        Error::failure(format!(
            "cannot read the catalogue `{}`: {error}",
            path.display()
        ))
    })?;
    parse(&text).map_err(|error| Error::failure(format!("`{}`: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, patience: Duration) -> Result<Catalogue, Error> {
        run(Command::new("sh").args(["-c", script]), patience)
    }

    fn fails(script: &str, expect: &[&str]) {
        fails_within(TIMEOUT, script, expect);
    }

    fn fails_within(patience: Duration, script: &str, expect: &[&str]) {
        let error = shell(script, patience).unwrap_err();
        assert!(!error.is_finding());
        for part in expect {
            assert!(error.to_string().contains(part), "{part} in: {error}");
        }
    }

    #[test]
    fn the_marked_line_is_found_among_others() {
        let script =
            r#"echo hello; echo "bt-catalogue: {\"schema_version\": $BT_EXPORT}"; echo bye"#;
        let catalogue = shell(script, TIMEOUT).unwrap();
        assert_eq!(catalogue.schema_version, SCHEMA_VERSION);
    }

    #[test]
    fn an_older_catalogue_is_read_with_defaults() {
        let catalogue = parse(r#"{"schema_version": 0, "agents": []}"#).unwrap();
        assert!(catalogue.node_kinds.is_empty());
    }

    #[test]
    fn a_newer_catalogue_says_who_wrote_it_and_what_to_do() {
        fails(
            r#"echo 'bt-catalogue: {"schema_version": 99, "bt_core": "9.1.0"}'"#,
            &["bt-core 9.1.0", "99", "reads up to 1", "use the bt-meta"],
        );
    }

    #[test]
    fn a_program_that_prints_nothing_says_what_its_main_needs() {
        fails("true", &["no catalogue", "bt_core::export_if_asked()"]);
        fails("exit 3", &["3", "no catalogue"]);
    }

    #[test]
    fn a_program_that_never_ends_is_stopped() {
        let patience = Duration::from_millis(200);
        fails_within(
            patience,
            "exec sleep 30",
            &["seconds", "bt_core::export_if_asked()"],
        );
    }

    #[test]
    fn a_failure_after_the_line_is_not_hidden() {
        fails(
            r#"echo 'bt-catalogue: {"schema_version": 1}'; exit 4"#,
            &["ended with", "4"],
        );
    }

    #[test]
    fn protocol_refuses_invalid_catalogues_with_the_reason() {
        fails("echo 'bt-catalogue: nonsense'", &["no catalogue"]);
        fails(
            r#"echo 'bt-catalogue: {"schema_version": 1, "agents": 5}'"#,
            &["cannot read", "expected a sequence"],
        );
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = run(&mut Command::new("/no/such/program"), TIMEOUT).unwrap_err();
        assert!(error.to_string().contains("/no/such/program"));
    }
}
