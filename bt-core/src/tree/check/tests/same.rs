//! A registry that knows no types and the agent's own types come to the same, but for what a
//! schema does not tell.

use std::sync::OnceLock;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::builtin::ActionAgent;
use crate::describe::catalogue::Catalogue;
use crate::registry::Registry;
use crate::{ArgumentError, Source};

/// The registry of a file, without the answers of decoders.
fn schemas() -> &'static Registry {
    static SCHEMAS: OnceLock<Registry> = OnceLock::new();
    let catalogue = || Registry::global().unwrap().catalogue().clone();
    SCHEMAS.get_or_init(|| Registry::from_catalogue(catalogue()).unwrap())
}

/// The registry of an exported file.
fn exported() -> &'static Registry {
    static EXPORTED: OnceLock<Registry> = OnceLock::new();
    EXPORTED.get_or_init(|| Registry::from_catalogue(Catalogue::collect()).unwrap())
}

/// The agent of that file, described.
#[cfg(feature = "dynamic")]
fn described() -> &'static crate::dynamic::DynType {
    static DESCRIBED: OnceLock<crate::dynamic::DynType> = OnceLock::new();
    DESCRIBED.get_or_init(|| {
        let catalogue = exported().catalogue().clone();
        let described = crate::dynamic::Describe::from_catalogue(catalogue, "hound");
        described.unwrap().build().unwrap()
    })
}

/// The faults that both find in the arguments of a method.
fn both<A: crate::Agent>(
    registry: &Registry,
    agent: &str,
    method: &str,
    sources: &[Source],
) -> (Arguments, Arguments) {
    let entry = registry.agent(agent).unwrap().action(method).unwrap().entry;
    let typed = Typed::<A>::new().unwrap();
    (
        typed.arguments(entry, sources),
        registry.arguments(entry, sources),
    )
}

fn words(arguments: &Arguments) -> Vec<String> {
    arguments.wrong.iter().map(ToString::to_string).collect()
}

#[test]
fn schema_check_and_binding_report_the_same_text() {
    let literals = |values: Value| -> Vec<_> {
        let values = values.as_array().unwrap().iter();
        values.map(|value| Source::literal(value.clone())).collect()
    };
    let cases = [
        ("bark", json!([])),
        ("bark", json!([1])),
        ("chase", json!([])),
        ("chase", json!([7, 2, "run", true])),
        ("chase", json!([7, 2, "run", true, 5])),
        ("chase", json!([7.0, 50, null, null])),
        ("chase", json!([7.5, 50.5, "fly", 1])),
        ("chase", json!([-1, -1])),
        ("chase", json!(["7", null, 7])),
        ("chase", json!([[7], {"range": 1}])),
        (
            "chase",
            json!([18_446_744_073_709_551_615_u64, 9_007_199_254_740_993_i64]),
        ),
        ("smells", json!(["cat"])),
        ("smells", json!([null])),
        ("sniff", json!([1, 2])),
        ("sniff", json!([])),
        ("howl", json!([])),
        ("howl", json!(["calm"])),
        ("howl", json!([{"angry": null}, null, [], {"any": [1]}])),
        (
            "howl",
            json!([[["hungry", [["since", 3]]]], {"x": 1, "y": 2}]),
        ),
        (
            "howl",
            json!([{"hungry": {"since": -3}}, {"x": 1, "y": "2"}]),
        ),
        ("howl", json!([{"hungry": {"since": 4_294_967_296_i64}}])),
        (
            "howl",
            json!([{"curious": {"x": 1, "y": 2, "name": "here"}}]),
        ),
        (
            "howl",
            json!([{"curious": [1, 2, null]}, [["y", 1], ["x", 2]]]),
        ),
        ("howl", json!(["hungry"])),
        ("howl", json!([7])),
        ("howl", json!(["calm", {"x": 1}])),
        ("howl", json!(["calm", 7, 7])),
        ("howl", json!(["calm", [["x", 1], ["x", 2]]])),
        ("howl", json!(["calm", null, [{"x": 1, "y": 2, "name": 3}]])),
    ];
    for (method, args) in cases {
        let (typed, listed) =
            both::<agents::Hound>(exported(), "hound", method, &literals(args.clone()));
        // But for which names there are: an alias is none that a schema has.
        let cut = |line: String| {
            let end = line
                .find(" with the fields ")
                .or(line.find("expected one of"));
            line[..end.unwrap_or(line.len())].to_owned()
        };
        let places = |words: Vec<String>| words.into_iter().map(cut).collect::<Vec<_>>();
        assert_eq!(
            places(words(&typed)),
            places(words(&listed)),
            "{method} {args}"
        );
        assert_eq!(listed.doubtful, [], "{method} {args}");
    }
    let (typed, listed) = both::<agents::Hound>(
        exported(),
        "hound",
        "sniff",
        &[Source::key("a"), Source::key("a"), Source::key("b")],
    );
    assert_eq!(typed, listed);
    let (typed, listed) =
        both::<agents::Hound>(exported(), "hound", "sniff", &[Source::property("nose")]);
    assert_eq!(typed, listed);
}

#[test]
fn schema_check_doubts_where_only_binding_knows() {
    let cases = [
        // A variant and a field under their aliases.
        (json!(["mad"]), true),
        (json!([{"mad": null}]), true),
        (json!(["calm", {"x": 1, "z": 2}]), true),
        (json!(["clam"]), false),
        (json!([{"curios": {"x": 1, "y": 2}}]), false),
        (json!(["calm", {"x": 1, "y": 2, "q": 3}]), false),
    ];
    for (args, taken) in cases {
        let sources: Vec<_> = args
            .as_array()
            .unwrap()
            .iter()
            .cloned()
            .map(Source::Literal)
            .collect();
        let (typed, listed) = both::<agents::Hound>(schemas(), "hound", "howl", &sources);
        assert_eq!(typed.wrong.is_empty(), taken, "{args}");
        assert_eq!(
            (words(&listed).len(), listed.doubtful.len()),
            (0, 1),
            "{args}"
        );
    }
    let clam = lines(&check(
        &[tree(action("howl").arg("clam"))],
        schemas(),
        &Rules::default(),
    ));
    assert_eq!(
        clam,
        [
            "~1 action_args/0/arg_value: `howl`: argument `mood`: there is no `clam`; did you mean `calm`? expected one of `calm`, `angry`, `hungry`, `curious`, found \"clam\"; the catalogue does not know all names of this type: `bt-meta validate --package NAME` decides"
        ]
    );
}

/// The names that serde takes are in an exported catalogue.
#[test]
fn an_exported_catalogue_knows_all_names() {
    for (args, wrong) in [
        (json!(["mad"]), 0),
        (json!(["clam"]), 1),
        (json!([{"curios": {"x": 1, "y": 2}}]), 1),
        (json!(["calm", {"x": 1, "y": 2, "q": 3}]), 1),
        (json!(["calm", [1, "2"]]), 1),
    ] {
        let sources = args.as_array().unwrap().iter().cloned();
        let sources: Vec<_> = sources.map(Source::Literal).collect();
        let (typed, listed) = both::<agents::Hound>(exported(), "hound", "howl", &sources);
        assert_eq!(typed.wrong.len(), wrong, "{args}");
        let doubts = listed.doubtful.len();
        let told = listed.wrong.len() + usize::from(wrong == 1) * doubts;
        assert_eq!(told, wrong, "{args}: {listed:?}");
    }
}

#[test]
fn a_type_that_is_no_registered_agent_runs_no_tree() {
    let error = Typed::<crate::NoBase>::new().unwrap_err();
    assert!(error.is_unknown_agent());
    assert_eq!(
        error.to_string(),
        "`bt_core::agent::NoBase` is no registered agent: of a generic one each type that takes \
         part is named, `register_agent!(bt_core::agent::NoBase)`; trees of an agent that is \
         described at run time are collected by `DynType::trees`"
    );
    assert_eq!(format!("{:?}", hound()), "Typed(\"hound\")");
}

/// Values that come near to what the agents' methods take.
fn value() -> impl Strategy<Value = Value> {
    const WORDS: [&str; 16] = [
        "calm", "angry", "mad", "hungry", "curious", "since", "x", "y", "z", "name", "run", "==",
        "eq", "info", "a", "",
    ];
    let word = proptest::sample::select(&WORDS).prop_map(str::to_owned);
    let leaf = prop_oneof![
        2 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        3 => (-3..60_i64).prop_map(Value::from),
        1 => proptest::sample::select(&[2.0, 0.5, 1e300, -0.0, 1e19]).prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        4 => word.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let entry = (word.clone(), inner.clone());
        let entries = proptest::collection::vec(entry, 0..3).boxed();
        prop_oneof![
            2 => proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            2 => entries.clone().prop_map(|all| Value::Object(all.into_iter().collect())),
            2 => entries.prop_map(|all| all.into_iter().map(|(key, of)| json!([key, of])).collect()),
        ]
    })
}

fn source() -> impl Strategy<Value = Source> {
    prop_oneof![
        6 => value().prop_map(Source::Literal),
        1 => proptest::sample::select(&["a", "b"]).prop_map(Source::key),
        1 => Just(Source::property("nose")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The schema refuses nothing that an agent's method accepts; and the method refuses all that the schema
    /// refuses for certain.
    #[test]
    fn a_schema_never_refuses_what_is_taken(
        method in proptest::sample::select(&["bark", "chase", "howl", "sniff", "smells"]),
        sources in proptest::collection::vec(source(), 0..5),
    ) {
        let (typed, listed) = both::<agents::Hound>(schemas(), "hound", method, &sources);
        for wrong in &listed.wrong {
            let same = |other: &&ArgumentError| other.name() == wrong.name();
            prop_assert!(typed.wrong.iter().find(same).is_some(), "{method} {sources:?}: {wrong}");
        }
    }

    /// An agent that is described by the catalogue refuses what the typed one refuses, but for what only the type
    /// knows; and nothing else.
    #[cfg(feature = "dynamic")]
    #[test]
    fn a_described_agent_takes_what_a_typed_one_takes(
        method in proptest::sample::select(&["bark", "chase", "howl", "sniff", "smells"]),
        sources in proptest::collection::vec(source(), 0..5),
    ) {
        let (typed, listed) = both::<agents::Hound>(exported(), "hound", method, &sources);
        let entry = exported().agent("hound").unwrap().action(method).unwrap().entry;
        let described = Typed::<crate::dynamic::DynAgent>::of(described().registry()).unwrap();
        let described = described.arguments(entry, &sources);
        let names = |all: &[ArgumentError]| -> Vec<_> {
            all.iter().map(|error| error.name().to_owned()).collect()
        };
        let doubtful = names(&listed.doubtful);
        let typed: Vec<_> = names(&typed.wrong);
        let certain: Vec<_> = typed.iter().filter(|name| !doubtful.contains(name)).cloned().collect();
        let refused = names(&described.wrong);
        let all = |some: &[String], of: &[String]| some.iter().all(|name| of.contains(name));
        prop_assert!(all(&refused, &typed), "{method} {sources:?}: {refused:?} {typed:?}");
        prop_assert!(all(&certain, &refused), "{method} {sources:?}: {refused:?} {typed:?}");
    }

    /// The built-in actions too.
    #[test]
    fn nor_does_one_of_a_built_in_action(
        which in 0..1_000_usize,
        sources in proptest::collection::vec(value().prop_map(Source::Literal), 0..4),
    ) {
        let agent = Registry::global().unwrap().agent("action_agent").unwrap();
        let all = agent.actions();
        let method = all[which % all.len()].entry.item.name.as_str();
        let (typed, listed) = both::<ActionAgent>(schemas(), "action_agent", method, &sources);
        for wrong in &listed.wrong {
            let same = |other: &&ArgumentError| other.name() == wrong.name();
            prop_assert!(typed.wrong.iter().find(same).is_some(), "{method} {sources:?}: {wrong}");
        }
    }
}
