//! Each kind has tests: what it does, how it is drawn, that it is saved and restored, and what the reference says of it.

use std::fs;
use std::path::{Path, PathBuf};

use super::Kind;

/// The repository's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All tests in a folder's files: each one's name and body.
fn tests(folder: &Path, into: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            tests(&path, into);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).expect("it is text");
            let parts = text.split("#[test]\n").skip(1);
            into.extend(parts.map(|part| part.split("\n}\n").next().unwrap_or(part).to_owned()));
        }
    }
}

/// Returns true if a test is about a kind: it has its name, or builds a node of it.
fn is_about(test: &str, kind: Kind) -> bool {
    let name = kind.name();
    let signature = test.lines().find(|line| line.contains("fn "));
    let signature = signature.unwrap_or_default().replace('_', " ");
    let has_name = format!(" {signature} ").contains(&format!(" {} ", name.replace('_', " ")));
    has_name || test.contains(&format!("{name:?}")) || test.contains(&format!(" {name}("))
}

#[test]
fn each_kind_has_its_tests() {
    let mut own = Vec::new();
    tests(&root().join("bt-core/src/kinds"), &mut own);
    tests(&root().join("tests/tests/trees"), &mut own);
    let read = |file: &str| fs::read_to_string(root().join(file)).expect("the sources are there");
    let examples = read("tests/tests/tools/kinds.rs");
    let cases = read("tests/src/cases/plant.rs");
    let missing = Kind::ALL.iter().filter_map(|kind| {
        let name = kind.name();
        let shown = [format!("Kind::{kind:?}\n"), format!("Kind::{kind:?} ")];
        let needs = [
            (
                own.iter().any(|test| is_about(test, *kind)),
                "a test of what it does, below its code or in tests/tests/trees",
            ),
            (
                shown.iter().any(|line| examples.contains(line.as_str())),
                "an example in tests/tests/tools/kinds.rs, which is run, saved and restored, and drawn",
            ),
            (
                cases.contains(&format!("=> {name:?},")),
                "a variant in tests/src/cases: it grows in random trees, and tests/src/reference says what it does",
            ),
        ];
        let lacks: Vec<_> = needs.iter().filter(|(has, _)| !has).map(|(_, what)| *what).collect();
        (!lacks.is_empty()).then(|| format!("`{name}` lacks:\n- {}", lacks.join("\n- ")))
    });
    let missing: Vec<_> = missing.collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
