//! Plays a scene as the options say.

use std::io::{self, BufWriter, Write};
use std::time::Duration;

use monster::scene::{STEP, Scene};

use crate::options::{Begin, Options};
use crate::traces::Traces;

/// Why a scene was not played to its end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An option that nothing can be done with.
    Option(String),
    /// What is told cannot be printed.
    Output(io::Error),
    Other(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

/// Plays it; whether nothing went wrong on the trees.
///
/// # Errors
/// Why it was not played to its end.
pub(crate) fn play(options: &Options) -> Result<bool, Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut scene = begin(&options.begin)?;
    let traces = Traces::begin(&mut scene, options)?;
    let end = Duration::from_secs(options.seconds.into());
    while scene.world().now() < end {
        scene.run(STEP);
        for line in scene.take_lines() {
            writeln!(out, "{line}")?;
        }
        traces.check()?;
    }
    scene.stop();
    for line in scene.take_lines() {
        writeln!(out, "{line}")?;
    }
    write!(out, "\n{}", scene.tally())?;
    out.flush()?;
    for (id, diagnostic) in scene.diagnostics() {
        eprintln!("entity {id}: {diagnostic}");
    }
    traces.end()?;
    Ok(scene.diagnostics().is_empty())
}

fn begin(begin: &Begin) -> Result<Scene, Failure> {
    let scene = match begin {
        Begin::New { agents, seed } => Scene::new(*agents, *seed),
        Begin::Restored(_) => return Err(Failure::Other("not yet".to_owned())),
    };
    scene.map_err(|error| Failure::Other(error.to_string()))
}
