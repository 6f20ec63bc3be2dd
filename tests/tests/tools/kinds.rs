//! Each kind of node by itself: what it does, how it is drawn, and that it goes on where it was saved. A new kind has a
//! line in [`example`]; `bt-core/src/kinds/tested.rs` says what else it needs.

use std::collections::BTreeSet;

use bt_core::kinds::Kind;
use bt_core::tree::asset::TreeAsset;
use bt_core::tree::asset::spec::{NodeSpec, node, parallel, sub_tree, wait_event};
use bt_meta::draw::{Direction, Format, draw};
use bt_tests::cases::{Case, Profile};
use bt_tests::probe::*;

use crate::snapshot::twins::Twins;

/// A tree that shows the kind: leaves `a`, `b` and `c` wait a little and end in turn with success and failure.
fn example(kind: Kind) -> NodeSpec {
    let leaves = |count: usize| ["a", "b", "c"].map(starts).into_iter().take(count);
    let name = kind.name();
    match kind {
        Kind::Sequence
        | Kind::Select
        | Kind::MemorySequence
        | Kind::MemorySelect
        | Kind::AlwaysSeq
        | Kind::RandomSeq
        | Kind::RandomSelect
        | Kind::IfElse => of(name, leaves(3)),
        Kind::ReactiveSequence | Kind::ReactiveSelect => {
            of(name, [polled("p"), starts("a"), starts("b")])
        }
        Kind::Probability => of(name, leaves(2)).extra("prob", [1, 3].to_vec()),
        Kind::Switch => of(name, leaves(2))
            .extra("on", "$k ?? false")
            .extra("cases", [true].to_vec())
            .extra("reactive", true),
        Kind::Utility => of(name, leaves(2))
            .extra("scores", ["$k ?? false ? 1 : 0", "0.5"].to_vec())
            .extra("reactive", true)
            .extra("keep", 0.25),
        Kind::ForEach => of(name, leaves(1))
            .extra("in", "[true, $k ?? false, 3]")
            .extra("as", "element")
            .extra("index", "place")
            .extra("until", "none"),
        Kind::Parallel => parallel(2, 2, leaves(3)),
        Kind::WhileLoop => of(name, leaves(2)),
        Kind::And | Kind::Or => of(name, [holds("f"), key_true("k")]),
        Kind::Root | Kind::Negative | Kind::AlwaysTrue | Kind::AlwaysFalse | Kind::Once => {
            of(name, leaves(1))
        }
        Kind::Repeat
        | Kind::Retry
        | Kind::UntilSuccess
        | Kind::UntilFailure
        | Kind::Loop
        | Kind::RunLimit
        | Kind::SuccessUntil
        | Kind::FailureUntil
        | Kind::Frames => times(name, 3, starts("a")),
        Kind::Timeout | Kind::Delay | Kind::Cooldown => timed(name, 0.5, starts("a")),
        Kind::Decorator => limits("limit", 2, starts("a")),
        Kind::Composite => {
            let watches = bt_core::tree::asset::spec::composite("watches", leaves(2));
            watches.arg("f").arg(1)
        }
        Kind::Action => starts("a"),
        Kind::Condition => holds("f"),
        Kind::Check => node(name).extra("if", "holds('f')"),
        Kind::Set => node(name).extra("set", serde_json::json!({"$n": "($n ?? 0) + 1"})),
        Kind::WaitEvent => wait_event("go"),
        Kind::SubTree => sub_tree("other"),
        Kind::Reset => of("sequence", [starts("a"), node(name)]),
        Kind::End => of(
            "sequence",
            [starts("a"), node(name).extra("status", "failure")],
        ),
        Kind::AlwaysRunning => node(name),
    }
}

/// The example at play: it begins again when it has ended. Its entries and exits are logged.
fn play(kind: Kind) -> Play {
    let main = match kind == Kind::Root {
        true => example(kind),
        false => paired("it", example(kind)),
    };
    let trees = [("main", main), ("other", wait(0.5))];
    let mut play = Play::trees(trees).looping();
    play.probe.plain = true;
    play.reply("p", (0..40).map(|n| Reply::End(n % 5 < 3)));
    for (at, name) in ["a", "b", "c"].into_iter().enumerate() {
        let reply = |n: usize| Reply::After(0.25 * (n % 3) as f64, !(n + at).is_multiple_of(3));
        play.reply(name, (at + 1..at + 40).map(reply));
    }
    play
}

/// Does what happens before a poll of that number.
fn before(poll: u32, play: &mut Play) {
    play.flag("f", poll.is_multiple_of(2))
        .set("k", !poll.is_multiple_of(3));
    if poll == 3 {
        play.fire("go");
    }
}

#[test]
fn each_kind_does_what_its_example_shows() {
    let mut all = String::new();
    for kind in Kind::ALL {
        all += &format!("{}\n", kind.name());
        let mut play = play(*kind);
        for poll in 0..12 {
            before(poll, &mut play);
            let time = f64::from(poll) / 4.0;
            let status = play.poll(time);
            let log = play.log().join(", ");
            all += format!("  {time:.2} {log}: {status:?}\n")
                .replace(" :", ":")
                .as_str();
        }
        assert_eq!(play.diagnostics(), [""; 0], "{}", kind.name());
        play.finish();
    }
    insta::assert_snapshot!(all);
}

#[test]
fn each_kind_goes_on_where_it_was_saved() {
    for kind in Kind::ALL {
        let mut twins = Twins::of(|| play(*kind));
        for poll in 0..12 {
            twins.both(|play| before(poll, play));
            twins.polls([f64::from(poll) / 4.0]);
        }
    }
}

#[test]
fn each_kind_is_drawn_with_its_symbol() {
    let mut all = String::new();
    for kind in Kind::ALL {
        let tree = TreeAsset::build(kind.name(), "probe", example(*kind));
        let picture = draw(&[tree], Format::Text, Direction::Down);
        assert!(picture.contains(kind.about().symbol), "{picture}");
        all += &picture;
        all.push('\n');
    }
    insta::assert_snapshot!(all);
}

/// The reference is compared with the runner on random cases, and so is a runner that was saved with one that was not.
#[test]
fn each_kind_is_in_random_cases() {
    let cases = (0..500).map(|seed| Case::of(seed, Profile::Covered));
    let found: BTreeSet<&str> = cases
        .flat_map(|case| {
            case.nodes()
                .into_iter()
                .map(|node| node.kind.word())
                .collect::<Vec<_>>()
        })
        .collect();
    let missing = Kind::ALL.iter().filter(|kind| !found.contains(kind.name()));
    assert_eq!(
        missing.collect::<Vec<_>>(),
        [] as [&Kind; 0],
        "see tests/src/cases/grow.rs"
    );
}
