//! The same inputs give the same rounds, whatever the number of chunks, and as plain runners would.

use bt_core::pool::Pool;
use bt_core::prelude::*;
use bt_core::trace::{JsonLines, Record, SharedWriter, Tracer};
use bt_core::tree::asset::spec::{NodeSpec, action, guard, parallel, select, sequence, wait_event};
use bt_core::{Mode, Runner};
use proptest::prelude::*;

use crate::pool::ants::{Ant, hill, runner, seconds, trees};

/// An operation of the host between two rounds.
#[derive(Debug, Clone)]
enum Deed {
    Fire(usize),
    FireAll,
    Finish(usize),
    Despawn(usize),
    Pause(usize),
    Resume(usize),
}

fn deeds() -> impl Strategy<Value = Vec<(u32, Vec<Deed>)>> {
    let who = 0..12usize;
    let deed = prop_oneof![
        4 => who.clone().prop_map(Deed::Fire),
        1 => Just(Deed::FireAll),
        4 => who.clone().prop_map(Deed::Finish),
        1 => who.clone().prop_map(Deed::Despawn),
        1 => who.clone().prop_map(Deed::Pause),
        1 => who.prop_map(Deed::Resume),
    ];
    prop::collection::vec((0..400u32, prop::collection::vec(deed, 0..4)), 1..25)
}

/// Without anything that agents do to each other.
fn alone() -> NodeSpec {
    let hears = sequence([wait_event("rain"), action("walk").arg("wet")]);
    let rolls = sequence([action("roll").arg(300), action("walk").arg("rolled")]);
    let digs = sequence([action("dig"), action("walk").arg("out")]);
    parallel(3, 1, [hears, rolls, digs])
}

/// With events, births, deaths and global keys among them.
fn together() -> NodeSpec {
    let on = guard("is_on").key("alarm").set("abort", "lower");
    let tells = sequence([
        action("roll").arg(200),
        action("step").arg("steps"),
        action("see").arg("steps"),
        action("tell").arg(3),
        action("lay"),
    ]);
    let hears = sequence([wait_event("rain"), action("walk").arg("wet"), action("die")]);
    select([
        action("walk").arg("away").guard(on),
        parallel(2, 1, [tells, hears]),
    ])
}

fn play(body: NodeSpec, deeds: &[(u32, Vec<Deed>)], chunks: usize) -> Vec<String> {
    let (mut pool, ids, _) = hill(body, 12);
    let board = bt_core::SharedBoard::new();
    for (id, seed) in ids.iter().zip(0..) {
        let (_, runner) = pool.get_mut(*id).unwrap();
        runner.set_seed(seed);
        runner.set_mode(Mode::Loop);
        runner.share(&board);
    }
    let (mut now, mut told) = (0, Vec::new());
    for (step, deeds) in deeds {
        now += step;
        for deed in deeds {
            match deed {
                Deed::Fire(who) => {
                    pool.fire(ids[*who], rain());
                }
                Deed::FireAll => pool.handle().fire_all(rain()),
                Deed::Finish(who) => finish(pool.get(ids[*who]).map(|(ant, _)| ant)),
                Deed::Despawn(who) => pool.handle().despawn(ids[*who]),
                Deed::Pause(who) => {
                    pool.pause(ids[*who]);
                }
                Deed::Resume(who) => {
                    pool.resume(ids[*who]);
                }
            }
        }
        pool.round(seconds(f64::from(now) / 1000.0), chunks, |chunks| {
            std::thread::scope(|scope| {
                for chunk in chunks.into_iter().rev() {
                    scope.spawn(|| chunk.poll());
                }
            });
        });
        told.push(format!("{:?} {}", pool.next_wake(), pool.missed()));
    }
    told.extend(logs(&pool));
    told
}

fn logs(pool: &Pool<Ant>) -> Vec<String> {
    let log = |(id, ant, _): (_, &Ant, _)| format!("{id}: {}", ant.log.join(", "));
    pool.iter().map(log).collect()
}

fn rain() -> Event {
    Event::new("rain").with("drops", 1)
}

fn finish(ant: Option<&Ant>) {
    if let Some(last) = ant.and_then(|ant| ant.completions.lock().unwrap().pop()) {
        last.finish(true);
    }
}

/// The records of each of so many agents, as lines of JSON: in a pool, or as plain runners that are polled
/// when they say so.
fn traces(ants: u64, chunks: Option<usize>) -> Vec<String> {
    let trees = trees(alone());
    let steps = (0..4).map(|step| seconds(f64::from(step) / 5.0));
    let agents = (0..ants).map(|seed| {
        let mut runner = runner(&trees).mode(Mode::Loop).seed(seed);
        let lines = SharedWriter::new(Vec::new());
        let mut json = JsonLines::new(lines.clone());
        // Without explanations, which take long.
        let tracer = move |record: &Record<'_>| json.record(record);
        runner.set_tracer(Some(Box::new(tracer)));
        ((Ant::default(), runner), lines)
    });
    let (mut agents, lines): (Vec<_>, Vec<_>) = agents.unzip();
    match chunks {
        Some(chunks) => {
            let mut pool = Pool::new();
            let ids = agents
                .into_iter()
                .map(|(ant, runner)| pool.spawn(ant, runner));
            let ids: Vec<_> = ids.collect();
            for (step, now) in steps.enumerate() {
                for id in ids.iter().skip(step).step_by(3) {
                    pool.fire(*id, rain());
                }
                pool.round(now, chunks, |chunks| {
                    std::thread::scope(|scope| {
                        for chunk in chunks.into_iter().rev() {
                            scope.spawn(|| chunk.poll());
                        }
                    });
                });
            }
        }
        None => {
            for (step, now) in steps.enumerate() {
                for (_, runner) in agents.iter_mut().skip(step).step_by(3) {
                    runner.fire(rain());
                }
                let is_due = |runner: &Runner<Ant>| runner.next_wake().is_some_and(|it| it <= now);
                for (ant, runner) in agents.iter_mut().filter(|(_, runner)| is_due(runner)) {
                    runner.poll(ant, now);
                }
            }
        }
    }
    let text = |lines: SharedWriter<Vec<u8>>| lines.with(|bytes| String::from_utf8(bytes.clone()));
    lines
        .into_iter()
        .map(|lines| text(lines).unwrap())
        .collect()
}

#[test]
fn traces_of_ten_thousand_agents_are_the_same_in_chunks_and_alone() {
    let plain = traces(10_000, None);
    assert!(plain.iter().all(|lines| lines.lines().count() > 10));
    assert_ne!(plain[0], plain[1]);
    for chunks in [1, 2, 7] {
        assert!(traces(10_000, Some(chunks)) == plain, "{chunks} chunks");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn rounds_are_the_same_for_any_number_of_chunks(deeds in deeds()) {
        for body in [alone(), together()] {
            let one = play(body.clone(), &deeds, 1);
            for chunks in [2, 7] {
                prop_assert_eq!(&play(body.clone(), &deeds, chunks), &one);
            }
        }
    }

    #[test]
    fn agents_that_are_alone_do_what_plain_runners_do(deeds in deeds()) {
        let trees = trees(alone());
        let deeds: Vec<_> = deeds.into_iter().map(|(step, deeds)| {
            let is_plain = |deed: &Deed| matches!(deed, Deed::Fire(_) | Deed::FireAll | Deed::Finish(_));
            (step, deeds.into_iter().filter(is_plain).collect::<Vec<_>>())
        }).collect();
        let mut agents: Vec<_> = (0..12).map(|seed| {
            let runner = runner(&trees).mode(Mode::Loop).seed(seed);
            (Ant::default(), runner)
        }).collect();
        let mut now = 0;
        for (step, deeds) in &deeds {
            now += step;
            for deed in deeds.iter().filter(|deed| !matches!(deed, Deed::FireAll)) {
                match deed {
                    Deed::Fire(who) => agents[*who].1.fire(rain()),
                    Deed::Finish(who) => finish(Some(&agents[*who].0)),
                    _ => {}
                }
            }
            // Those of the handle arrive with the round.
            for _ in deeds.iter().filter(|deed| matches!(deed, Deed::FireAll)) {
                agents.iter_mut().for_each(|(_, runner)| runner.fire(rain()));
            }
            for (ant, runner) in &mut agents {
                runner.poll(ant, seconds(f64::from(now) / 1000.0));
            }
        }
        let plain: Vec<_> = agents.iter().zip(0..).map(|((ant, _), place)| {
            format!("{place}v1: {}", ant.log.join(", "))
        }).collect();
        let pooled = play(alone(), &deeds, 3);
        prop_assert_eq!(&pooled[deeds.len()..], &plain[..]);
    }
}
