//! Times what it costs to be traced: `cargo bench -p bt-benches --bench trace`.
//!
//! An entry costs what a traced poll takes longer than one that nobody looks at, by the number of
//! records of a poll. As with the calls, `-- ratios` goes straight to the table.

#![forbid(unsafe_code)]

mod statistics;

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write, sink};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bt_benches::trees::{Body, Engine, Leaf, Ours, Shape};
use bt_benches::{Rounds, Timed};
use bt_core::Runner;
use bt_core::trace::{JsonLines, Record, Ring, Tracer};
use bt_live::logs::DebugLog;
use statistics::Statistics;

/// An agent with a tracer, or without one.
struct Case {
    name: &'static str,
    runner: Runner<Body>,
    body: Body,
    now: Duration,
}

impl Case {
    fn new(
        name: &'static str,
        shape: &Shape,
        tracer: impl FnOnce(&Runner<Body>) -> Option<Box<dyn Tracer>>,
    ) -> Result<Case, Box<dyn Error>> {
        let body = Body::default();
        let mut runner = Ours::runner(&mut Ours::trees(shape)?, &body)?;
        let tracer = tracer(&runner);
        runner.set_tracer(tracer);
        Ok(Case {
            name,
            runner,
            body,
            now: Duration::ZERO,
        })
    }
}

impl Timed for Case {
    fn name(&self) -> &str {
        self.name
    }

    fn run(&mut self, times: u64) {
        for _ in 0..times {
            self.now += Duration::from_millis(1);
            self.runner.poll(&mut self.body, self.now);
        }
    }
}

/// The number of records of a poll in the long run.
fn entries(shape: &Shape) -> Result<f64, Box<dyn Error>> {
    let count = Arc::new(AtomicU64::new(0));
    let counts = count.clone();
    let tracer = move |_: &Record<'_>| {
        counts.fetch_add(1, Ordering::Relaxed);
    };
    let mut case = Case::new("", shape, |_| Some(Box::new(tracer)))?;
    case.run(10);
    count.store(0, Ordering::Relaxed);
    case.run(1000);
    Ok(count.load(Ordering::Relaxed) as f64 / 1000.0)
}

const SINKS: [&str; 5] = [
    "nobody's: what it takes to make records",
    "a ring",
    "JSON lines, to nowhere",
    "JSON lines, to a file",
    "the debug log, to nowhere",
];

fn cases(shape: &Shape, file: &File) -> Result<Vec<Case>, Box<dyn Error>> {
    let to_file = BufWriter::new(file.try_clone()?);
    Ok(vec![
        Case::new("untraced", shape, |_| None)?,
        Case::new(SINKS[0], shape, |_| Some(Box::new(|_: &Record<'_>| ())))?,
        Case::new(SINKS[1], shape, |runner| {
            Some(Box::new(Ring::new(runner.trees(), 10_000)))
        })?,
        Case::new(SINKS[2], shape, |_| Some(Box::new(JsonLines::new(sink()))))?,
        Case::new(SINKS[3], shape, |_| {
            Some(Box::new(JsonLines::new(Rewound::new(to_file))))
        })?,
        Case::new(SINKS[4], shape, |_| {
            Some(Box::new(DebugLog::new(sink(), "body")))
        })?,
    ])
}

/// A file that begins again at 64 MiB: what is measured is the writing, not how large a disk is.
struct Rewound {
    to: BufWriter<File>,
    written: usize,
}

impl Rewound {
    fn new(to: BufWriter<File>) -> Rewound {
        Rewound { to, written: 0 }
    }
}

impl Write for Rewound {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        use std::io::Seek;

        self.written += bytes.len();
        if self.written > 64 << 20 {
            self.to.rewind()?;
            self.written = bytes.len();
        }
        self.to.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.to.flush()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::temp_dir().join(format!("bt-trace-{}.jsonl", std::process::id()));
    let table = File::create(&path)
        .map_err(Into::into)
        .and_then(|file| measure(&file));
    std::fs::remove_file(&path)?;
    println!("{}", table?);
    Ok(())
}

fn measure(file: &File) -> Result<String, Box<dyn Error>> {
    let mut statistics = Statistics::new();
    let mut table = String::new();
    for (what, shape) in [
        ("a round of 32 nodes", Shape::of_32(Leaf::Nop)),
        ("8 leaves with two literals", Shape::eight(Leaf::Literals)),
        ("8 leaves with two keys", Shape::eight(Leaf::Keys)),
    ] {
        let entries = entries(&shape)?;
        let mut cases = cases(&shape, file)?;
        statistics.take(&mut cases);
        let rounds = Rounds::measure(&mut cases);
        let bare = rounds.median("untraced");
        table += &format!(
            "| {what}: {entries} entries a poll of {bare:.0} ns | ns an entry | entries a second |\n|---|---|---|\n"
        );
        for name in SINKS {
            let each = (rounds.median(name) - bare) / entries;
            table += &format!("| {name} | {each:.1} | {:.0} |\n", 1e9 / each);
        }
        table += "\n";
    }
    Ok(match statistics.finish() {
        true => format!("medians of rounds of all sinks in turn\n{table}"),
        false => String::new(),
    })
}
