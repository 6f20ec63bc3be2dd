//! An SVG file, read by another reader of XML.

use roxmltree::{Document, Node};

/// A box: its place and size.
#[derive(Debug, Clone, Copy)]
struct Area {
    x: i64,
    y: i64,
    width: i64,
    height: i64,
}

/// Reads a picture; its boxes are all within it, and none covers another. The uncut texts of the nodes.
pub(crate) fn read(text: &str) -> Vec<String> {
    let document = Document::parse(text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "svg");
    let view = root.attribute("viewBox").unwrap();
    let view: Vec<i64> = view.split(' ').map(|side| side.parse().unwrap()).collect();
    let mut texts = Vec::new();
    for figure in root.children().filter(|node| node.has_tag_name("g")) {
        let boxes: Vec<_> = figure
            .descendants()
            .filter(|node| node.has_tag_name("svg"))
            .collect();
        let areas: Vec<_> = boxes.iter().map(area).collect();
        let most = |far: fn(&Area) -> i64| areas.iter().map(far).max().unwrap_or(0);
        assert!(most(|area| area.x + area.width) <= view[2]);
        assert!(most(|area| area.y + area.height) <= view[3]);
        assert_apart(areas);
        texts.extend(boxes.iter().map(|shown| title(shown)));
    }
    for node in document.descendants().filter(Node::is_element) {
        let known = [
            "svg", "title", "style", "g", "text", "tspan", "rect", "path", "a",
        ];
        assert!(known.contains(&node.tag_name().name()), "{node:?}");
        let acts = |name: &str| name.starts_with("on");
        assert!(
            !node.attributes().any(|attribute| acts(attribute.name())),
            "{node:?}"
        );
    }
    texts
}

fn area(shown: &Node<'_, '_>) -> Area {
    let number = |name| shown.attribute(name).unwrap().parse().unwrap();
    Area {
        x: number("x"),
        y: number("y"),
        width: number("width"),
        height: number("height"),
    }
}

/// None of them covers another: from left to right, each is compared with those that reach so far.
fn assert_apart(mut areas: Vec<Area>) {
    areas.sort_by_key(|area| area.x);
    let mut open: Vec<Area> = Vec::new();
    for area in areas {
        assert!(area.x >= 0 && area.y >= 0, "{area:?}");
        open.retain(|other| other.x + other.width > area.x);
        for other in &open {
            let is_apart = other.y + other.height <= area.y || area.y + area.height <= other.y;
            assert!(is_apart, "{other:?} covers {area:?}");
        }
        open.push(area);
    }
}

fn title(shown: &Node<'_, '_>) -> String {
    let title = shown.children().find(|node| node.has_tag_name("title"));
    title.and_then(|title| title.text()).unwrap().to_owned()
}
