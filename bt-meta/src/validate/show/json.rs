//! For programs.

use serde_json::json;

use super::super::Report;
use super::super::finding::Finding;
use super::pretty::pretty;

pub(super) fn text(report: &Report) -> String {
    let findings: Vec<_> = report.findings.iter().map(Finding::to_json).collect();
    pretty(&json!({
        "errors": report.errors,
        "files": report.files,
        "findings": findings,
        "unlisted": report.unlisted,
        "warnings": report.warnings,
    }))
}
