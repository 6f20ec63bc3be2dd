//! Registrations that contradict each other across crates: each is reported with every place that
//! takes part, all of them at once, by the registry and by the exporter; and nothing is written.

use std::fs;
use std::process::Command;

use crate::common::samples::{action, agent, catalogue, nop, with};
use crate::common::sandbox::{Run, Sandbox, run, target_dir};
use bt_core::Registry;
use serde_json::{Value, json};

const DEFINES: &str = include_str!("../fixtures/contradictions/defines.rs");
const EXTENDS: &str = include_str!("../fixtures/contradictions/extends.rs");

/// The report on the two fixtures, with places: `d` is the crate that defines, `e` the one that extends, each
/// with the word that marks the line. The order is that of the report.
const REPORT: [(&str, &[(char, &str)]); 20] = [
    (
        "`clash_defines::Walker<i64>` has an `#[agent]` block, but no instance of this generic agent is \
         registered under that type: write `register_agent!(clash_defines::Walker<i64>);`",
        &[('e', "bark")],
    ),
    (
        "one type is registered as `walker` and as `walker_again`: a type is one agent",
        &[('d', "walker"), ('e', "walker")],
    ),
    (
        "agent `guard` has two fallbacks",
        &[('d', "anything"), ('e', "anything")],
    ),
    (
        "the setter of property `post` of agent `guard` takes 2 values: a property is set to one, by value or \
         by `&`",
        &[('e', "post")],
    ),
    (
        "property `range` of agent `guard` is read as `double` and written as `uint32`: getter and setter \
         have one type",
        &[('d', "range"), ('e', "range")],
    ),
    (
        "agent `guard` has two setters for property `speed`",
        &[('d', "set_speed"), ('e', "speed")],
    ),
    (
        "agent `guard` has a setter for property `volume`, but no getter: write `#[property]` on a getter \
         (or a field) called `volume`",
        &[('e', "volume")],
    ),
    (
        "agent `twin` is registered 2 times: give one of them another name",
        &[('d', "twin"), ('e', "twin")],
    ),
    (
        "agent `watch` has the alias `guard`, which is another agent's name",
        &[('e', "watch"), ('d', "guard")],
    ),
    (
        "action `command` of `captain` says `override`, but no base agent has an action `command`",
        &[('e', "captain.command")],
    ),
    (
        "action `patrol` of `captain` hides the one of its base agent: write `override`",
        &[('e', "captain.patrol"), ('d', "patrol")],
    ),
    (
        "property `rank` of `captain` says `override`, but no base agent has a property `rank`",
        &[('e', "captain.rank")],
    ),
    (
        "property `sight` of `captain` hides the one of its base agent: write `override`",
        &[('e', "captain.sight"), ('d', "sight")],
    ),
    (
        "event `noticed` of `captain` hides the one of its base agent: fire the base's",
        &[('e', "captain.noticed"), ('d', "noticed")],
    ),
    (
        "the alias `rest` of action `doze` of `guard` is taken: each name and alias stands for one action",
        &[('e', "doze"), ('d', "rest")],
    ),
    (
        "agent `guard` registers the action `patrol` twice",
        &[('d', "patrol"), ('e', "patrol")],
    ),
    (
        "the alias `sleep` of action `rest` of `guard` is taken",
        &[('d', "rest"), ('e', "sleep")],
    ),
    (
        "agent `guard` registers the property `sight` twice",
        &[('d', "sight"), ('e', "sight")],
    ),
    (
        "agent `hound` is based on `clash_defines::Walker<u8>`, which no linked crate registers as an agent: \
         write `#[derive(Agent)]` on it, or `register_agent!(clash_defines::Walker<u8>);`",
        &[('e', "hound")],
    ),
    (
        "agent `lone` registers the action `nop` twice",
        &[('e', "lone.nop"), ('e', "lone.other_nop")],
    ),
];

/// The package, file and line that a word of the table stands for.
fn place((krate, word): (char, &str)) -> (&'static str, usize) {
    let (package, source) = match krate {
        'd' => ("clash-defines", DEFINES),
        _ => ("clash-extends", EXTENDS),
    };
    let mark = format!("// <- {word}");
    let mut lines = source.lines().zip(1..);
    let found = lines.find(|(line, _)| line.ends_with(&mark));
    (package, found.unwrap_or_else(|| panic!("{mark}")).1)
}

/// Compares a report with the table: the same problems in the same order, each with its places.
fn check_report(report: &[(String, Vec<String>)], spell: impl Fn(&str, usize) -> String) {
    let shown = format!("{report:#?}");
    assert_eq!(report.len(), REPORT.len(), "{shown}");
    for ((message, places), (expect, marks)) in report.iter().zip(REPORT) {
        assert!(message.starts_with(expect), "{expect}\nin {shown}");
        assert_eq!(places.len(), marks.len(), "{message}\nin {shown}");
        for (place_text, mark) in places.iter().zip(marks) {
            let (package, line) = place(*mark);
            let expect = spell(package, line);
            assert!(
                place_text.starts_with(&expect),
                "{expect}\nin {message}: {places:?}"
            );
        }
    }
}

/// Messages, each with the indented lines below it.
fn entries(text: &str) -> Vec<(String, Vec<String>)> {
    let mut entries: Vec<(String, Vec<String>)> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("  "), entries.last_mut()) {
            (Some(place), Some((_, places))) => places.push(place.to_owned()),
            _ => entries.push((line.to_owned(), Vec::new())),
        }
    }
    entries
}

#[test]
fn every_contradiction_across_crates_is_reported_at_once_with_its_places() {
    let sandbox = Sandbox::new();
    let json = "serde_json = \"1\"\n";
    let program = "use clash_extends as _;\nfn main() {\n    match bt_core::Registry::global() {\n        \
                   Ok(registry) => println!(\"{registry:?}\"),\n        \
                   Err(why) => println!(\"{why}\"),\n    }\n}\n";
    sandbox
        .package("d", "clash-defines", json, DEFINES)
        .package(
            "e",
            "clash-extends",
            &format!("{json}clash-defines = {{ path = \"../d\" }}\n"),
            EXTENDS,
        )
        .file("e/src/bin/clash-report.rs", program);

    let Run { code, out, err } = sandbox.export("e", &[]);
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    // Cargo's own lines come before the first finding.
    let findings = err.find("error: ").map_or("", |at| &err[at..]);
    let exported: Vec<_> = entries(findings)
        .into_iter()
        .map(|(message, places)| (message.replacen("error: ", "", 1), places))
        .collect();
    check_report(&exported, |package, line| {
        format!("at {package} src/lib.rs:{line} (")
    });
    assert!(!sandbox.out().exists(), "nothing is written");
    let listed = run(&mut sandbox.command("e", ["list", "--quiet"]));
    assert_eq!((listed.code, listed.out.as_str()), (1, ""));
    assert!(listed.err.ends_with(findings), "{}", listed.err);

    let mut cargo = Command::new("cargo");
    cargo
        .args(["run", "--offline", "--quiet", "--bin", "clash-report"])
        .current_dir(sandbox.path().join("e"))
        .env("CARGO_TARGET_DIR", target_dir())
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "0");
    let registry = run(&mut cargo).done();
    check_report(&entries(&registry.out), |package, line| {
        format!("{package}/src/lib.rs:{line}: ")
    });
}

/// Contradictions that a file can have, each alone: the agents, what is said, the lines of its places.
fn in_files() -> Vec<(Vec<Value>, &'static str, &'static [u64])> {
    let at = |line: u64, item: Value| with(item, json!({"line": line}));
    let overriding = |item: Value| with(item, json!({"override": true}));
    let event = |line: u64| json!({"name": "hit", "crate": "my-game", "file": "src/lib.rs", "line": line, "params": []});
    let property = |line: u64| with(event(line), json!({"type": "bool", "schema": true}));
    let having = |name: &str, base: Option<&str>, key: &str, items: Vec<Value>| {
        with(agent(name, base, vec![]), json!({key: items}))
    };
    vec![
        (
            vec![
                agent("a", None, vec![nop()]),
                at(8, agent("a", None, vec![])),
            ],
            "agent `a` is registered 2 times",
            &[7, 8],
        ),
        (
            vec![
                at(1, agent("a", None, vec![])),
                at(2, with(agent("b", None, vec![]), json!({"alias": ["a"]}))),
            ],
            "agent `b` has the alias `a`, which is another agent's name",
            &[2, 1],
        ),
        (
            vec![
                at(3, agent("a", Some("nobody"), vec![])),
                agent("b", Some("a"), vec![]),
            ],
            "agent `a` is based on `nobody`, which no linked crate registers as an agent",
            &[3],
        ),
        (
            vec![at(3, agent("a", Some("a"), vec![]))],
            "agents are based on each other: a -> a",
            &[3],
        ),
        (
            vec![
                at(4, agent("c", Some("a"), vec![])),
                at(2, agent("a", Some("b"), vec![])),
                at(3, agent("b", Some("c"), vec![])),
                agent("outside", Some("b"), vec![]),
            ],
            "agents are based on each other: a -> b -> c -> a",
            &[2, 3, 4],
        ),
        (
            vec![agent(
                "a",
                None,
                vec![at(1, action("go", "")), at(2, action("go", ""))],
            )],
            "agent `a` registers the action `go` twice",
            &[1, 2],
        ),
        (
            vec![having(
                "a",
                None,
                "properties",
                vec![property(1), property(2)],
            )],
            "agent `a` registers the property `hit` twice",
            &[1, 2],
        ),
        (
            vec![having("a", None, "events", vec![event(1), event(2)])],
            "agent `a` registers the event `hit` twice",
            &[1, 2],
        ),
        (
            vec![agent(
                "a",
                None,
                vec![
                    at(1, with(action("go", ""), json!({"alias": ["walk"]}))),
                    at(2, with(action("run", ""), json!({"alias": ["walk"]}))),
                ],
            )],
            "the alias `walk` of action `run` of `a` is taken",
            &[2, 1],
        ),
        (
            vec![
                agent("a", None, vec![at(1, action("go", ""))]),
                agent("b", Some("a"), vec![]),
                agent("c", Some("b"), vec![at(2, action("go", ""))]),
            ],
            "action `go` of `c` hides the one of its base agent: write `override`",
            &[2, 1],
        ),
        (
            vec![
                having("a", None, "events", vec![event(1)]),
                having("b", Some("a"), "events", vec![event(2)]),
            ],
            "event `hit` of `b` hides the one of its base agent: fire the base's",
            &[2, 1],
        ),
        (
            vec![agent("a", None, vec![at(5, overriding(action("go", "")))])],
            "action `go` of `a` says `override`, but no base agent has an action `go`",
            &[5],
        ),
        (
            vec![having(
                "a",
                None,
                "properties",
                vec![overriding(property(5))],
            )],
            "property `hit` of `a` says `override`, but no base agent has a property `hit`",
            &[5],
        ),
    ]
}

#[test]
fn a_contradiction_in_a_catalogue_is_refused_wherever_it_is_read() {
    let sandbox = Sandbox::new();
    let out = sandbox.out();
    for (agents, expect, lines) in in_files() {
        let catalogue = catalogue(agents);
        let error = Registry::from_catalogue(catalogue.clone()).unwrap_err();
        let [problem] = error.problems() else {
            panic!("{expect}: {error}");
        };
        assert!(problem.message.starts_with(expect), "{expect}: {error}");
        let found: Vec<u64> = problem.places.iter().map(|p| p.line.into()).collect();
        assert_eq!(found, lines, "{expect}: {error}");

        let file = sandbox.path().join("agents.json");
        fs::write(&file, serde_json::to_string(&catalogue).unwrap()).unwrap();
        let catalogue = ["--catalogue", file.to_str().unwrap()];
        let export = ["export", "--out-dir", out.to_str().unwrap()];
        for command in [&export[..], &["list"]] {
            let run = run(&mut sandbox.command(".", command.iter().chain(&catalogue)));
            let places = lines
                .iter()
                .map(|line| format!("\n  at my-game src/lib.rs:{line} ("));
            let mut expect = vec![format!("error: {expect}")];
            expect.extend(places);
            let expect: Vec<&str> = expect.iter().map(String::as_str).collect();
            let run = run.says(1, &expect);
            assert_eq!(run.err.matches("error: ").count(), 1, "{}", run.err);
            assert_eq!(run.out, "");
        }
        assert!(!out.exists(), "nothing is written");
    }
}

#[test]
fn a_catalogue_without_contradictions_is_taken_wherever_it_is_read() {
    let base = vec![nop(), action("go", "Goes.")];
    let mine = with(action("go", "Runs."), json!({"override": true}));
    let catalogue = catalogue(vec![
        agent("b", Some("a"), vec![mine]),
        agent("a", None, base),
    ]);
    let registry = Registry::from_catalogue(catalogue).unwrap();
    let go = registry.agent("b").unwrap().action("go").unwrap();
    assert_eq!((go.item.brief.as_str(), go.agent.name()), ("Runs.", "b"));
}
