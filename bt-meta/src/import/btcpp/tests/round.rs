//! Import, export, import: what comes back.

use std::collections::BTreeMap;

use bt_core::TreeAsset;
use bt_core::kinds::Kind;
use bt_core::tree::asset::spec::{
    NodeSpec, action, check, condition, expr, negative, node, parallel, reactive_select,
    reactive_sequence, select, sequence, set,
};
use proptest::prelude::*;

use super::{agent, cases, imported, losses, of_body};
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::formats::{Format, render_trees};
use crate::import::Imported;
use crate::layout::Options;

/// The file that an export of imported trees is.
fn exported(of: &Imported) -> Result<String, Error> {
    export(&of.catalogue, &of.trees)
}

fn export(catalogue: &Catalogue, trees: &[TreeAsset]) -> Result<String, Error> {
    let options = Options {
        agent: Some(agent::NAME.to_owned()),
        ..Options::default()
    };
    let files = render_trees(catalogue, &options, &[Format::Btcpp], trees)?;
    Ok(files.files.into_iter().next().unwrap().text)
}

/// The trees by their names.
fn by_name(of: &Imported) -> BTreeMap<String, String> {
    let trees = of.trees.iter();
    trees
        .map(|tree| (tree.name().to_owned(), tree.to_json()))
        .collect()
}

#[test]
fn an_exported_case_comes_back_as_it_was_and_does_the_same() {
    let (mut refused, mut changed, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    for case in cases::all() {
        let first = of_body(&case.tree);
        let text = match exported(&first) {
            Ok(text) => text,
            Err(error) => {
                let why = error.to_string();
                refused.push(format!("{}: {}", case.name, why.lines().next().unwrap()));
                continue;
            }
        };
        let second = imported(&[("a.xml", &text)]).unwrap();
        let lost = losses(&second);
        assert!(lost.is_empty(), "{}: {lost:?}\n{text}", case.name);
        if by_name(&first) != by_name(&second) {
            changed.push(case.name.clone());
        }
        let third = imported(&[("a.xml", &exported(&second).unwrap())]).unwrap();
        assert_eq!(by_name(&second), by_name(&third), "{}", case.name);
        wrong.extend(cases::differs(&case, second.trees));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    insta::assert_snapshot!(format!(
        "refused:\n{}\n\nchanged:\n{}",
        refused.join("\n"),
        changed.join("\n")
    ));
}

/// Any leaf that can be exported.
fn leaf() -> impl Strategy<Value = NodeSpec> {
    prop_oneof![
        4 => prop::sample::select(&["A", "B", "C", "D"][..]).prop_map(action),
        1 => prop::sample::select(&["P", "Q", "T"][..]).prop_map(condition),
        1 => Just(action("nop")),
        1 => Just(action("Say").arg("it's \"<&>\"\nhere")),
        1 => Just(action("Say").key("n")),
        1 => Just(check("$n < 2 && !($n == 1) || $n * (2 - 1) >= 3")),
        1 => (0..4).prop_map(|to: i32| set([("$n", to.to_string().as_str())])),
        1 => Just(set([("$n", "$n < 2 ? $n + 1 : -$n")])),
    ]
}

/// Any tree of kinds that can be exported.
fn any_node() -> impl Strategy<Value = NodeSpec> {
    leaf().prop_recursive(4, 24, 3, |inner| {
        let some = || prop::collection::vec(inner.clone(), 1..4);
        let one = || inner.clone();
        prop_oneof![
            some().prop_map(sequence),
            some().prop_map(select),
            some().prop_map(reactive_sequence),
            some().prop_map(reactive_select),
            some().prop_map(|all| node(Kind::MemorySequence).children(all).keep_place()),
            (some(), 0..3usize).prop_map(|(all, at)| {
                let success = 1 + at.min(all.len() - 1);
                let failure = all.len() + 1 - success;
                parallel(success, failure, all).extra("stop_when_decided", true)
            }),
            some().prop_map(|all| parallel(all.len(), all.len(), all)),
            prop::collection::vec(inner.clone(), 2..4)
                .prop_map(|all| node(Kind::IfElse).children(all)),
            one().prop_map(negative),
            one().prop_map(|child| node(Kind::AlwaysTrue).child(child)),
            one().prop_map(|child| node(Kind::AlwaysFalse).child(child)),
            one().prop_map(|child| node(Kind::Once).child(child)),
            one().prop_map(|child| node(Kind::UntilFailure).child(child)),
            one().prop_map(|child| node(Kind::UntilSuccess).child(child)),
            one().prop_map(|child| node(Kind::Timeout).extra("seconds", 0.003).child(child)),
            one().prop_map(|child| node(Kind::Delay).extra("seconds", 0.002).child(child)),
            (one(), 1..3).prop_map(|(child, count)| {
                node(Kind::Repeat).extra("count", count).child(child)
            }),
            (one(), 1..3).prop_map(|(child, count)| {
                node(Kind::Retry).extra("count", count).child(child)
            }),
            one().prop_map(|child| child.guard(expr("$n != 2"))),
            one().prop_map(|child| {
                child.guard(expr("$n != 2").set("abort", "self").set("mode", "poll"))
            }),
        ]
    })
}

/// The agent of all leaves.
fn catalogue() -> Catalogue {
    let leaves = "<A/><B/><C/><D/><P/><Q/><T/><Say message=\"{n}\"/>";
    of_body(&format!("<Sequence>{leaves}</Sequence>")).catalogue
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_exported_tree_does_the_same_when_it_comes_back(
        top in any_node(),
        answers in prop::collection::vec("[RSF]{1,4}", 4),
    ) {
        let top = sequence([set([("$n", "1")]), top]);
        let tree = TreeAsset::build("Main.json", agent::NAME, top);
        let text = export(&catalogue(), std::slice::from_ref(&tree)).unwrap();
        let back = imported(&[("a.xml", &text)]).unwrap();
        prop_assert_eq!(losses(&back), Vec::<String>::new());
        let leaves = ["A", "B", "C", "D"].map(str::to_owned).into_iter().zip(answers);
        let leaves: Vec<_> = leaves.collect();
        let before = cases::played(&leaves, 12, vec![tree]);
        prop_assert_eq!(before, cases::played(&leaves, 12, back.trees), "{}", text);
    }
}
