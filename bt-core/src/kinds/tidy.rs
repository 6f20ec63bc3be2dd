//! All code that reads a tree's nodes reads types: no other code knows a kind by its name, or a key of a
//! node.

use std::collections::BTreeSet;
use std::path::Path;

use super::Kind;

/// A file, and words of it.
type InFile = (&'static str, &'static [&'static str]);

/// Words that are kinds' names and mean something else in a file: what, and which words of which file.
const OTHER_THINGS: &[(&str, &[InFile])] = &[
    (
        "what a method is registered as",
        &[
            ("bt-core/src/call/names.rs", METHODS),
            ("bt-core/src/describe/catalogue.rs", METHODS),
            ("bt-core/src/registry/check.rs", &["action"]),
            ("bt-core/src/registry/lookup.rs", &["action"]),
            ("bt-meta/src/files.rs", METHODS),
            ("bt-meta/src/find/renames.rs", METHODS),
        ],
    ),
    (
        "a group of kinds",
        &[
            ("bt-meta/src/draw/symbols.rs", METHODS),
            ("bt-meta/src/draw/symbols.rs", &["root"]),
            (
                "bt-meta/src/formats/manual/kinds.rs",
                &["composite", "decorator", "root"],
            ),
        ],
    ),
    (
        "a word of a sentence",
        &[
            ("bt-core/src/explain/mod.rs", &["once"]),
            ("bt-core/src/tree/check/keys.rs", &["or"]),
            ("bt-core/src/tree/check/passed.rs", &["and"]),
            ("bt-core/src/tree/check/report.rs", &["once"]),
            ("bt-core/src/tree/check/trees.rs", &["and", "or"]),
        ],
    ),
    (
        "a request",
        &[
            ("bt-core/src/run/debug/mod.rs", &["reset"]),
            ("bt-core/src/trace/what.rs", &["reset"]),
        ],
    ),
    (
        "a call of a property",
        &[
            ("bt-core/src/call/property/mod.rs", &["set"]),
            ("bt-meta/src/mcp/tools/live.rs", &["set"]),
        ],
    ),
    (
        "a key of a debug adapter's message",
        &[("bt-meta/src/dap/breaks.rs", &["condition"])],
    ),
    (
        "a tree and a catalogue of tests",
        &[(
            "bt-meta/src/play/fixture.rs",
            &["action", "check", "condition", "root", "sequence"],
        )],
    ),
    (
        "a word of other languages",
        &[("bt-core/src/expression/parse.rs", &["and", "or"])],
    ),
    (
        "a key or a word of a scenario, an option of playing",
        &[
            ("bt-core/src/scenario/file.rs", &["loop"]),
            ("bt-core/src/scenario/read.rs", &["end"]),
            ("bt-meta/src/cli/play.rs", &["loop"]),
            ("bt-meta/src/mcp/tools/play.rs", &["loop", "set"]),
            ("bt-meta/src/play/commands.rs", &["set"]),
        ],
    ),
    (
        "a word of another engine's files",
        &[
            ("bt-meta/src/formats/btcpp/mod.rs", &["root"]),
            ("bt-meta/src/import/btcpp/build/mod.rs", &["once"]),
            ("bt-meta/src/import/btcpp/files.rs", &["root"]),
            ("bt-meta/src/original/skeleton.rs", &["action"]),
        ],
    ),
    (
        "a keyword of Rust",
        &[("bt-meta/src/starter/name.rs", &["loop"])],
    ),
];

/// Files that change the JSON of a tree where it stands, or read what another editor wrote.
const TEXTS: &[&str] = &[
    "bt-meta/src/edit/",
    "bt-meta/src/mentions.rs",
    "bt-meta/src/original/",
    "bt-meta/src/view_trees/",
];

const METHODS: &[&str] = &["action", "composite", "condition", "decorator"];

/// The lines of code of all files in a folder, without comments and tests, each with its file.
fn code(folder: &Path, shown: &str, into: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("it can be listed").path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("it is text");
        let shown = format!("{shown}/{name}");
        if ["kinds", "tests", "tests.rs"].contains(&name) {
            continue;
        }
        if path.is_dir() {
            code(&path, &shown, into);
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("it is text");
        let text = text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        let lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        into.extend(lines.map(|line| (shown.clone(), line.to_owned())));
    }
}

fn all_code() -> Vec<(String, String)> {
    let bt_core = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    code(&bt_core.join("src"), "bt-core/src", &mut all);
    code(
        &bt_core.with_file_name("bt-meta").join("src"),
        "bt-meta/src",
        &mut all,
    );
    assert!(all.len() > 10_000);
    all
}

#[test]
fn no_other_code_names_a_kind() {
    let mut found = Vec::new();
    for (file, line) in all_code() {
        let names = Kind::ALL.iter().map(|kind| kind.name());
        let named = names.filter(|name| line.contains(&format!("{name:?}")));
        found.extend(named.map(|name| (file.clone(), name)));
    }
    let places = OTHER_THINGS.iter().flat_map(|(_, places)| *places);
    let known = places.flat_map(|(file, words)| words.iter().map(move |word| (*file, *word)));
    let known: BTreeSet<_> = known.collect();
    let found = found.iter().map(|(file, name)| (file.as_str(), *name));
    let found: BTreeSet<_> = found.collect();
    assert_eq!(
        found, known,
        "use `Kind`, or say here what else the word is"
    );
}

#[test]
fn no_other_code_reads_a_key_of_a_node() {
    let kinds = super::node_kinds().into_iter().map(|kind| kind.params);
    let mut keys = BTreeSet::new();
    for schema in kinds.chain(super::node_defs().into_values()) {
        let properties = schema["properties"].as_object();
        keys.extend(properties.into_iter().flatten().map(|(key, _)| key.clone()));
    }
    // JSON Schema has it too.
    keys.remove("type");
    let forms = [
        ".get(KEY)",
        ".get_mut(KEY)",
        ".contains_key(KEY)",
        ".remove(KEY)",
        "extra[KEY]",
    ];
    let forms = keys
        .iter()
        .flat_map(|key| forms.map(|form| form.replace("KEY", &format!("{key:?}"))));
    let forms: Vec<_> = forms.collect();
    let mut found = all_code();
    found.retain(|(file, line)| {
        let is_text = TEXTS.iter().any(|texts| file.starts_with(texts));
        !is_text && forms.iter().any(|form| line.contains(form.as_str()))
    });
    assert_eq!(found, [], "read the node as a type: see `NodeData::typed`");
}
