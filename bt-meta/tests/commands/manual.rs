//! The manual: a page that works by itself, whatever a catalogue's texts try.

use crate::common::page::check_page;
use crate::common::samples::{action, agent, arg, catalogue, method, with};
use crate::common::zoo::zoo;
use bt_core::registry::catalogue::Catalogue;
use bt_meta::formats::{Format, render};
use bt_meta::layout::Options;
use proptest::prelude::*;
use serde_json::json;

fn text(catalogue: &Catalogue, format: Format) -> String {
    let files = render(catalogue, &Options::default(), &[format]).unwrap();
    files.files[0].text.clone()
}

/// A catalogue in which every text is the same.
fn all_over(text: &str) -> Catalogue {
    let old = format!("{text} of old");
    let value = with(
        arg(text, text),
        json!({"comment": text, "display": text, "unit": text, "default": text, "choices": [text], "alias": [old]}),
    );
    let method = with(
        method("action", text, text, vec![value.clone()]),
        json!({"docs": text, "returns": text, "display": text, "category": text, "since": text, "alias": [old],
               "deprecated": {"since": text, "note": text}}),
    );
    let property = with(
        value.clone(),
        json!({"crate": text, "file": text, "line": 1, "docs": text, "brief": text}),
    );
    let event = json!({"name": text, "docs": text, "crate": text, "file": text, "line": 1, "params": [value]});
    let agent = with(
        agent("a", None, vec![method]),
        json!({"docs": text, "properties": [property], "events": [event]}),
    );
    let mut catalogue = catalogue(vec![agent]);
    let def = json!({"description": text, "properties": {text: {"description": text}}, "required": [text]});
    catalogue.defs.insert(text.to_owned(), def);
    catalogue
}

#[test]
fn the_page_works_by_itself() {
    check_page(&text(&zoo(), Format::Html));
    check_page(&text(&catalogue(vec![]), Format::Html));
}

#[test]
fn no_text_can_do_more_than_be_shown() {
    for hostile in [
        "<script>alert(1)</script>",
        "</code></section><script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "' onmouseover='alert(1)",
        "[x](javascript:alert(1))",
        "<javascript:alert(1)>",
        "![x](https://example.com/x.png)",
        "[x]: javascript:alert(1)\n\n[x]",
        "`</code><script>alert(1)</script>`",
        "```html\n</pre><script>alert(1)</script>",
        "<!--",
        "]]> --> </style></script>",
        "a|b\n|c|",
        "# <script>alert(1)</script>",
    ] {
        check_page(&text(&all_over(hostile), Format::Html));
    }
}

/// In Markdown, a text could end the table or the list in which it stands.
#[test]
fn every_row_of_the_markdown_has_as_many_cells_as_its_head() {
    for awkward in [
        "a|b",
        "a\nb",
        "a\\|b",
        "`a|b`",
        "- a",
        "1. a",
        "# a",
        "a\n\nb",
        "```\na\n```",
    ] {
        let markdown = text(&all_over(awkward), Format::Markdown);
        let mut cells = 0;
        let mut rows = 0;
        for line in markdown.lines() {
            if !line.starts_with('|') {
                cells = 0;
                continue;
            }
            let bars = line.replace("\\|", "").matches('|').count();
            cells = if cells == 0 { bars } else { cells };
            assert_eq!(bars, cells, "{awkward}: {line}");
            rows += 1;
        }
        assert!(rows > 3, "{awkward}");
    }
}

#[test]
fn everything_that_an_agent_has_is_described_once_and_found_by_its_name() {
    let page = text(&zoo(), Format::Html);
    for id in [
        "keeper",
        "keeper.feed",
        "keeper.is_in_mood",
        "keeper.property.hunger",
        "keeper.event.rang",
        "head.tally",
        "head.twice",
        "type.Mood",
        "node.sequence",
    ] {
        assert_eq!(page.matches(&format!(" id=\"{id}\"")).count(), 1, "{id}");
    }
}

#[test]
fn members_of_one_name_have_marks_of_their_own() {
    let own =
        json!({"name": "x", "crate": "c", "file": "f", "line": 1, "type": "bool", "schema": true});
    let event = json!({"name": "x", "crate": "c", "file": "f", "line": 1, "params": []});
    let methods = vec![action("x", ""), action("property.x", "")];
    let agent = with(
        agent("a", None, methods),
        json!({"properties": [own], "events": [event]}),
    );
    check_page(&text(&catalogue(vec![agent]), Format::Html));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_shown_on_a_page_that_is_whole(text in "[<>&\"'`|\\[\\]()#*_~!\\\\ \n-]{0,12}|\\PC{0,8}") {
        check_page(&self::text(&all_over(&text), Format::Html));
    }
}
