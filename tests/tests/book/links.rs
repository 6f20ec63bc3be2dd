//! Links lead somewhere, paths are there, and the summary lists every page.

use super::{pages, read, root};

#[test]
fn links_of_pages_lead_to_files_and_headings() {
    for page in pages() {
        let text = read(&page);
        let folder = root().join(&page).parent().unwrap().to_owned();
        for link in text.split("](").skip(1) {
            let link = link.split(')').next().unwrap();
            if link.starts_with("http") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let path = if file.is_empty() {
                root().join(&page)
            } else {
                folder.join(file)
            };
            assert!(path.exists(), "{page}: no `{link}`");
            if !heading.is_empty() {
                let text = std::fs::read_to_string(path).unwrap();
                assert!(
                    anchors(&text).any(|one| one == heading),
                    "{page}: no `{link}`"
                );
            }
        }
    }
}

/// The anchors of a page's headings, as renderers of Markdown make them.
fn anchors(text: &str) -> impl Iterator<Item = String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| {
        let line = line.trim_start_matches('#').trim().to_lowercase();
        let kept = line
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().replace(' ', "-")
    })
}

#[test]
fn paths_in_pages_are_there() {
    let tops = [
        "bt-core/",
        "bt-macros/",
        "bt-meta/",
        "docs/",
        "examples/",
        "tests/",
        "benches/",
        "fuzz/",
    ];
    // These two are also about the files of a new crate.
    let others = ["docs/src/command-line.md", "docs/src/quick-start.md"];
    for page in pages() {
        if others.contains(&&*page) {
            continue;
        }
        for word in read(&page).split('`').skip(1).step_by(2) {
            if tops.iter().any(|top| word.starts_with(top)) && !word.contains([' ', '*']) {
                assert!(root().join(word).exists(), "{page}: no `{word}`");
            }
        }
    }
}

#[test]
fn summary_lists_every_page_of_the_book() {
    let summary = read("docs/src/SUMMARY.md");
    for page in pages() {
        if let Some(name) = page.strip_prefix("docs/src/")
            && name != "SUMMARY.md"
        {
            let found = summary.matches(&format!("({name})")).count();
            assert_eq!(found, 1, "{name}");
        }
    }
}
