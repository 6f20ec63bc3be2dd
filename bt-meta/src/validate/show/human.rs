//! For people: in the manner of rustc.

use std::collections::BTreeSet;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::super::finding::{Finding, Place};
use super::super::{Level as Matters, Report};

pub(super) fn text(report: &Report, colours: bool) -> String {
    let renderer = match colours {
        true => Renderer::styled(),
        false => Renderer::plain(),
    };
    let mut text = String::new();
    for finding in &report.findings {
        text += &one(finding, &renderer);
        text += "\n\n";
    }
    if report.unlisted > 0 {
        text += &format!("and {} more\n\n", report.unlisted);
    }
    text + &pages(report)
}

/// So many codes are named at the end.
const NAMED: usize = 5;

/// The line about pages on the first codes.
fn pages(report: &Report) -> String {
    let mut seen = BTreeSet::new();
    let codes = report.findings.iter().map(|finding| finding.code);
    let first: Vec<_> = codes
        .filter(|code| seen.insert(*code))
        .take(NAMED)
        .map(|code| code.to_string())
        .collect();
    match first.is_empty() {
        true => String::new(),
        false => format!(
            "for more about a code: bt-meta explain {}\n",
            first.join(" ")
        ),
    }
}

fn one(finding: &Finding, renderer: &Renderer) -> String {
    let level = match finding.level {
        Matters::Error => Level::ERROR,
        Matters::Warning => Level::WARNING,
    };
    let code = finding.code.to_string();
    let label = finding.node.map(|node| format!("node {node}"));
    let title = level
        .primary_title(finding.message.as_str())
        .id(code.as_str());
    let mut group = match &finding.place {
        Some(place) if place.text.is_some() => excerpt(title, finding, place, label.as_deref()),
        place => title.element(origin(finding, place.as_ref())),
    };
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

fn excerpt<'f>(
    title: annotate_snippets::Title<'f>,
    finding: &'f Finding,
    place: &'f Place,
    label: Option<&'f str>,
) -> Group<'f> {
    let text = place.text.as_deref().unwrap_or_default();
    let byte = |column: usize| {
        let mut letters = text.char_indices();
        let at = letters.nth(column.saturating_sub(1));
        at.map_or(text.len(), |(at, _)| at)
    };
    let span = byte(place.column)..byte(place.end_column);
    title.element(
        Snippet::source(text)
            .line_start(place.line)
            .path(finding.file.as_str())
            .annotation(AnnotationKind::Primary.span(span).label(label)),
    )
}

/// The place of what cannot be shown: the whole file, or a line of megabytes.
fn origin<'f>(finding: &'f Finding, place: Option<&Place>) -> Origin<'f> {
    let origin = Origin::path(finding.file.as_str());
    match place {
        Some(place) => origin.line(place.line).char_column(place.column),
        None => origin,
    }
}
