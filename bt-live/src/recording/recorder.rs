//! Recordings being written, all on one thread: a slow disk disturbs nobody.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tungstenite::Bytes;

use super::{About, Span, Writer};
use crate::protocol::types::AgentEntry;

/// The time that something recorded stays in memory: a game that is killed loses no more.
const FLUSH: Duration = Duration::from_secs(1);

type Prepare = Box<dyn FnOnce() -> io::Result<(PathBuf, About)> + Send>;

/// Something that is to be done, for a recording of a number.
enum Order {
    Begin(Prepare, Sender<io::Result<()>>),
    Agent(Box<AgentEntry>),
    Records(Span, Bytes, Box<dyn FnOnce() + Send>),
    End(Sender<io::Result<u64>>),
}

/// The writer of recordings; the last word of each is written when it is dropped.
pub(crate) struct Recorder {
    orders: Option<Sender<(u64, Order)>>,
    writer: Option<JoinHandle<()>>,
}

impl Recorder {
    pub(crate) fn new() -> io::Result<Recorder> {
        let (sender, orders) = mpsc::channel();
        let writer = thread::Builder::new()
            .name("bt-live recorder".to_owned())
            .spawn(move || run(&orders))?;
        Ok(Recorder {
            orders: Some(sender),
            writer: Some(writer),
        })
    }

    /// Begins a new file, where `prepare` says.
    pub(crate) fn begin(
        &self,
        recording: u64,
        prepare: impl FnOnce() -> io::Result<(PathBuf, About)> + Send + 'static,
    ) -> Receiver<io::Result<()>> {
        let (begun, answer) = mpsc::channel();
        self.order(recording, Order::Begin(Box::new(prepare), begun));
        answer
    }

    /// Adds an agent, before its records.
    pub(crate) fn agent(&self, recording: u64, agent: AgentEntry) {
        self.order(recording, Order::Agent(Box::new(agent)));
    }

    /// Adds records; `written` is called when they are.
    pub(crate) fn records(
        &self,
        recording: u64,
        span: Span,
        message: Bytes,
        written: impl FnOnce() + Send + 'static,
    ) {
        self.order(recording, Order::Records(span, message, Box::new(written)));
    }

    /// Ends one; how many bytes the file has.
    pub(crate) fn end(&self, recording: u64) -> Receiver<io::Result<u64>> {
        let (ended, answer) = mpsc::channel();
        self.order(recording, Order::End(ended));
        answer
    }

    fn order(&self, recording: u64, order: Order) {
        if let Some(orders) = &self.orders {
            // Whoever waits for an answer of a thread that is gone sees that.
            _ = orders.send((recording, order));
        }
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.orders.take();
        if let Some(writer) = self.writer.take() {
            // Nobody asks any more how it ended.
            _ = writer.join();
        }
    }
}

/// The files that are written, or why one cannot be any more.
type Files = BTreeMap<u64, io::Result<Writer>>;

fn run(orders: &Receiver<(u64, Order)>) {
    let mut files = Files::new();
    let mut next_flush = Instant::now() + FLUSH;
    loop {
        let wait = next_flush.saturating_duration_since(Instant::now());
        let wait = if files.is_empty() {
            Duration::MAX
        } else {
            wait
        };
        match orders.recv_timeout(wait) {
            Ok((recording, order)) => carry_out(&mut files, recording, order),
            Err(RecvTimeoutError::Timeout) => {}
            // A file that is dropped is written to its end.
            Err(RecvTimeoutError::Disconnected) => return,
        }
        if Instant::now() >= next_flush {
            for file in files.values_mut() {
                attempt(file, Writer::flush);
            }
            next_flush = Instant::now() + FLUSH;
        }
    }
}

/// Does something with a file, unless something has failed before.
fn attempt(file: &mut io::Result<Writer>, write: impl FnOnce(&mut Writer) -> io::Result<()>) {
    if let Ok(writer) = file
        && let Err(error) = write(writer)
    {
        *file = Err(error);
    }
}

fn carry_out(files: &mut Files, recording: u64, order: Order) {
    match order {
        Order::Begin(prepare, begun) => {
            let file = prepare().and_then(|(path, about)| Writer::create(path, &about));
            // Whoever asked may be gone.
            _ = begun.send(file.map(|file| {
                files.insert(recording, Ok(file));
            }));
        }
        Order::Agent(agent) => {
            if let Some(file) = files.get_mut(&recording) {
                attempt(file, |file| file.agent(&agent));
            }
        }
        Order::Records(span, message, written) => {
            if let Some(file) = files.get_mut(&recording) {
                attempt(file, |file| file.records(span, &message));
            }
            written();
        }
        Order::End(ended) => {
            let file = files.remove(&recording);
            let bytes = file.map_or(Ok(0), |file| file.and_then(Writer::end));
            _ = ended.send(bytes);
        }
    }
}
