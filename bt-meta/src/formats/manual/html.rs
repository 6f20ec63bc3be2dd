//! The manual as one page that needs nothing else: no network, no other file.
//!
//! Everything goes through the templates' escaping, but for [`comment`](super::comment)'s HTML, in which
//! nothing of a doc comment is left that is not text.

use maud::{Markup, PreEscaped, html};

use super::comment::{as_html, as_inline_html};
use super::parts::{Level, Manual, Part, Table};
use crate::html_page::page_of;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The whole page.
pub(super) fn text(manual: &Manual) -> String {
    let body = html! {
        a.skip href="#content" { "To the content" }
        nav aria-label="Contents" {
            div.filter {
                label for="filter" { "Filter" }
                input #filter type="search" placeholder="name or word" autocomplete="off"
                    spellcheck="false" aria-describedby="found";
                p #found role="status" { "/ to filter, ↑ ↓ and Enter to go to a hit, Esc to see all" }
            }
            details #list open {
                summary { "Contents" }
                ul { @for chapter in &manual.parts { (contents(chapter)) } }
            }
        }
        main #content tabindex="-1" {
            h1 { "Agents" }
            @for chapter in &manual.parts { (part(chapter, 2)) }
        }
    };
    page_of("Agents", STYLE, &body, Some(SCRIPT))
}

/// A line of the contents, and below it what the part has, down to its items.
fn contents(part: &Part) -> Markup {
    html! {
        li {
            a href={ "#" (part.id) } { (part.name) }
            @if !part.parts.is_empty() {
                ul { @for inner in &part.parts { (contents(inner)) } }
            }
        }
    }
}

/// An item is what the filter shows or hides; everything around it goes with what is inside.
fn part(part: &Part, depth: u8) -> Markup {
    let title = PreEscaped(as_inline_html(&part.title));
    let link = html! {
        a.anchor href={ "#" (part.id) } aria-label={ "Link to " (part.name) } { "#" }
    };
    html! {
        section id=(part.id) class=(class(part.level)) {
            @match depth {
                2 => h2 { (title) " " (link) },
                3 => h3 { (title) " " (link) },
                4 => h4 { (title) " " (link) },
                _ => h5 { (title) " " (link) },
            }
            @if !part.text.is_empty() { div.text { (PreEscaped(as_html(&part.text))) } }
            @if !part.table.rows.is_empty() { (table(&part.table)) }
            @if !part.facts.is_empty() {
                dl {
                    @for (label, text) in &part.facts {
                        dt { (label) }
                        dd { (PreEscaped(as_inline_html(text))) }
                    }
                }
            }
            @for inner in &part.parts { (self::part(inner, depth + 1)) }
        }
    }
}

fn class(level: Level) -> &'static str {
    match level {
        Level::Chapter => "chapter",
        Level::Section => "section",
        Level::Group => "group",
        Level::Item => "item",
    }
}

/// A column that is empty in all rows is left out.
fn table(table: &Table) -> Markup {
    let columns: Vec<usize> = table.columns().collect();
    html! {
        div.table {
            table {
                thead {
                    tr { @for at in &columns { th scope="col" { (table.head[*at]) } } }
                }
                tbody {
                    @for row in &table.rows {
                        tr {
                            @for at in &columns {
                                td data-head=(table.head[*at]) { (PreEscaped(as_inline_html(row.get(*at).map_or("", String::as_str)))) }
                            }
                        }
                    }
                }
            }
        }
    }
}
