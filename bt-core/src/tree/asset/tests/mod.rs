//! Trees as data: read, written, changed.

mod changes;
mod hostile;
mod reading;
mod writing;

use super::*;

/// A file of these nodes, each `idx type parent children`, with `-` for none.
fn file(nodes: &[&str]) -> String {
    let nodes: Vec<String> = nodes
        .iter()
        .map(|node| {
            let mut words = node.split_whitespace();
            let mut word = || words.next().unwrap();
            let (idx, kind, parent) = (word(), word(), word());
            let parent = match parent {
                "-" => String::new(),
                idx => format!(r#""parent": {idx}, "#),
            };
            let children: Vec<_> = words.filter(|word| *word != "-").collect();
            let children = children.join(", ");
            format!(r#"{{"idx": {idx}, "type": "{kind}", {parent}"children": [{children}], "extra": {{}}}}"#)
        })
        .collect();
    format!("{{\"nodes\": [\n{}\n]}}\n", nodes.join(",\n"))
}

/// The problems of a text, a line for each, without the file's name.
fn problems(text: &str) -> String {
    let error = TreeAsset::from_json("t", text).unwrap_err();
    for problem in error.problems() {
        assert_eq!(problem.file(), "t");
    }
    let lines = error.to_string();
    let lines: Vec<_> = lines
        .lines()
        .map(|line| line.trim_start_matches("t:"))
        .collect();
    lines.join("\n")
}

/// The tree as `idx(children)`.
fn shape(tree: &TreeAsset) -> String {
    let mut text = String::new();
    for node in tree.preorder() {
        let above = node.parent().map(|parent| tree.node(parent).unwrap());
        assert_eq!(above.is_none(), node.idx() == tree.root().idx());
        if let Some(above) = above {
            assert!(above.children().contains(&node.idx()));
        }
        text += &format!("{}{:?} ", node.idx(), node.children());
    }
    assert_eq!(tree.preorder().count(), tree.nodes().len());
    text.trim_end().replace(", ", " ")
}
