//! The pages about codes: one for each, whose examples show what it says and nothing else.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::sandbox::{Sandbox, run as run_command};
use bt_core::prelude::*;
use bt_core::tree::asset::spec::{action, node};
use bt_core::tree::check::{Limits, Rules, check};
use bt_core::tree::{Code, Level};
use bt_core::{Problem, Registry, TreeAsset, TreeSet};
use bt_meta::catalogue::Catalogue;
use bt_meta::pages;
use bt_meta::validate::levels::Setting;
use bt_meta::validate::{Finding, Options, input, run};

/// Codes that no tree in a page can show: the file is not text, or not there. Each is made by a test.
const UNSHOWN: [Code; 6] = [
    Code::NotUtf8,
    Code::TooLarge,
    Code::BadScript,
    Code::RefusedEdit,
    Code::MisplacedRoot,
    Code::Contradiction,
];

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/codes")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Compares a file with what it should be; writes it if `BT_META=overwrite` is set.
fn compare(path: &Path, expected: &str) {
    if std::env::var_os("BT_META").is_some_and(|value| value == "overwrite") {
        fs::write(path, expected).unwrap();
    }
    let same = read(path) == expected;
    assert!(
        same,
        "{} is out of date: run the test with BT_META=overwrite",
        path.display()
    );
}

/// The catalogue of the pages' examples. Its file has only what the examples annotate; what is bt-core's is added.
fn catalogue() -> Catalogue {
    let text = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/codes/agents.json"));
    let mut all: Catalogue = serde_json::from_str(&text).unwrap();
    let core = Catalogue::collect();
    let builtin = core.agents.into_iter();
    all.agents
        .extend(builtin.filter(|agent| agent.item.name == BUILTIN));
    all.agents.sort_by(|a, b| a.item.name.cmp(&b.item.name));
    all.node_kinds = core.node_kinds;
    let shared = core.defs.into_iter();
    all.defs
        .extend(shared.filter(|(name, _)| name.starts_with("node.")));
    all
}

const BUILTIN: &str = "action_agent";

/// The content of an export, without bt-core's.
fn own(exported: &str) -> String {
    let mut all: serde_json::Value = serde_json::from_str(exported).unwrap();
    all["agents"]
        .as_array_mut()
        .unwrap()
        .retain(|agent| agent["name"] != BUILTIN);
    all["node_kinds"] = serde_json::json!([]);
    let defs = all["$defs"].as_object_mut().unwrap();
    defs.retain(|name, _| !name.starts_with("node."));
    format!("{all:#}\n")
}

/// The same as a version exported it that did not ask decoders for their names.
fn earlier() -> Catalogue {
    fn forget(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Object(fields) => {
                fields.remove("x-decoder");
                fields.values_mut().for_each(forget);
            }
            serde_json::Value::Array(items) => items.iter_mut().for_each(forget),
            _ => {}
        }
    }
    let mut all = serde_json::to_value(catalogue()).unwrap();
    forget(&mut all);
    serde_json::from_value(all).unwrap()
}

/// The blocks of code in a page: what stands after the language, and the text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    for part in page.split("\n```json ").skip(1) {
        let (info, rest) = part.split_once('\n').unwrap();
        let (text, _) = rest.split_once("```").unwrap();
        blocks.push((info.to_owned(), text.to_owned()));
    }
    blocks
}

/// The files of the examples that are wrong, or right. One without a name has that of the only tree.
fn files(page: &str, which: &str) -> Vec<(String, String)> {
    let blocks = blocks(page).into_iter();
    let files = blocks.filter_map(|(info, text)| {
        let file = info.strip_prefix(which)?.trim().to_owned();
        let file = if file.is_empty() {
            "tree.json".to_owned()
        } else {
            file
        };
        Some((file, text))
    });
    files.collect()
}

/// The line that the page is about, and its file; none for a whole file.
fn place(page: &str) -> Option<(usize, String)> {
    let (_, example) = page.split_once("\n## Example\n\n").unwrap();
    let words: Vec<&str> = example.split_whitespace().take(4).collect();
    let line = words[1].parse().ok().filter(|_| words[0] == "Line")?;
    let file = match words[2] {
        "of" => words[3].trim_matches('`').to_owned(),
        _ => "tree.json".to_owned(),
    };
    Some((line, file))
}

/// The findings in files of those names, with their names as the findings' files.
fn found(code: Code, files: &[(String, String)]) -> Vec<Finding> {
    let sandbox = Sandbox::new();
    let root = sandbox.path().join("trees");
    let mut paths: BTreeSet<PathBuf> = BTreeSet::new();
    for (file, text) in files {
        sandbox.file(&format!("trees/{file}"), text);
        let folder = file.split_once('/').map(|(folder, _)| root.join(folder));
        paths.insert(folder.unwrap_or_else(|| root.clone()));
    }
    let inputs = input::inputs(&Vec::from_iter(paths)).unwrap();
    let mut options = Options::default();
    if code.is_off() {
        options.levels.set(code.name(), Setting::Warn).unwrap();
    }
    let known = match code {
        Code::DoubtfulArgument => earlier(),
        _ => catalogue(),
    };
    let report = run(known, &options, &inputs, &|| {}).unwrap();
    let prefix = root.to_string_lossy().replace('\\', "/") + "/";
    let mut findings = report.findings;
    for finding in &mut findings {
        finding.file = finding.file.replace(&prefix, "");
    }
    findings
}

#[test]
fn each_code_has_a_page_and_each_page_a_code() {
    let mut expected: BTreeSet<String> =
        Code::ALL.iter().map(|code| format!("{code}.md")).collect();
    expected.insert("README.md".to_owned());
    let entries = fs::read_dir(docs()).unwrap();
    let there: BTreeSet<String> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(there, expected);
    for code in Code::ALL {
        let page = pages::page(*code).expect("built after the page was written");
        assert_eq!(page, read(&docs().join(format!("{code}.md"))));
        let level = match code.level() {
            Level::Error => "Error",
            Level::Warning => "Warning",
        };
        let head = format!(
            "# {code} {}\n\n*{level}*: {}.\n\n",
            code.name(),
            code.brief()
        );
        assert!(page.starts_with(&head), "{code}: expected {head}");
        assert!(page.contains("\n## How to fix it\n\n"), "{code}");
    }
}

#[test]
fn wrong_tree_of_each_page_has_exactly_its_problem() {
    for code in Code::ALL.iter().filter(|code| !UNSHOWN.contains(code)) {
        let page = pages::page(*code).unwrap();
        let findings = found(*code, &files(page, "wrong"));
        let at = |finding: &Finding| Some((finding.place.as_ref()?.line, finding.file.clone()));
        let places: Vec<_> = findings.iter().map(|one| (one.code, at(one))).collect();
        assert_eq!(places, [(*code, place(page))], "{code}: {findings:#?}");
    }
}

#[test]
fn right_tree_of_each_page_has_no_problem() {
    for code in Code::ALL.iter().filter(|code| !UNSHOWN.contains(code)) {
        let page = pages::page(*code).unwrap();
        let right = files(page, "right");
        assert!(!right.is_empty(), "{code}");
        let findings = found(*code, &right);
        assert!(findings.is_empty(), "{code}: {findings:#?}");
    }
}

#[test]
fn pages_without_an_example_are_those_that_cannot_have_one() {
    for code in Code::ALL {
        let has_none = blocks(pages::page(*code).unwrap()).is_empty();
        assert_eq!(has_none, UNSHOWN.contains(code), "{code}");
    }
}

/// An agent that is generic, and never said which of its types take part.
#[derive(Debug, Agent)]
#[agent(no_base)]
struct Pack<T: Send + 'static> {
    _of: T,
}

fn codes(problems: &[Problem]) -> Vec<Code> {
    problems.iter().map(Problem::code).collect()
}

#[test]
fn codes_without_an_example_are_reported_too() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path().join("trees")).unwrap();
    fs::write(sandbox.path().join("trees/old.json"), b"{\"nodes\": \xe9}").unwrap();
    let inputs = input::inputs(&[sandbox.path().join("trees")]).unwrap();
    let report = run(catalogue(), &Options::default(), &inputs, &|| {}).unwrap();
    assert_eq!(report.findings[0].code, Code::NotUtf8);
    assert_eq!(report.findings[0].place.as_ref().unwrap().column, 11);

    let tree = |top| TreeAsset::build("t.json", "action_agent", top);
    let check = |tree: TreeAsset, rules: &Rules| {
        codes(&check(&[tree], Registry::global().unwrap(), rules).problems)
    };
    let small = Rules::default().limits(Limits { nodes: 1, depth: 9 });
    assert_eq!(check(tree(action("nop")), &small), [Code::TooLarge]);
    let root = node("root")
        .extra("agent_name", "action_agent")
        .child(action("nop"));
    let nested = tree(node("sequence").child(root));
    assert_eq!(check(nested, &Rules::default()), [Code::MisplacedRoot]);

    let script = pages::page(Code::BadScript)
        .unwrap()
        .split("```text\n")
        .skip(1);
    let scripts = script.map(|block| block.split_once("```").unwrap().0);
    let read: Vec<_> = scripts
        .map(|text| TreeAsset::from_script("t", text))
        .collect();
    assert_eq!(
        codes(read[0].as_ref().unwrap_err().problems()),
        [Code::BadScript]
    );
    assert_eq!(
        read[0].as_ref().unwrap_err().problems()[0]
            .position()
            .unwrap()
            .line,
        3
    );
    assert!(read[1].is_ok());

    let refused = tree(action("nop")).remove(7).unwrap_err();
    assert_eq!(codes(refused.problems()), [Code::RefusedEdit]);
    let unregistered = TreeSet::<Pack<u8>>::new().check();
    assert_eq!(codes(&unregistered.problems), [Code::Contradiction]);
}

#[test]
fn the_readme_lists_all_codes() {
    let path = docs().join("README.md");
    let text = read(&path);
    let [begin, end] = pages::MARKS;
    let (before, rest) = text.split_once(begin).unwrap();
    let (_, after) = rest.split_once(end).unwrap();
    compare(
        &path,
        &format!("{before}{begin}{}{end}{after}", pages::table()),
    );
}

#[test]
fn the_catalogue_of_the_examples_is_what_the_readme_annotates() {
    let readme = read(&docs().join("README.md"));
    let (_, rest) = readme.split_once("```rust\n").unwrap();
    let (code, _) = rest.split_once("```").unwrap();
    let serde = "schemars = \"1\"\nserde = { version = \"1\", features = [\"derive\"] }\n";
    let sandbox = Sandbox::new();
    sandbox.package("guard", "guard", serde, code);
    sandbox.export("guard", &[]).done();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/codes/agents.json");
    compare(&path, &own(&read(&sandbox.out().join("agents.json"))));
}

/// The example of a comment that the README shows.
#[test]
fn the_comment_in_the_readme_lets_its_node_pass() {
    let readme = read(&docs().join("README.md"));
    let (_, rest) = readme.split_once("```json\n").unwrap();
    let (comment, _) = rest.split_once("```").unwrap();
    let tree = |node: &str| {
        let root =
            r#"{"idx": 0, "type": "root", "children": [4], "extra": {"agent_name": "guard"}}"#;
        vec![(
            "t.json".to_owned(),
            format!("{{\"nodes\": [{root}, {node}]}}"),
        )]
    };
    assert_eq!(found(Code::Renamed, &tree(comment)).len(), 0);
    let without = comment.replace("allow(renamed)", "");
    assert_eq!(found(Code::Renamed, &tree(&without))[0].code, Code::Renamed);
}

#[test]
fn a_code_is_explained_by_number_and_by_name() {
    let sandbox = Sandbox::new();
    let explain = |args: &[&str]| {
        let all = ["explain"].iter().chain(args);
        run_command(&mut sandbox.command(".", all))
    };
    let page = read(&docs().join("BT0034.md"));
    for name in ["BT0034", "bt0034", "unknown-action"] {
        assert_eq!(explain(&[name]).done().out, page);
    }
    let two = explain(&["BT0034", "orphan"]).done().out;
    assert_eq!(two, format!("{page}\n{}", read(&docs().join("BT0012.md"))));
    explain(&["unknwon-action"]).says(2, &["did you mean `unknown-action`?"]);
    explain(&["BT9999"]).says(2, &["`BT9999`; `bt-meta explain --list` lists all of them"]);
    explain(&[]).says(2, &["CODE"]);
    insta::assert_snapshot!("explain_list", explain(&["--list"]).done().out);
}
