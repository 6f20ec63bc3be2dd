//! A disk that is full, and a tracer that panics: the run goes on.

use std::any::Any;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use bt_core::trace::{JsonLines, Record, SharedWriter, Tracer, Watch};
use bt_core::tree::asset::spec::sequence;
use bt_live::logs::{BehaviacLog, DebugLog};
use bt_tests::probe::{Play, S, now, polled};

/// Has room for so many bytes.
struct Disk {
    room: usize,
    writes: u32,
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writes += 1;
        if bytes.len() > self.room {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.room -= bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs a tree to its end with a sink on a disk that has room for so many bytes; the sink, and how often it
/// wrote.
fn run<T: Tracer>(room: usize, sink: impl FnOnce(SharedWriter<Disk>) -> T) -> (Box<T>, u32) {
    let disk = SharedWriter::new(Disk { room, writes: 0 });
    let mut play = Play::new(sequence([now("a"), polled("b"), now("c")]));
    play.runner.set_tracer(Some(Box::new(sink(disk.clone()))));
    play.poll(0.0);
    play.reply("b", [true]);
    assert_eq!(play.poll(1.0), S);
    assert_eq!(play.brief(), "+a a:S +b ~b b:S +c c:S");
    let sink: Box<dyn Any> = play.runner.set_tracer(None).unwrap();
    (sink.downcast().unwrap(), disk.with(|disk| disk.writes))
}

const ROOMS: [usize; 4] = [0, 1, 150, 400];

fn full(kind: Option<&io::Error>) {
    assert_eq!(
        kind.expect("the disk is full").kind(),
        io::ErrorKind::StorageFull
    );
}

#[test]
fn a_full_disk_ends_the_writing_and_the_first_error_is_kept() {
    for room in ROOMS {
        let (lines, writes) = run(room, JsonLines::new);
        full(lines.error());
        // Nothing is tried after what failed.
        assert!(room > 1 || writes == 1, "{writes}");
        full(lines.finish().err().as_ref());
        let (watch, _) = run(room, Watch::new);
        full(watch.error());
        full(watch.finish().err().as_ref());
        let (log, writes) = run(room, |to| DebugLog::new(to, "a"));
        full(log.error());
        assert!(room > 1 || writes == 1, "{writes}");
        full(log.finish().err().as_ref());
        let (log, _) = run(room, |to| BehaviacLog::new(to, "a", "b"));
        full(log.error());
        full(log.finish().err().as_ref());
        let messages = |to| {
            BehaviacLog::new(io::sink(), "a", "b")
                .messages(to)
                .flushing()
        };
        let (log, _) = run(0, messages);
        assert!(log.error().is_none(), "there was no message");
    }
}

#[test]
fn a_disk_with_room_takes_everything() {
    let (lines, _) = run(1 << 20, JsonLines::new);
    assert!(lines.error().is_none());
    assert!(lines.finish().is_ok());
    let (log, _) = run(1 << 20, |to| DebugLog::new(to, "a"));
    assert!(log.finish().is_ok());
}

#[test]
fn tracer_that_panics_gets_no_more_records_and_the_run_continues() {
    for panics_at in [0, 1, 5, 12] {
        let told = Arc::new(AtomicU32::new(0));
        let counts = told.clone();
        let mut play = Play::new(sequence([now("a"), polled("b"), now("c")]));
        let panics = move |_: &Record<'_>| {
            let before = counts.fetch_add(1, Ordering::Relaxed);
            assert!(before != panics_at, "the tracer panics");
        };
        play.runner.set_tracer(Some(Box::new(panics)));
        play.poll(0.0);
        play.reply("b", [true]);
        assert_eq!(play.poll(1.0), S);
        assert_eq!(play.brief(), "+a a:S +b ~b b:S +c c:S");
        assert_eq!(told.load(Ordering::Relaxed), panics_at + 1);
        assert!(play.runner.set_tracer(None).is_none(), "it is gone");
    }
}

#[test]
fn tracer_that_panics_in_a_snapshot_is_removed() {
    struct Fussy;
    impl Tracer for Fussy {
        fn record(&mut self, _: &Record<'_>) {}

        fn wants_snapshot(&mut self) -> bool {
            panic!("it does not know")
        }
    }
    let mut play = Play::new(sequence([now("a"), polled("b")]));
    play.runner.set_tracer(Some(Box::new(Fussy)));
    play.poll(0.0);
    play.reply("b", [true]);
    assert_eq!(play.poll(1.0), S);
    assert!(play.runner.set_tracer(None).is_none(), "it is gone");
}

#[test]
fn a_tracer_that_panics_when_it_is_dropped() {
    struct Heavy;
    impl Tracer for Heavy {
        fn record(&mut self, _: &Record<'_>) {
            panic!("it has enough")
        }
    }
    impl Drop for Heavy {
        fn drop(&mut self) {
            panic!("it does not go")
        }
    }
    let mut play = Play::new(sequence([now("a")]));
    play.runner.set_tracer(Some(Box::new(Heavy)));
    assert_eq!(play.poll(0.0), S);
}
