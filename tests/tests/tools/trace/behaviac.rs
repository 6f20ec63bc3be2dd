//! behaviac's log: how often each node ran, and what is filtered. (S4-G01 to S4-G04)

use bt_core::trace::{Record, SharedWriter, Tracer, What};
use bt_core::tree::asset::spec::{parallel, sequence, sub_tree};
use bt_live::logs::BehaviacLog;
use bt_tests::probe::{Play, Reply, now, of, polled, starts};
use serde_json::json;

/// The lines of a play, without their time and whose they are.
fn lines(
    play: &mut Play,
    log: impl FnOnce(BehaviacLog<SharedWriter<Vec<u8>>>) -> BehaviacLog<SharedWriter<Vec<u8>>>,
    run: impl FnOnce(&mut Play),
) -> Vec<String> {
    let shared = SharedWriter::new(Vec::new());
    let log = log(BehaviacLog::new(shared.clone(), "ns::Probe", "p"));
    play.runner.set_tracer(Some(Box::new(log)));
    run(play);
    play.runner.set_tracer(None);
    let text = shared.with(|bytes| String::from_utf8(bytes.clone()).unwrap());
    let short = |line: &str| {
        let rest = line.strip_prefix("[1/1/1970 12:00:00 AM]").unwrap();
        rest.replace("ns::Probe#p ", "").replace("[tick]", "")
    };
    let lines = text.lines().map(short);
    lines.filter(|line| !line.starts_with("[frame]")).collect()
}

#[test]
fn polls_are_frames_and_names_have_no_sign_of_an_instance() {
    let mut play = Play::new(polled("a"));
    let shared = SharedWriter::new(Vec::new());
    let log = BehaviacLog::new(shared.clone(), "ns::Probe#x", "p#7");
    play.runner.set_tracer(Some(Box::new(log)));
    play.again();
    play.again();
    play.runner.set_tracer(None);
    let text = shared.with(|bytes| String::from_utf8(bytes.clone()).unwrap());
    let lines: Vec<_> = text
        .lines()
        .map(|line| line.strip_prefix("[1/1/1970 12:00:00 AM]").unwrap())
        .collect();
    let frames = lines.iter().filter(|line| line.starts_with("[frame]"));
    assert_eq!(
        frames.copied().collect::<Vec<_>>(),
        ["[frame]1", "[frame]2"]
    );
    assert_eq!(lines[0], "[frame]1");
    assert!(
        lines[1].starts_with("[tick]ns::Probe_x#p_7 main->"),
        "{text}"
    );
}

#[test]
fn nodes_are_counted_and_polled_actions_are_updated_s4_g04() {
    let mut play = Play::new(of("repeat", [sequence([now("a"), polled("b")])]).extra("count", 2));
    play.reply("b", [Reply::On, Reply::On, true.into(), true.into()]);
    let lines = lines(
        &mut play,
        |log| log.only(|it| it.at.as_ref().is_some_and(|at| at.idx() == 4)),
        |play| {
            for _ in 0..5 {
                play.again();
            }
        },
    );
    assert_eq!(
        lines,
        [
            "main->Action[4]:enter [success] [1]",
            "main->Action[4]:update [running] [1]",
            "main->Action[4]:update [running] [1]",
            "main->Action[4]:update [running] [1]",
            "main->Action[4]:exit [success] [1]",
            "main->Action[4]:enter [success] [2]",
            "main->Action[4]:update [running] [2]",
            "main->Action[4]:exit [success] [2]",
        ]
    );
}

#[test]
fn a_log_that_is_switched_on_later_counts_the_run_that_there_is_as_the_first() {
    let mut play = Play::trees([
        ("main", parallel(1, 1, [starts("a"), sub_tree("b")])),
        ("b", starts("b")),
    ]);
    play.again();
    play.set("k", 5);
    let lines = lines(
        &mut play,
        |log| log,
        |play| {
            play.end("a", false);
            play.again();
        },
    );
    assert_eq!(
        lines,
        [
            "[property]int k->5",
            "main->Action[2]:exit [failure] [1]",
            "b->Action[1]:exit [failure] [1]",
            "b->BehaviorTree[-1]:exit [failure] [1]",
            "main->ReferencedBehavior[3]:exit [failure] [1]",
            "main->Parallel[1]:exit [failure] [1]",
            "main->BehaviorTree[-1]:exit [failure] [1]",
        ]
    );
}

#[test]
fn properties_have_behaviacs_types_s4_g02() {
    let mut play = Play::new(polled("a"));
    for (key, value) in [
        ("alive", json!(false)),
        ("enemy", json!(-1)),
        ("far", json!(1_u64 << 40)),
        ("huge", json!(u64::MAX)),
        ("range", json!(2.5)),
        ("category", json!("")),
        ("text", json!("a\nb")),
        ("list", json!([1, 2])),
        ("none", json!([])),
        ("point", json!({"x": 1})),
    ] {
        play.set(key, value);
    }
    let mut lines = lines(
        &mut play,
        |log| log.only(|it| it.at.is_none()),
        |play| {
            play.set("enemy", 2);
            play.runner.pause();
            play.again();
            play.runner.blackboard().remove("enemy");
            play.again();
            play.runner.resume();
        },
    );
    assert_eq!(
        lines.split_off(10),
        ["[property]int enemy->2", "[property]void enemy->null"]
    );
    lines.sort();
    assert_eq!(
        lines,
        [
            "[property]bool alive->False",
            "[property]double range->2.5",
            "[property]int enemy->-1",
            "[property]long far->1099511627776",
            "[property]string category->",
            "[property]string text->a\\nb",
            "[property]struct point->{\"x\":1}",
            "[property]unsigned long huge->18446744073709551615",
            "[property]vector none->[]",
            "[property]vector<int> list->[1,2]",
        ]
    );
}

#[test]
fn behaviac_log_counts_filtered_records_s4_g03() {
    let mut play = Play::new(of("repeat", [now("a")]).extra("count", 3));
    let mut entries = 0;
    let only_third = move |record: &Record<'_>| {
        let is_leaf = record.at.as_ref().is_some_and(|at| at.kind() == "action");
        entries += u32::from(is_leaf && matches!(record.what, What::NodeEnter));
        is_leaf && entries == 3
    };
    let lines = lines(
        &mut play,
        |log| log.only(only_third),
        |play| {
            play.again();
        },
    );
    assert_eq!(
        lines,
        [
            "main->Action[2]:enter [success] [3]",
            "main->Action[2]:update [running] [3]",
            "main->Action[2]:exit [success] [3]",
        ]
    );
    let mut log = BehaviacLog::new(std::io::sink(), "a", "b");
    assert!(!log.wants_snapshot() && log.error().is_none());
}
