//! Pictures as Graphviz lays them out, where it is installed.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

use bt_core::TreeAsset;
use bt_meta::draw::{Direction, Format, draw};

use super::golden::{TREES, example, followed};

/// The layout of a picture by `dot -Tplain`; none where there is no Graphviz.
fn laid_out(picture: &str) -> Option<String> {
    let mut dot = Command::new("dot");
    dot.arg("-Tplain").stdin(Stdio::piped());
    dot.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut dot = dot.spawn().ok()?;
    let mut input = dot.stdin.take().unwrap();
    input.write_all(picture.as_bytes()).unwrap();
    drop(input);
    let output = dot.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains("rror"), "{said}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// Each node is below its parent, and siblings stand in the order of the file.
fn assert_in_order(plain: &str, nodes: usize) {
    let mut places: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    let mut children: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut calls = 0;
    for line in plain.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["node", name, x, y, ..] => {
                places.insert(name, (x.parse().unwrap(), y.parse().unwrap()));
            }
            // From tree to tree.
            ["edge", .., "dashed", _] => calls += 1,
            ["edge", from, to, ..] => children.entry(from).or_default().push(to),
            _ => {}
        }
    }
    assert_eq!(places.len(), nodes);
    let trees = places.keys().filter(|name| name.ends_with("n0")).count();
    assert!(calls + 1 >= trees, "{calls} calls between {trees} trees");
    for (parent, children) in children {
        let of = children.iter().map(|child| places[child]);
        let of: Vec<(f64, f64)> = of.collect();
        assert!(of.iter().all(|(_, y)| *y < places[parent].1), "{parent}");
        // Edges are listed in the order in which the file has them.
        assert!(of.is_sorted_by(|a, b| a.0 < b.0), "{parent}: {children:?}");
    }
}

#[test]
fn graphviz_draws_every_node_below_its_parent_and_siblings_in_their_order() {
    let mut pictures: Vec<Vec<TreeAsset>> = TREES.map(|name| vec![example(name)]).into();
    pictures.push(followed());
    for trees in pictures {
        let picture = draw(&trees, Format::Dot, Direction::Down);
        let Some(plain) = laid_out(&picture) else {
            println!("`dot` is not installed: no picture is laid out");
            return;
        };
        assert_in_order(&plain, trees.iter().map(|tree| tree.nodes().len()).sum());
    }
}
