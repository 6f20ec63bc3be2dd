//! A play in a terminal: pictures and commands between two polls.

use std::any::Any;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bt_core::TreeAsset;
use bt_core::trace::JsonLines;

use super::console::Console;
use super::session::Session;
use super::wanted::{Wanted, assignment};
use crate::catalogue::Catalogue;
use crate::draw;
use crate::error::Error;

/// The terminal of whoever plays, and the play.
pub(super) struct Terminal {
    pub(super) session: Session,
    console: Arc<Mutex<Console>>,
    /// For pictures.
    assets: Vec<TreeAsset>,
    /// The nodes of the last picture.
    shown: BTreeSet<(String, u32)>,
}

impl Terminal {
    pub(super) fn new(
        catalogue: Catalogue,
        wanted: &Wanted,
        mut console: Console,
    ) -> Result<Terminal, Error> {
        let read = draw::files::read(&wanted.tree, true)?;
        console.trees(&read.trees);
        let console = Arc::new(Mutex::new(console));
        let session = Session::new(catalogue, &wanted.played(&read)?, console.clone())?;
        Ok(Terminal {
            session,
            console,
            assets: read.trees,
            shown: BTreeSet::new(),
        })
    }

    /// Prepares for the first poll: first values, the trace, the port.
    pub(super) fn start(&mut self, wanted: &Wanted) -> Result<(), Error> {
        let session = &mut self.session;
        for set in &wanted.set {
            let (name, value) = assignment(set).map_err(Error::failure)?;
            let set = session.set(name, value);
            set.map_err(|why| Error::failure(format!("--set {name}: {why}")))?;
        }
        if let Some(path) = &wanted.record {
            let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
            let name = session.agent.ty().name();
            let tracer = JsonLines::new(BufWriter::new(file)).of(name);
            session.runner.set_tracer(Some(Box::new(tracer)));
        }
        if wanted.live {
            let port = session.open_port();
            let port =
                port.map_err(|error| Error::failure(format!("cannot open a port: {error}")))?;
            let url = port.url();
            session.say(&format!("port: {url}\n"));
        }
        session.start();
        Ok(())
    }

    /// Ends the play, and writes the rest of the trace.
    pub(super) fn close(mut self, wanted: &Wanted) -> Result<(), Error> {
        self.session.stop();
        let Some(path) = &wanted.record else {
            return Ok(());
        };
        let tracer = self.session.runner.set_tracer(None);
        let tracer = tracer.map(|tracer| tracer as Box<dyn Any>);
        let lines = tracer.and_then(|tracer| tracer.downcast::<JsonLines<BufWriter<File>>>().ok());
        let written = lines.map_or(Ok(()), |lines| lines.finish().map(drop));
        written.map_err(|error| cannot_write(path, &error))
    }

    pub(super) fn console(&self) -> MutexGuard<'_, Console> {
        self.console.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The picture, if other nodes are active than in the last one.
    pub(super) fn show_if_changed(&mut self) {
        let active = self.active();
        if active != self.shown {
            self.show();
        }
    }

    fn active(&self) -> BTreeSet<(String, u32)> {
        let nodes = self.session.runner.active_nodes().into_iter();
        nodes.map(|node| (node.tree, node.idx)).collect()
    }

    /// The picture: the trees that are active, and the nodes that are.
    pub(super) fn show(&mut self) {
        self.shown = self.active();
        let mut text = String::new();
        for tree in &self.assets {
            let of_tree = self.shown.iter().filter(|(name, _)| name == tree.name());
            let active: BTreeSet<u32> = of_tree.map(|(_, idx)| *idx).collect();
            if !active.is_empty() {
                text += &draw::outline_marked(tree, &self.assets, &active);
            }
        }
        self.session.say(&text);
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Error {
    Error::failure(format!("cannot write {}: {error}", path.display()))
}
