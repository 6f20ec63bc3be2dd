//! Rows for who looks on. (S1-D04, U14)

use bt_core::trace::SharedWriter;
use bt_live::logs::DebugFeed;
use bt_tests::probe::{Play, Reply, guard_key, now, of, polled};
use serde_json::{Value, json};

fn body(feed: &DebugFeed) -> Value {
    serde_json::from_str(&feed.take().expect("there are rows")).unwrap()
}

#[test]
fn batches_are_bodies_of_requests() {
    let mut play = Play::new(now("a"));
    let feed = DebugFeed::new("monster \"7\"").starting_at(1000);
    play.runner.set_tracer(Some(Box::new(feed.clone())));
    let first = body(&feed);
    assert_eq!(
        first,
        json!({"entity_id": "monster \"7\"", "cmds": [[0, 0, 1000, "snapshot", [["main"], {}, []]]]})
    );
    assert_eq!(feed.take(), None);
    play.poll(0.5);
    let second = body(&feed);
    assert_eq!(second["cmds"][0], json!([0, 0, 1500, "enter", []]));
    assert_eq!(
        second["cmds"][2],
        json!([0, 1, 1500, "mutate", ["node_action", ["now", ["a"]]]])
    );
    assert_eq!(second["cmds"][3], json!([0, 1, 1500, "leave", ["success"]]));
}

#[test]
fn a_debug_log_begins_with_one_snapshot_and_bears_results_and_guards() {
    let guarded = [now("no").guard(guard_key("k")), now("yes")];
    let mut play = Play::new(of("select", guarded));
    let feed = DebugFeed::new("m");
    play.runner.set_tracer(Some(Box::new(feed.clone())));
    play.poll(1.0);
    let rows = body(&feed)["cmds"].take();
    let of = |cmd: &str| -> Vec<&Value> {
        let rows = rows.as_array().unwrap().iter();
        rows.filter(|row| row[3] == cmd).collect()
    };
    assert_eq!(of("snapshot").len(), 1, "{rows:#}");
    let guards: Vec<_> = of("mutate").into_iter().map(|row| &row[4]).collect();
    assert_eq!(
        guards[0],
        &json!(["guard", ["key_true", ["k"], false]]),
        "{rows:#}"
    );
    assert!(of("leave").iter().all(|row| row[4] == json!(["success"])));
}

#[test]
fn debug_feed_drops_unread_records_and_restarts_with_a_snapshot() {
    let mut play = Play::new(polled("a"));
    play.always("a", Reply::On);
    let big = "x".repeat(1 << 20);
    let feed = DebugFeed::new("m");
    play.runner.set_tracer(Some(Box::new(feed.clone())));
    for step in 0..20 {
        play.set("k", format!("{step}{big}"));
        play.poll(f64::from(step));
    }
    assert_eq!(feed.lost(), 1);
    let rows = body(&feed);
    assert_eq!(rows["cmds"][0][3], "snapshot");
    play.poll(30.0);
    assert_eq!(body(&feed)["cmds"][0][3], "snapshot");
}

#[test]
fn the_lines_of_many_threads_do_not_mix() {
    let shared = SharedWriter::new(Vec::new());
    let threads = (0..4).map(|thread| {
        let to = shared.clone();
        std::thread::spawn(move || {
            let mut play = Play::new(polled("a"));
            let sink = bt_core::trace::JsonLines::new(to).of(format!("agent {thread}"));
            play.runner.set_tracer(Some(Box::new(sink)));
            for step in 0..200 {
                play.poll(f64::from(step));
            }
        })
    });
    let threads: Vec<_> = threads.collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let bytes = shared.into_inner().expect("nobody writes any more");
    let mut counts = std::collections::BTreeMap::<_, u32>::new();
    for line in bt_core::trace::read_lines(&bytes[..]) {
        *counts.entry(line.unwrap().0.unwrap()).or_default() += 1;
    }
    assert_eq!(counts.len(), 4);
    assert!(counts.values().all(|count| *count > 400), "{counts:?}");
}

#[test]
fn a_shared_writer_is_given_back_to_the_last() {
    let one = SharedWriter::new(7);
    let other = one.clone();
    let one = one.into_inner().expect_err("there is another");
    assert_eq!(one.with(|it| *it), 7);
    drop(other);
    assert_eq!(one.into_inner().ok(), Some(7));
}
