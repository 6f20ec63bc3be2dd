//! Plays a scene as the options say.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use monster::scene::{Grove, STEP, Scene};

use crate::live::Live;
use crate::options::{Begin, Options};
use crate::traces::{Traces, cannot_write};

/// The reason why a scene was not played to its end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An option that nothing can be done with.
    Option(String),
    /// The output cannot be printed.
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
    let mut grove = match &options.reload {
        Some(folder) => Some(watch(folder)?),
        None => None,
    };
    let mut scene = begin(options, grove.as_ref())?;
    if options.speed.is_some() {
        scene.take_route();
    }
    let traces = Traces::begin(&mut scene, options)?;
    let end = Duration::from_secs(options.seconds.into());
    let mut save = options.save.as_ref();
    let began = Instant::now();
    let mut live = match options.live {
        true => Some(Live::open(options.speed.unwrap_or(1.0), &mut out)?),
        false => None,
    };
    while scene.world().now() < end {
        if let Some(live) = &mut live {
            out.flush()?;
            live.wait(&mut scene);
        }
        if let Some(grove) = &mut grove {
            // People save files: the scene's time is theirs.
            thread::sleep((began + scene.world().now()).saturating_duration_since(Instant::now()));
            scene.reload(grove);
            out.flush()?;
        }
        scene.run(STEP);
        for line in scene.take_lines() {
            writeln!(out, "{line}")?;
        }
        traces.check()?;
        let now = scene.world().now();
        let time = |seconds: u32| Duration::from_secs(seconds.into());
        if let Some(save) = save.take_if(|save| now >= save.at.map_or(end, time)) {
            write(&save.file, &scene.save())?;
        }
    }
    if let Some(live) = live {
        live.close(&mut scene);
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

fn watch(folder: &Path) -> Result<Grove, Failure> {
    let shown = folder.display();
    let grove = Grove::watch(folder);
    grove.map_err(|error| Failure::Other(format!("`--reload {shown}`: {error}")))
}

fn begin(options: &Options, grove: Option<&Grove>) -> Result<Scene, Failure> {
    match &options.begin {
        Begin::New { agents, seed } if let Some(grove) = grove => {
            Ok(Scene::on(grove.forest(), *agents, *seed))
        }
        Begin::New { agents, seed } => {
            let scene = Scene::new(*agents, *seed);
            scene.map_err(|error| Failure::Other(error.to_string()))
        }
        Begin::Restored(file) => {
            let scene = restore(file)?;
            let at = options.save.as_ref().and_then(|save| save.at);
            for (option, seconds) in [("--seconds", Some(options.seconds)), ("--save-at", at)] {
                let then = scene.world().now();
                let is_over = |seconds: &u32| Duration::from_secs((*seconds).into()) <= then;
                if let Some(seconds) = seconds.filter(is_over) {
                    let then = then.as_secs_f64();
                    let saved = format!("the scene was saved after {then} seconds");
                    return Err(Failure::Option(format!(
                        "`{option}`: {saved}, found `{seconds}`"
                    )));
                }
            }
            Ok(scene)
        }
    }
}

fn restore(file: &Path) -> Result<Scene, Failure> {
    let shown = file.display();
    let text = std::fs::read_to_string(file);
    let text = text.map_err(|error| Failure::Other(format!("cannot read `{shown}`: {error}")))?;
    let scene = Scene::restore(&text);
    scene.map_err(|error| Failure::Other(format!("cannot restore `{shown}`: {error}")))
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(file, text).map_err(|error| cannot_write(file, &error))
}
