//! Findings, for people and for programs.

pub(crate) mod github;
mod human;
mod json;
pub mod notice;
mod pretty;
mod sarif;

use super::Report;

/// The format of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Format {
    /// For people, as rustc does: the place, the line, what to write instead
    #[default]
    Human,
    /// One JSON object: `findings`, `errors`, `warnings`, `files`, `unlisted`
    Json,
    /// SARIF 2.1.0, which code hosts and editors read
    Sarif,
    /// Commands that annotate the lines of a pull request on GitHub
    Github,
}

/// The text of a report. `colours`: whether a terminal is to show the human one.
pub fn show(report: &Report, format: Format, colours: bool) -> String {
    match format {
        Format::Human => human::text(report, colours),
        Format::Json => json::text(report),
        Format::Sarif => sarif::text(report),
        Format::Github => github::text(report),
    }
}
