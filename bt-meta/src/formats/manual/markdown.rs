//! The manual as one Markdown file.

use super::parts::{Level, Manual, Part, Table};

/// The whole file: a table of contents, then the chapters.
pub(super) fn text(manual: &Manual) -> String {
    let mut lines = vec!["# Agents".to_owned(), String::new()];
    for chapter in &manual.parts {
        lines.push(entry(chapter, 0));
        let sections = chapter.parts.iter();
        let sections = sections.filter(|part| part.level == Level::Section);
        lines.extend(sections.map(|section| entry(section, 1)));
    }
    for chapter in &manual.parts {
        part(chapter, 2, &mut lines);
    }
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

fn entry(part: &Part, depth: usize) -> String {
    format!("{}- [{}](#{})", "  ".repeat(depth), part.title, part.id)
}

/// Each block with an empty line before it. Headings have marks of their own: what sites make of them
/// differs, and the same name is there in several agents.
fn part(part: &Part, depth: usize, lines: &mut Vec<String>) {
    let mut block = |text: String| lines.extend([String::new(), text]);
    block(format!("<a id=\"{}\"></a>", part.id));
    block(format!("{} {}", "#".repeat(depth), part.title));
    if !part.text.is_empty() {
        block(part.text.clone());
    }
    if !part.table.rows.is_empty() {
        block(table(&part.table));
    }
    let facts = part.facts.iter();
    let facts: Vec<String> = facts
        .map(|(label, text)| format!("- {label}: {}", one_line(text)))
        .collect();
    if !facts.is_empty() {
        block(facts.join("\n"));
    }
    for inner in &part.parts {
        self::part(inner, depth + 1, lines);
    }
}

/// A column that is empty in all rows is left out.
fn table(table: &Table) -> String {
    let columns: Vec<usize> = table.columns().collect();
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let head = columns.iter().map(|at| table.head[*at].to_owned());
    let mut lines = vec![
        line(head.collect()),
        line(vec!["---".to_owned(); columns.len()]),
    ];
    for row in &table.rows {
        let cells = columns
            .iter()
            .map(|at| row.get(*at).map_or("", String::as_str));
        lines.push(line(cells.map(cell).collect()));
    }
    lines.join("\n")
}

/// A bar ends a cell, in code too, unless it is escaped.
fn cell(text: &str) -> String {
    one_line(text).replace("\\|", "|").replace('|', "\\|")
}

fn one_line(text: &str) -> String {
    let lines = text.split('\n').map(str::trim);
    lines.collect::<Vec<_>>().join(" ")
}
