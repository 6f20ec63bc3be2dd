//! The outcomes of scenarios, for people and for programs.

mod github;
mod json;
mod junit;
mod text;

use super::Report;

/// The format of what came of scenarios.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Format {
    /// For people: each failed expectation with what happened, and why
    #[default]
    Text,
    /// One JSON object: `scenarios`, `passed`, `failed` and, with `--coverage`, `coverage`
    Json,
    /// Commands that annotate the lines of a pull request on GitHub
    Github,
    /// XML that build servers read
    Junit,
}

/// The text of a report.
pub fn show(report: &Report, format: Format) -> String {
    match format {
        Format::Text => text::text(report),
        Format::Json => json::text(report),
        Format::Github => github::text(report),
        Format::Junit => junit::text(report),
    }
}
