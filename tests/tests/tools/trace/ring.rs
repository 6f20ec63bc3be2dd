//! The ring where it is small, full, or another's.

use bt_core::trace::{Replay, Ring, What};
use bt_core::tree::asset::spec::{sequence, sub_tree};
use bt_core::{Runner, TreeAsset, TreeSet};
use bt_tests::probe::{Play, Probe, Reply, now, of, polled, starts, wait};

fn play(make: impl FnOnce(Ring) -> Ring, records: usize) -> Play {
    let main = sequence([now("a"), sub_tree("other"), polled("b")]);
    let trees = [
        ("main", main),
        ("other", of("negative", [of("negative", [wait(0.5)])])),
    ];
    let mut play = Play::trees(trees).looping();
    play.always("b", true);
    let mut count = 0;
    play.on_call("a", move |cx| {
        count += 1;
        cx.set("count", count);
        cx.set(&format!("k{}", count % 7), "x".repeat(count % 40));
    });
    let ring = make(Ring::new(play.runner.trees(), records));
    play.runner.set_tracer(Some(Box::new(ring)));
    play
}

fn ring(play: &Play) -> &Ring {
    play.runner.tracer::<Ring>().unwrap()
}

/// The state after the records from the first snapshot on, if there is one.
fn replayed(ring: &Ring) -> Option<Replay> {
    let mut replay = Replay::new();
    for record in ring.records() {
        replay.apply(&record).unwrap();
    }
    replay.has_begun().then_some(replay)
}

#[test]
fn ring_replays_from_its_first_snapshot() {
    for (records, bytes) in [(64, 8_000), (100, 1_600), (256, 100_000), (1000, 2_000)] {
        let mut play = play(|ring| ring.bytes(bytes), records);
        let (mut replayed_often, mut most) = (0, 0);
        for step in 0..300 {
            play.poll(f64::from(step) / 4.0);
            let ring = ring(&play);
            assert!(ring.len() <= records);
            assert_eq!(ring.len(), ring.records().count());
            most = most.max(ring.len());
            if let Some(replay) = replayed(ring) {
                replayed_often += 1;
                assert_eq!(*replay.picture(), play.runner.picture());
            }
            let (mut poll, mut time) = (0, 0);
            for record in ring.records() {
                assert!(record.poll >= poll && record.ns >= time);
                (poll, time) = (record.poll, record.ns);
            }
        }
        assert_eq!(ring(&play).left_out(), 0);
        assert!(replayed_often > 250, "{records}, {bytes}: {replayed_often}");
        assert!(most > 20, "{most}");
    }
}

#[test]
fn a_ring_that_is_smaller_than_a_snapshot_keeps_what_fits() {
    let mut play = play(|ring| ring.bytes(70), 100);
    play.set("long", "x".repeat(100));
    for step in 0..100 {
        play.poll(f64::from(step) / 4.0);
    }
    let ring = ring(&play);
    assert!(ring.left_out() > 5, "{}", ring.left_out());
    assert!(!ring.is_empty());
    for record in ring.records() {
        assert!(!matches!(record.what, What::Snapshot(_)));
    }
}

#[test]
fn a_ring_without_bytes_keeps_what_is_of_one_size() {
    let mut play = play(|ring| ring.bytes(0), 50);
    for step in 0..20 {
        play.poll(f64::from(step) / 4.0);
    }
    let words: Vec<_> = ring(&play)
        .records()
        .map(|it| it.what.command().to_owned())
        .collect();
    assert_eq!(words.len(), 50);
    let known = ["poll_begin", "node_enter", "node_leave", "node_action"];
    assert!(
        words.iter().all(|word| known.contains(&&**word)),
        "{words:?}"
    );
}

#[test]
fn a_tiny_ring_has_room_for_eight_records() {
    for records in [0, 1, 8] {
        let mut play = play(|ring| ring.bytes(1000), records);
        for step in 0..20 {
            play.poll(f64::from(step) / 4.0);
            assert!(ring(&play).len() <= 8);
        }
        assert_eq!(ring(&play).len(), 8);
        let last = ring(&play).records().last().unwrap();
        assert!(last.poll > 15, "{last:?}");
    }
}

#[test]
fn cleared_ring_restarts_with_a_snapshot() {
    let mut play = play(|ring| ring.bytes(10_000), 1000);
    play.poll(0.0);
    let mut tracer = play.runner.set_tracer(None).unwrap();
    let any: &mut dyn std::any::Any = &mut *tracer;
    any.downcast_mut::<Ring>().unwrap().clear();
    assert!(tracer.wants_snapshot());
    play.runner.set_tracer(Some(tracer));
    play.poll(1.0);
    assert!(matches!(
        ring(&play).records().next().unwrap().what,
        What::Snapshot(_)
    ));
}

#[test]
fn records_of_other_trees_are_left_out() {
    let mut set = TreeSet::<Probe>::new();
    set.add(TreeAsset::build("main", "probe", now("x")));
    let others = set.build().unwrap();
    let mut play = Play::new(sequence([now("a"), starts("b")]));
    play.reply("b", [Reply::After(1.0, true)]);
    play.runner
        .set_tracer(Some(Box::new(Ring::new(&others, 100))));
    play.poll(0.0);
    play.poll(1.0);
    let ring = ring(&play);
    assert!(ring.left_out() >= 8, "{}", ring.left_out());
    assert!(ring.records().all(|record| record.at.is_none()));
    // The same trees built once are the same trees for all.
    let mut runner = Runner::new(&others, "main").unwrap();
    runner.set_tracer(Some(Box::new(Ring::new(&others.clone(), 100))));
    runner.start();
    runner.poll(&mut Probe::default(), std::time::Duration::ZERO);
    assert_eq!(runner.tracer::<Ring>().unwrap().left_out(), 0);
}
