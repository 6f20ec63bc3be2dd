//! Nodes that are not built, in every format.

use bt_core::TreeAsset;
use bt_core::tree::asset::spec::{action, node, sequence};
use bt_meta::draw::{Direction, Format, draw};

fn drawn(format: Format) -> String {
    let off = sequence([action("walk")]).extra("disabled", true);
    let around = node("negative").child(action("look").extra("disabled", true));
    let tree = TreeAsset::build("t.json", "guard", sequence([off, around, action("rest")]));
    draw(&[tree], format, Direction::Down)
}

#[test]
fn outline_marks_what_is_not_built() {
    let outline = "\
t.json
◉ guard #0
└─ → sequence #1
   ├─ ⊘ → sequence #2
   │  └─ ⊘ ▸ walk #3
   ├─ ⊘ ¬ negative #4
   │  └─ ⊘ ▸ look #5
   └─ ▸ rest #6
";
    assert_eq!(drawn(Format::Text), outline);
}

#[test]
fn pictures_show_what_is_not_built_otherwise() {
    let svg = drawn(Format::Svg);
    assert_eq!(svg.matches("off\" x=").count(), 4, "{svg}");
    assert!(svg.contains(".bt .off"), "{svg}");
    let dot = drawn(Format::Dot);
    assert_eq!(dot.matches("label=\"⊘ ").count(), 4, "{dot}");
    assert_eq!(
        dot.matches("color=\"#8a94a3\", ").count() + dot.matches("color=\"#8a94a3\"]").count(),
        // The edges have that colour, too.
        4 + 1,
        "{dot}"
    );
    let mermaid = drawn(Format::Mermaid);
    assert_eq!(mermaid.matches(":::disabled_node").count(), 4, "{mermaid}");
    assert!(mermaid.contains("classDef disabled_node "), "{mermaid}");
}

#[test]
fn picture_without_disabled_nodes_says_nothing_of_them() {
    let tree = TreeAsset::build("t.json", "guard", action("rest"));
    for format in [Format::Svg, Format::Mermaid] {
        let text = draw(std::slice::from_ref(&tree), format, Direction::Down);
        assert!(
            !text.contains("off") && !text.contains("disabled"),
            "{text}"
        );
    }
}
