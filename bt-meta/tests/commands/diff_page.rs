//! `bt-meta diff --format html`: what changed, as one page with pictures.

use std::fs;

use super::diff::{changed, diff, exported, git, sandbox};
use crate::common::page::check_page;

/// A tree of a sequence of such actions, numbered from 2.
fn tree(actions: &[&str]) -> String {
    let ids: Vec<String> = (2..)
        .take(actions.len())
        .map(|idx: u32| idx.to_string())
        .collect();
    let mut nodes = vec![
        r#"{"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "guard"}}"#
            .to_owned(),
        format!(
            r#"{{"idx": 1, "type": "sequence", "parent": 0, "children": [{}]}}"#,
            ids.join(", ")
        ),
    ];
    for (idx, action) in ids.iter().zip(actions) {
        nodes.push(format!(
            r#"{{"idx": {idx}, "type": "action", "parent": 1, "children": [], "extra": {{"action_name": "{action}"}}}}"#
        ));
    }
    format!("{{\"nodes\": [{}]}}", nodes.join(",\n"))
}

/// The text of the section of a tree.
fn section<'p>(page: &'p str, path: &str) -> &'p str {
    let (_, section) = page.split_once(&format!("<h2>{path}</h2>")).expect(path);
    section.split_once("</section>").unwrap().0
}

fn marks(text: &str, mark: &str) -> usize {
    text.matches(&format!("class=\"mark {mark}\"")).count()
}

#[test]
fn a_page_shows_trees_before_and_after_since_a_git_revision() {
    let sandbox = sandbox(&exported(), &exported());
    let folder = sandbox.path();
    fs::remove_dir_all(folder.join("trees")).unwrap();
    sandbox.file("trees/rounds.json", &tree(&["walk", "rest"]));
    sandbox.file("trees/town/gone.json", &tree(&["leave"]));
    sandbox.file("trees/same.json", &tree(&["rest"]));
    sandbox.file("trees/layout.json", &tree(&["rest"]));
    sandbox.file("trees/broken.json", &tree(&["rest"]));
    sandbox.file("trees/.hidden.json", "{}");
    git(folder, &["init", "--quiet"]);
    git(folder, &["add", "."]);
    git(folder, &["commit", "--quiet", "-m", "first"]);
    let page = |args: &[&str]| diff(&sandbox, args);
    let trees = ["--since", "HEAD", "--trees", "trees", "--format", "html"];
    let nothing = page(&trees).done().out;
    check_page(&nothing);
    assert!(nothing.contains("nothing changed."), "{nothing}");

    sandbox.file("trees/rounds.json", &tree(&["look", "walk"]));
    fs::remove_file(folder.join("trees/town/gone.json")).unwrap();
    sandbox.file("trees/a&b.json", &tree(&["<b>"]));
    sandbox.file("trees/layout.json", &tree(&["rest"]).replace('\n', ""));
    sandbox.file("trees/broken.json", "{\"nodes\": 3}");
    fs::remove_file(folder.join("trees/.hidden.json")).unwrap();
    let shown = page(&trees).done().out;
    check_page(&shown);
    assert!(!shown.contains("What agents can do") && !shown.contains("hidden"));
    let rounds = section(&shown, "trees/rounds.json");
    assert!(rounds.contains("<li>added ▸ look #2</li>"), "{rounds}");
    assert!(rounds.contains("<li>removed ▸ rest #3</li>"), "{rounds}");
    let (before, after) = rounds.split_once("After").unwrap();
    assert_eq!((marks(before, "removed"), marks(before, "added")), (1, 0));
    assert_eq!((marks(after, "removed"), marks(after, "added")), (0, 1));
    let gone = section(&shown, "trees/town/gone.json");
    assert!(gone.contains("is gone") && gone.matches("<svg xmlns").count() == 1);
    let new = section(&shown, "trees/a&amp;b.json");
    assert!(new.contains("is new") && new.contains("&lt;b&gt;") && !new.contains("<b>"));
    let layout = section(&shown, "trees/layout.json");
    assert!(
        layout.contains("The same tree") && !layout.contains("<svg"),
        "{layout}"
    );
    let broken = section(&shown, "trees/broken.json");
    assert!(
        broken.contains("It is no tree: ") && broken.contains("<svg"),
        "{broken}"
    );
    assert!(!shown.contains("same.json"));

    // One file alone, and what agents can do beside the trees.
    let one = [
        "--since",
        "HEAD",
        "--trees",
        "trees/rounds.json",
        "--format",
        "html",
    ];
    assert!(!page(&one).done().out.contains("gone.json"));
    sandbox.file("new/agents.json", &changed(exported()).to_string());
    let both = [
        "--since", "HEAD", "new", "--trees", "trees", "--format", "html",
    ];
    let both = page(&both).says(1, &["4 breaking changes"]).out;
    check_page(&both);
    assert!(both.contains("What agents can do") && both.contains("✕ breaking"));
    section(&both, "trees/rounds.json");
}

#[test]
fn a_page_shows_trees_of_two_folders() {
    let sandbox = sandbox(&exported(), &exported());
    sandbox.file("before/a.json", &tree(&["walk", "rest"]));
    sandbox.file("after/a.json", &tree(&["rest", "walk"]));
    let trees = ["--old-trees", "before", "--trees", "after"];
    let html = [&trees[..], &["--format", "html"]].concat();
    let shown = diff(&sandbox, &html).done().out;
    check_page(&shown);
    assert_eq!(
        marks(section(&shown, "after/a.json"), "moved"),
        2,
        "{shown}"
    );
    let with_agents = [&["old", "new"][..], &html].concat();
    let shown = diff(&sandbox, &with_agents).done().out;
    assert!(shown.contains("Agents: nothing changed."), "{shown}");
    diff(&sandbox, &[&["old", "new"][..], &trees].concat())
        .says(2, &["`--old-trees` is for `--format html`"]);
    diff(&sandbox, &["old", "new", "--old-trees", "before"]).says(2, &["--trees"]);
}
