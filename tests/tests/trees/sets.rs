//! The tree files of the original, as its own editor wrote them: they load, and written back they
//! say the same.

use std::fs;
use std::path::{Path, PathBuf};

use bt_core::builtin::ActionAgent;
use bt_core::tree::check::{Knows, Rules, RunBy, Typed, check};
use bt_core::{Registry, TreeAsset};
use serde_json::Value;

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/mosaic/btree");
    let files = fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 2);
    files
}

fn load(file: &Path) -> TreeAsset {
    let name = file.file_name().unwrap().to_str().unwrap();
    TreeAsset::from_slice(name, &fs::read(file).unwrap()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn files_of_the_original_are_written_back_unchanged() {
    for file in files() {
        let tree = load(&file);
        let original: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        let text = tree.to_json();
        let written: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(written, original, "{}", file.display());
        assert_eq!(TreeAsset::from_json(tree.name(), &text), Ok(tree));
        assert!(text.ends_with("}\n") && !text.contains(['\r', '\t']));
    }
}

#[test]
fn the_nodes_of_the_original_are_those_of_its_picture() {
    let [first, second] = files().try_into().unwrap();
    let shape = |tree: &TreeAsset| -> Vec<String> {
        let nodes = tree.preorder();
        nodes
            .map(|node| format!("{} {}", node.idx(), node.kind))
            .collect()
    };
    let tree = load(&second);
    assert_eq!(
        (tree.name(), tree.agent()),
        ("test_event.json", Some("action_agent"))
    );
    assert_eq!(tree.signature(), "19-11-2023 23:06:38");
    let nodes = [
        "0 root",
        "1 parallel",
        "2 action",
        "3 wait_event",
        "4 parallel",
        "5 wait_event",
        "6 action",
    ];
    assert_eq!(shape(&tree), nodes);
    // The spelling of the file stays.
    let tree = load(&first);
    assert!(shape(&tree).contains(&"4 probility".to_owned()));
    assert_eq!(
        tree.node(4).unwrap().extra["prob"],
        serde_json::json!([1, 1])
    );
}

#[test]
fn normalising_adds_only_what_the_original_left_out() {
    for file in files() {
        let tree = load(&file);
        let mut normal = tree.clone();
        normal.normalise();
        for (key, value) in tree.keys() {
            assert_eq!(normal.keys().get(key), Some(value));
        }
        let keys: Vec<_> = normal.keys().keys().map(String::as_str).collect();
        assert_eq!(keys, ["extra", "name", "signature", "tree_type"]);
        assert_eq!(normal.copy(0), tree.copy(0));
    }
}

#[test]
fn files_of_the_original_have_no_problems() {
    let trees: Vec<_> = files().iter().map(|file| load(file)).collect();
    let registry = Registry::global().unwrap();
    let text = serde_json::to_string(registry.catalogue()).unwrap();
    let from_file = Registry::from_catalogue(serde_json::from_str(&text).unwrap()).unwrap();
    let typed = Typed::<ActionAgent>::new().unwrap();
    let by_name = RunBy::new(&from_file, "action_agent").unwrap();
    let all: [&dyn Knows; 4] = [&typed, registry, &from_file, &by_name];
    for knows in all {
        let checked = check(&trees, knows, &Rules::default());
        assert_eq!(checked.problems, []);
        // It waits for events of a game that is not here.
        let warnings: Vec<_> = checked.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(
            warnings,
            [
                "test_event.json: node 3: no agent registers an event `test`",
                "test_event.json: node 5: no agent registers an event `test2`",
            ]
        );
    }
}
