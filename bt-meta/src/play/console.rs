//! Whoever plays: lines in, questions and pictures out.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use bt_core::TreeAsset;

use crate::draw::node_lines;

/// The most bytes of a line that are read; a longer one is cut.
const LONGEST: u64 = 1 << 20;

/// The most lines that are read ahead.
const AHEAD: usize = 16;

/// The lines of whoever plays, and whether these see what they type.
#[derive(Debug)]
pub struct Lines {
    from: Receiver<String>,
    /// True if nobody sees the lines: then they are written out again.
    echo: bool,
}

/// The lines of an input, which a thread reads. With `echo` they are written out again.
pub fn lines_of(mut input: impl BufRead + Send + 'static, echo: bool) -> Lines {
    let (to, from) = mpsc::sync_channel(AHEAD);
    thread::spawn(move || {
        loop {
            let mut bytes = Vec::new();
            let read = std::io::Read::take(&mut input, LONGEST).read_until(b'\n', &mut bytes);
            match read {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            let line = String::from_utf8_lossy(&bytes).trim().to_owned();
            if to.send(line).is_err() {
                return;
            }
        }
    });
    Lines { from, echo }
}

/// The console.
pub(super) struct Console {
    lines: Lines,
    out: Box<dyn Write + Send>,
    /// The answers that stand, by the call's name.
    pub(super) always: BTreeMap<String, String>,
    /// The lines of each node, by its tree.
    nodes: BTreeMap<String, BTreeMap<u32, Vec<String>>>,
    /// The nodes above each, by its tree.
    parents: BTreeMap<String, BTreeMap<u32, u32>>,
    is_over: bool,
}

impl Console {
    pub(super) fn new(lines: Lines, out: Box<dyn Write + Send>) -> Console {
        Console {
            lines,
            out,
            always: BTreeMap::new(),
            nodes: BTreeMap::new(),
            parents: BTreeMap::new(),
            is_over: false,
        }
    }

    /// The trees that are played.
    pub(super) fn trees(&mut self, trees: &[TreeAsset]) {
        for tree in trees {
            let name = tree.name().to_owned();
            let nodes = tree.nodes().iter();
            let parents =
                nodes.flat_map(|node| node.children().iter().map(|child| (*child, node.idx())));
            self.parents.insert(name.clone(), parents.collect());
            self.nodes.insert(name, node_lines(tree));
        }
    }

    /// The nodes from the root of a tree to one of its nodes, a line each.
    pub(super) fn way_to(&self, tree: &str, idx: u32) -> Vec<String> {
        let (Some(nodes), Some(parents)) = (self.nodes.get(tree), self.parents.get(tree)) else {
            return Vec::new();
        };
        let mut way = Vec::new();
        let mut at = Some(idx);
        while let Some(node) = at.filter(|_| way.len() <= nodes.len()) {
            let lines = nodes.get(&node).map(|lines| lines.join("; "));
            way.push(format!("{} #{node}", lines.unwrap_or_default()));
            at = parents.get(&node).copied();
        }
        way.reverse();
        way
    }

    /// Ends the play: no question comes any more.
    pub(super) fn end(&mut self) {
        self.is_over = true;
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    pub(super) fn say(&mut self, text: &str) {
        let written = self.out.write_all(text.as_bytes());
        if written.and_then(|()| self.out.flush()).is_err() {
            self.is_over = true;
        }
    }

    /// Asks for a line; none when there are no more.
    pub(super) fn ask(&mut self, question: &str) -> Option<String> {
        self.say(question);
        loop {
            match self.answered(Duration::from_secs(3600)) {
                Asked::Line(line) => return Some(line),
                Asked::Nothing => {}
                Asked::Over => return None,
            }
        }
    }

    /// The line, if it comes within a time.
    pub(super) fn answered(&mut self, within: Duration) -> Asked {
        if self.is_over {
            return Asked::Over;
        }
        match self.lines.from.recv_timeout(within) {
            Ok(line) => {
                if self.lines.echo {
                    self.say(&format!("{line}\n"));
                }
                Asked::Line(line)
            }
            Err(RecvTimeoutError::Timeout) => Asked::Nothing,
            Err(RecvTimeoutError::Disconnected) => {
                self.is_over = true;
                self.say("\n");
                Asked::Over
            }
        }
    }
}

/// A line, or none yet, or none any more.
pub(super) enum Asked {
    Line(String),
    Nothing,
    Over,
}
