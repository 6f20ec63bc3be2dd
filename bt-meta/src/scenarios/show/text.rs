//! For people.

use super::super::{Outcome, Report};

pub(super) fn text(report: &Report) -> String {
    let mut text = String::new();
    for played in &report.played {
        match &played.outcome {
            Outcome::Verdict(verdict) => text += &verdict.to_string(),
            Outcome::Refused(problems) => {
                for problem in problems {
                    let (line, column) = (problem.line, problem.column);
                    let (file, message) = (&played.file, &problem.message);
                    text += &format!("{file}:{line}:{column}: {message}\n");
                }
            }
        }
    }
    if let Some(coverage) = &report.coverage {
        text.push('\n');
        text += &coverage.text();
    }
    text
}
