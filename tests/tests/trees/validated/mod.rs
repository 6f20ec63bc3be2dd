//! Tests that `bt-meta validate` passes just the trees that build: on trees changed at random, without an
//! exception.
//!
//! `BT_MUTATED_TREES=100000 cargo test --release -p bt-tests --test trees validated::` tries as many.

mod changes;
mod every;
mod mutate;
mod witnesses;

use bt_core::registry::catalogue::Catalogue;
use bt_core::registry::decoders::Decoders;
use bt_core::tree::Code;
use bt_core::tree::check::{Rules, RunBy, check};
use bt_core::{Agent, Problem, Registry, TreeAsset, TreeSet};
use bt_meta::validate::{Options, Report, input, run};
use every::Every;
use monster::{AccountAgent, MonsterAgent, PlayerAgent};
use mutate::{Random, mutate, words};
use serde_json::{Value, json};

/// The number of trees that each test changes.
fn count(usual: u64) -> u64 {
    let wanted = std::env::var("BT_MUTATED_TREES");
    wanted.map_or(usual, |wanted| wanted.parse().unwrap())
}

/// A tree of one call.
fn leaf(kind: &str, name: &str, args: &[Value]) -> Value {
    let args: Vec<_> = args
        .iter()
        .map(|value| json!({"arg_type": "plain", "arg_value": value}))
        .collect();
    let extra = json!({"action_name": name, "action_args": args});
    json!({"nodes": [
        {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "every"}},
        {"idx": 1, "type": kind, "children": [], "extra": extra},
    ]})
}

/// Trees that call everything that [`Every`] has.
fn calls() -> Vec<Value> {
    let samples = every::samples();
    let mut trees: Vec<_> = samples
        .iter()
        .map(|(name, value)| leaf("action", name, std::slice::from_ref(value)))
        .collect();
    trees.push(leaf(
        "action",
        "several",
        &[json!(1), json!("calm"), json!(2.5), json!([1, 2])],
    ));
    trees.push(leaf("condition", "asks", &[json!(1), json!("a")]));
    trees.push(leaf("action", "chosen", &[json!("walk"), json!("furious")]));
    trees.push(leaf(
        "action",
        "chosen_inline",
        &[json!("There"), json!("a")],
    ));
    trees.push(leaf("action", "bounded", &[json!(5), json!(-3)]));
    let mut writes = leaf("action", "writes", &[json!("a"), json!("b")]);
    for arg in writes["nodes"][1]["extra"]["action_args"]
        .as_array_mut()
        .unwrap()
    {
        arg["arg_type"] = "blackboard".into();
    }
    trees.push(writes);
    trees
}

/// The example's trees.
fn example() -> Vec<Value> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/monster/trees");
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    // Scenarios of the trees lie beside them.
    let files = files.filter(|file| file.extension().is_some_and(|ending| ending == "json"));
    let mut files: Vec<_> = files.collect();
    files.sort();
    let read =
        |file: &std::path::PathBuf| serde_json::from_str(&std::fs::read_to_string(file).unwrap());
    files.iter().map(|file| read(file).unwrap()).collect()
}

/// Trees that call each other, of which one is changed at a time.
struct Set {
    agent: &'static str,
    trees: Vec<Value>,
    builds: fn(&[TreeAsset]) -> Result<(), String>,
}

fn builds<A: Agent>(trees: &[TreeAsset]) -> Result<(), String> {
    let mut set = TreeSet::<A>::new();
    for tree in trees {
        set.add(tree.clone());
    }
    set.build().map(drop).map_err(|error| error.to_string())
}

fn sets() -> Vec<Set> {
    let of = |agent: &str| {
        let mut trees = example();
        trees.retain(|tree| tree["nodes"][0]["extra"]["agent_name"] == agent);
        assert!(!trees.is_empty(), "{agent}");
        trees
    };
    let each = calls().into_iter().map(|tree| Set {
        agent: "every",
        trees: vec![tree],
        builds: builds::<Every>,
    });
    let mut sets: Vec<_> = each.collect();
    sets.push(Set {
        agent: "monster_agent",
        trees: of("monster_agent"),
        builds: builds::<MonsterAgent>,
    });
    sets.push(Set {
        agent: "player_agent",
        trees: of("player_agent"),
        builds: builds::<PlayerAgent>,
    });
    sets.push(Set {
        agent: "account_agent",
        trees: of("account_agent"),
        builds: builds::<AccountAgent>,
    });
    sets
}

fn asset(at: usize, tree: &Value) -> Option<TreeAsset> {
    let name = tree["name"]
        .as_str()
        .map_or(format!("{at}.json"), str::to_owned);
    TreeAsset::from_json(&name, &tree.to_string()).ok()
}

/// Changes trees, and hands each set with a changed one to the test, which says whether it was built.
fn try_changed(count: u64, seed: u64, mut test: impl FnMut(&Set, &[TreeAsset]) -> bool) {
    let sets = sets();
    let mut all = Vec::new();
    for set in &sets {
        set.trees.iter().for_each(|tree| words(tree, &mut all));
    }
    let more = "angry cross calm left 1st over_there Box full Two Second Here secs nanos 0 1";
    all.extend(more.split(' ').map(str::to_owned));
    let mut random = Random(seed);
    let (mut built, mut refused) = (0, 0);
    while built + refused < count {
        let set = random.one(&sets);
        let mut trees = set.trees.clone();
        let at = random.below(trees.len());
        for _ in 0..=random.below(4) / 3 {
            // Mostly what a node says; what is no tree at all, everybody refuses to read, and it does not count.
            let nodes = trees[at]["nodes"].as_array().map_or(0, Vec::len);
            let mut extra = format!("/nodes/{}/extra", random.below(nodes));
            if random.below(3) > 0 {
                extra += &format!("/action_args/{}/arg_value", random.below(2));
            }
            let tree = &mut trees[at];
            let whole = random.below(12) == 0;
            match tree.pointer_mut(&extra).filter(|_| !whole) {
                Some(extra) => mutate(extra, &mut random, &all),
                None => mutate(tree, &mut random, &all),
            }
        }
        let assets = trees.iter().enumerate().map(|(at, tree)| asset(at, tree));
        let Some(assets) = assets.collect::<Option<Vec<_>>>() else {
            continue;
        };
        match test(set, &assets) {
            true => built += 1,
            false => refused += 1,
        }
    }
    println!("{built} sets of trees were built, {refused} were refused");
    assert!(
        built > count / 20 && refused > count / 20,
        "{built} and {refused}"
    );
}

fn shown(trees: &[TreeAsset]) -> String {
    trees.iter().map(TreeAsset::to_json).collect()
}

#[test]
fn every_set_builds_as_it_is() {
    for set in sets() {
        let trees: Vec<_> = set
            .trees
            .iter()
            .enumerate()
            .map(|(at, tree)| asset(at, tree).unwrap())
            .collect();
        assert_eq!((set.builds)(&trees), Ok(()), "{}", shown(&trees));
    }
}

#[test]
fn validate_and_build_agree_where_the_decoder_decides() {
    let registry = Registry::global().unwrap();
    try_changed(count(4_000), 1, |set, trees| {
        let run_by = RunBy::new(registry, set.agent).unwrap();
        let checked = check(trees, &run_by, &Rules::default());
        let built = (set.builds)(trees);
        let agree = checked.problems.is_empty() == built.is_ok();
        assert!(
            agree,
            "{built:?}\n{:#?}\n{}",
            checked.problems,
            shown(trees)
        );
        let doubts = checked
            .warnings
            .iter()
            .filter(|one| one.code() == Code::DoubtfulArgument);
        assert_eq!(doubts.count(), 0, "{:#?}", checked.warnings);
        built.is_ok()
    });
}

/// The doubts of a catalogue from a file: their words, and the number of trees among 1,000 in which one may
/// be the only finding.
const DOUBTS: [(&str, u64); 6] = [
    ("expected what the type's own decoder takes", 12),
    ("expected a number as key", 2),
    ("expected one of", 3),
    ("expected a value of one of its forms", 5),
    (" is missing", 3),
    // Anything else.
    ("", 2),
];

/// Of a catalogue from a file, a schema may leave something open; then that is told.
#[test]
fn check_by_catalogue_never_contradicts_check_by_binding() {
    let registry = Registry::from_catalogue(Catalogue::collect()).unwrap();
    let mut doubted = [0; DOUBTS.len()];
    let usual = count(4_000);
    try_changed(usual, 2, |set, trees| {
        let run_by = RunBy::new(&registry, set.agent).unwrap();
        let checked = check(trees, &run_by, &Rules::default());
        let built = (set.builds)(trees);
        let is_doubt = |one: &&Problem| one.code() == Code::DoubtfulArgument;
        let doubt = checked.warnings.iter().find(is_doubt);
        let agree = match checked.problems.is_empty() {
            true => doubt.is_some() || built.is_ok(),
            false => built.is_err(),
        };
        let found = (&checked.problems, &checked.warnings);
        assert!(agree, "{built:?}\n{found:#?}\n{}", shown(trees));
        if let Some(doubt) = doubt.filter(|_| checked.problems.is_empty()) {
            let is_of = |(words, _): &(&str, u64)| doubt.message().contains(words);
            let cause = DOUBTS.iter().position(is_of).expect("all are of the last");
            if cause + 1 == DOUBTS.len() {
                println!("another doubt: {doubt}");
            }
            doubted[cause] += 1;
        }
        built.is_ok()
    });
    for ((words, most), found) in DOUBTS.iter().zip(doubted) {
        println!("{found} in doubt: {words}");
        assert!(found * 1_000 <= usual * most, "{found} in doubt: {words}");
    }
}

/// Every name that a schema or a decoder knows, the ends of ranges, and each argument left out.
#[test]
fn choices_and_bounds_of_arguments_are_checked_as_they_are_built() {
    let catalogue = Catalogue::collect();
    let registry = Registry::from_catalogue(catalogue.clone()).unwrap();
    let run_by = RunBy::new(&registry, "every").unwrap();
    let agents = &catalogue.agents;
    let every = agents.iter().find(|agent| agent.full_name == "every");
    let (mut built, mut refused) = (0, 0);
    for method in &every.unwrap().methods {
        for file in witnesses::calls(&catalogue, "every", &method.item.name, method) {
            let trees = [TreeAsset::from_slice("t.json", &file.bytes).unwrap()];
            let checked = check(&trees, &run_by, &Rules::default());
            let doubt = |one: &Problem| one.code() == Code::DoubtfulArgument;
            let is_open = checked.problems.is_empty() && checked.warnings.iter().any(doubt);
            let is_built = builds::<Every>(&trees);
            let agree = is_open || checked.problems.is_empty() == is_built.is_ok();
            assert!(agree, "{is_built:?}\n{checked:#?}\n{}", shown(&trees));
            match is_built {
                Ok(()) => built += 1,
                Err(_) => refused += 1,
            }
        }
    }
    assert!(built > 10 && refused > 10, "{built} and {refused}");
}

/// The facts that a type decides of itself stand in its definition, and not those that are decided beside it.
#[test]
fn catalogue_tells_what_a_type_decides_wherever_it_stands() {
    let catalogue = Catalogue::collect();
    let def = |name: &str| catalogue.defs.get(name).unwrap();
    assert_eq!(
        def("Plain")["x-decoder"],
        json!({"names": ["label", "weight"], "places": true})
    );
    for field in ["label", "weight"] {
        let field = &def("Plain")["properties"][field];
        assert!(field.get("x-decoder").is_none(), "{field}");
    }
    let mixed = def("Mixed");
    assert_eq!(
        mixed["x-decoder"],
        json!({"names": ["from", "inner", "to"], "places": true})
    );
    assert_eq!(def("Percent")["x-decoder"], json!({"more": true}));
}

/// The whole way, with files and lints.
#[test]
fn the_command_says_what_the_check_says() {
    let folder = tempfile::tempdir().unwrap();
    try_changed(count(4_000) / 40, 3, |set, trees| {
        for old in std::fs::read_dir(folder.path()).unwrap() {
            std::fs::remove_file(old.unwrap().path()).unwrap();
        }
        for (at, tree) in trees.iter().enumerate() {
            let name = folder.path().join(format!("{at}.json"));
            // Trees call each other by the names of their files.
            let file = match tree.name().ends_with(".json") && !tree.name().contains(['/', '\0']) {
                true => folder.path().join(tree.name()),
                false => name,
            };
            std::fs::write(file, tree.to_json()).unwrap();
        }
        let inputs = input::inputs(&[folder.path().to_owned()]).unwrap();
        let options = Options {
            agent: Some(set.agent.to_owned()),
            decoder: Some(Box::new(Decoders::linked())),
            ..Options::default()
        };
        let report: Report = run(Catalogue::collect(), &options, &inputs, &|| ()).unwrap();
        let built = (set.builds)(trees);
        assert_eq!(
            report.errors == 0,
            built.is_ok(),
            "{built:?}\n{report:#?}\n{}",
            shown(trees)
        );
        built.is_ok()
    });
}
