//! The blocks of pages show parts of examples, their output, and the output of commands.

use std::fs;
use std::path::Path;

use bt_core::TreeAsset;
use bt_core::tree::Code;
use bt_meta::draw::{Direction, Format, draw};

use super::{compare, pages, read, root};

/// A fenced block of a page.
struct Block {
    language: String,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let text = read(page);
    let mut lines = text.lines();
    let mut blocks = Vec::new();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let inner: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push(Block {
                language: language.to_owned(),
                text: inner.join("\n"),
            });
        }
    }
    blocks
}

/// Sources, trees and outputs of the examples, and their trees as outlines. Tests compare the outputs with
/// what the examples print.
fn examples() -> Vec<String> {
    let mut texts = Vec::new();
    for example in ["async-cleanup", "door-guard", "squad"] {
        let folder = root().join("examples").join(example);
        texts.push(fs::read_to_string(folder.join("output.txt")).unwrap());
        for part in ["src", "trees"] {
            for file in fs::read_dir(folder.join(part)).unwrap() {
                let path = file.unwrap().path();
                let text = fs::read_to_string(&path).unwrap();
                if part == "trees" {
                    texts.push(outline(&path, &text));
                }
                texts.push(text);
            }
        }
    }
    texts
}

fn outline(path: &Path, text: &str) -> String {
    let name = path.file_name().unwrap().to_str().unwrap();
    drawn(name, text, Format::Text, Direction::Down)
}

fn drawn(name: &str, text: &str, format: Format, direction: Direction) -> String {
    let tree = TreeAsset::from_json(name, text).unwrap();
    draw(&[tree], format, direction)
}

#[test]
fn readme_and_examples_page_show_code_and_output_of_the_examples() {
    let mut sources = examples();
    // The transcripts of this page are run by a test of bt-meta.
    sources.push(read("docs/src/command-line.md"));
    for page in ["README.md", "docs/src/examples.md"] {
        for block in blocks(page) {
            if block.language == "sh" {
                continue;
            }
            let found = sources.iter().any(|source| source.contains(&block.text));
            assert!(found, "{page}: stands in no example:\n{}", block.text);
        }
    }
}

/// Each language has a test that runs or compares its blocks.
#[test]
fn every_block_of_the_book_is_of_a_language_that_a_test_runs() {
    for page in pages() {
        for Block { language, text } in blocks(&page) {
            let is_known = match language.as_str() {
                // Run as doc tests (`tests/src/lib.rs`, `bt-macros`), or compared with the examples.
                "rust" => true,
                // Compared with the sources, and with a doc test of bt-live.
                "rust,ignore" if page.ends_with("reload.md") => {
                    let tested = read("bt-live/src/folder.rs");
                    tested.replace("/// ", "").contains(&text)
                }
                "rust,ignore" if page.ends_with("command-line.md") => {
                    read("examples/monster/tests/fresh.rs").contains(&text)
                }
                // Compiled by a test of bt-bevy.
                "rust,ignore" if page.ends_with("bevy.md") => {
                    read("bt-bevy/tests/bevy/page.rs").contains(&text)
                }
                "rust,ignore" => {
                    let kinds = fs::read_dir(root().join("bt-core/src/kinds")).unwrap();
                    let mut files = kinds.map(|file| file.unwrap().path());
                    files.any(|file| fs::read_to_string(file).unwrap().contains(&text))
                }
                // Run by bt-meta's test `pages`.
                "console" => true,
                // Compared by bt-meta's test `new`.
                "text starter" | "json starter" => page.ends_with("quick-start.md"),
                // Compared by the monster example's test `reload`.
                "text" if page.ends_with("reload.md") => text.starts_with("$ cargo run -p monster"),
                // Compared with what bt-meta's test `play` answers.
                "text" if page.ends_with("play.md") => {
                    read("bt-meta/tests/commands/play.rs").contains(&text)
                }
                // Each is built where the page is generated.
                "text" if page.ends_with("built-in-actions.md") => true,
                // Compared by bt-meta's test `mcp`.
                "text" if page.ends_with("assistants.md") => {
                    TreeAsset::from_script("hunt.bt", &text).is_ok()
                }
                "text" if page.ends_with("bevy.md") => {
                    TreeAsset::from_script("door.bt", &text).is_ok()
                }
                // Compared with the examples, or built in `trees.rs`.
                "text" => {
                    ["README", "examples", "tree-files", "ARCHITECTURE"]
                        .iter()
                        .any(|name| page.contains(name))
                        || page.ends_with("commands.md")
                }
                "json" => serde_json::from_str::<serde_json::Value>(&text).is_ok(),
                // Run by the tests in `RUN`.
                "sh" => true,
                // Manifests.
                "toml" => true,
                "" => page == "ARCHITECTURE.md",
                _ => false,
            };
            assert!(is_known, "{page}: `{language}`:\n{text}");
        }
    }
}

/// The tests that run the commands of pages: which lines, by how they begin, of which pages.
const RUN: &[(&str, &str, &[&str])] = &[
    (
        "bt-meta/tests/pages/shell.rs",
        "bt-meta ",
        &["docs/src/command-line.md", "docs/src/formats.md"],
    ),
    (
        "bt-meta/tests/pages/shell.rs",
        "cargo run -p bt-meta -- ",
        &["README.md"],
    ),
    (
        "bt-meta/tests/commands/new.rs",
        "",
        &["docs/src/quick-start.md"],
    ),
    (
        "bt-meta/tests/commands/new.rs",
        "bt-meta new my-game",
        &["README.md"],
    ),
    (
        "bt-meta/tests/commands/new.rs",
        "cd my-game && cargo run",
        &["README.md"],
    ),
    (
        "bt-studio/tests/package.rs",
        "cargo run -p bt-studio -- ",
        &[
            "README.md",
            "docs/src/studio.md",
            "docs/src/studio-debugger.md",
        ],
    ),
    (
        "examples/monster/tests/scene/pages.rs",
        "",
        &[
            "docs/src/live.md",
            "docs/src/debugging.md",
            "docs/src/saving.md",
        ],
    ),
    (
        "examples/monster/tests/scene/pages.rs",
        "cargo run -p monster -- --live --speed 1",
        &["docs/src/studio-debugger.md"],
    ),
];

/// The commands of pages that no test runs, and why.
const NOT_RUN: &[(&str, &str)] = &[
    (
        "cargo install --path bt-meta",
        "builds the program that all tests run once more, for minutes",
    ),
    (
        "bt-meta play trees/hunt.json",
        "waits for a person's answers; bt-meta's test `play` gives them through a pipe",
    ),
    (
        "bt-meta mcp examples/monster/trees --catalogue",
        "serves until its input ends; bt-meta's test `mcp` speaks to it",
    ),
    (
        "bt-meta import robot.xml --from btcpp",
        "reads a reader's own file; bt-meta's test `import` has one of its own",
    ),
    (
        "bt-meta validate --catalogue imported/agents.json imported/trees",
        "reads what the import wrote",
    ),
    (
        "bt-meta export --catalogue imported/agents.json",
        "reads what the import wrote; bt-meta's test `btcpp` has an import of its own",
    ),
    (
        "bt-meta draw imported/trees/MainTree.json",
        "reads what the import wrote",
    ),
    (
        "bt-meta validate trees --actions actions.json",
        "reads a reader's own files; bt-meta's test `original` has some of its own",
    ),
    (
        "bt-meta stubs --actions actions.json",
        "reads a reader's own files; bt-meta's test `original` has some of its own",
    ),
    (
        "bt-meta merge-view views --into trees",
        "reads a reader's own files; bt-meta's test `merge_view` has some of its own",
    ),
    ("cargo test --workspace", "is what runs the tests"),
    ("cargo xtask check", "runs the tests"),
    ("cargo xtask bless", "writes the files that tests compare"),
    ("cargo xtask api", "writes a file that a test compares"),
    (
        "BT_META=overwrite cargo test ",
        "writes the files that tests compare",
    ),
    (
        "INSTA_UPDATE=always cargo test ",
        "writes the files that tests compare",
    ),
];

#[test]
fn every_command_of_a_page_is_run_by_a_test_or_says_why_not() {
    let mut left: Vec<&str> = NOT_RUN.iter().map(|(line, _)| *line).collect();
    for page in pages() {
        let shell = blocks(&page).into_iter().filter(|it| it.language == "sh");
        for line in
            shell.flat_map(|block| block.text.lines().map(str::to_owned).collect::<Vec<_>>())
        {
            if let Some((known, _)) = NOT_RUN.iter().find(|(known, _)| line.starts_with(known)) {
                left.retain(|line| line != known);
                continue;
            }
            let is_it = |(_, begin, pages): &&(&str, &str, &[&str])| {
                pages.contains(&page.as_str()) && line.starts_with(begin)
            };
            let Some((test, ..)) = RUN.iter().find(is_it) else {
                panic!("{page}: no test runs `{line}`");
            };
            // The test reads the page; the name of its folder may be elsewhere in it.
            let name = page.rsplit('/').next().unwrap();
            assert!(read(test).contains(name), "{test} does not read {page}");
        }
    }
    assert!(left.is_empty(), "on no page: {left:?}");
}

/// A reader's crate has bt-core. What else an example uses, its page lists or names.
#[test]
fn examples_of_a_page_use_no_crate_that_it_does_not_name() {
    let crates = [
        "bt_live",
        "bt_meta",
        "rayon",
        "schemars",
        "serde",
        "serde_json",
        "tracing",
    ];
    // Whole examples with manifests of their own, and a file of bt-core.
    let others = ["examples.md", "add-a-node-kind.md"];
    for page in pages() {
        if others.iter().any(|other| page.ends_with(other)) {
            continue;
        }
        let code = |block: &Block| block.language.starts_with("rust");
        let blocks = blocks(&page).into_iter().filter(code);
        let blocks: Vec<_> = blocks.map(|block| block.text).collect();
        let rest = blocks
            .iter()
            .fold(read(&page), |rest, block| rest.replace(block.as_str(), ""));
        for name in crates {
            let is_used = blocks.iter().any(|block| uses_crate(block, name));
            let is_named = [name.to_owned(), name.replace('_', "-")]
                .iter()
                .any(|name| {
                    rest.contains(&format!("`{name}`")) || rest.contains(&format!("\n{name} = "))
                });
            assert!(!is_used || is_named, "{page} does not name `{name}`");
        }
    }
}

/// Returns true if a path in the code begins with the crate.
fn uses_crate(code: &str, name: &str) -> bool {
    let is_path = |(at, _): (usize, &str)| {
        let before = code[..at].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != ':')
    };
    code.match_indices(&format!("{name}::")).any(is_path)
}

#[test]
fn picture_of_the_readme_is_the_tree_of_the_first_example() {
    let text = read("examples/door-guard/trees/door.json");
    let picture = drawn("door.json", &text, Format::Svg, Direction::Right);
    compare("docs/src/images/door.svg", &picture);
}

#[test]
fn page_of_codes_lists_all_codes() {
    let mut page = String::from(
        "# Codes\n\nThis page lists everything that `bt-meta validate` can report. A test generates it.\n\n\
         `bt-meta explain BT0034` prints the page of a code: what it means, how to fix it, a wrong and a right tree.\n\
         The pages are also in [bt-meta/docs/codes](../../bt-meta/docs/codes/README.md).\n\n\
         - An **error** is what the runtime refuses: the tree does not build.\n\
         - A **warning** works, and is probably not meant.\n\n\
         | code | name | level | what it is about |\n|---|---|---|---|\n",
    );
    for code in Code::ALL {
        let level = format!("{:?}", code.level()).to_lowercase();
        let (name, brief) = (code.name(), code.brief());
        page += &format!(
            "| [{code}](../../bt-meta/docs/codes/{code}.md) | `{name}` | {level} | {brief} |\n"
        );
    }
    compare("docs/src/codes.md", &page);
}
