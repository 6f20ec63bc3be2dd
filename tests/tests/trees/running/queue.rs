//! Tests of an agent's queue: its bound, and the times at which it is closed.

use std::sync::{Arc, Mutex};

use bt_core::trace::{Record, What};
use bt_core::tree::asset::spec::{parallel, sequence, wait_event};
use bt_core::{Event, LeafId, Mode, Runner};
use bt_tests::probe::{F, Play, R, Reply, S, now, polled, slow, starts};

/// The names of the events that are dropped from now on.
fn dropped(play: &mut Play) -> Arc<Mutex<Vec<String>>> {
    let all = Arc::new(Mutex::new(Vec::new()));
    let held = all.clone();
    let tracer = move |record: &Record<'_>| {
        if let What::EventDropped { event } = &record.what {
            held.lock().unwrap().push(event.to_string());
        }
    };
    play.runner.set_tracer(Some(Box::new(tracer)));
    all
}

fn waits() -> Play {
    Play::new(sequence([wait_event("go"), now("a")]))
}

#[test]
fn queue_keeps_what_is_fired_before_the_first_start() {
    let trees = waits().runner.trees().clone();
    let mut play = waits();
    play.runner = Runner::new(&trees, "main").unwrap().mode(Mode::Once);
    play.fire("go");
    assert_eq!(play.poll(0.0), F, "it was not started");
    play.fire("go").again();
    play.runner.start();
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a a:S");
}

#[test]
fn queue_drops_and_traces_what_is_fired_after_a_stop() {
    let mut play = waits();
    let dropped = dropped(&mut play);
    play.poll(0.0);
    play.fire("go").stop();
    assert_eq!(*dropped.lock().unwrap(), ["go"], "what was queued, too");
    play.fire("go");
    assert_eq!(dropped.lock().unwrap().len(), 2);
    play.runner.start();
    assert_eq!(play.again(), R);
}

#[test]
fn queue_drops_and_traces_what_is_fired_after_an_end() {
    let mut play = waits();
    let dropped = dropped(&mut play);
    play.fire("go").fire("go");
    assert_eq!(play.poll(0.0), S);
    assert_eq!(*dropped.lock().unwrap(), ["go"]);
    play.fire("go");
    assert_eq!(dropped.lock().unwrap().len(), 2);
    play.runner.start();
    assert_eq!(play.again(), R);
}

#[test]
fn queue_drops_and_traces_what_is_fired_while_a_tree_is_being_stopped() {
    let mut play = Play::new(sequence([slow("a"), wait_event("go")]));
    let dropped = dropped(&mut play);
    play.poll(0.0);
    play.stop().fire("go").again();
    assert_eq!(*dropped.lock().unwrap(), ["go"]);
    play.runner.start();
    play.fire("go");
    play.end("a", true);
    play.polls::<2>();
    play.end("a", true);
    assert_eq!(play.again(), R, "it waits");
    assert_eq!(dropped.lock().unwrap().len(), 2);
}

#[test]
fn queue_drops_what_exits_fire_while_the_tree_is_stopped() {
    let call = bt_core::tree::asset::spec::call("now").arg("x");
    let main = sequence([starts("a").effect("exit", call), wait_event("go")]);
    let mut play = Play::new(main);
    play.on_call("x", |cx| cx.fire(Event::new("go")));
    play.poll(0.0);
    play.stop().runner.start();
    play.again();
    assert_eq!(play.brief(), "+a a:A +x x:S +a");
    play.always("x", true).end("a", true);
    // The exit that is about to run fires another one.
    assert_eq!(play.again(), S);
    let mut play = Play::new(sequence([starts("a"), wait_event("go")]));
    play.poll(0.0);
    play.stop().runner.start();
    play.reply("a", [S]);
    assert_eq!(play.again(), R);
}

#[test]
fn queue_keeps_what_was_fired_over_reset_and_load() {
    for load in [false, true] {
        for after in [false, true] {
            let main = sequence([starts("m"), wait_event("other")]);
            let other = sequence([wait_event("go"), now("o")]);
            let first = if load { main } else { other.clone() };
            let mut play = Play::trees([("main", first), ("other", other)]);
            play.poll(0.0);
            if !after {
                play.fire("go");
            }
            if load {
                play.runner.load("other").unwrap();
            } else {
                play.runner.reset();
            }
            if after {
                play.fire("go");
            }
            play.again();
            play.again();
            let log = play.brief();
            assert!(log.ends_with("+o o:S"), "load {load}, after {after}: {log}");
        }
    }
}

#[test]
fn queue_keeps_what_is_fired_after_a_reset_of_a_stopped_runner_or_a_load_of_one_that_has_ended() {
    let mut play = waits();
    play.poll(0.0);
    play.stop().runner.reset();
    play.fire("go");
    assert_eq!(play.again(), S);
    play.runner.load("main").unwrap();
    play.fire("go");
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a a:S +a a:S");
}

#[test]
fn queue_holds_1024_events_and_one_diagnostic_a_poll_says_that_others_are_refused() {
    let mut play = Play::new(bt_tests::probe::times("loop", -1, wait_event("go")));
    play.poll(0.0);
    for _ in 0..10_000 {
        play.fire("go");
    }
    let [why] = play.diagnostics().try_into().unwrap();
    assert!(why.contains("1024"), "{why}");
    assert!(why.contains("`go`"), "{why}");
    play.fire("go");
    let [why] = play.diagnostics().try_into().unwrap();
    assert!(why.contains("1024"), "the diagnostics were taken: {why}");
    // There is room again.
    play.runner.pause();
    play.runner.resume();
    play.again();
    play.fire("go");
    assert_eq!(play.diagnostics(), [""; 0]);
}

#[test]
fn queue_limit_is_a_setting_and_counts_what_actions_fire() {
    let mut play = Play::new(sequence([
        now("a"),
        wait_event("e"),
        wait_event("e"),
        wait_event("e"),
    ]))
    .with(|runner| runner.queue_limit(2));
    play.on_call("a", |cx| {
        for _ in 0..5 {
            cx.fire(Event::new("e"));
        }
    });
    assert_eq!(play.poll(0.0), R, "two of five events arrived");
    let [why] = play.diagnostics().try_into().unwrap();
    assert!(
        why.contains("holds 2 events; event `e` is refused"),
        "{why}"
    );
    play.fire("e");
    assert_eq!(play.again(), S);
}

#[test]
fn queue_has_a_place_for_what_the_host_finishes_though_it_is_full_of_events() {
    let mut play =
        Play::new(sequence([starts("a"), now("b")])).with(|runner| runner.queue_limit(1));
    play.poll(0.0);
    let leaf = play.runner.active_leaves()[0].id;
    play.fire("x").fire("x");
    play.runner.finish(leaf, true);
    assert_eq!(play.again(), S);
}

#[test]
fn queue_limit_counts_events_only() {
    let both = parallel(2, 1, [starts("a"), starts("b")]);
    let mut play =
        Play::new(sequence([both, wait_event("go")])).with(|runner| runner.queue_limit(1));
    play.poll(0.0);
    for leaf in play.runner.active_leaves() {
        play.runner.finish(leaf.id, true);
    }
    play.fire("go");
    assert_eq!(play.diagnostics(), [""; 0]);
    assert_eq!(play.again(), S);
}

#[test]
fn finish_of_a_leaf_that_was_exited_queues_nothing() {
    let mut play = Play::new(sequence([starts("a"), starts("b")]));
    play.reply("a", [Reply::After(1.0, true)]);
    play.poll(0.0);
    let leaf: LeafId = play.runner.active_leaves()[0].id;
    play.poll(1.0);
    assert_eq!(play.wake(), None);
    play.runner.finish(leaf, false);
    assert_eq!(play.wake(), None, "there is nothing to poll it for");
    play.stop();
    play.runner.finish(leaf, false);
    assert_eq!(queued(&play), 0);
}

#[test]
fn finish_again_of_one_leaf_queues_nothing_more() {
    let mut play = Play::new(polled("a"));
    play.poll(0.0);
    let leaf = play.runner.active_leaves()[0].id;
    play.runner.finish(leaf, true);
    for _ in 0..100 {
        play.runner.finish(leaf, false);
    }
    assert_eq!(queued(&play), 1);
    assert_eq!(play.again(), S, "the first answer counts");
}

/// The number of queued events, as a saved agent has it.
fn queued(play: &Play) -> usize {
    let saved: serde_json::Value = serde_json::to_value(play.runner.save()).unwrap();
    saved["queue"].as_array().map_or(0, Vec::len)
}

#[test]
fn finish_again_of_a_suspended_leaf_queues_nothing_more() {
    let main = super::takes(starts("a"), "go", "other", "return");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    let leaf = play.runner.active_leaves()[0].id;
    play.fire("go").again();
    for _ in 0..3 {
        play.runner.finish(leaf, true);
        play.again();
    }
    let saved: serde_json::Value = serde_json::to_value(play.runner.save()).unwrap();
    let held = saved["levels"][0]["held"].as_array().unwrap();
    assert_eq!(held.len(), 1);
    play.end("o", true);
    assert_eq!(play.again(), S);
}

#[test]
fn reset_and_stop_clear_latched_events() {
    for stops in [false, true] {
        let latch = wait_event("go").extra("latch", true);
        let mut play = Play::new(sequence([starts("a"), latch]));
        play.poll(0.0);
        // Nobody waits for it: it is kept.
        play.fire("go").again();
        if stops {
            play.stop().runner.start();
        } else {
            play.runner.reset();
        }
        play.again();
        play.again();
        play.end("a", true);
        assert_eq!(play.again(), R, "stops {stops}: it waits for a new one");
        play.fire("go");
        assert_eq!(play.again(), S, "stops {stops}");
    }
}
