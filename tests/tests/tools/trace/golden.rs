//! One scene as every sink writes it.

use std::io::Write;
use std::time::Duration;

use bt_core::prelude::*;
use bt_core::trace::{JsonLines, SharedWriter, Tracer, Watch};
use bt_core::tree::asset::spec::{
    NodeSpec, action, call, guard, node, parallel, select, sequence, sub_tree, wait_event,
};
use bt_core::{Runner, TreeAsset, TreeSet};
use bt_live::logs::{BehaviacLog, DebugLog};

#[derive(Agent, Default)]
struct Wolf;

#[agent]
impl Wolf {
    #[action]
    fn howl(&mut self, cx: &mut Context, text: &str) {
        cx.set("howled", text);
    }

    /// Runs after what is near.
    #[action]
    fn chase(&mut self, cx: &mut Context, speed: f64) -> Status {
        cx.note("speed", speed);
        Status::Running
    }

    #[action]
    fn bite(&mut self) -> Result<(), String> {
        Err("too far".to_owned())
    }

    #[action]
    fn sniff(&mut self, cx: &mut Context) {
        cx.fire(Wolf::heard("a\ntwig".to_owned()));
    }

    #[condition]
    fn is_near(range: f64) -> bool {
        range < 5.0
    }

    #[event]
    fn heard(what: String);
}

fn hunt() -> NodeSpec {
    let near = guard("is_near").key("range").set("abort", "both");
    let chase = parallel(
        1,
        1,
        [action("chase").arg(2.5), sequence([sub_tree("bite.json")])],
    );
    let heard = wait_event("heard").extra("params", serde_json::json!({"what": "what"}));
    let rest = sequence([heard, action("howl").key("what")]);
    let keys = serde_json::json!({"range": {"type": "double", "initial": 100.0}});
    let top = select([
        chase.guard(near),
        rest.effect("exit", call("howl").arg("ow")),
    ]);
    node("root").extra("blackboard", keys).child(top)
}

fn bite() -> NodeSpec {
    let wait = action("wait_for_seconds").arg(1.5);
    node("negative").child(sequence([wait, action("bite")]))
}

/// Ten polls of a wolf.
fn scene<T: Tracer>(tracer: T) {
    let mut trees = TreeSet::<Wolf>::new();
    trees.add(TreeAsset::build("hunt.json", "wolf", hunt()));
    trees.add(TreeAsset::build("bite.json", "wolf", bite()));
    let trees = trees.build().unwrap();
    let runner = Runner::new(&trees, "hunt.json").unwrap();
    let mut runner = runner.tracing(tracer);
    let mut wolf = Wolf;
    let mut poll = |runner: &mut Runner<Wolf>, ms| {
        runner.poll(&mut wolf, Duration::from_millis(ms));
    };
    runner.start();
    poll(&mut runner, 0);
    runner.fire(Event::new("thunder"));
    poll(&mut runner, 500);
    runner.fire(Wolf::heard("an \"owl\"".to_owned()));
    poll(&mut runner, 1000);
    runner.blackboard().set("range", 3.0);
    poll(&mut runner, 2000);
    poll(&mut runner, 3000);
    runner.pause();
    poll(&mut runner, 3250);
    runner.resume();
    poll(&mut runner, 3500);
    poll(&mut runner, 4000);
    runner.blackboard().remove("range");
    poll(&mut runner, 4100);
    runner.reset();
    poll(&mut runner, 5000);
    runner.stop(&mut wolf, Duration::from_millis(5500));
}

/// The output of a sink for the scene.
fn written<T: Tracer>(sink: impl FnOnce(SharedWriter<Vec<u8>>) -> T) -> String {
    let shared = SharedWriter::new(Vec::new());
    scene(sink(shared.clone()));
    let bytes = shared.into_inner().expect("the sink is gone");
    String::from_utf8(bytes).unwrap()
}

/// 23 April 2014, 12:01:12 in the afternoon.
const NOON: u64 = 1_398_254_472_000;

#[test]
fn as_the_debuggers_file() {
    insta::assert_snapshot!(written(|to| DebugLog::new(to, "wolf#7").starting_at(NOON)));
}

#[test]
fn as_json_lines() {
    insta::assert_snapshot!(written(JsonLines::new));
}

#[test]
fn as_behaviacs_two_files_s4_g01_g02_g03() {
    let messages = SharedWriter::new(Vec::new());
    let other = messages.clone();
    let ticks = written(|to| {
        let log = BehaviacLog::new(to, "test_ns::Wolf", "wolf_7");
        log.starting_at(NOON).messages(other).flushing()
    });
    insta::assert_snapshot!(ticks);
    let messages = messages.with(|bytes| String::from_utf8(bytes.clone()).unwrap());
    insta::assert_snapshot!("messages", messages);
}

#[test]
fn in_words() {
    insta::assert_snapshot!(written(Watch::new));
}

#[test]
fn a_poll_that_begins_with_a_snapshot_in_words() {
    let all = |to: SharedWriter<Vec<u8>>| -> Vec<Box<dyn Tracer>> {
        let mut line = Watch::new(to).of("wolf#7");
        let mut left = 30;
        let first = move |record: &bt_core::trace::Record<'_>| {
            if left > 0 {
                left -= 1;
                line.record(record);
            }
        };
        vec![
            Box::new(first),
            Box::new(DebugLog::new(std::io::sink(), "wolf#7")),
        ]
    };
    insta::assert_snapshot!(written(all));
}

#[test]
fn every_line_is_one_write() {
    /// Counts what it is given.
    struct Lines(u32);
    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            assert!(bytes.ends_with(b"\n") && bytes[..bytes.len() - 1].iter().all(|b| *b != b'\n'));
            self.0 += 1;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let lines = SharedWriter::new(Lines(0));
    scene(JsonLines::new(lines.clone()));
    scene(Watch::new(lines.clone()).flushing());
    scene(BehaviacLog::new(lines.clone(), "a\nb", "c\n").messages(lines.clone()));
    assert!(lines.with(|lines| lines.0) > 100);
}
