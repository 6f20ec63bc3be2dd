//! Mermaid's flowchart, read as far as pictures use it.

use crate::draw::dot::Graph;

pub(crate) fn read(text: &str) -> Graph {
    let mut graph = Graph::default();
    let mut lines = text.lines();
    // Siblings stand in the order of the file in no other layout.
    assert_eq!(lines.next(), Some(r#"%%{init: {"layout": "dagre"}}%%"#));
    let head = lines.next().unwrap();
    let way = head.strip_prefix("flowchart ").unwrap();
    assert!(["TB", "LR"].contains(&way), "{head}");
    let mut open = 0;
    while let Some(line) = lines.next().map(str::trim_start) {
        if line.starts_with("subgraph ") {
            let (_, rest) = line.split_once(" [\"").unwrap();
            seen(rest.strip_suffix("\"]").unwrap());
            open += 1;
            // Without a direction of its own, a subgraph is drawn sideways.
            assert_eq!(
                lines.next().unwrap().trim_start(),
                format!("direction {way}")
            );
        } else if line == "end" {
            open -= 1;
        } else if let Some(rest) = line.strip_prefix("classDef ") {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "_ :#,".contains(c);
            assert!(rest.chars().all(is_plain), "{rest}");
        } else if let Some((name, rest)) = line.split_once('"') {
            let (label, close) = rest.rsplit_once('"').unwrap();
            let id = name.trim_end_matches(['(', '[', '{']);
            assert_id(id);
            let (brackets, group) = close.rsplit_once(":::").unwrap();
            assert!(brackets.chars().all(|c| ")]}".contains(c)), "{line}");
            assert!(group.ends_with("_node"), "{line}");
            graph.nodes.push((id.to_owned(), seen(label)));
        } else {
            let edge = line.split_once(" --> ");
            let (from, to) = edge.unwrap_or_else(|| panic!("`{line}`"));
            assert_id(from);
            assert_id(to);
            // From tree to tree, it would change the places of siblings.
            assert_eq!(
                from.split_once('n').unwrap().0,
                to.split_once('n').unwrap().0
            );
            graph.edges.push((from.to_owned(), to.to_owned()));
        }
    }
    assert_eq!(open, 0, "a subgraph is open");
    graph
}

fn assert_id(id: &str) {
    assert!(id.chars().all(|c| c.is_ascii_alphanumeric()), "`{id}`");
}

/// The look of a label.
fn seen(label: &str) -> String {
    let mut text = String::new();
    let mut rest = label;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("<br/>") {
            text.push('\n');
            rest = after;
        } else if let Some(after) = rest.strip_prefix('#') {
            let (code, after) = after.split_once(';').expect("a code ends");
            text.push(match code {
                "quot" => '"',
                "amp" => '&',
                "lt" => '<',
                "gt" => '>',
                code => char::from_u32(code.parse().unwrap()).unwrap(),
            });
            rest = after;
        } else {
            assert!(!"\"<>&`\\".contains(c), "a bare `{c}` in `{label}`");
            text.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    text
}
