//! The common parts of all formats, and the golden files of a small game.

use crate::common::zoo::zoo;
use bt_core::registry::catalogue::Catalogue;
use bt_meta::files;
use bt_meta::formats::{Format, render};
use bt_meta::layout::Options;

const ALL: [Format; 6] = [
    Format::Mosaic,
    Format::Behaviac,
    Format::Btcpp,
    Format::JsonSchema,
    Format::Markdown,
    Format::Html,
];

fn one(catalogue: &Catalogue, format: Format, agent: Option<&str>) -> String {
    let options = Options {
        agent: agent.map(str::to_owned),
        ..Options::default()
    };
    let files = render(catalogue, &options, &[format]).unwrap().files;
    assert_eq!(files.len(), 1);
    files.into_iter().next().unwrap().text
}

#[test]
fn behaviac_is_as_it_was() {
    insta::assert_snapshot!("behaviac", one(&zoo(), Format::Behaviac, None));
}

#[test]
fn the_schema_is_as_it_was() {
    let text = one(&zoo(), Format::JsonSchema, Some("boss"));
    let mut schema: serde_json::Value = serde_json::from_str(&text).unwrap();
    // As `without_nodes`: one kind stands for all.
    let defs = schema["$defs"].as_object_mut().unwrap();
    assert!(defs.contains_key("kind.sequence") && defs.contains_key("declaration"));
    defs.retain(|name, _| {
        let is_core = name.starts_with("kind.") || name == "declaration";
        !is_core || name == "kind.action"
    });
    insta::assert_snapshot!("tree_schema", format!("{schema:#}"));
}

#[test]
fn the_manual_is_as_it_was() {
    insta::assert_snapshot!(
        "manual_markdown",
        without_nodes(&one(&zoo(), Format::Markdown, None))
    );
    let page = one(&zoo(), Format::Html, None);
    let (_, body) = page.split_once("</head>").unwrap();
    let (body, _) = body.split_once("<script>").unwrap();
    // Lines, so that a change is seen where it is.
    let blocks = ["<section", "<tr", "<li", "<dl", "<main", "<nav", "<dt"];
    let body = blocks.iter().fold(body.to_owned(), |body, block| {
        body.replace(block, &format!("\n{block}"))
    });
    insta::assert_snapshot!("manual_html", without_nodes(&body));
}

/// The node kinds are bt-core's: whoever changes one need not look at it here again.
fn without_nodes(text: &str) -> String {
    let lines = text.lines();
    let start = ["<a id=\"nodes\">", "\u{0}<section id=\"nodes\""];
    let body = lines.take_while(|line| {
        !start
            .iter()
            .any(|start| line.starts_with(start.trim_start_matches('\0')))
    });
    body.map(|line| format!("{line}\n")).collect()
}

#[test]
fn formats_are_written_together_sorted_and_each_once() {
    let options = Options::default();
    let twice: Vec<Format> = ALL.into_iter().rev().chain(ALL).collect();
    let files = render(&zoo(), &options, &twice).unwrap().files;
    let names: Vec<&str> = files.iter().map(|file| file.name).collect();
    assert_eq!(
        names,
        [
            "action_types.json",
            "agent_hierarchy.json",
            "agents.html",
            "agents.json",
            "agents.md",
            "agents.schema.json",
            "behaviac_meta.xml",
            "btcpp.xml",
            "node_types.json",
            "trees.schema.json",
        ]
    );
    let alone = files::render(&zoo(), &options).unwrap();
    assert_eq!(render(&zoo(), &options, &[Format::Mosaic]).unwrap(), alone);
}

#[test]
fn the_order_of_a_catalogue_makes_no_difference() {
    let mut shuffled = zoo();
    shuffled.agents.reverse();
    for agent in &mut shuffled.agents {
        agent.events.reverse();
        agent.properties.reverse();
    }
    for format in &ALL[1..] {
        let (before, after) = (one(&zoo(), *format, None), one(&shuffled, *format, None));
        assert!(before == after, "{format:?}");
        assert!(
            before.ends_with('\n') && !before.contains('\r'),
            "{format:?}"
        );
    }
}

#[test]
fn one_agent_is_shown_with_what_it_needs_and_no_other() {
    for format in &ALL[1..] {
        let text = one(&zoo(), *format, Some("head"));
        assert!(text.contains("feed"), "{format:?}: inherited");
        assert!(!text.contains("visitor"), "{format:?}");
    }
    let options = Options {
        agent: Some("hed".to_owned()),
        ..Options::default()
    };
    for format in ALL {
        let error = render(&zoo(), &options, &[format]).unwrap_err();
        assert!(
            error.to_string().contains("did you mean `head`?"),
            "{error}"
        );
    }
}

#[test]
fn every_format_refuses_a_contradictory_catalogue() {
    let mut zoo = zoo();
    zoo.agents[0].base = Some("nobody".to_owned());
    for format in ALL {
        let error = render(&zoo, &Options::default(), &[format]).unwrap_err();
        assert_eq!(error.exit_code(), 1, "{format:?}");
    }
}

#[test]
fn a_catalogue_with_nothing_in_it_is_no_trouble() {
    let nothing = Catalogue {
        schema_version: 1,
        ..Catalogue::default()
    };
    for format in ALL {
        render(&nothing, &Options::default(), &[format]).unwrap();
    }
}
