//! The bytes are a trace in JSON lines: read, replayed, shown, and written again in every form.

use std::io;

use bt_core::trace::{
    JsonLines, Replay, Tracer, Watch, Words, read_lines,
};
use bt_live::logs::{BehaviacLog, DebugFeed, DebugLog};

/// Writes the lines that were read, reads them again, and compares.
pub fn run(bytes: &[u8]) {
    let mut replay = Replay::new();
    let mut debug = DebugLog::new(io::sink(), "robot#1");
    let mut feed = DebugFeed::new("robot#1");
    let mut log = BehaviacLog::new(io::sink(), "fuzz::Robot", "1");
    let mut watch = Watch::new(io::sink());
    for read in read_lines(bytes).take(2_000) {
        let Ok((_, record)) = read else {
            continue;
        };
        let _ = replay.apply(&record);
        assert!(!Words(&record).to_string().contains('\n'));
        let mut lines = JsonLines::new(Vec::new());
        let sinks: [&mut dyn Tracer; 5] = [&mut lines, &mut debug, &mut feed, &mut log, &mut watch];
        for sink in sinks {
            sink.record(&record);
        }
        let text = lines.finish().expect("it is written to memory");
        let again = read_lines(&*text).next().expect("it was written");
        assert_eq!(again.expect("it was just written").1, record);
    }
}
