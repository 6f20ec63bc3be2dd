//! The files that traces are written to, and whom they are about.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use bt_core::trace::{JsonLines, SharedWriter, Tracer, Watch};
use bt_live::logs::{BehaviacLog, DebugLog};
use monster::scene::{Scene, Who};

use crate::options::{Format, Options};
use crate::play::Failure;

/// The traces that are written while the scene is played.
pub(crate) struct Traces {
    pages: Vec<SharedWriter<Page>>,
    /// The agents that were named, and the option that names each.
    wanted: Vec<(&'static str, Wanted)>,
}

/// Somebody who was asked for by name, and may be yet to come.
#[derive(Clone)]
struct Wanted {
    name: String,
    came: Rc<Cell<bool>>,
}

/// A file, and the first thing that went wrong with it: sinks write no more then, and cannot say so.
struct Page {
    file: PathBuf,
    to: BufWriter<File>,
    error: Option<io::Error>,
}

/// The tracer for an agent, if it is the right one.
struct Sink {
    /// The agent that it is for, if not everybody.
    of: Option<Wanted>,
    to: To,
}

enum To {
    Page(Format, SharedWriter<Page>),
    Story(SharedWriter<Vec<u8>>),
}

impl Traces {
    /// Opens the files, and lets the agents of the scene be traced.
    ///
    /// # Errors
    /// If nobody has the name that was asked for, or a file cannot be made.
    pub(crate) fn begin(scene: &mut Scene, options: &Options) -> Result<Traces, Failure> {
        let mut traces = Traces {
            pages: Vec::new(),
            wanted: Vec::new(),
        };
        let mut of = traces.want(scene, "--of", options.of.as_deref())?;
        let watched = traces.want(scene, "--watch", options.watch.as_deref())?;
        let mut sinks = Vec::new();
        for (file, format) in &options.traces {
            if *format == Format::DebugLog && of.is_none() {
                let first = scene.names().next().unwrap_or_default().to_owned();
                let file = file.display();
                eprintln!("`{file}` is of {first}; `--of` takes another agent");
                of = Some(Wanted::new(first));
            }
            let page = SharedWriter::new(Page::new(file)?);
            traces.pages.push(page.clone());
            let is_of_all = options.of.is_none() && *format != Format::DebugLog;
            sinks.push(Sink {
                of: of.clone().filter(|_| !is_of_all),
                to: To::Page(*format, page),
            });
        }
        if watched.is_some() {
            let to = To::Story(scene.aside());
            sinks.push(Sink { of: watched, to });
        }
        if !sinks.is_empty() {
            scene.trace(move |who| {
                let of_who = sinks.iter().filter_map(|sink| sink.tracer(who));
                let mut tracers: Vec<Box<dyn Tracer>> = of_who.collect();
                match tracers.len() {
                    0 | 1 => tracers.pop(),
                    _ => Some(Box::new(tracers)),
                }
            });
        }
        Ok(traces)
    }

    /// Whoever is typed for an option.
    fn want(
        &mut self,
        scene: &Scene,
        option: &'static str,
        typed: Option<&str>,
    ) -> Result<Option<Wanted>, Failure> {
        let Some(typed) = typed else { return Ok(None) };
        let named = scene.named(typed);
        let name = named.map_err(|error| Failure::Option(format!("`{option}`: {error}")))?;
        let wanted = Wanted::new(name);
        self.wanted.push((option, wanted.clone()));
        Ok(Some(wanted))
    }

    /// Reports the first error of a file.
    ///
    /// # Errors
    /// If one cannot be written.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.pages
            .iter()
            .try_for_each(|page| page.with(Page::check))
    }

    /// Ends the files, when the scene has let go of its agents; and sees whether everybody who was
    /// asked for has come.
    ///
    /// # Errors
    /// If a file cannot be written, or somebody never came.
    pub(crate) fn end(self) -> Result<(), Failure> {
        for page in &self.pages {
            // What cannot be written is kept, and said by the check.
            let _ = page.with(Page::flush);
        }
        self.check()?;
        match self.wanted.iter().find(|(_, wanted)| !wanted.came.get()) {
            Some((option, Wanted { name, .. })) => {
                let why = format!("`{option}`: nobody called `{name}` has come by the end");
                Err(Failure::Option(why))
            }
            None => Ok(()),
        }
    }
}

impl Wanted {
    fn new(name: String) -> Wanted {
        Wanted {
            name,
            came: Rc::default(),
        }
    }
}

impl Sink {
    fn tracer(&self, who: Who<'_>) -> Option<Box<dyn Tracer>> {
        if let Some(wanted) = &self.of {
            if wanted.name != who.name {
                return None;
            }
            wanted.came.set(true);
        }
        Some(match &self.to {
            To::Page(Format::JsonLines, page) => {
                Box::new(JsonLines::new(page.clone()).of(who.name))
            }
            To::Page(Format::Behaviac, page) => {
                Box::new(BehaviacLog::new(page.clone(), who.class, who.name))
            }
            To::Page(Format::DebugLog, page) => Box::new(DebugLog::new(page.clone(), who.name)),
            To::Story(story) => Box::new(Watch::new(story.clone())),
        })
    }
}

impl Page {
    fn new(file: &Path) -> Result<Page, Failure> {
        let made = File::create(file);
        let to = made.map_err(|error| cannot_write(file, &error))?;
        Ok(Page {
            file: file.to_owned(),
            to: BufWriter::new(to),
            error: None,
        })
    }

    fn keep<T>(&mut self, done: io::Result<T>) -> io::Result<T> {
        done.map_err(|error| {
            let kind = error.kind();
            self.error.get_or_insert(error);
            kind.into()
        })
    }

    fn check(&mut self) -> Result<(), Failure> {
        match &self.error {
            Some(error) => Err(cannot_write(&self.file, error)),
            None => Ok(()),
        }
    }
}

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.to.write(bytes);
        self.keep(done)
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.to.flush();
        self.keep(done)
    }
}

pub(crate) fn cannot_write(file: &Path, error: &io::Error) -> Failure {
    Failure::Other(format!("cannot write `{}`: {error}", file.display()))
}
