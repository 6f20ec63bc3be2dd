//! Trees that mean harm are looked through, and soon.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use crate::kinds::node_kinds;
use crate::registry::Registry;
use crate::tree::asset::spec::sequence;

/// A build without optimisation on a busy machine is slow; what is not linear takes hours.
const SOON: Duration = Duration::from_secs(60);

fn soon(trees: &[TreeAsset], rules: &Rules) -> Checked {
    let start = Instant::now();
    let checked = check(trees, &hound(), rules);
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    checked
}

#[test]
fn of_many_problems_some_are_listed_and_the_rest_is_counted() {
    let wrong = || action("no_such").extra("guard", 1);
    let top = sequence(std::iter::repeat_with(wrong).take(5_000));
    let checked = soon(&[tree(top)], &Rules::default());
    assert_eq!((checked.problems.len(), checked.unlisted), (1_000, 4_000));
    assert_eq!(
        (checked.warnings.len(), checked.unlisted_warnings),
        (1_000, 4_001)
    );
    let error = checked.into_result().unwrap_err();
    assert!(error.to_string().ends_with("\nand 4000 more"));
    let fine = check(&[tree(bark())], &hound(), &Rules::default());
    assert_eq!(fine.into_result(), Ok(Vec::new()));
}

#[test]
fn large_tree_is_linted_in_time() {
    let leaf = || action("chase").arg(7).key("range");
    let top = sequence(std::iter::repeat_with(leaf).take(100_000));
    assert_eq!(soon(&[tree(top)], &Rules::default()).problems, []);
}

#[test]
fn names_of_megabytes_are_refused_in_a_line() {
    let long = "x".repeat(1_000_000);
    let call = || action(&long).extra("guards", json!([{"condition_name": long}]));
    let more = [
        call(),
        node(&*long),
        node("sub_tree").extra("sub_tree_name", &*long),
        node("wait_event").extra("event", &*long).extra(&long, 1),
        action("howl").arg(&*long).property(&long),
        action("chase").key(&long).extra(&long, 1),
        action("chase").extra("action_args", json!([{"arg_type": long, "arg_value": 1}])),
        action("chase").extra(
            "action_args",
            json!([{"arg_type": "plain", "arg_value": 1, "arg_name": long}]),
        ),
        bark().extra(
            "blackboard",
            json!({long.as_str(): {"type": long, "a": 1, "b": 2}}),
        ),
    ];
    let top = sequence(more.iter().cycle().take(9 * 20).cloned());
    let checked = soon(&[tree(top)], &Rules::default());
    for problem in checked.problems.iter().chain(&checked.warnings) {
        let said = problem.message().len() + problem.help().map_or(0, str::len);
        assert!(said < 1_000, "{}", &problem.message()[..200]);
        assert!(problem.pointer().len() < 1_000);
    }
}

#[test]
fn keys_that_a_million_nodes_declare_are_found_at_once() {
    let keys = |of: usize| json!({format!("k{}", of % 7): {"type": "string"}});
    let leaf = action("smells").key("k0");
    let deep = (0..20_000).fold(leaf, |below, at| {
        node("once").extra("blackboard", keys(at)).child(below)
    });
    let limits = Limits {
        depth: 100_000,
        ..Limits::default()
    };
    let checked = soon(&[tree(deep)], &Rules::default().limits(limits));
    assert_eq!(checked.problems, []);
}

fn word() -> impl Strategy<Value = String> {
    const WORDS: [&str; 18] = [
        "hound",
        "bark",
        "chase",
        "howl",
        "smells",
        "patiently",
        "plain",
        "blackboard",
        "property",
        "nose",
        "select",
        "lower",
        "string",
        "int8",
        "tree",
        "t",
        "whistled",
        "~/\0",
    ];
    prop_oneof![
        4 => proptest::sample::select(&WORDS).prop_map(str::to_owned),
        1 => "\\PC{0,6}",
    ]
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-2..4).prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        let keys = prop_oneof![2 => key(), 1 => word()];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((keys, inner), 0..4)
                .prop_map(|all| Value::Object(all.into_iter().collect())),
        ]
    })
}

/// A key that some kind or some attachment has.
fn key() -> impl Strategy<Value = String> {
    const KEYS: [&str; 34] = [
        "agent_name",
        "mode",
        "blackboard",
        "action_name",
        "action_args",
        "condition_name",
        "condition_args",
        "decorator_name",
        "decorator_args",
        "arg_type",
        "arg_value",
        "arg_name",
        "prob",
        "success",
        "failure",
        "count",
        "seconds",
        "on",
        "reset_if",
        "event",
        "params",
        "sub_tree_name",
        "name_key",
        "args",
        "guards",
        "effects",
        "services",
        "events",
        "abort",
        "enter",
        "type",
        "initial",
        "scope",
        "tree",
    ];
    proptest::sample::select(&KEYS).prop_map(str::to_owned)
}

fn data() -> impl Strategy<Value = (String, Map<String, Value>)> {
    let kinds: Vec<String> = node_kinds().into_iter().map(|kind| kind.name).collect();
    let kind = prop_oneof![9 => proptest::sample::select(kinds), 1 => word()];
    let extra = proptest::collection::vec((key(), any_json()), 0..6);
    (kind, extra.prop_map(|all| all.into_iter().collect()))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn check_of_random_nodes_never_panics(
        nodes in proptest::collection::vec((data(), any::<prop::sample::Index>()), 1..8),
        root in any_json(),
    ) {
        let mut specs: Vec<NodeSpec> = Vec::new();
        for ((kind, extra), below) in nodes {
            let mut spec = node(kind);
            for (key, value) in extra {
                spec = spec.extra(&key, value);
            }
            if !specs.is_empty() {
                let child = specs.remove(below.index(specs.len()));
                spec = spec.child(child);
            }
            specs.push(spec);
        }
        let mut one = tree(sequence(specs));
        if let (Value::Object(keys), Some(root)) = (root, one.node_mut(0)) {
            root.extra.extend(keys);
        }
        for knows in [&hound() as &dyn Knows, Registry::global().unwrap()] {
            let checked = check(std::slice::from_ref(&one), knows, &Rules::in_code());
            for problem in checked.problems.iter().chain(&checked.warnings) {
                prop_assert!(problem.message().len() < 1_000);
                prop_assert!(!problem.to_string().contains(['\n', '\0']), "{problem}");
            }
        }
    }
}
